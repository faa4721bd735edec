public import Bytes
import PDF
import PDFDrawing
import PDFReading
import Work

/// What was looked at after blacking out, and that nothing was found.
public struct RedactionProof: Sendable, Equatable {
    public struct Check: Sendable, Equatable {
        public var name: String
        public var detail: String
    }

    /// A doubt, and where it is when it is a place that can be taken out as well.
    struct Doubt {
        var words: String
        var area: RedactionWish.Area?
    }

    /// SHA-256 of the file it speaks of.
    public var digest: String
    public var pageCount: Int
    /// Counted from 0.
    public var changedPages: [Int]
    public var hitCount: Int
    public var checks: [Check]
}

/// Looks at what was made as a stranger would: with our own reading, with poppler's, by every byte, and by pictures.
struct RedactionProver {
    let reader: PageReader
    let before: PDFFile
    let made: [UInt8]
    let wish: RedactionWish
    let quads: [Int: [Quad]]
    let cleared: [Int: [Quad]]
    /// What was found and is gone.
    let texts: Set<String>
    /// What was found as well, and may be found again.
    let spared: [RedactionHit]
    let progress: Progress
    private(set) var checks: [RedactionProof.Check] = []

    init(
        reader: PageReader, before: PDFFile, made: [UInt8], wish: RedactionWish, quads: [Int: [Quad]],
        cleared: [Int: [Quad]], texts: Set<String>, spared: [RedactionHit],
        progress: Progress
    ) {
        self.reader = reader
        self.before = before
        self.made = made
        self.wish = wish
        self.quads = quads
        self.cleared = cleared
        // By its bytes nobody can tell what stays from what went when both are the same.
        self.texts = texts.filter { text in !spared.contains { Self.isPart(text, of: $0) } }
        self.spared = spared
        self.progress = progress
    }

    private static let tolerance = 48
    /// Pages that are held as pictures at one time.
    private static let mostAtOnce = 32

    mutating func doubts() throws(RedactionError) -> [RedactionProof.Doubt] {
        let file: PDFFile
        let (old, new): (Sheets, Sheets)
        do {
            file = try PDFFile(bytes: made)
            old = try Sheets(before)
            new = try Sheets(file)
        } catch {
            return [RedactionProof.Doubt(words: "The result cannot be opened: \(error)")]
        }
        guard file.pages.count == before.pages.count, file.repairs.isEmpty else {
            return [RedactionProof.Doubt(words: "The result is not a sound file.")]
        }
        checks.append(.init(name: "structure", detail: "\(file.pages.count)"))
        var doubts = try ownReading(file)
        doubts += try bytesLeft(file)
        doubts += try wordsLeft(old, new)
        doubts += try pictures(old, new)
        return doubts
    }

    // MARK: Our own reading

    private mutating func ownReading(_ file: PDFFile) throws(RedactionError) -> [RedactionProof.Doubt] {
        let finding = PageFinding(file)
        var doubts: [RedactionProof.Doubt] = []
        let search = wish.searches ? try TextSearch(wish) : nil
        for page in finding.pages.indices {
            let quads = wish.makesPictures ? nil : quads[page]
            guard search != nil || quads != nil else { continue }
            let read = try finding.words(page)
            if let search {
                for hit in try finding.look(at: page, read, for: search, sparing: wish).hits {
                    doubts.append(
                        .init(
                            words: "“\(hit.text)” can still be read on page \(page + 1).",
                            area: hit.areas.first))
                }
            }
            guard let quads else { continue }
            for glyph in read.words.glyphs
            where glyph.text != " " && quads.contains(where: { glyph.quad.share(coveredBy: $0) > 0.6 }) {
                doubts.append(.init(words: "A letter is left under a box on page \(page + 1)."))
                break
            }
        }
        if let search {
            for hit in try finding.lookBeside(search) {
                doubts.append(.init(words: "“\(hit.text)” still stands in the file, beside its pages."))
            }
        }
        checks.append(.init(name: "words", detail: "\(finding.pages.count)"))
        return doubts
    }

    // MARK: Every byte

    /// Looks through all streams, unpacked, and all strings for what was taken out, in the ways it may be written.
    private mutating func bytesLeft(_ file: PDFFile) throws(RedactionError) -> [RedactionProof.Doubt] {
        var patterns: [(text: String, bytes: [UInt8])] = []
        for text in texts.sorted() where text.utf8.count >= 5 {
            for form in Set([text, text.lowercased(), text.uppercased()]) {
                patterns.append((text, Array(form.utf8)))
                let wide = form.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
                patterns.append((text, wide))
                let narrow = form.unicodeScalars.map(\.value)
                if narrow.contains(where: { $0 > 127 }), narrow.allSatisfy({ $0 < 256 }) {
                    patterns.append((text, narrow.map { UInt8($0) }))
                }
            }
        }
        let sieve = ByteSieve(patterns.map(\.bytes))
        let around = PaperAround(file)
        var found: Set<String> = []
        var streams = 0
        // Programs of fonts and profiles of colours bring words of their own, of those who made them.
        var tools: Set<PDFReference> = []
        try around.rework.eachObject(from: around.root) { _, object in
            if let dictionary = object.dictionary {
                for key: PDFName in ["FontFile", "FontFile2", "FontFile3", "DestOutputProfile"] {
                    if let program = dictionary[key]?.reference { tools.insert(program) }
                }
            }
            Self.profiles(in: object, file) { tools.insert($0) }
        }
        try around.rework.eachObject(from: around.root) { (reference, object) throws(RedactionError) in
            try HiddenTexts.each(in: object) { text in
                sieve.each(in: Array(text.utf8)) { found.insert(patterns[$0].text) }
            }
            // What single signs of a font stand for may be a whole word.
            if let map = object.dictionary?["ToUnicode"]?.reference, let bytes = file.stream(map) {
                for text in ReadFont.map(bytes).values where text.utf8.count >= 5 {
                    sieve.each(in: Array(text.utf8)) { found.insert(patterns[$0].text) }
                }
            }
            guard file.isStream(reference), !tools.contains(reference) else { return }
            streams += 1
            let bytes = file.stream(reference) ?? file.storedStream(reference) ?? []
            sieve.each(in: bytes) { found.insert(patterns[$0].text) }
        }
        checks.append(.init(name: "bytes", detail: "\(streams)"))
        return found.sorted().map { .init(words: "“\($0)” still stands somewhere in the file.") }
    }

    private static func profiles(
        in object: PDFObject, _ file: PDFFile, _ found: (PDFReference) -> Void
    ) {
        switch object {
        case .array(let items):
            if items.first == .name("ICCBased"), let profile = items.last?.reference { found(profile) }
            for item in items { profiles(in: item, file, found) }
        case .dictionary(let dictionary):
            for entry in dictionary.entries { profiles(in: entry.value, file, found) }
        default: break
        }
    }

    // MARK: Poppler's reading

    private mutating func wordsLeft(
        _ old: Sheets, _ new: Sheets
    ) throws(RedactionError) -> [RedactionProof.Doubt] {
        var doubts: [RedactionProof.Doubt] = []
        let search = wish.searches ? try TextSearch(wish) : nil
        let pages = search == nil ? quads.keys.sorted() : Array(0..<new.count)
        for run in Self.runs(pages) {
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
        }
        checks.append(.init(name: "otherReader", detail: "\(pages.count)"))
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
            Self.isPart(text, of: hit)
                && areas.allSatisfy { area in hit.areas.contains { $0.overlaps(area) } }
        }
    }

    /// By letters and digits alone: each reader breaks lines and sees blanks in its own way.
    private static func isPart(_ text: String, of hit: RedactionHit) -> Bool {
        func letters(_ text: String) -> String {
            String(text.lowercased().filter { $0.isLetter || $0.isNumber })
        }
        let part = letters(text)
        return !part.isEmpty && letters(hit.text).contains(part)
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
    private mutating func pictures(
        _ old: Sheets, _ new: Sheets
    ) throws(RedactionError) -> [RedactionProof.Doubt] {
        var doubts: [RedactionProof.Doubt] = []
        let shade = Int((wish.colour.lightness * 255).rounded())
        for run in Self.runs(quads.keys.sorted()) {
            do { try progress.check() } catch { throw .cancelled(reason: error.reason) }
            let (was, now): ([PagePixels], [PagePixels])
            do throws(ReadingError) {
                was = try reader.pixels(of: old, pages: run, cancellation: progress.cancellation)
                now = try reader.pixels(of: new, pages: run, cancellation: progress.cancellation)
            } catch {
                throw .unreadable("\(error)")
            }
            for (index, page) in run.enumerated() {
                doubts += differences(was[index], now[index], page, old.frames[page], shade)
            }
        }
        checks.append(.init(name: "pictures", detail: "\(quads.count)"))
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
                        let (x, y) = (Double(column), Double(row))
                        // All four corners of the dot and some room.
                        let isInside = [(-0.6, -0.6), (1.6, -0.6), (1.6, 1.6), (-0.6, 1.6)].allSatisfy {
                            seen.contains(x + $0.0, y + $0.1)
                        }
                        if index < boxes.count, isInside,
                            abs(Int(now.shades[row * now.width + column]) - shade) > 24
                        {
                            wrongInside += 1
                        }
                    }
                }
            }
        }

        func changedOutside(by tolerance: Int) -> Int {
            was.differences(from: now, passingOver: isNear, tolerance: tolerance).count
        }
    }
}

/// Looks for many runs of bytes at once.
struct ByteSieve {
    private let patterns: [[UInt8]]
    private var first: [UInt32: [Int]] = [:]
    private var mayBegin = [Bool](repeating: false, count: 1 << 16)

    init(_ patterns: [[UInt8]]) {
        self.patterns = patterns
        for (index, pattern) in patterns.enumerated() where pattern.count >= 4 {
            first[Self.word(pattern, 0), default: []].append(index)
            mayBegin[Int(pattern[0]) << 8 | Int(pattern[1])] = true
        }
    }

    private static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8
            | UInt32(bytes[at + 3])
    }

    /// What stands between letters is another word, and was not looked for.
    func each(in bytes: [UInt8], _ found: (Int) -> Void) {
        guard !first.isEmpty, bytes.count >= 4 else { return }
        for at in 0...(bytes.count - 4) where mayBegin[Int(bytes[at]) << 8 | Int(bytes[at + 1])] {
            guard let candidates = first[Self.word(bytes, at)] else { continue }
            for index in candidates {
                let pattern = patterns[index]
                let end = at + pattern.count
                guard end <= bytes.count, bytes[at..<end].elementsEqual(pattern),
                    at == 0 || !Self.isLetter(bytes[at - 1]),
                    end == bytes.count || !Self.isLetter(bytes[end])
                else { continue }
                found(index)
            }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }
}

extension RedactionProof {
    public var json: JSON {
        [
            "sha256": .string(digest), "pages": .int(pageCount), "hits": .int(hitCount),
            "changedPages": .array(changedPages.map { .int($0 + 1) }),
            "checks": .array(checks.map { ["name": .string($0.name), "looked": .string($0.detail)] }),
        ]
    }
}
