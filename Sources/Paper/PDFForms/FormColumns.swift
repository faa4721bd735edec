/// Where the columns of a table go in a form, worked out once for all its rows. Bare numbers in one list: to read them,
/// threads that fill the same form need not count who uses what.
public struct FormColumns: Sendable {
    /// The fields of all columns one after another, and where in that list each column begins.
    private let places: [Int32]
    private let starts: [Int32]
    /// True when no two columns are for one field.
    let areDistinct: Bool

    init(_ columns: [[Int]]) {
        places = columns.flatMap { $0.map { Int32(truncatingIfNeeded: $0) } }
        var starts: [Int32] = [0]
        for column in columns { starts.append((starts.last ?? 0) + Int32(truncatingIfNeeded: column.count)) }
        self.starts = starts
        areDistinct = Set(places).count == places.count
    }

    public var count: Int { starts.count - 1 }

    /// The fields of a column: several when they have one name, none when no field has the column's name.
    @inline(__always)
    func forEach(_ column: Int, _ body: (Int) throws -> Void) rethrows {
        guard column < count else { return }
        for index in Int(starts[column])..<Int(starts[column + 1]) { try body(Int(places[index])) }
    }

    /// The field of a column, -1 when there is none, nil when there are several.
    @inline(__always)
    func only(_ column: Int) -> Int? {
        guard column < count else { return -1 }
        let start = Int(starts[column])
        switch Int(starts[column + 1]) - start {
        case 0: return -1
        case 1: return Int(places[start])
        default: return nil
        }
    }

    public subscript(column: Int) -> [Int]? {
        var list: [Int] = []
        forEach(column) { list.append($0) }
        return list.isEmpty ? nil : list
    }
}
