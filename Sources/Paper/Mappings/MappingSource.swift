public import Formulas

extension Mapping {
    /// Where the value of a field comes from. In the file all of them are formulas.
    public enum Source: Sendable, Equatable, Hashable {
        /// Nothing is filled in.
        case empty
        /// A cell, as the table shows it.
        case column(String)
        /// The same text for every row.
        case fixed(String)
        case formula(String)

        /// What somebody wrote: the plain cases are recognised.
        public init(_ text: String) {
            let trimmed = text.trimmed
            if trimmed.isEmpty {
                self = .empty
            } else if let plain = Self.plain(trimmed) {
                self = plain
            } else {
                self = .formula(trimmed)
            }
        }

        private static func plain(_ text: String) -> Source? {
            if text.first == "{", text.last == "}" {
                guard let columns = try? Formula(text).columns, columns.count == 1,
                    Source.column(columns[0]).text == text
                else { return nil }
                return .column(columns[0])
            }
            guard text.first == "\"", text.last == "\"", text.count >= 2, let fixed = Quoted.read(text) else {
                return nil
            }
            return .fixed(fixed)
        }

        /// As it is written in the file.
        public var text: String {
            switch self {
            case .empty: ""
            case .column(let name):
                "{"
                    + name.replacing("\\", with: "\\\\").replacing("{", with: "\\{").replacing(
                        "}", with: "\\}")
                    + "}"
            case .fixed(let text): Quoted.write(text)
            case .formula(let text): text
            }
        }

        /// Nil when nothing is to be filled in.
        public func formula() throws(FormulaError) -> Formula? {
            self == .empty ? nil : try Formula(text)
        }
    }
}

/// Texts in quotation marks, as formulas have them.
enum Quoted {
    static func write(_ text: String) -> String {
        "\""
            + text.replacing("\\", with: "\\\\").replacing("\"", with: "\"\"").replacing("\r\n", with: "\\n")
            .replacing("\n", with: "\\n").replacing("\t", with: "\\t") + "\""
    }

    /// Nil when the text does not end where its quotation marks do.
    static func read(_ text: String) -> String? {
        guard let (value, rest) = readBeginning(text[...]), rest.isEmpty else { return nil }
        return value
    }

    static func readBeginning(_ text: Substring) -> (value: String, rest: Substring)? {
        var rest = text
        guard rest.popFirst() == "\"" else { return nil }
        var value = ""
        while let character = rest.popFirst() {
            if character == "\"" {
                guard rest.first == "\"" else { return (value, rest) }
                rest.removeFirst()
                value.append("\"")
            } else if character == "\\" {
                switch rest.popFirst() {
                case "n": value.append("\n")
                case "t": value.append("\t")
                case let next? where next == "\\" || next == "\"" || next == "'": value.append(next)
                default: return nil
                }
            } else {
                value.append(character)
            }
        }
        return nil
    }
}
