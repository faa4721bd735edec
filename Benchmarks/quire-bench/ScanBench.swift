import MadePhotos
import Scanning
import Work

/// Sheets found in made photos, and a photo of twelve megapixels made a page: `quire-bench scan [PHOTOS-OF-EACH-KIND] [SEED]`.
enum ScanBench {
    static func run(_ arguments: [String]) throws {
        let count = arguments.first.flatMap { Int($0) } ?? 72
        let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1
        find(count, seed)
        clean()
    }

    private static func find(_ count: Int, _ seed: UInt64) {
        var (sheets, others) = (FindingScore(), FindingScore())
        var time = Duration.zero
        for kind in MadePhoto.Kind.allCases {
            var score = FindingScore()
            for number in 0..<count {
                let photo = MadePhoto(kind, seed: seed * 100_000 + UInt64(number))
                time += ContinuousClock().measure { score.take(photo) }
            }
            Bench.say(
                kind.hasSheet
                    ? "  \(kind.rawValue): \(score.meanRight) by the mean of the corners, \(score.worstRight) by the worst, of \(count)"
                    : "  \(kind.rawValue), no sheet: \(score.surelyWrong) of \(count) taken for one")
            if kind.hasSheet { sheets.add(score) } else { others.add(score) }
        }
        let each = time / (sheets.count + others.count)
        Bench.say(
            "corners within 1 % of the diagonal, mean: \(share(sheets.meanRight, sheets.count)) (budget 99 %)"
        )
        Bench.say("the worst corner: \(share(sheets.worstRight, sheets.count)) (budget 98.5 %)")
        Bench.say("wrong and sure: \(share(sheets.surelyWrong, sheets.count)) (budget 0.4 %)")
        Bench.say("sure: \(share(sheets.sure, sheets.count))")
        Bench.say("paper where none is: \(others.surelyWrong) of \(others.count) (budget 0)")
        Bench.say("finding in 640 × 480: \(milliseconds(each)) ms (budget 8)")
    }

    private static func clean() {
        let photo = MadePhoto(.shadow, seed: 5, longestSide: 4000)
        let wish = PageWish(corners: photo.corners, look: .color, turns: 0, dotsPerInch: 0)
        var best = Duration.seconds(100)
        for _ in 0..<5 {
            photo.raster.withView { view in
                let plan = PagePlan(wish, for: view)
                var page = Raster(width: plan.width, height: plan.height)
                let time = ContinuousClock().measure {
                    page.pixels.withUnsafeMutableBytes { bytes in
                        if let base = bytes.baseAddress { _ = plan.make(from: view, into: base) }
                    }
                }
                best = min(best, time)
            }
        }
        let size = Double(photo.raster.width * photo.raster.height) / 1e6
        Bench.say(
            "\(tenths(size)) megapixels flattened and cleaned in colour: \(milliseconds(best)) ms (budget 120 for 12)"
        )
    }

    private static func share(_ part: Int, _ all: Int) -> String {
        "\(tenths(Double(part * 100) / Double(max(1, all)))) %"
    }
    private static func milliseconds(_ time: Duration) -> String { tenths(time / .milliseconds(1)) }
    private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
