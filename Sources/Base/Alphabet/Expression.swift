import CICU

/// A pattern of text, looked for by ICU: letters of every script, capitals or not, and an end to the time it may take.
/// One thread at a time.
public final class Expression {
    public enum Trouble: Error {
        case isNone
        /// It would go on for ever, or nearly.
        case takesTooLong
    }

    private let handle: OpaquePointer

    public init(_ text: String) throws(Trouble) {
        var status = U_ZERO_ERROR
        let units = Array(text.utf16)
        guard let handle = icu_expression(units, Int32(clamping: units.count), &status), status.rawValue <= 0
        else { throw .isNone }
        self.handle = handle
    }

    deinit { icu_close_expression(handle) }

    /// All places where it stands, by units of UTF-16; empty ones are none.
    public func places(in units: [UInt16]) throws(Trouble) -> [Range<Int>] {
        var places: [Range<Int>] = []
        var status = U_ZERO_ERROR
        units.withUnsafeBufferPointer { units in
            icu_look_in(handle, units.baseAddress, Int32(clamping: units.count), &status)
            var start: Int32 = 0
            var end: Int32 = 0
            while status.rawValue <= 0, icu_find_next(handle, &start, &end, &status) != 0 {
                if end > start { places.append(Int(start)..<Int(end)) }
            }
        }
        guard status.rawValue <= 0 else { throw .takesTooLong }
        return places
    }

    /// The text itself, whatever signs are in it.
    public static func escaped(_ text: String) -> String {
        var out = ""
        for character in text {
            if "\\^$.|?*+()[]{}-#&~".contains(character) { out += "\\" }
            out.append(character)
        }
        return out
    }
}
