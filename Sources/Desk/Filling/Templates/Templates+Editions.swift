public import Access
import Bytes
import Glibc
import Library
import PDF
import PDFForms
import PDFReading
import SQL
public import Storage
import Work

extension Templates {
    /// All files this template has had, the newest first.
    public func editions(_ id: ID<Template>, by caller: Caller) throws -> [TemplateEdition] {
        try caller.require(.view)
        return try store.read { desk in
            _ = try find(id, for: caller, in: desk)
            let rows = try desk.rows(
                """
                SELECT \(TemplateEdition.selection) FROM template_edition e WHERE e.template = \(id)
                ORDER BY e.number DESC
                """)
            return try rows.map(TemplateEdition.init)
        }
    }

    /// Makes an earlier edition the current one again, or a later one after that. Mappings that were written for it
    /// are again as they were then.
    @discardableResult
    public func use(edition number: Int, of id: ID<Template>, by caller: Caller) throws -> Template {
        try change(id, .replaced, by: caller) { template, tx in
            guard template.edition.number != number else { return nil }
            let there = try tx.row(
                "SELECT 1 AS there FROM template_edition WHERE template = \(id) AND number = \(number)")
            guard there != nil else { throw noSuchEdition }
            try tx.run("UPDATE template SET edition = \(number) WHERE id = \(id)")
            try SavedMappings.follow(id, backTo: number, in: tx)
            return ["edition": .int(number), "before": .int(template.edition.number)]
        }
    }

    func edition(_ id: ID<Template>, _ number: Int?, by caller: Caller) throws -> TemplateEdition {
        try caller.require(.view)
        return try store.read { desk in
            let template = try find(id, for: caller, in: desk)
            guard let number, number != template.edition.number else { return template.edition }
            let row = try desk.row(
                """
                SELECT \(TemplateEdition.selection) FROM template_edition e
                WHERE e.template = \(id) AND e.number = \(number)
                """)
            guard let row else { throw noSuchEdition }
            return try TemplateEdition(row)
        }
    }

    var noSuchEdition: Failure { Failure(.notFound, "This template has no such edition.", field: "edition") }

    /// A file that was looked into and lies on the shelf.
    struct Taken {
        var fileName: String
        var digest: Digest
        /// The paper of the library it was.
        var origin: ID<Document>?
        var report: ImportReport
        var form: Form
        var labels: [FieldLabel]
    }

    /// Reads the file before it is kept, so that what is no PDF leaves nothing behind.
    func examined(
        _ source: Source, named given: String?, password: String?, by caller: Caller
    ) throws -> Taken {
        var path: String?
        var fileName = given
        var bytes: [UInt8]
        var origin: ID<Document>?
        switch source {
        case .bytes(let data): bytes = data
        case .file(let file), .upload(let file):
            path = file
            fileName = fileName ?? file.split(separator: "/").last.map(String.init)
            bytes = try Self.explained { try PDFFile.read(file) }
        case .document(let id):
            let (document, file) = try documents.file(id, by: caller)
            fileName = fileName ?? document.fileName
            origin = id
            bytes = try Self.explained { try PDFFile.read(file) }
        }
        guard bytes.count <= Self.longestFile else {
            throw Failure(
                .tooLarge, "A template may have up to \(Self.longestFile >> 20) megabytes.", field: "file")
        }
        let form: Form
        var wasLocked = false
        (bytes, form, wasLocked) = try Self.opened(bytes, password)
        if wasLocked { path = nil }
        let digest: Digest
        if case .upload(let upload) = source {
            digest = try path.map { try store.blobs.put(moving: $0) } ?? store.blobs.put(bytes)
            if path == nil { unlink(upload) }
        } else {
            digest = try store.blobs.put(bytes)
        }
        return Taken(
            fileName: fileName.flatMap(FileName.cleaned) ?? FileName.unnamed, digest: digest, origin: origin,
            report: ImportReport(form, wasLocked: wasLocked), form: form,
            labels: try Self.explained {
                FieldLabels(of: form, in: try PDFFile(bytes: bytes), reader: reader()).all
            })
    }

    /// A form that opens only with a password is kept without it: nobody could fill it otherwise.
    private static func opened(
        _ bytes: [UInt8], _ password: String?
    ) throws -> (bytes: [UInt8], form: Form, wasLocked: Bool) {
        guard bytes.prefix(1024).contains(UInt8(ascii: "%")) else {
            throw Failure(.unsupported, "This is no PDF. Save the form as a PDF and add that.", field: "file")
        }
        return try explained {
            guard let password, !password.isEmpty else { return (bytes, try Form(bytes: bytes), false) }
            let file = try PDFFile(bytes: bytes, password: password)
            guard file.encryption != nil else { return (bytes, try Form(bytes: bytes), false) }
            let unlocked = try file.rewritten()
            var form = try Form(bytes: unlocked)
            // What the password did not allow, taking it off does not allow either.
            form.mayFill = file.encryption?.mayFillForms ?? true
            return (unlocked, form, true)
        }
    }

    func findTwins(
        of taken: inout Taken, except id: ID<Template>?, for caller: Caller, in tx: borrowing Transaction
    ) throws {
        let shown = try shown(to: caller, in: tx)
        let rows = try tx.rows(
            """
            SELECT t.id, t.name FROM template_edition e JOIN template t ON t.id = e.template AND t.edition = e.number
            WHERE e.digest = \(taken.digest) AND t.trashed_at IS NULL AND \(shown) ORDER BY t.id
            """)
        taken.report.twins = try rows.map {
            ImportReport.Twin(id: try $0.id("id"), name: try $0.text("name"))
        }
        .filter { $0.id != id }
        taken.report.remarks.removeAll { $0.kind == .duplicate }
        if let twin = taken.report.twins.first {
            taken.report.remarks.append(
                ImportReport.Remark(
                    kind: .duplicate, message: "The very same file is here already, as “\(twin.name)”."))
        }
    }

    func add(
        _ taken: Taken, as number: Int, of id: ID<Template>, by caller: Caller, in tx: borrowing Transaction
    ) throws {
        let byteCount = try tx.keep(taken.digest)
        try tx.run(
            """
            INSERT INTO template_edition (template, number, digest, byte_count, file_name, page_count, field_count,
                can_be_filled, report, labels, added_at, added_by, added_by_name, origin)
            VALUES (\(id), \(number), \(taken.digest), \(byteCount), \(taken.fileName), \(taken.report.pageCount),
                \(taken.report.fieldCount), \(taken.report.canBeFilled), \(taken.report.json.text),
                \(JSON.array(taken.labels.map(\.kept)).text), \(tx.now),
                \(caller.actor), \(caller.name), \(taken.origin?.text))
            """)
    }
}
