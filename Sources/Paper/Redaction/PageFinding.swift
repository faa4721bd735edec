import PDF
import PDFReading

/// Looks for what is wished, on pages and beside them.
struct PageFinding {
    let file: PDFFile
    let frames: [PageFrame]
    let pages: [PDFReference]
    let fonts = PageWalker.Fonts()
    let around: PaperAround

    init(_ file: PDFFile) {
        self.file = file
        around = PaperAround(file)
        frames = file.frames
        pages = file.pages
    }

    /// What is found on a page, and what it covers there.
    struct Found {
        var hits: [RedactionHit] = []
        /// What fits as well, and stays.
        var spared: [RedactionHit] = []
        /// Numbers of signs that go.
        var glyphs: Set<Int> = []
        var quads: [Quad] = []
        /// Numbers of notes and fields in the page's list.
        var widgets: Set<Int> = []
        /// True when there may be words on the page that nobody can read.
        var isUnreadable = false
        /// True when something of it is told beside the drawing.
        var isTold = false
        /// True when something of it stands in a drawing that others are filled with, and cannot be taken out of it alone.
        var isKnotted = false
    }

    func dictionary(_ page: Int) -> PDFDictionary { file.dictionary(.reference(pages[page])) ?? [:] }

    func resources(_ page: Int) -> PDFDictionary {
        file.dictionary(file.inherited("Resources", by: pages[page])) ?? [:]
    }

    /// What is read of a page.
    struct Read {
        var words: PageWords
        /// Where its pictures lie.
        var pictures: [Quad]
        /// What is told beside the drawing.
        var told: [PDFDictionary]
        /// Drawings that others are filled with, and where.
        var beneath: [(drawing: PDFReference, place: Quad?)]
    }

    func words(_ page: Int) throws(RedactionError) -> Read {
        try read(PageWalker.content(of: dictionary(page), file), resources(page))
    }

    private func read(
        _ content: [UInt8], _ resources: PDFDictionary, from matrix: PDFMatrix = PDFMatrix()
    ) throws(RedactionError) -> Read {
        var glyphs: [PageWalker.Glyph] = []
        var told: [PDFDictionary] = []
        var judge = PageWalker.Judge()
        judge.keepsGlyph = {
            glyphs.append($0)
            return true
        }
        judge.told = {
            told.append($0)
            return $0
        }
        let walker = PageWalker(file, fonts: fonts, judge: judge, add: { _, _ in PDFReference(0) })
        _ = try walker.walk(content, resources: resources, from: matrix)
        return Read(
            words: PageWords(glyphs), pictures: walker.pictures, told: told, beneath: walker.beneath)
    }

    private static let deepest = 6

    /// What the search finds in a drawing of its own, whoever draws it, and in what it is filled with.
    func hit(
        inDrawing drawing: PDFReference, for search: TextSearch, depth: Int = 0
    ) throws(RedactionError) -> String? {
        guard depth < Self.deepest, let content = file.stream(drawing, limit: 8 << 20),
            let dictionary = file.dictionary(.reference(drawing))
        else { return nil }
        let read = try read(content, file.dictionary(dictionary["Resources"]) ?? [:])
        if let hit = try read.words.hits(search).first { return hit.text }
        for told in read.told {
            if let text = try Self.hit(told, search) { return text }
        }
        for below in Set(read.beneath.map(\.drawing)).sorted() {
            if let text = try hit(inDrawing: below, for: search, depth: depth + 1) { return text }
        }
        return nil
    }

    private static func hit(_ told: PDFDictionary, _ search: TextSearch) throws(RedactionError) -> String? {
        var found: String?
        try HiddenTexts.each(in: .dictionary(told)) { (text) throws(RedactionError) in
            let units = Array(text.utf16)
            if found == nil, let place = try search.places(in: units).first {
                found = String(decoding: units[place], as: UTF16.self)
            }
        }
        return found
    }

    /// What is looked for on a page that was read, but for what was chosen to stay.
    func look(
        at page: Int, _ read: Read, for search: TextSearch, sparing wish: RedactionWish? = nil
    ) throws(RedactionError) -> Found {
        var found = Found()
        let words = read.words
        for hit in try words.hits(search) {
            let places = words.places(hit.glyphs)
            let told = RedactionHit(
                place: .page, page: page, text: hit.text, before: hit.before, after: hit.after,
                areas: places.map {
                    .init(page: page, seen: frames[page].shown($0.bounds), on: frames[page])
                })
            if wish?.spares(told) == true {
                found.spared.append(told)
                continue
            }
            found.glyphs.formUnion(hit.glyphs)
            found.quads += places
            found.hits.append(told)
        }
        for widget in around.widgets(of: page, dictionary(page)) where widget.kind != "Popup" {
            guard let text = try match(widget, search) else { continue }
            found.widgets.insert(widget.index)
            if widget.isField { found.quads.append(Quad(widget.place)) }
            found.hits.append(
                RedactionHit(
                    place: widget.isField ? .field : .note, page: page, text: text, before: "", after: "",
                    areas: [
                        .init(page: page, seen: frames[page].shown(widget.place), on: frames[page])
                    ]))
        }
        try lookBeneath(read, page, search, &found)
        for told in read.told {
            // What was chosen to stay may be told as well.
            guard let text = try Self.hit(told, search), !found.spared.contains(where: { $0.text == text })
            else { continue }
            found.isTold = true
            // Most often it repeats what stands there.
            guard !found.hits.contains(where: { $0.place == .page && $0.text == text }) else { continue }
            found.hits.append(
                RedactionHit(place: .hidden, page: page, text: text, before: "", after: "", areas: []))
        }
        found.hits.sort { ($0.areas.first?.y ?? 0) < ($1.areas.first?.y ?? 0) }
        found.isUnreadable = isUnreadable(words, read.pictures, page)
        return found
    }

    private func lookBeneath(
        _ read: Read, _ page: Int, _ search: TextSearch, _ found: inout Found
    ) throws(RedactionError) {
        var known: [PDFReference: String] = [:]
        var looked: Set<PDFReference> = []
        for (drawing, place) in read.beneath {
            if looked.insert(drawing).inserted { known[drawing] = try hit(inDrawing: drawing, for: search) }
            guard let text = known[drawing] else { continue }
            let place = place ?? Quad(frames[page].cropBox)
            found.isKnotted = true
            found.quads.append(place)
            found.hits.append(
                RedactionHit(
                    place: .page, page: page, text: text, before: "", after: "",
                    areas: [.init(page: page, seen: frames[page].shown(place.bounds), on: frames[page])]))
        }
    }

    private func match(
        _ widget: PaperAround.Widget, _ search: TextSearch
    ) throws(RedactionError) -> String? {
        for text in around.texts(of: widget) {
            let units = Array(text.utf16)
            if let place = try search.places(in: units).first {
                return String(decoding: units[place], as: UTF16.self)
            }
        }
        for (reference, matrix) in around.appearances(of: widget) {
            guard let content = file.stream(reference, limit: 8 << 20) else { continue }
            let form = file.dictionary(.reference(reference)) ?? [:]
            let known =
                file.dictionary(form["Resources"]) ?? file.dictionary(file.form?["DR"]) ?? [:]
            let words = try read(content, known, from: matrix).words
            if let hit = try words.hits(search).first { return hit.text }
        }
        return nil
    }

    /// A picture over most of the sheet with hardly a word, or letters that say nothing.
    private func isUnreadable(_ words: PageWords, _ pictures: [Quad], _ page: Int) -> Bool {
        if words.unknownCount > 5, words.unknownCount * 4 > words.glyphs.count { return true }
        guard words.letterCount < 20 else { return false }
        let sheet = frames[page].cropBox
        let covered = pictures.reduce(0.0) { sum, picture in
            let bounds = picture.bounds
            let width = min(bounds.right, sheet.right) - max(bounds.left, sheet.left)
            let height = min(bounds.top, sheet.top) - max(bounds.bottom, sheet.bottom)
            return sum + max(0, width) * max(0, height)
        }
        return covered > sheet.width * sheet.height * 0.5
    }

    /// Texts that stand on no page: bookmarks, descriptions, names, addresses.
    func lookBeside(_ search: TextSearch) throws(RedactionError) -> [RedactionHit] {
        var hits: [RedactionHit] = []
        var known: Set<PDFReference> = []
        for page in pages {
            known.formUnion(file.array(file.dictionary(.reference(page))?["Annots"]).compactMap(\.reference))
        }
        try around.rework.eachObject(from: around.root) { (reference, object) throws(RedactionError) in
            guard !known.contains(reference) else { return }
            let isBookmark = object.dictionary?["Title"] != nil
            try HiddenTexts.each(in: object) { (text) throws(RedactionError) in
                let units = Array(text.utf16)
                for place in try search.places(in: units) where hits.count < 10_000 {
                    let around = Surroundings(of: place, in: units)
                    hits.append(
                        RedactionHit(
                            place: isBookmark ? .bookmark : .hidden, page: nil,
                            text: String(decoding: units[place], as: UTF16.self),
                            before: String(decoding: around.before, as: UTF16.self),
                            after: String(decoding: around.after, as: UTF16.self), areas: []))
                }
            }
        }
        return hits
    }
}

/// A few words on both sides of what was found, none of them cut where there is a whole one.
struct Surroundings {
    let before: ArraySlice<UInt16>
    let after: ArraySlice<UInt16>

    private static let most = 24

    init(of place: Range<Int>, in units: [UInt16]) {
        let start = max(0, place.lowerBound - Self.most)
        let end = min(units.count, place.upperBound + Self.most)
        var before = units[start..<place.lowerBound]
        var after = units[place.upperBound..<end]
        if start > 0, Self.isInWord(units[start - 1]),
            let gap = before.firstIndex(where: { !Self.isInWord($0) })
        {
            before = before[gap...]
        }
        if end < units.count, Self.isInWord(units[end]),
            let gap = after.lastIndex(where: { !Self.isInWord($0) })
        {
            after = after[..<gap]
        }
        self.before = before
        self.after = after
    }

    /// Blanks, and whatever stands for the end of a line or of a column.
    private static func isInWord(_ unit: UInt16) -> Bool {
        unit > 0x20 && unit != 0xA0 && unit != PageWords.lineEnd
    }
}

/// Texts inside objects that are no drawing.
enum HiddenTexts {
    /// Strings that are bytes, not texts.
    private static let bytes: Set<PDFName> = [
        "ID", "CheckSum", "Panose", "Registry", "Ordering", "CharSet", "DA",
    ]

    static func each(
        in object: PDFObject,
        _ body: (String) throws(RedactionError) -> Void
    ) throws(RedactionError) {
        switch object {
        case .string(let bytes): try body(PDFText.decode(bytes))
        case .array(let items):
            if isColours(items) { return }
            for item in items { try each(in: item, body) }
        case .dictionary(let dictionary):
            for entry in dictionary.entries where !bytes.contains(entry.key) {
                try each(in: entry.value, body)
            }
        default: break
        }
    }

    /// The object with what the search finds in its texts covered; addresses go as a whole.
    static func covered(_ object: PDFObject, _ search: TextSearch, key: PDFName? = nil) -> PDFObject? {
        switch object {
        case .string(let bytes):
            let units = Array(PDFText.decode(bytes).utf16)
            guard let places = try? search.places(in: units) else { return nil }
            if places.isEmpty { return object }
            if key == "URI" || key == "JS" || key == "F" || key == "UF" { return nil }
            var out: [UInt16] = []
            var start = 0
            for place in places.sorted(by: { $0.lowerBound < $1.lowerBound }) {
                if place.lowerBound > start { out += units[start..<place.lowerBound] }
                if place.lowerBound >= start { out += Array("█████".utf16) }
                start = max(start, place.upperBound)
            }
            out += units[start...]
            return .string(PDFText.encode(String(decoding: out, as: UTF16.self)))
        case .array(let items):
            if isColours(items) { return object }
            return .array(items.map { covered($0, search, key: key) ?? .null })
        case .dictionary(let dictionary):
            return .dictionary(
                PDFDictionary(
                    dictionary.entries.compactMap { entry in
                        if bytes.contains(entry.key) { return (entry.key, entry.value) }
                        return covered(entry.value, search, key: entry.key).map { (entry.key, $0) }
                    }))
        default: return object
        }
    }

    private static func isColours(_ items: [PDFObject]) -> Bool { items.first == .name("Indexed") }
}
