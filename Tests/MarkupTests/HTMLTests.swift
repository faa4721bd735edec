import Markup
import Testing

@Suite("HTML")
struct HTMLTests {
    @Test("Text put into a page is escaped, also inside attributes")
    func escapesText() {
        let name = #"<img src=x onerror="alert('1')"> & co"#
        let html: HTML = "<a title=\"\(name)\">\(name)</a>"
        let safe = "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; co"
        #expect(html.text == "<a title=\"\(safe)\">\(safe)</a>")
    }

    @Test("HTML put into HTML stays what it is")
    func composes() {
        let item: (String) -> HTML = { "<li>\($0)</li>" }
        let list: HTML = "<ul>\(["a", "<"].map(item))</ul>\(nil as HTML?)\(3)"
        #expect(list.text == "<ul><li>a</li><li>&lt;</li></ul>3")
    }

    @Test("Names in any script come through whole")
    func keepsUnicode() {
        #expect(HTML(plain: "Zoë & 李明 <👩🏽‍🚀>").text == "Zoë &amp; 李明 &lt;👩🏽‍🚀&gt;")
        #expect(HTML(plain: "<").text == "&lt;")
        #expect(HTML(plain: "").text.isEmpty)
        #expect(HTML(plain: "a\u{0}b").text == "a\u{FFFD}b")
    }

    @Test(
        "An address that could run script is blocked",
        arguments: [
            "javascript:alert(1)", "JavaScript:alert(1)", " javascript:x", "java\nscript:x",
            "\u{1}javascript:x",
            "data:text/html,<script>", "vbscript:x", "jar:http://x", "java\tscript:x",
        ])
    func blocksScriptAddresses(address: String) {
        let html: HTML = "<a href=\"\(url: address)\">"
        #expect(html.text == "<a href=\"about:blank#blocked\">")
    }

    @Test(
        "Ordinary addresses pass",
        arguments: [
            "/documents/1?q=a", "https://example.org/a:b", "mailto:ana@example.org", "tel:+15145550100",
            "#top",
            "?page=2", "a/b:c", "",
        ])
    func letsOrdinaryAddressesPass(address: String) {
        let html: HTML = "\(url: address)"
        #expect(html.text == address)
    }

    @Test("Attributes are written only when they hold")
    func writesAttributes() {
        let html: HTML =
            "<input\(attribute: "value", "a\"b")\(attribute: "title", nil)\(attribute: "required", if: true)>"
        #expect(html.text == "<input value=\"a&quot;b\" required>")
        let off: HTML = "<p\(attribute: "hidden", if: false)>"
        #expect(off.text == "<p>")
    }

    @Test("JSON in a script block cannot close the block")
    func guardsScriptBlocks() {
        let html: HTML = "<script type=\"application/json\">\(script: #"{"a":"</script>&"}"#)</script>"
        #expect(
            html.text == #"<script type="application/json">{"a":"\u003c/script\u003e\u0026"}</script>"#)
    }
}
