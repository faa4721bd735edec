import Crypto
import Testing

@Suite("A sealed file")
struct SealedFileTests {
    private let key = (0..<32).map { UInt8($0) }
    private let lead = Array("LEAD".utf8)

    private func sealed(_ bytes: [UInt8], isPadded: Bool, pieces: Int = 10_007) throws -> [UInt8] {
        final class Sink { var bytes: [UInt8] = [] }
        let sink = Sink()
        var writer = try SealedFileWriter(key: key, for: "here", lead: lead, isPadded: isPadded) {
            sink.bytes += $0
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            try writer.write(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        try writer.finish()
        return sink.bytes
    }

    /// Nil when it is refused.
    private func opened(
        _ bytes: [UInt8], isPadded: Bool, at place: String = "here", key: [UInt8]? = nil
    ) throws -> [UInt8]? {
        var rest = bytes[...]
        var content: [UInt8] = []
        let isWhole = try SealedFile.open(
            key: key ?? self.key, for: place, lead: lead, isPadded: isPadded,
            next: { count in
                defer { rest = rest.dropFirst(count) }
                return Array(rest.prefix(count))
            },
            body: { content += $0 })
        return isWhole ? content : nil
    }

    @Test(
        "says again what was put into it, however it came and whatever is around a piece's end",
        arguments: [
            0, 1, 3_999, 4_001, 65_531, 65_532, 65_533, 65_535, 65_536, 65_537, 131_064, 131_072, 300_001,
        ])
    func again(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for isPadded in [false, true] {
            for pieces in [10_007, 1_000_000] {
                let file = try sealed(bytes, isPadded: isPadded, pieces: pieces)
                #expect(try opened(file, isPadded: isPadded) == bytes)
                if isPadded {
                    #expect(
                        Int64(file.count) == SealedFileWriter.paddedCount(of: Int64(count), lead: lead.count))
                    #expect(file.count < max(4_097, (count + 100) * 9 / 8))
                }
            }
        }
    }

    @Test("is refused when it was changed, cut, made longer, moved or is another key's")
    func refused() throws {
        let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0) }
        for isPadded in [false, true] {
            let file = try sealed(bytes, isPadded: isPadded)
            for place in [0, 5, 30, 40_000, file.count - 1] {
                var changed = file
                changed[place] ^= 1
                #expect(try opened(changed, isPadded: isPadded) == nil)
            }
            // After a whole piece is where cutting would be hardest to see.
            for count in [0, 10, 28, 28 + 65_553, file.count - 1] {
                #expect(try opened(Array(file.prefix(count)), isPadded: isPadded) == nil)
            }
            #expect(try opened(file + [0], isPadded: isPadded) == nil)
            #expect(try opened(file, isPadded: isPadded, at: "there") == nil)
            #expect(try opened(file, isPadded: isPadded, key: Array(key.reversed())) == nil)
        }
    }
}
