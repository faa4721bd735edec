import Testing
import Transfer
import Work

/// Reports as real servers write them, with addresses of nobody.
enum Reports {
    /// As Postfix writes them.
    static func postfix(
        _ recipient: String, about id: String, status: String = "5.1.1", action: String = "failed",
        words: String = "smtp; 550 5.1.1 <ana@example.org>: User unknown"
    ) -> [UInt8] {
        crlf(
            """
            Return-Path: <>
            From: MAILER-DAEMON@mail.example.org (Mail Delivery System)
            Subject: Undelivered Mail Returned to Sender
            To: office@school.example
            Auto-Submitted: auto-replied
            MIME-Version: 1.0
            Content-Type: multipart/report; report-type=delivery-status;
            \tboundary="9B0A11E0064.1479/mail.example.org"

            This is a MIME-encapsulated message.

            --9B0A11E0064.1479/mail.example.org
            Content-Description: Notification
            Content-Type: text/plain; charset=us-ascii

            I'm sorry to have to inform you that your message could not
            be delivered to one or more recipients.

            --9B0A11E0064.1479/mail.example.org
            Content-Description: Delivery report
            Content-Type: message/delivery-status

            Reporting-MTA: dns; mail.example.org
            X-Postfix-Queue-ID: 9B0A11E0064

            Final-Recipient: rfc822; \(recipient)
            Original-Recipient: rfc822;\(recipient)
            Action: \(action)
            Status: \(status)
            Remote-MTA: dns; mx.example.org
            Diagnostic-Code: \(words)

            --9B0A11E0064.1479/mail.example.org
            Content-Description: Undelivered Message
            Content-Type: message/rfc822

            From: The Office <office@school.example>
            To: \(recipient)
            Message-ID: \(id)
            Subject: Your form

            Dear Ana

            --9B0A11E0064.1479/mail.example.org--
            """)
    }

    /// As Exim writes them: no report part, the addresses in the head.
    static func exim(_ recipient: String, about id: String) -> [UInt8] {
        crlf(
            """
            Return-path: <>
            X-Failed-Recipients: \(recipient)
            From: Mail Delivery System <Mailer-Daemon@mail.example.org>
            To: office@school.example
            Subject: Mail delivery failed: returning message to sender

            This message was created automatically by mail delivery software.

              \(recipient)
                host mx.example.org [192.0.2.1]
                SMTP error from remote mail server after RCPT TO:<\(recipient)>:
                550 5.1.1 User unknown

            ------ This is a copy of the message, including all the headers. ------

            Message-ID: \(id)
            Subject: Your form
            """)
    }

    /// As qmail writes them.
    static func qmail(_ recipient: String, about id: String) -> [UInt8] {
        crlf(
            """
            Return-Path: <>
            From: MAILER-DAEMON@mail.example.org
            To: office@school.example
            Subject: failure notice

            Hi. This is the qmail-send program at mail.example.org.
            I'm afraid I wasn't able to deliver your message to the following addresses.

            <\(recipient)>:
            Sorry, no mailbox here by that name. (#5.1.1)

            --- Below this line is a copy of the message.

            Message-ID: \(id)
            <other@example.org>:
            """)
    }

    private static func crlf(_ text: String) -> [UInt8] { Array(text.replacing("\n", with: "\r\n").utf8) }
}

@Suite("A report about mail that came back")
struct DeliveryReportTests {
    private let id = "<018f-a@school.example>"

    @Test("says which message, to whom, and why, as servers of today write it")
    func today() throws {
        let report = try #require(DeliveryReport(Reports.postfix("ana@example.org", about: id)))
        #expect(report.messageIDs == [id])
        #expect(report.recipients.map(\.address) == ["ana@example.org"])
        #expect(report.recipients[0].status == "5.1.1" && report.recipients[0].action == .failed)
        #expect(report.recipients[0].words.contains("User unknown"))
        #expect(report.recipients[0].isGoneForGood)
    }

    @Test("is understood from older servers, too")
    func older() throws {
        for bytes in [
            Reports.exim("ana@example.org", about: id), Reports.qmail("ana@example.org", about: id),
        ] {
            let report = try #require(DeliveryReport(bytes))
            #expect(report.messageIDs == [id])
            #expect(report.recipients.map(\.address) == ["ana@example.org"])
        }
        #expect(
            DeliveryReport(Reports.qmail("ana@example.org", about: id))?.recipients[0].isGoneForGood == true)
    }

    @Test("without a word of the message itself names it as it was named on its way")
    func envelope() throws {
        for name in ["018f-a@school.example", "018f+2Da@school.example"] {
            let text =
                "From: MAILER-DAEMON@mail.example.org\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
                + "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mail\r\nOriginal-Envelope-Id: \(name)\r\n\r\n"
                + "Final-Recipient: rfc822; ana@example.org\r\nAction: relayed\r\nStatus: 2.0.0\r\n\r\n--b--\r\n"
            let report = try #require(DeliveryReport(Array(text.utf8)))
            #expect(report.messageIDs.first == id)
            #expect(report.recipients.map(\.action) == [.relayed])
        }
        let foreign = String(decoding: Reports.postfix("ana@example.org", about: id), as: UTF8.self)
            .replacing("X-Postfix-Queue-ID: 9B0A11E0064", with: "Original-Envelope-Id: <a b@c>")
        #expect(DeliveryReport(Array(foreign.utf8))?.messageIDs == [id])
    }

    @Test("tells a mailbox that is gone from one that is full or slow")
    func kinds() throws {
        let full = DeliveryReport(Reports.postfix("ana@example.org", about: id, status: "5.2.2"))
        #expect(full?.recipients[0].isGoneForGood == false && full?.recipients[0].action == .failed)
        let slow = DeliveryReport(
            Reports.postfix("ana@example.org", about: id, status: "4.4.1", action: "delayed"))
        #expect(slow?.recipients[0].action == .delayed)
    }

    @Test("is no letter of a person, however it looks")
    func letters() {
        let letter =
            "From: Eve <eve@example.org>\r\nX-Failed-Recipients: ana@example.org\r\n\r\nMessage-ID: \(id)\r\n"
        #expect(DeliveryReport(Array(letter.utf8)) == nil)
        #expect(DeliveryReport([]) == nil)
        #expect(DeliveryReport(Array(repeating: 0x0A, count: 1 << 20)) == nil)
    }

    @Test("ends, whatever is in it")
    func spoiled() {
        let chance = Chance.seeded(5)
        for seed in [
            Reports.postfix("ana@example.org", about: id), Reports.exim("a@b.example", about: id),
            Reports.qmail("a@b.example", about: id),
        ] {
            for _ in 0..<1500 {
                var bytes = seed
                for _ in 0...chance.integer(below: 6) {
                    let at = chance.integer(below: bytes.count)
                    switch chance.integer(below: 5) {
                    case 0: bytes[at] = chance.bytes(1)[0]
                    case 1: bytes.remove(at: at)
                    case 2: bytes.insert(contentsOf: bytes[at..<min(at + 40, bytes.count)], at: at)
                    case 3: bytes.removeSubrange(at..<min(at + 60, bytes.count))
                    default: bytes.insert(contentsOf: [0x0D, 0x0A], at: at)
                    }
                    if bytes.isEmpty { bytes = [0] }
                }
                _ = DeliveryReport(bytes)
            }
        }
        // Parts within parts within parts.
        var nested = Reports.postfix("ana@example.org", about: id)
        for number in 0..<40 {
            let head = "Content-Type: multipart/mixed; boundary=\"b\(number)\"\r\n\r\n--b\(number)\r\n"
            nested = Array(head.utf8) + nested + Array("\r\n--b\(number)--\r\n".utf8)
        }
        #expect(DeliveryReport(nested) == nil)
        let field =
            "Content-Type: multipart/report; boundary=\(String(repeating: "x", count: 1 << 16))\r\n\r\n"
        #expect(DeliveryReport(Array(field.utf8)) == nil)
    }
}
