import Bytes
import Crypto
import Storage

/// What one desk tells the others in one go: records, one on a line, below a line that says what follows.
///
/// A desk numbers its letters from 1 and never changes one. A sum is a letter that repeats all that its desk ever told,
/// as it is now, so that the letters up to its number need not be read any more.
enum SyncLetter {
    static let folder = "letters"

    struct Name: Hashable {
        var device: String
        var number: Int64
        var isSum: Bool

        var text: String {
            let digits = String(number)
            let padded = String(repeating: "0", count: max(0, 12 - digits.count)) + digits
            return "\(SyncLetter.folder)/\(device)/\(padded)\(isSum ? ".sum" : "")"
        }

        init(_ device: String, _ number: Int64, isSum: Bool = false) {
            self.device = device
            self.number = number
            self.isSum = isSum
        }

        /// Nil for what is none of ours, such as what another program left there.
        init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0] == SyncLetter.folder, !parts[1].isEmpty else { return nil }
            let isSum = parts[2].hasSuffix(".sum")
            let digits = isSum ? parts[2].dropLast(4) : parts[2]
            guard digits.count == 12, let number = Int64(digits), number > 0 else { return nil }
            self.init(String(parts[1]), number, isSum: isSum)
        }
    }

    static func head(device: String, desk: String, number: Int64, digest: Digest, count: Int) -> JSON {
        [
            "quire": "letter", "format": 1, "device": .string(device), "desk": .string(desk),
            "number": .integer(number), "records": .int(count), "sha256": .string(digest.hex),
        ]
    }

    static func write(_ records: [SyncRecord], device: String, desk: String, number: Int64) -> [UInt8] {
        var body: [UInt8] = []
        for record in records { body += record.json.bytes + [0x0A] }
        let head = head(
            device: device, desk: desk, number: number, digest: Digest(of: body), count: records.count)
        return head.bytes + [0x0A] + body
    }

    /// Throws for what is not whole or not what it says it is.
    static func read(_ bytes: [UInt8], _ name: Name) throws -> [SyncRecord] {
        let damaged = SyncTrouble.damaged("What another desk left (\(name.text)) is not whole.")
        guard let end = bytes.firstIndex(of: 0x0A), let head = try? JSON(parsing: Array(bytes[..<end])),
            head["quire"]?.string == "letter"
        else { throw damaged }
        guard head["format"]?.integer == 1 else {
            throw SyncTrouble.refused(
                "Another desk uses a newer Quire, whose letters this one cannot read. Update this one.")
        }
        let body = Array(bytes[(end + 1)...])
        guard head["device"]?.string == name.device, head["number"]?.integer == name.number,
            head["sha256"]?.string == Digest(of: body).hex
        else { throw damaged }
        let lines = body.split(separator: 0x0A)
        guard head["records"]?.int == lines.count else { throw damaged }
        return try lines.map { line in
            guard let json = try? JSON(parsing: Array(line)), let record = SyncRecord(json) else {
                throw damaged
            }
            return record
        }
    }
}
