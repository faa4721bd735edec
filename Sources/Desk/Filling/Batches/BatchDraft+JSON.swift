public import Bytes
import Library
import People
import SigningKeys
public import Storage

extension BatchDraft {
    public var json: JSON {
        [
            "name": .string(name), "list": .optional(list), "audience": .optional(audience),
            "people": people?.json ?? .null,
            "parts": .array(parts.map(\.json)), "naming": .string(naming), "options": options.json,
        ]
    }

    /// What is left out stays as it is in `before`.
    public init(_ json: JSON, changing before: BatchDraft? = nil) throws(Failure) {
        guard json.object != nil else { throw Failure(.invalid, "A batch is described by an object.") }
        self = before ?? BatchDraft(name: "")
        if let given = json["name"]?.string { name = given }
        if let given = json["list"] { choose(list: given.string) }
        if let given = json["audience"] { choose(audience: given.string) }
        if let given = json["people"] { people = try RecipientChoice(given) }
        if let given = json["naming"]?.string { naming = given }
        if let given = json["parts"] {
            guard let items = given.array, items.count <= 64 else {
                throw Failure(.invalid, "The parts are a list of at most 64.", field: "parts")
            }
            var read: [PacketPart] = []
            for item in items { read.append(try PacketPart(item)) }
            parts = read
        }
        if let given = json["options"] { options = try BatchOptions(given, changing: options) }
    }
}

extension PacketPart {
    public var json: JSON {
        switch content {
        case .template(let id, let mapping):
            [
                "kind": "template", "template": .string(id.text), "mapping": .optional(mapping?.text),
                "condition": .string(condition),
            ]
        case .document(let id):
            ["kind": "document", "document": .string(id.text), "condition": .string(condition)]
        case .attachment(let pattern):
            ["kind": "attachment", "pattern": .string(pattern), "condition": .string(condition)]
        }
    }

    public init(_ json: JSON) throws(Failure) {
        switch json["kind"]?.string {
        case "template":
            guard let id = json["template"]?.string.flatMap(ID<Template>.init) else {
                throw Failure(.invalid, "Say which template the part is made from.", field: "parts")
            }
            content = .template(id, mapping: json["mapping"]?.string.flatMap(ID<SavedMapping>.init))
        case "document":
            guard let id = json["document"]?.string.flatMap(ID<Document>.init) else {
                throw Failure(.invalid, "Say which paper of the library the part is.", field: "parts")
            }
            content = .document(id)
        case "attachment":
            guard let pattern = json["pattern"]?.string, !pattern.isEmpty else {
                throw Failure(.invalid, "Say by which name each recipient's paper is found.", field: "parts")
            }
            content = .attachment(pattern: pattern)
        default:
            throw Failure(
                .invalid, "A part is a “template”, a “document” or an “attachment”.", field: "parts")
        }
        condition = json["condition"]?.string ?? ""
    }
}

extension BatchOptions {
    public var json: JSON {
        return [
            "flatten": .bool(flattens), "password": .string(password), "numbering": numbering?.json ?? .null,
            "duplex": .bool(duplex),
            "metadata": [
                "title": .string(metadata.title), "author": .string(metadata.author),
                "subject": .string(metadata.subject), "keywords": .string(metadata.keywords),
            ],
            "overflow": .string(overflow.rawValue), "needsSecondMember": .bool(needsSecondMember),
            "makesDespiteProblems": .bool(makesDespiteProblems), "onlyChanged": .bool(onlyChanged),
            "proof": .bool(proves), "locale": .string(locale), "signer": .optional(signer?.text),
            "timestamp": .optional(timestamp), "proofs": .bool(asksForProofs),
        ]
    }

    public init(_ json: JSON, changing before: BatchOptions = BatchOptions()) throws(Failure) {
        self = before
        if let given = json["flatten"]?.bool { flattens = given }
        if let given = json["password"]?.string { password = given }
        if let given = json["duplex"]?.bool { duplex = given }
        if let given = json["needsSecondMember"]?.bool { needsSecondMember = given }
        if let given = json["makesDespiteProblems"]?.bool { makesDespiteProblems = given }
        if let given = json["onlyChanged"]?.bool { onlyChanged = given }
        if let given = json["proof"]?.bool { proves = given }
        if let given = json["locale"]?.string { locale = given }
        if let given = json["signer"] {
            signer = given.string.flatMap(ID<KeptIdentity>.init)
            // Never unsigned where somebody wanted it signed.
            guard given == .null || signer != nil else {
                throw Failure(
                    .invalid, "There is no such identity. It may have been removed.", field: "signer")
            }
        }
        if let given = json["timestamp"] { timestamp = given == .null ? nil : given.string ?? given.text }
        if let given = json["proofs"]?.bool { asksForProofs = given }
        if let given = json["metadata"] {
            if let text = given["title"]?.string { metadata.title = text }
            if let text = given["author"]?.string { metadata.author = text }
            if let text = given["subject"]?.string { metadata.subject = text }
            if let text = given["keywords"]?.string { metadata.keywords = text }
        }
        if let given = json["overflow"]?.string {
            guard let choice = Overflow(rawValue: given) else {
                throw Failure(.invalid, "Overflow is “shrink” or “continuation”.", field: "overflow")
            }
            overflow = choice
        }
        if let given = json["numbering"] { numbering = try Numbering(given) }
    }
}

extension BatchOptions.Numbering {
    var json: JSON {
        var view: JSON = ["kind": .string(pattern == nil ? "bates" : bates == nil ? "pages" : "both")]
        if let pattern { view["pattern"] = .string(pattern) }
        if let bates {
            view["prefix"] = .string(bates.prefix)
            view["first"] = .int(bates.first)
            view["digits"] = .int(bates.digits)
        }
        return view
    }

    init?(_ json: JSON) throws(Failure) {
        guard let kind = json["kind"]?.string else { return nil }
        guard ["pages", "bates", "both"].contains(kind) else {
            throw Failure(.invalid, "Numbering is “pages”, “bates” or “both”.", field: "numbering")
        }
        let pattern = json["pattern"]?.string ?? "{page} / {pages}"
        let bates = Bates(
            prefix: json["prefix"]?.string ?? "", first: json["first"]?.int ?? 1,
            digits: json["digits"]?.int ?? 6)
        guard kind == "pages" || (1...12).contains(bates.digits) && (0...1_000_000_000).contains(bates.first)
        else {
            throw Failure(
                .invalid, "Numbers begin at 0 or later and have 1 to 12 digits.", field: "numbering")
        }
        self.init(pattern: kind == "bates" ? nil : pattern, bates: kind == "pages" ? nil : bates)
    }

    /// What in braces means nothing would be printed as it stands, on every page.
    func check() throws(Failure) {
        var rest = (pattern ?? "")[...]
        while let open = rest.firstIndex(of: "{") {
            let word = rest[open...].prefix { $0 != "}" }
            guard ["{page", "{pages"].contains(word), word.endIndex < rest.endIndex else {
                throw Failure(
                    .invalid,
                    "The page numbers know {page} and {pages}, not “\(word)\(word.endIndex < rest.endIndex ? "}" : "")”.",
                    field: "numbering")
            }
            rest = rest[word.endIndex...]
        }
    }
}
