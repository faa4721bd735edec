public import Access
import Archives
import Bytes
import Kinds
import SQL
public import Storage
import Transfer
public import Work

extension Documents {
    /// What came of a file that may hold others.
    public struct Unpacked: Sendable, Equatable {
        /// The papers, those first that hold others.
        public var papers: [Added] = []
        /// The folder that was made for them.
        public var folder: ID<Folder>?
        /// What could not be taken out, and why. Then the file that holds it is kept as it is.
        public var left: [Left] = []

        public init(papers: [Added] = []) { self.papers = papers }

        public var documents: [Document] { papers.map(\.document) }
        public var newOnes: [Document] {
            papers.compactMap { if case .added(let document) = $0 { document } else { nil } }
        }
    }

    public struct Left: Sendable, Equatable {
        /// As the archive or the mail calls it.
        public var name: String
        public var reason: String
    }

    /// More papers do not come out of one file; whoever has them unpacks it and brings the folder.
    public static let mostInside = 20_000

    /// Takes a file in. Of an archive the papers in it come in, in its folders; of a mail the mail and, linked to it,
    /// what was attached. What cannot be unpacked is kept as it is.
    public func unpack(
        _ source: Source, named fileName: String, into place: ID<Folder>? = nil, by caller: Caller,
        progress: Progress = Progress()
    ) throws -> Unpacked {
        try caller.require(.edit)
        if let place { _ = try openFolder(place) }
        let (digest, mediaType) = try put(source, named: fileName, progress)
        return try unpack(digest, mediaType, named: fileName, into: place, by: caller, progress)
    }

    /// Takes in a file that lay in folders of somebody's machine: `path` are their names, parted by `/`. They are made
    /// below `place` where they are missing, but not for what the library has already.
    public func bring(
        _ source: Source, named fileName: String, from path: String, into place: ID<Folder>? = nil,
        unpacking: Bool, by caller: Caller, progress: Progress = Progress()
    ) throws -> Unpacked {
        try caller.require(.edit)
        try requirePlan(.save)
        if let place { _ = try openFolder(place) }
        let (digest, mediaType) = try put(source, named: fileName, progress)
        let names = path.split(separator: "/").compactMap { FileName.cleaned(String($0)) }
        // A folder is made once, and thousands of papers may lie in it.
        let (isThere, there) = try store.read { desk in
            let knowing: Query = try shown(to: caller, in: desk).map { " AND " + $0 } ?? ""
            let same = try desk.row(
                "SELECT id FROM document WHERE digest = \(digest) AND trashed_at IS NULL\(knowing) LIMIT 1")
            return (same != nil, same == nil ? try folder(names, below: place, in: desk) : nil)
        }
        let home = isThere ? place : try there ?? makeFolder(names: names, below: place, by: caller)
        return unpacking
            ? try unpack(digest, mediaType, named: fileName, into: home, by: caller, progress)
            : Unpacked(papers: [try take(digest, mediaType, fileName, into: home, by: caller)])
    }

    private func unpack(
        _ digest: Digest, _ mediaType: String, named fileName: String, into place: ID<Folder>?,
        by caller: Caller, _ progress: Progress
    ) throws -> Unpacked {
        guard mediaType == PaperKind.zip.mediaType else {
            let added = try take(digest, mediaType, fileName, into: place, by: caller)
            var unpacked = Unpacked(papers: [added])
            if mediaType == PaperKind.mail.mediaType {
                try takeAttachments(of: added.document, &unpacked, by: caller, progress)
            }
            return unpacked
        }
        var unpacked = Unpacked()
        try takeEntries(
            ofArchive: store.blobs.path(of: digest), named: fileName, into: place, &unpacked, by: caller,
            progress)
        if !unpacked.left.isEmpty || unpacked.papers.isEmpty {
            unpacked.papers.insert(try take(digest, mediaType, fileName, into: place, by: caller), at: 0)
        }
        return unpacked
    }

    /// Takes what an archive or a mail of the library holds out of it; the paper itself stays.
    @discardableResult
    public func unpack(
        _ id: ID<Document>, by caller: Caller, progress: Progress = Progress()
    ) throws -> Unpacked {
        try caller.require(.edit)
        let document = try get(id, by: caller)
        guard !document.isTrashed else { throw inTrash }
        var unpacked = Unpacked()
        switch document.blob.mediaType {
        case PaperKind.zip.mediaType:
            let path = try store.blobs.path(of: document.blob.digest)
            // What lies in it came as it did.
            try arriving(by: document.arrival).takeEntries(
                ofArchive: path, named: document.name, into: document.folder, &unpacked, by: caller, progress)
        case PaperKind.mail.mediaType: try takeAttachments(of: document, &unpacked, by: caller, progress)
        default:
            throw Failure(.unsupported, "Only archives (ZIP) and mails hold other papers.")
        }
        return unpacked
    }

    /// What came with this mail and is in the library still.
    public func attachments(of id: ID<Document>, by caller: Caller) throws -> [Document] {
        try caller.require(.view)
        return try store.read { desk in
            let shown: Query = try shown(to: caller, in: desk).map { " AND " + $0 } ?? ""
            return try desk.rows(
                "SELECT * FROM document WHERE origin = \(id.text) AND trashed_at IS NULL\(shown) ORDER BY added_at, id"
            ).map(Document.init)
        }
    }

    // MARK: Archives

    private func takeEntries(
        ofArchive path: String, named fileName: String, into place: ID<Folder>?, _ unpacked: inout Unpacked,
        by caller: Caller, _ progress: Progress
    ) throws {
        let plan: ArchivePlan
        do {
            plan = try ArchivePlan(path, named: fileName)
        } catch {
            unpacked.left.append(Left(name: fileName, reason: error.description))
            return
        }
        unpacked.left += plan.left
        progress.set(done: 0, total: Int64(max(1, plan.entries.count)))
        var folders: [[String]: ID<Folder>] = [:]
        for item in plan.entries {
            try progress.check()
            progress.phase(item.name)
            do {
                let digest = try store.blobs.put { writer in
                    try plan.archive.stream(item.entry) { try writer.write($0) }
                }
                let home =
                    try folders[item.folders] ?? makeFolder(names: item.folders, below: place, by: caller)
                folders[item.folders] = home
                if let home, unpacked.folder == nil {
                    unpacked.folder = try top(of: home, below: place, by: caller)
                }
                unpacked.papers.append(
                    try take(
                        digest, mediaType(of: digest, named: item.name), item.name, into: home, by: caller))
            } catch let error as ZIPError {
                unpacked.left.append(Left(name: item.entry.name, reason: error.description))
            }
            progress.advance()
        }
    }

    private func take(
        _ digest: Digest, _ mediaType: String, _ name: String, into place: ID<Folder>?,
        origin: ID<Document>? = nil, by caller: Caller
    ) throws -> Added {
        return try store.write { tx in
            let added = try add(
                digest, mediaType, named: name, into: place, knowing: shown(to: caller, in: tx),
                by: caller.actor, calledThen: caller.name, in: tx)
            guard let origin, added.document.origin == nil, added.document.id != origin else { return added }
            try tx.run("UPDATE document SET origin = \(origin.text) WHERE id = \(added.document.id)")
            let linked = try find(added.document.id, in: tx)
            return if case .added = added { .added(linked) } else { .alreadyThere(linked) }
        }
    }

    /// The first of the folders that were made below a place.
    private func top(
        of folder: ID<Folder>, below place: ID<Folder>?, by caller: Caller
    ) throws -> ID<Folder> {
        let way = try folders(by: caller, counting: false).way(to: folder).map(\.folder.id)
        guard let place, let at = way.firstIndex(of: place), at + 1 < way.count else {
            return way.first ?? folder
        }
        return way[at + 1]
    }

    // MARK: Mails

    private func takeAttachments(
        of mail: Document, _ unpacked: inout Unpacked, by caller: Caller, _ progress: Progress
    ) throws {
        let bytes: [UInt8]
        do {
            bytes = try store.blobs.read(mail.blob.digest, atMost: 256 << 20)
        } catch let failure as Failure where failure.code != .damaged {
            unpacked.left.append(Left(name: mail.name, reason: failure.message))
            return
        }
        let attachments = MailFile(bytes).attachments
        progress.set(done: 0, total: Int64(max(1, attachments.count)))
        for (place, attachment) in attachments.enumerated() {
            try progress.check()
            let name = FileName.cleaned(attachment.name) ?? "Attachment \(place + 1)"
            guard !attachment.bytes.isEmpty else {
                unpacked.left.append(Left(name: name, reason: "It is empty."))
                continue
            }
            let digest = try store.blobs.put(attachment.bytes)
            unpacked.papers.append(
                try arriving(by: .mail).take(
                    digest, mediaType(of: digest, named: name), name, into: mail.folder, origin: mail.id,
                    by: caller))
            progress.advance()
        }
    }

    private func openFolder(_ id: ID<Folder>) throws -> Folder {
        let place = try store.read { desk in try folder(id, in: desk) }
        guard place.trashedAt == nil else { throw noFolder }
        return place
    }
}
