@testable import Access
import Jobs
import Library
import SQL
import Storage
import TestSupport
import Work

let ada = Caller(memberID: nil, name: "Ada", role: .owner, via: .local)
let editor = Caller(memberID: nil, name: "Eddie", role: .editor, via: .local)
let viewer = Caller(memberID: nil, name: "Vera", role: .viewer, via: .local)

/// A library for one test, with the hand of its clock.
func withLibrary<R>(
    _ kind: Database.Kind = .sqlite, _ body: (Documents, HandClock, Store) throws -> R
) throws -> R {
    let hand = HandClock()
    return try withStore(
        kind, areas: [Gate.migrations, JobQueue.migrations, Documents.migrations], clock: hand.clock
    ) { store in
        try body(Documents(Gate(store)), hand, store)
    }
}

extension Documents {
    /// Adds a text and moves on to the document.
    func addText(_ name: String, _ text: String? = nil, by caller: Caller = ada) throws -> Document {
        try add(.bytes(Array((text ?? "text of \(name)").utf8)), named: name, by: caller).document
    }

    func names(_ listing: Listing = Listing()) throws -> [String] {
        try list(listing, by: ada).documents.map(\.name)
    }
}
