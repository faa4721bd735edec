import SQL
public import Storage
import Work

/// Something a desk writes on its papers beyond name, day, tags and note: a reference, an amount, a day something is due.
public struct PaperField: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable { case text, number, date }

    public let id: ID<PaperField>
    public var name: String
    public var kind: Kind
    /// Papers it is written on, those in the trash left out.
    public var paperCount: Int

    static let longest = 60
    static let longestValue = 500

    /// What the search box asks for by these words is something else.
    static func isReserved(_ name: String) -> Bool {
        ["tag", "type", "by", "folder", "in", "from", "after", "before", "until", "pages", "person"]
            .contains(name.lowercased())
    }
}

extension PaperField.Kind {
    /// As it is kept: a number with a point, a day as 2026-11-21; nil for what is neither.
    func cleaned(_ text: String) -> String? {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").filter { $0 != "\0" }
        switch self {
        case .text: return String(line.prefix(PaperField.longestValue))
        case .date: return Moment(iso8601: line + "T00:00:00Z") == nil ? nil : line
        case .number:
            let plain = line.filter { $0 != " " && $0 != "’" && $0 != "'" }
            // 1,234.50 and 1.234,50: the last sign parts the fraction, unless three digits follow the only one.
            let marks = plain.indices.filter { plain[$0] == "." || plain[$0] == "," }
            var digits = ""
            for place in plain.indices {
                guard let last = marks.last, marks.contains(place) else {
                    digits.append(plain[place])
                    continue
                }
                let behind = plain[plain.index(after: place)...].count
                if place == last, !(plain[place] == "," && marks.count == 1 && behind == 3) {
                    digits.append(".")
                }
            }
            guard let value = Double(digits), value.isFinite, abs(value) < 1e12,
                digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-" || $0 == "+") })
            else { return nil }
            return digits.hasPrefix("+") ? String(digits.dropFirst()) : digits
        }
    }

    /// What is compared, as text: numbers in order, negative ones first; words without case and accents.
    func order(_ value: String) -> String {
        switch self {
        case .text: return Words.folded(value)
        case .date: return value
        case .number:
            let scaled = Int64(((Double(value) ?? 0) * 10_000).rounded())
            let lifted = UInt64(bitPattern: scaled) ^ (1 << 63)
            let digits = String(lifted)
            return String(repeating: "0", count: 20 - digits.count) + digits
        }
    }
}

/// Somebody a paper has to do with.
public struct PaperPerson: Sendable, Equatable {
    public var name: String
    /// The contact they are, as its id; empty when nobody linked one.
    public var contact: String

    public init(name: String, contact: String = "") {
        self.name = name
        self.contact = contact
    }
}

/// A value on a paper, under the name of its field.
public struct PaperValue: Sendable, Equatable {
    public var field: String
    public var value: String

    public init(field: String, value: String) {
        self.field = field
        self.value = value
    }
}

extension Documents {
    static let labelTables = Migration(
        "labels",
        script: """
            CREATE TABLE paper_field (
                id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
                folded TEXT NOT NULL UNIQUE,
                kind TEXT NOT NULL CHECK (kind IN ('text', 'number', 'date')),
                made_at INTEGER NOT NULL
            );
            CREATE TABLE document_value (
                document TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
                field TEXT NOT NULL REFERENCES paper_field (id) ON DELETE CASCADE,
                value TEXT NOT NULL,
                value_order TEXT NOT NULL,
                PRIMARY KEY (document, field)
            );
            CREATE INDEX document_value_of ON document_value (field, value_order, document);
            CREATE TABLE document_person (
                document TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
                folded TEXT NOT NULL,
                name TEXT NOT NULL,
                contact TEXT NOT NULL,
                PRIMARY KEY (document, folded)
            );
            CREATE INDEX document_person_of ON document_person (folded, document);
            ALTER TABLE document ADD COLUMN people_names TEXT NOT NULL DEFAULT '';
            ALTER TABLE document ADD COLUMN field_values TEXT NOT NULL DEFAULT '';
            """)
}
