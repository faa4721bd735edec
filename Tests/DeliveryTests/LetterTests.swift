import Delivery
import Testing

@Suite("A letter")
struct LetterTests {
    private func words() -> LetterWords {
        LetterWords(columns: [
            ("First name", "Zoë"), ("Last Name", "O’Neil *Star*"), ("Prénom de l’élève", "Ana"),
            ("Phone", "1"),
            ("phone", "2"), ("Note", ""),
        ])
    }

    @Test("knows every column by its name in small letters with underscores")
    func columns() {
        #expect(
            words().names == ["first_name", "last_name", "prenom_de_l_eleve", "phone", "phone_2", "note"])
    }

    @Test("carries each person's words, once as text and once as a page")
    func written() {
        let letter = Letter(
            subject: "For {{first_name}}\nand you",
            body: "Dear **{{ First name }}** {{last_name}},\n{{note|nothing new}}.")
        let written = letter.written(with: words())
        #expect(written.subject == "For Zoë and you")
        #expect(written.text == "Dear Zoë O’Neil *Star*,\nnothing new.")
        #expect(written.html == "<p>Dear <strong>Zoë</strong> O’Neil *Star*,<br>\nnothing new.</p>")
        #expect(written.unknown.isEmpty && written.empty.isEmpty)
    }

    @Test("keeps a place that nobody knows, and says so; says too what is empty")
    func gaps() {
        let written = Letter(subject: "{{nickname}}", body: "{{note}}{{ }}{{", form: .plain).written(
            with: words())
        #expect(written.subject == "{{nickname}}" && written.unknown == ["nickname"])
        #expect(written.text == "{{ }}{{" && written.empty == ["note"])
        #expect(written.html == nil)
    }

    @Test("takes what people bring for text, never for marks or HTML")
    func harmless() {
        var words = LetterWords()
        words.set("name", "<b>[x](javascript:y)</b>\n# Head\n- item {{name}}")
        let html = Letter(subject: "", body: "{{name}}").written(with: words).html ?? ""
        #expect(
            !html.contains("<b>") && !html.contains("href") && !html.contains("<h1") && !html.contains("<li"))
        #expect(html.contains("{{name}}"))
    }

    @Test("lists its places, each once")
    func places() {
        #expect(Letter(subject: "{{a}} {{b|x}}", body: "{{a}} {{c}}").places == ["a", "b", "c"])
    }
}
