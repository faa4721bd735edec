/// A card with somebody's name and addresses (RFC 6350, RFC 2426, and what telephones make of them).
public struct VCard: Sendable, Equatable {
    public struct Property: Sendable, Equatable {
        /// In capitals, without its group: `EMAIL`.
        public var name: String
        /// `WORK`, `CELL`, `PREF`; in capitals.
        public var types: [String]
        /// Unescaped, its parts still apart: a name has five, an address seven.
        public var parts: [String]

        public var text: String { parts.joined(separator: ";") }
        func part(_ place: Int) -> String { place < parts.count ? parts[place] : "" }
    }

    public var properties: [Property]
    /// Where the card begins in its file.
    public var line: Int
    /// The card as it stands in the file, without pictures.
    public var source: String

    public func all(_ name: String) -> [Property] { properties.filter { $0.name == name } }
    public func first(_ name: String) -> String? { all(name).first?.text.nonEmpty }

    public var uid: String? { first("UID") }

    public var name: String {
        if let formatted = first("FN") { return formatted }
        let made = [namePart(3), givenName, namePart(2), familyName, namePart(4)].filter { !$0.isEmpty }
            .joined(separator: " ")
        return made.nonEmpty ?? first("ORG")?.replacing(";", with: ", ") ?? emails.first ?? ""
    }

    public var familyName: String { namePart(0) }
    public var givenName: String { namePart(1) }
    private func namePart(_ place: Int) -> String { all("N").first?.part(place) ?? "" }

    /// Preferred ones first.
    public var emails: [String] {
        let found = all("EMAIL").sorted { $0.types.contains("PREF") && !$1.types.contains("PREF") }
        return found.map { $0.text.hasPrefix("mailto:") ? String($0.text.dropFirst(7)) : $0.text }.filter {
            !$0.isEmpty
        }
    }

    /// What it says, by the names of columns: `Name`, `E-mail`, `E-mail 2`, `City`, …
    public var fields: [(name: String, value: String)] {
        var cells: [(name: String, value: String)] = []
        func add(_ name: String, _ text: String?) {
            if let text, !text.isEmpty, !cells.contains(where: { $0.0 == name }) {
                cells.append((name, text))
            }
        }
        func addAll(_ name: String, _ texts: [String]) {
            for (place, text) in texts.prefix(5).enumerated() {
                add(place == 0 ? name : "\(name) \(place + 1)", text)
            }
        }
        add("Name", name)
        add("First name", givenName)
        add("Last name", familyName)
        add("Middle name", namePart(2))
        add("Title", namePart(3))
        add("Suffix", namePart(4))
        add("Nickname", first("NICKNAME"))
        addAll("E-mail", emails)
        addAll("Phone", all("TEL").map { $0.text.hasPrefix("tel:") ? String($0.text.dropFirst(4)) : $0.text })
        add("Organization", all("ORG").first?.part(0))
        add("Department", all("ORG").first.map { $0.parts.dropFirst().joined(separator: ", ") })
        add("Job title", first("TITLE"))
        for (place, address) in all("ADR").prefix(3).enumerated() {
            let number = place == 0 ? "" : " \(place + 1)"
            add(
                "Street\(number)",
                [address.part(0), address.part(1), address.part(2)].filter { !$0.isEmpty }.joined(
                    separator: ", "))
            add("City\(number)", address.part(3))
            add("Region\(number)", address.part(4))
            add("Postal code\(number)", address.part(5))
            add("Country\(number)", address.part(6))
        }
        add("Birthday", first("BDAY").map(Self.day))
        add("Website", first("URL"))
        add("Note", first("NOTE"))
        add("Categories", first("CATEGORIES")?.replacing(";", with: ", "))
        return cells
    }

    /// `19900102` as 1990-01-02.
    private static func day(_ text: String) -> String {
        let digits = Array(text.utf8)
        guard digits.count == 8, digits.allSatisfy(CellKind.isDigit) else { return text }
        return "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.dropFirst(6))"
    }
}

extension VCard {
    /// All cards of a file. Properties that cannot be read are left out; so is everything outside a card.
    public static func all(in bytes: [UInt8]) -> [VCard] {
        let text = VCardText(bytes)
        var cards: [VCard] = []
        var open: VCard?
        for (line, content, raw) in text.lines {
            let upper = content.prefix(20).uppercased()
            if upper.hasPrefix("BEGIN:VCARD") {
                open = VCard(properties: [], line: line, source: raw + "\n")
                continue
            }
            guard var card = open else { continue }
            if upper.hasPrefix("END:VCARD") {
                card.source += raw + "\n"
                cards.append(card)
                open = nil
                continue
            }
            if let property = Property(content) {
                if !["PHOTO", "LOGO", "SOUND", "KEY"].contains(property.name) {
                    card.source += raw + "\n"
                    card.properties.append(property)
                }
            }
            open = card
        }
        return cards
    }
}

extension VCard.Property {
    /// `item1.EMAIL;TYPE=WORK;ENCODING=QUOTED-PRINTABLE:ada=40example.org`
    init?(_ line: String) {
        var isQuoted = false
        guard
            let colon = line.firstIndex(where: { character in
                if character == "\"" { isQuoted.toggle() }
                return character == ":" && !isQuoted
            })
        else { return nil }
        let head = Self.split(line[..<colon], at: ";", isEscaped: false)
        guard let first = head.first else { return nil }
        name = (first.split(separator: ".").last.map { String($0) } ?? first).uppercased()
        types = []
        var isQuotedPrintable = false
        var isBinary = false
        var charset = "UTF-8"
        for parameter in head.dropFirst() {
            // Some write a semicolon too many.
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard !pair.isEmpty else { continue }
            let key = pair[0].uppercased()
            let value = pair.count > 1 ? pair[1].filter { $0 != "\"" } : ""
            switch key {
            case "TYPE": types += value.split(separator: ",").map { $0.uppercased() }
            case "PREF": types.append("PREF")
            case "ENCODING":
                isQuotedPrintable = value.uppercased() == "QUOTED-PRINTABLE"
                isBinary = ["B", "BASE64"].contains(value.uppercased())
            case "CHARSET": charset = value
            // Telephones of old write only the value: TEL;CELL:…
            default:
                if pair.count == 1 {
                    if key == "QUOTED-PRINTABLE" { isQuotedPrintable = true } else { types.append(key) }
                }
            }
        }
        if isBinary, name != "PHOTO", name != "LOGO", name != "SOUND", name != "KEY" { return nil }
        var value = String(line[line.index(after: colon)...])
        if isQuotedPrintable { value = Self.unquoted(value, charset) }
        parts = Self.split(value[...], at: ";", isEscaped: true).map(Self.unescaped)
    }

    private static func split(_ text: Substring, at separator: Character, isEscaped: Bool) -> [String] {
        var parts = [""]
        var isBehindStroke = false
        var isQuoted = false
        for character in text {
            if isBehindStroke {
                parts[parts.count - 1].append(character)
                isBehindStroke = false
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            if character == "\\", isEscaped { isBehindStroke = true }
            if character == separator, !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

    private static func unescaped(_ text: String) -> String {
        guard text.contains("\\") else { return text.trimmingSpace }
        var plain = ""
        var isBehindStroke = false
        for character in text {
            if isBehindStroke {
                plain.append(character == "n" || character == "N" ? "\n" : character)
                isBehindStroke = false
            } else if character == "\\" {
                isBehindStroke = true
            } else {
                plain.append(character)
            }
        }
        return plain.trimmingSpace
    }

    private static func unquoted(_ text: String, _ charset: String) -> String {
        var bytes: [UInt8] = []
        let source = Array(text.utf8)
        var place = 0
        while place < source.count {
            if source[place] == UInt8(ascii: "="), place + 2 < source.count,
                let value = UInt8(
                    String(decoding: source[(place + 1)...(place + 2)], as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                place += 3
            } else {
                bytes.append(source[place])
                place += 1
            }
        }
        return VCardText.decoded(bytes, charset) ?? String(decoding: bytes, as: UTF8.self)
    }
}

/// The lines of a file of cards, with folded ones put together (RFC 6350, 3.2).
private struct VCardText {
    var lines: [(line: Int, content: String, raw: String)] = []

    init(_ bytes: [UInt8]) {
        let found = EncodingFinder.find(bytes[...])
        let text = Self.decoded(Array(bytes.dropFirst(found.markCount)), found.name) ?? ""
        var number = 0
        var isSoft = false
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            if let last = lines.indices.last {
                if isSoft {
                    // A quoted-printable line goes on after a = at its end, without a space.
                    lines[last].content.removeLast()
                    lines[last].content += line
                    lines[last].raw += "\n" + line
                    isSoft = line.hasSuffix("=")
                    continue
                }
                if let first = line.first, first == " " || first == "\t" {
                    lines[last].content += line.dropFirst()
                    lines[last].raw += "\n" + line
                    continue
                }
            }
            guard !line.isEmpty else { continue }
            lines.append((number, String(line), String(line)))
            isSoft = line.hasSuffix("=") && line.uppercased().contains("QUOTED-PRINTABLE")
        }
    }

    static func decoded(_ bytes: [UInt8], _ encoding: String) -> String? {
        guard let input = try? TextInput(HeldBytes(bytes), encoding: encoding) else { return nil }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while let count = piece.withUnsafeMutableBytes({ try? input.read(into: $0) }), count > 0 {
            text += piece.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }

    fileprivate var trimmingSpace: String {
        let scalars = unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(scalars[...last])
    }
}

/// A file of cards as a table.
enum VCardTable {
    static func open(_ source: ByteSource, _ options: TableOptions) throws(TableError) -> OpenedTable {
        let cards = VCard.all(in: try source.read(whole: options.limits.heldByteCount))
        var names: [String] = []
        for card in cards { for (name, _) in card.fields where !names.contains(name) { names.append(name) } }
        // In one order, whichever card comes first.
        let order = Dictionary(
            (0..<5).flatMap { round in
                Self.order.enumerated().map { (round == 0 ? $1 : "\($1) \(round + 1)", $0 * 10 + round) }
            },
            uniquingKeysWith: { first, _ in first })
        names.sort { (order[$0] ?? 9999, $0) < (order[$1] ?? 9999, $1) }
        let rows = VCardRows(cards, names)
        var shape = TableShape(format: .vcard)
        shape.encoding = "UTF-8"
        var opened = OpenedTable(shape: shape, rows: rows, columnNames: names)
        opened.emptySentence = "There is no card in the file."
        return opened
    }

    private static let order = [
        "Name", "Title", "First name", "Middle name", "Last name", "Suffix", "Nickname", "E-mail", "Phone",
        "Organization", "Department", "Job title", "Street", "City", "Region", "Postal code", "Country",
        "Birthday",
        "Website", "Categories", "Note",
    ]
}

private final class VCardRows: RowSource {
    private let cards: [VCard]
    private let names: [String]
    private var next = 0

    init(_ cards: [VCard], _ names: [String]) {
        self.cards = cards
        self.names = names
    }

    var lastSource: String { next > 0 ? cards[next - 1].source : "" }

    func read(into row: inout PackedRow) -> Bool {
        guard next < cards.count else { return false }
        let card = cards[next]
        next += 1
        row.clear(place: card.line)
        let cells = Dictionary(
            card.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        for name in names {
            let text = cells[name] ?? ""
            // Telephone numbers and postcodes are no amounts.
            var cell = Cell(text)
            if cell.kind == .number { cell.kind = .text }
            row.append(cell)
        }
        return true
    }
}
