@testable import Access
import Filling
import Jobs
import Library
import SQL
import Storage
import TestSupport
import Work

let ada = Caller(memberID: nil, name: "Ada", role: .owner, via: .local)
let viewer = Caller(memberID: nil, name: "Vera", role: .viewer, via: .local)

/// Everything filling stands on, for one test.
struct Desk {
    let hand: HandClock
    let store: Store
    let documents: Documents
    let queue: JobQueue
    let templates: Templates
    let mappings: SavedMappings
    let batches: Batches

    static let areas = [
        Gate.migrations, JobQueue.migrations, Documents.migrations, FillingTables.migrations,
    ]

    init(_ store: Store, hand: HandClock) {
        self.hand = hand
        self.store = store
        let access = Gate(store)
        documents = Documents(access)
        queue = JobQueue(store)
        templates = Templates(access, documents: documents)
        mappings = SavedMappings(templates)
        batches = Batches(templates: templates, mappings: mappings, documents: documents, queue: queue)
    }

    func form(
        _ bytes: [UInt8] = SampleForm.consent(), named name: String = "Consent form.pdf"
    ) throws -> Template {
        try templates.take(.bytes(bytes), named: name, by: ada).template
    }
}

func withDesk<R>(_ kind: Database.Kind = .sqlite, _ body: (Desk) throws -> R) throws -> R {
    let hand = HandClock()
    return try withStore(kind, areas: Desk.areas, clock: hand.clock) { store in
        try body(Desk(store, hand: hand))
    }
}
