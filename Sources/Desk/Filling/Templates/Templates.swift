public import Access
import Bytes
public import Library
import PDF
import PDFForms
public import PDFReading
import SQL
public import Storage
public import Work

/// The forms that packets are made from.
///
/// ```swift
/// let (template, report) = try templates.take(.upload(path), named: "Consent form.pdf", by: caller)
/// for field in try templates.fields(template.id, by: caller) { … }
/// ```
public struct Templates: Sendable {
    /// A form larger than this is no form.
    public static let longestFile = 64 << 20

    /// What happened here, after it was saved; on the thread that did it.
    public let changes = Broadcast<TemplateChange>()
    let access: Gate
    let documents: Documents
    let shelf: FormShelf
    let reader: @Sendable () -> PageReader?
    var store: Store { access.store }

    /// `reader` looks at pages; it is asked for at the first use, as finding out what it may do takes a moment.
    public init(
        _ access: Gate, documents: Documents, reader: @escaping @Sendable () -> PageReader? = { nil }
    ) {
        self.access = access
        self.documents = documents
        shelf = FormShelf(access.store)
        self.reader = reader
    }

    public enum Source: Sendable {
        case bytes([UInt8])
        /// Copied; stays where it is.
        case file(String)
        /// Taken over, as an upload that has arrived.
        case upload(String)
        /// A paper of the library, which stays there.
        case document(ID<Document>)
    }

    /// Takes in a form and says what was found in it. Only what cannot be opened at all is refused; a form that
    /// cannot be filled is kept, and the report says why and what helps. The name is the file's, without its ending.
    public func take(
        _ source: Source, named fileName: String? = nil, folder: String = "", password: String? = nil,
        by caller: Caller
    ) throws -> (template: Template, report: ImportReport) {
        try caller.require(.edit)
        var taken = try examined(source, named: fileName, password: password, by: caller)
        let name = Self.name(ofFile: taken.fileName)
        let folder = try Self.folder(folder)
        return try store.write { tx in
            try requireRoom(for: 1, in: tx)
            try findTwins(of: &taken, except: nil, for: caller, in: tx)
            let id: ID<Template> = tx.newID()
            try tx.run(
                """
                INSERT INTO template (id, name, name_order, name_search, folder, edition, added_at, added_by,
                    added_by_name, changed_at)
                VALUES (\(id), \(name), \(FileName.order(name)), \(FileName.search(name)), \(folder), 1,
                    \(tx.now), \(caller.actor), \(caller.name), \(tx.now))
                """)
            try add(taken, as: 1, of: id, by: caller, in: tx)
            let template = try find(id, in: tx)
            record(.added, template, by: caller.actor, ["digest": .string(taken.digest.hex)], in: tx)
            return (template, taken.report)
        }
    }

    public func get(_ id: ID<Template>, by caller: Caller) throws -> Template {
        try caller.require(.view)
        return try store.read { desk in try find(id, for: caller, in: desk) }
    }

    /// What was found when this edition was taken in; the current one unless told otherwise.
    public func report(_ id: ID<Template>, edition: Int? = nil, by caller: Caller) throws -> ImportReport {
        try caller.require(.view)
        return try store.read { desk in
            let template = try find(id, for: caller, in: desk)
            let number = edition ?? template.edition.number
            let row = try desk.row(
                "SELECT report FROM template_edition WHERE template = \(id) AND number = \(number)")
            guard let row else { throw noSuchEdition }
            return ImportReport(kept: try row.json("report"))
        }
    }

    /// The template and where the bytes of an edition lie, for sending them.
    public func file(
        _ id: ID<Template>, edition: Int? = nil, by caller: Caller
    ) throws -> (edition: TemplateEdition, path: String) {
        let found = try self.edition(id, edition, by: caller)
        return (found, try store.blobs.path(of: found.blob.digest))
    }

    @discardableResult
    public func rename(_ id: ID<Template>, to name: String, by caller: Caller) throws -> Template {
        guard let name = FileName.cleaned(FileName.safe(name)) else {
            throw Failure(.invalid, "A template needs a name.", field: "name")
        }
        return try change(id, .renamed, by: caller) { template, tx in
            guard template.name != name else { return nil }
            try tx.run(
                """
                UPDATE template SET name = \(name), name_order = \(FileName.order(name)),
                    name_search = \(FileName.search(name)) WHERE id = \(id)
                """)
            return ["before": .string(template.name)]
        }
    }

    /// Puts a template into a folder, which is made by being named: `School/2026`. Empty takes it out of all.
    @discardableResult
    public func move(_ id: ID<Template>, to folder: String, by caller: Caller) throws -> Template {
        let folder = try Self.folder(folder)
        return try change(id, .moved, by: caller) { template, tx in
            guard template.folder != folder else { return nil }
            try tx.run("UPDATE template SET folder = \(folder) WHERE id = \(id)")
            return ["before": .string(template.folder), "folder": .string(folder)]
        }
    }

    /// Takes a template away; `restore` brings it back, with its mappings. Batches that use it say so when they
    /// are planned; packets made already can still be made again.
    @discardableResult
    public func trash(_ id: ID<Template>, by caller: Caller) throws -> Template {
        try change(id, .trashed, allowsTrashed: true, by: caller) { template, tx in
            guard !template.isTrashed else { return nil }
            try tx.run("UPDATE template SET trashed_at = \(tx.now) WHERE id = \(id)")
            return [:]
        }
    }

    @discardableResult
    public func restore(_ id: ID<Template>, by caller: Caller) throws -> Template {
        try change(id, .restored, allowsTrashed: true, by: caller) { template, tx in
            guard template.isTrashed else { return nil }
            try requireRoom(for: 1, in: tx)
            try tx.run("UPDATE template SET trashed_at = NULL WHERE id = \(id)")
            return [:]
        }
    }

    /// Removes a template that lies in the trash for good.
    public func purge(_ id: ID<Template>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            let template = try find(id, for: caller, in: tx)
            guard template.isTrashed else {
                throw Failure(.conflict, "Only what lies in the trash can be removed for good.")
            }
            try remove(template, by: caller.actor, in: tx)
        }
    }

    /// Removes what has lain in the trash long enough. Run by Quire itself, once a day; the number removed.
    @discardableResult
    public func purgeTrash(after time: Duration = Documents.usualTrashTime) throws -> Int {
        try store.write { tx in
            let old = try tx.rows(
                """
                SELECT t.*, \(TemplateEdition.selection) \(Self.origin)
                WHERE t.trashed_at IS NOT NULL AND t.trashed_at <= \(tx.now - time)
                """
            ).map(Template.init)
            for template in old { try remove(template, by: "quire/purge", in: tx) }
            return old.count
        }
    }
}

extension Templates {
    static let origin: Query =
        "FROM template t JOIN template_edition e ON e.template = t.id AND e.number = t.edition"

    func find(_ id: ID<Template>, in desk: borrowing some Readable & ~Copyable) throws -> Template {
        let row = try desk.row(
            "SELECT t.*, \(TemplateEdition.selection) \(Self.origin) WHERE t.id = \(id)")
        guard let row else {
            throw Failure(.notFound, "There is no such template. It may have been removed.")
        }
        return try Template(row)
    }

    /// The template of an id, for somebody who may see the papers it was made of.
    func find(
        _ id: ID<Template>, for caller: Caller, in desk: borrowing some Readable & ~Copyable
    ) throws -> Template {
        let template = try find(id, in: desk)
        let shown = try shown(to: caller, in: desk)
        guard try desk.row("SELECT 1 AS n FROM template t WHERE id = \(id) AND \(shown)") != nil else {
            throw documents.isPrivate
        }
        return template
    }

    /// Those this caller may see, as a condition on `t`.
    func shown(to caller: Caller, in desk: borrowing some Readable & ~Copyable) throws -> Query {
        guard let papers = try documents.hiddenPapers(from: caller, in: desk) else { return "1 = 1" }
        return "t.id NOT IN (SELECT template FROM template_edition WHERE origin IN (\(papers)))"
    }

    /// Which of these were made of papers that lie where this caller may not look.
    public func hidden(
        among ids: some Sequence<ID<Template>>, from caller: Caller
    ) throws -> Set<ID<Template>> {
        try store.read { desk in try hidden(among: ids, from: caller, in: desk) }
    }

    func hidden(
        among ids: some Sequence<ID<Template>>, from caller: Caller,
        in desk: borrowing some Readable & ~Copyable
    ) throws -> Set<ID<Template>> {
        let shown = try shown(to: caller, in: desk)
        return Set(
            try desk.rows(
                "SELECT id FROM template t WHERE \(Query.column("t.id", in: ids.map(\.text))) AND NOT (\(shown))"
            ).map { try $0.id("id") })
    }

    /// One change to a template that is there. The body gives back what the journal should know, nil when there was
    /// nothing to do.
    func change(
        _ id: ID<Template>, _ act: TemplateChange.Act, allowsTrashed: Bool = false, by caller: Caller,
        _ body: (Template, borrowing Transaction) throws -> JSONObject?
    ) throws -> Template {
        try caller.require(.edit)
        return try store.write { tx in
            let template = try find(id, for: caller, in: tx)
            guard allowsTrashed || !template.isTrashed else {
                throw Failure(.conflict, "This template lies in the trash. Bring it back first.")
            }
            guard let detail = try body(template, tx) else { return template }
            try tx.run("UPDATE template SET changed_at = \(tx.now) WHERE id = \(id)")
            let changed = try find(id, in: tx)
            record(act, changed, by: caller.actor, detail, in: tx)
            return changed
        }
    }

    func record(
        _ act: TemplateChange.Act, _ template: Template, by actor: String, _ detail: JSONObject = [:],
        in tx: borrowing Transaction
    ) {
        var detail = detail
        detail["name"] = .string(template.name)
        tx.note("template.\(act.rawValue)", "template/\(template.id)", by: actor, .object(detail))
        let change = TemplateChange(act: act, template: template)
        tx.afterCommit { [changes] in changes.send(change) }
    }

    func remove(_ template: Template, by actor: String, in tx: borrowing Transaction) throws {
        try tx.run("DELETE FROM mapping WHERE template = \(template.id)")
        try tx.run("DELETE FROM template_edition WHERE template = \(template.id)")
        try tx.run("DELETE FROM template WHERE id = \(template.id)")
        record(.purged, template, by: actor, in: tx)
    }

    func requireRoom(for more: Int, in tx: borrowing Transaction) throws {
        try access.entitlements.require(.templates(try Self.count(in: tx) + more))
    }

    /// Those that are kept, which is what a plan counts.
    public static func count(in desk: borrowing some Readable & ~Copyable) throws -> Int {
        try desk.row("SELECT count(*) AS n FROM template WHERE trashed_at IS NULL")?.int("n") ?? 0
    }

    /// What a file is called, as a name for people: without its ending, and underlines read as spaces.
    static func name(ofFile fileName: String) -> String {
        var name = fileName
        if FileName.ending(of: name) == "pdf" { name = String(name.dropLast(4)) }
        if !name.contains(" ") { name = String(name.map { $0 == "_" ? " " : $0 }) }
        return FileName.cleaned(name) ?? FileName.unnamed
    }

    /// A path of clean names, however it was typed.
    static func folder(_ text: String) throws -> String {
        let names = text.split(separator: "/").compactMap { FileName.cleaned(String($0)) }
        let path = names.joined(separator: "/")
        guard path.unicodeScalars.count <= 400, names.count <= 12 else {
            throw Failure(
                .invalid, "The folder's name is too long. Use fewer or shorter names.", field: "folder")
        }
        return path
    }

    /// What the PDF rooms found, in the desk's words.
    public static func explained<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as PDFError {
            throw Failure(error)
        } catch let error as FormError {
            throw Failure(.unsupported, "\(error)")
        } catch let error as ReadingError {
            throw Failure(error)
        }
    }
}
