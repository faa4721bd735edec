import Access
import Bytes
import HTTP
import HTTPServer
import Library
import SQL
import Storage
import TestSupport
import Testing
import Transfer
import Work

@Suite("Papers that hold others")
struct UnpackingTests {
    private func paths(_ documents: Documents) throws -> [String] {
        let tree = try documents.folders(by: ada)
        return try documents.list(.init(order: .name, isDescending: false), by: ada).documents.map { paper in
            [paper.folder.flatMap { tree[$0]?.path }, paper.name].compactMap { $0 }.joined(separator: "/")
        }.sorted()
    }

    @Test("An archive's papers come in, in its folders, below one of its name", arguments: Database.Kind.here)
    func folders(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let bytes = rawArchive([
                ("letter.txt", "Dear Ada"), ("Taxes/2026/bill.txt", "You owe"),
                ("__MACOSX/._letter.txt", "nobody’s"), ("Taxes/.DS_Store", "nobody’s"),
            ])
            let home = try documents.makeFolder(named: "In", by: ada)
            let came = try documents.unpack(.bytes(bytes), named: "Export.zip", into: home.id, by: editor)
            #expect(came.newOnes.count == 2 && came.left.isEmpty)
            #expect(try paths(documents) == ["In/Export/Taxes/2026/bill.txt", "In/Export/letter.txt"])
            #expect(
                try documents.folders(by: ada)[try #require(came.folder)]?.path == "In/Export")
            // The same once more: everything is there already, and said so.
            let again = try documents.unpack(.bytes(bytes), named: "Export.zip", into: home.id, by: editor)
            #expect(again.newOnes.isEmpty && again.papers.count == 2)
            #expect(throws: Failure.self) {
                try documents.unpack(.bytes(bytes), named: "Export.zip", by: viewer)
            }
        }
    }

    @Test("What lay in folders of a machine lies in them here; for what is there already none is made")
    func brought() throws {
        try withLibrary { documents, _, _ in
            let home = try documents.makeFolder(named: "In", by: ada)
            func bring(_ text: String, _ name: String, from path: String) throws {
                _ = try documents.bring(
                    .bytes(Array(text.utf8)), named: name, from: path, into: home.id, unpacking: true,
                    by: editor)
            }
            try bring("You owe", "bill.txt", from: "Taxes/2026")
            try bring("Dear Ada", "letter.txt", from: "")
            try bring("You own", "deed.txt", from: "/../taxes/./2026//")
            try bring("You owe", "copy of bill.txt", from: "Elsewhere/Copies")
            #expect(
                try paths(documents) == [
                    "In/Taxes/2026/bill.txt", "In/Taxes/2026/deed.txt", "In/letter.txt",
                ])
            #expect(
                try documents.folders(by: ada).nodes.map(\.path) == ["In", "In/Taxes", "In/Taxes/2026"])
            #expect(throws: Failure.self) {
                _ = try documents.bring(
                    .bytes([0x41]), named: "a", from: "A", unpacking: false, by: viewer)
            }
        }
    }

    @Test("An archive that begins with a PDF that is not packed is an archive")
    func beginsWithPDF() throws {
        try withLibrary { documents, _, _ in
            let bytes = rawArchive([("a.pdf", "%PDF-1.7\n"), ("b.txt", "b")])
            let came = try documents.unpack(.bytes(bytes), named: "a.zip", by: ada)
            #expect(came.newOnes.count == 2)
        }
    }

    @Test("An archive of one folder is that folder")
    func oneFolder() throws {
        try withLibrary { documents, _, _ in
            let bytes = rawArchive([("Trip/a.txt", "a"), ("Trip/b/c.txt", "c")])
            _ = try documents.unpack(.bytes(bytes), named: "download (3).zip", by: ada)
            #expect(try paths(documents) == ["Trip/a.txt", "Trip/b/c.txt"])
        }
    }

    @Test("Names that lead elsewhere or cannot be typed are names like any other")
    func oddNames() throws {
        try withLibrary { documents, _, _ in
            var files: [(name: String, text: String)] = [
                ("C:\\Windows\\win.ini", "w"), ("a/../../b.txt", "b"), ("line\nbreak.txt", "l"),
                ("x/\u{202E}fdp.exe", "x"), (String(repeating: "long", count: 200) + ".txt", "n"),
            ]
            files.append(("..", "dots"))
            // Our own writer refuses such names; other programs do not.
            let bytes = rawArchive(files)
            let came = try documents.unpack(.bytes(bytes), named: "odd.zip", by: ada)
            #expect(came.newOnes.count == files.count)
            let paths = try paths(documents)
            #expect(
                Set(paths.filter { !$0.hasPrefix("odd/long") }) == [
                    "odd/C:/Windows/win.ini", "odd/Untitled", "odd/a/b.txt", "odd/line break.txt",
                    "odd/x/fdp.exe",
                ])
            #expect(
                paths.contains { $0.hasPrefix("odd/longlong") && $0.hasSuffix(".txt") && $0.count <= 204 })
        }
    }

    @Test("A link is left where it is, and then the archive is kept whole")
    func links() throws {
        try withLibrary { documents, _, _ in
            let bytes = rawArchive([("a.txt", "a"), ("secret", "/etc/passwd")], links: ["secret"])
            let came = try documents.unpack(.bytes(bytes), named: "links.zip", by: ada)
            #expect(came.left.map(\.name) == ["secret"])
            #expect(Set(came.newOnes.map(\.name)) == ["links.zip", "a.txt"])
        }
    }

    @Test("What claims to become gigabytes out of nothing is kept as it is, with the reason")
    func bomb() throws {
        try withLibrary { documents, _, _ in
            let bytes = rawArchive([("bomb.txt", "little")], claiming: 10 << 30)
            let came = try documents.unpack(.bytes(bytes), named: "bomb.zip", by: ada)
            #expect(came.newOnes.map(\.name) == ["bomb.zip"])
            #expect(came.left.count == 1 && came.left[0].reason.contains("refused"))
        }
    }

    @Test("Damaged archives lose nothing: what unpacks comes in, and the whole is kept")
    func damaged() throws {
        try withLibrary { documents, _, _ in
            var bytes = rawArchive([("good.txt", "all is well"), ("bad.txt", "this will change")])
            let place = try #require(bytes.firstRange(of: Array("will".utf8))).lowerBound
            bytes[place] ^= 0xFF
            let came = try documents.unpack(.bytes(bytes), named: "half.zip", by: ada)
            #expect(Set(came.newOnes.map(\.name)) == ["half.zip", "good.txt"])
            #expect(came.left.map(\.name) == ["bad.txt"])
            let cut = try documents.unpack(.bytes(Array(bytes.prefix(40))), named: "cut.zip", by: ada)
            #expect(cut.newOnes.map(\.name) == ["cut.zip"] && cut.left.count == 1)
        }
    }

    private let mail = """
        From: =?utf-8?q?J=C3=B6rg_M=C3=BCller?= <joerg@example.org>\r
        To: ada@example.org\r
        Subject: =?utf-8?B?UmVudCBmb3IgQXByaWw=?=\r
        MIME-Version: 1.0\r
        Content-Type: multipart/mixed; boundary=frontier\r
        \r
        --frontier\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Transfer-Encoding: quoted-printable\r
        \r
        Here is the bill for the caf=C3=A9.\r
        --frontier\r
        Content-Type: text/plain; name="plain.txt"\r
        Content-Disposition: attachment; filename="plain.txt";\r
         filename*=utf-8''r%C3%A9sum%C3%A9.txt\r
        Content-Transfer-Encoding: base64\r
        \r
        V29yZHMgb2YgdGhlIHLDqXN1bcOp\r
        --frontier\r
        Content-Type: image/png\r
        Content-ID: <logo@example.org>\r
        \r
        a picture in the letter\r
        --frontier--\r

        """

    @Test(
        "What was attached to a mail comes in beside it and knows its mail; the mail is found by what it says",
        arguments: Database.Kind.here)
    func mails(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, _ in
            let came = try documents.unpack(.bytes(Array(mail.utf8)), named: "rent.eml", by: ada)
            #expect(came.newOnes.map(\.name) == ["rent.eml", "résumé.txt"])
            let letter = try #require(came.documents.first)
            #expect(came.documents.last?.origin == letter.id)
            #expect(try documents.attachments(of: letter.id, by: viewer).map(\.name) == ["résumé.txt"])
            try documents.read()
            #expect(try documents.found("jorg cafe") == ["rent.eml"])
            #expect(try documents.found("\"rent for april\"") == ["rent.eml"])
            #expect(try documents.found("resume words") == ["résumé.txt"])
            // The papers outlive their mail.
            try documents.trash(letter.id, by: ada)
            try documents.purge(letter.id, by: ada)
            #expect(try documents.list(by: ada).documents.map(\.origin) == [nil])
        }
    }

    @Test("A mail or an archive that lies in the library is unpacked later; other papers hold nothing")
    func later() throws {
        try withLibrary { documents, _, _ in
            let letter = try documents.add(.bytes(Array(mail.utf8)), named: "rent.eml", by: ada).document
            #expect(try documents.unpack(letter.id, by: editor).newOnes.map(\.name) == ["résumé.txt"])
            #expect(try documents.unpack(letter.id, by: editor).newOnes.isEmpty)
            let note = try documents.addText("note.txt")
            #expect(throws: Failure.self) { try documents.unpack(note.id, by: editor) }
        }
    }

    @Test("A mail cut off anywhere, or full of nonsense, is taken in without harm")
    func brokenMails() throws {
        let bytes = Array(mail.utf8)
        for count in stride(from: 0, to: bytes.count, by: 7) {
            let cut = MailFile(Array(bytes.prefix(count)))
            #expect(cut.attachments.count <= 2)
        }
        #expect(MailFile(Array(repeating: 0x3D, count: 10_000)).attachments.isEmpty)
        let deep = (0..<50).map { "Content-Type: multipart/mixed; boundary=b\($0)\r\n\r\n--b\($0)\r\n" }
            .joined()
        #expect(MailFile(Array(deep.utf8)).attachments.isEmpty)
    }

    @Test("What lies at an address of the web is taken in under the name its server gives it")
    func addresses() throws {
        let routes = [
            Route(.get, "/lease") { _ in
                .text("Four rooms").with(
                    "Content-Disposition", "inline; filename=plain.txt; filename*=utf-8''Mieta%C3%A9.txt")
            },
            Route(.get, "/papers/{name}") { _ in .text("You may") },
        ]
        let workers = Workers(name: "handlers", threads: 2)
        let server = Server(
            ServerSettings(), router: Router(routes), workers: workers, log: .silent)
        let address = "http://127.0.0.1:\(try server.start())"
        defer {
            server.stop(grace: .seconds(2))
            workers.stop()
        }
        try withLibrary { documents, _, _ in
            let client = HTTPClient(guardian: .anywhere)
            let lease = try documents.fetch(address + "/lease", over: client, by: ada)
            #expect(lease.newOnes.map(\.name) == ["Mietaé.txt"])
            #expect(lease.newOnes.map(\.arrival) == [.web])
            let terms = try documents.fetch(
                address + "/papers/terms%20of%20use.txt?x=1", over: client, by: ada)
            #expect(terms.newOnes.map(\.name) == ["terms of use.txt"])
            #expect(throws: Failure.self) {
                try documents.fetch(address + "/nowhere", over: client, by: ada)
            }
            // Nobody looks into the desk's own network by it.
            #expect(throws: Failure.self) {
                try documents.fetch(address + "/lease", over: HTTPClient(guardian: .publicOnly), by: ada)
            }
        }
    }
}

/// An archive as any program might write it: stored, with whatever names and claims.
func rawArchive(
    _ files: [(name: String, text: String)], links: Set<String> = [], claiming: Int? = nil
) -> [UInt8] {
    var bytes = ByteWriter()
    var list = ByteWriter()
    for file in files {
        let text = Array(file.text.utf8)
        let name = Array(file.name.utf8)
        let place = bytes.count
        for isList in [false, true] {
            var head = ByteWriter()
            head.uint32(isList ? 0x0201_4B50 : 0x0403_4B50, .little)
            if isList { head.uint16(3 << 8 | 20, .little) }
            head.uint16(20, .little)
            head.uint16(1 << 11, .little)
            head.uint16(0, .little)
            head.uint32(0, .little)
            head.uint32(checksum(text), .little)
            head.uint32(UInt32(text.count), .little)
            head.uint32(UInt32(min(claiming ?? text.count, 0xFFFF_FFFE)), .little)
            head.uint16(UInt16(name.count), .little)
            head.uint16(0, .little)
            if isList {
                for _ in 0..<3 { head.uint16(0, .little) }
                head.uint32(links.contains(file.name) ? 0xA1FF_0000 : 0x81A4_0000, .little)
                head.uint32(UInt32(place), .little)
            }
            head.append(name)
            if isList { list.append(head.bytes) } else { bytes.append(head.bytes + text) }
        }
    }
    let start = bytes.count
    bytes.append(list.bytes)
    bytes.uint32(0x0605_4B50, .little)
    for _ in 0..<2 { bytes.uint16(0, .little) }
    for _ in 0..<2 { bytes.uint16(UInt16(files.count), .little) }
    bytes.uint32(UInt32(list.count), .little)
    bytes.uint32(UInt32(start), .little)
    bytes.uint16(0, .little)
    return bytes.bytes
}

/// CRC-32, bit by bit.
private func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
}
