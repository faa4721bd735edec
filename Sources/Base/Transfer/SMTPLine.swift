import CCurl
import Work

/// A connection to a mail server, signed in, over which letters follow each other.
///
/// curl connects, encrypts and signs in; what is said afterwards is said here, because curl cannot ask for reports by the
/// name of a letter (RFC 3461).
final class SMTPLine {
    let account: SMTPAccount
    private let handle: CurlHandle
    private let offers: Set<String>
    /// Came and is not understood yet.
    private var rest: [UInt8] = []
    /// Nothing more can be said over it.
    private(set) var isBroken = false

    init(_ account: SMTPAccount, _ handle: CurlHandle, offers: Set<String>) {
        self.account = account
        self.handle = handle
        self.offers = offers
    }

    deinit {
        if !isBroken { Array("QUIT\r\n".utf8).withUnsafeBytes { _ = try? handle.say($0) } }
        handle.hangUp()
    }

    /// False when the server has hung up since, or says what nobody asked.
    func isStillOpen() -> Bool {
        guard !isBroken, rest.isEmpty else { return false }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { room.deallocate() }
        do throws(CurlTrouble) { return try handle.hear(room) == nil } catch { return false }
    }

    func hangUp() {
        isBroken = true
        handle.hangUp()
    }

    /// What is needed to hand over one letter.
    struct Errand {
        var sender: MailAddress
        var recipients: [MailAddress]
        /// By which reports about it speak of it.
        var name: String
        var upload: UploadReader
        var progress: Progress?
    }

    func carry(_ errand: Errand) throws(SMTPError) -> SMTPReceipt {
        let isInternational =
            offers.contains("SMTPUTF8") && ([errand.sender] + errand.recipients).contains { !$0.isPlain }
        let begun = try ask(
            "MAIL FROM:<\(errand.sender.wireAddress)>" + (isInternational ? " SMTPUTF8" : "")
                + (offers.contains("DSN") ? Self.naming(errand.name) : ""), errand)
        guard begun.isPositive else { throw refusal(begun, .sender) }
        let refused = try address(errand)
        let go = try ask("DATA", errand)
        guard go.code == 354 else {
            if !go.isRefusal { throw outOfTurn() }
            if !isBroken { _ = try? ask("RSET", errand) }
            throw refusal(go, .message)
        }
        try hand(errand)
        let verdict = try verdict(errand)
        guard verdict.isPositive else { throw refusal(verdict, .message) }
        return SMTPReceipt(reply: verdict, refused: refused)
    }

    /// Says to whom it goes; gives those the server does not want, as long as there are others.
    private func address(_ errand: Errand) throws(SMTPError) -> [SMTPReceipt.Refusal] {
        var refused: [SMTPReceipt.Refusal] = []
        for recipient in errand.recipients {
            let reply = try ask(
                "RCPT TO:<\(recipient.wireAddress)>"
                    + (offers.contains("DSN") ? Self.reporting(recipient, account.wantsEveryReport) : ""),
                errand)
            guard !reply.isFarewell else { throw refusal(reply, .recipient(recipient)) }
            if !reply.isPositive { refused.append(.init(recipient: recipient, reply: reply)) }
        }
        guard refused.count == errand.recipients.count else { return refused }
        // If some recipients may work later, so may the message.
        guard let first = refused.first(where: { $0.reply.isTemporary }) ?? refused.first else {
            throw outOfTurn()
        }
        _ = try? ask("RSET", errand)
        throw refusal(first.reply, .recipient(first.recipient))
    }

    // MARK: The letter itself

    /// All of it, each line that begins with a dot with another before it, and then the line that ends it (RFC 5321
    /// §4.5.2). Until that one no server can have taken it over.
    private func hand(_ errand: Errand) throws(SMTPError) {
        let upload = errand.upload
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { room.deallocate() }
        var last: (UInt8, UInt8) = (13, 10)
        var output: [UInt8] = []
        while true {
            guard let count = upload.read(into: room) else {
                // A farewell would be taken for a line of the letter.
                hangUp()
                throw .transfer(upload.failure ?? .cancelled)
            }
            guard count > 0 else { break }
            output.removeAll(keepingCapacity: true)
            for byte in room[..<count] {
                if byte == UInt8(ascii: "."), last == (13, 10) { output.append(byte) }
                output.append(byte)
                last = (last.1, byte)
            }
            try say(output, errand.progress)
            errand.progress?.set(done: upload.sent, total: upload.byteCount)
        }
        let end = last == (13, 10) ? ".\r\n" : "\r\n.\r\n"
        do throws(SMTPError) {
            try say(Array(end.utf8), errand.progress)
        } catch {
            throw uncertain(error)
        }
    }

    /// From the last line on nobody can know but by the server's word.
    private func verdict(_ errand: Errand) throws(SMTPError) -> SMTPReply {
        do throws(SMTPError) {
            let reply = try heard(errand.progress)
            guard reply.isPositive || reply.isRefusal else { throw outOfTurn() }
            return reply
        } catch {
            throw uncertain(error)
        }
    }

    private func uncertain(_ error: SMTPError) -> SMTPError {
        hangUp()
        switch error {
        case .transfer(.broken(_, let why)): return .uncertain(host: account.host, why: why)
        case .transfer(.timedOut): return .uncertain(host: account.host, why: "it said nothing for too long")
        case .transfer(.cancelled): return .uncertain(host: account.host, why: "the work was stopped")
        default: return .uncertain(host: account.host, why: error.description)
        }
    }

    // MARK: Asking and hearing

    private func ask(_ line: String, _ errand: Errand) throws(SMTPError) -> SMTPReply {
        // Whoever answers before being asked is believed nothing.
        guard rest.isEmpty else { throw outOfTurn() }
        try say(Array((line + "\r\n").utf8), errand.progress)
        let reply = try heard(errand.progress)
        if reply.isFarewell { hangUp() }
        return reply
    }

    private func outOfTurn() -> SMTPError {
        hangUp()
        return .transfer(.broken(host: account.host, why: "its answers do not belong to what it was asked"))
    }

    private func refusal(_ reply: SMTPReply, _ stage: SMTPStage) -> SMTPError {
        guard reply.isRefusal else { return outOfTurn() }
        if reply.isFarewell { hangUp() }
        return reply.isTemporary ? .temporary(reply, stage) : .permanent(reply, stage)
    }

    private func say(_ bytes: [UInt8], _ progress: Progress?) throws(SMTPError) {
        var done = 0
        var silence = 0
        while done < bytes.count {
            let outcome = bytes.withUnsafeBytes { all -> Result<Int?, CurlTrouble> in
                do throws(CurlTrouble) {
                    return .success(try handle.say(UnsafeRawBufferPointer(rebasing: all[done...])))
                } catch {
                    return .failure(error)
                }
            }
            let count: Int?
            switch outcome {
            case .success(let said): count = said
            case .failure(let trouble): throw try farewell(trouble, progress)
            }
            if let count {
                done += count
                silence = 0
            } else {
                try wait(&silence, toSay: true, progress)
            }
        }
    }

    /// A server that hangs up in the middle has mostly said why.
    private func farewell(_ trouble: CurlTrouble, _ progress: Progress?) throws(SMTPError) -> SMTPError {
        if let reply = try? heard(progress), reply.isRefusal {
            hangUp()
            return reply.isTemporary ? .temporary(reply, .message) : .permanent(reply, .message)
        }
        hangUp()
        return .transfer(handle.error(for: trouble.code, host: account.host))
    }

    private func heard(_ progress: Progress?) throws(SMTPError) -> SMTPReply {
        var lines = SMTPReply.Lines()
        var silence = 0
        while true {
            while let end = rest.firstIndex(of: 10) {
                let line = String(decoding: rest[..<end], as: UTF8.self).trimmingLineEnd
                rest.removeSubrange(...end)
                if let reply = lines.take(line) { return reply }
            }
            guard rest.count <= 8192 else { throw outOfTurn() }
            try listen(&silence, progress)
        }
    }

    private func listen(_ silence: inout Int, _ progress: Progress?) throws(SMTPError) {
        let known = rest.count
        var trouble: CurlTrouble?
        var count: Int? = 0
        rest.append(contentsOf: repeatElement(0, count: 4096))
        rest.withUnsafeMutableBytes { all in
            do throws(CurlTrouble) {
                count = try handle.hear(UnsafeMutableRawBufferPointer(rebasing: all[known...]))
            } catch {
                trouble = error
            }
        }
        rest.removeSubrange((known + (count ?? 0))...)
        if let trouble {
            hangUp()
            throw .transfer(handle.error(for: trouble.code, host: account.host))
        }
        switch count {
        case nil: try wait(&silence, toSay: false, progress)
        case 0:
            hangUp()
            throw .transfer(.broken(host: account.host, why: "the connection broke while it answered"))
        default: silence = 0
        }
    }

    private func wait(_ silence: inout Int, toSay: Bool, _ progress: Progress?) throws(SMTPError) {
        if progress?.cancellation.isCancelled ?? false {
            hangUp()
            throw .transfer(.cancelled)
        }
        if handle.waitAWhile(toSay: toSay) { return }
        silence += 1
        if silence * 100 >= account.idleTimeout.timerMilliseconds {
            hangUp()
            throw .transfer(.timedOut(host: account.host))
        }
    }

    // MARK: Reports

    /// Reports are to bring no papers back, and to name the letter.
    private static func naming(_ name: String) -> String {
        let bare = name.hasPrefix("<") && name.hasSuffix(">") ? String(name.dropFirst().dropLast()) : name
        let text = xtext(bare)
        return " RET=HDRS" + (text.utf8.count <= 100 ? " ENVID=\(text)" : "")
    }

    private static func reporting(_ recipient: MailAddress, _ all: Bool) -> String {
        let notify = " NOTIFY=" + (all ? "SUCCESS,FAILURE,DELAY" : "FAILURE,DELAY")
        // Some servers repeat it as it is spelled here: only where the two spellings are one.
        let isSame = recipient.isPlain && xtext(recipient.address) == recipient.address
        return isSame ? notify + " ORCPT=rfc822;" + recipient.address : notify
    }

    /// RFC 3461 §4.
    private static func xtext(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if (33...126).contains(byte), byte != UInt8(ascii: "+"), byte != UInt8(ascii: "=") {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "+" + (digits.utf8.count < 2 ? "0" : "") + digits
            }
        }
        return result
    }
}

extension SMTPReply {
    var isPositive: Bool { (200...299).contains(code) }
    var isRefusal: Bool { isTemporary || isPermanent }
}

extension MailAddress {
    /// Nothing in it is beyond ASCII.
    var isPlain: Bool { address.utf8.allSatisfy { $0 < 0x80 } }

    /// As the dialogue names it: hosts are asked for by names of ASCII letters everywhere (RFC 5891).
    var wireAddress: String {
        guard !domain.utf8.allSatisfy({ $0 < 0x80 }), let host = WebAddress.plainHost(domain) else {
            return address
        }
        return address.prefix { $0 != "@" } + "@" + host
    }
}
