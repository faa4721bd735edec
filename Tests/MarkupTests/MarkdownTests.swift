import Markup
import Testing

@Suite("Light marks in a letter")
struct MarkdownTests {
    @Test(
        "become HTML",
        arguments: [
            ("Dear Ada,\nhow are you?", "<p>Dear Ada,<br>\nhow are you?</p>"),
            ("one\n\ntwo", "<p>one</p>\n<p>two</p>"),
            ("# Title\ntext", "<h1>Title</h1>\n<p>text</p>"),
            (
                "**bold** and *soft* and `x < y`",
                "<p><strong>bold</strong> and <em>soft</em> and <code>x &lt; y</code></p>"
            ),
            ("- pen\n- paper", "<ul><li>pen</li><li>paper</li></ul>"),
            ("3. three\n4. four", "<ol start=\"3\"><li>three</li><li>four</li></ol>"),
            ("- a\n  - b", "<ul><li><p>a</p>\n<ul><li>b</li></ul></li></ul>"),
            ("> quoted\n> twice", "<blockquote><p>quoted<br>\ntwice</p></blockquote>"),
            ("a\n\n---\n\nb", "<p>a</p>\n<hr>\n<p>b</p>"),
            ("```\n<b>\n\nx\n```", "<pre><code>&lt;b&gt;\n\nx</code></pre>"),
            ("[site](https://example.org/a_b_c)", "<p><a href=\"https://example.org/a_b_c\">site</a></p>"),
            (
                "see https://example.org/x.",
                "<p>see <a href=\"https://example.org/x\">https://example.org/x</a>.</p>"
            ),
            ("2 \\* 3 \\* 4", "<p>2 * 3 * 4</p>"),
        ])
    func becomes(text: String, expected: String) {
        #expect(Markdown.html(text).text == expected)
    }

    @Test(
        "stay as typed where they mean nothing",
        arguments: ["2 * 3 * 4", "file_name_2", "**", "[x](", "a ** b ** c"])
    func stays(text: String) {
        #expect(Markdown.html(text).text == "<p>\(text)</p>")
    }

    @Test("cannot smuggle in HTML or a script")
    func harmless() {
        let html = Markdown.html("<script>x</script> [y](javascript:alert(1)) **<img onerror=x>**").text
        #expect(!html.contains("<script") && !html.contains("<img") && !html.contains("javascript:"))
    }

    @Test("may be piled up as high as anybody likes")
    func piles() {
        for text in [
            String(repeating: ">", count: 50_000), String(repeating: "*a", count: 20_000),
            String(repeating: "[", count: 20_000),
        ] {
            #expect(!Markdown.html(text).isEmpty)
        }
    }
}
