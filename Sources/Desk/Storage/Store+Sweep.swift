import SQL
public import Work

extension Store {
    /// Takes the files off the shelf that no row of any table refers to any longer, lets them wait for `waiting`, and then
    /// removes them. One that would take much is refused, unless somebody has asked for `all`.
    ///
    /// Who refers to files is read from the schema's own foreign keys to `blob`, so no part of the program can
    /// be forgotten here. What was put on the shelf or kept within the grace stays: its transaction may still be
    /// on its way.
    @discardableResult
    public func sweep(
        grace: Duration = .seconds(24 * 3600), waiting: Duration = .seconds(30 * 86_400), all: Bool = false,
        progress: Progress = Progress()
    ) throws -> Swept {
        try blobs.whileSweeping {
            try blobs.settle()
            if !all { try refuseToTakeMuch(grace, progress) }
            try write { tx in
                try tx.run("DELETE FROM blob WHERE \(try unused(grace, at: tx.now, in: tx))")
            }
            let needed = try digests("1 = 1")
            var swept = try blobs.sweep(grace: grace, progress: progress) { needed.contains($0.hex) }
            swept.goneCount = try blobs.clearWaitingRoom(after: waiting, progress: progress) {
                needed.contains($0.hex)
            }
            return swept
        }
    }

    private func refuseToTakeMuch(_ grace: Duration, _ progress: Progress) throws {
        let known = try digests("1 = 1")
        let letGo = try digests(try read { desk in try unused(grace, at: clock.now(), in: desk) })
        let weight = try blobs.weigh(
            grace: grace, progress: progress, keeping: { known.contains($0.hex) && !letGo.contains($0.hex) },
            known: { known.contains($0.hex) })
        if weight.isSuspicious { throw weight.failure }
    }

    private func digests(_ which: Query) throws -> Set<String> {
        try read { desk in
            try Set(desk.rows("SELECT digest FROM blob WHERE \(which)").map { try $0.text("digest") })
        }
    }

    private func unused(
        _ grace: Duration, at now: Moment, in desk: borrowing some Readable & ~Copyable
    ) throws -> Query {
        var unused: Query = "kept_at < \(now - grace)"
        for (table, column) in try references(in: desk) {
            // A list instead of EXISTS: both databases make it once, also without an index.
            unused += """
                 AND digest NOT IN
                (SELECT \(raw: column) FROM \(raw: table) WHERE \(raw: column) IS NOT NULL)
                """
        }
        return unused
    }

    /// The columns, quoted, that refer to `blob`.
    private func references(
        in desk: borrowing some Readable & ~Copyable
    ) throws -> [(table: String, column: String)] {
        let query: Query =
            switch desk.kind {
            case .sqlite:
                """
                SELECT t.name AS table_name, f."from" AS column_name
                FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f
                WHERE t.type = 'table' AND f."table" = 'blob'
                """
            case .postgres:
                """
                SELECT CAST(t.relname AS TEXT) AS table_name, CAST(a.attname AS TEXT) AS column_name
                FROM pg_constraint f
                JOIN pg_class t ON t.oid = f.conrelid
                JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
                WHERE f.contype = 'f' AND f.confrelid = to_regclass('blob')
                """
            }
        return try desk.rows(query).map {
            (quoted(try $0.text("table_name")), quoted(try $0.text("column_name")))
        }
    }
}

/// A name from the schema as SQL writes it.
func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}
