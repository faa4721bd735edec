import Access
import App
import Jobs
import Library
import Storage
import Work

// What the desk knows, as the pages' own lines.

extension DocumentLine {
    init(_ document: Document, shares: Int = 0) {
        self.init(
            id: document.id.text, name: document.name, mediaType: document.blob.mediaType,
            byteCount: document.blob.byteCount, addedAt: document.addedAt, addedBy: document.addedByName,
            changedAt: document.changedAt, fileName: document.fileName,
            arrival: document.arrival, shareCount: shares, trashedAt: document.trashedAt,
            hasPages: PaperPages.hasPages(document), isReadable: PaperPages.isReadable(document),
            hasPicture: PaperPages.hasPages(document), isPrepared: PaperPages.isPrepared(document),
            pageCount: document.pageCount, folder: document.folder?.text,
            tags: document.tags, note: document.note,
            people: document.people.map { ($0.name, $0.contact) },
            values: document.values.map { ($0.field, $0.value) }, date: document.date)
    }
}

extension TagsPage.Tag {
    init(_ tag: Tag) {
        self.init(
            id: tag.id.text, lines: Tag.fields.map { SettableLine($0, of: tag) }, name: tag.name,
            count: tag.paperCount)
    }
}

extension FolderLine {
    init(_ node: FolderTree.Node) {
        self.init(
            id: node.folder.id.text, name: node.folder.name, path: node.path, depth: node.depth,
            count: node.totalCount, parent: node.folder.parent?.text,
            isPrivate: node.folder.isPrivate, isLocked: node.isLocked)
    }
}

extension JobLine {
    init(_ job: Job) {
        self.init(
            id: job.id.text, title: job.title, state: State(rawValue: job.state.rawValue) ?? .waiting,
            fraction: job.progress.fraction, phase: job.progress.phase.isEmpty ? nil : job.progress.phase,
            attempt: max(1, job.attempts), at: job.finishedAt ?? job.startedAt ?? job.createdAt,
            note: job.reason)
    }
}

extension ShareLine {
    init(_ link: ShareLink, name: String, address: String? = nil, _ visit: Visit) {
        self.init(
            id: link.id.text, documentID: link.subject.id, documentName: name, note: link.note,
            address: address,
            createdAt: link.madeAt, expiresAt: link.expiresAt, hasPassword: link.needsPassword,
            openings: link.openings, openingLimit: link.maximumOpenings, isViewOnly: link.isViewOnly,
            takesReplies: link.takesReplies,
            state: link.isExpired(at: visit.now) ? .expired : link.isUsedUp ? .usedUp : .active)
    }
}

extension Visit {
    /// How many links lead to each document.
    func shareCounts() throws -> [String: Int] {
        guard let caller else { return [:] }
        return Dictionary(
            try access.shareLinks.list(by: caller).filter { !$0.isExpired(at: now) }.map {
                ($0.subject.id, 1)
            },
            uniquingKeysWith: +)
    }
}
