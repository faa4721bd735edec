public import Tables

/// Cells of people there are not, for showing what a column holds without showing anybody.
public enum Invented {
    /// The cell of a column in the n-th row, from 0; `choices` are the words that the form takes in its place, and `longest`
    /// is what its field holds.
    public static func cell(
        of column: String, kind: Cell.Kind = .text, row: Int, choices: [String] = [], longest: Int = .max
    ) -> String {
        if !choices.isEmpty { return choices[row % choices.count] }
        let cell = cell(of: column, kind, row)
        guard cell.count > longest else { return cell }
        // A date or a number over a comb is written without what stands between its digits.
        let digits = cell.filter(\.isNumber)
        return digits.count >= 6 ? String(digits.prefix(longest)) : String(cell.prefix(longest))
    }

    private static func cell(of column: String, _ kind: Cell.Kind, _ row: Int) -> String {
        let person = people[row % people.count]
        for what in Sense(column).what.sorted() {
            if let known = known(what, person, row) { return known }
        }
        switch kind {
        case .number: return "\(row + 1)"
        case .date: return "2015-0\(row % 9 + 1)-15"
        case .boolean: return row % 2 == 0 ? "yes" : "no"
        case .time: return "0\(row % 9 + 1):00"
        case .text, .empty: return "\(column) \(row + 1)"
        }
    }

    private struct Person {
        var first: String
        var last: String
    }

    /// Names that nobody takes for a neighbour's.
    private static let people = [
        Person(first: "Ada", last: "Example"), Person(first: "Bruno", last: "Sample"),
        Person(first: "Chloé", last: "Specimen"),
    ]

    private static func known(_ what: String, _ person: Person, _ row: Int) -> String? {
        switch what {
        case "@firstname": person.first
        case "@middlename": "Marie"
        case "@middleinitial": "M."
        case "@lastname": person.last
        case "@fullname": "\(person.first) \(person.last)"
        case "@initials": "\(person.first.prefix(1))\(person.last.prefix(1))"
        case "@email": "\(person.last.lowercased())@example.org"
        // Numbers that are kept for stories: nobody has them.
        case "@phone", "@mobile", "@fax": "555-01\(10 + row % 90)"
        case "@birthdate": "2015-0\(row % 9 + 1)-15"
        case "@street", "@address": "\(row + 1) Example Street"
        case "@city", "@birthplace": "Sampletown"
        case "@zip": "0000\(row % 9 + 1)"
        case "@ssn", "@taxid", "@ein": "000-00-000\(row % 9 + 1)"
        case "@age": "\(9 + row % 3)"
        default: nil
        }
    }
}
