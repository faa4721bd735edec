import PDF
import PDFDrawing
public import PDFForms
import Synchronization

/// Looks at finished documents the way people do: each is drawn small by poppler and held against the template as it
/// was. Where a value was given the page must look different, and poppler must read there what was given; where no field is
/// the page must look the same. Much slower than reading, and it needs no knowledge of how a page is written: what the
/// writer of a value and its reader both take wrongly comes to light here.
public final class PictureProof: Sendable {
    private let form: PreparedForm
    private let reader: PageReader
    private let sheets: Sheets
    private let empty = Mutex<[Int: PagePixels]>([:])
    private let emptyTexts = Mutex<[Int: PageText]>([:])

    /// A point is a pixel: letters of five points still leave ink.
    private static let pixelsOfPoint = 1.0
    /// Shades by which a pixel must differ; less is how edges happen to fall.
    private static let tolerance = 40
    /// A dot on an i has more.
    private static let fewestPixels = 2
    /// Outside of all fields; poppler draws the same content alike, so this is room for rounding at their edges.
    private static let mostStray = 12
    /// Frames and clips end a little outside of what they stand in.
    private static let margin = 2.0

    public init(_ form: PreparedForm, reader: PageReader) throws(ReadingError) {
        self.form = form
        self.reader = reader
        sheets = try Sheets(bytes: form.templateBytes)
    }

    /// What cannot be seen of the values of a row, or is seen where nothing should be.
    public func doubts(
        _ filled: Filled, columns: FormColumns, row: [FieldValue?]
    ) throws(ReadingError) -> [Finding] {
        let document = try Sheets(bytes: filled.bytes, password: filled.password)
        return try doubts(document, from: 0, filled.findings, columns: columns, row: row)
    }

    /// The same of a row whose pages begin somewhere in a larger document. Where that was told to leave out something of the
    /// form it need not look the same outside of the fields.
    public func doubts(
        _ document: Sheets, from first: Int, _ findings: [Finding], columns: FormColumns, row: [FieldValue?],
        isWhole: Bool = true
    ) throws(ReadingError) -> [Finding] {
        let expected = expected(findings, columns, row)
        var doubts: [Finding] = []
        for page in Set(expected.map(\.page)).sorted() where page < sheets.count {
            guard first + page < document.count else {
                doubts.append(.unseen("", "Page \(page + 1) is missing."))
                continue
            }
            let width = Int((sheets.frames[page].width * Self.pixelsOfPoint).rounded())
            let before = try emptyPage(page, width)
            let after = try reader.pixels(of: document, page: first + page, width: width)
            guard before.width == after.width, before.height == after.height else {
                doubts.append(.unseen("", "Page \(page + 1) has another size than before."))
                continue
            }
            let comparison = Comparison(before, after, sheets.frames[page], tolerance: Self.tolerance)
            for place in expected where place.page == page {
                if comparison.changed(in: place.rectangle) < Self.fewestPixels {
                    doubts.append(.unseen(place.field, "Nothing is seen of the value on page \(page + 1)."))
                }
            }
            doubts += try misread(expected.filter { $0.page == page }, document, first + page, page)
            let all = form.form.fields.flatMap(\.widgets).filter { $0.page == page }.map {
                $0.rectangle.grown(by: Self.margin)
            }
            if isWhole, comparison.changed(outside: all) > Self.mostStray {
                doubts.append(.unseen("", "Something is drawn outside of the fields of page \(page + 1)."))
            }
        }
        return doubts
    }

    private func emptyPage(_ page: Int, _ width: Int) throws(ReadingError) -> PagePixels {
        if let known = empty.withLock({ $0[page] }) { return known }
        let drawn = try reader.pixels(of: sheets, page: page, width: width)
        empty.withLock { $0[page] = drawn }
        return drawn
    }

    /// What poppler reads otherwise than it was given. Letters count and not their order, and a place is only doubted for
    /// letters that are missing on the page as well: poppler draws neighbours together into one word.
    private func misread(
        _ places: [Place], _ document: Sheets, _ place: Int, _ page: Int
    ) throws(ReadingError) -> [Finding] {
        let said = places.filter { !$0.letters.isEmpty }
        if said.isEmpty { return [] }
        guard let after = try reader.text(of: document, pages: place..<place + 1).first else { return [] }
        let before = try emptyText(page)
        // What is new on the page, the old values of these places not counted as still there.
        var missing = Letters(said.flatMap(\.letters))
        var still = Letters(PlainLetters.mirrored(before.text))
        still.subtract(Letters(said.flatMap(\.old)))
        var new = Letters(PlainLetters.mirrored(after.text))
        new.subtract(still)
        missing.subtract(new)
        return said.compactMap { place in
            var lost = Letters(place.letters)
            lost.subtract(Letters(PlainLetters.mirrored(after.text(in: place.rectangle))))
            let gone = lost.scalars.filter { missing.scalars.contains($0) }
            guard !gone.isEmpty else { return nil }
            let shown = gone.prefix(5).compactMap { Unicode.Scalar($0).map { String(Character($0)) } }
            return .unseen(
                place.field,
                "A viewer does not read the value on page \(page + 1); missing: “\(shown.joined(separator: "”, “"))”."
            )
        }
    }

    private func emptyText(_ page: Int) throws(ReadingError) -> PageText {
        if let known = emptyTexts.withLock({ $0[page] }) { return known }
        let read =
            try reader.text(of: sheets, pages: page..<page + 1).first
            ?? PageText(page: page, frame: sheets.frames[page], lines: [])
        emptyTexts.withLock { $0[page] = read }
        return read
    }

    private struct Place {
        var field: String
        var page: Int
        var rectangle: PDFRectangle
        /// What must be read there, and what the template has there; empty where that cannot be told from here.
        var letters: [UInt32] = []
        var old: [UInt32] = []
    }

    /// The places that must look different: those of values that are not blank, can be seen, and are not what the
    /// template shows already. What was told not to be shown need not be.
    private func expected(
        _ findings: [Finding], _ columns: FormColumns, _ row: [FieldValue?]
    ) -> [Place] {
        let told = Set(
            findings.filter {
                [.noSuchChoice, .notFillable, .locked, .notSeen, .notShown, .clipped, .tooLong].contains(
                    $0.kind)
            }.map(\.field))
        var places: [Place] = []
        for (column, value) in row.enumerated() {
            guard let value, column < columns.count, let fields = columns[column] else { continue }
            for index in fields where index < form.form.fields.count {
                let field = form.form.fields[index]
                guard !told.contains(field.name) else { continue }
                for widget in field.widgets
                where widget.isOnPage && !widget.isHidden
                    && min(widget.rectangle.width, widget.rectangle.height) > 3
                {
                    guard let page = widget.page, shows(field, widget, value) else { continue }
                    var place = Place(field: field.name, page: page, rectangle: widget.rectangle)
                    if let text = shownText(field, value) {
                        place.letters = PlainLetters.mirrored(text)
                        place.old = PlainLetters.mirrored(field.value.first ?? "")
                    }
                    places.append(place)
                }
            }
        }
        return places
    }

    /// The letters a place shows for a value, when no format of the form makes others of them.
    private func shownText(_ field: Field, _ value: FieldValue) -> String? {
        guard case .text(let text) = value, field.format == nil, !field.flags.contains(.password) else {
            return nil
        }
        switch field.kind {
        case .text: return text
        case .combo: return field.options.first { $0.export == text }?.display ?? text
        default: return nil
        }
    }

    private func shows(_ field: Field, _ widget: FieldWidget, _ value: FieldValue) -> Bool {
        let given: [String] =
            switch value {
            case .text(let text): [text]
            case .texts(let texts): texts
            case .flag(let flag): [flag ? "true" : ""]
            }
        switch field.kind {
        case .text, .combo, .barcode, .pushButton:
            let text = given.joined(separator: "\n")
            return !text.allSatisfy(\.isWhitespace) && text != field.value.first
        case .checkBox, .radio:
            // Only what is named for sure: words for yes and no are the engine's to read.
            guard let state = given.first, state != "Off", field.value.first != state else { return false }
            return widget.states.contains { $0.text == state }
        // A list shows its options anyhow.
        case .list, .signature, .unknown: return false
        }
    }
}

/// Letters and how often each is there.
private struct Letters {
    private var counts: [UInt32: Int] = [:]

    init(_ letters: [UInt32]) { for letter in letters { counts[letter, default: 0] += 1 } }

    mutating func subtract(_ others: Letters) {
        for (letter, count) in others.counts {
            guard let own = counts[letter] else { continue }
            counts[letter] = own > count ? own - count : nil
        }
    }

    var scalars: [UInt32] { counts.keys.sorted() }
}

/// Two pictures of one page, pixel by pixel.
private struct Comparison {
    private let before: PagePixels
    private let after: PagePixels
    private let frame: PageFrame
    private let tolerance: Int

    init(_ before: PagePixels, _ after: PagePixels, _ frame: PageFrame, tolerance: Int) {
        self.before = before
        self.after = after
        self.frame = frame
        self.tolerance = tolerance
    }

    func changed(in place: PDFRectangle) -> Int {
        let (rows, columns) = pixels(place)
        return rows.reduce(0) { sum, row in sum + columns.count { differs(row * before.width + $0) } }
    }

    func changed(outside places: [PDFRectangle]) -> Int {
        var isInside = [Bool](repeating: false, count: before.shades.count)
        for place in places {
            let (rows, columns) = pixels(place)
            for row in rows { for column in columns { isInside[row * before.width + column] = true } }
        }
        return isInside.indices.count { !isInside[$0] && differs($0) }
    }

    private func differs(_ index: Int) -> Bool {
        abs(Int(before.shades[index]) - Int(after.shades[index])) > tolerance
    }

    private func pixels(_ place: PDFRectangle) -> (rows: Range<Int>, columns: Range<Int>) {
        let part = frame.fractions(place)
        func range(_ start: Double, _ length: Double, _ count: Int) -> Range<Int> {
            let first = (start * Double(count)).rounded(.down)
            let last = ((start + length) * Double(count)).rounded(.up)
            guard first.isFinite, last.isFinite else { return 0..<0 }
            let low = Int(min(max(first, 0), Double(count)))
            return low..<max(low, Int(min(max(last, 0), Double(count))))
        }
        return (range(part.top, part.height, before.height), range(part.left, part.width, before.width))
    }
}

extension Finding {
    fileprivate static func unseen(_ field: String, _ message: String) -> Finding {
        Finding(field: field, kind: .notProven, message: message)
    }
}
