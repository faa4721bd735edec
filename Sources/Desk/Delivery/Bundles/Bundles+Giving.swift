public import Access
public import Bundling
import Bytes
public import Filling
import Formulas
import Library
import Mappings
import PDFForms
import People
public import Storage
public import Tables
import Transfer

extension Bundles {
    /// What of a send-out does not go along.
    public enum HeldBack: String, Sendable, CaseIterable {
        /// Addresses that somebody typed, instead of a column's.
        case addresses
        /// From whom the letter is, and where answers go.
        case sender
        /// A password that is the same for everybody.
        case password
    }

    /// A send-out as a bundle. Rows of its own list go along only as many as somebody has asked for; without, the
    /// columns have examples of people there are not.
    public func bundle(
        of id: ID<Batch>, realRows: Int = 0, by caller: Caller
    ) throws -> (bundle: Bundle, heldBack: Set<HeldBack>) {
        let batch = try batches.get(id, by: caller)
        guard (0...Bundle.mostRows).contains(realRows) else {
            throw Failure(
                .invalid, "A bundle takes up to \(Bundle.mostRows) rows of a list.", field: "realRows")
        }
        guard !batch.draft.parts.isEmpty else {
            throw Failure(.conflict, "This send-out has no papers yet. Choose a form first.")
        }
        var bundle = Bundle(name: batch.name)
        var heldBack: Set<HeldBack> = []
        bundle.parts = try batch.draft.parts.map { try part($0, by: caller) }
        bundle.naming = batch.draft.naming
        var options = batch.draft.options
        // Nobody has had anything from whoever takes it in.
        options.onlyChanged = false
        options.leaveUnsigned()
        if options.dropSharedPassword() { heldBack.insert(.password) }
        bundle.options = options.json.object ?? [:]
        try put(letterOf: id, into: &bundle, &heldBack, by: caller)
        try put(peopleOf: batch, into: &bundle, realRows: realRows, by: caller)
        return (bundle, heldBack)
    }

    /// The file, and what to call it.
    public func file(
        of id: ID<Batch>, realRows: Int = 0, by caller: Caller
    ) throws -> (bytes: [UInt8], name: String) {
        let bundle = try bundle(of: id, realRows: realRows, by: caller).bundle
        let bytes = try bundle.bytes()
        guard bytes.count <= Bundle.longestFile else {
            throw Failure(
                .tooLarge, "This bundle is larger than one may be. Leave large papers out of the send-out.")
        }
        return (bytes, bundle.name + Bundle.ending)
    }

    /// The same to look at.
    public func preview(
        of id: ID<Batch>, realRows: Int = 0, by caller: Caller
    ) throws -> (view: BundleView, heldBack: Set<HeldBack>) {
        let (bundle, heldBack) = try bundle(of: id, realRows: realRows, by: caller)
        return (try view(bundle), heldBack)
    }

    private func part(_ part: PacketPart, by caller: Caller) throws -> Bundle.Part {
        switch part.content {
        case .template(let id, let mapping):
            let template = try templates.get(id, by: caller)
            let bytes = try store.blobs.read(template.edition.blob.digest, atMost: Templates.longestFile)
            return Bundle.Part(
                template.name,
                .form(bytes, mapping: try mapping.map { try mappings.get($0, by: caller).text }),
                condition: part.condition)
        case .document(let id):
            let document = try documents.get(id, by: caller)
            let bytes = try store.blobs.read(document.blob.digest, atMost: Templates.longestFile)
            return Bundle.Part(document.name, .paper(bytes), condition: part.condition)
        case .attachment(let pattern):
            return Bundle.Part(pattern, .attachment(pattern: pattern), condition: part.condition)
        }
    }

    private func put(
        letterOf id: ID<Batch>, into bundle: inout Bundle, _ heldBack: inout Set<HeldBack>,
        by caller: Caller
    ) throws {
        var letter = try sendings.letter(of: id, by: caller)
        guard letter.version > 0 else { return }
        if !letter.sender.isEmpty || !letter.replyTo.isEmpty { heldBack.insert(.sender) }
        if letter.dropAddresses() { heldBack.insert(.addresses) }
        bundle.files = try letter.files.map { file in
            Bundle.File(file.name, try store.blobs.read(file.digest, atMost: Templates.longestFile))
        }
        var words = letter.json.object ?? [:]
        for key in BatchLetter.ownWords { words[key] = nil }
        bundle.letter = words
    }

    private func put(
        peopleOf batch: Batch, into bundle: inout Bundle, realRows: Int, by caller: Caller
    ) throws {
        guard let id = batch.draft.list.flatMap({ ID<RecipientList>($0) }) else { return }
        let list = try recipients.get(id, by: caller)
        bundle.columns = list.columns.map { Bundle.Column($0.name, role: $0.role?.rawValue) }
        if realRows > 0 {
            bundle.rows = try recipients.page(id, .init(limit: realRows), by: caller).recipients.map {
                $0.cells.map(\.shown)
            }
            bundle.hasRealRows = true
        } else {
            bundle.invent(kinds: list.columns.map(\.kind))
        }
    }
}

extension BatchLetter {
    /// Columns stand for whoever is on the list. An address, or a formula that may hold one, is somebody there is, and would
    /// get what was made for people who have never heard of them. True when something went.
    mutating func dropAddresses() -> Bool {
        var hasDropped = false
        for line in [\BatchLetter.to, \.copies, \.blindCopies] {
            let before = MailAddress.parts(of: self[keyPath: line])
            let columns = before.filter {
                $0.contains("{{") && !$0.contains("{{=") && !$0.contains("@")
            }
            guard columns.count < before.count else { continue }
            self[keyPath: line] = columns.joined(separator: ", ")
            hasDropped = true
        }
        return hasDropped
    }
}

extension BatchOptions {
    /// One that does not come from a column is known to whoever chose it. True when there was one.
    mutating func dropSharedPassword() -> Bool {
        guard !password.isEmpty, !password.contains("{") else { return false }
        password = ""
        return true
    }
}

extension Bundle {
    /// Three people there are not, with words that the forms take.
    public mutating func invent(kinds: [Cell.Kind] = []) {
        let (choices, longest) = limitsOfColumns
        rows = (0..<3).map { row in
            columns.enumerated().map { place, column in
                Invented.cell(
                    of: column.name, kind: kinds.indices.contains(place) ? kinds[place] : .text, row: row,
                    choices: choices[column.name] ?? [], longest: longest[column.name] ?? .max)
            }
        }
    }

    /// What may stand in a column that goes into a field as it is: one of the field's choices, no more than it holds.
    private var limitsOfColumns: (choices: [String: [String]], longest: [String: Int]) {
        var choices: [String: [String]] = [:]
        var longest: [String: Int] = [:]
        for case .form(let bytes, let text) in parts.map(\.content) {
            guard let form = try? Form(bytes: bytes), let mapping = try? Mapping(parsing: text ?? "") else {
                continue
            }
            let fields = form.fields.map { FieldFacts($0) }
            var sources = mapping.entries.map { ($0.field, $0.source) }
            if !mapping.keepsOthers {
                sources += mapping.suggestions(fields, columnFacts).filter(\.isConfident).map {
                    ($0.field, $0.source)
                }
            }
            for (name, source) in sources {
                guard case .column(let column) = source, choices[column] == nil,
                    let field = fields.first(where: { $0.name == name })
                else { continue }
                if let most = field.maximumLength, most > 0 {
                    longest[column] = min(most, longest[column] ?? most)
                }
                let decided = mapping.answers(for: name).map(\.word)
                let words: [String] =
                    switch field.kind {
                    case .checkBox: ["yes", "no"]
                    case .radio: field.states.filter { $0 != "Off" }
                    case .combo, .list: field.options.map(\.display)
                    default: []
                    }
                let taken = decided.isEmpty ? words : decided
                if !taken.isEmpty { choices[column] = taken.filter { !$0.isEmpty } }
            }
        }
        return (choices, longest)
    }
}
