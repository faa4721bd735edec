import SQL
public import Work

/// What `quire verify` found.
public struct Verification: Sendable, Equatable {
    public var filesChecked = 0
    public var byteCount: Int64 = 0
    /// In the database's own words.
    public var database: [String] = []
    public var journal: [String] = []
    public var blobs: [BlobProblem] = []

    public var isSound: Bool { problems.isEmpty }

    /// All of it in sentences.
    public var problems: [String] {
        database.map { "The database: \($0)" } + journal + blobs.map(\.sentence)
    }
}

extension Store {
    /// Reads everything once: the database's structure, the chain of the journal, every file.
    public func verify(rests: Bool = false, progress: Progress = Progress()) throws -> Verification {
        var found = Verification()
        progress.phase("the database")
        found.database = try orDamage { try database.check() }
        progress.phase("the journal")
        found.journal = try orDamage { try journal.verify() }
        var expected: [Digest: Int64] = [:]
        found.database += try orDamage {
            try read { desk in
                try desk.each("SELECT digest, byte_count FROM blob") { row in
                    expected[try row.digest("digest")] = try row.integer("byte_count")
                }
            }
            return []
        }
        found.byteCount = expected.values.reduce(0, +)
        progress.set(done: 0, total: found.byteCount)
        progress.phase("the files")
        (found.filesChecked, found.blobs) = try blobs.verify(
            expected: expected, rests: rests, progress: progress)
        return found
    }

    /// A database too damaged to be read through is a finding as well, and the files are still worth a look.
    private func orDamage(_ body: () throws -> [String]) throws -> [String] {
        do {
            return try Self.explained(home, body)
        } catch let failure as Failure where failure.code == .damaged {
            return [failure.cause ?? failure.message]
        }
    }
}
