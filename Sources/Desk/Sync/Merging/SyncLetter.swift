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
}
