import Filling
import Storage
import Tables

/// A list of recipients held in memory, as the desk's lists give it.
struct TestList: Sendable {
    var columns: [RowSource.Column]
    var rows: [PacketRow]

    /// The first two columns are the name and the address.
    init(_ columns: [String], _ rows: [[String]]) {
        let roles: [String: String] = ["name": "fullName", "email": "email", "id": "key"]
        self.columns = columns.map { .init(name: $0, kind: .text, role: roles[$0]) }
        self.rows = rows.enumerated().map { index, cells in
            PacketRow(
                recipient: "r\(index + 1)", name: cells[0], email: cells.count > 1 ? cells[1] : "",
                source: "people.csv", place: index + 2, cells: cells.map { Cell($0) })
        }
    }

    static func pupils(_ count: Int) -> TestList {
        TestList(
            ["name", "email", "class", "agrees"],
            (1...count).map {
                ["Pupil \($0)", "p\($0)@example.org", "\($0 % 10)a", $0.isMultiple(of: 2) ? "yes" : "no"]
            })
    }

    var source: RowSource {
        RowSource(
            list: { whom in
                guard whom.list == "pupils" else { throw Failure(.notFound, "There is no such list.") }
                return .init(name: "Pupils", columns: columns, count: rows.count)
            },
            each: { _, body in for row in rows { try body(row) } },
            some: { _, offset, limit in Array(rows.dropFirst(offset).prefix(limit)) },
            current: { _, ids in rows.filter { ids.contains($0.recipient) } })
    }
}
