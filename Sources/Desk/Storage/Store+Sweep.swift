import SQL
public import Work

extension Store {
    /// Removes the files that no row of any table refers to any longer.
    ///
    /// Who refers to files is read from the schema's own foreign keys to `blob`, so no part of the program can
    /// be forgotten here. What was put on the shelf or kept within the grace stays: its transaction may still be
    /// on its way.
    @discardableResult
    public func sweep(grace: Duration = .seconds(24 * 3600), progress: Progress = Progress()) throws -> Swept
    {
        try blobs.whileSweeping {
            try blobs.settle()
            try write { tx in
                var unused: Query = "kept_at < \(tx.now - grace)"
                for (table, column) in try references(in: tx) {
                    // A list instead of EXISTS: both databases make it once, also without an index.
                    unused += """
                         AND digest NOT IN
                        (SELECT \(raw: column) FROM \(raw: table) WHERE \(raw: column) IS NOT NULL)
                        """
                }
                try tx.run("DELETE FROM blob WHERE \(unused)")
            }
            let needed = try read { desk in
                try Set(desk.rows("SELECT digest FROM blob").map { try $0.text("digest") })
            }
            return try blobs.sweep(grace: grace, progress: progress) { needed.contains($0.hex) }
        }
    }

    /// The columns, quoted, that refer to `blob`.
    private func references(in desk: borrowing Transaction) throws -> [(table: String, column: String)] {
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
