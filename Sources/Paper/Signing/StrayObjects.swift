import PDF

/// Objects that stand behind what was signed and that the file's own table does not lead to. Programs that mend files find
/// them and show them, others do not: two people see two papers.
enum StrayObjects {
    static func isThere(_ file: PDFFile, behind end: Int) -> Bool {
        let bytes = file.bytes
        guard let ending = PDFEnding(of: bytes), ending.previous >= end else { return true }
        // Their texts are locked, and cannot be compared as they stand.
        guard file.encryption == nil else { return false }
        for (reference, text) in definitions(bytes, from: end) {
            let found = PDFObject(parsing: Array(bytes[text]))
            let kind = found.dictionary?["Type"]?.name
            if kind == "XRef" || kind == "ObjStm" { continue }
            let told = file.object(reference)
            if !told.isNull, !isSame(found, told) { return true }
        }
        return false
    }

    /// The texts of objects, without the data of streams; of two with one number the later. Every byte is looked at once, also
    /// in a file that was made to take long.
    private static func definitions(_ bytes: [UInt8], from start: Int) -> [PDFReference: Range<Int>] {
        var found: [PDFReference: Range<Int>] = [:]
        var open: (reference: PDFReference, place: Int)?
        func close(_ end: Int) {
            if let begun = open { found[begun.reference] = begun.place..<max(begun.place, end) }
            open = nil
        }
        var at = start
        while at < bytes.count {
            let isLineStart = at == start || bytes[at - 1] == 10 || bytes[at - 1] == 13
            if isLineStart, case 48...57 = bytes[at], let (reference, place) = definition(bytes, at) {
                close(at)
                open = (reference, place)
                at = place
            } else if open != nil, bytes[at] == UInt8(ascii: "e"), bytes[at...].starts(with: "endobj".utf8) {
                close(at)
                at += 6
            } else if let begun = open, bytes[at] == UInt8(ascii: "s"),
                bytes[at...].starts(with: "stream".utf8)
            {
                close(at)
                let entries = PDFObject(parsing: Array(bytes[begun.place..<at])).dictionary
                at += 6
                // What a stream holds is no object.
                if let length = entries?["Length"]?.integer, length > 0, length <= bytes.count - at {
                    at += length
                }
            } else {
                at += 1
            }
        }
        close(bytes.count)
        return found
    }

    private static func definition(_ bytes: [UInt8], _ start: Int) -> (PDFReference, Int)? {
        var at = start
        guard let number = digits(bytes, &at), skipSpace(bytes, &at), let generation = digits(bytes, &at),
            skipSpace(bytes, &at), bytes[at...].starts(with: "obj".utf8)
        else { return nil }
        return (PDFReference(number, generation: generation), at + 3)
    }

    private static func digits(_ bytes: [UInt8], _ at: inout Int) -> Int? {
        var value = 0
        let start = at
        while at < bytes.count, case 48...57 = bytes[at], at - start < 10 {
            value = value * 10 + Int(bytes[at] - 48)
            at += 1
        }
        return at > start ? value : nil
    }

    private static func skipSpace(_ bytes: [UInt8], _ at: inout Int) -> Bool {
        let start = at
        while at < bytes.count, [9, 10, 12, 13, 32, 0].contains(bytes[at]) { at += 1 }
        return at > start && at < bytes.count
    }

    /// In whatever order entries stand.
    private static func isSame(_ a: PDFObject, _ b: PDFObject, depth: Int = 0) -> Bool {
        guard depth < 200 else { return true }
        switch (a, b) {
        case (.dictionary(let a), .dictionary(let b)):
            let keys = Set(a.keys).union(b.keys).subtracting(["Length"])
            return keys.allSatisfy { isSame(a[$0] ?? .null, b[$0] ?? .null, depth: depth + 1) }
        case (.array(let a), .array(let b)):
            return a.count == b.count && zip(a, b).allSatisfy { isSame($0, $1, depth: depth + 1) }
        default:
            if let a = a.number, let b = b.number { return abs(a - b) < 1e-4 }
            return a == b
        }
    }
}
