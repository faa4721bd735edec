import Bytes
import Crypto
public import Work

/// A mail, ready to be written: text and perhaps HTML, files, and the lines above them.
///
/// Nothing a person types can become a header of its own: addresses, the message's name and media types are
/// checked when they are made, all other text is encoded. A part's boundary cannot occur inside a part,
/// because every part is quoted-printable or base64 and neither can hold `=_`.
public struct MailMessage: Sendable {
    public struct Attachment: Sendable {
        public enum Content: Sendable {
            case bytes([UInt8])
            /// Read while the message is being sent; a file of any size needs no memory.
            case file(path: String)
        }

        public var fileName: String
        public var mediaType: String
        public var content: Content
        /// Where the page asks for it as `cid:name`, it is shown there and not among the files; nil for a file of its own.
        public var contentID: String?

        /// A media type that is not `word/word` becomes `application/octet-stream`.
        public init(fileName: String, mediaType: String, content: Content) {
            self.fileName = fileName
            self.mediaType = Self.isMediaType(mediaType) ? mediaType.lowercased() : "application/octet-stream"
            self.content = content
        }

        private static func isMediaType(_ text: String) -> Bool {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == 2
                && parts.allSatisfy { part in
                    !part.isEmpty && part.utf8.count <= 100
                        && part.unicodeScalars.allSatisfy {
                            switch $0 {
                            case "0"..."9", "A"..."Z", "a"..."z", ".", "-", "+", "_": true
                            default: false
                            }
                        }
                }
        }
    }

    public var id: MessageID
    public var date: Moment
    public var from: MailAddress
    public var to: [MailAddress]
    public var copies: [MailAddress] = []
    public var replyTo: MailAddress?
    public var inReplyTo: MessageID?
    public var subject: String
    public var text: String
    public var html: String?
    public var attachments: [Attachment] = []
    /// Says that no person wrote this, so that no machine answers it (RFC 3834).
    public var isAutomatic = false
    /// Opened in a mail program it is a letter about to be sent, not one that came in.
    public var isDraft = false

    public init(
        id: MessageID, date: Moment, from: MailAddress, to: [MailAddress], subject: String, text: String
    ) {
        self.id = id
        self.date = date
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
    }

    /// The whole message in memory, as for an `.eml` file; `upload` is for large ones.
    public func bytes() throws(TransferError) -> [UInt8] {
        let reader = MailReader(pieces())
        var output: [UInt8] = []
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 1)
        defer { room.deallocate() }
        while true {
            let count = try reader.read(into: room)
            if count == 0 { return output }
            output.append(contentsOf: room.prefix(count))
        }
    }

    /// The message as something to send, files read on the way.
    public var upload: Upload {
        let pieces = pieces()
        return .stream(byteCount: nil) {
            let reader = MailReader(pieces)
            return { try reader.read(into: $0) }
        }
    }

    private func pieces() -> [MailReader.Piece] {
        var header = MailHeader()
        header.add("Date", words: [date.mailText])
        header.add("From", addresses: [from])
        if let replyTo { header.add("Reply-To", addresses: [replyTo]) }
        header.add("To", addresses: to)
        header.add("Cc", addresses: copies)
        header.add("Message-ID", words: [id.text])
        if let inReplyTo {
            header.add("In-Reply-To", words: [inReplyTo.text])
            header.add("References", words: [inReplyTo.text])
        }
        header.add("Subject", text: subject)
        if isAutomatic { header.add("Auto-Submitted", words: ["auto-generated"]) }
        if isDraft { header.add("X-Unsent", words: ["1"]) }
        header.add("MIME-Version", words: ["1.0"])
        return [.bytes(Array(header.text.utf8))] + body()
    }

    private func body() -> [MailReader.Piece] {
        let files = attachments.filter { !isShown($0) }
        guard !files.isEmpty else { return readable() }
        return multipart("mixed", [readable()] + files.map(part))
    }

    private func isShown(_ attachment: Attachment) -> Bool { html != nil && attachment.contentID != nil }

    /// The same words once plain, once as a page; a mail program shows the last form it understands.
    private func readable() -> [MailReader.Piece] {
        let plain = Self.textPart("plain", text)
        guard let html else { return plain }
        var page = Self.textPart("html", html)
        let shown = attachments.filter(isShown)
        // The page and its pictures belong together (RFC 2387).
        if !shown.isEmpty { page = multipart("related", [page] + shown.map(part)) }
        return multipart("alternative", [plain, page])
    }

    private static func textPart(_ kind: String, _ text: String) -> [MailReader.Piece] {
        var header = MailHeader()
        header.add("Content-Type", words: ["text/\(kind);", "charset=utf-8"])
        header.add("Content-Transfer-Encoding", words: ["quoted-printable"])
        header.end()
        return [.bytes(Array(header.text.utf8) + QuotedPrintable.encode(text))]
    }

    private func part(_ attachment: Attachment) -> [MailReader.Piece] {
        var header = MailHeader()
        header.add("Content-Type", words: [attachment.mediaType])
        header.add("Content-Transfer-Encoding", words: ["base64"])
        if isShown(attachment), let id = attachment.contentID { header.add("Content-ID", words: ["<\(id)>"]) }
        let parameters = MailHeader.parameter("filename", attachment.fileName)
        let last = parameters.count - 1
        header.add(
            "Content-Disposition",
            words: [isShown(attachment) ? "inline;" : "attachment;"]
                + parameters.enumerated().map { $0.offset == last ? $0.element : $0.element + ";" })
        header.end()
        let content: MailReader.Piece =
            switch attachment.content {
            case .bytes(let bytes): .coded(.bytes(bytes))
            case .file(let path): .coded(.file(path: path))
            }
        return [.bytes(Array(header.text.utf8)), content]
    }

    private func multipart(_ kind: String, _ parts: [[MailReader.Piece]]) -> [MailReader.Piece] {
        // From the message's own name, so that the same message is the same bytes every time.
        let seed = SHA256.hash(Array("\(kind) \(id.text)".utf8))
        let boundary = "=_" + Hex.encode(seed.prefix(16))
        var header = MailHeader()
        header.add("Content-Type", words: ["multipart/\(kind);", "boundary=\"\(boundary)\""])
        header.end()
        var pieces: [MailReader.Piece] = [.bytes(Array(header.text.utf8))]
        for part in parts {
            pieces.append(.bytes(Array("--\(boundary)\r\n".utf8)))
            pieces += part
            pieces.append(.bytes(Array("\r\n".utf8)))
        }
        pieces.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
        return pieces
    }
}

extension Moment {
    /// `Sat, 21 Nov 2026 11:35:00 +0000` (RFC 5322 §3.3).
    var mailText: String {
        let wall = wallTimeInUTC
        let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(days[wall.weekday - 1]), \(wall.day) \(months[wall.month - 1]) \(wall.year) "
            + "\(two(wall.hour)):\(two(wall.minute)):\(two(wall.second)) +0000"
    }
}
