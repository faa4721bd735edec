import Access
import App
import Bytes
import Filling
import Glibc
import Library
import People
import SQL
import Storage
@testable import Sync
import TestSupport
import Testing
import Work

/// A whole Quire with one place.
final class PairedDesk {
    let hand = HandClock()
    private let served: ServedQuire
    var quire: Quire { served.quire }

    init(_ name: String, _ folder: String, seed: UInt64) throws {
        served = try ServedQuire(home: "\(folder)/\(name)", hand: hand, seed: seed)
    }

    deinit { served.close() }

    private var place: SyncPlace {
        get throws { try #require(try quire.sync.list(by: .local).first) }
    }

    @discardableResult
    func visit() throws -> SyncPlace {
        try quire.sync.visit(place.id)
        return try place
    }

    func choose(_ things: Set<SyncPlace.Thing>) throws {
        try quire.sync.choose(.init(things: things), for: place.id, by: .local)
    }

    func form(_ name: String, pages: [String], folder: String = "") throws -> Template {
        let taken = try quire.templates.take(
            .bytes(Array(SamplePaper.pages(pages).utf8)), named: "\(name).pdf", folder: folder, by: .local)
        return taken.template
    }

    func cards(_ people: [String: String]) throws {
        let text = people.sorted { $0.key < $1.key }.map { name, email in
            "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(name)\r\nFN:\(name)\r\nEMAIL:\(email)\r\nEND:VCARD\r\n"
        }.joined()
        try quire.contacts.bring(cards: Array(text.utf8), named: "people.vcf", by: .local)
    }

    func people() throws -> [String] {
        try quire.contacts.page(by: .local).contacts.map { "\($0.name) \($0.email)" }.sorted()
    }

    func list(_ name: String, _ table: String) throws -> ID<RecipientList> {
        let list = try quire.recipients.make(name, by: .local).id
        let arrival = try quire.recipients.take(
            .bytes(Array(table.utf8)), named: "people.csv", into: list, by: .local)
        try quire.recipients.apply(arrival.id, by: .local)
        return list
    }

    func mappingTexts() throws -> [String] {
        try quire.store.read { desk in try desk.rows("SELECT text FROM mapping").map { try $0.text("text") } }
    }
}

func withPair(
    _ things: Set<SyncPlace.Thing>, passphrase: String = "", _ body: (PairedDesk, PairedDesk) throws -> Void
) throws {
    try withQuickFolder { folder in
        #expect(mkdir("\(folder)/place", 0o700) == 0)
        let desks = try [("home", 1), ("office", 2)].map { name, seed in
            let desk = try PairedDesk(name, folder, seed: UInt64(seed))
            try desk.quire.sync.add(
                SyncDraft(
                    .folder, address: "\(folder)/place", secrets: .init(passphrase: passphrase),
                    choice: .init(things: things)), by: .local)
            return desk
        }
        try body(desks[0], desks[1])
    }
}

extension Templates {
    func templateCount() throws -> Int { try counts(by: .local).kept }
}
