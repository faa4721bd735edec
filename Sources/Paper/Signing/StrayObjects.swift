import PDF

/// Objects that stand behind what was signed and that the file's own table does not lead to. Programs that mend files find
/// them and show them, others do not: two people see two papers.
enum StrayObjects {
    static func isThere(_ file: PDFFile, behind end: Int) -> Bool {
        let bytes = file.bytes
        guard let ending = PDFEnding(of: bytes), ending.previous >= end else { return true }
        // Their texts are locked, and cannot be compared as they stand.
        guard file.encryption == nil else { return false }
        for (reference, place) in definitions(bytes, from: end) {
            let stop = min(bytes.count, place + (4 << 20))
            let found = PDFObject(parsing: Array(bytes[place..<endOfObject(bytes, place, stop)]))
            let kind = found.dictionary?["Type"]?.name
            if kind == "XRef" || kind == "ObjStm" { continue }
            let told = file.object(reference)
            if !told.isNull, !isSame(found, told) { return true }
        }
        return false
    }

    /// Where each object begins, behind its `obj`; of two with one number the later.
    private static func definitions(_ bytes: [UInt8], from start: Int) -> [PDFReference: Int] {
        var found: [PDFReference: Int] = [:]
        var at = start
        while at < bytes.count {
            let isLineStart = at == start || bytes[at - 1] == 10 || bytes[at - 1] == 13
            if isLineStart, case 48...57 = bytes[at], let (reference, place) = definition(bytes, at) {
                found[reference] = place
                at = place
                // What a stream holds is no object.
                if let length = streamLength(bytes, place) { at = min(bytes.count, length) }
            } else {
                at += 1
            }
        }
        return found
    }

    private static func definition(_ bytes: [UInt8], _ start: Int) -> (PDFReference, Int)? {
        var at = start
        guard let number = digits(bytes, &at), skipSpace(bytes, &at), let generation = digits(bytes, &at),
            skipSpace(bytes, &at), bytes[at...].starts(with: "obj".utf8)
        else { return nil }
        return (PDFReference(number, generation: generation), at + 3)
    }

    /// Where the data of a stream ends, if one begins here and says how long it is.
    private static func streamLength(_ bytes: [UInt8], _ place: Int) -> Int? {
        let stop = min(bytes.count, place + 65_536)
        let head = Array(bytes[place..<stop])
        guard let word = find("stream", head, 0), find("endobj", head, 0).map({ $0 > word }) ?? true,
            let length = PDFObject(parsing: Array(head[..<word])).dictionary?["Length"]?.integer, length >= 0,
            length < bytes.count - place - word
        else { return nil }
        return place + word + 6 + length
    }

    private static func endOfObject(_ bytes: [UInt8], _ place: Int, _ stop: Int) -> Int {
        var at = place
        while at < stop {
            if bytes[at] == UInt8(ascii: "e"), bytes[at...].starts(with: "endobj".utf8) { return at }
            if bytes[at] == UInt8(ascii: "s"), bytes[at...].starts(with: "stream".utf8),
                at > place, bytes[at - 1] != UInt8(ascii: "d")
            {
                return at
            }
            at += 1
        }
        return stop
    }

    private static func find(_ word: String, _ bytes: [UInt8], _ start: Int) -> Int? {
        let first = word.utf8.first ?? 0
        var at = start
        while at + word.utf8.count <= bytes.count {
            if bytes[at] == first, bytes[at...].starts(with: word.utf8) { return at }
            at += 1
        }
        return nil
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
