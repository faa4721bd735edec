import Access
import Crypto
import Delivery
import Glibc
import Jobs
import SQL
import Storage
import TestSupport
import Testing
import Transfer
import Work

/// A report as Postfix writes it.
private func report(
    _ address: String, about id: String, status: String = "5.1.1", action: String = "failed"
) -> [UInt8] {
    Array(
        """
        Return-Path: <>
        From: MAILER-DAEMON@mail.example.org (Mail Delivery System)
        To: office@school.example
        Subject: Undelivered Mail Returned to Sender
        MIME-Version: 1.0
        Content-Type: multipart/report; report-type=delivery-status; boundary="b"

        --b
        Content-Type: text/plain

        Sorry.
        --b
        Content-Type: message/delivery-status

        Reporting-MTA: dns; mail.example.org

        Final-Recipient: rfc822; \(address)
        Action: \(action)
        Status: \(status)
        Diagnostic-Code: smtp; 550 \(status) No

        --b
        Content-Type: text/rfc822-headers

        Message-ID: \(id)
        --b--
        """.replacing("\n", with: "\r\n").utf8)
}

@Suite("Mail that came back")
struct BouncesTests {
    private func bounces(_ post: Post, _ account: IMAPAccount? = nil) -> Bounces {
        Bounces(post.outbox) { account }
    }

    @Test(
        "is matched with its letter, told in the ledger, and its address gets nothing more",
        arguments: Database.Kind.here)
    func matched(kind: Database.Kind) throws {
        try Post.with(kind) { post in
            try post.mailing(["gone@example.org", "b@example.org"])
            post.work()
            let letter = try post.message(to: "gone@example.org")
            let reading = try bounces(post).take(
                report("Gone@example.org", about: letter.messageID), by: .local)
            #expect(reading.bounced == 1 && reading.suppressed == 1)
            #expect(try post.message(to: "gone@example.org").state == .bounced)
            #expect(try post.ledger.item("packet/gone@example.org", by: .local)?.state == .bounced)
            #expect(try post.outbox.suppressions.list(by: .local).map(\.address) == ["gone@example.org"])
            // The same report once more changes nothing.
            let again = try bounces(post).take(
                report("gone@example.org", about: letter.messageID), by: .local)
            #expect(again.bounced == 0 && again.suppressed == 0)
            #expect(try post.ledger.verify() == [])
        }
    }

    @Test("of a full mailbox does not end writing to it; and by a person's decision it goes out again")
    func full() throws {
        try Post.with { post in
            try post.mailing(["full@example.org"])
            post.work()
            let letter = try post.message(to: "full@example.org")
            _ = try bounces(post).take(
                report("full@example.org", about: letter.messageID, status: "5.2.2"), by: .local)
            #expect(try post.outbox.suppressions.list(by: .local).isEmpty)
            try post.outbox.retry(letter.id, by: .local)
            post.work()
            #expect(try post.message(to: "full@example.org").state == .accepted)
            #expect(try post.ledger.item("packet/full@example.org", by: .local)?.state == .accepted)
        }
    }

    @Test("counts only for what was sent from here, and for whom")
    func foreign() throws {
        try Post.with { post in
            try post.mailing(["a@example.org"])
            post.work()
            let letter = try post.message(to: "a@example.org")
            let other = try bounces(post).take(
                report("a@example.org", about: "<x@elsewhere.example>"), by: .local)
            #expect(other.foreign == 1 && other.bounced == 0)
            // Somebody who knows the name of a letter cannot silence another's address.
            let evil = try bounces(post).take(
                report("victim@example.org", about: letter.messageID), by: .local)
            #expect(evil.bounced == 0 && evil.suppressed == 0)
            #expect(try post.message(to: "a@example.org").state == .accepted)
        }
    }

    @Test(
        "is read from a real mailbox, each report once, and nothing else is touched",
        .enabled(
            if: Child.find("dovecot") != nil || access("/usr/sbin/dovecot", X_OK) == 0,
            "Dovecot is not installed (bin/setup --check)"))
    func mailbox() throws {
        try withScratchFolder { folder in
            let server = try Peer("imap.py", [folder])
            func put(_ bytes: [UInt8], _ name: String) throws {
                let path = "\(folder)/mail/tmp/\(name)"
                try write(bytes, to: path)
                chmod(path, 0o666)
                rename(path, "\(folder)/mail/new/\(name)")
            }
            try Post.with { post in
                try post.mailing((1...4).map { "p\($0)@example.org" })
                post.work()
                let ids = try (1...4).map { try post.message(to: "p\($0)@example.org").messageID }
                try put(report("p1@example.org", about: ids[0]), "1700000001.a")
                try put(
                    Array("From: Ana <ana@example.org>\r\nSubject: Hello\r\n\r\nHi\r\n".utf8), "1700000002.b")
                try put(report("p2@example.org", about: ids[1]), "1700000003.c")
                let account = IMAPAccount(
                    host: "127.0.0.1", port: server.port, security: .none, userName: "ana",
                    password: "geheim")
                let first = try bounces(post, account).read()
                #expect(first.messages == 2 && first.bounced == 2)
                try put(report("p3@example.org", about: ids[2]), "1700000004.d")
                let second = try bounces(post, account).read()
                #expect(second.messages == 1 && second.bounced == 1)
                #expect(try bounces(post, account).read() == Bounces.Reading())
                #expect(
                    try post.ledger.tally(of: "batch/1", by: .local).states == [.bounced: 3, .accepted: 1])
                // The person's own mail is still unread.
                let left = try python(
                    """
                    import imaplib, sys
                    box = imaplib.IMAP4("127.0.0.1", int(sys.argv[1]))
                    box.login("ana", "geheim")
                    box.select("INBOX", readonly=True)
                    print(len(box.search(None, "UNSEEN")[1][0].split()), len(box.search(None, "ALL")[1][0].split()))
                    """, ["\(server.port)"])
                #expect(left == "1 4\n")
                let wrong = IMAPAccount(
                    host: "127.0.0.1", port: server.port, security: .none, userName: "ana", password: "no")
                #expect(throws: Failure.self) { try bounces(post, wrong).read() }
            }
        }
    }

    @Test(
        "is read over an encrypted connection from a server one trusts, and a stranger's certificate is refused in words",
        .enabled(
            if: Child.find("dovecot") != nil || access("/usr/sbin/dovecot", X_OK) == 0,
            "Dovecot is not installed (bin/setup --check)"), arguments: [IMAPAccount.Security.tls, .startTLS])
    func encrypted(security: IMAPAccount.Security) throws {
        try withScratchFolder { folder in
            let certificate = try Certificate.selfSigned(
                for: ["127.0.0.1"], from: Clock.system.now().milliseconds / 1000)
            try write(Array(certificate.certificatePEM.utf8), to: folder + "/cert.pem")
            try write(Array(certificate.keyPEM.utf8), to: folder + "/key.pem")
            let server = try Peer(
                "imap.py", [folder, security.rawValue, folder + "/cert.pem", folder + "/key.pem"])
            try Post.with { post in
                try post.mailing(["gone@example.org"])
                post.work()
                let id = try post.message(to: "gone@example.org").messageID
                let path = "\(folder)/mail/tmp/1700000001.a"
                try write(report("gone@example.org", about: id), to: path)
                chmod(path, 0o666)
                rename(path, "\(folder)/mail/new/1700000001.a")
                var account = IMAPAccount(
                    host: "127.0.0.1", port: server.port, security: security, userName: "ana",
                    password: "geheim")
                let refusal = #expect(throws: Failure.self) { try bounces(post, account).read() }
                #expect(refusal?.message.contains("certificate") == true, "\(refusal?.message ?? "")")
                #expect(try post.message(to: "gone@example.org").state == .accepted)
                account.certificateAuthorities = folder + "/cert.pem"
                #expect(try bounces(post, account).read().bounced == 1)
                // Where encryption is asked for and not there, nobody falls back to speaking in the clear.
                account.security = security == .tls ? .startTLS : .tls
                account.connectTimeout = .seconds(3)
                account.idleTimeout = .seconds(3)
                #expect(throws: Failure.self) { try bounces(post, account).read() }
            }
        }
    }

    @Test("tells of letters of an uncertain fate that the server had them, whatever it says about them")
    func confirmed() throws {
        try Post.with { post in
            let names = ["late", "there", "lost", "gone"]
            for name in names {
                post.carrier.fail("\(name)@example.org", .uncertain(host: "mail.test", why: "it hung up"))
            }
            let mailing = try post.mailing(names.map { "\($0)@example.org" })
            post.work()
            #expect(try post.states(of: mailing) == [.uncertain: 4])
            for (name, action) in [("late", "delayed"), ("there", "delivered"), ("gone", "failed")] {
                let id = try post.message(to: "\(name)@example.org").messageID
                _ = try bounces(post).take(
                    report("\(name)@example.org", about: id, status: "5.2.2", action: action), by: .local)
                // Somebody else's address in a report about a letter says nothing of it.
                let lost = try post.message(to: "lost@example.org").messageID
                _ = try bounces(post).take(
                    report("\(name)@example.org", about: lost, action: action), by: .local)
            }
            #expect(try post.states(of: mailing) == [.accepted: 2, .bounced: 1, .uncertain: 1])
            #expect(try post.message(to: "late@example.org").reason == nil)
            #expect(try post.ledger.tally(of: "batch/1", by: .local).sent == 2)
            #expect(try post.ledger.verify() == [])
        }
    }

    @Test(
        "and copies of what was sent tell of letters of an uncertain fate that the server had them",
        .enabled(
            if: Child.find("dovecot") != nil || access("/usr/sbin/dovecot", X_OK) == 0,
            "Dovecot is not installed (bin/setup --check)"))
    func sentCopies() throws {
        try withScratchFolder { folder in
            let server = try Peer("imap.py", [folder])
            try Post.with { post in
                for number in 1...3 {
                    post.carrier.fail(
                        "p\(number)@example.org", .uncertain(host: "mail.test", why: "it hung up"))
                }
                let mailing = try post.mailing((1...4).map { "p\($0)@example.org" })
                post.work()
                let ids = try (1...4).map { try post.message(to: "p\($0)@example.org").messageID }
                // One copy where the server keeps them, one in the office's own mailbox.
                _ = try python(
                    """
                    import imaplib, sys
                    box = imaplib.IMAP4("127.0.0.1", int(sys.argv[1]))
                    box.login("ana", "geheim")
                    for folder, name in (("Gesendet", sys.argv[2]), ("INBOX", sys.argv[3])):
                        box.append(folder, None, None, f"Message-ID: {name}\\r\\nSubject: x\\r\\n\\r\\nx\\r\\n".encode())
                    """, ["\(server.port)", ids[0], ids[1]])
                let account = IMAPAccount(
                    host: "127.0.0.1", port: server.port, security: .none, userName: "ana",
                    password: "geheim")
                #expect(try bounces(post, account).read().arrived == 2)
                #expect(try post.states(of: mailing) == [.accepted: 3, .uncertain: 1])
                #expect(try post.message(to: "p3@example.org").state == .uncertain)
                #expect(try bounces(post, account).read() == Bounces.Reading())
                #expect(try post.ledger.verify() == [])
            }
        }
    }

    @Test("is not read where nobody has said so")
    func nobody() throws {
        try Post.with { post in
            let reading = try bounces(post).read()
            #expect(reading == Bounces.Reading())
        }
    }
}
