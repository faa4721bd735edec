import Access
import Bytes
import Glibc
import SQL
import Storage
import Work

// What was changed in the mirror's folder comes into the library.

extension MirrorRound {
    func takeIn() throws {
        removeDrafts()
        try findAside()
        try takeInFolders()
        var lost: [String: Thing] = [:]
        try findReplaced()
        for thing in memory.papers.values.sorted(by: { $0.path < $1.path }) {
            try progress.check()
            guard !disk.isClosed(thing.path) else {
                waiting.insert(thing.id)
                continue
            }
            guard let file = disk.files[thing.path] else {
                lost[thing.id] = thing
                continue
            }
            mirror.missing[thing.id] = nil
            guard !file.isSame(as: thing) else { continue }
            try attempt(file.path, thing.id) { try changed(thing, file) }
        }
        try takeInNew(&lost)
        try settle(emptied: &lost)
        for id in lost.keys.sorted() where isBeingWritten || !isLongGone(id) {
            // A new one that is still being written may be what is missed.
            waiting.insert(id)
            lost[id] = nil
        }
        try takeInLostFolders(&lost)
        for thing in lost.values.sorted(by: { $0.path < $1.path }) where !waiting.contains(thing.id) {
            try attempt(thing.path, thing.id) { try deleted(thing) }
        }
        for id in mirror.missing.keys where memory.papers[id] == nil && memory.folders[id] == nil {
            mirror.missing[id] = nil
        }
    }

    /// Most of the papers gone at once is more than somebody who tidies up: until it is said what was meant, the mirror
    /// stands still.
    private func settle(emptied lost: inout [String: Thing]) throws {
        // Something new that is still being written may be what is missed.
        guard !isBeingWritten, Caution.isMuch(lost.count, of: memory.papers.count, oneIn: 2) else { return }
        let gone = try lost.values.filter { thing in try document(thing.id).map { !$0.isTrashed } ?? false }
        guard Caution.isMuch(gone.count, of: memory.papers.count, oneIn: 2) else { return }
        switch emptied {
        case .trashed: return
        case .writtenAgain:
            let folders = memory.folders.values.filter { isMissing($0) }
            try write { tx, memory in for thing in gone + folders { try memory.drop(thing, in: tx) } }
            for thing in gone { lost[thing.id] = nil }
            acts += 1
        case .waits:
            throw Failure(
                .conflict,
                "Of the \(memory.papers.count) papers in \(root), \(gone.count) are gone at once. Nothing was thrown away. Bring them back into the folder, or say what was meant: quire mirror \(root) --once --again writes them there again, with --all instead they go into the trash.",
                field: "all")
        }
    }

    /// What goes wrong with one thing does not stop the others.
    private func attempt(_ path: String, _ id: String, _ body: () throws -> Void) throws {
        do { try body() } catch let failure as Failure {
            if failure.code == .cancelled || failure.code == .full { throw failure }
            waiting.insert(id)
            trouble(path, failure.message)
        }
    }

    /// Of a round that was cut off.
    private func removeDrafts() {
        for path in disk.others {
            let leaf = MirrorName.last(path)
            // As a round names them, and nothing that somebody else called nearly so.
            guard leaf.hasPrefix(Self.draft), leaf.hasSuffix(".part") else { continue }
            let chance = leaf.dropFirst(Self.draft.count).dropLast(".part".count)
            guard chance.count == 16, Hex.decode(String(chance)) != nil else { continue }
            unlink("\(root)/\(path)")
        }
    }

    /// What went aside in a round that was cut off before it could remember it.
    private func findAside() throws {
        func known(_ path: String, _ things: [String: Thing]) -> Thing? {
            let leaf = MirrorName.last(path)
            guard leaf.hasPrefix(MirrorName.aside), !memory.knows(path) else { return nil }
            return things[String(leaf.dropFirst(MirrorName.aside.count))]
        }
        for path in disk.folders.keys.sorted() {
            guard let thing = known(path, memory.folders) else { continue }
            try write { tx, memory in try memory.move(thing, to: path, in: tx) }
        }
        for path in disk.files.keys.sorted() {
            guard var thing = known(path, memory.papers) else { continue }
            thing.path = path
            try write { tx, memory in try memory.put(thing, in: tx) }
        }
    }

    /// Where a paper that went in the library was renamed there, and another file has its name now: that is no paper that
    /// was written into, but another one.
    private func findReplaced() throws {
        var new: [Int64: MirrorDisk.File] = [:]
        for file in disk.files.values where memory.paperAt[file.path] == nil { new[file.node] = file }
        guard !new.isEmpty else { return }
        for var thing in Array(memory.papers.values) {
            guard let file = disk.files[thing.path], file.node != thing.node, let there = new[thing.node],
                there.isSame(as: thing), try document(thing.id)?.isTrashed ?? true
            else { continue }
            thing.path = there.path
            try write { tx, memory in try memory.put(thing, in: tx) }
        }
    }

    static var draft: String { ".quire-draft-" }

    // MARK: Papers that were there

    private func changed(_ thing: Thing, _ file: MirrorDisk.File) throws {
        guard file.isQuiet, !Settled.isBeingWritten("\(root)/\(file.path)") else {
            waiting.insert(thing.id)
            return
        }
        let now = try Digest(ofFile: "\(root)/\(file.path)")
        if now.hex == thing.digest {
            return try write { tx, memory in try memory.put(thing.now(file, now), in: tx) }
        }
        guard let (digest, type) = try shelved(file) else {
            waiting.insert(thing.id)
            return
        }
        try edited(thing, file, digest, type)
    }

    private func edited(
        _ thing: Thing, _ file: MirrorDisk.File, _ digest: Digest, _ type: String
    ) throws {
        guard var paper = try document(thing.id) else {
            // Removed for good in the library, and written into here: it is a paper of its own again.
            try write { tx, memory in try memory.drop(thing, in: tx) }
            return try add(file, digest, type)
        }
        if paper.blob.digest == digest, !paper.isTrashed {
            return try write { tx, memory in try memory.put(thing.now(file, digest), in: tx) }
        }
        guard paper.isTrashed || paper.blob.digest.hex == thing.digest else {
            return try keepTwice(
                paper, file, digest, type, "It was changed here and in the library at the same time.")
        }
        if paper.isTrashed { paper = try documents.restore(paper.id, by: .local) }
        var remark = ""
        let signers = try documents.signers(of: paper)
        if !signers.isEmpty {
            do {
                try documents.checkSignatures(
                    of: paper.id, becoming: .file(store.blobs.path(of: digest)), by: .local)
            } catch let failure as Failure where failure.field == "signature" {
                remark = "It was signed. The signed one is kept as version \(paper.version)."
            }
        }
        do {
            try write { tx, memory in
                let note =
                    remark.isEmpty ? "" : "Written over version \(paper.version), which is signed and kept"
                let revised = try documents.revise(
                    paper.id, with: digest, type, note: note, by: Caller.local.actor,
                    calledThen: Caller.local.name, in: tx
                ).document
                if !remark.isEmpty {
                    tx.note(
                        "document.unsigned", "document/\(paper.id)", by: Caller.local.actor,
                        [
                            "name": .string(revised.name), "version": .int(paper.version),
                            "signers": .string(signers.filter { !$0.isEmpty }.joined(separator: ", ")),
                        ])
                }
                var there = thing.now(file, digest)
                // Other bytes may have brought another ending.
                if paper.name == thing.name { there.name = revised.name }
                try memory.put(there, in: tx)
            }
            tell(.revised, file.path, remark)
        } catch let failure as Failure where [.conflict, .tooMany].contains(failure.code) {
            // Somebody holds it: what was written here must not be lost all the same.
            try keepTwice(paper, file, digest, type, failure.message)
        }
    }

    /// What lies there becomes a paper of its own beside the library's, which takes its place again.
    private func keepTwice(
        _ paper: Document, _ file: MirrorDisk.File, _ digest: Digest, _ type: String, _ why: String
    ) throws {
        let day = store.clock.now().iso8601.prefix(10)
        let ending = FileName.ending(of: paper.name)
        let stem = ending.isEmpty ? paper.name : String(paper.name.dropLast(ending.count + 1))
        let name =
            "\(stem.prefix(150)) (conflict, mirror, \(day))"
            + (ending.isEmpty ? "" : "." + paper.name.suffix(ending.count))
        try write { tx, memory in
            _ = try documents.arriving(by: .mirror).add(
                digest, type, named: name, into: paper.folder.flatMap { tree[$0]?.folder.id },
                evenIfThere: true,
                by: Caller.local.actor, calledThen: Caller.local.name, in: tx)
            // Known for what it is now, so that the library's is written over it.
            if let before = memory.papers[paper.id.text] { try memory.put(before.now(file, digest), in: tx) }
        }
        tell(.keptTwice, file.path, why)
    }

    private func deleted(_ thing: Thing) throws {
        guard let paper = try document(thing.id), !paper.isTrashed else {
            acts += 1
            return try write { tx, memory in try memory.drop(thing, in: tx) }
        }
        let isPrivate = try store.read { desk in
            try paper.folder.map { try documents.isHidden($0, in: desk) } ?? false
        }
        if paper.blob.digest.hex == thing.digest, !isPrivate {
            do {
                try write { tx, memory in
                    try documents.checkMayGo(paper, Documents.Keepers(documents, in: tx), in: tx)
                    try documents.trash(documents.find(paper.id, in: tx), by: Caller.local.actor, in: tx)
                    try memory.drop(thing, in: tx)
                }
                return tell(.trashed, thing.path)
            } catch let failure as Failure where failure.code == .conflict {
                trouble(thing.path, failure.message)
            }
        }
        // The library knows better: it is written there again.
        acts += 1
        try write { tx, memory in try memory.drop(thing, in: tx) }
    }

    // MARK: Files that are new there

    private func takeInNew(_ lost: inout [String: Thing]) throws {
        var new: [MirrorDisk.File] = []
        var restless: [MirrorDisk.File] = []
        for file in disk.files.values where memory.paperAt[file.path] == nil {
            if Settled.isBeingWritten("\(root)/\(file.path)") {
                isBeingWritten = true
            } else if file.isQuiet {
                new.append(file)
            } else {
                restless.append(file)
            }
        }
        guard !new.isEmpty || !restless.isEmpty else { return }
        new.sort { $0.path < $1.path }
        var rest: [MirrorDisk.File] = []
        let byNode = Dictionary(grouping: lost.values, by: \.node)
        for file in new {
            guard
                let thing = byNode[file.node]?.first(where: { file.isSame(as: $0) && lost[$0.id] != nil })
            else {
                rest.append(file)
                continue
            }
            lost[thing.id] = nil
            try attempt(file.path, thing.id) { try moved(thing, to: file) }
        }
        let byDigest = Dictionary(grouping: lost.values.sorted { $0.path < $1.path }, by: \.digest)
        let unknown = try rest.isEmpty && restless.isEmpty ? [:] : papersNotHere()
        for file in restless {
            try attempt(file.path, file.path) {
                if try !isAdopted(file, unknown) { isBeingWritten = true }
            }
        }
        for file in rest {
            try progress.check()
            try attempt(file.path, file.path) {
                guard let (digest, type) = try shelved(file) else {
                    isBeingWritten = true
                    return
                }
                // A copy under a new name, and the old one gone: programs that cannot rename do that.
                if let thing = byDigest[digest.hex]?.first(where: { lost[$0.id] != nil }) {
                    lost[thing.id] = nil
                    return try moved(thing, to: file)
                }
                let place = try folder(at: MirrorName.place(of: file.path))
                if try isAdopted(file, digest, in: place, unknown) { return }
                try add(file, digest, type)
            }
        }
    }

    /// Written here by a round that was cut off before it could remember it. Not waited for: while it is strange, its paper
    /// would be written beside it once more, and later it would be a second paper.
    private func isAdopted(_ file: MirrorDisk.File, _ unknown: [String: [Document]]) throws -> Bool {
        let path = MirrorName.place(of: file.path)
        let place = memory.folderAt[path].flatMap { ID<Folder>($0) }
        let isWanted = unknown.values.joined().contains {
            $0.blob.byteCount == file.byteCount && MirrorName.leaf($0.fileName) == MirrorName.last(file.path)
        }
        guard isWanted, path.isEmpty || place != nil else { return false }
        return try isAdopted(file, Digest(ofFile: "\(root)/\(file.path)"), in: place, unknown)
    }

    private func isAdopted(
        _ file: MirrorDisk.File, _ digest: Digest, in place: ID<Folder>?, _ unknown: [String: [Document]]
    ) throws -> Bool {
        let paper = unknown[digest.hex]?.first {
            $0.folder == place && memory.papers[$0.id.text] == nil
                && MirrorName.leaf($0.fileName) == MirrorName.last(file.path)
        }
        guard let paper else { return false }
        try write { tx, memory in try memory.put(thing(paper, at: file), in: tx) }
        return true
    }

    /// Papers of the library that the mirror does not know, by what they are.
    private func papersNotHere() throws -> [String: [Document]] {
        let ids = try store.read { desk in
            try desk.rows(
                """
                SELECT id FROM document WHERE trashed_at IS NULL AND id NOT IN
                    (SELECT id FROM mirror_thing WHERE mirror = \(mirror.id) AND kind = 'paper')
                """
            ).map { try $0.text("id") }
        }
        return Dictionary(grouping: try ids.compactMap { try document($0) }) { $0.blob.digest.hex }
    }

    private func add(_ file: MirrorDisk.File, _ digest: Digest, _ type: String) throws {
        let place = try folder(at: MirrorName.place(of: file.path))
        let twin = try documents.paper(holding: digest, by: outsider)
        try write { tx, memory in
            let added = try documents.arriving(by: .mirror).add(
                digest, type, named: MirrorName.last(file.path), into: place, evenIfThere: true,
                by: Caller.local.actor, calledThen: Caller.local.name, in: tx
            ).document
            try memory.put(self.thing(added, at: file), in: tx)
        }
        tell(
            .takenIn, file.path, twin.map { "The same as “\($0.name)”, which the library has already." } ?? ""
        )
    }

    private func moved(_ thing: Thing, to file: MirrorDisk.File) throws {
        mirror.missing[thing.id] = nil
        let leaf = MirrorName.last(file.path)
        let place = try folder(at: MirrorName.place(of: file.path))
        guard let paper = try document(thing.id), !paper.isTrashed, paper.name == thing.name,
            (paper.folder?.text ?? "") == thing.place
        else {
            // The library has moved it too, and what it says counts.
            return try write { tx, memory in
                var there = thing
                there.path = file.path
                // Not what the library calls it: it gets that name again.
                if leaf != MirrorName.last(thing.path) { there.name = "" }
                try memory.put(there.now(file), in: tx)
            }
        }
        try write { tx, memory in
            var now = try documents.find(paper.id, in: tx)
            if leaf != MirrorName.last(thing.path), let name = name(leaf, of: paper) {
                now = try documents.rename(now, to: name, actor: Caller.local.actor, in: tx)
            }
            if now.folder != place {
                now = try documents.file(
                    now, as: Documents.Filing(folder: .some(place)), actor: Caller.local.actor, in: tx)
            }
            var there = thing
            (there.path, there.name, there.place) = (file.path, now.name, now.folder?.text ?? "")
            try memory.put(there.now(file), in: tx)
        }
        tell(.renamed, file.path, thing.path)
    }

    /// A paper that is called without its ending stays so.
    private func name(_ leaf: String, of paper: Document) -> String? {
        // On this system a file may be called back\slash.txt, and is called so here as well.
        guard let name = FileName.title(leaf) else { return nil }
        return paper.fileName == FileName.safe(paper.name)
            ? name : FileName.withoutEnding(name, of: paper.blob.mediaType)
    }
}

extension MirrorMemory.Thing {
    /// The same, as its file is now.
    func now(_ file: MirrorDisk.File, _ digest: Digest? = nil) -> Self {
        var thing = self
        (thing.byteCount, thing.changedAt, thing.node) = (file.byteCount, file.changedAt, file.node)
        if let digest { thing.digest = digest.hex }
        return thing
    }
}
