public import Bytes
import PDF
import PDFReading

/// What a paper does or carries beside what its pages show, taken out.
public struct SanitiseWish: SheetWish {
    public enum Kind: String, Sendable, CaseIterable {
        case scripts
        /// Actions that start a program or open a file.
        case launch
        /// Files carried inside.
        case files
        /// Links that lead out of the paper.
        case links
        /// Buttons that send what was filled in, or fetch it.
        case sending
        /// Films, sounds and models.
        case media
        /// A second form beside the first, with scripts of its own.
        case xfa
        /// Who made it, when, with what; also in the photos on its pages.
        case metadata
    }

    public var kept: Set<Kind> = []

    public init() {}

    private static let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")

    public static let settings: [StepSetting] = [
        StepSetting("only", "KINDS", "nothing but these: \(kinds)"),
        StepSetting("keep", "KINDS", "everything but these"),
    ]

    public mutating func take(_ name: String, _ value: String) throws(ConversionError) {
        guard name == "keep" || name == "only" else { throw unknown(name) }
        var said: Set<Kind> = []
        for part in value.split(separator: ",") {
            let word = part.filter { !$0.isWhitespace }.lowercased()
            guard let kind = Kind(rawValue: word) else {
                throw .badOption("“\(name)” does not know “\(word)”. It knows \(Self.kinds).")
            }
            said.insert(kind)
        }
        kept.formUnion(name == "keep" ? said : Set(Kind.allCases).subtracting(said))
    }
}

/// Something that was found in a paper, and how often.
public struct SanitiseFinding: Sendable, Equatable {
    public var kind: SanitiseWish.Kind
    public var count: Int
    /// Names and addresses, a few of them.
    public var examples: [String]

    public var json: JSON {
        [
            "kind": .string(kind.rawValue), "count": .int(count),
            "examples": .array(examples.map(JSON.string)),
        ]
    }

    /// `2 links out of the paper (https://example.org)`
    public var words: String {
        let names: (one: String, many: String) =
            switch kind {
            case .scripts: ("script", "scripts")
            case .launch: ("action that starts a program", "actions that start programs")
            case .files: ("file carried inside", "files carried inside")
            case .links: ("link out of the paper", "links out of the paper")
            case .sending: ("action that sends or fetches fields", "actions that send or fetch fields")
            case .media: ("film or sound", "films and sounds")
            case .xfa: ("XFA copy of the form", "parts of an XFA copy of the form")
            case .metadata: ("piece of metadata", "pieces of metadata")
            }
        let said = examples.isEmpty ? "" : " (\(examples.joined(separator: ", ")))"
        return "\(count) \(count == 1 ? names.one : names.many)\(said)"
    }
}

extension PDFTools {
    /// The same pages without all that, and what was found. Looked through once more before it is given back.
    public static func sanitised(
        _ paper: Paper, _ wish: SanitiseWish
    ) throws(ConversionError) -> (paper: Paper, found: [SanitiseFinding]) {
        let (made, found) = try cleaned(paper, wish)
        guard !found.isEmpty else { return (paper, []) }
        let left = try cleaned(made, wish).found
        guard left.isEmpty else {
            let words = left.map(\.words).joined(separator: "; ")
            throw .damaged(paper.name, reason: "this could not be taken out of it: \(words).")
        }
        return (made, found)
    }

    /// What would be taken out.
    public static func findings(
        in paper: Paper, _ wish: SanitiseWish
    ) throws(ConversionError) -> [SanitiseFinding] {
        try cleaned(paper, wish).found
    }

    private static func cleaned(
        _ paper: Paper, _ wish: SanitiseWish
    ) throws(ConversionError) -> (paper: Paper, found: [SanitiseFinding]) {
        var found: [SanitiseFinding] = []
        let made = try working(on: paper) { (work) throws(ConversionError) in
            var sanitiser = Sanitiser(work.file, kept: wish.kept)
            sanitiser.clean(&work)
            found = sanitiser.found
        }
        return (made, found)
    }
}

private struct Sanitiser {
    private let file: PDFFile
    private let kept: Set<SanitiseWish.Kind>
    private var counts: [SanitiseWish.Kind: Int] = [:]
    private var examples: [SanitiseWish.Kind: [String]] = [:]
    private var counted: Set<PDFReference> = []
    private var gone: Set<PDFReference> = []
    /// What is in it was counted already.
    private var isQuiet = false

    init(_ file: PDFFile, kept: Set<SanitiseWish.Kind>) {
        self.file = file
        self.kept = kept
    }

    var found: [SanitiseFinding] {
        SanitiseWish.Kind.allCases.compactMap { kind in
            counts[kind].map { .init(kind: kind, count: $0, examples: examples[kind] ?? []) }
        }
    }

    private static let deepest = 60

    /// True where it is to go, and then it is counted; once, however often it is led to.
    private mutating func takes(
        _ kind: SanitiseWish.Kind, _ object: PDFObject? = nil, saying example: String? = nil
    ) -> Bool {
        guard !kept.contains(kind) else { return false }
        guard !isQuiet else { return true }
        if let reference = object?.reference, !counted.insert(reference).inserted { return true }
        counts[kind, default: 0] += 1
        if let example = example.map({ String($0.filter { !$0.isNewline }.prefix(80)) }), !example.isEmpty,
            examples[kind]?.contains(example) != true, (examples[kind]?.count ?? 0) < 5
        {
            examples[kind, default: []].append(example)
        }
        return true
    }

    mutating func clean(_ work: inout PageWork) {
        let root = file.trailer["Root"]?.reference
        cleanCatalog(&work.catalog)
        let info = file.trailer["Info"]
        if let about = file.dictionary(info), let place = info?.reference, !about.isEmpty {
            var isGone = false
            for entry in about.entries
            where takes(.metadata, saying: entry.key.text) { isGone = true }
            if isGone { work.revision.put(.dictionary([:]), at: place) }
        }
        let pages = Set(work.pages)
        for page in work.pages { findMarks(of: page) }
        for number in 1...max(1, file.highestObject) {
            let reference = PDFReference(number)
            guard reference != root, reference != info?.reference else { continue }
            let object = file.object(reference)
            if file.isStream(reference) {
                guard let before = object.dictionary else { continue }
                let now = cleaned(stream: before)
                let data = file.storedStream(reference)
                let stripped = data.flatMap { strippedPhoto($0, before) }
                guard now != before || stripped != nil, let data = stripped ?? data else { continue }
                work.revision.putStream(now, data, at: reference)
            } else {
                isQuiet = gone.contains(reference)
                var now = cleaned(object, 0)
                isQuiet = false
                if pages.contains(reference), var page = now.dictionary {
                    let marks = file.array(page["Annots"])
                    let left = marks.filter { mark in
                        mark.reference.map { !gone.contains($0) } ?? !isGone(file.dictionary(mark))
                    }
                    if left.count != marks.count {
                        page["Annots"] = left.isEmpty ? nil : .array(left.map { cleaned($0, 1) })
                    }
                    now = .dictionary(page)
                }
                if now != object { work.revision.put(now, at: reference) }
            }
        }
    }

    private mutating func cleanCatalog(_ catalog: inout PDFDictionary) {
        if var names = file.dictionary(catalog["Names"]) {
            for (key, kind): (PDFName, SanitiseWish.Kind) in [
                ("JavaScript", .scripts), ("EmbeddedFiles", .files), ("Renditions", .media),
            ] where names[key] != nil && !kept.contains(kind) {
                let entries = file.entries(ofNameTree: names[key])
                for entry in entries {
                    let about = file.dictionary(entry.value)
                    let name =
                        file.resolve(about?["UF"]).text ?? file.resolve(about?["F"]).text
                        ?? PDFObject.string(entry.name).text
                    _ = takes(kind, kind == .files ? place(ofFile: entry.value) : entry.value, saying: name)
                }
                names[key] = nil
            }
            catalog["Names"] = names.isEmpty ? nil : .dictionary(names)
        }
        if var form = file.dictionary(catalog["AcroForm"]) {
            if form["XFA"] != nil, takes(.xfa) {
                form["XFA"] = nil
                catalog["NeedsRendering"] = nil
            }
            if !kept.contains(.scripts) { form["CO"] = nil }
            catalog["AcroForm"] = cleaned(.dictionary(form), 1)
        }
        if catalog["Collection"] != nil, !kept.contains(.files) { catalog["Collection"] = nil }
        if catalog["URI"] != nil, takes(.links, catalog["URI"]) { catalog["URI"] = nil }
        for key: PDFName in ["SpiderInfo", "Legal"]
        where catalog[key] != nil && takes(.metadata, saying: key.text) {
            catalog[key] = nil
        }
        catalog = cleaned(.dictionary(catalog), 0).dictionary ?? catalog
    }

    /// Marks on a page that are nothing but what goes, and the notes that open from them.
    private mutating func findMarks(of page: PDFReference) {
        let marks = file.array(file.dictionary(.reference(page))?["Annots"])
        for mark in marks {
            guard let reference = mark.reference, let about = file.dictionary(mark), isGone(about) else {
                continue
            }
            gone.insert(reference)
            if let popup = about["Popup"]?.reference { gone.insert(popup) }
        }
    }

    private mutating func isGone(_ mark: PDFDictionary?) -> Bool {
        guard let mark else { return false }
        switch file.resolve(mark["Subtype"]).name {
        case "FileAttachment":
            let about = file.dictionary(mark["FS"])
            let name = file.resolve(about?["UF"]).text ?? file.resolve(about?["F"]).text
            return takes(.files, mark["FS"].map(place(ofFile:)), saying: name)
        case "RichMedia", "Movie", "Sound", "Screen", "3D": return takes(.media)
        case "Link":
            // Of a tagged paper the mark stays, leading nowhere: its words are read aloud as a part of the page.
            guard mark["Dest"] == nil, mark["StructParent"] == nil,
                let kind = kind(of: file.dictionary(mark["A"])), !kept.contains(kind)
            else { return false }
            return takes(kind, mark["A"], saying: address(file.dictionary(mark["A"])))
        default: return false
        }
    }

    /// What an action does that a paper has no need of.
    private func kind(of action: PDFDictionary?) -> SanitiseWish.Kind? {
        switch file.resolve(action?["S"]).name {
        case "JavaScript": .scripts
        case "Launch": .launch
        case "URI", "GoToR", "GoToE": .links
        case "SubmitForm", "ImportData": .sending
        case "Rendition": action?["JS"] != nil ? .scripts : .media
        case "Movie", "Sound", "RichMediaExecute": .media
        default: nil
        }
    }

    private func address(_ action: PDFDictionary?) -> String? {
        file.resolve(action?["URI"]).text ?? file.resolve(action?["F"]).text
            ?? file.resolve(file.dictionary(action?["F"])?["F"]).text
    }

    private mutating func takesAction(_ object: PDFObject?) -> Bool {
        let action = file.dictionary(object)
        guard let kind = kind(of: action) else { return false }
        return takes(kind, object, saying: address(action))
    }

    private mutating func cleaned(_ object: PDFObject, _ depth: Int) -> PDFObject {
        guard depth < Self.deepest else { return .null }
        switch object {
        case .array(let items): return .array(items.map { cleaned($0, depth + 1) })
        case .dictionary(let dictionary): return .dictionary(cleaned(dictionary, depth))
        default: return object
        }
    }

    private mutating func cleaned(_ dictionary: PDFDictionary, _ depth: Int) -> PDFDictionary {
        var made: [(key: PDFName, value: PDFObject)] = []
        for (key, value) in dictionary.entries {
            switch key {
            case "A", "PA", "OpenAction":
                if takesAction(value) { continue }
            case "Next":
                // Of bookmarks it is the one behind; of actions what is done after.
                if takesAction(value) { continue }
                if let list = file.resolve(value).array {
                    let left = list.filter { !takesAction($0) }
                    if left.isEmpty { continue }
                    made.append((key, .array(left.map { cleaned($0, depth + 1) })))
                    continue
                }
            case "AA":
                guard let actions = file.dictionary(value) else { continue }
                let left = actions.entries.filter { !takesAction($0.value) }
                if left.isEmpty { continue }
                made.append((key, cleaned(.dictionary(PDFDictionary(left)), depth + 1)))
                continue
            case "AF":
                if !kept.contains(.files) {
                    for one in file.resolve(value).array ?? [value] {
                        _ = takes(.files, place(ofFile: one), saying: name(ofFile: one))
                    }
                    continue
                }
            case "EF":
                if file.dictionary(value) != nil, !kept.contains(.files) {
                    let known = dictionary["UF"] ?? dictionary["F"]
                    let streams = file.dictionary(value)?.entries.first?.value
                    _ = takes(.files, streams, saying: file.resolve(known).text)
                    continue
                }
            case "Metadata":
                if takes(.metadata, value, saying: "XMP") { continue }
            case "PieceInfo":
                if takes(.metadata, value, saying: "PieceInfo") { continue }
            case "Thumb":
                if value.reference != nil, takes(.metadata, value, saying: "Thumb") { continue }
            default: break
            }
            made.append((key, cleaned(value, depth + 1)))
        }
        return PDFDictionary(made)
    }

    /// A file is known by its bytes, however it is led to.
    private func place(ofFile object: PDFObject) -> PDFObject {
        file.dictionary(file.dictionary(object)?["EF"])?.entries.first?.value ?? object
    }

    private func name(ofFile object: PDFObject) -> String? {
        let about = file.dictionary(object)
        return file.resolve(about?["UF"]).text ?? file.resolve(about?["F"]).text
    }

    private mutating func cleaned(stream dictionary: PDFDictionary) -> PDFDictionary {
        var made = cleaned(dictionary, 0)
        // What is drawn out of other files (ISO 32000-2 §7.3.8, §8.10.4).
        if made["F"] != nil, takes(.links, dictionary["F"], saying: name(ofFile: dictionary["F"] ?? .null)) {
            made = made.without("F", "FFilter", "FDecodeParms")
        }
        if made["Ref"] != nil, made["Subtype"]?.name == "Form", takes(.links, dictionary["Ref"]) {
            made["Ref"] = nil
        }
        return made
    }

    /// A photo without what its camera wrote into it; nil where there is nothing of the kind. Its colours and how it is packed stay.
    private mutating func strippedPhoto(_ data: [UInt8], _ dictionary: PDFDictionary) -> [UInt8]? {
        let filter = file.resolve(dictionary["Filter"])
        guard
            filter.name == "DCTDecode"
                || filter.array.map({ $0.count == 1 && file.resolve($0[0]).name == "DCTDecode" }) == true,
            data.starts(with: [0xFF, 0xD8]), !kept.contains(.metadata)
        else { return nil }
        var out: [UInt8] = [0xFF, 0xD8]
        var at = 2
        var isStripped = false
        while at + 4 <= data.count, data[at] == 0xFF {
            let kind = data[at + 1]
            if kind == 0xFF {
                at += 1
                continue
            }
            // From here on it is the picture.
            if kind == 0xDA || kind == 0xD9 { break }
            let length = Int(data[at + 2]) << 8 | Int(data[at + 3])
            guard length >= 2, at + 2 + length <= data.count else { return nil }
            let part = data[at..<at + 2 + length]
            // Exif, XMP and whatever else programs leave (T.81 table B.1); JFIF, colour profiles and Adobe's mark are needed.
            let isNeeded =
                ![0xE1, 0xED, 0xFE].contains(kind) && !(0xE3...0xEC).contains(kind) && kind != 0xEF
            if isNeeded { out += part } else { isStripped = true }
            at += 2 + length
        }
        guard isStripped, takes(.metadata, saying: "Exif") else { return nil }
        return out + data[at...]
    }
}
