import Archives
import Bundling
import Bytes
import Glibc
import Tables
import Work

/// A few files of each kind to begin with, so that every reader can be tried without any other.
enum Seeds {
    static func file(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    static let texts: [[UInt8]] = [
        "name;class;born\r\n\"Ana, the \"\"first\"\"\";3b;2015-02-03\r\nZoë;4a;03.02.2015\r\n",
        "a,b,c\n1,2,3\n1.000,00,\"x\ny\",\n", "a\tb\n\t\n",
        "[{\"name\":\"Ana\",\"tags\":[\"a\",\"b\"],\"age\":9.5},{\"name\":null,\"at\":{\"city\":\"Linz\"}}]",
        "{\"name\":\"Ana\"}\n{\"name\":\"Ben\",\"n\":1e3}\n",
    ].map { Array($0.utf8) }

    static let cards: [[UInt8]] = [
        "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana Lind\r\nN:Lind;Ana;;Dr.;\r\nEMAIL;TYPE=work,pref:ana@example.org\r\n"
            + "ADR;TYPE=home:;;Main St 1;Linz;;4020;Austria\r\nNOTE:one\\, two\\n three\r\n  folded\r\nEND:VCARD\r\n",
        "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=89va;Zo=C3=\n=AB\nTEL;CELL:+43 1\n"
            + "PHOTO;ENCODING=BASE64:iVBORw0KGgo=\n\nEND:VCARD\n",
    ].map { Array($0.utf8) }

    static let mails: [[UInt8]] = [
        "From: =?utf-8?q?Zo=C3=AB?= <zoe@example.org>\r\nTo: ana@example.org, \"B, C\" <b@example.org>\r\n"
            + "Subject: =?iso-8859-1?b?R3L832U=?=\r\nDate: Tue, 24 Nov 2026 12:00:00 +0100\r\nMIME-Version: 1.0\r\n"
            + "Content-Type: multipart/mixed; boundary=\"x\"\r\n\r\n--x\r\nContent-Type: text/plain; charset=windows-1252\r\n"
            + "Content-Transfer-Encoding: quoted-printable\r\n\r\nDear Ana,=20\r\n--x\r\nContent-Type: application/pdf;\r\n"
            + " name*0*=utf-8''a%20; name*1=b.pdf\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n"
            + "JVBERi0x\r\n--x--\r\n",
        "From: mailer@example.org\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=y\r\n\r\n--y\r\n"
            + "Content-Type: text/plain\r\n\r\nIt did not arrive.\r\n--y\r\nContent-Type: message/delivery-status\r\n\r\n"
            + "Reporting-MTA: dns; mx.example.org\r\n\r\nFinal-Recipient: rfc822; ana@example.org\r\nAction: failed\r\n"
            + "Status: 5.1.1\r\nDiagnostic-Code: smtp; 550 no such user\r\n\r\n--y\r\nContent-Type: message/rfc822\r\n\r\n"
            + "Message-ID: <1@example.org>\r\nSubject: Hello\r\n\r\nHi\r\n--y--\r\n",
    ].map { Array($0.utf8) }

    static let requests: [[UInt8]] = [
        "GET /documents/7?sort=name&q=two+words HTTP/1.1\r\nHost: localhost\r\nAccept: text/html;q=0.5\r\nRange: bytes=0-3,5-\r\n"
            + "If-None-Match: \"v1\", W/\"v2\"\r\nCookie: a=1; b=\"2\"\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n",
        "POST /documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            + "Content-Length: 11\r\n\r\na=1&b=%41+cGET /health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST /uploads HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n",
        "POST /uploads HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 92\r\n\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\n\r\nsome content\r\n--b--\r\n",
        "PUT /documents/7 HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
    ].map { Array($0.utf8) }

    static let forms: [[UInt8]] = [
        "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nsome content\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\nvalue\r\n--b--\r\n",
        "preamble\r\n--b  \r\ncontent-disposition: form-data; name=\"\\\"q\\\"\"; filename*=utf-8''%e2%82%ac\r\n\r\n\r\n--b--\r\nend",
    ].map { Array($0.utf8) }

    static let values: [[UInt8]] =
        [
            "{\"a\":[1,-2.5e3,true,null,\"\\u00e9\\ud83d\\ude00\"],\"b\":{\"c\":\"x\\n\"}}",
            "<?xml version=\"1.0\"?><d:multistatus xmlns:d=\"DAV:\"><d:response><d:href>/a%20b</d:href><d:propstat><d:prop>"
                + "<d:getetag>\"1\"</d:getetag><x><![CDATA[a]]>&amp;&#65;</x></d:prop></d:propstat></d:response></d:multistatus>",
        ].map { Array($0.utf8) } + [
            [0xA3, 0x01, 0x02, 0x03, 0x26, 0x20, 0x44, 1, 2, 3, 4], [0x82, 0x63, 0x61, 0x62, 0x63, 0xF5],
        ]

    /// Archives with several things in them: packed, unpacked, empty, in folders.
    static let archives: [[UInt8]] = [
        archive([("a.txt", texts[0]), ("b/c.csv", texts[1]), ("empty", [])]),
        archive([("mail.eml", mails[0])]),
    ]

    static let workbook: [(String, [UInt8])] = {
        let namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        let parts = [
            "[Content_Types].xml":
                "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>",
            "_rels/.rels":
                "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r1\" Type=\"\(relations)/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>",
            "xl/workbook.xml":
                "<workbook xmlns=\"\(namespace)\" xmlns:r=\"\(relations)\"><sheets><sheet name=\"A\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>",
            "xl/_rels/workbook.xml.rels":
                "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r1\" Type=\"\(relations)/worksheet\" Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"r2\" Type=\"\(relations)/sharedStrings\" Target=\"sharedStrings.xml\"/><Relationship Id=\"r3\" Type=\"\(relations)/styles\" Target=\"styles.xml\"/></Relationships>",
            "xl/sharedStrings.xml":
                "<sst xmlns=\"\(namespace)\"><si><t>name</t></si><si><r><t>Zo</t></r><r><t>ë</t></r></si></sst>",
            "xl/styles.xml":
                "<styleSheet xmlns=\"\(namespace)\"><numFmts><numFmt numFmtId=\"164\" formatCode=\"[h]:mm;[Red]0.00E+00\"/></numFmts><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"164\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>",
            "xl/worksheets/sheet1.xml":
                "<worksheet xmlns=\"\(namespace)\"><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"inlineStr\"><is><t>n</t></is></c></row><row r=\"2\"><c r=\"A2\" t=\"s\"><v>1</v></c><c r=\"B2\" s=\"1\"><v>1.5</v></c><c r=\"D2\" s=\"2\"><v>45000</v></c></row></sheetData></worksheet>",
        ]
        return parts.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) }
    }()

    static let openDocument: [(String, [UInt8])] = [
        ("mimetype", Array("application/vnd.oasis.opendocument.spreadsheet".utf8)),
        (
            "content.xml",
            Array(
                ("<office:document-content xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\"><office:body><office:spreadsheet><table:table table:name=\"A\">"
                    + "<table:table-row><table:table-cell office:value-type=\"string\"><text:p>name</text:p></table:table-cell><table:table-cell table:number-columns-repeated=\"3\"/></table:table-row>"
                    + "<table:table-row table:number-rows-repeated=\"2\"><table:table-cell office:value-type=\"float\" office:value=\"1.5\"><text:p>1,5</text:p></table:table-cell><table:table-cell office:value-type=\"date\" office:date-value=\"2026-02-03\"><text:p>3</text:p></table:table-cell></table:table-row>"
                    + "</table:table></office:spreadsheet></office:body></office:document-content>").utf8)
        ),
    ]

    static let bundle: [UInt8] = {
        var bundle = Bundle(name: "Consent")
        bundle.parts = [
            .init("Form", .form(Array("%PDF-1.7".utf8), mapping: "[fields]\na = {A}\n"), condition: "{A}"),
            .init("Rules", .paper(Array("%PDF".utf8))), .init("own", .attachment(pattern: "{A}.pdf")),
        ]
        bundle.letter = ["subject": "Please sign"]
        bundle.files = [.init("map.png", [1, 2, 3])]
        bundle.columns = [.init("A", role: "name"), .init("B")]
        bundle.rows = [["Ada", "1"]]
        return (try? bundle.bytes()) ?? []
    }()

    static func archive(_ parts: [(String, [UInt8])]) -> [UInt8] {
        final class Sink { var bytes: [UInt8] = [] }
        let sink = Sink()
        var writer = ZIPWriter { sink.bytes += $0 }
        do {
            for (name, bytes) in parts {
                try writer.add(name, bytes, modified: Moment(milliseconds: 1_700_000_000_000))
            }
            try writer.finish()
        } catch {
            return []
        }
        return sink.bytes
    }
}
