import Access
import SQL
import Storage
import Work

// What was done with folders in the mirror's folder.

extension MirrorRound {
    /// Folders that were made or renamed there; those that are gone come last, when it shows what became of their papers.
    func takeInFolders() throws {
        var lost: [Int64: Thing] = [:]
        for thing in memory.folders.values where isMissing(thing) { lost[thing.node] = thing }
        let new = disk.folders.keys.filter { memory.folderAt[$0] == nil }
            .sorted { (depth($0), $0) < (depth($1), $1) }
        for path in new {
            // With the folder it lies in, its own way may have become known.
            guard memory.folderAt[path] == nil else { continue }
            do {
                if let node = disk.folders[path], let thing = lost[node].flatMap({ memory.folders[$0.id] }),
                    isMissing(thing)
                {
                    try moved(thing, to: path)
                } else {
                    _ = try folder(at: path)
                }
            } catch let failure as Failure {
                trouble(path, failure.message)
            }
        }
    }

    func isMissing(_ thing: Thing) -> Bool {
        disk.folders[thing.path] == nil && !disk.isClosed(thing.path)
    }

    private func depth(_ path: String) -> Int { path.count { $0 == "/" } }

    private func moved(_ thing: Thing, to path: String) throws {
        var thing = thing
        var isTaken = false
        if let id = ID<Folder>(thing.id), let folder = tree[id]?.folder, folder.name == thing.name,
            (folder.parent?.text ?? "") == thing.place
        {
            let leaf = MirrorName.last(path)
            let name = leaf == MirrorName.last(thing.path) ? nil : FileName.title(leaf)
            let parent = try self.folder(at: MirrorName.place(of: path))
            try mirror.step()
            do {
                let changed = try documents.changeFolder(id, name: name, parent: .some(parent), by: .local)
                (thing.name, thing.place) = (changed.name, changed.parent?.text ?? "")
                isTaken = true
                tell(.renamed, path, thing.path)
            } catch let failure as Failure {
                trouble(path, failure.message)
            }
            tree = try documents.folders(by: .local, counting: false)
        }
        try write { tx, memory in
            guard let before = memory.folders[thing.id] else { return }
            try memory.move(before, to: path, in: tx)
            // It goes back to where the library has it, under the name it has there.
            if !isTaken { thing.name = "" }
            thing.path = path
            try memory.put(thing, in: tx)
        }
        if !isTaken { acts += 1 }
    }

    /// The folder of the library for one there, made when there is none.
    func folder(at path: String) throws -> ID<Folder>? {
        guard !path.isEmpty else { return nil }
        if let twin = twins[path] { return twin }
        if let known = memory.folderAt[path].flatMap({ ID<Folder>($0) }), tree[known] != nil { return known }
        let parent = try folder(at: MirrorName.place(of: path))
        let name = FileName.title(MirrorName.last(path)) ?? FileName.unnamed
        let there = tree.children(of: parent).first {
            FileName.order($0.folder.name) == FileName.order(name)
        }
        let folder: Folder
        if let there {
            folder = there.folder
        } else {
            try mirror.step()
            folder = try documents.makeFolder(named: name, in: parent, by: .local)
            tree = try documents.folders(by: .local, counting: false)
            tell(.takenIn, path + "/")
        }
        guard memory.folders[folder.id.text] == nil || memory.folders[folder.id.text]?.path == path else {
            twins[path] = folder.id
            return folder.id
        }
        try write { tx, memory in
            if let old = memory.folderAt[path].flatMap({ memory.folders[$0] }) {
                try memory.drop(old, in: tx)
            }
            try memory.put(
                Thing(
                    kind: .folder, id: folder.id.text, path: path, name: folder.name,
                    place: folder.parent?.text ?? "", node: disk.folders[path] ?? 0), in: tx)
        }
        return folder.id
    }

    /// Folders that somebody deleted there: with all that lies in them, when all of that was deleted and nothing in them is
    /// news of the library.
    func takeInLostFolders(_ deleted: inout [String: Thing]) throws {
        let lost = memory.folders.values.filter { isMissing($0) }.sorted { $0.path < $1.path }
        for thing in lost {
            guard memory.folders[thing.id] != nil, let id = ID<Folder>(thing.id) else { continue }
            if tree[id] != nil {
                let below = tree.below(id)
                let papers = try store.read { desk in
                    try desk.rows(
                        """
                        SELECT id, digest FROM document WHERE trashed_at IS NULL
                            AND \(.column("folder", in: below.map(\.folder.id)))
                        """
                    ).map { (try $0.text("id"), try $0.text("digest")) }
                }
                let areLost = below.allSatisfy { node in
                    memory.folders[node.folder.id.text].map { isMissing($0) } ?? false
                }
                // Not yet clear what became of one of them: all of it waits.
                if papers.contains(where: { waiting.contains($0.0) }) {
                    waiting.insert(thing.id)
                    continue
                }
                if areLost, papers.allSatisfy({ deleted[$0.0]?.digest == $0.1 }) {
                    guard isLongGone(thing.id) else {
                        waiting.insert(thing.id)
                        for paper in papers { waiting.insert(paper.0) }
                        continue
                    }
                    do {
                        try mirror.step()
                        try documents.trashFolder(id, by: .local)
                        tell(.trashed, thing.path + "/")
                        for paper in papers { deleted[paper.0] = nil }
                        try write { tx, memory in
                            for paper in papers {
                                if let gone = memory.papers[paper.0] { try memory.drop(gone, in: tx) }
                            }
                        }
                        tree = try documents.folders(by: .local, counting: false)
                    } catch let failure as Failure {
                        trouble(thing.path + "/", failure.message)
                    }
                }
            }
            // Where it is still in the library, it is made again.
            try write { tx, memory in
                if let gone = memory.folders[thing.id] { try memory.drop(gone, in: tx) }
            }
            acts += 1
        }
    }

    /// What is missing may be on its way to another name, or be written anew by a program that first takes it away.
    func isLongGone(_ id: String) -> Bool {
        guard !isFinal, mirror.quiet > .zero else { return true }
        let now = store.clock.now()
        let since = mirror.missing[id] ?? now
        mirror.missing[id] = since
        return now - since >= mirror.quiet
    }
}
