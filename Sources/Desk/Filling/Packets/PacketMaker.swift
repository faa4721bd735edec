import Bytes
import Crypto
import Formulas
import Mappings
import PDFForms
import Storage
import Tables
import Transfer
import Work

/// Thinks through and makes the packets of one plan. Everything is read and checked once, here; after that a packet
/// is a pure function of its row, so any number of threads may make packets at the same time, and whoever makes one
/// again gets the same bytes.
final class PacketMaker: Sendable {
    struct Part: Sendable {
        enum Content: Sendable {
            case form(FormPart)
            case paper(Digest, pageCount: Int)
            case attachment(NamePattern)
        }

        var index: Int
        var name: String
        var condition: Formula?
        var content: Content
    }

    let pins: Pins
    let parts: [Part]
    let store: Store
    private let scopes: RowScopes
    private let naming: NamePattern
    private let password: Formula?
    private let metadata: [(put: @Sendable (String, inout DocumentInfo) -> Void, formula: Formula)]
    private let options: [UInt8]
    private let isConditional: Bool
    /// The list says where addresses stand, so that a missing one is worth a word.
    private let hasAddresses: Bool
    /// Where text goes that is too long for its place, when the options say so.
    let continuation: Continuation?

    init(_ pins: Pins, store: Store, shelf: FormShelf) throws {
        self.pins = pins
        self.store = store
        let context = try Self.context(pins)
        parts = try pins.parts.enumerated().map { index, part in
            try Self.part(index, part, pins, context, store, shelf)
        }
        naming = try Self.told("naming") { () throws(MappingProblem) in
            try NamePattern(pins.naming, context: context)
        }
        password = try Self.formula(pins.options.password, "password", context)
        var metadata: [(put: @Sendable (String, inout DocumentInfo) -> Void, formula: Formula)] = []
        func add(_ text: String, _ put: @escaping @Sendable (String, inout DocumentInfo) -> Void) throws {
            if let formula = try Self.formula(text, "metadata", context) { metadata.append((put, formula)) }
        }
        try add(pins.options.metadata.title) { $1.title = $0 }
        try add(pins.options.metadata.author) { $1.author = $0 }
        try add(pins.options.metadata.subject) { $1.subject = $0 }
        try add(pins.options.metadata.keywords) { $1.keywords = $0 }
        self.metadata = metadata
        var formulas = naming.formulas + metadata.map(\.formula)
        if let password { formulas.append(password) }
        for part in parts {
            if let condition = part.condition { formulas.append(condition) }
            if case .attachment(let pattern) = part.content { formulas += pattern.formulas }
        }
        scopes = RowScopes(context, isTyped: false, for: formulas)
        hasAddresses = pins.columns.contains { $0.role == "email" }
        isConditional = parts.contains { $0.condition != nil }
        // What changes the papers without being in their values.
        options = pins.options.contentText.bytes
        continuation = pins.options.overflow == .continuation ? Continuation() : nil
    }

    var hasAttachments: Bool {
        parts.contains { if case .attachment = $0.content { true } else { false } }
    }

    /// What a recipient's packet would be. Nothing is kept of it.
    func think(over row: PacketRow, number: Int) -> Thought {
        var thought = Thought(number: number, row: row)
        let scope = scopes.scope(row.cells, row: number)
        var content = SHA256Stream()
        content.update(options)
        for part in parts where applies(part, scope, &thought.problems) {
            thought.parts.append(part.index)
            content.update(Array("part \(part.index)\n".utf8))
            switch part.content {
            case .form(let form):
                let values = form.mapping.row(row.cells, number: number)
                thought.take(part, form, values, continuation)
                form.hash(values.values, into: &content)
            case .paper(let digest, let pageCount):
                thought.pageCount += pageCount
                content.update(Array(digest.hex.utf8))
            case .attachment(let pattern):
                thought.wanted.append((part.index, fileName(pattern, scope, part.index, &thought.problems)))
            }
        }
        if thought.parts.isEmpty {
            thought.problems.append(
                PacketProblem(
                    .noParts, "No part of the packet is for this recipient: every condition says no."))
        }
        if row.email.isEmpty, hasAddresses {
            thought.problems.append(PacketProblem(.noAddress, "There is no address to write to."))
        } else if !row.email.isEmpty, MailAddress(parsing: row.email) == nil {
            thought.problems.append(PacketProblem(.badAddress, "“\(row.email)” is not a mail address."))
        }
        if let password, (text(password, scope)).isEmpty {
            thought.problems.append(
                PacketProblem(.missingValue, "The formula gives this recipient an empty password."))
        }
        var problems: [MappingProblem] = []
        thought.fileName = naming.path(scope, problems: &problems)
        thought.problems += problems.map { PacketProblem(.formula, "The file name: \($0)") }
        thought.content = Hex.encode(content.finish())
        return thought
    }

    /// The parts of a packet in their order, made and, if asked for, read again.
    func make(
        _ row: PacketRow, number: Int, attachments: [Thought.Attachment], proves: Bool,
        orNothing: Bool = false, extras: DocumentExtras = DocumentExtras()
    ) throws -> PacketParts {
        // Only conditions ask for it here.
        let scope = isConditional ? scope(row, number) : nil
        var made = PacketParts()
        for part in parts where scope.map({ applies(part, $0, &made.problems) }) ?? true {
            switch part.content {
            case .form(let form):
                let values = form.mapping.row(row.cells, number: number)
                var own = isOneForm ? extras : DocumentExtras()
                own.continuation = continuation
                let filled = try form.fill(values.values, own)
                made.problems += form.problems(values, filled.findings, part: part.index)
                if proves {
                    let doubts = form.form.prove(filled, columns: form.columns, row: values.values)
                    if let doubt = doubts.first {
                        throw PacketTrouble("\(part.name): \(doubt.message) It was not kept.")
                    }
                }
                made.papers.append(.filled(part, form, filled, values.values))
            case .paper(let digest, let pageCount):
                made.papers.append(.whole(part, name: part.name, digest, pageCount: pageCount))
            case .attachment:
                for file in attachments where file.part == part.index {
                    made.papers.append(.whole(part, name: file.name, file.digest, pageCount: nil))
                }
            }
        }
        guard orNothing || !made.papers.isEmpty else {
            throw PacketTrouble("No part of the packet is for this recipient.")
        }
        return made
    }

    func scope(_ row: PacketRow, _ number: Int) -> FormulaScope { scopes.scope(row.cells, row: number) }

    /// What goes around the papers instead of into them.
    func outside(_ row: PacketRow, number: Int) -> (info: DocumentInfo, password: String?) {
        guard password != nil || !metadata.isEmpty else { return (DocumentInfo(), nil) }
        let scope = scopes.scope(row.cells, row: number)
        var info = DocumentInfo()
        for (put, formula) in metadata { put(text(formula, scope), &info) }
        return (info, password.map { text($0, scope) })
    }

    /// A single form with nothing that needs the whole of a document: the quick case.
    var isOneForm: Bool {
        guard parts.count == 1, case .form = parts[0].content else { return false }
        return pins.options.numbering == nil
    }

    func applies(_ part: Part, _ scope: FormulaScope, _ problems: inout [PacketProblem]) -> Bool {
        guard let condition = part.condition else { return true }
        do throws(FormulaError) {
            return try condition.value(scope).isYes
        } catch {
            problems.append(
                PacketProblem(.formula, part: part.index, "Whether “\(part.name)” belongs to it: \(error)"))
            return false
        }
    }

    private func fileName(
        _ pattern: NamePattern, _ scope: FormulaScope, _ part: Int, _ problems: inout [PacketProblem]
    ) -> String {
        var found: [MappingProblem] = []
        let name = pattern.path(scope, problems: &found)
        problems += found.map { PacketProblem(.formula, part: part, "\($0)") }
        return name
    }

    private func text(_ formula: Formula, _ scope: FormulaScope) -> String {
        (try? formula.result(scope).shown) ?? ""
    }
}

extension Thought {
    /// A form as it would be filled.
    fileprivate mutating func take(
        _ part: PacketMaker.Part, _ form: FormPart, _ values: CompiledMapping.Row, _ rule: Continuation?
    ) {
        pageCount += form.form.form.pageCount
        do {
            let filled = try form.fill(values.values, DocumentExtras(continuation: rule))
            pageCount += filled.addedPages
            problems += form.problems(values, filled.findings, part: part.index)
        } catch {
            problems += form.problems(values, [], part: part.index)
            problems.append(PacketProblem(.doesNotFit, part: part.index, "Its long texts: \(error)"))
        }
    }
}

/// Why one packet could not be made, in words.
struct PacketTrouble: Error, Sendable {
    var reason: String
    init(_ reason: String) { self.reason = reason }
}

extension FormulaValue {
    /// As a condition: nothing, no and zero are no.
    var isYes: Bool {
        switch self {
        case .blank: false
        case .flag(let flag): flag
        case .number(let number): number.text != "0"
        case .text(let text):
            !["", "no", "n", "false", "0", "-"].contains(
                text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " "))
        case .date: true
        }
    }
}

extension PacketMaker {
    /// What every formula of the plan knows beside the row.
    static func context(_ pins: Pins) throws -> FormulaContext {
        var columns = FormulaColumns(
            pins.columns.map(\.name),
            types: pins.columns.map { column in FormulaType(Cell.Kind(rawValue: column.kind) ?? .text) })
        for (index, column) in pins.columns.enumerated() {
            if let role = column.role.flatMap(ColumnRole.init) { columns.roles[role] = index }
        }
        var locale = FormulaLocale.standard
        if !pins.options.locale.isEmpty {
            guard let known = FormulaLocale(pins.options.locale) else {
                throw Failure(.invalid, "There is no locale “\(pins.options.locale)”.", field: "locale")
            }
            locale = known
        }
        guard let today = WallTime(dateText: pins.today) else {
            throw Failure(.damaged, "What was written down for this batch cannot be read.")
        }
        return FormulaContext(
            columns: columns, locale: locale, today: today, rowCount: pins.rowCount,
            template: pins.templateName)
    }

    private static func part(
        _ index: Int, _ part: Pins.Part, _ pins: Pins, _ context: FormulaContext, _ store: Store,
        _ shelf: FormShelf
    ) throws -> Part {
        let condition = try formula(part.condition, "parts", context)
        let content: Part.Content
        switch part.content {
        case .form(_, _, let digest, let mapping, _):
            let key = FormShelf.Key(
                digest: digest, flattens: pins.options.flattens,
                locks: !pins.options.password.isEmpty && pins.parts.count == 1
                    && pins.options.numbering == nil,
                isForMany: pins.rowCount >= FormShelf.many)
            var context = context
            context.template = part.name
            content = .form(
                try FormPart(
                    name: part.name, digest: digest, form: try shelf.form(key), mapping: mapping,
                    context: context))
        case .paper(_, let digest, let pageCount): content = .paper(digest, pageCount: pageCount)
        case .attachment(let pattern):
            content = .attachment(
                try told("parts") { () throws(MappingProblem) in try NamePattern(pattern, context: context) })
        }
        return Part(index: index, name: part.name, condition: condition, content: content)
    }

    static func formula(_ text: String, _ field: String, _ context: FormulaContext) throws -> Formula? {
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        do throws(FormulaError) {
            let formula = try Formula(text)
            if let problem = formula.check(context).first(where: { !$0.isWarning }) { throw problem }
            return formula.bound(to: context.columns)
        } catch {
            throw Failure(.invalid, "The formula “\(text)”: \(error)", field: field)
        }
    }

    static func told<R>(_ field: String, _ body: () throws(MappingProblem) -> R) throws -> R {
        do throws(MappingProblem) {
            return try body()
        } catch {
            throw Failure(.invalid, "\(error)", field: field)
        }
    }
}

extension BatchOptions {
    /// What the papers depend on beside their values.
    var contentText: JSON {
        var view = json
        for key in ["needsSecondMember", "makesDespiteProblems", "onlyChanged", "proof"] { view[key] = nil }
        return view
    }
}
