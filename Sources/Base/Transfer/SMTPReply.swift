/// What a mail server answered: its code and its words, joined from as many lines as it took.
public struct SMTPReply: Sendable, Equatable, CustomStringConvertible {
    public var code: Int
    public var words: String

    public init(code: Int, words: String) {
        self.code = code
        self.words = words
    }

    public var isTemporary: Bool { (400...499).contains(code) }
    /// The server closes the connection with this (RFC 5321 §3.8), whatever it was asked.
    public var isFarewell: Bool { code == 421 }
    public var isPermanent: Bool { (500...599).contains(code) }

    /// `5.1.1` from the start of the words (RFC 3463), if the server sends such codes.
    public var detailCode: String? {
        guard let first = words.split(separator: " ").first else { return nil }
        let parts = first.split(separator: ".", omittingEmptySubsequences: false)
        let isCode =
            parts.count == 3 && parts.allSatisfy { (1...3).contains($0.count) && $0.allSatisfy(\.isNumber) }
        return isCode ? String(first) : nil
    }

    public var description: String { "\(code) \(words)" }
}

/// Where in the dialogue something was said.
public enum SMTPStage: Sendable, Equatable, CustomStringConvertible {
    case greeting, encryption, signIn, sender
    case recipient(MailAddress)
    case message

    public var description: String {
        switch self {
        case .greeting: "the greeting"
        case .encryption: "encryption"
        case .signIn: "the sign-in"
        case .sender: "the sender"
        case .recipient(let mailbox): mailbox.address
        case .message: "the message"
        }
    }
}

/// Follows what is said between curl and the server until letters can go, because curl itself keeps only the last code.
///
/// It remembers no command but which kind it was: what follows AUTH is somebody's password.
final class SMTPDialogue {
    private var half = ""
    private var lines = SMTPReply.Lines()
    private var isOver = false
    private(set) var stage = SMTPStage.greeting
    /// What the server can do beyond what every one can, as it said after its last greeting: `AUTH`, `DSN`.
    private(set) var offers: Set<String> = []
    private(set) var last: (reply: SMTPReply, stage: SMTPStage)?

    func hear(sent: Bool, _ bytes: UnsafeRawBufferPointer) {
        if sent { command(bytes.prefix(8)) } else { answer(bytes) }
    }

    private func command(_ start: Slice<UnsafeRawBufferPointer>) {
        switch String(decoding: start, as: UTF8.self).prefix(4).uppercased() {
        case "EHLO", "HELO":
            stage = .greeting
            offers = []
        case "STAR": stage = .encryption
        case "AUTH": stage = .signIn
        // What follows is a farewell and no verdict.
        case "QUIT": isOver = true
        default: break
        }
    }

    private func answer(_ bytes: UnsafeRawBufferPointer) {
        guard !isOver else { return }
        half += String(decoding: bytes, as: UTF8.self)
        while let end = half.unicodeScalars.firstIndex(of: "\n") {
            let line = String(half.unicodeScalars[..<end]).trimmingLineEnd
            half = String(half.unicodeScalars[half.unicodeScalars.index(after: end)...])
            take(line)
        }
        if half.utf8.count > 8192 { half = "" }
    }

    private func take(_ line: String) {
        if stage == .greeting, let word = line.dropFirst(4).split(separator: " ").first {
            offers.insert(word.uppercased())
        }
        if let reply = lines.take(line) { last = (reply, stage) }
    }
}

extension SMTPReply {
    /// Lines that become an answer with the last of them.
    struct Lines {
        private var words: [String] = []

        /// Nil as long as the answer goes on; a line that is none means nothing.
        mutating func take(_ line: String) -> SMTPReply? {
            let code = line.prefix(3)
            guard code.count == 3, let number = Int(code) else { return nil }
            let rest = line.dropFirst(3)
            if words.count < 20 { words.append(rest.dropFirst().trimmingSpaces) }
            guard rest.first != "-" else { return nil }
            defer { words = [] }
            return SMTPReply(code: number, words: words.joined(separator: " ").printable)
        }
    }
}

extension String {
    /// Without control characters, and of a length that fits a row: these words come from strangers.
    var printable: String {
        var text = ""
        for scalar in unicodeScalars.prefix(500) {
            text.unicodeScalars.append(
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? " " : scalar)
        }
        return text
    }
}
