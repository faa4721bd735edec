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
    struct Doubt: Sendable {
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
        doubts += try seenByOthers(old, new)
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
        if let search { doubts += try drawingsLeft(finding, search) }
        checks.append(.init(name: "words", detail: "\(finding.pages.count)"))
        return doubts
    }

    /// Drawings of their own say nothing of it either, whether a page shows them or not: what fills something, masks, signs of
    /// fonts, looks of notes.
    private func drawingsLeft(
        _ finding: PageFinding, _ search: TextSearch
    ) throws(RedactionError) -> [RedactionProof.Doubt] {
        var doubts: [RedactionProof.Doubt] = []
        var drawings: Set<PDFReference> = []
        let around = finding.around
        try around.rework.eachObject(from: around.root) { reference, object in
            guard let dictionary = object.dictionary else { return }
            if dictionary["Subtype"]?.name == "Form" || dictionary["PatternType"]?.integer == 1 {
                drawings.insert(reference)
            }
            let signs = finding.file.dictionary(dictionary["CharProcs"])?.entries ?? []
            drawings.formUnion(signs.compactMap(\.value.reference))
        }
        for drawing in drawings.sorted() where finding.file.isStream(drawing) {
            guard let text = try finding.hit(inDrawing: drawing, for: search),
                !spared.contains(where: { Self.isPart(text, of: $0) })
            else { continue }
            doubts.append(.init(words: "“\(text)” still stands in a drawing of the file."))
        }
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

    // MARK: What others read and see

    private mutating func seenByOthers(
        _ old: Sheets, _ new: Sheets
    ) throws(RedactionError) -> [RedactionProof.Doubt] {
        let proof = PageProof(
            reader: reader, old: old, new: new, wish: wish, quads: quads, cleared: cleared, spared: spared,
            progress: progress)
        let read = wish.searches ? Array(0..<new.count) : quads.keys.sorted()
        let doubts = try proof.doubts(reading: read, seeing: quads.keys.sorted())
        checks.append(.init(name: "otherReader", detail: "\(read.count)"))
        checks.append(.init(name: "pictures", detail: "\(quads.count)"))
        return doubts
    }

    /// By letters and digits alone: each reader breaks lines and sees blanks in its own way.
    static func isPart(_ text: String, of hit: RedactionHit) -> Bool {
        func letters(_ text: String) -> String {
            String(text.lowercased().filter { $0.isLetter || $0.isNumber })
        }
        let part = letters(text)
        return !part.isEmpty && letters(hit.text).contains(part)
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
