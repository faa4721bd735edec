import Crypto
import Bytes
import Library
import Storage
import Work

/// What a paper is called, and which id it has, when two desks wrote into one at the same time and both are kept.
enum ConflictCopy {
    static func name(_ name: String, _ content: SyncRecord.Content) -> String {
        let day = Moment(milliseconds: content.stamp.milliseconds).iso8601.prefix(10)
        let remark = " (conflict, \(content.desk), \(day))"
        let ending = FileName.ending(of: name)
        let stem = ending.isEmpty ? name : String(name.dropLast(ending.count + 1))
        let room = FileName.longest - remark.unicodeScalars.count - ending.unicodeScalars.count - 1
        let short = String(String.UnicodeScalarView(stem.unicodeScalars.prefix(max(1, room))))
        return short + remark + (ending.isEmpty ? "" : "." + name.suffix(ending.count))
    }

    /// Kinds whose things count what is in them in the last part of their ids.
    private static let series: Set = ["list"]

    /// A UUIDv7 of the time it was written, the rest out of what it is.
    static func id(of id: String, kind: String, _ content: SyncRecord.Content) -> String {
        let hash = SHA256.hash("conflict \(id) \(content.stamp.text) \(content.blob.digest)")
        let time = UInt64(max(0, content.stamp.milliseconds)) & 0xFFFF_FFFF_FFFF
        var bytes = (0..<6).map { UInt8(truncatingIfNeeded: time >> UInt64(40 - 8 * $0)) } + hash.prefix(10)
        bytes[6] = 0x70 | bytes[6] & 0x0F
        bytes[8] = 0x80 | bytes[8] & 0x3F
        if series.contains(kind) { bytes.replaceSubrange(12..., with: [0, 0, 0, 0]) }
        let hex = Array(Hex.encode(bytes))
        let parts = [hex[0..<8], hex[8..<12], hex[12..<16], hex[16..<20], hex[20..<32]]
        return parts.map { String($0) }.joined(separator: "-")
    }
}
