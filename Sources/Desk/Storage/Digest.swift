import Bytes
import Crypto
public import SQL

/// The SHA-256 of some bytes: the name under which the blob shelf keeps them.
public struct Digest: Hashable, Sendable {
    /// 64 lower-case digits.
    public let hex: String

    public init?(_ hex: String) {
        guard hex.utf8.count == 64, let bytes = Hex.decode(hex), Hex.encode(bytes) == hex else { return nil }
        self.hex = hex
    }

    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        hex = Hex.encode(bytes)
    }

    public init(of bytes: [UInt8]) {
        hex = Hex.encode(SHA256.hash(bytes))
    }

    public init(ofFile path: String) throws { self = try OpenFile(reading: path).digest() }
}

extension Digest: Comparable {
    public static func < (a: Digest, b: Digest) -> Bool { a.hex < b.hex }
}

extension Digest: CustomStringConvertible {
    public var description: String { hex }
}

extension Digest: SQLConvertible {
    public var sqlValue: SQLValue { .text(hex) }
}

/// Bytes on the shelf and how to show them.
public struct Blob: Hashable, Sendable {
    public var digest: Digest
    public var byteCount: Int64
    public var mediaType: String

    public init(digest: Digest, byteCount: Int64, mediaType: String) {
        self.digest = digest
        self.byteCount = byteCount
        self.mediaType = mediaType
    }
}

extension Row {
    public func digest(_ column: String) throws -> Digest {
        guard let digest = try optionalDigest(column) else {
            throw SQLError(.wrongType, "column “\(column)” is NULL")
        }
        return digest
    }

    public func optionalDigest(_ column: String) throws -> Digest? {
        guard let text = try optionalText(column) else { return nil }
        guard let digest = Digest(text) else {
            throw SQLError(.wrongType, "column “\(column)” holds no digest")
        }
        return digest
    }
}
