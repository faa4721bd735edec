public import SQL
public import Storage
public import Work

/// Where a test's own desk lies, for tests that open it several times.
public struct DeskPlace: Sendable {
    public let home: String
    public let database: Store.DatabaseChoice
    public let areas: [MigrationArea]

    /// How the programs of the benches are told of the database.
    public var address: String {
        if case .postgres(let address, _) = database { address } else { "sqlite" }
    }

    public func open(
        clock: Clock = HandClock().clock, chance: Chance = .seeded(1), areas: [MigrationArea]? = nil,
        log: Log = .silent
    ) throws -> Store {
        try Store.open(
            home: home, database: database, clock: clock, chance: chance, areas: areas ?? self.areas, log: log
        )
    }
}

/// A new data directory and an empty database, gone afterwards.
public func withDeskPlace<R>(
    _ kind: Database.Kind, areas: [MigrationArea] = [], _ body: (DeskPlace) throws -> R
) throws -> R {
    try withScratchFolder { folder in
        switch kind {
        case .sqlite:
            try body(DeskPlace(home: "\(folder)/desk", database: .sqlite, areas: areas))
        case .postgres:
            try withDatabaseAddress(kind) { address in
                try body(DeskPlace(home: "\(folder)/desk", database: .postgres(address), areas: areas))
            }
        }
    }
}

/// An open desk for one test, with a fixed clock and seeded ids.
public func withStore<R>(
    _ kind: Database.Kind = .sqlite, areas: [MigrationArea] = [], clock: Clock = HandClock().clock,
    chance: Chance = .seeded(1), _ body: (Store) throws -> R
) throws -> R {
    try withDeskPlace(kind, areas: areas) { place in
        let store = try place.open(clock: clock, chance: chance)
        defer { store.close() }
        return try body(store)
    }
}
