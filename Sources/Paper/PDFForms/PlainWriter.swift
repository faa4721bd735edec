import PDF
import PDFDrawing

/// Writes plain values behind one another with as few steps as can be.
struct PlainWriter {
    let view: PlainFields.View
    private var text = PlainText()

    init(_ fields: PlainFields) { view = fields.view }

    /// A place in memory that was reserved for all that is written to it.
    struct Cursor {
        var at: UnsafeMutablePointer<UInt8>

        /// To the nearest; the library's own rounding is a call each time.
        @inline(__always) static func rounded(_ number: Double) -> Int {
            Int(number < 0 ? number - 0.5 : number + 0.5)
        }

        @inline(__always) mutating func put(_ slice: PlainFields.Slice) {
            at.update(from: slice.start, count: slice.count)
            at += slice.count
        }

        @inline(__always) mutating func put(_ text: StaticString) {
            at.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
            at += text.utf8CodeUnitCount
        }

        @inline(__always) mutating func put(_ byte: UInt8) {
            at.pointee = byte
            at += 1
        }

        @inline(__always) mutating func put(number: Int) {
            var rest = UInt(truncatingIfNeeded: number)
            if number < 0 {
                put(UInt8(ascii: "-"))
                rest = number.magnitude
            }
            var digits = 1
            var limit: UInt = 10
            while rest >= limit, digits < 19 {
                digits += 1
                limit *= 10
            }
            var place = at + digits
            at = place
            for _ in 0..<digits {
                place -= 1
                place.pointee = UInt8(truncatingIfNeeded: 48 + rest % 10)
                rest /= 10
            }
        }

        /// Two decimals, zeros at the end dropped.
        @inline(__always) mutating func put(hundredths: Int) {
            var rest = hundredths
            if rest < 0 {
                put(UInt8(ascii: "-"))
                rest = -rest
            }
            put(number: rest / 100)
            let fraction = rest % 100
            if fraction == 0 { return }
            put(UInt8(ascii: "."))
            put(UInt8(truncatingIfNeeded: 48 + fraction / 10))
            if fraction % 10 != 0 { put(UInt8(truncatingIfNeeded: 48 + fraction % 10)) }
        }

        @inline(__always) mutating func put(string: UnsafeBufferPointer<UInt8>) {
            put(UInt8(ascii: "("))
            for byte in string {
                switch byte {
                case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"):
                    put(UInt8(ascii: "\\"))
                    put(byte)
                case 10, 13:
                    // Line ends inside a value are CR (ISO 32000-2 §12.7.5.3); raw ones would not stay as they are.
                    put(UInt8(ascii: "\\"))
                    put(UInt8(ascii: "r"))
                default: put(byte)
                }
            }
            put(UInt8(ascii: ")"))
        }

        @inline(__always) mutating func put(hexUnit unit: UInt32) {
            for shift: UInt32 in [12, 8, 4, 0] {
                let digit = UInt8(truncatingIfNeeded: unit >> shift & 15)
                put(digit < 10 ? 48 + digit : 55 + digit)
            }
        }
    }

    enum Result { case done, remarks(shrunk: Double?, clipped: Bool), notPlain }

    /// Writes the value of a text field and the pictures of its places; or nothing, when more must be thought about.
    mutating func write(
        _ field: PlainFields.Field, _ string: String, into revision: inout PDFRevision
    ) -> Result {
        guard field.value > 0 else { return .notPlain }
        var string = string
        return string.withUTF8 { utf8 in write(field, utf8, into: &revision) }
    }

    /// True when all is ASCII, false when not; nil when there is something in it that is neither text nor a line end.
    private func isASCII(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard utf8.count < 4096 else { return nil }
        var isASCII = true
        for byte in utf8 {
            if byte < 32, byte != 10 { return nil }
            if byte == 0x7F { return nil }
            if byte >= 0x80 { isASCII = false }
        }
        return isASCII
    }

    /// Draws the value onto the pages of a merged file; or nothing, when more must be thought about.
    mutating func draw(
        _ field: PlainFields.Field, _ string: String, onto overlay: inout MergedOverlay
    ) -> Result {
        var string = string
        return string.withUTF8 { utf8 in
            guard utf8.count <= field.longest, let isASCII = isASCII(utf8) else { return .notPlain }
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: utf8.count + 1) { room in
                guard let codes = room.baseAddress else { return .notPlain }
                var result = Result.done
                var count = 0
                // The first time round nothing is drawn: it may turn out that it cannot be.
                for draws in [false, true] {
                    for index in field.first..<field.first + field.count {
                        let place = view.places + index
                        guard place.pointee.page != nil else { continue }
                        // Of a single place what was laid out the first time is still there.
                        if !draws || field.count > 1 {
                            guard !place.pointee.isTurned, place.pointee.plain.stretch == 100,
                                let encoded = place.pointee.plain.font.encode(
                                    utf8, isASCII: isASCII, into: codes)
                            else { return .notPlain }
                            count = encoded
                            text.lay(
                                UnsafeMutableBufferPointer(start: codes, count: count),
                                in: place.pointee.plain)
                        }
                        let coded = UnsafeMutableBufferPointer(start: codes, count: count)
                        if text.clips { return .notPlain }
                        guard draws else { continue }
                        overlay.put(text, coded, at: index, place)
                        if let shrunk = text.shrunk { result = .remarks(shrunk: shrunk, clipped: false) }
                    }
                }
                return result
            }
        }
    }

    private mutating func write(
        _ field: PlainFields.Field, _ utf8: UnsafeBufferPointer<UInt8>, into revision: inout PDFRevision
    ) -> Result {
        guard utf8.count <= field.longest, let isASCII = isASCII(utf8) else { return .notPlain }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: utf8.count + 1) { room in
            guard let codes = room.baseAddress else { return .notPlain }
            // The fonts decide before anything is written, the first one last: its codes are then at hand.
            var first = 0
            for index in (field.first..<field.first + field.count).reversed() {
                guard let count = view.places[index].plain.font.encode(utf8, isASCII: isASCII, into: codes)
                else { return .notPlain }
                first = count
            }
            putValue(field, utf8, isASCII: isASCII, into: &revision)
            var result = Result.done
            for index in field.first..<field.first + field.count {
                let place = view.places + index
                var count = first
                if index > field.first {
                    count = place.pointee.plain.font.encode(utf8, isASCII: isASCII, into: codes) ?? 0
                }
                let coded = UnsafeMutableBufferPointer(start: codes, count: count)
                text.lay(coded, in: place.pointee.plain)
                putPicture(place, coded, into: &revision)
                if text.isClipped || text.shrunk != nil {
                    result = .remarks(shrunk: text.shrunk, clipped: text.isClipped)
                }
            }
            return result
        }
    }

    private func putValue(
        _ field: PlainFields.Field, _ utf8: UnsafeBufferPointer<UInt8>, isASCII: Bool,
        into revision: inout PDFRevision
    ) {
        revision.willWrite(PDFReference(Int(field.value)))
        let most = field.valueStart.count + utf8.count * 4 + 24
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: most) { room in
            guard let start = room.baseAddress else { return }
            var cursor = Cursor(at: start)
            cursor.put(field.valueStart)
            if isASCII {
                cursor.put(string: utf8)
            } else {
                cursor.put("<FEFF")
                for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
                    let value = scalar.value == 10 ? 13 : scalar.value
                    if value < 0x10000 {
                        cursor.put(hexUnit: value)
                    } else {
                        cursor.put(hexUnit: 0xD800 + (value - 0x10000) >> 10)
                        cursor.put(hexUnit: 0xDC00 + (value - 0x10000) & 0x3FF)
                    }
                }
                cursor.put(UInt8(ascii: ">"))
            }
            cursor.put("\nendobj\n")
            revision.out.append(contentsOf: UnsafeBufferPointer(start: start, count: cursor.at - start))
        }
    }

    private func putPicture(
        _ place: UnsafePointer<PlainFields.Place>, _ codes: UnsafeMutableBufferPointer<UInt8>,
        into revision: inout PDFRevision
    ) {
        revision.willWrite(PDFReference(Int(place.pointee.picture)))
        let opening = text.clips ? place.pointee.openingClipped : place.pointee.opening
        let most =
            place.pointee.start.count + opening.count + place.pointee.font.count + codes.count * 2
            + text.lines.count * 64 + 128
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: most) { room in
            guard let start = room.baseAddress else { return }
            var cursor = Cursor(at: start)
            cursor.put(place.pointee.start)
            // The length is written when it is known, into room left for it.
            let length = cursor.at
            if most < 10_000 { cursor.put("    >>\nstream\n") } else { cursor.put("        >>\nstream\n") }
            let content = cursor.at
            cursor.put(opening)
            putLines(place, codes, &cursor)
            cursor.put("ET\nQ\nEMC")
            var digits = Cursor(at: length)
            digits.put(number: cursor.at - content)
            cursor.put("\nendstream\nendobj\n")
            revision.out.append(contentsOf: UnsafeBufferPointer(start: start, count: cursor.at - start))
        }
    }

    private func putLines(
        _ place: UnsafePointer<PlainFields.Place>, _ codes: UnsafeMutableBufferPointer<UInt8>,
        _ cursor: inout Cursor
    ) {
        let isComb = place.pointee.plain.cells > 0
        var x = 0
        var y = 0
        var isFontSet = false
        var end = 0.0
        for line in text.lines where line.end > line.start {
            let string = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(codes)[line.start..<line.end])
            if isComb, isFontSet {
                let size = text.size * place.pointee.plain.stretch / 100
                let gap = Int(((line.x - end) * 1000 / size).rounded())
                if gap != 0 { cursor.put(number: -gap) }
                cursor.put(string: string)
                end += Double(gap) * size / 1000
            } else {
                // Each move starts from the rounded place of the last.
                let newX = Cursor.rounded(line.x * 100)
                let newY = Cursor.rounded(line.y * 100)
                cursor.put(hundredths: newX - x)
                cursor.put(UInt8(ascii: " "))
                cursor.put(hundredths: newY - y)
                cursor.put(" Td ")
                (x, y) = (newX, newY)
                if !isFontSet {
                    if text.size == place.pointee.plain.size {
                        cursor.put(place.pointee.font)
                    } else {
                        cursor.put(place.pointee.fontName)
                        cursor.put(UInt8(ascii: " "))
                        cursor.put(hundredths: Cursor.rounded(text.size * 100))
                        cursor.put(" Tf ")
                    }
                    isFontSet = true
                }
                if isComb {
                    cursor.put(UInt8(ascii: "["))
                    end = line.x
                }
                cursor.put(string: string)
                if !isComb { cursor.put(" Tj\n") }
            }
            if isComb {
                let width = place.pointee.plain.font.width(codes[line.start])
                end += Double(width) * text.size / 1000 * place.pointee.plain.stretch / 100
            }
        }
        if isComb, isFontSet { cursor.put("] TJ\n") }
    }

    // MARK: Boxes

    /// Puts a box into the state a word means; false when more must be thought about.
    func write(_ field: PlainFields.Field, state string: String, into revision: inout PDFRevision) -> Bool {
        var string = string
        let found = string.withUTF8 { utf8 -> Int? in
            for index in field.first..<field.first + field.count {
                let word = view.words[index].text
                guard word.count == utf8.count else { continue }
                var at = 0
                while at < word.count, word.start[at] == utf8[at] { at += 1 }
                if at == word.count { return view.words[index].state }
            }
            return nil
        }
        guard let found else { return false }
        let state = view.states + found
        if state.pointee.isOriginal { return true }
        guard state.pointee.isPlain else { return false }
        for index in state.pointee.firstObject..<state.pointee.firstObject + state.pointee.objectCount {
            let object = view.objects[index]
            revision.willWrite(
                PDFReference(object.number, generation: object.generation), further: object.offset)
        }
        revision.out.append(
            contentsOf: UnsafeBufferPointer(
                start: state.pointee.objects.start, count: state.pointee.objects.count))
        return true
    }
}
