import CPQ

extension SQLError {
    /// What the server says about a failed statement, in the words both databases share.
    static func postgres(
        _ result: OpaquePointer?, _ connection: OpaquePointer, sql: String? = nil
    ) -> SQLError {
        func field(_ name: Int32) -> String? {
            PQresultErrorField(result, name).map { String(cString: $0) }
        }
        guard PQstatus(connection) == CONNECTION_OK else {
            return SQLError(.unreachable, lines(PQerrorMessage(connection)), sql: sql)
        }
        let state = field(cpq_sqlstate) ?? ""
        let said = field(cpq_message) ?? lines(PQerrorMessage(connection))
        let table = field(cpq_table) ?? ""
        let constraint = field(cpq_constraint) ?? ""
        let code: Code =
            switch state {
            case "23505": .unique(columns(of: table, in: field(cpq_detail)) ?? constraint)
            case "23503": .foreignKey
            case "23514": .check(constraint)
            case "23502": .notNull("\(table).\(field(cpq_column) ?? "")")
            case "22P02", "22003", "42804", "22021": .wrongType
            // Serialization failure, deadlock, lock not available; and a plan that outlived its table.
            case "40001", "40P01", "55P03": .busy
            case "0A000" where said.hasPrefix("cached plan"): .busy
            case "53100": .full
            case "25006": .readOnly
            case "57014": .cancelled
            case "57P01", "57P02", "57P03", "53300": .unreachable
            case "XX001", "XX002": .damaged
            case _ where state.hasPrefix("08"): .unreachable
            default: .other
            }
        return SQLError(code, said, sql: sql)
    }

    /// The server's message without its line breaks.
    static func lines(_ message: UnsafeMutablePointer<CChar>?) -> String {
        guard let message else { return "" }
        return String(cString: message).split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// `Key (kind, unique_key)=(a, b) already exists.` → `job.kind, job.unique_key`, as SQLite names it. An
    /// index over an expression has no such columns.
    private static func columns(of table: String, in detail: String?) -> String? {
        guard let detail, detail.hasPrefix("Key ("), let end = detail.firstRange(of: ")=(") else {
            return nil
        }
        let names = detail[detail.index(detail.startIndex, offsetBy: 5)..<end.lowerBound]
        guard !names.contains("(") else { return nil }
        return names.split(separator: ",").map { name in
            "\(table).\(name.drop { $0 == " " })"
        }.joined(separator: ", ")
    }
}
