/// Tells by its first bytes what kind of table a file holds.
enum TableSniffer {
    static func format(of head: [UInt8], named name: String) throws(TableError) -> TableFormat {
        let isMarked = head.starts(with: [0xEF, 0xBB, 0xBF])
        let text = head.dropFirst(isMarked ? 3 : 0).drop { $0 == 0x20 || $0 == 10 || $0 == 13 || $0 == 9 }
        if head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6]) {
            return isOpenDocument(head) ? .ods : .xlsx
        }
        if let refusal = refusal(head, text) { throw TableError(refusal) }
        if begins(text, "BEGIN:VCARD") { return .vcard }
        if text.first == UInt8(ascii: "[") { return .json }
        if text.first == UInt8(ascii: "{") { return isOneObject(text) ? .json : .ndjson }
        return .csv
    }

    static func why(_ format: TableFormat, named name: String) -> String? {
        switch format {
        case .csv, .sql: nil
        case .xlsx: "The file is a workbook of Excel."
        case .ods: "The file is an OpenDocument spreadsheet."
        case .json: "The file begins like JSON."
        case .ndjson: "Every line begins like a JSON object."
        case .vcard: "The file begins with BEGIN:VCARD."
        }
    }

    /// What people upload by mistake, and what to do about it.
    private static func refusal(_ head: [UInt8], _ text: ArraySlice<UInt8>) -> String? {
        if head.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
            let name = "EncryptedPackage".utf8.reduce(into: [UInt8]()) { $0 += [$1, 0] }
            return contains(head, name)
                ? "The workbook is protected by a password. Open it, remove the password, and save it again."
                : "This is an old Excel file (.xls). Open it and save it as .xlsx or CSV; quire convert does so as well."
        }
        if head.starts(with: Array("%PDF".utf8)) { return "This is a PDF, not a table." }
        if head.starts(with: Array("SQLite format 3".utf8)) {
            return "This is an SQLite database. Say which of its rows to take with a query."
        }
        if head.starts(with: [0x1F, 0x8B]) { return "The file is compressed (gzip). Unpack it first." }
        if begins(text, "<!DOCTYPE HTML") || begins(text, "<HTML") || begins(text, "<TABLE") {
            return
                "This is a web page, though it may be called a table. Open it in a spreadsheet and save it as .xlsx or CSV."
        }
        if begins(text, "<?XML") {
            return "This is an XML file. Open it in a spreadsheet and save it as .xlsx or CSV."
        }
        let start = head.prefix(4096)
        let strange = start.count { $0 < 9 || (14..<32).contains($0) && $0 != 27 && $0 != 26 }
        let isMarked = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
        if strange * 10 > start.count, !isMarked, EncodingFinder.wide(head[...]) == nil {
            return "This is no text and no spreadsheet."
        }
        return nil
    }

    private static func isOpenDocument(_ head: [UInt8]) -> Bool {
        contains(Array(head.prefix(4096)), Array("opendocument.spreadsheet".utf8))
    }

    /// `{` may begin an object over many lines or one object for each line.
    private static func isOneObject(_ text: ArraySlice<UInt8>) -> Bool {
        let line = text.prefix { $0 != 10 && $0 != 13 }
        let ending = line.last { $0 != 0x20 && $0 != 9 }
        return ending != UInt8(ascii: "}")
    }

    private static func begins(_ text: ArraySlice<UInt8>, _ word: String) -> Bool {
        let start = text.prefix(word.utf8.count)
        return start.count == word.utf8.count
            && zip(start, word.utf8).allSatisfy { byte, letter in
                byte == letter || (0x61...0x7A).contains(byte) && byte - 32 == letter
            }
    }

    static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first, bytes.count >= part.count else { return false }
        var place = 0
        while place <= bytes.count - part.count {
            if bytes[place] == first, bytes[place..<place + part.count].elementsEqual(part) { return true }
            place += 1
        }
        return false
    }
}
