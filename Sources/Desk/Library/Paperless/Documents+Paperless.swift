public import Access
import Archives
import Bytes
import Kinds
import SQL
public import Storage
public import Work

extension Documents {
    /// The text field in which the desk writes what Paperless-ngx calls a document type.
    public static let documentTypeField = "Document type"
    /// And the number on the paper original in somebody's folder.
    public static let serialNumberField = "Archive serial number"

    /// Which papers came by an import, so that the next one of the same library brings only what is new and changes
    /// nothing that was changed here since.
    static let paperlessTables = Migration(
        "paperless",
        script: """
            CREATE TABLE paperless_paper (
                source TEXT NOT NULL PRIMARY KEY,
                document TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE
            );
            CREATE INDEX paperless_paper_of ON paperless_paper (document);
            """)

    /// Takes in what Paperless-ngx exported: papers with their titles, days, tags, correspondents (people here), document
    /// types and custom fields (fields here), storage paths (folders here) and notes. Where Paperless made an archive
    /// version, the original is the first version and the archive version the second; a signed original comes first again
    /// after it. Doing it again brings what is new.
    public func take(
        _ export: PaperlessExport, into place: ID<Folder>? = nil, by caller: Caller,
        progress: Progress = Progress()
    ) throws -> PaperlessReport {
        try caller.require(.edit)
        if let place, try store.read({ desk in try folder(place, in: desk).trashedAt }) != nil {
            throw noFolder
        }
        var report = PaperlessReport()
        progress.set(done: 0, total: Int64(max(1, export.papers.count)))
        let labels = try PaperlessLabels(export, fields: fields(by: caller))
        for name in labels.neededFields(knownTo: try fields(by: caller)) {
            try addField(named: name.name, name.kind, by: caller)
        }
        for paper in export.papers {
            try progress.check()
            progress.phase(paper.title)
            do {
                try take(paper, of: export, labels, into: place, &report, by: caller, progress)
            } catch let failure as Failure where ![.cancelled, .full, .damaged].contains(failure.code) {
                report.left.append(Left(name: paper.title, reason: failure.message))
            } catch let error as ZIPError {
                report.left.append(Left(name: paper.title, reason: error.description))
            }
            progress.advance()
        }
        let there = Set(try savedSearches(by: caller).map { $0.name.lowercased() })
        for search in export.searches where !there.contains(search.name.lowercased()) {
            try saveSearch(search.words, as: search.name, by: caller)
            report.searchCount += 1
        }
        report.others = export.others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return report
    }

    private func take(
        _ paper: PaperlessExport.Paper, of export: PaperlessExport, _ labels: PaperlessLabels,
        into place: ID<Folder>?, _ report: inout PaperlessReport, by caller: Caller, _ progress: Progress
    ) throws {
        let name = paper.title.isEmpty ? FileName.unnamed : paper.title
        guard !paper.isDeleted else {
            return report.left.append(Left(name: name, reason: "It lay in the trash of Paperless."))
        }
        guard let original = paper.original else {
            return report.left.append(
                Left(name: name, reason: "The export was made without files (--data-only)."))
        }
        let digest = try put(original, of: export, progress)
        let source = "\(digest.hex)/\(paper.number)"
        let known = try store.read { desk in
            try desk.row(
                """
                SELECT document.* FROM paperless_paper JOIN document ON document.id = paperless_paper.document
                WHERE source = \(source)
                """
            ).map(Document.init)
        }
        if let known {
            report.knownCount += 1
            if known.isTrashed {
                report.left.append(
                    Left(name: name, reason: "It was thrown away here, and stays in the trash."))
            }
            return
        }
        let filing = try labels.filing(of: paper, into: place) { names in
            try makeFolder(names: names, below: place, by: caller)
        }
        let mediaType = try PaperKind.mediaType(ofFile: store.blobs.path(of: digest), named: original)
        let added = try store.write { tx in
            let title = FileName.title(name)
            return try arriving(by: .paperless).add(
                digest, mediaType, named: title ?? FileName.unnamed, into: filing.folder ?? place,
                by: caller.actor, calledThen: caller.name, in: tx)
        }
        if let archive = paper.archive, case .added(let document) = added {
            try takeArchive(archive, of: document, export, by: caller, progress)
            report.archiveCount += 1
        }
        try store.write { tx in
            let document = try find(added.document.id, in: tx)
            _ = try file(
                document, as: labels.missing(filing, on: document), actor: caller.actor, in: tx)
            try tx.run(
                "INSERT INTO paperless_paper (source, document) VALUES (\(source), \(document.id)) ON CONFLICT (source) DO UPDATE SET document = excluded.document"
            )
            tx.note(
                "document.imported", "document/\(document.id)", by: caller.actor,
                ["name": .string(document.name), "from": "Paperless-ngx"])
        }
        if case .added = added {
            report.addedCount += 1
        } else {
            report.knownCount += 1
            report.labelledCount += 1
        }
    }

    private func put(_ name: String, of export: PaperlessExport, _ progress: Progress) throws -> Digest {
        try store.blobs.put { writer in
            try export.files.read(name) { piece in
                try progress.check()
                try writer.write(piece)
            }
        }
    }

    /// What Paperless made of the original. Recognising words in a signed paper ends its signatures: there the original is
    /// made the newest again.
    private func takeArchive(
        _ name: String, of document: Document, _ export: PaperlessExport, by caller: Caller,
        _ progress: Progress
    ) throws {
        let digest = try put(name, of: export, progress)
        let mediaType = try PaperKind.mediaType(ofFile: store.blobs.path(of: digest), named: name)
        let isSigned = try !signers(of: document).isEmpty
        try store.write { tx in
            _ = try revise(
                document.id, with: digest, mediaType, note: "Archive version made by Paperless-ngx",
                by: caller.actor, calledThen: caller.name, in: tx)
            guard isSigned else { return }
            _ = try revise(
                document.id, with: document.blob.digest, document.blob.mediaType,
                note: "The signed original again", by: caller.actor, calledThen: caller.name, in: tx)
        }
    }
}
