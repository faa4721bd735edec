import Bytes
import Kinds
import Office
import Pictures
import Scanning
import Work

/// Photos unpacked to pixels, pages packed as JPEG and codes read, by the small program in the jail.
struct PhotoPixels: Sendable {
    let engines: Engines
    let cancellation: Cancellation

    /// More than any phone takes.
    static let mostPixels = 120_000_000

    /// Upright as its file says it is to be seen.
    func unpacked(_ paper: Paper) throws(ConversionError) -> Raster {
        let pixmap = try run(paper, as: Self.format(of: paper, "pixels"), Self.onlyFile(of: paper))
        guard let raster = Self.raster(pixmap) else {
            throw .damaged(paper.name, reason: "the picture is damaged.")
        }
        // The library for HEIC turns by itself; for all others it is said in the file.
        let turn = Self.isHEIF(paper) ? .none : (try? Picture(paper.bytes))?.turn ?? .none
        return raster.turned(turn)
    }

    /// What each square code in it says.
    func codes(in paper: Paper) throws(ConversionError) -> [String] {
        try run(paper, as: Self.format(of: paper, "codes")) { _, lines in
            lines.compactMap { Hex.decode(String($0)) }.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func isHEIF(_ paper: Paper) -> Bool { [.heic, .heif, .avif].contains(paper.kind) }

    private static func format(of paper: Paper, _ form: String) throws(ConversionError) -> String {
        guard paper.kind.family == .picture else { throw .noWay(from: paper.kind, to: .jpeg) }
        return isHEIF(paper) ? "heic-\(form)" : form
    }

    /// As JPEG of no more than `most` bytes, if it can be read at all with so few.
    func packed(
        _ raster: Raster, isGrey: Bool, named name: String, most: Int
    ) throws(ConversionError) -> [UInt8] {
        let pixmap = Paper(name: name, kind: .jpeg, bytes: Self.pixmap(raster, isGrey: isGrey))
        var best: [UInt8] = []
        for quality in [75, 60, 45, 32, 24] {
            let made = try run(pixmap, as: "jpeg:\(quality)", Self.onlyFile(of: pixmap))
            if best.isEmpty || made.count < best.count { best = made }
            if best.count <= most { break }
        }
        return best
    }

    private func run<Made>(
        _ paper: Paper, as format: String, _ body: (_ cell: JailCell, _ lines: [Substring]) throws -> Made
    ) throws(ConversionError) -> Made {
        do {
            return try engines.jail.steadyCell { cell in
                let engine = try EngineProgram.put(into: cell)
                try cell.put(paper.bytes, named: "picture")
                let limits = Child.Limits(
                    time: .seconds(60), cpu: .seconds(60), memoryByteCount: 3 << 30, fileByteCount: 1 << 30,
                    processCount: 32, openFileCount: 64)
                let outcome = try cell.run(
                    engine, ["pictures", "picture", "made", format, "\(Self.mostPixels)"],
                    read: EngineProgram.libraries, limits: limits, cancellation: cancellation)
                try outcome.checkCrash()
                try ConversionRun.check(outcome, paper)
                return try body(cell, outcome.outputText.split(separator: "\n"))
            }
        } catch {
            throw ConversionError.of(error, paper.name)
        }
    }

    /// What was made of a picture, where it is one and not several.
    private static func onlyFile(
        of paper: Paper
    ) -> (_ cell: JailCell, _ lines: [Substring]) throws -> [UInt8] {
        { cell, lines in
            guard lines.count < 2 else {
                throw ConversionError.badOption(
                    "“\(paper.name)” holds \(lines.count) pictures. Take them apart first, with quire convert --to png."
                )
            }
            guard let file = lines.first?.split(separator: "\t").last else { throw EngineCrash() }
            return try cell.read(String(file), limit: 1 << 30)
        }
    }

    /// A portable pixmap with three bytes a pixel, as the program in the jail writes it.
    private static func raster(_ pixmap: [UInt8]) -> Raster? {
        var (place, numbers): (Int, [Int]) = (2, [])
        guard pixmap.starts(with: Array("P6".utf8)) else { return nil }
        while numbers.count < 3, place < min(pixmap.count, 256) {
            // Between numbers there may be remarks, each to the end of its line.
            while place < pixmap.count, pixmap[place] <= 32 || pixmap[place] == UInt8(ascii: "#") {
                if pixmap[place] == UInt8(ascii: "#") {
                    while place < pixmap.count, pixmap[place] != 10 { place += 1 }
                }
                place += 1
            }
            var digits = ""
            while place < pixmap.count, (48...57).contains(pixmap[place]), digits.count < 9 {
                digits.append(Character(UnicodeScalar(pixmap[place])))
                place += 1
            }
            guard let number = Int(digits) else { return nil }
            numbers.append(number)
        }
        guard numbers.count == 3, numbers[2] == 255, numbers[0] > 0, numbers[1] > 0,
            numbers[0] * numbers[1] <= mostPixels, pixmap.count - place - 1 == numbers[0] * numbers[1] * 3
        else { return nil }
        place += 1
        var raster = Raster(width: numbers[0], height: numbers[1])
        raster.pixels.withUnsafeMutableBufferPointer { pixels in
            pixmap.withUnsafeBufferPointer { from in
                for i in 0..<numbers[0] * numbers[1] {
                    pixels[i * 4] = from[place + i * 3]
                    pixels[i * 4 + 1] = from[place + i * 3 + 1]
                    pixels[i * 4 + 2] = from[place + i * 3 + 2]
                    pixels[i * 4 + 3] = 255
                }
            }
        }
        return raster
    }

    static func pixmap(_ raster: Raster, isGrey: Bool) -> [UInt8] {
        let count = raster.width * raster.height
        let samples = isGrey ? 1 : 3
        let head = Array("P\(isGrey ? 5 : 6)\n\(raster.width) \(raster.height)\n255\n".utf8)
        return [UInt8](unsafeUninitializedCapacity: head.count + count * samples) { out, filled in
            for (i, byte) in head.enumerated() { out[i] = byte }
            raster.pixels.withUnsafeBufferPointer { pixels in
                for i in 0..<count {
                    for sample in 0..<samples {
                        out[head.count + i * samples + sample] = pixels[i * 4 + sample]
                    }
                }
            }
            filled = head.count + count * samples
        }
    }
}

extension Raster {
    /// As it is to be seen by what its file says.
    fileprivate func turned(_ turn: PictureTurn) -> Raster {
        guard turn != .none else { return self }
        let (wide, high) = turn.isOnItsSide ? (height, width) : (width, height)
        var result = Raster(width: wide, height: high)
        pixels.withUnsafeBytes { from in
            result.pixels.withUnsafeMutableBytes { to in
                for y in 0..<high {
                    for x in 0..<wide {
                        let (u, v) =
                            switch turn {
                            case .none: (x, y)
                            case .mirrored: (wide - 1 - x, y)
                            case .half: (wide - 1 - x, high - 1 - y)
                            case .halfMirrored: (x, high - 1 - y)
                            case .rightMirrored: (y, x)
                            case .right: (y, wide - 1 - x)
                            case .leftMirrored: (high - 1 - y, wide - 1 - x)
                            case .left: (high - 1 - y, x)
                            }
                        let pixel = from.loadUnaligned(fromByteOffset: (v * width + u) * 4, as: UInt32.self)
                        to.storeBytes(of: pixel, toByteOffset: (y * wide + x) * 4, as: UInt32.self)
                    }
                }
            }
        }
        return result
    }
}
