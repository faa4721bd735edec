import HTTP
import Storage
import Work

/// What a program asks for in its address, taken out name by name. What is left over in the end is not known here and every
/// list refuses it: passed over, it would answer with papers nobody asked for, and a script would go on and delete them.
struct PaperlessFilters {
    private var left: [String: [String]] = [:]

    /// How an answer is to look; none of these says what is in it.
    private static let manners: Set<String> = [
        "page", "page_size", "ordering", "format", "fields", "full_perms", "truncate_content",
        "include_selection_data",
    ]

    init(_ query: Fields) {
        // Paperless takes an empty filter for none.
        for field in query where !field.value.isEmpty && !Self.manners.contains(field.name) {
            left[field.name, default: []].append(field.value)
        }
    }

    mutating func text(_ name: String) throws(Failure) -> String? {
        guard let values = left.removeValue(forKey: name) else { return nil }
        guard values.count == 1 else { throw Failure(.invalid, "Say it once.", field: name) }
        return values[0]
    }

    /// Of things: `1,2` and the same name again add up.
    mutating func numbers(_ name: String) throws(Failure) -> [Int]? {
        guard let values = left.removeValue(forKey: name) else { return nil }
        var numbers: [Int] = []
        for word in values.flatMap({ $0.split(separator: ",") }) {
            guard let number = Int(word) else { throw Failure(.invalid, "Enter a number.", field: name) }
            numbers.append(number)
        }
        return numbers
    }

    /// By either name, and both where both are given.
    mutating func numbers(_ name: String, and other: String) throws(Failure) -> [Int]? {
        let (some, others) = (try numbers(name), try numbers(other))
        guard let some, let others else { return some ?? others }
        return some.filter(others.contains)
    }

    mutating func flag(_ name: String) throws(Failure) -> Bool? {
        switch try text(name)?.lowercased() {
        case nil: nil
        case "1", "true"?: true
        case "0", "false"?: false
        default: throw Failure(.invalid, "Say true or false.", field: name)
        }
    }

    /// A day, or the one so many days later, as 2026-11-21. A moment stands for its day.
    mutating func day(_ name: String, _ days: Int = 0) throws(Failure) -> String? {
        var found: String?
        for name in [name, name.replacing("__date", with: "")] {
            guard let text = try text(name) else { continue }
            guard let moment = Moment(iso8601: String(text.prefix(10)) + "T00:00:00Z") else {
                throw Failure(.invalid, "Enter a valid date.", field: name)
            }
            let day = String((moment + .seconds(days * 86_400)).iso8601.prefix(10))
            guard found == nil || found == day else { throw Failure(.invalid, "Say it once.", field: name) }
            found = day
        }
        return found
    }

    func finish() throws(Failure) {
        guard let name = left.keys.min() else { return }
        throw Failure(
            .invalid, "Quire does not know this filter, and does not answer as if it had not been asked.",
            field: name)
    }
}
