import Access
import Bytes
import Crypto
import Glibc
import SQL
import Storage
import Work

// The mirror's folder is made what the library is.

extension MirrorRound {
    /// What the mirror has to know of a paper.
    private struct Paper {
        var id: String
        var name: String
        var fileName: String
        var folder: String
        var digest: Digest
        var changedAt: Moment
    }

    func give() throws {
        let tree = try documents.folders(by: outsider, counting: false).withoutLocked
        let papers = try shownPapers(tree)
        let isShown = Set(papers.map(\.id))
        // First what goes, so that names become free.
        for thing in memory.papers.values.sorted(by: { $0.path < $1.path })
        where !isShown.contains(thing.id) && !waiting.contains(thing.id) {
            try attempt(thing.path) { try remove(thing) }
        }
        try give(nil, at: "", tree, Dictionary(grouping: papers, by: \.folder))
        for thing in memory.folders.values.sorted(by: { $0.path > $1.path })
        where ID<Folder>(thing.id).flatMap({ tree[$0] }) == nil && !waiting.contains(thing.id) {
            try removeFolder(thing)
        }
        // What was the twin of another folder is empty now.
        for path in twins.keys.sorted(by: >) { rmdir("\(root)/\(path)") }
    }

    private func shownPapers(_ tree: FolderTree) throws -> [Paper] {
        try store.read { desk in
            var condition: Query = "trashed_at IS NULL"
            if let shown = try documents.shown(to: outsider, in: desk) { condition += " AND " + shown }
            return try desk.rows(
                """
                SELECT id, name, media_type, folder, digest, changed_at FROM document WHERE \(condition)
                ORDER BY added_at, id
                """
            ).map { row in
                let name = try row.text("name")
                return Paper(
                    id: try row.text("id"), name: name,
                    fileName: FileName.safe(FileName.completed(name, for: try row.text("media_type"))),
                    folder: try row.optionalText("folder") ?? "", digest: try row.digest("digest"),
                    changedAt: try row.moment("changed_at"))
            }
        }
    }

    private func attempt(_ path: String, _ body: () throws -> Void) throws {
        do { try body() } catch let failure as Failure {
            if failure.code == .cancelled || failure.code == .full { throw failure }
            trouble(path, failure.message)
        }
    }

    // MARK: One folder

    private func give(
        _ folder: ID<Folder>?, at place: String, _ tree: FolderTree, _ papers: [String: [Paper]]
    ) throws {
        let folders = tree.children(of: folder).map(\.folder)
        let inside = papers[folder?.text ?? ""] ?? []
        var taken: Set<String> = []
        var paths: [String: String] = [:]
        // Whoever has a name here already keeps it; those that come later get a number.
        for folder in folders {
            keep(memory.folders[folder.id.text], folder.id.text, folder.name, place, &taken, &paths)
        }
        for paper in inside { keep(memory.papers[paper.id], paper.id, paper.name, place, &taken, &paths) }
        for folder in folders where paths[folder.id.text] == nil {
            let thing = memory.folders[folder.id.text]
            paths[folder.id.text] = free(leaf(thing, folder.name, folder.name), in: place, thing, &taken)
        }
        for paper in inside where paths[paper.id] == nil {
            let thing = memory.papers[paper.id]
            paths[paper.id] = free(leaf(thing, paper.name, paper.fileName), in: place, thing, &taken)
        }
        for folder in folders where !waiting.contains(folder.id.text) {
            try progress.check()
            guard let path = paths[folder.id.text] else { continue }
            try attempt(path + "/") { try put(folder, at: path) }
            try give(folder.id, at: path, tree, papers)
        }
        for paper in inside where !waiting.contains(paper.id) {
            try progress.check()
            guard let path = paths[paper.id] else { continue }
            try attempt(path) { try put(paper, at: path) }
        }
    }

    private func keep(
        _ thing: Thing?, _ id: String, _ name: String, _ place: String, _ taken: inout Set<String>,
        _ paths: inout [String: String]
    ) {
        guard let thing, thing.name == name, MirrorName.place(of: thing.path) == place else { return }
        let leaf = MirrorName.last(thing.path)
        guard !leaf.hasPrefix(MirrorName.aside), taken.insert(leaf.lowercased()).inserted else { return }
        paths[id] = thing.path
    }

    /// Under what it lies there for as long as the library calls it the same.
    private func leaf(_ thing: Thing?, _ name: String, _ fileName: String) -> String {
        if let thing, thing.name == name {
            let leaf = MirrorName.last(thing.path)
            if !leaf.hasPrefix(MirrorName.aside) { return leaf }
        }
        return MirrorName.leaf(fileName)
    }

    private func free(_ leaf: String, in place: String, _ thing: Thing?, _ taken: inout Set<String>) -> String
    {
        var name = leaf
        var number = 2
        while isForeign(MirrorName.path(place, name)) || !taken.insert(name.lowercased()).inserted {
            name = MirrorName.numbered(leaf, number)
            number += 1
        }
        return MirrorName.path(place, name)
    }

    /// Whether something lies there that is none of the mirror's.
    private func isForeign(_ path: String) -> Bool {
        if memory.knows(path) { return false }
        return disk.others.contains(path) || disk.files[path] != nil
            || disk.odd.contains { $0.path == path }
    }

    // MARK: One thing

    /// What lies where something else has to lie goes aside until its own turn comes.
    private func clear(_ path: String, for id: String) throws {
        let folder = memory.folderAt[path].flatMap { memory.folders[$0] }
        let paper = memory.paperAt[path].flatMap { memory.papers[$0] }
        guard let other = folder ?? paper, other.id != id else { return }
        guard !waiting.contains(other.id) else {
            throw Failure(
                .conflict, "Something that is being worked on lies where it belongs. It follows later.")
        }
        let aside = MirrorName.path(MirrorName.place(of: path), MirrorName.aside + other.id)
        try move(path, to: aside)
        try write { tx, memory in
            if other.kind == .folder { return try memory.move(other, to: aside, in: tx) }
            var moved = other
            moved.path = aside
            try memory.put(moved, in: tx)
        }
        acts += 1
    }

    /// Never over something.
    private func move(_ path: String, to target: String) throws {
        try mirror.step()
        var about = stat()
        let isThere = lstat("\(root)/\(target)", &about) == 0
        guard !isThere else {
            throw Failure(.conflict, "Something else lies where it belongs, at “\(target)”.")
        }
        guard rename("\(root)/\(path)", "\(root)/\(target)") == 0 else { throw self.failure(path) }
        try mirror.step()
    }

    private func failure(_ path: String) -> Failure {
        let why = systemMessage(errno)
        return errno == ENOSPC || errno == EDQUOT
            ? Failure(.full, "There is no room left in \(root).")
            : Failure(.unavailable, "\(path) cannot be written there: \(why).")
    }

    private func put(_ folder: Folder, at path: String) throws {
        let thing = memory.folders[folder.id.text]
        var about = stat()
        if let thing, thing.path != path, lstat("\(root)/\(thing.path)", &about) == 0 {
            try clear(path, for: thing.id)
            try move(thing.path, to: path)
            tell(.moved, path + "/", thing.path + "/")
            try write { tx, memory in try memory.move(thing, to: path, in: tx) }
        } else if lstat("\(root)/\(path)", &about) != 0 || about.st_mode & S_IFMT != S_IFDIR {
            try clear(path, for: folder.id.text)
            try mirror.step()
            guard mkdir("\(root)/\(path)", 0o700) == 0 || errno == EEXIST else { throw failure(path) }
            tell(.written, path + "/")
        }
        guard lstat("\(root)/\(path)", &about) == 0 else { throw failure(path) }
        let now = Thing(
            kind: .folder, id: folder.id.text, path: path, name: folder.name,
            place: folder.parent?.text ?? "", node: Int64(bitPattern: UInt64(about.st_ino)))
        guard memory.folders[folder.id.text] != now else { return }
        try write { tx, memory in try memory.put(now, in: tx) }
    }

    private func put(_ paper: Paper, at path: String) throws {
        guard var thing = memory.papers[paper.id] else {
            try clear(path, for: paper.id)
            let file = try lay(paper, at: path, over: nil)
            tell(.written, path)
            return try remember(paper, path, file)
        }
        if thing.path != path {
            // Somebody is faster there: the next round looks what they did.
            guard let file = MirrorDisk.File(thing.path, in: root), file.isSame(as: thing) else { return }
            try clear(path, for: paper.id)
            try move(thing.path, to: path)
            tell(.moved, path, thing.path)
            thing.path = path
            try write { tx, memory in try memory.put(thing, in: tx) }
        }
        if thing.digest != paper.digest.hex {
            guard let file = MirrorDisk.File(path, in: root), file.isSame(as: thing) else { return }
            let laid = try lay(paper, at: path, over: file)
            tell(.written, path)
            return try remember(paper, path, laid)
        }
        guard thing.name != paper.name || thing.place != paper.folder else { return }
        (thing.name, thing.place) = (paper.name, paper.folder)
        try write { tx, memory in try memory.put(thing, in: tx) }
    }

    private func remember(_ paper: Paper, _ path: String, _ file: MirrorDisk.File) throws {
        let thing = Thing(
            kind: .paper, id: paper.id, path: path, name: paper.name, place: paper.folder,
            digest: paper.digest.hex, byteCount: file.byteCount, changedAt: file.changedAt, node: file.node)
        try write { tx, memory in try memory.put(thing, in: tx) }
    }

    /// Written beside, saved to the disk, and given its name only then.
    private func lay(_ paper: Paper, at path: String, over old: MirrorDisk.File?) throws -> MirrorDisk.File {
        let draft = MirrorName.path(
            MirrorName.place(of: path), "\(Self.draft)\(Hex.encode(store.chance.bytes(8))).part")
        try mirror.step()
        let target = open("\(root)/\(draft)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw failure(path) }
        defer { unlink("\(root)/\(draft)") }
        do {
            defer { close(target) }
            try copy(paper.digest, to: target, path)
            let time = timespec(
                tv_sec: Int(paper.changedAt.milliseconds / 1000),
                tv_nsec: Int(paper.changedAt.milliseconds % 1000) * 1_000_000)
            _ = [time, time].withUnsafeBufferPointer { futimens(target, $0.baseAddress) }
            guard fdatasync(target) == 0 else { throw failure(path) }
        }
        try mirror.step()
        if let old {
            guard let now = MirrorDisk.File(path, in: root), now.byteCount == old.byteCount,
                now.changedAt == old.changedAt, now.node == old.node
            else { throw Failure(.conflict, "Somebody writes into it just now. It follows later.") }
            guard rename("\(root)/\(draft)", "\(root)/\(path)") == 0 else { throw failure(path) }
        } else if link("\(root)/\(draft)", "\(root)/\(path)") != 0 {
            // File systems of sticks know no second names; there a look has to do.
            guard errno != EEXIST, access("\(root)/\(path)", F_OK) != 0,
                rename("\(root)/\(draft)", "\(root)/\(path)") == 0
            else { throw Failure(.conflict, "Something else lies where it belongs, at “\(path)”.") }
        }
        try mirror.step()
        guard let file = MirrorDisk.File(path, in: root) else { throw failure(path) }
        return file
    }

    private func copy(_ digest: Digest, to target: Int32, _ path: String) throws {
        let source = open(try store.blobs.soundPath(of: digest), O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw failure(path) }
        defer { close(source) }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { room.deallocate() }
        while true {
            try progress.check()
            let count = read(source, room.baseAddress, room.count)
            guard count >= 0 else { throw failure(path) }
            guard count > 0 else { return }
            var rest = UnsafeRawBufferPointer(rebasing: room[..<count])
            while !rest.isEmpty {
                let written = Glibc.write(target, rest.baseAddress, rest.count)
                if written < 0, errno == EINTR { continue }
                guard written >= 0 else { throw failure(path) }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
        }
    }

    private func remove(_ thing: Thing) throws {
        if let file = MirrorDisk.File(thing.path, in: root) {
            // Written into just now: the next round takes it in first.
            guard file.isSame(as: thing) else { return }
            try mirror.step()
            guard unlink("\(root)/\(thing.path)") == 0 || errno == ENOENT else { throw failure(thing.path) }
            tell(.removed, thing.path)
        }
        try write { tx, memory in try memory.drop(thing, in: tx) }
    }

    /// Where something lies in it that is none of the mirror's it stays, and is remembered so that it makes no new folder.
    private func removeFolder(_ thing: Thing) throws {
        try mirror.step()
        guard rmdir("\(root)/\(thing.path)") == 0 || errno == ENOENT || errno == ENOTDIR else { return }
        tell(.removed, thing.path + "/")
        try write { tx, memory in try memory.drop(thing, in: tx) }
    }
}
