public import Access
public import Crypto
import Bytes
public import Filling
public import Storage
import SQL
import Transfer
import Work

// Ways to a packet other than mail from here.
extension Sendings {
    /// A link to one recipient's packet, and to nothing else. Its token is shown this once.
    public func link(
        to id: ID<Packet>, _ terms: ShareLinks.Terms = ShareLinks.Terms(), by caller: Caller
    ) throws -> (token: Token, link: ShareLink) {
        let (addressee, _) = try addressee(id, by: caller)
        guard addressee.packet.state == .made else {
            throw Failure(.conflict, "This packet has not been made.")
        }
        var terms = terms
        if terms.note.isEmpty { terms.note = addressee.packet.name }
        return try access.shareLinks.make(Self.shared(id), terms, by: caller)
    }

    public func links(to id: ID<Packet>, by caller: Caller) throws -> [ShareLink] {
        try access.shareLinks.list(of: Self.shared(id), by: caller)
    }

    static func shared(_ id: ID<Packet>) -> Subject { Subject(kind: "packet", id: id.text) }

    /// Opens a link that leads to a packet, counts it, and says so in the ledger, all in one step.
    public func open(
        _ token: String, password: String? = nil, from visitor: Visitor
    ) throws -> (link: ShareLink, caller: Caller, pass: String) {
        let link = try access.shareLinks.look(token)
        guard link.subject.kind == "packet", let id = ID<Packet>(link.subject.id),
            let found = try batches.addressees([id], by: .local).first
        else { throw Failure(.notFound, "What this link led to is gone.") }
        let packet = found.packet
        return try access.shareLinks.open(token, password: password, from: visitor) { link, tx in
            try ledger.write(
                [
                    LedgerNote(
                        .opened, subject: Self.subject(id), run: Self.subject(packet.batch),
                        recipient: packet.name.onOneLine, address: packet.email.onOneLine,
                        actor: "share/\(link.id)",
                        detail: "Opened \(link.openings == 1 ? "once" : "\(link.openings) times").")
                ], in: tx)
        }
    }

    /// What a visitor with a link may see of the packet, and its file.
    public func shared(_ id: ID<Packet>, by caller: Caller) throws -> (packet: Packet, file: PacketFile) {
        try caller.require(.view, on: Self.shared(id))
        let found = try batches.file(of: id, by: .local)
        guard found.packet.state == .made, found.isAsMade else {
            throw Failure(.notFound, "What this link led to is gone.")
        }
        return (found.packet, found.file)
    }

    /// The packet's letter as an `.eml` file for a mail program: as it was sent, or as it would be.
    public func message(
        for id: ID<Packet>, by caller: Caller
    ) throws -> (fileName: String, bytes: [UInt8]) {
        let (addressee, batch) = try addressee(id, by: caller)
        let packet = addressee.packet
        let stem = String(LetterMaker.fileName(packet).dropLast(4))
        let sent = try store.read { desk in
            try desk.row(
                """
                SELECT id FROM outbox_message WHERE subject = \(Self.subject(id)) AND state = 'accepted'
                ORDER BY id DESC LIMIT 1
                """)?.id("id", of: OutboxMessage.self)
        }
        if let sent { return ("\(stem).eml", try outbox.copy(sent, by: caller)) }
        let (made, letter, maker) = try written(addressee, batch, by: caller)
        guard let from = maker.sender ?? made.addresses.to.first else {
            throw Failure(.conflict, "There is neither a sender nor a recipient for this letter.")
        }
        let host = from.domain.utf8.allSatisfy { $0 < 0x80 } ? from.domain : "quire.invalid"
        guard let name = MessageID(unique: "draft.\(packet.id.text)", host: host) else {
            throw Failure(.invalid, "“\(from.address)” cannot send mail.")
        }
        var mail = MailMessage(
            id: name, date: store.clock.now(), from: from, to: made.addresses.to,
            subject: made.written.subject, text: made.written.text)
        mail.copies = made.addresses.copies
        mail.replyTo = maker.replyTo
        mail.html = made.written.html
        // Mail programs open it as a draft of one's own, ready to be sent.
        mail.isDraft = true
        if letter.attaches == .packet {
            mail.attachments.append(
                .init(
                    fileName: LetterMaker.fileName(packet), mediaType: "application/pdf",
                    content: .bytes(try batches.file(of: id, by: caller).file.bytes)))
        }
        if let head = outbox.head(), let page = mail.html {
            mail.html = head.above(page)
            if let logo = head.file {
                var file = MailMessage.Attachment(
                    fileName: logo.fileName, mediaType: logo.mediaType,
                    content: .file(path: try store.blobs.soundPath(of: logo.digest)))
                file.contentID = MailHead.contentID(logo.digest)
                mail.attachments.append(file)
            }
        }
        for file in letter.files {
            mail.attachments.append(
                .init(
                    fileName: file.name, mediaType: file.mediaType,
                    content: .file(path: try store.blobs.soundPath(of: file.digest))))
        }
        do throws(TransferError) {
            return ("\(stem).eml", try mail.bytes())
        } catch {
            throw Failure(.damaged, "An attachment of this letter cannot be read.", cause: "\(error)")
        }
    }

    /// `mailto:` with the letter's words, for the mail program at hand; what is attached it cannot carry.
    public func mailAddress(for id: ID<Packet>, by caller: Caller) throws -> String {
        let (addressee, batch) = try addressee(id, by: caller)
        let (made, _, _) = try written(addressee, batch, by: caller)
        func coded(_ text: String) -> String {
            text.utf8.map { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                    String(UnicodeScalar(byte))
                default: "%" + Hex.encode([byte]).uppercased()
                }
            }.joined()
        }
        func list(_ mailboxes: [MailAddress]) -> String {
            mailboxes.map { coded($0.address).replacing("%40", with: "@") }.joined(separator: ",")
        }
        var parts = [
            "subject=\(coded(made.written.subject))",
            "body=\(coded(made.written.text.replacing("\n", with: "\r\n")))",
        ]
        if !made.addresses.copies.isEmpty { parts.append("cc=\(list(made.addresses.copies))") }
        if !made.addresses.blindCopies.isEmpty { parts.append("bcc=\(list(made.addresses.blindCopies))") }
        return "mailto:\(list(made.addresses.to))?\(parts.joined(separator: "&"))"
    }

    private func written(
        _ addressee: Addressee, _ batch: Batch, by caller: Caller
    ) throws -> (LetterMaker.Made, BatchLetter, LetterMaker) {
        let letter = try self.letter(of: batch.id, by: caller)
        guard letter.attaches != .link else {
            throw Failure(
                .conflict,
                "This letter carries a link of its own for each recipient. Send it from here, or make a link and pass it on."
            )
        }
        let maker = try maker(batch, letter, by: caller)
        return (maker.letter(for: addressee, link: exampleLink), letter, maker)
    }
}
