public import Formulas
import Markup

/// A letter read once, to be written to any number of people.
///
///     let prepared = PreparedLetter(letter, context: batch.wording)
///     let written = prepared.written(with: words, scope: scope)
public struct PreparedLetter: Sendable {
    public let letter: Letter
    private let subject: PreparedText
    private let body: PreparedText

    /// Formulas are worked out over the columns of the context; without one they stay as they were typed.
    public init(_ letter: Letter, context: FormulaContext? = nil) {
        self.letter = letter
        subject = PreparedText(letter.subject, context)
        body = PreparedText(letter.body, context)
    }

    /// Why formulas in it can be right for nobody.
    public var mistakes: [String] { subject.mistakes + body.mistakes }

    /// All names in it, each once.
    public var places: [String] {
        subject.places + body.places.filter { !subject.places.contains($0) }
    }

    public var formulas: [Formula] { subject.formulas + body.formulas }

    public func written(with words: LetterWords, scope: FormulaScope? = nil) -> Letter.Written {
        var notes = PreparedText.Notes()
        let subject = subject.written(words, scope, &notes) { $0.onOneLine }
        var text = body.written(words, scope, &notes)
        var html: String?
        if letter.form == .markdown {
            // Somebody called *Star* is not to be set in italics: what people bring is never taken for marks.
            let marked = body.written(words, scope, &notes, Self.unmarked)
            html = Markdown.html(marked).text
            text = Markdown.plain(marked)
        }
        return Letter.Written(
            subject: subject.onOneLine, text: text, html: html, unknown: notes.unknown, empty: notes.empty,
            problems: notes.problems)
    }

    /// The letter with one person's words in it, marks and all, for who sends it from elsewhere.
    func filled(
        with words: LetterWords, scope: FormulaScope? = nil, _ notes: inout PreparedText.Notes
    ) -> Letter {
        let subject = subject.written(words, scope, &notes) { $0.onOneLine }
        let body =
            letter.form == .markdown
            ? body.written(words, scope, &notes, Self.unmarked) : body.written(words, scope, &notes)
        return Letter(subject: subject.onOneLine, body: body, form: letter.form)
    }

    private static func unmarked(_ value: String) -> String {
        // An address stays whole, so that it can be followed.
        let isAddress = value.hasPrefix("https://") || value.hasPrefix("http://")
        if isAddress, !value.contains(where: { $0.isWhitespace || "<>\"[]()".contains($0) }) { return value }
        var output = ""
        for character in value {
            if "\\`*_[]()#>+-.!<~".contains(character) { output += "\\" }
            output.append(character)
        }
        return output
    }
}

extension Letter {
    /// The letter for one person whose words are in it already: what looks like a place is none.
    public var asTyped: Written {
        guard form == .markdown else {
            return Written(subject: subject.onOneLine, text: body, html: nil, unknown: [], empty: [])
        }
        return Written(
            subject: subject.onOneLine, text: Markdown.plain(body),
            html: LetterPage.html(Markdown.html(body).text), unknown: [], empty: [])
    }
}
