/// A guess at what a field is for, from its format and from what it is called.
public enum FieldMeaning: String, Sendable, CaseIterable {
    case date, email, phone, socialSecurity, postalCode, amount, name, street, city, state, country, signature

    static let words: [(FieldMeaning, [String])] = [
        (.signature, ["signature", "unterschrift"]),
        (.email, ["email", "e-mail"]),
        (.socialSecurity, ["ssn", "social security", "tin"]),
        (.phone, ["phone", "telephone", "fax", "mobile", "cell"]),
        (.postalCode, ["zip", "postal", "postcode", "plz"]),
        (.date, ["date", "birth", "dob", "datum"]),
        (.amount, ["amount", "total", "income", "cost", "price", "payment", "wages", "salary"]),
        (.street, ["address", "street", "strasse", "straße"]),
        (.city, ["city", "town", "stadt", "ort"]),
        (.country, ["country", "nation"]),
        (.state, ["state", "province"]),
        (.name, ["name", "surname"]),
    ]
}

extension Field {
    /// What to call the field in front of a person: the form's own words, or the last part of its name made readable.
    public var label: String {
        if let words = alternateName?.trimmingSpaces, !words.isEmpty { return words }
        let last = name.split(separator: ".").last.map(String.init) ?? name
        var text = ""
        var before: Character = " "
        for character in last.prefix(while: { $0 != "[" }) {
            if character == "_" || character == "-" {
                text.append(" ")
            } else {
                if character.isUppercase, before.isLowercase { text.append(" ") }
                text.append(character)
            }
            before = character
        }
        return text.trimmingSpaces.isEmpty ? name : text.trimmingSpaces
    }

    public var meaning: FieldMeaning? {
        switch format {
        case .date: return .date
        case .phone: return .phone
        case .zip, .zipPlusFour: return .postalCode
        case .socialSecurity: return .socialSecurity
        case .number: return .amount
        case .time, .percent, .script, nil: break
        }
        guard kind == .text || kind == .combo || kind == .signature else { return nil }
        let words = label.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init)
        let text = " " + words.joined(separator: " ") + " "
        return FieldMeaning.words.first {
            $0.1.contains { text.contains(" \($0) ") || text.contains(" \($0)s ") }
        }?.0
    }
}

extension PreparedForm {
    /// The name of the field that a column of a table means: the field's name, however the letters are cased; the
    /// words the form shows; or the last part of its name, when only one field is called so.
    public func field(meantBy column: String) -> String? {
        if plansByName[column] != nil { return column }
        let wanted = column.lowercased().trimmingSpaces
        guard !wanted.isEmpty else { return nil }
        for key: (Field) -> String? in [
            { $0.name.lowercased() }, { $0.alternateName?.lowercased().trimmingSpaces },
            { $0.name.split(separator: ".").last?.lowercased() }, { $0.label.lowercased() },
        ] {
            let found = Set(form.fields.filter { key($0) == wanted }.map(\.name))
            if found.count == 1 { return found.first }
            if found.count > 1 { return nil }
        }
        return nil
    }
}
