import Access
import Glibc
@testable import Library
import Storage
import TestSupport
import Testing
import Work

/// Thrown where a round is cut off.
private struct Cut: Error {}

/// A life of a library and its mirror, told by its seed.
final class MirrorHistory {
    private let seed: UInt64
    private var dice: Dice
    private var told: [String] = []
    private var count = 0
    private var written: Set<String> = []
    /// Whose removal for good somebody asked for.
    private var letGo: Set<String> = []
    /// What lay in a paper or a file when somebody threw it away, and must not come back by itself.
    private var thrown: [String: Int] = [:]
    /// When a text was last wanted: written, brought back, or changed into something else.
    private var wanted: [String: Int] = [:]
    private var unseen: Set<String> = []

    private let database: Store.DatabaseChoice

    init(seed: UInt64, database: Store.DatabaseChoice = .memory) {
        self.seed = seed
        self.database = database
        dice = Dice(seed)
    }

    func run() throws {
        try withQuickFolder { place in
            let desk = try MirrorDesk(in: place, quiet: .zero, seed: seed, database: database)
            try desk.look()
            let cuts = dice.below(2) == 0
            for _ in 0..<(10 + dice.below(40)) {
                count += 1
                switch dice.below(7) {
                case 0, 1, 2: try inLibrary(desk)
                case 3, 4, 5: try onDisk(desk)
                default: try look(desk, cuts: cuts)
                }
            }
            for _ in 0..<8 { try look(desk, cuts: false) }
            try judge(desk)
        }
    }

    private func look(_ desk: MirrorDesk, cuts: Bool) throws {
        var left = cuts && dice.below(2) == 0 ? dice.below(30) : .max
        do {
            let round = try desk.look {
                left -= 1
                if left == 0 { throw Cut() }
            }
            say("looks: \(round.events.map { "\($0.act) \($0.path) \($0.remark)" })")
        } catch is Cut {
            desk.forget()
            say("is cut off in its round")
        }
    }

    private func inLibrary(_ desk: MirrorDesk) throws {
        let papers = try desk.all()
        let here = papers.filter { !$0.isTrashed }
        let folders = try desk.library.folders(by: .local, counting: false).nodes.map(\.folder.id)
        do {
            switch dice.below(12) {
            case 0, 1, 2:
                let text = news()
                let paper = try desk.add(
                    "paper \(dice.below(4)).txt", text, into: dice.below(2) == 0 ? nil : pick(folders))
                say("library adds “\(text)” \(paper.name)")
            case 3:
                guard let paper = pick(here) else { return }
                let text = news()
                try desk.library.revise(paper.id, with: .bytes(Array(text.utf8)), by: .local)
                say("library revises \(paper.id) to “\(text)”")
            case 4:
                guard let paper = pick(here) else { return }
                try desk.library.rename(paper.id, to: "paper \(dice.below(4)).txt", by: .local)
                say("library renames \(paper.id)")
            case 5:
                guard let paper = pick(here) else { return }
                try desk.library.file([paper.id], as: .init(folder: .some(pick(folders))), by: .local)
                say("library moves \(paper.id)")
            case 6:
                guard let paper = pick(here) else { return }
                throwAway(try desk.texts(ofAllVersions: paper.id))
                try desk.library.trash(paper.id, by: .local)
                say("library trashes \(paper.id)")
            case 7:
                guard let paper = pick(papers.filter(\.isTrashed)) else { return }
                if dice.below(2) == 0 {
                    letGo.formUnion(try desk.texts(ofAllVersions: paper.id))
                    try desk.library.purge(paper.id, by: .local)
                    say("library removes \(paper.id) for good")
                } else {
                    for text in try desk.texts(ofAllVersions: paper.id) { wanted[text] = count }
                    try desk.library.restore(paper.id, by: .local)
                    say("library brings \(paper.id) back")
                }
            case 8, 9:
                let folder = try desk.library.makeFolder(
                    named: "Folder \(dice.below(3))", in: dice.below(2) == 0 ? nil : pick(folders), by: .local
                )
                say("library makes folder \(folder.name)")
            case 10:
                guard let folder = pick(folders) else { return }
                try desk.library.changeFolder(
                    folder, name: "Folder \(dice.below(4))",
                    parent: .some(dice.below(2) == 0 ? nil : pick(folders)),
                    by: .local)
                say("library changes folder \(folder)")
            default:
                guard let folder = pick(folders) else { return }
                let tree = try desk.library.folders(by: .local, counting: false)
                let inside = Set(tree.below(folder).map(\.folder.id))
                for paper in here where paper.folder.map(inside.contains) == true {
                    throwAway(try desk.texts(ofAllVersions: paper.id))
                }
                try desk.library.trashFolder(folder, by: .local)
                say("library trashes folder \(folder)")
            }
        } catch is Failure {
            // The name is taken: the desk says so, and nothing happens.
        }
    }

    private func onDisk(_ desk: MirrorDesk) throws {
        let files = try desk.files()
        let folders = [""] + (try desk.paths(isFolder: true))
        func path(_ folder: String, _ leaf: String) -> String { folder.isEmpty ? leaf : "\(folder)/\(leaf)" }
        let target = path(pick(folders) ?? "", "file \(dice.below(4)).txt")
        let root = desk.folder
        switch dice.below(10) {
        case 0, 1:
            guard access("\(root)/\(target)", F_OK) != 0 else { return }
            let text = news()
            try desk.put(target, text)
            say("disk: new \(target) “\(text)”")
        case 2, 3:
            guard let old = pick(files.keys.sorted()) else { return }
            let text = news()
            try overlook(files[old].map { [$0] } ?? [], desk)
            if dice.below(2) == 0 {
                try desk.put(old, text)
            } else {
                try write(Array(text.utf8), to: "\(root)/.saving")
                #expect(rename("\(root)/.saving", "\(root)/\(old)") == 0)
            }
            say("disk: edits \(old) to “\(text)”")
        case 4, 5:
            guard let old = pick(files.keys.sorted()), access("\(root)/\(target)", F_OK) != 0 else { return }
            #expect(rename("\(root)/\(old)", "\(root)/\(target)") == 0)
            say("disk: moves \(old) to \(target)")
        case 6:
            guard let old = pick(files.keys.sorted()), let text = files[old] else { return }
            throwAway([text])
            try overlook([text], desk)
            unlink("\(root)/\(old)")
            say("disk: deletes \(old)")
        case 7:
            let made = path(pick(folders) ?? "", "Folder \(dice.below(4))")
            mkdir("\(root)/\(made)", 0o700)
            say("disk: makes \(made)/")
        case 8:
            guard let old = pick(Array(folders.dropFirst())) else { return }
            let new = path(
                pick(folders.filter { $0 != old && !$0.hasPrefix(old + "/") }) ?? "",
                "Folder \(dice.below(4))")
            guard access("\(root)/\(new)", F_OK) != 0, !new.hasPrefix(old + "/") else { return }
            #expect(rename("\(root)/\(old)", "\(root)/\(new)") == 0)
            say("disk: moves \(old)/ to \(new)/")
        default:
            guard let old = pick(Array(folders.dropFirst())) else { return }
            let inside = Set(files.filter { $0.key.hasPrefix(old + "/") }.values)
            throwAway(inside)
            try overlook(inside, desk)
            try desk.shell("rm -r '\(old)'")
            say("disk: deletes \(old)/")
        }
    }

    private func judge(_ desk: MirrorDesk) throws {
        let last = try desk.look()
        if !last.events.filter({ $0.act != .trouble }).isEmpty {
            complain("It does not come to rest: \(last.events.map { "\($0.act) \($0.path) \($0.remark)" })")
        }
        var there: Set<String> = []
        for paper in try desk.all() { there.formUnion(try desk.texts(ofAllVersions: paper.id)) }
        for text in written.sorted() where !there.contains(text) && !letGo.contains(text) {
            guard !unseen.contains(text) else { continue }
            complain("“\(text)” is lost.")
        }
        // Each paper lies there once, as the library has it.
        let papers = try desk.all().filter { !$0.isTrashed }
        let texts = try papers.map { try desk.text($0) }.sorted()
        if try desk.files().values.sorted() != texts {
            complain("The folder has \(try desk.files()), the library \(try desk.papers())")
        }
        let tree = try desk.library.folders(by: .local, counting: false).nodes.map(\.path).sorted()
        if try desk.paths(isFolder: true) != tree {
            complain("The folder has the folders \(try desk.paths(isFolder: true)), the library \(tree)")
        }
        for text in texts {
            if let at = thrown[text], (wanted[text] ?? 0) < at, written.contains(text) {
                complain("“\(text)” came back.")
            }
        }
        #expect(try desk.store.verify().problems == [])
    }

    /// What was written over or deleted between two rounds was never seen by the mirror.
    private func overlook(_ texts: Set<String>, _ desk: MirrorDesk) throws {
        var known: Set<String> = []
        for paper in try desk.all() { known.formUnion(try desk.texts(ofAllVersions: paper.id)) }
        unseen.formUnion(texts.subtracting(known))
    }

    private func news() -> String {
        let text = "words \(seed).\(count)"
        written.insert(text)
        wanted[text] = count
        return text
    }

    private func throwAway(_ texts: Set<String>) {
        for text in texts { thrown[text] = count }
    }

    private func pick<T>(_ things: [T]) -> T? { things.isEmpty ? nil : things[dice.below(things.count)] }
    private func say(_ what: String) { told.append("\(count). \(what)") }
    private func complain(_ what: String) {
        Issue.record("History \(seed): \(what)\n\(told.joined(separator: "\n"))")
    }
}
