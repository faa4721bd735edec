import Testing
import Work

@testable import Transfer

@Suite struct XMLScannerTests {
    private func root(_ text: String) throws -> XMLNode { try XMLNode.root(of: Array(text.utf8)) }

    @Test("elements, text, references and namespaces are read")
    func reading() throws {
        let node = try root(
            """
            \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
            <!-- hello -->
            <D:a xmlns:D="DAV:" xmlns='u'><b x="1" y='&lt;'>one &amp; &#x1F642;&#65;<![CDATA[<&]]></b><D:c/></D:a>
            """)
        #expect(node.name == .init(namespace: "DAV:", local: "a"))
        #expect(node.child("b", in: "u")?.text == "one & 🙂A<&")
        #expect(node.child("c", in: "DAV:") != nil)
    }

    @Test(
        "whatever is not plain, whole XML is refused",
        arguments: [
            "", " ", "text", "<a>", "<a></b>", "</a>", "<a/><b/>", "<a/>x", "x<a/>", "<a b></a>", "<a b=1/>",
            "<a b='1' b='2'/>", "<a b='<'/>", "<a>&nbsp;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>",
            "<a>&#xFFFE;</a>",
            "<a>&lt</a>", "<a>\u{1}</a>", "<p:a/>", "<a:b:c/>", "<1a/>", "< a/>", "<a><!-- -- --></a>",
            "<?x?><a/>",
            "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "<a><![CDATA[</a>",
            "<a><?php?></a>",
            "<a b='1'c='2'/>", "<a", "<a b", "<a b=", "<a b='", "<a><", "<a>&", "<?xml", "<a/",
            "<a xmlns:=''/>",
        ])
    func refused(_ text: String) {
        #expect(throws: XMLError.self) { try root(text) }
    }

    @Test("nothing may grow without end")
    func limits() {
        let deep = String(repeating: "<a>", count: 33) + String(repeating: "</a>", count: 33)
        #expect(throws: XMLError.self) { try root(deep) }
        #expect(throws: XMLError.self) { try root("<\(String(repeating: "a", count: 300))/>") }
        #expect(throws: XMLError.self) { try root("<a>\(String(repeating: "x", count: 70_000))</a>") }
        let attributes = (0..<40).map { "x\($0)='1'" }.joined(separator: " ")
        #expect(throws: XMLError.self) { try root("<a \(attributes)/>") }
        #expect(throws: XMLError.self) {
            try XMLNode.root(
                of: Array("<a>\(String(repeating: "<b/>", count: 20))</a>".utf8), maximumNodes: 10)
        }
        #expect(throws: XMLError.self) { try XMLNode.root(of: [0x3C, 0x61, 0xFF, 0x2F, 0x3E]) }
    }

    @Test("20,000 damaged documents are each read or refused")
    func fuzz() {
        let seed = Array(
            """
            <?xml version="1.0"?><D:multistatus xmlns:D="DAV:"><D:response><D:href>/a%20b</D:href><D:propstat>\
            <D:prop><D:getcontentlength>12</D:getcontentlength><!-- c --><x xmlns="y" z='&quot;'><![CDATA[ ]]></x>\
            </D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
            """.utf8)
        let marks = Array("<>/&;'\"=!?-[]x \u{0}\u{80}".utf8)
        let chance = Chance.seeded(7)
        var readable = 0
        for _ in 0..<20_000 {
            var bytes = seed
            let dice = chance.bytes(13).map(Int.init)
            for turn in 0...(dice[0] % 4) where !bytes.isEmpty {
                let place = (dice[turn * 3 + 1] << 8 | dice[turn * 3 + 2]) % bytes.count
                switch dice[turn * 3 + 3] % 4 {
                case 0: bytes[place] = marks[dice[turn * 3 + 3] / 4 % marks.count]
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(marks[dice[turn * 3 + 3] / 4 % marks.count], at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 9))
                }
            }
            if (try? XMLNode.root(of: bytes)) != nil { readable += 1 }
        }
        #expect(readable > 100 && readable < 19_000)
    }
}
