public import PDF
import PDFForms
public import Work

/// Fields proposed for a document that has none, from the lines, boxes, underscores and words on its pages.
///
///     let proposals = try FieldProposals(for: PDFFile(bytes: flat), reader: reader).all
///     let form = try FieldProposals.add(proposals.filter { $0.confidence > 0.5 }, to: flat)
public struct FieldProposals: Sendable {
    /// Page by page, in reading order.
    public let all: [FieldProposal]

    /// More than this on one document is no form but something misunderstood.
    public static let most = 4_000

    public init(
        for file: PDFFile, reader: PageReader, cancellation: Cancellation = Cancellation()
    ) throws(ReadingError) {
        let sheets: Sheets
        do throws(PDFError) { sheets = try Sheets(file) } catch { throw .unreadable(error.description) }
        let texts = try reader.text(of: sheets, cancellation: cancellation)
        self.init(for: file, texts: texts, drawings: PageDrawing.all(file))
    }

    /// From pages that were read before.
    public init(for file: PDFFile, texts: [PageText], drawings: [PageDrawing]) {
        let known = Form.placesAndNames(file)
        var names = NameMaker(taken: known.names)
        var all: [FieldProposal] = []
        for text in texts where drawings.indices.contains(text.page) && all.count < Self.most {
            let drawing = drawings[text.page]
            let taken = known.places.filter { $0.page == text.page }.map { text.frame.shown($0.place) }
            var places = BlankPlaces(text, drawing).found
            places.removeAll { blank in
                taken.contains {
                    $0.share(coveredBy: blank.place) > 0.3 || blank.place.share(coveredBy: $0) > 0.3
                }
            }
            let subjects = places.map { LabelSubject(places: [(0, $0.place)], isBox: $0.kind == .checkBox) }
            var labels = [FieldLabel?](repeating: nil, count: places.count)
            for (index, label) in PageLabels(subjects, text, drawing).labels { labels[index] = label }
            for (blank, label) in zip(places, labels) {
                let confidence = Self.confidence(blank, label)
                guard confidence >= Self.least else { continue }
                let words = label?.text ?? ""
                all.append(
                    FieldProposal(
                        kind: Self.kind(blank, words), page: text.page,
                        place: text.frame.written(blank.place),
                        name: names.name(for: words, kind: blank.kind), label: words,
                        cellCount: blank.cellCount, confidence: confidence))
            }
        }
        self.all = all
    }

    private static let least = 0.3

    /// A place without words around it is rarely a place to write.
    private static func confidence(_ blank: BlankPlaces.Blank, _ label: FieldLabel?) -> Double {
        let words = label?.confidence ?? 0
        let sum = blank.confidence * (0.45 + 0.6 * words)
        return (min(sum, 0.98) * 100).rounded() / 100
    }

    private static func kind(_ blank: BlankPlaces.Blank, _ label: String) -> FieldProposal.Kind {
        guard blank.kind == .text, blank.place.width > 80 else { return blank.kind }
        let words = LabelText.words(label)
        let isSignature = ["signature", "signed", "unterschrift", "firma"].contains { words.contains($0) }
        // “Date of signature”, “name of signer” are written.
        return isSignature && !words.contains("date") && !words.contains("name") ? .signature : .text
    }
}

/// Gives each field a name of its own that a person can read and a column can be called.
struct NameMaker {
    private static let longest = 40
    private var taken: Set<String>

    init(taken: some Sequence<String>) { self.taken = Set(taken.map { $0.lowercased() }) }

    mutating func name(for label: String, kind: FieldProposal.Kind) -> String {
        // A dot would make a branch of the field tree (ISO 32000-2 §12.7.4.2).
        var text = ""
        for word in label.split(whereSeparator: { $0.isWhitespace || $0 == "." || $0 == "…" }) {
            let plain = word.filter { $0.isLetter || $0.isNumber || "-'’/&".contains($0) }
            guard plain.contains(where: { $0.isLetter || $0.isNumber }) else { continue }
            if text.count + plain.count + 1 > Self.longest, !text.isEmpty { break }
            text += (text.isEmpty ? "" : " ") + plain
        }
        text = String(text.prefix(Self.longest))
        if text.isEmpty { text = kind == .checkBox ? "Box" : "Field" }
        var name = text
        var number = 2
        while !taken.insert(name.lowercased()).inserted {
            name = "\(text) \(number)"
            number += 1
        }
        return name
    }
}

extension Form {
    static func placesAndNames(
        _ file: PDFFile
    ) -> (places: [(page: Int, place: PDFRectangle)], names: [String]) {
        guard file.form != nil, let form = try? Form(bytes: file.bytes) else { return ([], []) }
        let places = form.fields.flatMap(\.widgets).compactMap { widget in
            widget.page.map { ($0, widget.rectangle) }
        }
        return (places, form.fields.map(\.name))
    }
}
