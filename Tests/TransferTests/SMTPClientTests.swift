import Bytes
import Crypto
import Glibc
import TestSupport
import Testing
import Transfer
import Work

@Suite(.enabled(if: Peer.has("aiosmtpd"), "the Python package aiosmtpd is not installed (bin/setup --check)"))
struct SMTPClientTests {
    @discardableResult
    private func withServer<R>(
        _ mode: String, _ body: (SMTPAccount, _ folder: String) throws -> R
    ) throws -> R {
        try withScratchFolder { folder in
            let certificate = try Certificate.selfSigned(
                for: ["127.0.0.1"], from: Clock.system.now().milliseconds / 1000)
            try write(Array(certificate.certificatePEM.utf8), to: folder + "/cert.pem")
            try write(Array(certificate.keyPEM.utf8), to: folder + "/key.pem")
            let peer = try Peer("mail.py", [mode, folder, folder + "/cert.pem", folder + "/key.pem"])
            let security: SMTPAccount.Security = mode == "tls" ? .tls : mode == "starttls" ? .startTLS : .none
            var account = SMTPAccount(
                host: "127.0.0.1", port: peer.port, security: security, userName: "ana", password: "geheim-ñ")
            account.certificateAuthorities = folder + "/cert.pem"
            return try withExtendedLifetime(peer) { try body(account, folder) }
        }
    }

    private func address(_ text: String, _ name: String? = nil) throws -> MailAddress {
        try #require(MailAddress(text, name: name))
    }

    @Test("a letter with everything arrives as it was written", arguments: ["starttls", "tls", "plain"])
    func everything(_ mode: String) throws {
        try withServer(mode) { account, folder in
            let file = noise(2_000_003)
            try write(file, to: folder + "/big.pdf")
            var message = try MailMessageTests.message(
                "Grüße aus Málaga: your \"packet\" for the fourteenth of November, with all of its many pages 🙂",
                text: "Línea uno \n.\n..two dots\nFrom here\n" + String(repeating: "long ", count: 300)
                    + "\nend")
            message.html = "<p>Línea <b>uno</b></p>"
            message.from = try address("ana@example.org", "Ruiz, Ana María \"la jefa\" ñ")
            message.to = [
                try address("ben@example.com", "Ben O'Neil (sales)"), try address("cleo@example.com"),
            ]
            message.copies = [try address("dee@example.com", "Dee, Inc.")]
            message.attachments = [
                .init(
                    fileName: "Übersicht für \"alle\" – a rather long name that needs more than one line.pdf",
                    mediaType: "application/pdf", content: .file(path: folder + "/big.pdf")),
                .init(fileName: "plain.txt", mediaType: "text/plain", content: .bytes(Array("hi".utf8))),
                .init(fileName: "empty", mediaType: "?", content: .bytes([])),
            ]
            let receipt = try SMTPClient(account).send(
                message, to: message.to + message.copies + [try address("blind@example.com")])
            #expect(receipt.reply.code == 250 && receipt.refused.isEmpty)

            let told = try JSON(parsing: contents(of: folder + "/1.json"))
            #expect(told["defects"]?.array == [])
            #expect(
                told["recipients"]?.array?.compactMap(\.string) == [
                    "ben@example.com", "cleo@example.com", "dee@example.com", "blind@example.com",
                ])
            #expect(told["sender"]?.string == "ana@example.org")
            let headers = (told["headers"]?.array ?? []).map { ($0[0]?.string ?? "", $0[1]?.string ?? "") }
            #expect(headers.first { $0.0 == "Subject" }?.1 == message.subject)
            #expect(headers.first { $0.0 == "Message-ID" }?.1 == "<0190-abc@desk.example>")
            #expect(!headers.contains { $0.1.contains("blind") })
            let names = (told["names"]?.array ?? []).map { $0[0]?.string }
            #expect(names == ["Ruiz, Ana María \"la jefa\" ñ", "Ben O'Neil (sales)", "", "Dee, Inc."])
            #expect(told["plain"]?.string == message.text || told["plain"]?.string == message.text + "\n")
            #expect(told["html"]?.string?.hasPrefix("<p>Línea <b>uno</b></p>") == true)
            let files = told["attachments"]?.array ?? []
            #expect(files.map { $0[0]?.string } == message.attachments.map(\.fileName))
            #expect(
                files.map { $0[1]?.string } == ["application/pdf", "text/plain", "application/octet-stream"])
            #expect(files.first?[3]?.string == Hex.encode(SHA256.hash(file)))
            #expect(told["longest"]?.int ?? 0 <= 998 && told["bare"]?.int == 0)
        }
    }

    @Test("the server's refusals keep their code, their words and their place")
    func refusals() throws {
        try withServer("starttls") { account, _ in
            let client = SMTPClient(account)
            var message = try MailMessageTests.message()
            func error(_ recipients: [String]) throws -> SMTPError? {
                let recipients = try recipients.map { try address($0) }
                return #expect(throws: SMTPError.self) { try client.send(message, to: recipients) }
            }
            let nobody = SMTPReply(code: 550, words: "5.1.1 No such mailbox")
            #expect(
                try error(["nobody@example.com"])
                    == .permanent(nobody, .recipient(try address("nobody@example.com"))))
            let full = SMTPReply(code: 452, words: "4.2.2 Mailbox full")
            let both = try error(["nobody@example.com", "full@example.com"])
            #expect(both == .temporary(full, .recipient(try address("full@example.com"))))
            #expect(both?.isWorthRetrying == true)
            let spam = SMTPReply(code: 554, words: "5.6.0 This does not look right 5.6.0 to us")
            #expect(try error(["spam@example.com"]) == .permanent(spam, .message))
            message.from = try address("banned@example.org")
            let banned = SMTPReply(code: 550, words: "5.7.1 You are not welcome")
            let unwelcome = try error(["ben@example.com"])
            #expect(unwelcome == .permanent(banned, .sender))
        }
    }

    @Test("one bad recipient among good ones is named, and the others get their mail")
    func someRefused() throws {
        try withServer("starttls") { account, folder in
            let recipients = try ["ben@example.com", "nobody@example.com", "cleo@example.com"].map {
                try address($0)
            }
            let receipt = try SMTPClient(account).send(MailMessageTests.message(), to: recipients)
            #expect(receipt.refused.map(\.recipient.address) == ["nobody@example.com"])
            let told = try JSON(parsing: contents(of: folder + "/1.json"))
            #expect(
                told["recipients"]?.array?.compactMap(\.string) == ["ben@example.com", "cleo@example.com"])
        }
    }

    @Test("a connection lost after the last line leaves open whether the mail arrives")
    func uncertain() throws {
        try withServer("plain") { account, _ in
            let error = #expect(throws: SMTPError.self) {
                try SMTPClient(account).send(MailMessageTests.message(), to: [address("drop@example.com")])
            }
            guard case .uncertain = error else {
                Issue.record("it gave \(String(describing: error))")
                return
            }
            #expect(error?.isWorthRetrying == false)
        }
    }

    @Test("a wrong password, a stranger's certificate and missing encryption are told apart")
    func refusedConnections() throws {
        try withServer("starttls") { account, _ in
            try SMTPClient(account).check()
            var wrong = account
            wrong.password = "no"
            let refused = #expect(throws: SMTPError.self) { try SMTPClient(wrong).check() }
            guard case .signInRefused(let reply) = refused else {
                Issue.record("it gave \(String(describing: refused))")
                return
            }
            #expect(reply.code == 535)
            var stranger = account
            stranger.certificateAuthorities = nil
            let unknown = #expect(throws: SMTPError.self) { try SMTPClient(stranger).check() }
            guard case .transfer(.certificate) = unknown else {
                Issue.record("it gave \(String(describing: unknown))")
                return
            }
        }
        try withServer("plain") { account, _ in
            var wishful = account
            wishful.security = .startTLS
            #expect(throws: SMTPError.encryptionNotOffered(host: "127.0.0.1")) {
                try SMTPClient(wishful).check()
            }
        }
        try withServer("mute") { account, _ in
            #expect(throws: SMTPError.signInNotOffered(host: "127.0.0.1")) { try SMTPClient(account).check() }
        }
    }

    @Test(
        "a server that sends reports is told the letter's name and what to report; another hears nothing of it"
    )
    func reports() throws {
        try withScratchFolder { folder in
            let server = try Peer("reporter.py", [folder])
            var account = SMTPAccount(host: "127.0.0.1", port: server.port, security: .none)
            let connection = try SMTPConnection()
            let recipients = try [address("ben@example.com"), address("cleo+trip@example.com")]
            let message = try MailMessageTests.message()
            _ = try SMTPClient(account).send(message, to: recipients, over: connection)
            account.wantsEveryReport = true
            _ = try SMTPClient(account).send(message, to: recipients, over: connection)
            for (number, notify) in [(1, "FAILURE,DELAY"), (2, "SUCCESS,FAILURE,DELAY")] {
                let told = try JSON(parsing: contents(of: "\(folder)/\(number).json"))
                #expect(told["sender"] == ["RET": "HDRS", "ENVID": "0190-abc@desk.example"])
                #expect(
                    told["recipients"] == [
                        ["NOTIFY": .string(notify), "ORCPT": "rfc822;ben@example.com"],
                        ["NOTIFY": .string(notify)],
                    ])
            }
            #expect(access("\(folder)/1.report", F_OK) != 0)
            let report = try #require(DeliveryReport(contents(of: "\(folder)/2.report")))
            #expect(report.messageIDs == ["<0190-abc@desk.example>"])
            #expect(report.recipients.map(\.address) == ["ben@example.com"])
            #expect(report.recipients.first?.action == .delivered)
        }
        // One that does not offer it refuses such words.
        try withServer("plain") { account, _ in
            var account = account
            account.wantsEveryReport = true
            let receipt = try SMTPClient(account).send(
                MailMessageTests.message(), to: [address("ben@example.com")])
            #expect(receipt.reply.code == 250)
        }
    }

    @Test("letters follow each other over one connection, whatever became of the one before")
    func oneConnection() throws {
        try withServer("starttls") { account, folder in
            let connection = try SMTPConnection()
            let client = SMTPClient(account)
            for name in ["ben", "nobody", "cleo", "spam", "dee"] {
                _ = try? client.send(
                    MailMessageTests.message(), to: [address("\(name)@example.com")], over: connection)
            }
            let told = try (1...3).map { try JSON(parsing: contents(of: "\(folder)/\($0).json")) }
            #expect(
                told.map { $0["recipients"]?[0]?.string } == [
                    "ben@example.com", "cleo@example.com", "dee@example.com",
                ])
            #expect(Set(told.map { $0["connection"]?.int }).count == 1)
        }
    }

    @Test("lines that begin with dots arrive as they are, wherever the letter is cut on its way")
    func dots() throws {
        try withServer("plain") { account, folder in
            var message = try MailMessageTests.message()
            message.attachments = [
                .init(
                    fileName: "x", mediaType: "text/plain",
                    content: .bytes(Array(String(repeating: ".\r\n..\r\n", count: 30_000).utf8)))
            ]
            message.text = String(repeating: ".\n..\n.a\n", count: 30_000) + "."
            _ = try SMTPClient(account).send(message, to: message.to)
            let arrived = try contents(of: folder + "/1.eml")
            let sent = try message.bytes()
            #expect(arrived == sent || arrived == sent + [13, 10])
        }
    }

    @Test("in the clear only this machine is spoken to")
    func clearOnlyOnLoopback() {
        let account = SMTPAccount(host: "192.0.2.1", port: 25, security: .none)
        let error = #expect(throws: SMTPError.self) { try SMTPClient(account).check() }
        guard case .transfer(.forbiddenAddress) = error else {
            Issue.record("it gave \(String(describing: error))")
            return
        }
    }

    @Test(
        "a server's name cannot hold anything else",
        arguments: ["", "a b", "host/x", "host?x", "u@host", "h\r\n"])
    func hosts(_ host: String) {
        #expect(throws: SMTPError.self) {
            try SMTPClient(SMTPAccount(host: host, port: 25, security: .none)).check()
        }
    }

    @Test("an attachment that is gone stops the sending, and the server gets no half message")
    func missingFile() throws {
        try withServer("plain") { account, folder in
            var message = try MailMessageTests.message()
            message.attachments = [
                .init(fileName: "x", mediaType: "x/y", content: .file(path: folder + "/gone"))
            ]
            #expect(
                throws: SMTPError.transfer(.local(path: folder + "/gone", why: "No such file or directory"))
            ) {
                try SMTPClient(account).send(message, to: message.to)
            }
            message.attachments = []
            #expect(
                try SMTPClient(account).send(message, to: message.to).reply.words == "2.0.0 Taken as number 1"
            )
        }
    }
}
