import TestSupport
import Testing
import Work

@testable import Transfer

@Suite struct MailMessageTests {
    static func message(_ subject: String = "Your letter", text: String = "Hello\n") throws -> MailMessage {
        MailMessage(
            id: try #require(MessageID(unique: "0190-abc", host: "desk.example")),
            date: try #require(Moment(iso8601: "2026-11-21T11:35:00.000Z")),
            from: try #require(MailAddress("ana@example.org", name: "Ana Ruiz")),
            to: [try #require(MailAddress("ben@example.com"))], subject: subject, text: text)
    }

    @Test("the plainest message reads as one expects")
    func plain() throws {
        let text = String(decoding: try Self.message().bytes(), as: UTF8.self)
        #expect(
            text
                == """
                Date: Sat, 21 Nov 2026 11:35:00 +0000
                From: Ana Ruiz <ana@example.org>
                To: ben@example.com
                Message-ID: <0190-abc@desk.example>
                Subject: Your letter
                MIME-Version: 1.0
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                Hello

                """.replacingLineEnds)
    }

    @Test("the same message is the same bytes every time")
    func reproducible() throws {
        var message = try Self.message()
        message.html = "<p>Hello"
        message.attachments = [.init(fileName: "a.bin", mediaType: "x/y", content: .bytes(noise(5000)))]
        #expect(try message.bytes() == message.bytes())
    }

    @Test(
        "no text a person can type becomes a header of its own",
        arguments: [
            "x\r\nBcc: eve@example.net", "x\nBcc: eve", "x\rBcc: eve", "x\r\n\r\n<script>",
            "a\u{0}b\u{85}c\u{2028}d",
        ])
    func injection(_ evil: String) throws {
        var message = try Self.message(evil, text: evil)
        message.html = evil
        message.from = try #require(MailAddress("ana@example.org", name: evil))
        message.attachments = [.init(fileName: evil, mediaType: "text/plain\r\nX: y", content: .bytes([]))]
        let text = String(decoding: try message.bytes(), as: UTF8.self)
        let headers = text.components(separatedBy: "\r\n\r\n").first ?? ""
        let names = headers.components(separatedBy: "\r\n").filter { !$0.hasPrefix(" ") }.map {
            $0.prefix { $0 != ":" }
        }
        #expect(
            names == ["Date", "From", "To", "Message-ID", "Subject", "MIME-Version", "Content-Type"])
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\r" && $0 != "\n" })
        #expect(text.components(separatedBy: "Content-Disposition").count == 2)
    }

    @Test(
        "an address that could be misread is no address",
        arguments: [
            "", "ana", "@example.org", "ana@", "a@b@c", "ana@exa mple.org", "ana@example.org\r\nX: y",
            "ana@example.org>",
            "<ana@example.org>", "a\"b@example.org", "ana@-example.org", "ana@example..org",
            ".ana@example.org",
            "ana.@example.org", "an,a@example.org", "ana@example.org,ben@example.org", "ana@[127.0.0.1]",
            "a\u{0}@b.c",
            String(repeating: "a", count: 65) + "@example.org",
        ])
    func badAddresses(_ text: String) {
        #expect(MailAddress(text) == nil)
    }

    @Test("addresses are read as people type them")
    func parsing() {
        #expect(
            MailAddress(parsing: " Ana Ruiz <ana@example.org> ")
                == MailAddress("ana@example.org", name: "Ana Ruiz"))
        #expect(MailAddress(parsing: "\"Ruiz, Ana\" <ana@example.org>")?.name == "Ruiz, Ana")
        #expect(MailAddress(parsing: "<ana@example.org>") == MailAddress("ana@example.org"))
        #expect(MailAddress(parsing: "ana@example.org") == MailAddress("ana@example.org"))
        #expect(MailAddress(parsing: "josé@españa.example")?.domain == "españa.example")
        #expect(MailAddress(parsing: "Ana ana@example.org") == nil)
    }

    @Test("quoted-printable keeps lines short and ends safe")
    func quotedPrintable() {
        func coded(_ text: String) -> String { String(decoding: QuotedPrintable.encode(text), as: UTF8.self) }
        #expect(coded("a=b") == "a=3Db")
        #expect(coded("end \nnext\t") == "end=20\r\nnext=09")
        #expect(coded(".dot\nFrom me\n") == "=2Edot\r\n=46rom me\r\n")
        #expect(coded("ü") == "=C3=BC")
        #expect(coded("a\rb\r\nc") == "a\r\nb\r\nc")
        let long = coded(String(repeating: "ü", count: 200) + String(repeating: "x", count: 200))
        #expect(long.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 76 })
        #expect(coded(String(repeating: "x", count: 76)) == String(repeating: "x", count: 76))
    }

    @Test("encoded words are short and never cut a character")
    func encodedWords() {
        let words = MailHeader.encodedWords(String(repeating: "ñ🙂", count: 40))
        #expect(words.allSatisfy { $0.utf8.count <= 75 && $0.hasPrefix("=?utf-8?B?") && $0.hasSuffix("?=") })
    }

    @Test("what a server offers, and what it says in several lines and pieces, is understood")
    func dialogue() {
        let dialogue = SMTPDialogue()
        func say(_ text: String) {
            Array((text + "\r\n").utf8).withUnsafeBytes { dialogue.hear(sent: true, $0) }
        }
        func answer(_ text: String) { Array(text.utf8).withUnsafeBytes { dialogue.hear(sent: false, $0) } }
        answer("220 hello\r\n")
        say("EHLO x")
        answer("250-host\r\n250-STARTTLS\r\n250 DSN\r\n")
        #expect(dialogue.offers.contains("STARTTLS") && dialogue.offers.contains("DSN"))
        say("STARTTLS")
        answer("220 go\r\n")
        // What was offered in the clear counts no more.
        say("EHLO x")
        answer("250-host\r\n250-AU")
        answer("TH PLAIN\r\n250 SIZE\r\n")
        #expect(dialogue.offers.contains("AUTH") && !dialogue.offers.contains("DSN"))
        say("AUTH PLAIN secret")
        answer("535-5.7.8 No\r\n535 5.7.8 such \u{1b}[31mpassword\r\n")
        #expect(dialogue.last?.stage == .signIn)
        #expect(dialogue.last?.reply == SMTPReply(code: 535, words: "5.7.8 No 5.7.8 such  [31mpassword"))
        #expect(dialogue.last?.reply.detailCode == "5.7.8")
    }
}

extension String {
    var replacingLineEnds: String {
        split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    }

    func components(separatedBy mark: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: mark) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
