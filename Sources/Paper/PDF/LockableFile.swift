import Crypto

/// A file made ready to be locked many times, each time under other passwords and with another revision behind it.
/// What stays the same is laid out once: encrypting changes no lengths, so only the hidden bytes are made anew.
public struct LockableFile: Sendable {
    private let layout: Layout
    private let root: PDFReference
    private let info: PDFObject?
    /// Where the cross-reference of the unchanging part stands.
    private let section: Int
    private let firstFree: Int
    private let fingerprint: [UInt8]
    private let bytes: [UInt8]
    private let lockReference: PDFReference

    /// `bytes` is a sound file that is not encrypted, every object in its first generation: as
    /// `PDFFile.rewritten()` makes it. The numbers of its objects stay, and those below `firstFree` are left to
    /// revisions.
    public init(_ bytes: [UInt8], firstFree: Int = 0) throws(PDFError) {
        let file = try PDFFile(bytes: bytes)
        self.bytes = bytes
        guard let root = file.trailer["Root"]?.reference else { throw .damaged("it has no root") }
        self.root = root
        info = file.trailer["Info"]
        fingerprint = SHA256.hash(bytes)
        var layout = Layout(isFirst: true)
        var loose: [(number: Int, text: [UInt8])] = []
        let highest = file.highestObject
        lockReference = PDFReference(max(highest + 1, firstFree))
        for number in 1...max(1, highest) {
            let reference = PDFReference(number)
            let object = file.object(reference)
            guard object != .null else { continue }
            if file.isStream(reference) {
                let dictionary = object.dictionary ?? [:]
                guard dictionary["Type"]?.name != "XRef", dictionary["Type"]?.name != "ObjStm" else {
                    continue
                }
                guard let data = file.storedStream(reference) else {
                    throw .damaged("stream \(number) cannot be read")
                }
                layout.putStream(reference, dictionary, data)
            } else if reference == root {
                // Old readers do not find the root inside an object stream of an encrypted file.
                layout.put(reference, object)
            } else {
                loose.append((number, object.written))
            }
        }
        var next = lockReference.number + 1
        for start in stride(from: 0, to: loose.count, by: 200) {
            layout.pack(loose[start..<min(start + 200, loose.count)], at: PDFReference(next))
            next += 1
        }
        section = layout.putSection(
            PDFReference(next),
            Self.trailer(root, info, lock: lockReference, size: next + 1, id: fingerprint, previous: nil))
        self.firstFree = next + 1
        self.layout = layout
    }

    /// The file locked, with the objects of `revision` in it: bytes as `PDFRevision` makes them behind this file.
    public func locked(_ lock: PDFLock, adding revision: [UInt8] = []) throws(PDFError) -> [UInt8] {
        let added = try RevisionReader(revision)
        // More new objects than there was room for between the file's and ours: then room is made.
        if added.highest >= lockReference.number {
            return try LockableFile(bytes, firstFree: added.highest + 1).locked(lock, adding: revision)
        }
        let root = added.trailer["Root"]?.reference ?? root
        let keys = PDFLockKeys(lock, content: SHA256.hash(fingerprint + SHA256.hash(revision)))
        var tail = Layout(isFirst: false, behind: layout.byteCount)
        tail.putPlain(lockReference, keys.dictionary)
        var owner: [Int: Int] = [:]
        for (index, object) in added.objects.enumerated() {
            owner[object.reference.number] = index
            for member in object.members { owner[member] = index }
        }
        var loose: [(number: Int, text: [UInt8])] = []
        for (index, object) in added.objects.enumerated() where owner[object.reference.number] == index {
            if let data = object.data {
                tail.putStream(object.reference, object.value.dictionary ?? [:], data)
                for (place, member) in object.members.enumerated() where owner[member] == index {
                    tail.list(member, in: object.reference, at: place)
                }
            } else if object.reference == root {
                tail.put(object.reference, object.value)
            } else {
                loose.append((object.reference.number, object.text))
            }
        }
        var next = firstFree
        for start in stride(from: 0, to: loose.count, by: 200) {
            tail.pack(loose[start..<min(start + 200, loose.count)], at: PDFReference(next))
            next += 1
        }
        let info = added.trailer["Info"] ?? info
        let own = tail.putSection(
            PDFReference(next),
            Self.trailer(
                root, info, lock: lockReference, size: next + 1,
                id: Array(SHA256.hash(keys.fileKey + fingerprint).prefix(16)), previous: section))
        var out = layout.fixed
        out.reserveCapacity(layout.byteCount + tail.byteCount + 64)
        out.append(contentsOf: tail.fixed)
        Layout.hide([(layout, 0), (tail, layout.byteCount)], in: &out, keys)
        out.append(text: "startxref\n")
        out.append(number: own)
        out.append(text: "\n%%EOF\n")
        return out
    }

    private static func trailer(
        _ root: PDFReference, _ info: PDFObject?, lock: PDFReference, size: Int, id: [UInt8], previous: Int?
    ) -> PDFDictionary {
        var trailer: PDFDictionary = [
            "Size": .integer(size), "Root": .reference(root), "Encrypt": .reference(lock),
            "ID": .array([.string(Array(id.prefix(16))), .string(Array(id.prefix(16)))]),
        ]
        trailer["Info"] = info
        trailer["Prev"] = previous.map(PDFObject.integer)
        return trailer
    }
}

/// Bytes with gaps of known length, to be filled with what is hidden.
private struct Layout: Sendable {
    private struct Gap: Sendable {
        var offset: Int
        var content: [UInt8]
        /// Strings are written in hexadecimal; streams as they are.
        var isString: Bool
    }

    private(set) var fixed: [UInt8] = []
    private var gaps: [Gap] = []
    private var rows: [(number: Int, kind: UInt8, place: Int, index: Int)] = []
    private let start: Int

    init(isFirst: Bool, behind start: Int = 0) {
        self.start = start
        guard isFirst else { return }
        // AES-256 as it is used here came with PDF 2.0. The second line tells that this is no text.
        fixed = Array("%PDF-2.0\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 10]
    }

    var byteCount: Int { fixed.count }

    mutating func put(_ reference: PDFReference, _ object: PDFObject) {
        open(reference)
        write(object)
        fixed.append(text: "\nendobj\n")
    }

    /// The one dictionary whose strings everybody must be able to read.
    mutating func putPlain(_ reference: PDFReference, _ dictionary: PDFDictionary) {
        open(reference)
        PDFObject.dictionary(dictionary).write(into: &fixed)
        fixed.append(text: "\nendobj\n")
    }

    mutating func putStream(_ reference: PDFReference, _ dictionary: PDFDictionary, _ data: [UInt8]) {
        open(reference)
        // A stream that names its own filter for encryption keeps out of ours.
        let isHidden = !Self.hasOwnCrypt(dictionary)
        var dictionary = dictionary
        dictionary["Length"] = .integer(
            isHidden ? AES256.blockByteCount + AES256.paddedByteCount(data.count) : data.count)
        write(.dictionary(dictionary))
        fixed.append(text: "\nstream\n")
        if isHidden { leaveGap(data, isString: false) } else { fixed.append(contentsOf: data) }
        fixed.append(text: "\nendstream\nendobj\n")
    }

    private static func hasOwnCrypt(_ dictionary: PDFDictionary) -> Bool {
        let filter = dictionary["Filter"]
        return filter?.name == "Crypt" || filter?.array?.contains(.name("Crypt")) == true
    }

    /// Objects in a compressed stream of their own; strings in there are hidden with the stream.
    mutating func pack(_ objects: ArraySlice<(number: Int, text: [UInt8])>, at reference: PDFReference) {
        var head: [UInt8] = []
        var body: [UInt8] = []
        for (index, object) in objects.enumerated() {
            rows.append((object.number, 2, reference.number, index))
            head.append(number: object.number)
            head.append(32)
            head.append(number: body.count)
            head.append(32)
            body.append(contentsOf: object.text)
            body.append(10)
        }
        var dictionary: PDFDictionary = [
            "Type": .name("ObjStm"), "N": .integer(objects.count), "First": .integer(head.count),
        ]
        let whole = head + body
        let packed = deflated(whole)
        if packed != nil { dictionary["Filter"] = .name("FlateDecode") }
        putStream(reference, dictionary, packed ?? whole)
    }

    /// The cross-reference, which is never hidden. Gives its place.
    mutating func putSection(_ reference: PDFReference, _ trailer: PDFDictionary) -> Int {
        let place = start + fixed.count
        rows.append((reference.number, 1, place, 0))
        if start == 0 { rows.append((0, 0, 0, 0xFFFF)) }
        rows.sort { $0.number < $1.number }
        var runs: [PDFObject] = []
        var table: [UInt8] = []
        var first = 0
        for (index, row) in rows.enumerated() {
            table.append(row.kind)
            for shift in [24, 16, 8, 0] { table.append(UInt8(truncatingIfNeeded: row.place >> shift)) }
            for shift in [8, 0] { table.append(UInt8(truncatingIfNeeded: row.index >> shift)) }
            if index + 1 == rows.count || rows[index + 1].number != row.number + 1 {
                runs += [.integer(rows[first].number), .integer(index + 1 - first)]
                first = index + 1
            }
        }
        var dictionary = trailer
        dictionary["Type"] = .name("XRef")
        dictionary["W"] = .array([.integer(1), .integer(4), .integer(2)])
        dictionary["Index"] = .array(runs)
        let packed = deflated(table)
        if packed != nil { dictionary["Filter"] = .name("FlateDecode") }
        dictionary["Length"] = .integer((packed ?? table).count)
        fixed.append(number: reference.number)
        fixed.append(text: " 0 obj\n")
        PDFObject.dictionary(dictionary).write(into: &fixed)
        fixed.append(text: "\nstream\n")
        fixed.append(contentsOf: packed ?? table)
        fixed.append(text: "\nendstream\nendobj\n")
        return place
    }

    /// An object that lies in an object stream.
    mutating func list(_ number: Int, in stream: PDFReference, at place: Int) {
        rows.append((number, 2, stream.number, place))
    }

    private mutating func open(_ reference: PDFReference) {
        rows.append((reference.number, 1, start + fixed.count, 0))
        fixed.append(number: reference.number)
        fixed.append(text: " 0 obj\n")
    }

    /// Writes an object, a gap for each string in it.
    private mutating func write(_ object: PDFObject) {
        switch object {
        case .string(let bytes):
            fixed.append(text: "<")
            leaveGap(bytes, isString: true)
            fixed.append(text: ">")
        case .array(let items):
            fixed.append(text: "[")
            for (index, item) in items.enumerated() {
                if index > 0 { fixed.append(32) }
                write(item)
            }
            fixed.append(text: "]")
        case .dictionary(let dictionary):
            fixed.append(text: "<<")
            for (key, value) in dictionary.entries {
                fixed.append(name: key)
                fixed.append(32)
                write(value)
            }
            fixed.append(text: ">>")
        default: object.write(into: &fixed)
        }
    }

    private mutating func leaveGap(_ content: [UInt8], isString: Bool) {
        gaps.append(Gap(offset: fixed.count, content: content, isString: isString))
        let count = AES256.blockByteCount + AES256.paddedByteCount(content.count)
        fixed.append(contentsOf: repeatElement(0, count: isString ? 2 * count : count))
    }

    /// Fills the gaps of layouts that lie in `out` at their offsets.
    static func hide(_ layouts: [(layout: Layout, offset: Int)], in out: inout [UInt8], _ keys: PDFLockKeys) {
        let vectors = keys.vectors(layouts.reduce(0) { $0 + $1.layout.gaps.count })
        var cipher = AES256(key: keys.fileKey)
        var number = 0
        for (layout, offset) in layouts {
            for gap in layout.gaps {
                let vector = vectors[number * 16..<number * 16 + 16]
                number += 1
                let count = 16 + AES256.paddedByteCount(gap.content.count)
                if gap.isString {
                    var hidden = [UInt8](repeating: 0, count: count)
                    Self.hide(gap.content, vector, &cipher, in: &hidden, at: 0, count)
                    var hex: [UInt8] = []
                    hex.reserveCapacity(2 * count)
                    for byte in hidden { hex.append(hex: byte) }
                    out.replaceSubrange(gap.offset + offset..<gap.offset + offset + hex.count, with: hex)
                } else {
                    Self.hide(gap.content, vector, &cipher, in: &out, at: gap.offset + offset, count)
                }
            }
        }
    }

    private static func hide(
        _ content: [UInt8], _ vector: ArraySlice<UInt8>, _ cipher: inout AES256, in out: inout [UInt8],
        at offset: Int, _ count: Int
    ) {
        out.withUnsafeMutableBytes { out in
            vector.withUnsafeBytes { vector in
                UnsafeMutableRawBufferPointer(rebasing: out[offset..<offset + 16]).copyMemory(from: vector)
                content.withUnsafeBytes {
                    cipher.encryptPadded(
                        $0, vector: vector,
                        into: UnsafeMutableRawBufferPointer(rebasing: out[offset + 16..<offset + count]))
                }
            }
        }
    }
}
