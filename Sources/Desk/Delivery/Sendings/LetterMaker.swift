import Filling
import Formulas
import Mappings
import Storage
import Tables
import Transfer
import Work

/// Writes the letters of one batch. Everything is read once; then each letter is a pure function of the recipient's row,
/// so that what a preview shows is what goes out.
struct LetterMaker: Sendable {
    let batch: Batch
    let letter: BatchLetter
    let sender: MailAddress?
    let replyTo: MailAddress?
    /// What can be right for nobody.
    let problems: [SendingProblem]
    /// The names one may use, with whence they come: a column, or nil for what the desk knows itself.
    let names: [(name: String, column: String?)]
    private let addressed: AddressedLetter
    /// Of the link; nil where it has none.
    private let password: PreparedText?
    private let organization: String

    /// A letter for one recipient.
    struct Made {
        var written: Letter.Written
        var addresses: OutboxMessage.Addresses
        var problems: [SendingProblem]
        /// Of the link.
        var password: String?
    }

    init(
        _ batch: Batch, _ letter: BatchLetter, _ context: FormulaContext, sender: MailAddress?,
        organization: String
    ) {
        self.batch = batch
        self.letter = letter
        self.sender = sender
        replyTo = MailAddress(parsing: letter.replyTo)
        var text = letter.letter
        if letter.attaches == .link, !text.places.contains(Self.link) {
            // Somebody who chose the link and forgot where it goes still wants it to be there.
            text.body += "\n\n{{\(Self.link)}}"
        }
        password =
            letter.attaches == .link && !letter.linkPassword.trimmingSpaces.isEmpty
            ? PreparedText(letter.linkPassword, context) : nil
        addressed = AddressedLetter(
            text, to: letter.to, copies: letter.copies, blindCopies: letter.blindCopies,
            others: password.map { [$0] } ?? [], context)
        let mistakes = addressed.mistakes + (password?.mistakes ?? [])
        problems =
            mistakes.map { SendingProblem(.badFormula, nil, "A formula cannot be worked out: \($0)") }
            + (letter.subject.trimmingSpaces.isEmpty
                ? [SendingProblem(.noSubject, nil, "The letter needs a subject.")] : [])
        self.organization = organization
        var words = LetterWords()
        let own = addressed.own(
            name: "", address: "", fileName: "", sender: sender, organization: organization,
            title: batch.name)
        let system = own.map(\.name) + (letter.attaches == .link ? [Self.link] : [])
        for name in system { words.set(name, "") }
        for column in context.columns.names { words.add(column, "") }
        let columns = [String?](repeating: nil, count: system.count) + context.columns.names
        names = zip(words.names, columns).map { ($0, $1) }
    }

    static let link = "link"

    func words(for addressee: Addressee, link: String) -> LetterWords {
        let packet = addressee.packet
        var values = addressed.own(
            name: packet.name, address: packet.email, fileName: Self.fileName(packet), sender: sender,
            organization: organization, title: batch.name
        ).map(\.value)
        if letter.attaches == .link { values.append(link) }
        let columns = addressed.context.columns.names.count
        values += addressee.cells.prefix(columns).map(\.shown)
        values += [String](repeating: "", count: max(0, columns - addressee.cells.count))
        return LetterWords(names: names.map(\.name), values: values)
    }

    func letter(for addressee: Addressee, link: String) -> Made {
        let packet = addressee.packet
        let words = words(for: addressee, link: link)
        let scope = addressed.scope(addressee.cells, number: packet.place)
        var written = addressed.prepared.written(with: words, scope: scope)
        var problems: [SendingProblem] = []
        var notes = PreparedText.Notes()
        let lines = addressed.mailboxes(words, scope, &notes)
        func mailboxes(_ items: [String]) -> [MailAddress] {
            items.compactMap { item in
                if let mailbox = MailAddress(parsing: item) { return mailbox }
                problems.append(
                    SendingProblem(.badAddress, packet, "“\(item.onOneLine)” is not a mail address."))
                return nil
            }
        }
        var addresses = OutboxMessage.Addresses(
            to: letter.to.trimmingSpaces.isEmpty ? own(packet, &problems) : mailboxes(lines.to))
        addresses.copies = mailboxes(lines.copies)
        addresses.blindCopies = mailboxes(lines.blindCopies)
        if addresses.to.isEmpty, problems.isEmpty {
            problems.append(SendingProblem(.noAddress, packet, "There is no mail address."))
        }
        for name in notes.unknown where !written.unknown.contains(name) { written.unknown.append(name) }
        for name in notes.empty where !written.empty.contains(name) { written.empty.append(name) }
        problems += (written.problems + notes.problems).map { SendingProblem(.badValue, packet, $0) }
        problems += written.empty.map {
            SendingProblem(
                .emptyToken, packet, "Nothing is there for \(AddressedLetter.braced($0)).",
                token: AddressedLetter.braced($0))
        }
        problems += written.unknown.map {
            SendingProblem(
                .unknownToken, packet, "Nobody knows \(AddressedLetter.braced($0)); it stays as it is.",
                token: AddressedLetter.braced($0))
        }
        written.html = written.html.map(LetterPage.html)
        let password = self.password.map { self.password($0, words, scope, packet, &problems) }
        return Made(written: written, addresses: addresses, problems: problems, password: password)
    }

    /// A link that was to have a password never goes out without one, or with the bare name of a column.
    private func password(
        _ text: PreparedText, _ words: LetterWords, _ scope: FormulaScope, _ packet: Packet,
        _ problems: inout [SendingProblem]
    ) -> String {
        var notes = PreparedText.Notes()
        let password = text.written(words, scope, &notes).trimmingSpaces
        // As long as any link's.
        if !(4...200).contains(password.count) || !notes.unknown.isEmpty || !notes.empty.isEmpty
            || !notes.problems.isEmpty
        {
            problems.append(
                SendingProblem(
                    .noPassword, packet,
                    "There is no password of 4 to 200 characters for this link: “\(letter.linkPassword)” gives none."
                ))
        }
        return password
    }

    private func own(_ packet: Packet, _ problems: inout [SendingProblem]) -> [MailAddress] {
        let text = packet.email.trimmingSpaces
        guard !text.isEmpty else { return [] }
        guard let mailbox = MailAddress(parsing: text) else {
            problems.append(
                SendingProblem(.badAddress, packet, "“\(text.onOneLine)” is not a mail address."))
            return []
        }
        let named = mailbox.name == nil ? MailAddress(mailbox.address, name: packet.name.onOneLine) : mailbox
        return [named ?? mailbox]
    }

    static func fileName(_ packet: Packet) -> String {
        (packet.fileName.split(separator: "/").last.map(String.init) ?? "packet") + ".pdf"
    }
}

/// A letter's words as a page of its own, as mail programs show it.
enum LetterPage {
    static func html(_ body: String) -> String {
        """
        <!DOCTYPE html>
        <html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
        <body dir="auto" style="font-family: system-ui, sans-serif; font-size: 16px; line-height: 1.5">
        \(body)
        </body></html>

        """
    }
}
