import Glibc
public import SQL

extension Database.Kind {
    /// The databases this machine offers to tests: `@Test("…", arguments: Database.Kind.here)`.
    public static let here: [Database.Kind] = [.sqlite]
}

/// A database of its own for one test, gone afterwards.
public func withDatabase<R>(_ kind: Database.Kind, _ body: (Database) throws -> R) throws -> R {
    var template = Array("/tmp/quire-sql-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SQLError(.unreachable, "no temporary folder") }
    let folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer {
        for name in ["", "-wal", "-shm"] { unlink("\(folder)/test.db\(name)") }
        rmdir(folder)
    }
    let database = try Database.sqlite(at: "\(folder)/test.db")
    defer { database.close() }
    return try body(database)
}
