import Codes
import Testing

@Suite("What an NFC tag says")
struct TagMessageTests {
    @Test("is a page in as few bytes as can be")
    func page() throws {
        let message = try #require(TagMessage(address: "https://www.example.org/c/7k2m9q4x"))
        // One record, the first and the last, short, of a known kind: U, and 2 stands for "https://www.".
        #expect(message.bytes == [0xD1, 1, 23, 0x55, 2] + Array("example.org/c/7k2m9q4x".utf8))
        #expect(message.tag == "NTAG213")
        #expect(TagMessage(address: "geo:1,2")?.bytes.prefix(5) == [0xD1, 1, 8, 0x55, 0])
    }

    @Test("may have the card behind the page, or the card alone; nothing says nothing")
    func card() throws {
        let vCard = Array("BEGIN:VCARD".utf8)
        let both = try #require(TagMessage(address: "https://a.example", card: vCard))
        #expect(both.bytes.prefix(5) == [0x91, 1, 10, 0x55, 4])
        #expect(both.bytes.dropFirst(14).prefix(3) == [0x52, 10, 11])
        #expect(both.bytes.suffix(21) == Array("text/vcardBEGIN:VCARD".utf8)[...])
        #expect(TagMessage(address: nil, card: vCard)?.bytes.first == 0xD2)
        #expect(TagMessage(address: nil) == nil)
    }

    @Test("says its length in four bytes where one is too few, and which tag is large enough")
    func long() throws {
        let message = try #require(TagMessage(address: nil, card: Array(repeating: 65, count: 300)))
        #expect(message.bytes.prefix(6) == [0xC2, 10, 0, 0, 1, 44])
        #expect(message.tag == "NTAG215")
        #expect(TagMessage(address: nil, card: Array(repeating: 65, count: 860))?.tag == "NTAG216")
        #expect(TagMessage(address: nil, card: Array(repeating: 65, count: 900))?.tag == nil)
    }
}
