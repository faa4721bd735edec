import PDF
import Synchronization

/// What of a form was filled, as far as it decides which dictionaries a copy gets: fields by their places, and the
/// states of boxes that are packed.
struct FieldSet: Hashable {
    private var words: [UInt64]
    private let firstBox: Int

    init(count: Int, boxCount: Int = 0) {
        firstBox = (count + 63) / 64
        words = [UInt64](repeating: 0, count: firstBox + (boxCount + 7) / 8)
    }

    mutating func removeAll() {
        for index in words.indices { words[index] = 0 }
    }

    mutating func insert(_ place: Int) { words[place >> 6] |= 1 << UInt64(place & 63) }
    func contains(_ place: Int) -> Bool { words[place >> 6] & 1 << UInt64(place & 63) != 0 }

    mutating func put(box: Int, in state: Int) {
        let shift = UInt64(box & 7) * 8
        words[firstBox + box >> 3] &= ~(255 << shift)
        words[firstBox + box >> 3] |= UInt64(truncatingIfNeeded: state + 1) << shift
    }

    func state(ofBox box: Int) -> Int? {
        let state = Int(words[firstBox + box >> 3] >> (UInt64(box & 7) * 8) & 255)
        return state == 0 ? nil : state - 1
    }
}

extension PreparedForm {
    /// A table fills the same fields in nearly every row; more packs than this are not kept.
    private static let mostPacks = 256

    /// What is the same in every copy that fills these fields: dictionaries that point to values, the form's own.
    func pack(_ fields: FieldSet) -> PDFRevision.Pack? {
        guard let packReference else { return nil }
        if let known = packs.withLock({ $0[fields] }) { return known }
        var objects: [PDFReference: [UInt8]] = [:]
        for (place, plan) in plans.enumerated() where fields.contains(place) {
            for (reference, text) in plan.fixed { objects[reference] = text }
        }
        for (box, place) in plain.packedBoxes.enumerated() {
            guard let state = fields.state(ofBox: box) else { continue }
            for (reference, text) in plans[place].boxStates[state].objects { objects[reference] = text }
        }
        for (reference, text) in fixedObjects where reference.generation == 0 { objects[reference] = text }
        guard let pack = PDFRevision.Pack(objects.map { ($0.key, $0.value) }, at: packReference) else {
            return nil
        }
        packs.withLock { if $0.count < Self.mostPacks { $0[fields] = pack } }
        return pack
    }
}

extension [UInt8] {
    /// A text as a field keeps it: line ends as CR (ISO 32000-2 §12.7.5.3), in ASCII where it is, else in UTF-16BE,
    /// which every reader since PDF 1.2 knows.
    mutating func append(value text: String) {
        var text = text
        let isPlain = text.withUTF8 { utf8 in
            var isPlain = true
            var isBare = true
            for byte in utf8 {
                if byte >= 0x7F || byte < 32 && byte != 10 && byte != 9 && byte != 13 { isPlain = false }
                if byte == 40 || byte == 41 || byte == 92 || byte < 32 { isBare = false }
            }
            guard isPlain else { return false }
            append(40)
            if isBare {
                append(contentsOf: utf8)
            } else {
                for byte in utf8 { append(escaping: byte == 10 ? 13 : byte) }
            }
            append(41)
            return true
        }
        if isPlain { return }
        append(text: "<FEFF")
        for unit in text.utf16 {
            let unit = unit == 10 ? 13 : unit
            append(hex: UInt8(truncatingIfNeeded: unit >> 8))
            append(hex: UInt8(truncatingIfNeeded: unit))
        }
        append(UInt8(ascii: ">"))
    }
}
