@testable import Access
import Jobs
import People
import SQL
import Storage
import Tables
import TestSupport
import Work

let ada = Caller(memberID: nil, name: "Ada", role: .owner, via: .local)
let viewer = Caller(memberID: nil, name: "Vera", role: .viewer, via: .local)

/// The lists of one test.
func withRecipients<R>(
    _ kind: Database.Kind = .sqlite, _ body: (Recipients, Store) throws -> R
) throws -> R {
    try withStore(kind, areas: [Gate.migrations, JobQueue.migrations, Recipients.migrations]) { store in
        try body(Recipients(Gate(store), queue: JobQueue(store)), store)
    }
}

extension Recipients {
    /// Brings a text in as a file of this name.
    @discardableResult
    func bring(
        _ text: String, named name: String = "people.csv", into list: ID<RecipientList>,
        _ settings: ImportSettings = ImportSettings()
    ) throws -> ImportCounts {
        let pending = try take(.bytes(Array(text.utf8)), named: name, into: list, settings, by: ada)
        return try apply(pending.id, by: ada).counts ?? ImportCounts()
    }

    func shown(_ list: ID<RecipientList>, _ listing: Listing = Listing()) throws -> [[String]] {
        try page(list, listing, by: ada).recipients.map { $0.cells.map(\.shown) }
    }
}
