/// What a `Range` header asks of a body whose length is known (RFC 9110 §14.2).
public enum ByteRange: Sendable, Equatable {
    /// Send everything: no header, a unit we do not know, a broken one, or several ranges at once. A server may
    /// always ignore `Range`, and answering many ranges is an old way to make servers sweat.
    case whole
    case part(Range<Int64>)
    /// Nothing of what was asked for exists: 416.
    case unsatisfiable

    public init(_ header: String?, byteCount: Int64) {
        self = ByteRange.read(header, byteCount)
    }

    private static func read(_ header: String?, _ byteCount: Int64) -> ByteRange {
        guard let header, let equals = header.firstIndex(of: "="), Token.same(header[..<equals], "bytes")
        else {
            return .whole
        }
        let spec = Token.trimmed(header[header.index(after: equals)...])
        let ends = spec.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return .whole }
        if ends[0].isEmpty {
            guard let suffix = number(ends[1]) else { return .whole }
            guard suffix > 0, byteCount > 0 else { return .unsatisfiable }
            return .part(max(0, byteCount - suffix)..<byteCount)
        }
        guard let first = number(ends[0]) else { return .whole }
        if ends[1].isEmpty { return first < byteCount ? .part(first..<byteCount) : .unsatisfiable }
        guard let last = number(ends[1]), first <= last else { return .whole }
        return first < byteCount ? .part(first..<(min(last, byteCount - 1) + 1)) : .unsatisfiable
    }

    /// Digits only; a number too large to hold is as good as the largest.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text) ?? Int64.max
    }
}
