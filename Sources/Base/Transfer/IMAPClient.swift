import CCurl
public import Work

/// An account whose mailbox can be read.
public struct IMAPAccount: Sendable, Equatable {
    public typealias Security = SMTPAccount.Security

    public var host: String
    public var port: Int
    public var security: Security
    public var userName: String
    public var password: String
    public var folder: String
    /// A file with further certificate authorities, for servers with a certificate of their own making.
    public var certificateAuthorities: String?
    public var connectTimeout = Duration.seconds(20)
    public var idleTimeout = Duration.seconds(60)

    public init(
        host: String, port: Int = 993, security: Security = .tls, userName: String, password: String,
        folder: String = "INBOX"
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.userName = userName
        self.password = password
        self.folder = folder
    }
}

/// Reads what others have put into a mailbox (RFC 9051). One connection, one thread at a time.
///
///     let mailbox = try IMAPClient(account)
///     let found = try mailbox.search("SINCE 1-Nov-2026", after: 41)
///     for number in found.numbers { let message = try mailbox.fetch(number, atMost: 1 << 20) }
public final class IMAPClient {
    private let account: IMAPAccount
    private let handle: CurlHandle

    public struct Found: Sendable, Equatable {
        /// Another one than last time means that all numbers were given anew (RFC 9051 §2.3.1.1).
        public var validity: UInt32
        /// In rising order, each larger than the one they were to come after.
        public var numbers: [UInt32]
    }

    public init(_ account: IMAPAccount) throws(TransferError) {
        self.account = account
        handle = try CurlHandle()
    }

    /// Numbers of messages that the server finds by these words of its language (RFC 9051 §6.4.4); they are ours, never
    /// something a person typed.
    public func search(
        _ words: String, after number: UInt32 = 0, progress: Progress? = nil
    ) throws(TransferError) -> Found {
        let start = number == .max ? number : number + 1
        let answer = try command("UID SEARCH UID \(start):* \(words)", progress)
        var found = Found(validity: 0, numbers: [])
        for line in answer.split(whereSeparator: \.isNewline) {
            if let place = line.firstRange(of: "[UIDVALIDITY ") {
                found.validity = UInt32(line[place.upperBound...].prefix { $0.isASCII && $0.isNumber }) ?? 0
            }
            let words = line.split(separator: " ")
            guard words.count >= 2, words[0] == "*", words[1].uppercased() == "SEARCH" else { continue }
            // `n:*` also means the last message when it has a smaller number (RFC 9051 §6.4.9).
            found.numbers += words.dropFirst(2).compactMap { UInt32($0) }.filter { $0 >= start }
        }
        found.numbers = Set(found.numbers).sorted()
        return found
    }

    /// Where the server, or a program beside it, keeps copies of what was sent (RFC 6154, or by its usual names); as the
    /// server writes it, for `IMAPAccount.folder`.
    public func sentFolders(progress: Progress? = nil) throws(TransferError) -> [String] {
        let answer = try command("LIST \"\" \"*\"", progress)
        var folders: (told: [String], called: [String]) = ([], [])
        for line in answer.split(whereSeparator: \.isNewline) {
            guard line.uppercased().hasPrefix("* LIST ("), let end = line.firstIndex(of: ")") else {
                continue
            }
            // `* LIST (\HasNoChildren \Sent) "/" "Sent Items"`
            let marks = line[..<end].lowercased().split { " (".contains($0) }
            let rest = line[line.index(after: end)...].drop { $0 == " " }
            guard let space = rest.firstIndex(of: " ") else { continue }
            let name = rest[rest.index(after: space)...].trimmingSpaces
            let plain =
                name.hasPrefix("\"") && name.hasSuffix("\"") ? String(name.dropFirst().dropLast()) : name
            // Backslashes before quotes: nobody calls this folder so.
            guard !plain.isEmpty, !plain.contains("\\"), !plain.contains("\"") else { continue }
            let own = plain.split { "/.".contains($0) }.last?.lowercased() ?? ""
            if marks.contains("\\sent") {
                folders.told.append(plain)
            } else if ["sent", "sent items", "sent messages", "sent mail"].contains(own) {
                folders.called.append(plain)
            }
        }
        return folders.told.isEmpty ? folders.called : folders.told
    }

    /// Whether a message of this name lies in the folder.
    public func holds(_ messageID: String, progress: Progress? = nil) throws(TransferError) -> Bool {
        guard messageID.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }) else {
            return false
        }
        return try !search("HEADER Message-ID \"\(messageID)\"", progress: progress).numbers.isEmpty
    }

    /// The message as it lies there, its beginning if it is longer; nil when it is gone meanwhile.
    public func fetch(
        _ number: UInt32, atMost limit: Int, progress: Progress? = nil
    ) throws(TransferError) -> [UInt8]? {
        try prepare(";UID=\(number)")
        let body = Collected(limit: limit)
        handle.onBody = { body.take($0) }
        let code = perform(progress)
        guard code != CURLE_OK, !body.isFull else { return body.bytes }
        if code == CURLE_REMOTE_FILE_NOT_FOUND { return nil }
        throw error(code)
    }

    private func command(_ text: String, _ progress: Progress?) throws(TransferError) -> String {
        try prepare("")
        handle.set(CURLOPT_CUSTOMREQUEST, text)
        let heard = Collected(limit: 4 << 20)
        handle.onBody = { _ in true }
        handle.onDialogue = { sent, bytes in if !sent { _ = heard.take(bytes) } }
        handle.listen()
        let code = perform(progress)
        guard code == CURLE_OK else { throw error(code) }
        return String(decoding: heard.bytes, as: UTF8.self)
    }

    private func prepare(_ more: String) throws(TransferError) {
        let isHost = account.host.unicodeScalars.allSatisfy {
            switch $0 {
            case "0"..."9", "A"..."Z", "a"..."z", ".", "-", ":": true
            default: false
            }
        }
        guard isHost, !account.host.isEmpty, (1...65535).contains(account.port) else {
            throw .invalidAddress("\(account.host):\(account.port)".printable)
        }
        let host = account.host.contains(":") ? "[\(account.host)]" : account.host
        let scheme = account.security == .tls ? "imaps" : "imap"
        handle.reset()
        handle.set(
            CURLOPT_URL, "\(scheme)://\(host):\(account.port)/\(PercentText.encode(account.folder))\(more)")
        handle.set(CURLOPT_PROTOCOLS_STR, scheme)
        if account.security == .startTLS { handle.set(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)) }
        if let file = account.certificateAuthorities { handle.set(CURLOPT_CAINFO, file) }
        handle.set(CURLOPT_USERNAME, account.userName)
        handle.set(CURLOPT_PASSWORD, account.password)
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, account.connectTimeout.timerMilliseconds)
        handle.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, account.idleTimeout.timerMilliseconds / 1000))
        handle.set(CURLOPT_LOW_SPEED_LIMIT, 1)
        handle.set(CURLOPT_LOW_SPEED_TIME, max(1, account.idleTimeout.timerMilliseconds / 1000))
        let guardian: AddressGuard = account.security == .none ? .loopbackOnly : .anywhere
        handle.onConnect = { [host = account.host] in guardian.objection(to: $0, host: host) }
    }

    private func perform(_ progress: Progress?) -> CURLcode {
        handle.perform { progress?.cancellation.isCancelled ?? false }
    }

    private func error(_ code: CURLcode) -> TransferError {
        switch code {
        case CURLE_LOGIN_DENIED:
            .broken(host: account.host, why: "it did not accept the user name and password")
        case CURLE_USE_SSL_FAILED: .broken(host: account.host, why: "it offers no encryption on this port")
        default: handle.error(for: code, host: account.host)
        }
    }
}

/// What came in, up to a limit. Used on the thread of the transfer alone.
private final class Collected {
    private(set) var bytes: [UInt8] = []
    private let limit: Int
    var isFull: Bool { bytes.count >= limit }

    init(limit: Int) {
        self.limit = limit
    }

    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
        bytes.append(contentsOf: piece.prefix(limit - bytes.count))
        return bytes.count < limit
    }
}
