import Access
import Glibc
import Library
import SQL
import Storage
@testable import Sync
import TestSupport
import Testing
import Work

@Suite("Histories of two desks")
struct HistoriesTests {
    /// `QUIRE_LIVES=1000` lives through a thousand.
    private static let lives = getenv("QUIRE_LIVES").flatMap { Int(String(cString: $0)) } ?? 200

    @Test(
        "Two desks that work apart, over a line where anything breaks at any request, lose nothing and bring back nothing",
        arguments: 0..<20)
    func histories(part: Int) throws {
        let each = Self.lives / 20
        for life in 0..<each { try History(seed: UInt64(part * each + life + 1)).run() }
    }
}

@Suite(
    "Histories of two desks on PostgreSQL",
    .enabled(if: PostgresCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgresHistoriesTests {
    @Test("On PostgreSQL, and with one desk on each database, nothing is lost and nothing comes back either")
    func histories() throws {
        for seed in 0..<6 {
            try withDatabaseAddress(.postgres) { first in
                try withDatabaseAddress(.postgres) { second in
                    try History(
                        seed: UInt64(40_000 + seed), mostSteps: 20,
                        databases: [.postgres(first), seed % 2 == 0 ? .memory : .postgres(second)]
                    ).run()
                }
            }
        }
    }
}

/// One life of two desks, told by its seed.
final class History {
    /// Where the desks meet: in memory, or on a server, by an address that spoils requests and by one that does not.
    enum Way {
        case memory
        case server(SyncDraft, moody: String, calm: String)
        /// The first desk is the place, behind a line that spoils so many of a hundred requests.
        case quires(percent: Int)
    }

    let seed: UInt64
    private let way: Way
    private let mostSteps: Int
    var dice: Dice
    let place = MemoryPlace()
    var desks: [TestDesk] = []
    var told: [String] = []
    var count = 0
    /// What was written, by the paper it was written into.
    var written: [String: ID<Document>] = [:]
    /// What somebody had before their eyes when they removed it for good.
    var letGo: Set<String> = []
    var farewells: [Farewell] = []
    var returns: [(paper: ID<Document>, desk: Int, at: Int)] = []

    /// Somebody threw a paper away, knowing these words of it.
    struct Farewell {
        var paper: ID<Document>
        var desk: Int
        var at: Int
        var known: Set<String>
        var isForGood: Bool
    }

    private let databases: [Store.DatabaseChoice]

    init(
        seed: UInt64, over way: Way = .memory, mostSteps: Int = 30,
        databases: [Store.DatabaseChoice] = [.memory, .memory]
    ) {
        self.databases = databases
        self.seed = seed
        self.way = way
        self.mostSteps = mostSteps
        dice = Dice(seed)
    }

    func run() throws {
        try withQuickFolder { folder in
            var line: Peer?
            for (number, name) in ["north", "south"].enumerated() {
                let chance = seed &* 2 &+ UInt64(number)
                if case .quires(let percent) = way, number == 0 {
                    let desk = try TestDesk(serving: name, in: folder, seed: chance)
                    line = try Peer("faulty.py", [String(desk.port), String(seed), String(percent)])
                    desks.append(desk)
                    continue
                }
                let desk = try TestDesk(name, in: folder, seed: chance, database: databases[number])
                // Clocks that are wrong by up to a year, each in its own way.
                desk.hand.advance(.seconds((dice.below(730) - 365) * 86_400))
                switch way {
                case .memory: try desk.keepInStep(SyncDraft(.folder, address: "/nowhere"))
                case .server(var draft, let moody, _):
                    draft.address = moody
                    try desk.keepInStep(draft)
                case .quires:
                    guard let line else { throw Killed() }
                    try desk.keepInStep(SyncDraft(.quire, address: desks[0].code(at: line.url)))
                }
                desks.append(desk)
            }
            let moodiness = dice.below(3) == 0 ? 0 : dice.below(40)
            for _ in 0..<(8 + dice.below(mostSteps)) { try step(moodiness) }
            if case .server(_, _, let calm) = way {
                for desk in desks { try desk.moveTo(calm) }
            }
            if line != nil { try desks[1].moveTo("http://127.0.0.1:\(desks[0].port)") }
            var isSame = false
            for _ in 0..<12 {
                for number in desks.indices { try visit(number, moodiness: 0) }
                // Once more after they are the same: they have to stay so.
                if isSame { break }
                isSame = try desks[0].picture() == desks[1].picture()
            }
            try judge()
            desks = []
            line = nil
        }
    }

    // MARK: What people do

    private func step(_ moodiness: Int) throws {
        count += 1
        let number = dice.below(2)
        let desk = desks[number]
        desk.hand.advance(.seconds(dice.below(5) == 0 ? dice.below(90 * 86_400) : 1 + dice.below(3600)))
        let papers = try desk.all()
        let folders = try desk.documents.folders(by: .local, counting: false).nodes.map(\.folder.id)
        switch dice.below(17) {
        case 0, 1, 2:
            let text = "words \(seed).\(count)"
            let document = try desk.add(
                "paper \(dice.below(4)).txt", text, into: dice.below(2) == 0 ? nil : pick(folders))
            written[text] = document.id
            tell(number, "adds \(document.id) “\(text)”")
        case 3, 4:
            guard let paper = pick(papers.filter { !$0.isTrashed }) else { return }
            let text = "words \(seed).\(count)"
            try desk.documents.revise(paper.id, with: .bytes(Array(text.utf8)), by: .local)
            written[text] = paper.id
            tell(number, "revises \(paper.id) “\(text)”")
        case 5:
            guard let paper = pick(papers.filter { !$0.isTrashed }) else { return }
            try desk.documents.rename(paper.id, to: "name \(dice.below(6)).txt", by: .local)
            tell(number, "renames \(paper.id)")
        case 6:
            guard let paper = pick(papers.filter { !$0.isTrashed }) else { return }
            let filing = Documents.Filing(
                addedTags: ["tag \(dice.below(3))"], removedTags: ["tag \(dice.below(3))"],
                note: "note \(dice.below(5))")
            try desk.documents.file([paper.id], as: filing, by: .local)
            tell(number, "labels \(paper.id)")
        case 7:
            guard let paper = pick(papers.filter { !$0.isTrashed }) else { return }
            try desk.documents.file(
                [paper.id], as: .init(folder: .some(dice.below(4) == 0 ? nil : pick(folders))), by: .local)
            tell(number, "moves \(paper.id)")
        case 8, 9:
            guard let paper = pick(papers.filter { !$0.isTrashed }) else { return }
            let known = try desk.texts(ofAllVersions: paper.id)
            try desk.documents.trash(paper.id, by: .local)
            farewells.append(
                Farewell(paper: paper.id, desk: number, at: count, known: known, isForGood: false))
            tell(number, "trashes \(paper.id)")
        case 10:
            guard let paper = pick(papers.filter(\.isTrashed)) else { return }
            let known = try desk.texts(ofAllVersions: paper.id)
            try desk.documents.purge(paper.id, by: .local)
            letGo.formUnion(known)
            farewells.append(
                Farewell(paper: paper.id, desk: number, at: count, known: known, isForGood: true))
            tell(number, "removes \(paper.id) for good")
        case 11:
            guard let paper = pick(papers.filter(\.isTrashed)) else { return }
            try desk.documents.restore(paper.id, by: .local)
            returns.append((paper.id, number, count))
            tell(number, "brings \(paper.id) back")
        case 12: try handleFolder(desk, number, folders)
        default: try visit(number, moodiness: moodiness)
        }
    }

    private func handleFolder(_ desk: TestDesk, _ number: Int, _ folders: [ID<Folder>]) throws {
        do {
            switch dice.below(5) {
            case 0, 1:
                let folder = try desk.documents.makeFolder(
                    named: "Folder \(dice.below(3))", in: dice.below(2) == 0 ? nil : pick(folders), by: .local
                )
                tell(number, "makes folder \(folder.id) \(folder.name)")
            case 2:
                guard let folder = pick(folders) else { return }
                try desk.documents.changeFolder(folder, name: "Folder \(dice.below(4))", by: .local)
                tell(number, "renames folder \(folder)")
            case 3:
                guard let folder = pick(folders) else { return }
                try desk.documents.changeFolder(folder, parent: .some(pick(folders)), by: .local)
                tell(number, "moves folder \(folder)")
            default:
                guard let folder = pick(folders) else { return }
                let tree = try desk.documents.folders(by: .local, counting: false)
                let inside = Set(tree.below(folder).map(\.folder.id))
                for paper in try desk.all()
                where !paper.isTrashed && paper.folder.map(inside.contains) == true {
                    farewells.append(
                        Farewell(
                            paper: paper.id, desk: number, at: count,
                            known: try desk.texts(ofAllVersions: paper.id), isForGood: false))
                }
                _ = try desk.documents.trashFolder(folder, by: .local)
                tell(number, "trashes folder \(folder)")
            }
        } catch is Failure {
            // The name is taken, or it would lie in itself: the desk says so, and nothing happens.
        }
    }

    private func visit(_ number: Int, moodiness: Int) throws {
        guard case .memory = way else {
            let place = try desks[number].visit()
            tell(number, "visits: \(place.state) \(place.sentence)")
            return
        }
        let shelf = MoodyShelf(place, seed: dice.next(), moodiness: moodiness)
        do {
            let place = try desks[number].visit(over: shelf)
            tell(number, "visits: \(place.state) \(place.sentence), \(shelf.faults) faults")
        } catch is Killed {
            tell(number, "is killed on its visit")
        }
    }

    // MARK: What has to be true in the end

    private func judge() throws {
        let pictures = try desks.map { try $0.picture() }
        guard pictures[0] == pictures[1] else {
            let only = zip(["north", "south"], [0, 1]).map { name, one in
                "only \(name): "
                    + pictures[one].filter { !pictures[1 - one].contains($0) }.joined(separator: "\n    ")
            }
            return complain("The desks are not the same:\n\(only.joined(separator: "\n"))")
        }
        var there: Set<String> = []
        let papers = try desks[0].all()
        for paper in papers { there.formUnion(try desks[0].texts(ofAllVersions: paper.id)) }
        for text in written.keys.sorted() where !letGo.contains(text) && !there.contains(text) {
            complain("“\(text)” is lost.")
        }
        for farewell in farewells {
            guard let paper = papers.first(where: { $0.id == farewell.paper }) else { continue }
            if !farewell.isForGood, paper.isTrashed { continue }
            let news = try desks[0].texts(ofAllVersions: paper.id).subtracting(farewell.known)
            let wasBrought = returns.contains {
                $0.paper == paper.id && ($0.desk != farewell.desk || $0.at > farewell.at)
            }
            // Also what was written into it before, elsewhere, and had not come here yet.
            let wroteElse = written.contains { $0.value == paper.id && !farewell.known.contains($0.key) }
            if news.isEmpty, !wasBrought, !wroteElse {
                complain("\(paper.id) came back by itself.")
            }
        }
        for desk in desks { #expect(try desk.store.verify().problems == []) }
    }

    private func tell(_ desk: Int, _ what: String) { told.append("\(count). \(desks[desk].name) \(what)") }

    private func complain(_ what: String) {
        Issue.record("History \(seed): \(what)\n\(told.joined(separator: "\n"))")
    }

    private func pick<T>(_ things: [T]) -> T? { things.isEmpty ? nil : things[dice.below(things.count)] }
}
