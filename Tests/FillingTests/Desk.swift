@testable import Access
import Filling
import Jobs
import Library
import PDFReading
import SQL
import SigningKeys
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

    init(_ store: Store, hand: HandClock, list: TestList) {
        self.init(store, hand: hand, rows: list.source)
    }

    init(_ store: Store, hand: HandClock, rows: RowSource, identities: Identities? = nil) {
        self.hand = hand
        self.store = store
        let access = Gate(store)
        documents = Documents(access)
        queue = JobQueue(store)
        templates = Templates(access, documents: documents)
        mappings = SavedMappings(templates)
        batches = Batches(
            templates: templates, mappings: mappings, documents: documents, queue: queue, rows: rows,
            previews: PagePreviews(in: store.home.previews, clock: store.clock) {
                PageReader(jail: .detect())
            }, identities: identities)
    }

    /// A batch of the consent form for all on the list.
    func batch(_ change: (inout BatchDraft) -> Void = { _ in }) throws -> Batch {
        let template = try form()
        let mapping = try mappings.save(Self.consentMapping, named: "Pupils", for: template.id, by: ada)
        var draft = BatchDraft(name: "Consent", list: "pupils", naming: "{Template}_{name}")
        draft.parts = [PacketPart(.template(template.id, mapping: mapping.id))]
        change(&draft)
        return try batches.make(draft, by: ada)
    }

    static let consentMapping = """
        [fields]
        name = {name}
        class = {class}
        agrees = {agrees}

        """

    /// Everything that was promised is done, here and now.
    func work() {
        let runner = JobRunner(queue, threads: 1)
        batches.handle(in: runner)
        runner.runUntilIdle()
        runner.stop()
    }

    func packets(_ batch: Batch, _ listing: Batches.PacketListing = .init()) throws -> [Packet] {
        try batches.packets(of: batch.id, listing, by: ada).packets
    }

    func form(
        _ bytes: [UInt8] = SampleForm.consent(), named name: String = "Consent form.pdf"
    ) throws -> Template {
        try templates.take(.bytes(bytes), named: name, by: ada).template
    }
}

func withDesk<R>(
    _ kind: Database.Kind = .sqlite, list: TestList = .pupils(3), _ body: (Desk) throws -> R
) throws -> R {
    let hand = HandClock()
    return try withStore(kind, areas: Desk.areas, clock: hand.clock) { store in
        try body(Desk(store, hand: hand, list: list))
    }
}

/// A member of their own.
func member(_ number: Int) -> Caller {
    Caller(
        memberID: ID<Member>("00000000-0000-7000-8000-00000000000\(number)"), name: "Member \(number)",
        role: .owner,
        via: .local)
}
