public import Access
import Bundling
import Bytes
public import Filling
import Library
import People
import SQL
public import Storage
import Tables

extension Bundles {
    /// A bundle to be looked at; nothing else is on the desk before `keep`. One that was kept already, or is being looked
    /// at, is that one.
    public func look(at bytes: [UInt8], isExample: Bool = false, by caller: Caller) throws -> KeptBundle {
        try caller.require(.edit)
        guard bytes.count <= Bundle.longestFile else { throw Failure(BundleError.tooLarge) }
        let (bundle, leftOut) = try Self.read(bytes)
        _ = try view(bundle, leftOut: leftOut)
        let digest = try store.blobs.put(bytes)
        return try store.write { tx in
            let known = try tx.row(
                """
                SELECT * FROM bundle WHERE digest = \(digest) AND removed_at IS NULL
                    AND is_example = \(isExample ? 1 : 0) ORDER BY kept_at IS NULL, id LIMIT 1
                """)
            if let known { return try KeptBundle(known) }
            try tx.keep(digest)
            let id: ID<KeptBundle> = tx.newID()
            try tx.run(
                """
                INSERT INTO bundle (id, digest, byte_count, name, is_example, taken_at, taken_by, taken_by_name, brought)
                VALUES (\(id), \(digest), \(bytes.count), \(bundle.name), \(isExample ? 1 : 0), \(tx.now),
                    \(caller.actor), \(caller.name), \(KeptBundle.Brought().json.text))
                """)
            return try find(id, in: tx)
        }
    }

    /// Puts its forms, mappings and papers on the desk; what is here already is used as it is. Done twice it does nothing
    /// the second time.
    @discardableResult
    public func keep(_ id: ID<KeptBundle>, by caller: Caller) throws -> KeptBundle {
        try caller.require(.edit)
        let kept = try get(id, by: caller)
        guard kept.keptAt == nil else { return kept }
        let bundle = try read(kept).bundle
        var brought = KeptBundle.Brought()
        do {
            for part in bundle.parts { brought.parts.append(try bring(part, of: bundle, by: caller)) }
            return try store.write { tx in
                guard try find(id, in: tx).keptAt == nil else {
                    throw Failure(
                        .conflict, "Somebody else has kept this bundle meanwhile. Load the page again.")
                }
                try tx.run("UPDATE bundle SET kept_at = \(tx.now) WHERE id = \(id)")
                try write(brought, of: id, in: tx)
                tx.note("bundle.kept", "bundle/\(id)", by: caller.actor, ["name": .string(kept.name)])
                return try find(id, in: tx)
            }
        } catch {
            // Half a bundle is of no use, and nobody would know where its forms come from.
            _ = try? takeAway(brought, by: caller)
            throw error
        }
    }

    private func bring(
        _ part: Bundle.Part, of bundle: Bundle, by caller: Caller
    ) throws -> KeptBundle.Brought.Part {
        var brought = KeptBundle.Brought.Part()
        switch part.content {
        case .form(let bytes, let mapping):
            if let here = try template(of: Digest(of: bytes), by: caller) {
                brought.template = here.id
            } else {
                let name = FileName.safe(part.name) + ".pdf"
                brought.template = try templates.take(.bytes(bytes), named: name, by: caller).template.id
                brought.isNew = true
            }
            guard let template = brought.template, let mapping else { break }
            if let here = try mappings.all(of: template, by: caller).first(where: { $0.text == mapping }) {
                brought.mapping = here.id
            } else {
                brought.mapping = try mappings.save(
                    mapping, named: bundle.name, for: template, by: caller
                ).id
                brought.isMappingNew = true
            }
        case .paper(let bytes):
            let added = try documents.add(.bytes(bytes), named: part.name, by: caller)
            brought.document = added.document.id
            if case .added = added { brought.isNew = true }
        case .attachment: break
        }
        return brought
    }

    /// A form with these very bytes that the caller may see.
    private func template(of digest: Digest, by caller: Caller) throws -> Template? {
        let ids = try store.read { desk in
            try desk.rows(
                """
                SELECT t.id FROM template t JOIN template_edition e ON e.template = t.id AND e.number = t.edition
                WHERE e.digest = \(digest) AND t.trashed_at IS NULL ORDER BY t.id
                """
            ).map { try $0.id("id", of: Template.self) }
        }
        for id in ids {
            if let here = try? templates.get(id, by: caller) { return here }
        }
        return nil
    }

    /// A send-out as the bundle says, for people of one's own; `withExamples` for those of the bundle.
    public func begin(
        _ id: ID<KeptBundle>, withExamples: Bool = false, by caller: Caller
    ) throws -> Batch {
        try caller.require(.edit)
        let kept = try get(id, by: caller)
        guard kept.isKept else {
            throw Failure(.conflict, "Keep this bundle first; then a send-out can begin from it.")
        }
        let bundle = try read(kept).bundle
        let view = try view(bundle)
        var draft = BatchDraft(name: bundle.name, naming: view.naming, options: view.options)
        // It reads as it did where it was made.
        if !batches.usualLocale.isEmpty { draft.options.nameLocale() }
        draft.parts = zip(bundle.parts, kept.brought.parts).compactMap { part, brought in
            switch part.content {
            case .form:
                brought.template.map {
                    PacketPart(.template($0, mapping: brought.mapping), condition: part.condition)
                }
            case .paper: brought.document.map { PacketPart(.document($0), condition: part.condition) }
            case .attachment(let pattern):
                PacketPart(.attachment(pattern: pattern), condition: part.condition)
            }
        }
        var list: RecipientList?
        if withExamples, !bundle.rows.isEmpty {
            list = try examples(bundle, by: caller)
            draft.choose(list: list?.id.text)
        }
        let batch = try batches.make(draft, by: caller)
        if let words = view.letter {
            var letter = words
            let now = try sendings.letter(of: batch.id, by: caller)
            letter.version = now.version
            letter.pace.zone = now.pace.zone
            try sendings.save(letter, of: batch.id, by: caller)
        }
        for file in bundle.files {
            try sendings.attach(.bytes(file.bytes), named: file.name, to: batch.id, by: caller)
        }
        try store.write { tx in
            var brought = try find(id, in: tx).brought
            brought.batches.append(batch.id)
            if let list { brought.lists.append(list.id) }
            try write(brought, of: id, in: tx)
        }
        return batch
    }

    private func examples(_ bundle: Bundle, by caller: Caller) throws -> RecipientList {
        let list = try recipients.make(bundle.name, by: caller)
        var table: [UInt8] = []
        try TableWriter.csv(
            columns: bundle.columns.map(\.name), hasMark: false, guardsFormulas: false,
            to: { table.append(contentsOf: $0) }
        ) { add in
            for row in bundle.rows { try add(row.map { Cell($0) }) }
        }
        var settings = ImportSettings()
        settings.options.format = .csv
        settings.options.encoding = "UTF-8"
        settings.options.headerRow = 1
        for column in bundle.columns {
            if let role = column.role.flatMap(ColumnRole.init) { settings.roles[column.name] = .some(role) }
        }
        let arrival = try recipients.take(
            .bytes(table), named: bundle.name + ".csv", into: list.id, settings, by: caller)
        try recipients.apply(arrival.id, by: caller)
        return try recipients.get(list.id, by: caller)
    }

    func write(
        _ brought: KeptBundle.Brought, of id: ID<KeptBundle>, in tx: borrowing Transaction
    ) throws {
        try tx.run("UPDATE bundle SET brought = \(brought.json.text) WHERE id = \(id)")
    }
}
