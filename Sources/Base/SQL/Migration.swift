/// One named step of a schema. What has been released is never edited: a change is a new step.
public struct Migration: Sendable {
    public let name: String
    let step: @Sendable (borrowing Connection) throws -> Void

    public init(_ name: String, _ step: @escaping @Sendable (borrowing Connection) throws -> Void) {
        self.name = name
        self.step = step
    }

    /// A step that only defines tables.
    public init(_ name: String, script: String) {
        self.init(name) { db in try db.script(script) }
    }
}

/// The tables of one part of the program, as the list of steps that lead to them.
public struct MigrationArea: Sendable {
    public let name: String
    public let migrations: [Migration]

    public init(_ name: String, _ migrations: [Migration]) {
        self.name = name
        self.migrations = migrations
    }

    public init(name: String, _ migrations: [Migration]) {
        self.init(name, migrations)
    }
}

extension Database {
    /// Brings the schema up to date, all areas in one transaction, and records each step in the table
    /// `migration`. The list must name every area of the program: one the database knows and the list does
    /// not was made by a newer program, and such a database is refused untouched.
    public func migrate(_ areas: [MigrationArea]) throws {
        try refuseInside("migration")
        // Most starts find nothing to do; a look does not have to wait for writers.
        if try read({ db in try pending(areas, in: db).isEmpty }) { return }
        try driver.migrate { session in
            let db = Connection(session)
            session.doom = nil
            session.attempts = 0
            try db.script(
                """
                CREATE TABLE IF NOT EXISTS migration (
                    area TEXT NOT NULL,
                    position INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    PRIMARY KEY (area, position),
                    UNIQUE (area, name)
                )
                """)
            // Asked again: another process may have been quicker.
            for step in try pending(areas, in: db) {
                try step.migration.step(db)
                try db.run(
                    """
                    INSERT INTO migration (area, position, name)
                    VALUES (\(step.area), \(step.position), \(step.migration.name))
                    """)
            }
            if let doom = session.doom { throw doom }
        }
    }

    /// What is recorded in this database, by area, in the order it was done.
    public func migrationHistory() throws -> [(area: String, name: String)] {
        try read { db in try recorded(in: db) }
    }

    private struct Step {
        var area: String
        var position: Int
        var migration: Migration
    }

    private func recorded(in db: borrowing Connection) throws -> [(area: String, name: String)] {
        let exists: Query =
            switch kind {
            case .sqlite: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'migration'"
            case .postgres:
                "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migration'"
            }
        guard try db.row(exists) != nil else { return [] }
        return try db.rows("SELECT area, name FROM migration ORDER BY area, position").map {
            (try $0.text("area"), try $0.text("name"))
        }
    }

    private func pending(_ areas: [MigrationArea], in db: borrowing Connection) throws -> [Step] {
        var done: [String: [String]] = [:]
        for (area, name) in try recorded(in: db) { done[area, default: []].append(name) }
        let known = Set(areas.map(\.name))
        precondition(known.count == areas.count, "two areas with one name")
        for (area, names) in done.sorted(by: { $0.key < $1.key }) where !known.contains(area) {
            throw newer(area: area, name: names.last ?? "")
        }
        var steps: [Step] = []
        for area in areas {
            let names = area.migrations.map(\.name)
            let past = done[area.name] ?? []
            for (position, name) in past.enumerated() where position >= names.count || names[position] != name
            {
                if position >= names.count { throw newer(area: area.name, name: name) }
                throw SQLError(
                    .changedHistory(area: area.name),
                    "step \(position + 1) of “\(area.name)” was “\(name)” when this database was made and is “\(names[position])” in this program"
                )
            }
            for position in past.count..<max(past.count, names.count) {
                steps.append(
                    Step(area: area.name, position: position, migration: area.migrations[position]))
            }
        }
        return steps
    }

    private func newer(area: String, name: String) -> SQLError {
        SQLError(
            .newerSchema(area: area, name: name),
            "this database was made by a newer version (“\(name)” of “\(area)” is unknown to this one)")
    }
}
