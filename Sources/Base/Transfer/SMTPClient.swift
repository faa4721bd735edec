import CCurl
public import Work

/// Where mail is handed over, and as whom.
public struct SMTPAccount: Sendable, Equatable {
    public enum Security: String, Sendable, CaseIterable {
        /// Encrypted from the first byte, usually port 465.
        case tls
        /// Encrypted after the greeting, usually port 587; a server that does not offer it is refused.
        case startTLS = "starttls"
        /// In the clear, and therefore only to a server on this very machine.
        case none
    }

    public var host: String
    public var port: Int
    public var security: Security
    public var userName: String?
    public var password: String?
    /// What we call ourselves in the greeting.
    public var clientName = "localhost"
    /// A file of certificates to trust instead of the system's.
    public var certificateAuthorities: String?
    public var connectTimeout: Duration = .seconds(30)
    public var idleTimeout: Duration = .seconds(120)
    /// Asks for a report also about each letter that arrived; about others a server reports by itself.
    public var wantsEveryReport = false

    public init(
        host: String, port: Int, security: Security, userName: String? = nil, password: String? = nil
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.userName = userName
        self.password = password
    }
}

/// The server has taken the message over for at least one recipient.
public struct SMTPReceipt: Sendable, Equatable {
    public struct Refusal: Sendable, Equatable {
        public var recipient: MailAddress
        public var reply: SMTPReply
    }

    public var reply: SMTPReply
    /// The recipients it did not want, each with its words.
    public var refused: [Refusal]

    public init(reply: SMTPReply, refused: [Refusal] = []) {
        self.reply = reply
        self.refused = refused
    }
}

/// Why a message was not taken over.
public enum SMTPError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The server says: not now. Worth trying again later.
    case temporary(SMTPReply, SMTPStage)
    /// The server says: never like this.
    case permanent(SMTPReply, SMTPStage)
    case signInRefused(SMTPReply)
    case signInNotOffered(host: String)
    case encryptionNotOffered(host: String)
    /// The message was handed over whole, but the connection ended before the server said yes or no. It may
    /// or may not arrive; sending it again may make two.
    case uncertain(host: String, why: String)
    case transfer(TransferError)

    public var isWorthRetrying: Bool {
        switch self {
        case .temporary: true
        case .transfer(.unreachable), .transfer(.timedOut), .transfer(.nameNotFound), .transfer(.broken): true
        default: false
        }
    }

    public var description: String {
        switch self {
        case .temporary(let reply, let stage):
            "The mail server cannot take \(stage) now: \(reply). It may work later"
        case .permanent(let reply, let stage): "The mail server refused \(stage): \(reply)"
        case .signInRefused(let reply): "The mail server did not accept the user name and password: \(reply)"
        case .signInNotOffered(let host):
            "\(host) does not let anybody sign in; use another port or no password"
        case .encryptionNotOffered(let host): "\(host) does not offer encryption on this port"
        case .uncertain(let host, let why):
            "The message was handed to \(host), but the connection ended before its answer (\(why)); it may have arrived"
        case .transfer(let error): error.description
        }
    }
}

/// A connection to a mail server that stays open for the next message; used by one thread at a time.
public final class SMTPConnection {
    let handle: CurlHandle
    var line: SMTPLine?

    public init() throws(SMTPError) {
        do { handle = try CurlHandle() } catch { throw .transfer(error) }
    }
}

/// Watches a message on its way to a server.
public struct SMTPWatch: Sendable {
    /// Hears every byte of the message, in order.
    public var onBytes: (@Sendable (UnsafeRawBufferPointer) -> Void)?
    /// Called when all of the message is on its way but its last line: until then no server can have taken it
    /// over, and if this throws, none will.
    public var beforeEnd: (@Sendable () throws -> Void)?

    public init(
        onBytes: (@Sendable (UnsafeRawBufferPointer) -> Void)? = nil,
        beforeEnd: (@Sendable () throws -> Void)? = nil
    ) {
        self.onBytes = onBytes
        self.beforeEnd = beforeEnd
    }

    func watching(_ upload: Upload) -> Upload {
        guard case .stream(let byteCount, let open) = upload else { return upload }
        return .stream(byteCount: byteCount) {
            let read = try open()
            return { room in
                let count = try read(room)
                if count == 0 { try beforeEnd?() }
                onBytes?(UnsafeRawBufferPointer(rebasing: room[..<count]))
                return count
            }
        }
    }
}

/// Hands mail to a server (RFC 6409).
///
///     let client = SMTPClient(account)
///     let receipt = try client.send(message, to: message.to)
public struct SMTPClient: Sendable {
    public let account: SMTPAccount

    public init(_ account: SMTPAccount) {
        self.account = account
    }

    /// One message, as many recipients as it has; those the server refuses are named in the receipt, and
    /// only if it refuses all of them this throws. Who gets the message is said here alone: a blind copy is
    /// a recipient that the message does not mention.
    public func send(
        _ message: MailMessage, from sender: MailAddress? = nil, to recipients: [MailAddress],
        over connection: SMTPConnection? = nil, progress: Progress? = nil, watch: SMTPWatch? = nil
    ) throws(SMTPError) -> SMTPReceipt {
        guard !recipients.isEmpty else { throw .transfer(.invalidRequest("the message has no recipient")) }
        let upload = try reader(watch?.watching(message.upload) ?? message.upload)
        let connection = if let connection { connection } else { try SMTPConnection() }
        let line = try line(over: connection, progress)
        return try line.carry(
            .init(
                sender: sender ?? message.from, recipients: recipients, name: message.id.text, upload: upload,
                progress: progress))
    }

    /// Connects, encrypts and signs in, and sends nothing.
    public func check(progress: Progress? = nil) throws(SMTPError) {
        let connection = try SMTPConnection()
        let handle = connection.handle
        try prepare(handle)
        handle.set(CURLOPT_CUSTOMREQUEST, "NOOP")
        let dialogue = try carried(out: handle, progress) { handle.perform(givingUpWhen: $0) }
        if account.userName != nil, !dialogue.offers.contains(where: { $0.hasPrefix("AUTH") }) {
            throw .signInNotOffered(host: account.host)
        }
    }

    /// The connection as it was left by the letter before, or a new one.
    private func line(over connection: SMTPConnection, _ progress: Progress?) throws(SMTPError) -> SMTPLine {
        if let line = connection.line, line.account == account, line.isStillOpen() { return line }
        connection.line = nil
        let handle = connection.handle
        try prepare(handle)
        let dialogue = try carried(out: handle, progress) { handle.open(givingUpWhen: $0) }
        let line = SMTPLine(account, handle, offers: dialogue.offers)
        connection.line = line
        return line
    }

    private func prepare(_ handle: CurlHandle) throws(SMTPError) {
        let isName = { (text: String, extra: String) in
            !text.isEmpty
                && text.unicodeScalars.allSatisfy {
                    switch $0 {
                    case "0"..."9", "A"..."Z", "a"..."z", ".", "-": true
                    default: extra.unicodeScalars.contains($0)
                    }
                }
        }
        guard isName(account.host, ":"), isName(account.clientName, ""), (1...65535).contains(account.port)
        else {
            throw .transfer(.invalidAddress("\(account.host):\(account.port)".printable))
        }
        let host = account.host.contains(":") ? "[\(account.host)]" : account.host
        let scheme = account.security == .tls ? "smtps" : "smtp"
        handle.reset()
        handle.set(CURLOPT_URL, "\(scheme)://\(host):\(account.port)/\(account.clientName)")
        handle.set(CURLOPT_PROTOCOLS_STR, scheme)
        if account.security == .startTLS { handle.set(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)) }
        if let file = account.certificateAuthorities { handle.set(CURLOPT_CAINFO, file) }
        if let userName = account.userName {
            handle.set(CURLOPT_USERNAME, userName)
            handle.set(CURLOPT_PASSWORD, account.password ?? "")
        }
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, account.connectTimeout.timerMilliseconds)
        // The server's silence after a command, and a stalled transfer.
        handle.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, account.idleTimeout.timerMilliseconds / 1000))
        handle.set(CURLOPT_LOW_SPEED_LIMIT, 1)
        handle.set(CURLOPT_LOW_SPEED_TIME, max(1, account.idleTimeout.timerMilliseconds / 1000))
        let guardian: AddressGuard = account.security == .none ? .loopbackOnly : .anywhere
        handle.onConnect = { [host = account.host] in guardian.objection(to: $0, host: host) }
        handle.onBody = { _ in true }
    }

    private func carried(
        out handle: CurlHandle, _ progress: Progress?, by perform: (() -> Bool) -> CURLcode
    ) throws(SMTPError) -> SMTPDialogue {
        let dialogue = SMTPDialogue()
        handle.onDialogue = { dialogue.hear(sent: $0, $1) }
        handle.listen()
        defer { handle.onDialogue = nil }
        let code = perform { progress?.cancellation.isCancelled ?? false }
        guard code == CURLE_OK else { throw verdict(code, handle, dialogue) }
        return dialogue
    }

    private func verdict(_ code: CURLcode, _ handle: CurlHandle, _ dialogue: SMTPDialogue) -> SMTPError {
        let plain = handle.error(for: code, host: account.host)
        if code == CURLE_USE_SSL_FAILED { return .encryptionNotOffered(host: account.host) }
        switch plain {
        case .certificate, .cancelled, .forbiddenAddress: return .transfer(plain)
        default: break
        }
        if let last = dialogue.last, last.reply.code >= 400 { return refusal(last.reply, last.stage) }
        if code == CURLE_LOGIN_DENIED { return .signInNotOffered(host: account.host) }
        return .transfer(plain)
    }

    private func refusal(_ reply: SMTPReply, _ stage: SMTPStage) -> SMTPError {
        if reply.isTemporary { return .temporary(reply, stage) }
        return stage == .signIn ? .signInRefused(reply) : .permanent(reply, stage)
    }

    private func reader(_ upload: Upload) throws(SMTPError) -> UploadReader {
        do { return try UploadReader(upload) } catch { throw .transfer(error) }
    }
}
