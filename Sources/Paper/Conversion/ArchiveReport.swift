public import PDF

/// Whether a file keeps to what it says of itself: that it is PDF/A, parts 1 to 3 (ISO 19005). It finds what archives turn
/// papers away for: fonts, colours, locks, scripts, and what lies outside or hides. It reads every object that belongs to the
/// paper and every stream of its pages; glyph widths, the insides of fonts and profiles, and tags are not looked into.
public struct ArchiveReport: Sendable, Equatable {
    /// What is not as it has to be; each stands for one or a few clauses.
    public enum Rule: String, Sendable, CaseIterable {
        case locked, beginning, end, identity, metadata, outside, packing, packedObjects
        case fonts, colours, pictures, seeThrough, layers
        case actions, form, looks, hiddenNotes, media, carried
    }

    public struct Finding: Sendable, Equatable {
        public var rule: Rule
        /// In how many places.
        public var count: Int
        /// What they are called, where they have names.
        public var names: [String]
    }

    public static let parts = 1...3

    /// Which part it says it is.
    public let part: Int
    /// `B`, `U` or `A`; whether what `U` and `A` want besides `B` is there is not looked at.
    public let level: String
    public let findings: [Finding]

    public var holds: Bool { findings.isEmpty }
    public var name: String { "PDF/A-\(part)\(level.lowercased())" }

    /// Nil for a file that does not say that it is such a one.
    public init?(_ file: PDFFile) {
        guard let claims = PDFTools.metadata(file), let part = PDFTools.claimedArchivePart(file),
            Self.parts.contains(part)
        else { return nil }
        self.part = part
        level =
            claims.firstMatch(of: #/pdfaid:conformance(?:\s*=\s*["']|>)([ABUabu])/#).map { $0.1.uppercased() }
            ?? "B"
        var look = ArchiveLook(file, part: part)
        look.run()
        findings = look.findings
    }
}

/// One look through a file.
private struct ArchiveLook {
    private let file: PDFFile
    private let part: Int
    private var found: [ArchiveReport.Rule: ArchiveReport.Finding] = [:]
    private var seen: Set<PDFReference> = []
    private var deviceColours: Set<PDFName> = []
    private var defaultColours: Set<PDFName> = []
    /// Fonts by the names under which instructions ask for them, and the names that are asked for.
    private var fonts: [PDFName: [PDFObject]] = [:]
    private var usedFonts: Set<PDFName> = []
    private var readByteCount = 0

    private static let mostObjects = 500_000
    private static let mostContent = 256 << 20

    init(_ file: PDFFile, part: Int) {
        self.file = file
        self.part = part
    }

    var findings: [ArchiveReport.Finding] { ArchiveReport.Rule.allCases.compactMap { found[$0] } }

    private mutating func find(_ rule: ArchiveReport.Rule, _ name: String? = nil) {
        var finding = found[rule] ?? .init(rule: rule, count: 0, names: [])
        finding.count += 1
        if let name, finding.names.count < 20, !finding.names.contains(name) { finding.names.append(name) }
        found[rule] = finding
    }

    mutating func run() {
        lookAtFile()
        lookAtCatalog()
        walk()
        for page in file.pages { lookAtNotes(of: page) }
        readPages()
        lookAtFonts()
        compareColours()
    }

    // MARK: The file itself

    private mutating func lookAtFile() {
        let bytes = file.bytes
        if file.encryption != nil || file.trailer["Encrypt"] != nil { find(.locked) }
        if file.array(file.trailer["ID"]).count != 2 { find(.identity) }
        // “%PDF-1.7”, and a line that tells programs it is no text.
        let lines = bytes.prefix(64).split(maxSplits: 2, omittingEmptySubsequences: true) {
            $0 == 10 || $0 == 13
        }
        let isTold =
            lines.count > 1 && lines[1].first == UInt8(ascii: "%")
            && lines[1].dropFirst().prefix(4).count { $0 > 127 } == 4
        if !bytes.starts(with: "%PDF-1.".utf8) || !isTold { find(.beginning) }
        let tail = String(decoding: bytes.suffix(1024), as: UTF8.self)
        if let last = tail.ranges(of: "%%EOF").last,
            tail[last.upperBound...].utf8.contains(where: { ![10, 13].contains($0) })
        {
            find(.end)
        }
        if part == 1, bytes.firstRange(of: "/ObjStm".utf8) != nil { find(.packedObjects) }
        if let place = file.catalog["Metadata"]?.reference {
            let isPacked = part == 1 && file.dictionary(.reference(place))?["Filter"] != nil
            if isPacked { find(.metadata) }
        }
    }

    private mutating func lookAtCatalog() {
        let catalog = file.catalog
        if catalog["AA"] != nil { find(.actions, "AA") }
        let names = file.dictionary(catalog["Names"]) ?? [:]
        if names["JavaScript"] != nil { find(.actions, "JavaScript") }
        if let form = file.form {
            if form["XFA"] != nil { find(.form, "XFA") }
            if file.resolve(form["NeedAppearances"]).boolean == true { find(.form, "NeedAppearances") }
        }
        if catalog["NeedsRendering"] != nil { find(.form, "NeedsRendering") }
        guard let layers = file.dictionary(catalog["OCProperties"]) else { return }
        if part == 1 { return find(.layers) }
        let all = [file.dictionary(layers["D"])] + file.array(layers["Configs"]).map { file.dictionary($0) }
        for layer in all where layer?["Name"] == nil || layer?["AS"] != nil { find(.layers) }
    }

    // MARK: Every object that belongs to it

    private mutating func walk() {
        var waiting: [PDFObject] = [file.trailer["Root"] ?? .null]
        while let next = waiting.popLast() {
            var object = next
            var stream: PDFReference?
            if let reference = next.reference {
                guard seen.count < Self.mostObjects, seen.insert(reference).inserted else { continue }
                object = file.object(reference)
                if file.isStream(reference) { stream = reference }
            }
            switch object {
            case .array(let items): waiting += items
            case .dictionary(let entries):
                look(at: entries, stream)
                // What a profile would be without itself does not count, nor do fonts that a form keeps for later.
                waiting += entries.keys.filter { !["Alternate", "DR"].contains($0.text) }.compactMap {
                    entries[$0]
                }
            case .name(let name): if Self.isDevice(name) { deviceColours.insert(name) }
            default: break
            }
        }
    }

    private mutating func look(at entries: PDFDictionary, _ stream: PDFReference?) {
        let type = file.resolve(entries["Type"]).name
        let kind = file.resolve(entries["Subtype"]).name
        if let stream { look(atStream: entries, stream, kind) }
        switch type {
        case "Filespec", "F": lookAtCarried(entries)
        case "Page":
            for name in ["AA", "PresSteps"] where entries[PDFName(name)] != nil { find(.actions, name) }
        default: break
        }
        if let action = file.resolve(entries["S"]).name, Self.forbiddenActions.contains(action.text) {
            find(.actions, action.text)
        }
        if file.resolve(entries["S"]).name == "Named", let name = file.resolve(entries["N"]).name,
            !["NextPage", "PrevPage", "FirstPage", "LastPage"].contains(name.text)
        {
            find(.actions, name.text)
        }
        if file.dictionary(entries["Group"]).map({ file.resolve($0["S"]).name == "Transparency" }) == true,
            part == 1
        {
            find(.seeThrough)
        }
        for name in entries.keys where ["DefaultGray", "DefaultRGB", "DefaultCMYK"].contains(name.text) {
            defaultColours.insert(name)
        }
        if let named = file.dictionary(entries["Font"]) {
            for name in named.keys { fonts[name, default: []].append(named[name] ?? .null) }
        }
        // A state of drawing need not say what it is: its place tells.
        if let states = file.dictionary(entries["ExtGState"]) {
            for name in states.keys { file.dictionary(states[name]).map { lookAtState($0) } }
        }
    }

    private static let forbiddenActions: Set<String> = [
        "JavaScript", "Launch", "Sound", "Movie", "ResetForm", "ImportData", "Hide", "SetOCGState",
        "Rendition", "Trans", "GoTo3DView",
    ]

    /// How things are drawn.
    private mutating func lookAtState(_ state: PDFDictionary) {
        if state["TR"] != nil { find(.colours, "TR") }
        if let curve = state["TR2"], file.resolve(curve).name != "Default" { find(.colours, "TR2") }
        guard part == 1 else { return }
        let isFaint = ["ca", "CA"].contains { (file.resolve(state[PDFName($0)]).number ?? 1) < 1 }
        let mixing = file.resolve(state["BM"]).name?.text ?? "Normal"
        let isMasked = state["SMask"].map { file.resolve($0).name != "None" } ?? false
        if isFaint || isMasked || !["Normal", "Compatible"].contains(mixing) { find(.seeThrough) }
    }

    private mutating func look(
        atStream entries: PDFDictionary, _ reference: PDFReference, _ kind: PDFName?
    ) {
        if entries["F"] != nil || entries["FFilter"] != nil || entries["FDecodeParms"] != nil {
            find(.outside)
        }
        let filters = file.resolve(entries["Filter"])
        for filter in filters.array ?? [filters] {
            switch file.resolve(filter).name {
            case "LZWDecode": find(.packing, "LZW")
            case "Crypt": find(.packing, "Crypt")
            default: break
            }
        }
        switch kind {
        case "Image":
            if file.resolve(entries["Interpolate"]).boolean == true { find(.pictures, "Interpolate") }
            for name in ["Alternates", "OPI"] where entries[PDFName(name)] != nil { find(.pictures, name) }
            if part == 1, let mask = entries["SMask"], file.resolve(mask).name != "None" { find(.seeThrough) }
        case "Form":
            for name in ["Ref", "OPI", "PS"] where entries[PDFName(name)] != nil { find(.outside, name) }
            readContent([reference])
        case "PS": find(.outside, "PS")
        default:
            // A pattern that is drawn by instructions.
            if file.resolve(entries["PatternType"]).integer == 1 { readContent([reference]) }
        }
    }

    // MARK: Fonts

    /// Those that some instruction asks for have to be inside.
    private mutating func lookAtFonts() {
        var known: Set<PDFObject> = []
        for name in usedFonts.sorted(by: { $0.text < $1.text }) {
            for font in fonts[name] ?? [] where known.insert(font).inserted { lookAtFont(font) }
        }
    }

    private mutating func lookAtFont(_ object: PDFObject) {
        guard let font = file.dictionary(object) else { return }
        switch file.resolve(font["Subtype"]).name {
        case "Type3": return
        case "Type0":
            for part in file.array(font["DescendantFonts"]).prefix(1) where part != object {
                lookAtFont(part)
            }
        default:
            let says = file.dictionary(font["FontDescriptor"])
            let isInside = ["FontFile", "FontFile2", "FontFile3"].contains { says?[PDFName($0)] != nil }
            if !isInside { find(.fonts, file.resolve(font["BaseFont"]).name?.text ?? "?") }
        }
    }

    // MARK: Colours

    private static func isDevice(_ name: PDFName) -> Bool {
        ["DeviceRGB", "DeviceCMYK", "DeviceGray"].contains(name.text)
    }

    /// Which fonts, and which colours of a device, its instructions use.
    private mutating func readContent(_ streams: [PDFReference]) {
        var bytes: [UInt8] = []
        for stream in streams {
            guard readByteCount < Self.mostContent, let more = file.stream(stream, limit: 64 << 20) else {
                continue
            }
            readByteCount += more.count
            bytes += more
            bytes.append(10)
        }
        for instruction in ContentInstructions(bytes) {
            switch instruction.name {
            case "rg", "RG": deviceColours.insert("DeviceRGB")
            case "k", "K": deviceColours.insert("DeviceCMYK")
            case "g", "G": deviceColours.insert("DeviceGray")
            case "Tf":
                if let name = instruction.operands.first?.name { usedFonts.insert(name) }
            case "cs", "CS":
                if let name = instruction.operands.last?.name, Self.isDevice(name) {
                    deviceColours.insert(name)
                }
            default: break
            }
        }
    }

    private mutating func readPages() {
        for page in file.pages {
            let contents = file.dictionary(.reference(page))?["Contents"]
            let list = file.resolve(contents).array ?? (contents.map { [$0] } ?? [])
            readContent(list.compactMap(\.reference))
        }
    }

    private mutating func compareColours() {
        let intents = file.array(file.catalog["OutputIntents"]).compactMap { file.dictionary($0) }
        let profile = intents.first { file.resolve($0["S"]).name == "GTS_PDFA1" }?["DestOutputProfile"]
        let inks = profile.flatMap { file.dictionary($0) }.flatMap { file.resolve($0["N"]).integer }
        for (device, other, count) in [
            ("DeviceRGB", "DefaultRGB", 3), ("DeviceCMYK", "DefaultCMYK", 4),
            ("DeviceGray", "DefaultGray", nil),
        ] as [(PDFName, PDFName, Int?)] {
            guard deviceColours.contains(device), !defaultColours.contains(other) else { continue }
            let isTold = count.map { $0 == inks } ?? (inks != nil)
            if !isTold { find(.colours, device.text) }
        }
    }

    // MARK: Notes, and what is carried

    private mutating func lookAtNotes(of page: PDFReference) {
        for item in file.array(file.dictionary(.reference(page))?["Annots"]) {
            guard let note = file.dictionary(item), let kind = file.resolve(note["Subtype"]).name?.text else {
                continue
            }
            if ["Sound", "Movie", "Screen", "3D", "RichMedia"].contains(kind) { find(.media, kind) }
            if kind == "FileAttachment", part == 1 { find(.carried) }
            if note["AA"] != nil { find(.actions, "AA") }
            if kind == "Popup" { continue }
            let flags = file.resolve(note["F"]).integer ?? 0
            // Printed, and neither hidden nor shown by chance.
            let unseen = 1 | 2 | 32 | (part > 1 ? 256 : 0)
            let isSettled = flags & 4 != 0 && flags & unseen == 0
            let isStated = note["F"] != nil || (part == 1 && kind == "Link")
            if !isStated || (note["F"] != nil && !isSettled) { find(.hiddenNotes, kind) }
            let box = file.numbers(note["Rect"])
            let isPoint = box.count == 4 && box[0] == box[2] && box[1] == box[3]
            let look = file.dictionary(note["AP"])
            if look?["N"] == nil || look?.keys.contains(where: { $0 != "N" }) == true {
                if kind != "Link", !isPoint || look != nil { find(.looks, kind) }
            }
        }
    }

    private mutating func lookAtCarried(_ entries: PDFDictionary) {
        guard let inside = file.dictionary(entries["EF"]) else { return }
        let name = file.resolve(entries["UF"] ?? entries["F"]).text ?? "?"
        switch part {
        case 1: find(.carried, name)
        case 2:
            guard let place = (inside["F"] ?? inside["UF"])?.reference,
                let bytes = file.stream(place, limit: 256 << 20), PDFTools.claimedArchivePart(bytes) != nil
            else { return find(.carried, name) }
        default:
            if entries["AFRelationship"] == nil || entries["F"] == nil || entries["UF"] == nil {
                find(.carried, name)
            }
        }
    }
}
