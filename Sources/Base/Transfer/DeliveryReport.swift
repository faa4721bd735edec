/// What a mail server reports about a message that it could not deliver (RFC 3464), or what servers older than that say
/// in words of their own.
public struct DeliveryReport: Sendable, Equatable {
    public struct Recipient: Sendable, Equatable {
        public enum Action: String, Sendable {
            case failed, delayed, delivered, relayed, expanded
        }

        public var address: String
        public var action: Action
        /// `5.1.1` (RFC 3463); empty when the server told none.
        public var status: String
        /// What the server said, on one line.
        public var words: String

        /// The mailbox will not be there tomorrow either: there is none of that name, or it takes nothing any more.
        public var isGoneForGood: Bool {
            guard action == .failed else { return false }
            return ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"].contains(status)
        }
    }

    /// The names of the messages it speaks of, as they were given when they were sent.
    public var messageIDs: [String]
    public var recipients: [Recipient]

    /// Nil when this is no such report, or it does not say about which message.
    public init?(_ message: [UInt8]) {
        let mail = MailPart(message.prefix(Self.longest))
        let parts = Self.all(mail)
        var names = Self.names(parts)
        if let status = parts.first(where: { $0.mediaType == "message/delivery-status" }) {
            recipients = Self.recipients(status.content)
            for name in Self.envelope(status.content) where !names.contains(name) { names.append(name) }
        } else {
            recipients = Self.older(mail, parts)
        }
        messageIDs = names
        guard !recipients.isEmpty, !messageIDs.isEmpty else { return nil }
    }

    private static let longest = 4 << 20
    private static let mostRecipients = 100

    private static func all(_ mail: MailPart) -> [MailPart] {
        [mail] + mail.parts.flatMap(all)
    }

    /// Groups of fields, the first about the report itself.
    private static func recipients(_ bytes: [UInt8]) -> [Recipient] {
        var rest = bytes[...]
        var found: [Recipient] = []
        while !rest.isEmpty, found.count < mostRecipients {
            let group = MailPart(rest)
            rest = group.body
            guard
                let address = [group.field("original-recipient"), group.field("final-recipient")].compactMap({
                    $0.flatMap(address)
                }).first
            else { continue }
            let word = group.field("action")?.lowercased() ?? "failed"
            guard let action = Recipient.Action(rawValue: word.trimmingSpaces) else { continue }
            found.append(
                Recipient(
                    address: address, action: action, status: status(group.field("status") ?? ""),
                    words: (group.field("diagnostic-code") ?? group.field("status") ?? "").printable))
        }
        return found
    }

    /// By which name the letter was handed over (RFC 3461), where we gave it one: its own without brackets. Some servers give
    /// it back as it was spelled on the way.
    private static func envelope(_ bytes: [UInt8]) -> [String] {
        guard let name = MailPart(bytes[...]).field("original-envelope-id")?.trimmingSpaces,
            (1...300).contains(name.utf8.count), name.contains("@"),
            !name.contains(where: { " <>".contains($0) })
        else { return [] }
        var plain = ""
        var rest = name[...]
        while let letter = rest.popFirst() {
            if letter == "+", let code = UInt8(rest.prefix(2), radix: 16), code < 0x80, rest.count >= 2 {
                plain.unicodeScalars.append(Unicode.Scalar(code))
                rest.removeFirst(2)
            } else {
                plain.append(letter)
            }
        }
        return plain == name ? ["<\(name)>"] : ["<\(plain)>", "<\(name)>"]
    }

    /// `rfc822; ana@example.org`
    private static func address(_ field: String) -> String? {
        let text = field.split(separator: ";", maxSplits: 1).last.map { $0.trimmingSpaces } ?? ""
        let bare = text.hasPrefix("<") && text.hasSuffix(">") ? String(text.dropFirst().dropLast()) : text
        return MailAddress(bare)?.address
    }

    private static func status(_ text: String) -> String {
        let code = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        let numbers = code.split(separator: ".", omittingEmptySubsequences: false)
        let isCode =
            numbers.count == 3
            && numbers.allSatisfy { (1...3).contains($0.count) && $0.allSatisfy(\.isNumber) }
        return isCode ? code : ""
    }

    /// Exim names the addresses in its head, qmail before what each server said.
    private static func older(_ mail: MailPart, _ parts: [MailPart]) -> [Recipient] {
        let sender = mail.field("from")?.lowercased() ?? ""
        guard
            mail.field("return-path") == "<>" || sender.contains("mailer-daemon")
                || sender.contains("postmaster")
        else { return [] }
        if let list = mail.field("x-failed-recipients") {
            return list.split(separator: ",").prefix(mostRecipients).compactMap {
                MailAddress($0.trimmingSpaces)
            }.map {
                Recipient(address: $0.address, action: .failed, status: "", words: "")
            }
        }
        guard let text = parts.first(where: { $0.mediaType == "text/plain" && $0.parts.isEmpty }) else {
            return []
        }
        var found: [Recipient] = []
        var rest = text.content.prefix(100_000)
        while let line = MailPart.line(&rest), found.count < mostRecipients {
            let words = String(decoding: line, as: UTF8.self).trimmingSpaces
            // What follows is the message itself, which may hold anything.
            if words.hasPrefix("--- Below this line") { break }
            guard words.hasPrefix("<"), words.hasSuffix(">:"),
                let mailbox = MailAddress(String(words.dropFirst().dropLast(2)))
            else { continue }
            let said = MailPart.line(&rest).map { String(decoding: $0, as: UTF8.self).printable } ?? ""
            found.append(
                Recipient(address: mailbox.address, action: .failed, status: code(in: said), words: said))
        }
        return found
    }

    /// `… (#5.1.1)` or `550 5.1.1 …`
    private static func code(in words: String) -> String {
        for word in words.split(whereSeparator: { " ()#".contains($0) }) {
            let code = status(String(word))
            if !code.isEmpty { return code }
        }
        return ""
    }

    /// Of the message that came back: it, or its head, is a part of the report, or stands in its text.
    private static func names(_ parts: [MailPart]) -> [String] {
        var names: [String] = []
        func add(_ text: String?) {
            guard let text, let open = text.firstIndex(of: "<"), let close = text[open...].firstIndex(of: ">")
            else {
                return
            }
            let name = String(text[open...close])
            if name.utf8.count <= 300, names.count < 20, !names.contains(name) { names.append(name) }
        }
        for part in parts {
            switch part.mediaType {
            case "message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global",
                "message/global-headers":
                add(MailPart(part.content[...]).field("message-id"))
            case "text/plain":
                var rest = part.content.prefix(200_000)
                while let line = MailPart.line(&rest) {
                    let words = String(decoding: line.prefix(400), as: UTF8.self)
                    if words.lowercased().hasPrefix("message-id:") { add(words) }
                }
            default: break
            }
        }
        return names
    }
}
