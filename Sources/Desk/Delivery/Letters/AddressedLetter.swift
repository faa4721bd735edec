import Formulas
import Mappings
import Tables
import Transfer
import Work

/// A letter with whom it goes to, read once and written for any number of rows: those of a batch's packets and those of a
/// folder of filled forms alike.
struct AddressedLetter: Sendable {
    let prepared: PreparedLetter
    let context: FormulaContext
    private let to: PreparedText
    private let copies: PreparedText
    private let blindCopies: PreparedText
    private let scopes: RowScopes
    private let date: String

    /// `others` are texts beside the letter that are worked out for the same rows.
    init(
        _ letter: Letter, to: String, copies: String, blindCopies: String, others: [PreparedText] = [],
        _ context: FormulaContext
    ) {
        self.context = context
        let language = context.dayLanguage
        date = DatePattern("long", language)?.text(context.today, language) ?? context.today.text
        prepared = PreparedLetter(letter, context: context)
        self.to = PreparedText(to, context)
        self.copies = PreparedText(copies, context)
        self.blindCopies = PreparedText(blindCopies, context)
        let lines = [self.to, self.copies, self.blindCopies] + others
        scopes = RowScopes(context, for: prepared.formulas + lines.flatMap(\.formulas))
    }

    /// Why formulas in it can be right for nobody.
    var mistakes: [String] {
        prepared.mistakes + to.mistakes + copies.mistakes + blindCopies.mistakes
    }

    func scope(_ cells: [Cell], number: Int) -> FormulaScope { scopes.scope(cells, row: number) }

    /// The mailboxes of one row, as they were written.
    func mailboxes(
        _ words: LetterWords, _ scope: FormulaScope, _ notes: inout PreparedText.Notes
    ) -> (to: [String], copies: [String], blindCopies: [String]) {
        func read(_ text: PreparedText) -> [String] {
            MailAddress.parts(of: text.written(words, scope, &notes))
        }
        return (read(to), read(copies), read(blindCopies))
    }

    /// What every letter knows beside its row.
    func own(
        name: String, address: String, fileName: String, sender: MailAddress?, organization: String,
        title: String
    ) -> [(name: String, value: String)] {
        [
            ("recipient_name", name), ("recipient_email", address), ("packet_name", fileName), ("date", date),
            ("sender_name", sender?.name ?? sender?.address ?? ""), ("sender_email", sender?.address ?? ""),
            ("organization", organization), ("batch_name", title),
        ]
    }

    /// A place as it stands in the letter.
    static func braced(_ name: String) -> String { name.hasPrefix("{{") ? name : "{{\(name)}}" }
}
