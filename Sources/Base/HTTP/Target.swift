import Bytes

/// The `/documents/7?sort=name` of a request line, taken apart strictly.
///
/// Segments are decoded one by one *after* the path was cut at `/`, so an escaped slash stays inside its segment.
/// A segment `..` or `.` is refused however it is spelt: no route of ours has one, and a proxy in front might read it
/// differently.
public struct Target: Sendable, Equatable {
    public let path: [String]
    public let query: Fields

    public init(_ raw: String) throws(Refusal) {
        guard raw.utf8.count <= 8_192 else {
            throw Refusal(.targetTooLong, "The address is longer than 8,192 bytes.")
        }
        guard raw.utf8.first == UInt8(ascii: "/"),
            raw.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 < 0x80 })
        else { throw Refusal(.badRequest, "The address is not a plain path.") }
        let halves = raw.utf8.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        if halves[0].count > 1 {
            for piece in halves[0].dropFirst().split(
                separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            {
                guard let segment = PercentCoding.decode(piece), !segment.utf8.contains(where: { $0 < 0x20 })
                else {
                    throw Refusal(
                        .badRequest, "The address holds a broken escape or a character that is not text.")
                }
                guard segment != "..", segment != "." else {
                    throw Refusal(.badRequest, "The address climbs out of its folder.")
                }
                path.append(segment)
            }
        }
        self.path = path
        self.query = halves.count == 2 ? try Fields(urlEncoded: Substring(halves[1])) : Fields()
    }
}
