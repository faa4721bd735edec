import Browsing
import Markup
import Transfer

extension MailFile {
    /// Everything as a page; pictures of the message lie beside it.
    func page() -> PageSource {
        let heads = [("From", from), ("To", to), ("Cc", cc), ("Date", date)].filter { !$0.1.isEmpty }
        let head = heads.map { head -> HTML in "<tr><th>\(head.0)</th><td>\(head.1)</td></tr>" }
        var body: HTML
        if html != nil {
            // In a frame of its own, so that its styles stay with it; the frame grows to what it holds.
            body = "<div class=\"message\"><iframe src=\"message.html\" scrolling=\"no\"></iframe></div>"
        } else {
            body = "<pre>\(plain ?? "")</pre>"
        }
        if !attachments.isEmpty {
            let items = attachments.map { item -> HTML in
                "<li>\(item.name.isEmpty ? "attachment" : item.name) <span>(\(item.mediaType), \(item.bytes.count) bytes)</span></li>"
            }
            body += "<section class=\"attachments\"><h2>Attachments</h2><ul>\(items)</ul></section>"
        }
        let page: HTML = """
            <header><h1>\(subject)</h1><table>\(head)</table></header>\(body)
            <script>
            addEventListener('load', () => {
                for (const frame of document.querySelectorAll('iframe')) {
                    const inner = frame.contentDocument;
                    if (!inner) continue;
                    frame.style.height = Math.max(inner.documentElement.scrollHeight, inner.body.scrollHeight) + 'px';
                }
            });
            </script>
            """
        var files: [String: PageSource.File] = [:]
        for picture in inline {
            files["cid/" + picture.id] = .init(picture.bytes, mediaType: picture.mediaType)
        }
        files["index.html"] = .init(
            PageDress.html(title: subject, body: page, style: Self.style),
            mediaType: "text/html; charset=utf-8")
        if let html {
            // No script of a stranger's runs, whatever the page around it does.
            let rule = "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'\">"
            files["message.html"] = .init(
                Array((rule + Self.resolved(html)).utf8), mediaType: "text/html; charset=utf-8")
        }
        return PageSource(.file("index.html"), files: files)
    }

    private static let style =
        PageDress.prose + """
            header { border-bottom: 1px solid #bbb; margin-bottom: 1em; padding-bottom: .6em; }
            header h1 { font-size: 1.3em; } header table { border: 0; } header th, header td { border: 0; background: none; \
            padding: 0 .8em 0 0; font-size: .9em; vertical-align: top; } header th { color: #666; font-weight: normal; }
            pre { background: none; padding: 0; font: inherit; } iframe { border: 0; width: 100%; }
            .attachments { border-top: 1px solid #bbb; margin-top: 1em; } .attachments h2 { font-size: 1em; }
            .attachments span { color: #666; }
            """

    /// Pictures inside the message are asked for by their ids.
    private static func resolved(_ html: String) -> String {
        var result = ""
        var rest = html[...]
        while let found = rest.firstRange(of: "cid:") {
            result += rest[..<found.lowerBound] + "cid/"
            rest = rest[found.upperBound...]
        }
        return result + rest
    }
}
