import CSQLite
import Glibc
import Work

extension SQLError {
    /// What SQLite says about its last failed call, in the words both databases share.
    static func sqlite(_ result: Int32, _ handle: OpaquePointer?, sql: String? = nil) -> SQLError {
        let said =
            handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(result))
        let systemError = handle.map { sqlite3_system_errno($0) } ?? 0
        return SQLError(code(result, said, systemError), sentence(result, said, systemError), sql: sql)
    }

    private static func code(_ result: Int32, _ said: String, _ systemError: Int32) -> Code {
        switch result {
        case csqlite_unique, csqlite_primary_key, csqlite_row_id:
            return .unique(constraint(said))
        case csqlite_foreign_key: return .foreignKey
        case csqlite_check: return .check(constraint(said))
        case csqlite_not_null: return .notNull(constraint(said))
        case csqlite_data_type: return .wrongType
        default: break
        }
        switch result & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        case SQLITE_FULL: return .full
        case SQLITE_READONLY, SQLITE_PERM: return .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged
        case SQLITE_INTERRUPT: return .cancelled
        case SQLITE_MISMATCH: return .wrongType
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            switch systemError {
            case ENOSPC, EDQUOT: return .full
            case EROFS, EACCES, EPERM: return .readOnly
            default: return .unreachable
            }
        default: return .other
        }
    }

    /// `UNIQUE constraint failed: job.kind, job.unique_key` → `job.kind, job.unique_key`;
    /// an index over an expression is named: `index 'name'` → `name`.
    private static func constraint(_ said: String) -> String {
        guard let colon = said.firstRange(of: "failed: ") else { return said }
        let rest = String(said[colon.upperBound...])
        let named = rest.split(separator: "'", omittingEmptySubsequences: false)
        return named.count == 3 && named[0] == "index " ? String(named[1]) : rest
    }

    private static func sentence(_ result: Int32, _ said: String, _ systemError: Int32) -> String {
        switch result & 0xff {
        case SQLITE_CORRUPT: return "the database file is damaged (\(said))"
        case SQLITE_NOTADB: return "the file is not a database, or its beginning is damaged (\(said))"
        case SQLITE_FULL: return "the disk is full (\(said))"
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            return systemError == 0 ? said : "\(said): \(systemMessage(systemError))"
        default: return said
        }
    }
}

extension StringProtocol {
    /// The standard library finds substrings only since Swift 5.7 and only with `_StringProcessing`; byte by
    /// byte is enough for messages in ASCII.
    func firstRange(of wanted: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(wanted) {
                return start..<self.index(start, offsetBy: wanted.count)
            }
            start = self.index(after: start)
        }
        return nil
    }
}
