/// The words that a person, the sender and the day bring to a letter.
///
/// Every column is known by its name in small letters with underscores: `Last name` is `{{last_name}}`.
public struct LetterWords: Sendable, Equatable {
    private var values: [String: String] = [:]
    public private(set) var names: [String] = []

    public init() {}

    public init(columns: [(name: String, value: String)]) {
        for column in columns { add(column.name, column.value) }
    }

    /// Names found out before, for many people.
    init(names: [String], values: [String]) {
        self.names = names
        self.values = Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first })
    }

    /// Columns of one name get numbers: `phone`, `phone_2`.
    public mutating func add(_ column: String, _ value: String) {
        let base = Self.key(column)
        var key = base
        var number = 2
        while values[key] != nil {
            key = "\(base)_\(number)"
            number += 1
        }
        values[key] = value
        names.append(key)
    }

    /// Sets what the system knows; it goes before a column of the same name.
    public mutating func set(_ key: String, _ value: String) {
        if values.updateValue(value, forKey: key) == nil { names.append(key) }
    }

    subscript(key: String) -> String? { values[key] }

    /// `Prénom de l’élève` is `prenom_de_l_eleve`.
    public static func key(_ column: String) -> String {
        var output = ""
        for character in column.lowercased() {
            guard character.isLetter || character.isNumber else {
                if !output.isEmpty, output.last != "_" { output += "_" }
                continue
            }
            // The letter without its accent, where it has one.
            output += character.withoutAccents
        }
        while output.last == "_" { output.removeLast() }
        return output.isEmpty ? "column" : output
    }
}

extension Character {
    /// `é` is `e` and `ø` is `o`, told by the letter's own name; letters of other scripts stay.
    fileprivate var withoutAccents: String {
        var output = ""
        for scalar in unicodeScalars where scalar.properties.generalCategory != .nonspacingMark {
            let prefix = "LATIN SMALL LETTER "
            if !scalar.isASCII, let name = scalar.properties.name, name.hasPrefix(prefix),
                let end = name.firstRange(of: " WITH ")
            {
                output += name[..<end.lowerBound].dropFirst(prefix.count).lowercased()
            } else {
                output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
