import Access
import App
import Bytes
import Glibc
import Jobs
import Storage
import Synchronization
import TestSupport
import Testing
import Work

@Suite("The test mail")
struct TestMailTests {
    @Test("a real mail goes to a real server, and the report tells its answer")
    func sent() throws {
        let server = try PostOffice(answers: true)
        try withQuire { quire in
            try quire.settings.change(settings(server.port), by: .local)
            let id = try quire.maintenance.testMailLater(by: .local)
            quire.runner.runUntilIdle()
            let job = try #require(try quire.queue.get(id))
            #expect(job.state == .done, "\(job.reason ?? "")")
            let report = try #require(try quire.reports.latest(.mailTest))
            #expect(report.isGood)
            #expect(report.sentence == "127.0.0.1 accepted a mail to ada@example.org.")
        }
        let mail = server.finish()
        #expect(mail.contains("RCPT TO:<ada@example.org>"))
        #expect(mail.contains("Subject: Quire can send mail"))
        #expect(mail.contains("Auto-Submitted:"))
    }

    @Test("a refusal is told in the server's own words, and is not tried again")
    func refused() throws {
        let server = try PostOffice(answers: false)
        try withQuire { quire in
            try quire.settings.change(settings(server.port), by: .local)
            let id = try quire.maintenance.testMailLater(by: .local)
            quire.runner.runUntilIdle()
            let job = try #require(try quire.queue.get(id))
            #expect(job.state == .failed)
            let report = try #require(try quire.reports.latest(.mailTest))
            #expect(!report.isGood)
            #expect(report.sentence.contains("mailbox full of paper"))
        }
        _ = server.finish()
    }

    private func settings(_ port: Int) -> MailSettings {
        MailSettings(
            host: "127.0.0.1", port: port, security: .none, senderName: "Ada",
            senderAddress: "ada@example.org")
    }
}

/// A mail server for one conversation.
private final class PostOffice: Sendable {
    let port: Int
    private let socket: Int32
    private let heard = Mutex("")
    private let thread = Mutex<Thread?>(nil)

    init(answers: Bool) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.socket = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        try #require(isBound)
        listen(socket, 4)
        port = Int(UInt16(bigEndian: address.sin_port))
        thread.withLock { $0 = Thread(name: "post office") { [self] in converse(answers: answers) } }
    }

    /// What the client said, once it has hung up.
    func finish() -> String {
        thread.withLock { $0 }?.join()
        close(socket)
        return heard.withLock { $0 }
    }

    private func converse(answers: Bool) {
        let client = accept(socket, nil, nil)
        defer { close(client) }
        guard let stream = fdopen(dup(client), "r") else { return }
        defer { fclose(stream) }
        say("220 post office", to: client)
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        var isLetter = false
        defer { free(line) }
        while getline(&line, &room, stream) > 0, let text = line.map({ String(cString: $0) }) {
            heard.withLock { $0 += text }
            if isLetter {
                guard text == ".\r\n" else { continue }
                isLetter = false
                say("250 taken", to: client)
            } else if text.hasPrefix("DATA") {
                isLetter = true
                say("354 go on", to: client)
            } else if text.hasPrefix("RCPT"), !answers {
                say("552 mailbox full of paper", to: client)
            } else if text.hasPrefix("QUIT") {
                say("221 bye", to: client)
            } else {
                say("250 fine", to: client)
            }
        }
    }

    private func say(_ text: String, to client: Int32) {
        let bytes = Array((text + "\r\n").utf8)
        _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
