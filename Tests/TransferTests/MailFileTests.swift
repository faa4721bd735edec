import Bytes
import Testing
import Transfer

@Suite("A mail somebody kept")
struct MailFileTests {
    private func mail(_ lines: String...) -> MailFile {
        MailFile(Array(lines.joined(separator: "\r\n").utf8))
    }

    @Test("Its heads are read in whatever letters they were coded")
    func heads() {
        let mail = mail(
            "From: =?iso-8859-2?q?Ji=F8=ED?= <jiri@example.org>", "To: ada@example.org",
            "Cc: =?utf-8?b?xYF1a2Fzeg==?=", " =?utf-8?q?_Kowal?= <l@example.org>",
            "Subject: =?koi8-r?B?8NLJ18XU?=", "Date: Sat, 21 Nov 2026 10:00:00 +0000", "", "Hello")
        #expect(mail.from == "Jiří <jiri@example.org>")
        #expect(mail.cc == "Łukasz Kowal <l@example.org>")
        #expect(mail.subject == "Привет")
        #expect(mail.plain == "Hello" && mail.html == nil && mail.attachments.isEmpty)
    }

    @Test("What it says is there as words and as a page, in the letters each names")
    func bothWays() {
        let mail = mail(
            "Content-Type: multipart/alternative; boundary=\"a;b\"", "", "--a;b",
            "Content-Type: text/plain; charset=windows-1250", "Content-Transfer-Encoding: quoted-printable",
            "",
            "=8Elut=FD k=F9=F2", "--a;b", "Content-Type: text/html; charset=shift_jis",
            "Content-Transfer-Encoding: base64", "", "PHA+k/qWezwvcD4", "--a;b--")
        #expect(mail.plain?.contains("Žlutý kůň") == true)
        #expect(mail.html == "<p>日本</p>")
    }

    @Test("Words written before and after what was attached are all read")
    func pieces() {
        let mail = mail(
            "Content-Type: multipart/mixed; boundary=m", "", "--m", "", "Before", "--m",
            "Content-Type: application/pdf; name=\"=?utf-8?q?R=C3=A9sum=C3=A9=2Epdf?=\"", "", "%PDF-1.4",
            "--m",
            "Content-Type: text/plain", "", "after", "--m--")
        #expect(mail.plain?.split(whereSeparator: \.isNewline) == ["Before", "after"])
        #expect(mail.attachments.map(\.name) == ["Résumé.pdf"])
        #expect(mail.attachments.map(\.mediaType) == ["application/pdf"])
    }

    @Test("Pictures the words refer to are known by their ids and are no attachments")
    func pictures() {
        let mail = mail(
            "Content-Type: multipart/related; boundary=m", "", "--m", "Content-Type: text/html", "",
            "<img src=\"cid:logo@example.org\">", "--m", "Content-Type: image/png",
            "Content-ID: <logo@example.org>", "Content-Transfer-Encoding: base64", "", "iVBORw0KGgo=", "--m--"
        )
        #expect(mail.attachments.isEmpty)
        #expect(mail.inline.map(\.id) == ["logo@example.org"])
        #expect(mail.inline.first?.bytes == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }

    @Test("A code of letters with blanks, strange marks or without its end is read as far as it goes")
    func brokenCode() {
        func said(_ code: String) -> String? {
            mail("Content-Type: text/plain", "Content-Transfer-Encoding: BASE64", "", code).plain
        }
        #expect(said("SGVs\r\nbG8g  bm90ZXM=") == "Hello notes")
        #expect(said("SGVsbG8gbm90ZXM") == "Hello notes")
        #expect(said("SGVs*bG8!gbm90ZXM=\r\n-- \r\n") == "Hello notes")
        #expect(said("S") == "")
    }

    @Test(
        "A name with percent signs is read as far as it goes",
        arguments: [
            ("a%20b", "a b"), ("100%", "100%"), ("%zz%4", "%zz%4"), ("%+1", "%+1"),
            ("r%C3%A9sum%C3%A9", "résumé"),
        ])
    func percents(coded: String, read: String) {
        #expect(String(decoding: PercentCoding.lenient(coded), as: UTF8.self) == read)
    }
}
