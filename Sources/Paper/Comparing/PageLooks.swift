import PDF
import PDFReading
import Synchronization
import Work

/// What pages look like, drawn with a dot for each point.
struct PageLooks {
    let reader: PageReader
    let workers: Workers
    let before: Sheets
    let after: Sheets
    let progress: Progress

    struct Task: Sendable {
        var before: Int
        var after: Int
        /// All of both pages, but for what is passed over; otherwise only the patches.
        var isWhole: Bool
        /// On the sheet of either page: what has been told already, or stands elsewhere now.
        var passedBefore: [PDFRectangle] = []
        var passedAfter: [PDFRectangle] = []
        var patches: [Patch] = []
    }

    /// Words of one line that stand somewhere else, all of them as far.
    struct Patch: Sendable {
        var before: PDFRectangle
        var after: PDFRectangle
    }

    struct Difference: Sendable {
        var before: Int
        var after: Int
        var areasBefore: [PaperComparison.Area]
        var areasAfter: [PaperComparison.Area]
    }

    struct Outcome: Sendable {
        var differences: [Difference] = []
        var undrawn: Set<Int> = []
    }

    private static let tolerance = 56
    /// Of letters that may stand half a dot beside their place.
    private static let patchTolerance = 72
    private static let atOnce = 32
    /// A speck of fewer dots is no difference.
    private static let fewestDots = 5
    /// Dots this near to each other belong to one place.
    private static let cell = 8
    private static let mostAreas = 40

    func differences(_ tasks: [Task]) throws(ComparisonError) -> Outcome {
        let portions = stride(from: 0, to: tasks.count, by: Self.atOnce).map {
            $0..<min($0 + Self.atOnce, tasks.count)
        }
        return try told { () throws -> Outcome in
            let looks = self
            let parts = try workers.map(portions) { portion in
                defer { progress.advance(Int64(portion.count)) }
                return try looks.part(tasks, portion)
            }
            var outcome = Outcome()
            for part in parts {
                outcome.differences += part.differences
                outcome.undrawn.formUnion(part.undrawn)
            }
            return outcome
        }
    }

    private func part(_ tasks: [Task], _ portion: Range<Int>) throws -> Outcome {
        var outcome = Outcome()
        let was = try drawn(before, Array(Set(portion.map { tasks[$0].before })))
        let now = try drawn(after, Array(Set(portion.map { tasks[$0].after })))
        for number in portion {
            let task = tasks[number]
            guard let was = was[task.before], let now = now[task.after] else {
                outcome.undrawn.insert(task.after)
                continue
            }
            let (left, right) = (before.frames[task.before], after.frames[task.after])
            var difference = Difference(
                before: task.before, after: task.after, areasBefore: [], areasAfter: [])
            if task.isWhole, was.width == now.width, abs(was.height - now.height) <= 1 {
                let passed =
                    task.passedBefore.map { (left, $0) } + task.passedAfter.map { (right, $0) }
                let dots = was.differences(
                    from: now, passingOver: Self.mask(was, passed), tolerance: Self.tolerance)
                difference.areasAfter = Self.places(dots, was, right, task.after)
                difference.areasBefore = difference.areasAfter.map { area in
                    var area = area
                    area.page = task.before
                    return area
                }
            }
            for patch in task.patches where differs(patch, was, left, now, right) {
                guard difference.areasAfter.count < Self.mostAreas else { break }
                difference.areasBefore.append(Self.area(patch.before, left, task.before))
                difference.areasAfter.append(Self.area(patch.after, right, task.after))
            }
            if !difference.areasAfter.isEmpty { outcome.differences.append(difference) }
        }
        return outcome
    }

    private func differs(
        _ patch: Patch, _ was: PagePixels, _ left: PageFrame, _ now: PagePixels, _ right: PageFrame
    ) -> Bool {
        func start(_ box: PDFRectangle, _ frame: PageFrame, _ pixels: PagePixels) -> (x: Double, y: Double) {
            (
                box.left * Double(pixels.width) / max(frame.width, 1),
                (frame.height - box.top) * Double(pixels.height) / max(frame.height, 1)
            )
        }
        let (from, to) = (start(patch.before, left, was), start(patch.after, right, now))
        let (x, y) = (Int(from.x.rounded(.down)), Int(from.y.rounded(.down)))
        let (width, height) = (
            Int(patch.before.width.rounded(.up)) + 1, Int(patch.before.height.rounded(.up)) + 1
        )
        let count = was.differences(
            from: now, columns: x..<x + width, rows: y..<y + height,
            shiftedBy: (Int((to.x - from.x).rounded()), Int((to.y - from.y).rounded())),
            tolerance: Self.patchTolerance)
        return count > max(Self.fewestDots, width * height / 60)
    }

    private static func area(
        _ box: PDFRectangle, _ frame: PageFrame, _ page: Int
    ) -> PaperComparison.Area {
        .init(page: page, x: box.left, y: frame.height - box.top, width: box.width, height: box.height)
    }

    /// Pages that do not come out together are drawn by themselves, and left out where they do not even then.
    private func drawn(_ sheets: Sheets, _ pages: [Int]) throws -> [Int: PagePixels] {
        var found: [Int: PagePixels] = [:]
        for run in Self.runs(pages) {
            try progress.check()
            do throws(ReadingError) {
                let drawn = try reader.pixels(of: sheets, pages: run, cancellation: progress.cancellation)
                for (page, pixels) in zip(run, drawn) { found[page] = pixels }
            } catch {
                guard Self.isOfThePage(error) else { throw error }
                for page in run {
                    let width = Int(sheets.frames[page].width.rounded(.up))
                    do throws(ReadingError) {
                        found[page] = try reader.pixels(
                            of: sheets, page: page, width: min(width, 2_000),
                            cancellation: progress.cancellation)
                    } catch {
                        guard Self.isOfThePage(error) else { throw error }
                    }
                }
            }
        }
        return found
    }

    static func isOfThePage(_ error: ReadingError) -> Bool {
        switch error {
        case .failed, .tooSlow, .tooLarge: true
        default: false
        }
    }

    private static func runs(_ pages: [Int]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for page in pages.sorted() {
            if let last = runs.last, last.upperBound == page {
                runs[runs.count - 1] = last.lowerBound..<page + 1
            } else {
                runs.append(page..<page + 1)
            }
        }
        return runs
    }

    private static func mask(_ pixels: PagePixels, _ places: [(PageFrame, PDFRectangle)]) -> [Bool] {
        if places.isEmpty { return [] }
        var mask = [Bool](repeating: false, count: pixels.shades.count)
        for (frame, place) in places {
            let (across, up) = (
                Double(pixels.width) / max(frame.width, 1), Double(pixels.height) / max(frame.height, 1)
            )
            func dots(_ from: Double, _ to: Double, _ count: Int) -> Range<Int> {
                let low = min(max(from.rounded(.down) - 1, 0), Double(count))
                let high = min(max(to.rounded(.up) + 1, low), Double(count))
                return Int(low)..<Int(high)
            }
            let columns = dots(place.left * across, place.right * across, pixels.width)
            let rows = dots(
                (frame.height - place.top) * up, (frame.height - place.bottom) * up, pixels.height)
            for row in rows { for column in columns { mask[row * pixels.width + column] = true } }
        }
        return mask
    }

    /// Dots that lie together as places on the sheet.
    private static func places(
        _ dots: [Int], _ pixels: PagePixels, _ frame: PageFrame, _ page: Int
    ) -> [PaperComparison.Area] {
        guard dots.count >= fewestDots else { return [] }
        let columns = pixels.width / cell + 1
        var counts: [Int: Int] = [:]
        for dot in dots {
            counts[dot / pixels.width / cell * columns + dot % pixels.width / cell, default: 0] += 1
        }
        var open = Set(counts.keys)
        var groups: [(box: (left: Int, top: Int, right: Int, bottom: Int), dots: Int)] = []
        for start in counts.keys.sorted() where open.contains(start) {
            open.remove(start)
            var box = (left: Int.max, top: Int.max, right: 0, bottom: 0)
            var sum = 0
            var line = [start]
            while let one = line.popLast() {
                let (row, column) = (one / columns, one % columns)
                box = (
                    min(box.left, column), min(box.top, row), max(box.right, column), max(box.bottom, row)
                )
                sum += counts[one] ?? 0
                for y in row - 2...row + 2 {
                    for x in column - 2...column + 2 where x >= 0 && x < columns {
                        if open.remove(y * columns + x) != nil { line.append(y * columns + x) }
                    }
                }
            }
            if sum >= fewestDots { groups.append((box, sum)) }
        }
        let (across, up) = (
            frame.width / Double(max(1, pixels.width)), frame.height / Double(max(1, pixels.height))
        )
        return groups.sorted { $0.dots > $1.dots }.prefix(mostAreas).map { group in
            let left = Double(group.box.left * cell) * across
            let top = Double(group.box.top * cell) * up
            let right = min(frame.width, Double((group.box.right + 1) * cell) * across)
            let bottom = min(frame.height, Double((group.box.bottom + 1) * cell) * up)
            return PaperComparison.Area(
                page: page, x: left, y: top, width: right - left, height: bottom - top)
        }.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
    }

    // MARK: Pages without words

    /// Pages as pictures small enough to be held against many others.
    func small(_ pages: [Int], isAfter: Bool) throws(ComparisonError) -> [Int: [Double]] {
        let sheets = isAfter ? after : before
        let portions = stride(from: 0, to: pages.count, by: Self.atOnce).map {
            Array(pages[$0..<min($0 + Self.atOnce, pages.count)])
        }
        return try told { () throws -> [Int: [Double]] in
            let looks = self
            let parts = try workers.map(portions) { portion in
                try looks.drawn(sheets, portion).mapValues { Self.evened($0.small(48)) }
            }
            return parts.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        }
    }

    /// With a mean of nothing and a length of one, so that two can be held against each other by a product.
    private static func evened(_ parts: [UInt8]) -> [Double] {
        let mean = Double(parts.reduce(0) { $0 + Int($1) }) / Double(max(1, parts.count))
        let values = parts.map { Double($0) - mean }
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        // An empty page is like another empty page.
        return length < 20 ? [] : values.map { $0 / length }
    }

    static func likeness(_ a: [Double], _ b: [Double]) -> Double {
        if a.isEmpty || b.isEmpty { return a.isEmpty && b.isEmpty ? 0.9 : 0 }
        let product = zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
        return product > 0.6 ? product : 0
    }
}

/// What goes wrong on several threads, as it is told.
func told<R>(isAfter: Bool = true, _ body: () throws -> R) throws(ComparisonError) -> R {
    do {
        return try body()
    } catch let error as ComparisonError {
        throw error
    } catch let error as Cancelled {
        throw .cancelled(reason: error.reason)
    } catch let error as ReadingError {
        switch error {
        case .cancelled(let reason): throw .cancelled(reason: reason)
        case .machine, .popplerMissing, .tooLittleMemory: throw .machine("\(error)")
        case .unreadable, .noPage, .tooSlow, .tooLarge, .failed:
            throw .unreadable(isAfter: isAfter, "\(error)")
        }
    } catch {
        throw .machine("\(error)")
    }
}
