import App
import Bytes
import Jobs
import Storage
import Work

/// Sees to it that mail goes out: by the work of this process for a desk here, by waiting for one elsewhere.
struct MailWork {
    let call: Invocation
    let desk: DeskSession

    init(_ call: Invocation, _ desk: DeskSession) {
        self.call = call
        self.desk = desk
    }

    /// So long a command stays for a letter whose time has not come.
    private static let patience = Duration.seconds(120)

    /// Until all is sent, or stands still, or the rest has to wait for long.
    func finish(_ ask: () throws -> JSON) throws -> JSON {
        try call.withProgress("Sending") { progress in
            let pause = Pause(call.cancellation)
            while true {
                desk.local?.runner.runUntilIdle()
                let now = try ask()
                let total = now["total"]?.int ?? 0
                let counts = now["counts"]
                let waiting = ["waiting", "sending", "ending"].reduce(0) { $0 + (counts?[$1]?.int ?? 0) }
                progress.set(done: Int64(total - waiting), total: Int64(total))
                let isStill = now["isFinished"]?.bool == true || now["state"]?.string != "running"
                if isStill || call.cancellation.isCancelled { return now }
                if let next = now["nextAt"]?.string.flatMap(Moment.init(iso8601:)),
                    next - Clock.system.now() > Self.patience
                {
                    return now
                }
                _ = pause.wait(.milliseconds(desk.isRemote ? 1_000 : 200))
            }
        }
    }

    /// One letter, after it was tried.
    func letter(_ id: String) throws -> JSON {
        let pause = Pause(call.cancellation)
        for _ in 0..<60 {
            desk.local?.runner.runUntilIdle()
            let letter = try desk.client.get("/outbox/\(id)")
            let isMoving = ["waiting", "sending", "ending"].contains(letter["state"]?.string ?? "")
            if !isMoving || letter["reason"]?.string != nil || call.cancellation.isCancelled { return letter }
            _ = pause.wait(.milliseconds(desk.isRemote ? 1_000 : 100))
        }
        return try desk.client.get("/outbox/\(id)")
    }

    /// Scripts see by the exit status that not all went well.
    static func tellTrouble(_ sending: JSON) throws {
        if sending["trouble"]?.string != nil { throw ExitCode.unavailable }
        if (sending["failed"]?.int ?? 0) + (sending["uncertain"]?.int ?? 0) > 0 { throw ExitCode.invalid }
    }
}

/// Mail in words.
enum MailWords {
    static func letter(_ letter: JSON, extra: [String] = []) -> String {
        var text = ""
        func line(_ name: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            text += "\(name): \(TextTable.harmless(value))\n"
        }
        func list(_ key: String) -> String {
            (letter[key]?.array ?? []).compactMap(\.string).joined(separator: ", ")
        }
        line("From", letter["from"]?.string)
        line("Reply-To", letter["replyTo"]?.string)
        line("To", list("to"))
        line("Cc", list("cc"))
        line("Bcc", list("bcc"))
        line("Subject", letter["subject"]?.string)
        text += "\n"
        for row in (letter["text"]?.string ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
            text += "  \(TextTable.harmless(String(row)))\n"
        }
        let files = (letter["attachments"]?.array ?? []).map {
            "\($0["name"]?.string ?? "")\($0["byteCount"]?.integer.map { " (\(Words.size($0)))" } ?? "")"
        }
        let all = files + extra
        if !all.isEmpty { text += "\nAttached: \(TextTable.harmless(all.joined(separator: ", ")))\n" }
        return text
    }

    /// Of a batch, counting those who got nothing as well.
    static func outcome(_ sending: JSON, of tally: JSON) -> String {
        var sending = sending
        sending["sent"] = tally["sent"]
        sending["total"] = tally["total"]
        return outcome(sending)
    }

    static func check(_ check: JSON) -> String {
        let ready = check["ready"]?.int ?? 0
        var text = "\(Words.count(ready, "letter is", "letters are")) ready"
        let leftOut = check["leftOut"]?.int ?? 0
        text += leftOut > 0 ? ", \(leftOut) left out.\n" : ".\n"
        return text + Self.leftOut(check)
    }

    static func leftOut(_ check: JSON) -> String {
        var text = ""
        for group in check["groups"]?.array ?? [] {
            let sign = group["stops"]?.bool == true ? "!" : "-"
            let first = group["examples"]?[0]
            let name = first?["name"]?.string ?? ""
            var words = [name, first?["message"]?.string ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
            if let token = group["token"]?.string { words = Self.token(token, group) }
            text += "  \(sign) \(group["count"]?.int ?? 0) × \(TextTable.harmless(words))\n"
        }
        return text
    }

    /// A name of the letter, and who has nothing there.
    private static func token(_ token: String, _ group: JSON) -> String {
        guard group["kind"]?.string == "emptyToken" else {
            return "Nobody knows \(token); it stays as it is."
        }
        let names = (group["examples"]?.array ?? []).prefix(5).compactMap { $0["name"]?.string }
        let more = (group["count"]?.int ?? 0) - names.count
        return "Nothing is there for \(token): \(names.joined(separator: ", "))"
            + (more > 0 ? " and \(more) more" : "")
    }

    static func reason(_ check: JSON) -> String {
        check["reason"]?.string ?? "There is nobody to send to."
    }

    static func outcome(_ sending: JSON) -> String {
        func count(_ key: String) -> Int { sending[key]?.int ?? 0 }
        var text = "Sent \(count("sent")) of \(count("total"))."
        if count("failed") > 0 { text += " \(count("failed")) failed: quire outbox list --show failed" }
        if count("uncertain") > 0 {
            text += " Of \(count("uncertain")) nobody knows: quire outbox list --show uncertain"
        }
        text += "\n"
        if let trouble = sending["trouble"]?.string {
            text += "It stands still: \(TextTable.harmless(trouble))\n"
        } else if sending["isFinished"]?.bool != true {
            let next = sending["nextAt"]?.string.map { " from \(Words.time($0)) on" } ?? ""
            text += "The rest goes out\(next) while quire serve runs, or when this is called again.\n"
        }
        return text
    }

    static func line(_ letter: JSON) -> String {
        let to = (letter["to"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
        let reason = letter["reason"]?.string.map { ": \($0)" } ?? ""
        return TextTable.harmless("\(to): \(letter["state"]?.string ?? "")\(reason)")
    }
}
