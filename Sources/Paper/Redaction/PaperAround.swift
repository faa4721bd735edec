public import Bytes
import PDF

/// What a file holds beside its pages' drawing, and what of it must go.
struct PaperAround {
    let file: PDFFile
    let rework: Rework
    let root: PDFReference

    init(_ file: PDFFile) {
        self.file = file
        rework = Rework(file)
        root = file.trailer["Root"]?.reference ?? PDFReference(0)
    }

    private static let mostNodes = 200_000
    private static let deepest = 40

    /// An annotation or a field's place on a page.
    struct Widget {
        var page: Int
        var reference: PDFReference?
        var index: Int
        var dictionary: PDFDictionary
        var place: PDFRectangle
        var kind: PDFName

        var isField: Bool { kind == "Widget" }
    }

    func widgets(of page: Int, _ dictionary: PDFDictionary) -> [Widget] {
        file.array(dictionary["Annots"]).prefix(20_000).enumerated().compactMap { index, object in
            guard let widget = file.dictionary(object),
                let place = PDFRectangle(file.numbers(widget["Rect"]))
            else { return nil }
            return Widget(
                page: page, reference: object.reference, index: index, dictionary: widget, place: place,
                kind: file.resolve(widget["Subtype"]).name ?? "")
        }
    }

    /// What it shows or leads to: its text, its value and those of the fields above it. What a field is called is no part of it.
    func texts(of widget: Widget) -> [String] {
        var texts: [String] = []
        var node: PDFDictionary? = widget.dictionary
        for _ in 0..<Self.deepest {
            guard let here = node else { break }
            let keys: [PDFName] =
                widget.isField ? ["V", "DV", "RV", "MK"] : ["Contents", "RC", "T", "Subj", "A", "PA"]
            for key in keys { collect(here[key], into: &texts, depth: 0) }
            guard widget.isField else { break }
            // What is chosen of boxes is a name, and so is what could be.
            for key: PDFName in ["V", "AS"] {
                if let name = file.resolve(here[key]).name { texts.append(name.text) }
            }
            let looks = file.dictionary(file.dictionary(here["AP"])?["N"])
            if looks?["BBox"] == nil { texts += (looks?.keys ?? []).map(\.text) }
            node = file.dictionary(here["Parent"])
        }
        return texts
    }

    private func collect(_ object: PDFObject?, into texts: inout [String], depth: Int) {
        guard depth < 4, let object else { return }
        if let reference = object.reference, file.isStream(reference) {
            texts.append(PDFText.decode(file.stream(reference, limit: 4 << 20) ?? []))
            return
        }
        switch file.resolve(object) {
        case .string(let bytes): texts.append(PDFText.decode(bytes))
        case .array(let items): for item in items { collect(item, into: &texts, depth: depth + 1) }
        case .dictionary(let dictionary):
            for entry in dictionary.entries where entry.key != "Parent" && entry.key != "P" {
                collect(entry.value, into: &texts, depth: depth + 1)
            }
        default: break
        }
    }

    /// The drawings it is shown by.
    func appearances(of widget: Widget) -> [(reference: PDFReference, matrix: PDFMatrix)] {
        guard let looks = file.dictionary(widget.dictionary["AP"]) else { return [] }
        var found: [PDFReference] = []
        for entry in looks.entries {
            if let reference = entry.value.reference, file.isStream(reference) {
                found.append(reference)
            } else {
                found += (file.dictionary(entry.value)?.entries ?? []).compactMap { $0.value.reference }
                    .filter { file.isStream($0) }
            }
        }
        return found.prefix(64).compactMap { reference in
            guard let form = file.dictionary(.reference(reference)),
                let box = PDFRectangle(file.numbers(form["BBox"])), box.width > 0, box.height > 0
            else { return nil }
            // The box, turned as the form says, is stretched onto the place (§12.5.5).
            let own = PDFMatrix(file.numbers(form["Matrix"])) ?? PDFMatrix()
            let turned = own.bounds(of: box)
            guard turned.width > 0, turned.height > 0 else { return nil }
            let across = widget.place.width / turned.width
            let up = widget.place.height / turned.height
            let onto = PDFMatrix(
                a: across, b: 0, c: 0, d: up, e: widget.place.left - turned.left * across,
                f: widget.place.bottom - turned.bottom * up)
            return (reference, own.then(onto))
        }
    }

    /// The field's topmost node that is nothing but this field: it goes with all places where it is shown.
    private func field(of reference: PDFReference) -> PDFReference {
        var node = reference
        for _ in 0..<Self.deepest {
            guard let here = file.dictionary(.reference(node)), here["T"] == nil,
                let parent = here["Parent"]?.reference
            else { return node }
            node = parent
        }
        return node
    }

    /// A field and every place where its value is shown.
    func places(ofField reference: PDFReference) -> Set<PDFReference> {
        var nodes: Set<PDFReference> = []
        var waiting = [field(of: reference)]
        while let node = waiting.popLast(), nodes.count < Self.mostNodes {
            guard nodes.insert(node).inserted else { continue }
            waiting += file.array(file.dictionary(.reference(node))?["Kids"]).compactMap(\.reference)
        }
        return nodes
    }

    /// The references that are left of a list.
    func left(_ items: [PDFObject]) -> [PDFObject] {
        items.filter { item in item.reference.map { !rework.isRemoved($0) } ?? true }
    }

    /// Takes away what describes the marked parts of pages from which something was taken, and what these stand in: the tags'
    /// own words for them.
    func cleanTags(_ touched: [PDFReference: Set<Int>]) {
        guard let tree = file.dictionary(file.catalog["StructTreeRoot"]), !touched.isEmpty else { return }
        var seen: Set<PDFReference> = []
        var nodes = 0
        func touches(_ object: PDFObject, _ page: PDFReference?, _ path: [PDFReference]) {
            nodes += 1
            guard nodes < Self.mostNodes, path.count < 200 else { return }
            switch object {
            case .integer(let number):
                if let page, touched[page]?.contains(number) == true { path.forEach(strip) }
            case .array(let items): for item in items { touches(item, page, path) }
            case .reference(let reference):
                guard seen.insert(reference).inserted else { return }
                touches(file.object(reference), page, path + [reference])
            case .dictionary(let dictionary):
                let page = dictionary["Pg"]?.reference ?? page
                if let number = dictionary["MCID"]?.integer {
                    touches(.integer(number), page, path)
                } else if let kids = dictionary["K"] {
                    touches(kids, page, path)
                }
            default: break
            }
        }
        func strip(_ reference: PDFReference) {
            guard let node = rework.dictionary(.reference(reference)) else { return }
            rework.put(.dictionary(node.without("ActualText", "Alt", "E", "T")), at: reference)
        }
        touches(tree["K"] ?? .null, nil, [])
    }

    /// The catalog without scripts, files and what else is carried along unseen; what went is told.
    func cleanCatalog(_ removed: inout Set<RedactionRemark>) {
        var catalog = rework.dictionary(.reference(root)) ?? [:]
        if catalog["Metadata"] != nil || file.dictionary(file.trailer["Info"]) != nil {
            removed.insert(.metadata)
        }
        if catalog["AA"] != nil || isScript(catalog["OpenAction"]) { removed.insert(.scripts) }
        if isScript(catalog["OpenAction"]) { catalog["OpenAction"] = nil }
        if catalog["Collection"] != nil || catalog["AF"] != nil { removed.insert(.attachments) }
        catalog = catalog.without(
            "Metadata", "AA", "AF", "PieceInfo", "Collection", "Perms", "Legal", "SpiderInfo", "DSS",
            "Requirements")
        if var names = file.dictionary(catalog["Names"]) {
            if names["EmbeddedFiles"] != nil { removed.insert(.attachments) }
            if names["JavaScript"] != nil { removed.insert(.scripts) }
            names = names.without("EmbeddedFiles", "JavaScript", "AlternatePresentations", "Renditions")
            catalog["Names"] = names.isEmpty ? nil : .dictionary(names)
        }
        if var form = file.dictionary(catalog["AcroForm"]) {
            if form["XFA"] != nil { removed.insert(.xfa) }
            form = form.without("XFA", "CO")
            form["Fields"] = .array(left(file.array(form["Fields"])))
            form["SigFlags"] = nil
            catalog["AcroForm"] = .dictionary(form)
        }
        rework.put(.dictionary(catalog), at: root)
    }

    private func isScript(_ object: PDFObject?) -> Bool {
        file.resolve(file.dictionary(object)?["S"]).name == "JavaScript"
    }
}

/// What went along with what was blacked out.
public enum RedactionRemark: Sendable, Hashable, Comparable {
    case metadata
    case attachments
    case scripts
    case xfa
    case signatures
    case lock
    case fields(Int)
    case notes(Int)
    case stillThere(String, pages: [Int])
    case notLookedAt(pages: [Int])
    /// So many places fitted, and stay as somebody chose.
    case spared(Int)

    private var rank: Int {
        switch self {
        case .notLookedAt: 0
        case .spared: 1
        case .stillThere: 2
        case .signatures: 3
        case .lock: 4
        case .fields: 5
        case .notes: 6
        case .attachments: 7
        case .scripts: 8
        case .xfa: 9
        case .metadata: 10
        }
    }

    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

    /// What it is called, and what it says more of it.
    public var json: JSON {
        switch self {
        case .metadata: ["kind": "metadata"]
        case .attachments: ["kind": "attachments"]
        case .scripts: ["kind": "scripts"]
        case .xfa: ["kind": "xfa"]
        case .signatures: ["kind": "signatures"]
        case .lock: ["kind": "lock"]
        case .spared(let count): ["kind": "spared", "count": .int(count)]
        case .fields(let count): ["kind": "fields", "count": .int(count)]
        case .notes(let count): ["kind": "notes", "count": .int(count)]
        case .stillThere(let text, let pages):
            ["kind": "stillThere", "text": .string(text), "pages": .string(RedactionError.numbers(pages))]
        case .notLookedAt(let pages):
            ["kind": "notLookedAt", "pages": .string(RedactionError.numbers(pages))]
        }
    }
}
