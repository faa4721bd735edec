import Bytes
import Testing

@Suite("Bytes as text")
struct TextFormTests {
    @Test("Hexadecimal digits give back the bytes")
    func hexRoundTrip() {
        let all = (0...255).map { UInt8($0) }
        #expect(Hex.encode([0, 15, 16, 255]) == "000f10ff")
        #expect(Hex.decode(Hex.encode(all)) == all)
        #expect(Hex.decode("FFaB") == [255, 171])
        #expect(Hex.decode("") == [])
    }

    @Test(
        "Half a byte or a strange character is no hexadecimal text",
        arguments: ["f", "0g", "0x", "é0", "0 1"])
    func hexRefusal(text: String) {
        #expect(Hex.decode(text) == nil)
    }

    @Test(
        "Base64 as RFC 4648 section 10 has it",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func base64(plain: String, text: String) {
        #expect(Base64.encode(Array(plain.utf8)) == text)
        #expect(Base64.decode(text) == Array(plain.utf8))
    }

    @Test("Base64 for mails stands in lines of 76 letters", arguments: [0, 1, 56, 57, 58, 113, 114, 200])
    func base64Lines(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let text = String(decoding: bytes.withUnsafeBytes { Base64.lines($0) }, as: UTF8.self)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: true)
        #expect(lines.dropLast().allSatisfy { $0.utf8.count == 76 } && lines.count == (count + 56) / 57)
        #expect(text.isEmpty || text.hasSuffix("\r\n"))
        #expect(lines.joined() == Base64.encode(bytes))
    }

    @Test(
        "Base64 has one spelling for each value",
        arguments: ["Zg", "Zg=", "Zh==", "Zm9v\n", "Zg==Zg==", "====", "Z"])
    func base64Refusal(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test("The URL alphabet needs no escaping and no padding")
    func base64URL() {
        #expect(Base64.urlEncode([0xFB, 0xFF, 0xFE, 0x01]) == "-__-AQ")
        #expect(Base64.urlDecode("-__-AQ") == [0xFB, 0xFF, 0xFE, 0x01])
        #expect(Base64.urlDecode("-__-AQ==") == nil)
        #expect(Base64.urlDecode("+//+AQ") == nil)
        #expect(Base64.urlDecode("-__-AR") == nil)
    }

    @Test("Whatever the bytes, they come back")
    func anyBytes() {
        var mutator = Mutator(seed: 1)
        for _ in 0..<2_000 {
            let bytes = mutator.bytes(upTo: 70)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Base64.urlDecode(Base64.urlEncode(bytes)) == bytes)
            #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        }
    }
}
