import PDF
import PDFReading
import Work

/// Looks at pages as others do: what poppler reads on them, and how they look beside those they were made from.
struct PageProof: Sendable {
    let reader: PageReader
    let old: Sheets
    let new: Sheets
    let wish: RedactionWish
    let quads: [Int: [Quad]]
    let cleared: [Int: [Quad]]
    /// What was found as well, and may be found again.
    let spared: [RedactionHit]
    let progress: Progress

    private static let tolerance = 48
    /// Pages that are held as pictures at one time.
    private static let mostAtOnce = 32

    private struct Task: Sendable {
        var pages: Range<Int>
        var isReading: Bool
    }

    func doubts(reading read: [Int], seeing seen: [Int]) throws(RedactionError) -> [RedactionProof.Doubt] {
        let tasks =
            Self.runs(read).map { Task(pages: $0, isReading: true) }
            + Self.runs(seen).map { Task(pages: $0, isReading: false) }
        // Reading and drawing is done by programs of their own.
        let workers = Workers(name: "proof", threads: 2)
        defer { workers.stop() }
        do {
            return try workers.map(tasks) { task in
                try check()
                return try task.isReading ? wordsLeft(task.pages) : pictures(task.pages)
            }.flatMap { $0 }
        } catch let error as RedactionError {
            throw error
        } catch {
            throw .unreadable("\(error)")
        }
    }

    private func check() throws(RedactionError) {
        do { try progress.check() } catch { throw .cancelled(reason: error.reason) }
    }

    // MARK: Poppler's reading

    private func wordsLeft(_ run: Range<Int>) throws(RedactionError) -> [RedactionProof.Doubt] {
        var doubts: [RedactionProof.Doubt] = []
        let search = wish.searches ? try TextSearch(wish) : nil
        let (was, now): ([PageText], [PageText])
        do throws(ReadingError) {
            now = try reader.text(of: new, pages: run, cancellation: progress.cancellation)
            was =
                run.contains { quads[$0] != nil }
                ? try reader.text(of: old, pages: run, cancellation: progress.cancellation) : []
        } catch {
            throw .unreadable("\(error)")
        }
        for (index, page) in run.enumerated() where index < now.count {
            if let search { doubts += try left(now[index], page, search) }
            if let quads = quads[page], index < was.count, !wish.makesPictures {
                doubts += neighbours(was[index], now[index], page, quads + (cleared[page] ?? []))
            }
            if let quads = quads[page], Self.isRead(under: quads, now[index]) {
                doubts.append(
                    .init(words: "Something can still be read under a box on page \(page + 1)."))
            }
            if wish.makesPictures, quads[page] != nil, !now[index].words.isEmpty {
                doubts.append(.init(words: "Page \(page + 1) still has words."))
            }
        }
        return doubts
    }

    private static func isRead(under quads: [Quad], _ text: PageText) -> Bool {
        let places = quads.map { Quad(text.frame.shown($0.bounds)) }
        return text.words.contains { word in
            places.contains { Quad(word.place).share(coveredBy: $0) > 0.9 }
        }
    }

    private func left(
        _ text: PageText, _ page: Int, _ search: TextSearch
    ) throws(RedactionError) -> [RedactionProof.Doubt] {
        var units: [UInt16] = []
        var owners: [Int] = []
        let words = text.words
        for (index, word) in words.enumerated() {
            if index > 0 {
                units.append(32)
                owners.append(-1)
            }
            for unit in word.text.utf16 {
                units.append(unit)
                owners.append(index)
            }
        }
        return try search.places(in: units).compactMap { place in
            let found = String(decoding: units[place], as: UTF16.self)
            let areas = owners[place].filter { $0 >= 0 }.map {
                RedactionWish.Area(page: page, seen: words[$0].place, on: text.frame)
            }
            if isSpared(found, areas) { return nil }
            return .init(words: "“\(found)” can still be read on page \(page + 1).", area: areas.first)
        }
    }

    private func isSpared(_ text: String, _ areas: [RedactionWish.Area]) -> Bool {
        spared.contains { hit in
            RedactionProver.isPart(text, of: hit)
                && areas.allSatisfy { area in hit.areas.contains { $0.overlaps(area) } }
        }
    }

    /// Letters that stood outside of all boxes are all there, and no others came.
    private func neighbours(
        _ was: PageText, _ now: PageText, _ page: Int, _ quads: [Quad]
    ) -> [RedactionProof.Doubt] {
        let places = quads.map { was.frame.shown($0.bounds) }
        func isOutside(_ word: PageText.Word) -> Bool {
            !places.contains {
                $0.left < word.place.right + 2 && $0.right > word.place.left - 2
                    && $0.bottom < word.place.top + 1 && $0.top > word.place.bottom - 1
            }
        }
        var letters: [Unicode.Scalar: Int] = [:]
        for word in now.words { for letter in word.text.unicodeScalars { letters[letter, default: 0] += 1 } }
        for word in was.words where isOutside(word) {
            for letter in word.text.unicodeScalars { letters[letter, default: 0] -= 1 }
        }
        let missing = letters.filter { $0.value < 0 }
        if missing.isEmpty { return [] }
        return [.init(words: "Words beside the boxes on page \(page + 1) came out changed.")]
    }

    private static func runs(_ pages: [Int]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for page in pages {
            if let last = runs.last, last.upperBound == page, last.count < mostAtOnce {
                runs[runs.count - 1] = last.lowerBound..<page + 1
            } else {
                runs.append(page..<page + 1)
            }
        }
        return runs
    }

    // MARK: Pictures

    /// Under the boxes there is one shade, and outside of them everything looks as it did.
    private func pictures(_ run: Range<Int>) throws(RedactionError) -> [RedactionProof.Doubt] {
        let shade = Int((wish.colour.lightness * 255).rounded())
        let (was, now): ([PagePixels], [PagePixels])
        do throws(ReadingError) {
            was = try reader.pixels(of: old, pages: run, cancellation: progress.cancellation)
            now = try reader.pixels(of: new, pages: run, cancellation: progress.cancellation)
        } catch {
            throw .unreadable("\(error)")
        }
        var doubts: [RedactionProof.Doubt] = []
        for (index, page) in run.enumerated() {
            doubts += differences(was[index], now[index], page, old.frames[page], shade)
        }
        return doubts
    }

    private func differences(
        _ was: PagePixels, _ now: PagePixels, _ page: Int, _ frame: PageFrame, _ shade: Int
    ) -> [RedactionProof.Doubt] {
        guard was.width == now.width, abs(was.height - now.height) <= 1 else {
            return [.init(words: "Page \(page + 1) has another size than before.")]
        }
        let compared = Compared(
            was, now, frame, boxes: quads[page] ?? [], cleared: cleared[page] ?? [], shade)
        var doubts: [RedactionProof.Doubt] = []
        if compared.wrongInside > 0 {
            doubts.append(.init(words: "Something is seen under a box on page \(page + 1)."))
        }
        let tolerance = wish.makesPictures ? 110 : Self.tolerance
        if compared.changedOutside(by: tolerance) > 12 + was.width * was.height / 20_000 {
            doubts.append(.init(words: "Page \(page + 1) looks different outside of the boxes."))
        }
        return doubts
    }

    private struct Compared {
        let was: PagePixels
        let now: PagePixels
        private(set) var wrongInside = 0
        private var isNear: [Bool]

        init(
            _ was: PagePixels, _ now: PagePixels, _ frame: PageFrame, boxes: [Quad], cleared: [Quad],
            _ shade: Int
        ) {
            self.was = was
            self.now = now
            isNear = [Bool](repeating: false, count: was.shades.count)
            let height = min(was.height, now.height)
            let (across, up) = (
                Double(was.width) / max(frame.width, 1), Double(was.height) / max(frame.height, 1)
            )
            for (index, quad) in (boxes + cleared).enumerated() {
                var seen = quad
                seen.corners = quad.corners.map { corner in
                    let point = frame.shown(x: corner.x, y: corner.y)
                    return (x: point.x * across, y: (frame.height - point.y) * up)
                }
                let bounds = seen.bounds
                guard bounds.right > 0, bounds.top > 0, bounds.left < Double(was.width),
                    bounds.bottom < Double(height)
                else { continue }
                for row in max(0, Int(bounds.bottom) - 3)..<min(height, Int(bounds.top) + 4) {
                    for column in max(0, Int(bounds.left) - 3)..<min(was.width, Int(bounds.right) + 4) {
                        isNear[row * was.width + column] = true
                        // Most dots are as they are to be.
                        guard index < boxes.count,
                            abs(Int(now.shades[row * now.width + column]) - shade) > 24
                        else { continue }
                        let (x, y) = (Double(column), Double(row))
                        // All four corners of the dot and some room.
                        let isInside = [(-0.6, -0.6), (1.6, -0.6), (1.6, 1.6), (-0.6, 1.6)].allSatisfy {
                            seen.contains(x + $0.0, y + $0.1)
                        }
                        if isInside { wrongInside += 1 }
                    }
                }
            }
        }

        func changedOutside(by tolerance: Int) -> Int {
            was.differences(from: now, passingOver: isNear, tolerance: tolerance).count
        }
    }
}
