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

        /// To the nearest; the library's own rounding is a call each time. A form may ask for sizes that lead anywhere.
        @inline(__always) static func rounded(_ number: Double) -> Int {
            let near = min(1e15, max(-1e15, number))
            return Int(near < 0 ? near - 0.5 : near + 0.5)
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

        /// Up to three bytes behind the number become spaces.
        @inline(__always) mutating func put(number: Int) {
            var rest = UInt(truncatingIfNeeded: number)
            if number < 0 {
                put(UInt8(ascii: "-"))
                rest = number.magnitude
            }
            if rest < 10_000 {
                putShort(UInt32(truncatingIfNeeded: rest))
            } else {
                putLong(rest)
            }
        }

        /// Up to four digits at once: how many there are is not asked, since it could not be foretold.
        @inline(__always) private mutating func putShort(_ number: UInt32) {
            let (upper, lower) = (number / 100, number % 100)
            let digits = upper / 10 | (upper % 10) &<< 8 | (lower / 10) &<< 16 | (lower % 10) &<< 24
            // The last is there even if it is none.
            let zeros = UInt32(truncatingIfNeeded: (digits | 1 &<< 24).trailingZeroBitCount) & 24
            let text = UInt64(digits &+ 0x3030_3030) | 0x2020_2020_0000_0000
            UnsafeMutableRawPointer(at).storeBytes(
                of: UInt32(truncatingIfNeeded: text &>> UInt64(zeros)), as: UInt32.self)
            at += 4 &- Int(zeros &>> 3)
        }

        private mutating func putLong(_ number: UInt) {
            var rest = number
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

        @inline(__always) mutating func put(bareString: UnsafeBufferPointer<UInt8>) {
            put(UInt8(ascii: "("))
            if let start = bareString.baseAddress { at.update(from: start, count: bareString.count) }
            at += bareString.count
            put(UInt8(ascii: ")"))
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

        /// A string of one letter.
        @inline(__always) mutating func put(letter: UInt8) {
            put(UInt8(ascii: "("))
            if letter == UInt8(ascii: "(") || letter == UInt8(ascii: ")") || letter == UInt8(ascii: "\\") {
                put(UInt8(ascii: "\\"))
            }
            put(letter)
            put(UInt8(ascii: ")"))
        }

        @inline(__always) mutating func put(reference: PDFReference) {
            put(number: reference.number)
            put(UInt8(ascii: " "))
            put(number: reference.generation)
            put(" R")
        }

        @inline(__always) mutating func put(hexUnit unit: UInt32) {
            for shift: UInt32 in [12, 8, 4, 0] {
                let digit = UInt8(truncatingIfNeeded: unit >> shift & 15)
                put(digit < 10 ? 48 + digit : 55 + digit)
            }
        }
    }

    enum Result {
        case done
        case remarks(shrunk: Double?, clipped: Bool)
        /// Nothing was written: more must be thought about.
        case notPlain
        /// Nothing was written: there is too little room.
        case noRoom(bytes: Int, objects: Int)
    }

    /// Writes the value of a text field and the pictures of its places.
    @inline(__always)
    mutating func write(
        _ field: UnsafePointer<PlainFields.Field>, _ string: String, into room: inout PDFRevision.Room
    ) -> Result {
        guard field.pointee.value > 0 else { return .notPlain }
        // Strings that are not at hand as bytes are none that were read from a table.
        return string.utf8.withContiguousStorageIfAvailable { utf8 in
            if field.pointee.line >= 0, let result = writeLine(field, utf8, into: &room) { return result }
            return write(field, utf8, into: &room)
        } ?? .notPlain
    }

    /// What most values of most forms are: letters of ASCII that fit a single line, or the cells of a comb, of a field
    /// with one place. Nil when this is something else.
    @inline(__always)
    private func writeLine(
        _ field: UnsafePointer<PlainFields.Field>, _ utf8: UnsafeBufferPointer<UInt8>,
        into room: inout PDFRevision.Room
    ) -> Result? {
        let place = view.places + field.pointee.first
        let count = utf8.count
        guard let text = utf8.baseAddress, count > 0, count <= field.pointee.line else { return nil }
        let widths = place.pointee.bareWidths
        var units: UInt32 = 0
        for at in 0..<count { units &+= widths[Int(text[at])] }
        guard units <= place.pointee.mostUnits else { return nil }
        // A letter of a comb has its gap and its parentheses.
        let bytes = field.pointee.lineBytes &+ (place.pointee.plain.cells > 0 ? 24 : 2) &* count
        guard room.holds(bytes: bytes, objects: 2) else { return .noRoom(bytes: bytes, objects: 2) }
        room.begin(object: field.pointee.value)
        var cursor = Cursor(at: room.at)
        cursor.put(field.pointee.valueStart)
        cursor.put(bareString: utf8)
        cursor.put("\nendobj\n")
        room.at = cursor.at
        room.begin(object: place.pointee.picture)
        if place.pointee.plain.cells > 0 {
            cursor.put(place.pointee.opening)
            putCells(text, count, place, &cursor)
            cursor.put("ET\nQ\nEMC")
        } else {
            if place.pointee.beginning.count > 0 {
                cursor.put(place.pointee.beginning)
            } else {
                cursor.put(place.pointee.opening)
                let x = PlainText.start(of: Double(units), in: place.pointee.plain)
                cursor.put(hundredths: Cursor.rounded(x * 100))
                cursor.put(place.pointee.lineHead)
            }
            cursor.put(bareString: utf8)
            cursor.put(" Tj\nET\nQ\nEMC")
        }
        var digits = Cursor(at: room.at + place.pointee.length)
        digits.put(number: cursor.at - room.at - place.pointee.content)
        cursor.put("\nendstream\nendobj\n")
        room.at = cursor.at
        return .done
    }

    /// Letters each in the middle of its cell, the gaps between them in thousandths.
    private func putCells(
        _ text: UnsafePointer<UInt8>, _ count: Int, _ place: UnsafePointer<PlainFields.Place>,
        _ cursor: inout Cursor
    ) {
        let plain = place.pointee.plain
        let cell = plain.width / Double(plain.cells)
        let first = PlainText.firstCell(of: count, plain)
        let size = plain.size * plain.stretch / 100
        var end = 0.0
        // Most gaps are spelled as the one before, in eight letters at most.
        var known = 0
        var spelled = (word: UInt64(0), count: 0)
        for at in 0..<count {
            let width =
                Double(place.pointee.bareWidths[Int(text[at])]) * plain.size / 1000 * plain.stretch / 100
            let x = cell * (Double(first + at) + 0.5) - width / 2
            if at == 0 {
                cursor.put(hundredths: Cursor.rounded(x * 100))
                cursor.put(place.pointee.lineHead)
                cursor.put(UInt8(ascii: "["))
                end = x
            } else {
                let gap = Cursor.rounded((x - end) * 1000 / size)
                if gap == known {
                    UnsafeMutableRawPointer(cursor.at).storeBytes(of: spelled.word, as: UInt64.self)
                    cursor.at += spelled.count
                } else if gap != 0 {
                    let start = cursor.at
                    cursor.put(number: -gap)
                    if cursor.at - start <= 8 {
                        spelled = (
                            UnsafeRawPointer(start).loadUnaligned(as: UInt64.self), cursor.at - start
                        )
                        known = gap
                    }
                }
                end += Double(gap) * size / 1000
            }
            cursor.put(UInt8(ascii: "("))
            cursor.put(text[at])
            cursor.put(UInt8(ascii: ")"))
            end += width
        }
        cursor.put("] TJ\n")
    }

    /// What a text is made of, found out eight bytes at a time.
    private struct Makeup {
        /// False when there is something in it that is neither text nor a line end.
        let isText: Bool
        let isASCII: Bool
        let hasLineEnds: Bool
        /// True when a string in parentheses must write some of it differently.
        let hasSigns: Bool

        static let step = MemoryLayout<UInt64>.size
        private static let ones: UInt64 = 0x0101_0101_0101_0101
        private static let tops: UInt64 = 0x8080_8080_8080_8080

        /// Not 0 when a byte is 0.
        @inline(__always) private static func zeros(_ word: UInt64) -> UInt64 {
            (word &- ones) & ~word & tops
        }

        /// `room` holds the text, and room for one step more behind it.
        @inline(__always) init(_ room: UnsafeMutablePointer<UInt8>, count: Int) {
            UnsafeMutableRawPointer(room + count).storeBytes(of: Self.ones &* 32, as: UInt64.self)
            var all: UInt64 = 0
            var odd: UInt64 = 0
            var low: UInt64 = 0
            var signs: UInt64 = 0
            var at = 0
            while at < count {
                let word = UnsafeRawPointer(room + at).loadUnaligned(as: UInt64.self)
                all |= word
                low |= (word &- Self.ones &* 32) & ~word & Self.tops
                odd |= Self.zeros(word ^ Self.ones &* 0x7F)
                // The two parentheses differ in their last bit.
                signs |= Self.zeros(word & ~Self.ones ^ Self.ones &* 40) | Self.zeros(word ^ Self.ones &* 92)
                at += Self.step
            }
            let text = UnsafeBufferPointer(start: room, count: low == 0 ? 0 : count)
            isText = odd == 0 && !text.contains { $0 < 32 && $0 != 10 }
            isASCII = all & Self.tops == 0
            hasLineEnds = text.contains(10)
            hasSigns = signs != 0
        }
    }

    private static let longest = 4096

    /// A copy of a text with a little room behind it, and what it is made of; nil when it is nothing for this writer.
    @inline(__always)
    private static func withCopy<Result>(
        of utf8: UnsafeBufferPointer<UInt8>, _ body: (UnsafeMutablePointer<UInt8>, Makeup) -> Result?
    ) -> Result? {
        guard utf8.count < longest else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: utf8.count + Makeup.step) {
            room in
            guard let codes = room.baseAddress else { return nil }
            if let start = utf8.baseAddress { codes.update(from: start, count: utf8.count) }
            let makeup = Makeup(codes, count: utf8.count)
            return makeup.isText ? body(codes, makeup) : nil
        }
    }

    /// Draws the value onto the pages of a merged file; or nothing, when more must be thought about.
    mutating func draw(
        _ field: UnsafePointer<PlainFields.Field>, _ string: String, onto overlay: MergedOverlay
    ) -> Result {
        // Strings that are not at hand as bytes are none that were read from a table.
        return string.utf8.withContiguousStorageIfAvailable { utf8 in
            if utf8.count <= field.pointee.drawnLine, drawLine(field, utf8, onto: overlay) { return .done }
            return draw(field.pointee, utf8, onto: overlay)
        } ?? .notPlain
    }

    /// What most values of most forms are: letters of ASCII that fit a single line of a field with one place. False when
    /// this is something else.
    @inline(__always)
    private func drawLine(
        _ field: UnsafePointer<PlainFields.Field>, _ utf8: UnsafeBufferPointer<UInt8>,
        onto overlay: MergedOverlay
    ) -> Bool {
        let place = view.places + field.pointee.first
        guard let text = utf8.baseAddress, utf8.count > 0 else { return false }
        let widths = place.pointee.bareWidths
        var units: UInt32 = 0
        for at in 0..<utf8.count { units &+= widths[Int(text[at])] }
        guard units <= place.pointee.mostUnits else { return false }
        overlay.put(line: utf8, units: units, at: field.pointee.first, place)
        return true
    }

    @inline(__always)
    private mutating func draw(
        _ field: PlainFields.Field, _ utf8: UnsafeBufferPointer<UInt8>, onto overlay: MergedOverlay
    ) -> Result {
        guard utf8.count <= field.longest else { return .notPlain }
        if field.count == 1 { return drawOnce(field.first, utf8, onto: overlay) }
        return Self.withCopy(of: utf8) { codes, makeup in
            var result = Result.done
            // The first time round nothing is drawn: it may turn out that it cannot be.
            for draws in [false, true] {
                for index in field.first..<field.first + field.count {
                    let place = view.places + index
                    guard place.pointee.page != nil else { continue }
                    guard let coded = lay(utf8, makeup, codes, in: place) else { return .notPlain }
                    guard draws else { continue }
                    overlay.put(text, coded, at: index, place)
                    if let shrunk = text.shrunk { result = .remarks(shrunk: shrunk, clipped: false) }
                }
            }
            return result
        } ?? .notPlain
    }

    /// The same for a field of one place.
    @inline(__always)
    private mutating func drawOnce(
        _ index: Int, _ utf8: UnsafeBufferPointer<UInt8>, onto overlay: MergedOverlay
    ) -> Result {
        let place = view.places + index
        // Long texts may be those of other records too.
        let said = utf8.count >= RepeatedTexts.shortest ? RepeatedTexts.Text(utf8, at: index) : nil
        if let said, let known = overlay.repeated(said, place) {
            return known.shrunk.map { .remarks(shrunk: $0, clipped: false) } ?? .done
        }
        return Self.withCopy(of: utf8) { codes, makeup in
            guard place.pointee.page != nil else { return .done }
            guard let coded = lay(utf8, makeup, codes, in: place) else { return .notPlain }
            if let said, overlay.putOften(text, coded, of: said, at: index, place) {
                // It is in the file once for all who say it.
            } else {
                overlay.put(text, coded, at: index, place)
            }
            return text.shrunk.map { .remarks(shrunk: $0, clipped: false) } ?? .done
        } ?? .notPlain
    }

    /// Lays a text out on a page; nil when more must be thought about.
    @inline(__always)
    private mutating func lay(
        _ utf8: UnsafeBufferPointer<UInt8>, _ makeup: Makeup, _ codes: UnsafeMutablePointer<UInt8>,
        in place: UnsafePointer<PlainFields.Place>
    ) -> UnsafeMutableBufferPointer<UInt8>? {
        guard !place.pointee.isTurned, place.pointee.plain.stretch == 100,
            let count = place.pointee.plain.font.encode(utf8, isASCII: makeup.isASCII, into: codes)
        else { return nil }
        let coded = UnsafeMutableBufferPointer(start: codes, count: count)
        text.lay(coded, in: place.pointee.plain)
        return text.clips ? nil : coded
    }

    private mutating func write(
        _ pointer: UnsafePointer<PlainFields.Field>, _ utf8: UnsafeBufferPointer<UInt8>,
        into room: inout PDFRevision.Room
    ) -> Result {
        let field = pointer.pointee
        guard utf8.count <= field.longest else { return .notPlain }
        let mostBefore = field.valueStart.count + utf8.count * 4 + 24
        if field.count > 1 {
            guard let most = most(field, utf8.count) else { return .notPlain }
            guard room.holds(bytes: mostBefore + most, objects: field.count + 1) else {
                return .noRoom(bytes: mostBefore + most, objects: field.count + 1)
            }
        }
        return Self.withCopy(of: utf8) { codes, makeup in
            // The fonts decide before anything is written, the first one last: its codes are then at hand.
            var count = utf8.count
            var isBare = !makeup.hasSigns
            for index in (field.first..<field.first + field.count).reversed() {
                let font = view.places[index].plain.font
                if makeup.isASCII, font.isASCII, field.count == 1 { continue }
                guard let encoded = font.encode(utf8, isASCII: makeup.isASCII, into: codes) else {
                    return nil
                }
                count = encoded
                isBare = isBare && makeup.isASCII && font.isASCII
            }
            var result = Result.done
            for index in field.first..<field.first + field.count {
                let place = view.places + index
                if index > field.first {
                    count = place.pointee.plain.font.encode(utf8, isASCII: makeup.isASCII, into: codes) ?? 0
                }
                let coded = UnsafeMutableBufferPointer(start: codes, count: count)
                text.lay(coded, in: place.pointee.plain)
                // Of one place alone it is seen now how long its picture becomes.
                if field.count == 1 {
                    let most = most(place, count, text.lines.count)
                    if most >= 10_000 { return nil }
                    guard room.holds(bytes: mostBefore + most, objects: 2) else {
                        return .noRoom(bytes: mostBefore + most, objects: 2)
                    }
                }
                if index == field.first {
                    room.begin(object: field.value)
                    putValue(field.valueStart, utf8, makeup, &room)
                }
                room.begin(object: place.pointee.picture)
                putPicture(place, coded, isBare: isBare, &room)
                if text.isClipped || text.shrunk != nil {
                    result = .remarks(shrunk: text.shrunk, clipped: text.isClipped)
                }
            }
            return result
        } ?? .notPlain
    }

    /// How long the pictures of so long a text can become together; nil when the length of one may not fit the four
    /// places left for it.
    private func most(_ field: PlainFields.Field, _ count: Int) -> Int? {
        var sum = 0
        for index in field.first..<field.first + field.count {
            let place = view.places + index
            // Lines of one letter each would be the longest.
            let lines = place.pointee.plain.isParagraphs || place.pointee.plain.cells > 0 ? count + 1 : 1
            let most = most(place, count, lines)
            if most >= 10_000 { return nil }
            sum += most
        }
        return sum
    }

    @inline(__always)
    private func most(_ place: UnsafePointer<PlainFields.Place>, _ count: Int, _ lines: Int) -> Int {
        place.pointee.openingClipped.count + place.pointee.font.count + count * 2 + lines * 64 + 128
    }

    @inline(__always)
    private mutating func putValue(
        _ start: PlainFields.Slice, _ utf8: UnsafeBufferPointer<UInt8>, _ makeup: Makeup,
        _ room: inout PDFRevision.Room
    ) {
        var cursor = Cursor(at: room.at)
        cursor.put(start)
        if makeup.isASCII {
            if makeup.hasSigns || makeup.hasLineEnds {
                cursor.put(string: utf8)
            } else {
                cursor.put(bareString: utf8)
            }
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
        room.at = cursor.at
    }

    @inline(__always)
    private mutating func putPicture(
        _ place: UnsafePointer<PlainFields.Place>, _ codes: UnsafeMutableBufferPointer<UInt8>, isBare: Bool,
        _ room: inout PDFRevision.Room
    ) {
        var cursor = Cursor(at: room.at)
        if place.pointee.beginning.count > 0, !text.clips, text.size == place.pointee.plain.size,
            !text.lines.isEmpty
        {
            cursor.put(place.pointee.beginning)
            let string = UnsafeBufferPointer(codes)
            if isBare { cursor.put(bareString: string) } else { cursor.put(string: string) }
            cursor.put(" Tj\nET\nQ\nEMC")
        } else {
            cursor.put(text.clips ? place.pointee.openingClipped : place.pointee.opening)
            putLines(place, codes, isBare: isBare, &cursor)
            cursor.put("ET\nQ\nEMC")
        }
        // The length is written when it is known, into room left for it.
        var digits = Cursor(at: room.at + place.pointee.length)
        digits.put(number: cursor.at - room.at - place.pointee.content)
        cursor.put("\nendstream\nendobj\n")
        room.at = cursor.at
    }

    @inline(__always)
    private mutating func putLines(
        _ place: UnsafePointer<PlainFields.Place>, _ codes: UnsafeMutableBufferPointer<UInt8>, isBare: Bool,
        _ cursor: inout Cursor
    ) {
        if place.pointee.plain.cells > 0 {
            putComb(place, codes, &cursor)
            return
        }
        if place.pointee.lineHead.count > 0, text.size == place.pointee.plain.size,
            let line = text.lines.first
        {
            cursor.put(hundredths: Cursor.rounded(line.x * 100))
            cursor.put(place.pointee.lineHead)
            putString(line, codes, isBare: isBare, &cursor)
            return
        }
        var x = 0
        var y = 0
        var isFontSet = false
        for line in text.lines where line.end > line.start {
            // Each move starts from the rounded place of the last.
            let newX = Cursor.rounded(line.x * 100)
            let newY = Cursor.rounded(line.y * 100)
            cursor.put(hundredths: newX - x)
            cursor.put(UInt8(ascii: " "))
            cursor.put(hundredths: newY - y)
            cursor.put(" Td ")
            (x, y) = (newX, newY)
            if !isFontSet { putFont(place, &cursor) }
            isFontSet = true
            putString(line, codes, isBare: isBare, &cursor)
        }
    }

    @inline(__always)
    private mutating func putString(
        _ line: PlainText.Line, _ codes: UnsafeMutableBufferPointer<UInt8>, isBare: Bool,
        _ cursor: inout Cursor
    ) {
        let string = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(codes)[line.start..<line.end])
        if isBare { cursor.put(bareString: string) } else { cursor.put(string: string) }
        cursor.put(" Tj\n")
    }

    @inline(__always)
    private mutating func putFont(_ place: UnsafePointer<PlainFields.Place>, _ cursor: inout Cursor) {
        if text.size == place.pointee.plain.size {
            cursor.put(place.pointee.font)
        } else {
            cursor.put(place.pointee.fontName)
            cursor.put(UInt8(ascii: " "))
            cursor.put(hundredths: Cursor.rounded(text.size * 100))
            cursor.put(" Tf ")
        }
    }

    /// Letters each in its cell: the gaps between them are part of one string.
    private mutating func putComb(
        _ place: UnsafePointer<PlainFields.Place>, _ codes: UnsafeMutableBufferPointer<UInt8>,
        _ cursor: inout Cursor
    ) {
        guard let first = text.lines.first else { return }
        cursor.put(hundredths: Cursor.rounded(first.x * 100))
        cursor.put(UInt8(ascii: " "))
        cursor.put(hundredths: Cursor.rounded(first.y * 100))
        cursor.put(" Td ")
        putFont(place, &cursor)
        cursor.put(UInt8(ascii: "["))
        let size = text.size * place.pointee.plain.stretch / 100
        var end = first.x
        for (index, line) in text.lines.enumerated() {
            if index > 0 {
                let gap = Cursor.rounded((line.x - end) * 1000 / size)
                if gap != 0 { cursor.put(number: -gap) }
                end += Double(gap) * size / 1000
            }
            cursor.put(letter: codes[line.start])
            let width = place.pointee.plain.font.width(codes[line.start])
            end += Double(width) * text.size / 1000 * place.pointee.plain.stretch / 100
        }
        cursor.put("] TJ\n")
    }

    // MARK: Boxes

    /// The state a word means; nil when more must be thought about.
    func state(_ field: UnsafePointer<PlainFields.Field>, meant string: String) -> Int? {
        return string.utf8.withContiguousStorageIfAvailable { utf8 -> Int? in
            for index in field.pointee.first..<field.pointee.first + field.pointee.count {
                let word = view.words + index
                let count = word.pointee.text.count
                guard count == utf8.count else { continue }
                var at = 0
                while at < count, word.pointee.text.start[at] == utf8[at] { at += 1 }
                if at == count { return word.pointee.state }
            }
            return nil
        } ?? nil
    }

    /// Puts a box into a state.
    func write(state: Int, into revision: inout PDFRevision) {
        let state = view.states + state
        for index in state.pointee.firstObject..<state.pointee.firstObject + state.pointee.objectCount {
            let object = view.objects[index]
            revision.willWrite(
                PDFReference(object.number, generation: object.generation), further: object.offset)
        }
        revision.out.append(
            contentsOf: UnsafeBufferPointer(
                start: state.pointee.objects.start, count: state.pointee.objects.count))
    }
}

extension [UInt8] {
    /// Writes up to so many bytes as they come, into room that is made once.
    @inline(__always)
    mutating func append(upTo byteCount: Int, _ write: (inout PlainWriter.Cursor) -> Void) {
        append(addingCapacity: byteCount) { span in
            span.withUnsafeMutableBufferPointer { room, used in
                guard let start = room.baseAddress else { return }
                var cursor = PlainWriter.Cursor(at: start)
                write(&cursor)
                used = cursor.at - start
            }
        }
    }
}
