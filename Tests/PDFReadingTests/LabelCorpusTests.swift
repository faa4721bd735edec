import Glibc
import PDF
import PDFForms
import PDFReading
import Testing
import Work

/// How good the labels are that are read off the page: the authors' own words are hidden, guessed, and compared.
@Suite(.enabled(if: Corpus.isThere && PageReader.isReady, "no corpus of real forms, or poppler is missing"))
struct LabelCorpusTests {
    @Test func labelsReadOffThePageAgreeWithTheAuthorsWords() throws {
        let reader = PageReader(jail: .detect())
        var hits = 0
        var asked = 0
        for (name, bytes) in Corpus.forms {
            guard let file = try? PDFFile(bytes: bytes), let form = try? Form(bytes: bytes) else { continue }
            guard form.fields.contains(where: { $0.alternateName != nil }) else { continue }
            let texts = try reader.text(of: Sheets(file))
            let drawings = PageDrawing.all(file)
            let guessed = FieldLabels(form, texts: texts, drawings: drawings, usesTooltips: false)
            let told = FieldLabels(form, texts: texts, drawings: drawings)
            var here = (hits: 0, asked: 0)
            for (field, (guess, truth)) in zip(form.fields, zip(guessed.all, told.all))
            where truth.source == .tooltip
                && field.widgets.contains(where: { $0.page != nil && !$0.isHidden })
                && field.kind != .pushButton
            {
                // Words that appear nowhere on the page cannot be read off it.
                guard Self.isOnPage(truth.text, texts, field) else { continue }
                here.asked += 1
                if Self.agree(guess.text, field.alternateName ?? truth.text) {
                    here.hits += 1
                } else if getenv("QUIRE_LABELS") != nil {
                    print(
                        "\(name.prefix(24)) | \(field.name.suffix(30)) | \(guess.source) \(guess.confidence) “\(guess.text)” ≠ “\(truth.text)”"
                    )
                }
            }
            guard here.asked > 0 else { continue }
            print("labels \(here.hits) of \(here.asked) \(name)")
            hits += here.hits
            asked += here.asked
        }
        let rate = Double(hits) / Double(max(asked, 1))
        print("labels read off the page: \(hits) of \(asked), \((rate * 1000).rounded() / 10) %")
        #expect(rate > 0.75)
    }

    private static let small: Set<String> = [
        "the", "of", "a", "an", "or", "and", "to", "in", "for", "if", "is", "on", "your", "enter", "line",
        "box",
        "check", "this", "part", "section", "item", "field", "please", "are", "you", "required", "from", "by",
    ]

    private static func content(_ text: String) -> Set<String> {
        Set(
            text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
                .filter { $0.count > 1 && !small.contains($0) })
    }

    /// Most words of the shorter are words of the longer.
    static func agree(_ guess: String, _ truth: String) -> Bool {
        let a = content(guess)
        let b = content(truth)
        guard !a.isEmpty, !b.isEmpty else { return guess.lowercased() == truth.lowercased() }
        let common = a.intersection(b).count
        return Double(common) >= 0.6 * Double(min(a.count, b.count)) && common > 0
    }

    private static func isOnPage(_ truth: String, _ texts: [PageText], _ field: Field) -> Bool {
        guard let page = field.widgets.first?.page, texts.indices.contains(page) else { return false }
        let words = content(truth)
        let all = Set(texts[page].words.flatMap { content($0.text) })
        return Double(words.intersection(all).count) >= 0.6 * Double(words.count)
    }
}
