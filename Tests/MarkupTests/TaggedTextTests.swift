import Markup
import Testing

@Suite("What stands between tags")
struct TaggedTextTests {
    @Test(
        "Letters written as words become letters, and nothing else does",
        arguments: [
            ("&nbsp;&yuml;&Agrave;&times;&divide;", "\u{A0}ÿÀ×÷"), ("&#8364; &#x20ac; &euro;", "€ € €"),
            (
                "a & b &c; &; &#; &#x; &#0; &#xD800; &#99999999;",
                "a & b &c; &; &#; &#x; &#0; &#xD800; &#99999999;"
            ),
            ("&amp;lt;", "&lt;"), ("plain", "plain"),
        ])
    func letters(text: String, plain: String) {
        #expect(Entities.plain(text) == plain)
    }

    @Test(
        "Words hold together within a line, and part where a page shows a new one",
        arguments: [
            ("<p>one</p><p>two</p>", "one\ntwo"),
            ("<P>un<B>usu</B>al\n  <i> words</i></P>", "unusual words\n"),
            ("a<br/>b<hr>c", "a\nb\nc"), ("<td>1</td><td>2</td>", "1\n2\n"),
            ("a<!-- b > c -->d<![CDATA[<e>&amp;]]>f<?php g ?>h", "ad<e>&amp;fh"),
            ("<style>a</style >b<script>if (1<2) '</p>'</SCRIPT>c<script>d", "b\nc\n"),
            ("1 < 2 <> 3", "1 < 2 <> 3"), ("end <", "end "), ("cut <p", "cut\n"), ("", ""),
        ])
    func lines(page: String, words: String) {
        #expect(TaggedText.page.words(Array(page.utf8)).trimmed == words.trimmed)
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
