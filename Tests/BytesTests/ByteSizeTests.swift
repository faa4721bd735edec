import Bytes
import Testing

@Suite("Sizes as people write them")
struct ByteSizeTests {
    @Test("In settings they are whole numbers, with or without a unit")
    func whole() {
        #expect(ByteSize.whole("4GB") == 4_000_000_000)
        #expect(ByteSize.whole("500 mb") == 500_000_000)
        #expect(ByteSize.whole("1000000") == 1_000_000)
        #expect(ByteSize.whole("2M", ByteSize.short) == 2_000_000)
        for wrong in ["", "lots", "-1", "0", "1.5MB", "2M", "MB", "99999999999TB"] {
            #expect(ByteSize.whole(wrong) == nil, "\(wrong)")
        }
        #expect(ByteSize.whole("1TB", ByteSize.short) == nil)
    }

    @Test("In a field they may have a fraction, written as in either language")
    func typed() {
        for text in ["1.5 MB", "1,5mb", "1500 kB", "1.5M"] {
            #expect(ByteSize.bytes(text) == 1_500_000, "\(text)")
        }
        for wrong in ["", "plenty", "-1 MB", "1.2.3 MB", "0", "1e9 MB", "9999999999999 GB", ".5 MB"] {
            #expect(ByteSize.bytes(wrong) == nil, "\(wrong)")
        }
    }
}
