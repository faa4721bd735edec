import Glibc
public import SQL
import Synchronization

extension Database.Kind {
    /// The databases this machine offers to tests: `@Test("…", arguments: Database.Kind.here)`. PostgreSQL is
    /// among them where its server is installed (`apt install postgresql`).
    public static let here: [Database.Kind] = PostgresCluster.isInstalled ? [.sqlite, .postgres] : [.sqlite]
}

/// A database of its own for one test, gone afterwards.
public func withDatabase<R>(_ kind: Database.Kind, _ body: (Database) throws -> R) throws -> R {
    try withDatabaseAddress(kind) { address in
        let database =
            switch kind {
            case .sqlite: try Database.sqlite(at: address)
            case .postgres: try Database.postgres(address)
            }
        defer { database.close() }
        return try body(database)
    }
}

/// Where a test's own database is: the path of a file that does not exist yet, or a connection string. For
/// tests that open it several times.
public func withDatabaseAddress<R>(_ kind: Database.Kind, _ body: (String) throws -> R) throws -> R {
    switch kind {
    case .sqlite:
        try withScratchFolder { try body("\($0)/test.db") }
    case .postgres:
        try PostgresCluster.shared.withDatabase(body)
    }
}

/// A new folder under /tmp, removed with all that is in it.
public func withScratchFolder<R>(_ body: (String) throws -> R) throws -> R {
    let folder = try makeScratchFolder()
    defer { removeTree(folder) }
    return try body(folder)
}

/// The same in memory where the machine has such a place, for tests that make thousands of files.
public func withQuickFolder<R>(_ body: (String) throws -> R) throws -> R {
    let folder = try makeScratchFolder(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
    defer { removeTree(folder) }
    return try body(folder)
}

func makeScratchFolder(in place: String = "/tmp") throws -> String {
    var template = Array("\(place)/quire-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
        throw SQLError(.unreachable, "no temporary folder: \(String(cString: strerror(errno)))")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func removeTree(_ path: String) {
    if let folder = opendir(path) {
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            if entry.pointee.d_type == UInt8(DT_DIR) {
                removeTree("\(path)/\(name)")
            } else {
                unlink("\(path)/\(name)")
            }
        }
        closedir(folder)
    }
    rmdir(path)
}
