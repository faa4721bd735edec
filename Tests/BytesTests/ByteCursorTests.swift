import Bytes
import Testing

@Suite("Byte cursors")
struct ByteCursorTests {
    @Test("What a writer wrote a reader reads, in either byte order")
    func roundTrip() throws {
        var writer = ByteWriter()
        writer.append(7)
        writer.uint16(0x0102)
        writer.uint16(0x0102, .little)
        writer.uint32(0xDEAD_BEEF)
        writer.uint64(0x0102_0304_0506_0708, .little)
        writer.append("ok")
        #expect(Array(writer.bytes.prefix(5)) == [7, 1, 2, 2, 1])
        var reader = ByteReader(writer.bytes)
        #expect(try reader.uint8() == 7)
        #expect(try reader.uint16() == 0x0102)
        #expect(try reader.uint16(.little) == 0x0102)
        #expect(try reader.uint32() == 0xDEAD_BEEF)
        #expect(try reader.uint64(.little) == 0x0102_0304_0506_0708)
        #expect(try reader.bytes(2) == Array("ok".utf8))
        #expect(reader.isAtEnd)
    }

    @Test("Reading past the end says where, and takes nothing")
    func pastTheEnd() throws {
        var reader = ByteReader([1, 2, 3][1...])
        try reader.skip(1)
        #expect(throws: ByteError(offset: 1, reason: "1 bytes left, 4 needed")) { try reader.uint32() }
        #expect(throws: ByteError.self) { try reader.bytes(-1) }
        #expect(throws: ByteError.self) { try reader.bytes(.max) }
        #expect(throws: ByteError.self) { try reader.expect([9]) }
        try reader.expect([3])
        #expect(reader.offset == 2)
    }
}
