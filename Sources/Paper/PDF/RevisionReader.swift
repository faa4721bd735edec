import Archives

/// Reads back the objects of revisions of ours, one after another as they were written.
struct RevisionReader {
    struct Object {
        var reference: PDFReference
        var value: PDFObject
        /// As it stands in the revision; without the data of a stream.
        var text: [UInt8]
        var data: [UInt8]?
        /// The numbers of the objects inside, when it is an object stream.
        var members: [Int] = []
    }

    /// In the order they were written: of two with one number the later counts.
    private(set) var objects: [Object] = []
    private(set) var trailer: PDFDictionary = [:]
    private(set) var highest = 0

    init(_ bytes: [UInt8]) throws(PDFError) {
        var at = 0
        while true {
            Self.skipSpace(bytes, &at)
            guard at < bytes.count else { break }
            if case 48...57 = bytes[at] {
                try takeObject(bytes, &at)
            } else if Self.skip("xref", bytes, &at) {
                while at < bytes.count, bytes[at] != UInt8(ascii: "t") { at += 1 }
                guard Self.skip("trailer", bytes, &at) else { throw Self.nonsense(at) }
                var reader = PDFObjectReader(bytes, at: at)
                trailer = reader.object().dictionary ?? [:]
                at = reader.position
            } else if Self.skip("startxref", bytes, &at), Self.number(bytes, &at) != nil,
                Self.skip("%%EOF", bytes, &at)
            {
                continue
            } else {
                throw Self.nonsense(at)
            }
        }
    }

    private mutating func takeObject(_ bytes: [UInt8], _ at: inout Int) throws(PDFError) {
        guard let number = Self.number(bytes, &at), let generation = Self.number(bytes, &at),
            Self.skip("obj", bytes, &at)
        else { throw Self.nonsense(at) }
        Self.skipSpace(bytes, &at)
        var reader = PDFObjectReader(bytes, at: at)
        let value = reader.object()
        let end = min(reader.position, bytes.count)
        var object = Object(
            reference: PDFReference(number, generation: generation), value: value,
            text: Array(bytes[at..<end]))
        at = end
        if Self.skip("stream", bytes, &at) {
            if at < bytes.count, bytes[at] == 13 { at += 1 }
            if at < bytes.count, bytes[at] == 10 { at += 1 }
            guard let length = value.dictionary?["Length"]?.integer, length >= 0, length <= bytes.count - at
            else { throw Self.nonsense(at) }
            object.data = Array(bytes[at..<at + length])
            at += length
            guard Self.skip("endstream", bytes, &at) else { throw Self.nonsense(at) }
        }
        guard Self.skip("endobj", bytes, &at) else { throw Self.nonsense(at) }
        switch value.dictionary?["Type"]?.name {
        case "XRef":
            trailer = value.dictionary ?? [:]
            return
        case "ObjStm": object.members = try Self.members(object, at)
        default: break
        }
        highest = max(highest, number, object.members.max() ?? 0)
        objects.append(object)
    }

    /// The numbers an object stream begins with: a number and a place for each object.
    private static func members(_ object: Object, _ place: Int) throws(PDFError) -> [Int] {
        let dictionary = object.value.dictionary ?? [:]
        let isPacked = dictionary["Filter"]?.name == "FlateDecode"
        guard let data = object.data, let count = dictionary["N"]?.integer, count >= 0,
            let plain = isPacked ? inflated(data, limit: 64 << 20) : data, count <= plain.count
        else { throw nonsense(place) }
        var at = 0
        var members: [Int] = []
        for _ in 0..<count {
            guard let member = number(plain, &at), number(plain, &at) != nil else { throw nonsense(place) }
            members.append(member)
        }
        return members
    }

    private static func nonsense(_ place: Int) -> PDFError {
        .damaged("a revision makes no sense at byte \(place)")
    }

    private static func skipSpace(_ bytes: [UInt8], _ at: inout Int) {
        while at < bytes.count, PDFObjectReader.isSpace(bytes[at]) { at += 1 }
    }

    private static func skip(_ word: String, _ bytes: [UInt8], _ at: inout Int) -> Bool {
        skipSpace(bytes, &at)
        guard at < bytes.count, bytes[at...].starts(with: word.utf8) else { return false }
        at += word.utf8.count
        return true
    }

    private static func number(_ bytes: [UInt8], _ at: inout Int) -> Int? {
        skipSpace(bytes, &at)
        var value = 0
        var digits = 0
        while at < bytes.count, case 48...57 = bytes[at], digits < 10 {
            value = value * 10 + Int(bytes[at] - 48)
            digits += 1
            at += 1
        }
        return digits > 0 ? value : nil
    }
}
