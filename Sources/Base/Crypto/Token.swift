internal import Bytes

/// A secret that opens something: 32 random bytes behind a prefix that says what it is for, so that a leaked one
/// is recognised by people and by scanners (`quire_api_…`). Only `digest` is ever stored; a token has so much
/// entropy that a plain SHA-256 is enough.
public struct Token: Sendable, Hashable {
    public let prefix: String
    public let text: String

    /// - Parameter random: 32 bytes from a `Chance`, so that tests can repeat themselves.
    public init(prefix: String, random: [UInt8]) {
        precondition(random.count == Self.byteCount, "a token is made of 32 bytes")
        self.prefix = prefix
        text = prefix + "_" + Base64.urlEncode(random)
    }

    /// Reads a token somebody sent. Nil unless it has exactly the form we give out.
    public init?(_ text: String, prefix: String) {
        let lead = prefix + "_"
        guard text.utf8.count == lead.utf8.count + 43, text.hasPrefix(lead),
            let bytes = Base64.urlDecode(String(text.dropFirst(lead.count))), bytes.count == Self.byteCount
        else { return nil }
        self.prefix = prefix
        self.text = text
    }

    public static let byteCount = 32

    /// What is stored, and what a presented token is looked up by.
    public var digest: [UInt8] { SHA256.hash(text) }
}

extension Token: CustomStringConvertible, CustomDebugStringConvertible {
    /// Tokens end up in logs by being interpolated; this one will not.
    public var description: String { prefix + "_…" }
    public var debugDescription: String { description }
}
