import Browsing
import Markup

/// Papers that are no pages yet, dressed as ones for the browser to print.
enum PageDress {
    static func html(title: String, body: HTML, style: String) -> [UInt8] {
        let page: HTML = """
            <!doctype html><html><head><meta charset="utf-8"><title>\(title)</title>
            <style>\(raw: style)</style></head><body>\(body)</body></html>
            """
        return Array(page.text.utf8)
    }

    static func text(_ text: String, title: String) -> [UInt8] {
        html(
            title: title, body: "<pre>\(text)</pre>",
            style: """
                @page { margin: 18mm 15mm; }
                pre { font: 9.5pt/1.35 "Liberation Mono", "Noto Sans Mono", monospace; white-space: pre-wrap; \
                overflow-wrap: anywhere; tab-size: 8; margin: 0; }
                """)
    }

    static func markdown(_ text: String, title: String) -> [UInt8] {
        let (lifted, blocks) = MarkdownBlocks.lifted(out: text)
        let text = MarkdownHabits.plain(lifted)
        // Pictures are put in afterwards: letters, which the same Markdown is for, must not fetch any.
        var pictures: [(words: String, address: String)] = []
        var prepared = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "![") {
            prepared += rest[..<start.lowerBound]
            let after = rest[start.upperBound...]
            if let middle = after.firstRange(of: "]("),
                let end = after[middle.upperBound...].firstIndex(of: ")"),
                !after[..<end].contains(where: \.isNewline)
            {
                let address = after[middle.upperBound..<end].prefix { !$0.isWhitespace }
                pictures.append((String(after[..<middle.lowerBound]), String(address)))
                prepared += "\u{E000}\(pictures.count - 1)\u{E001}"
                rest = after[after.index(after: end)...]
            } else {
                prepared += "!["
                rest = after
            }
        }
        prepared += rest
        var body = Markdown.html(prepared).text
        for (number, picture) in pictures.enumerated() {
            let tag: HTML = "<img alt=\"\(picture.words)\" src=\"\(picture.address)\">"
            if let mark = body.firstRange(of: "\u{E000}\(number)\u{E001}") {
                body.replaceSubrange(mark, with: tag.text)
            }
        }
        body = MarkdownBlocks.put(blocks, into: body)
        let heading = prepared.split(whereSeparator: \.isNewline).first { $0.hasPrefix("# ") }
            .map { String($0.dropFirst(2)) }
        return html(title: heading ?? title, body: .raw(body), style: Self.prose)
    }

    /// A drawing on a sheet of its own size, unless another is wanted.
    static func drawing(file: String, title: String, fillsSheet: Bool) -> [UInt8] {
        let page: HTML = """
            <!doctype html><html><head><meta charset="utf-8"><title>\(title)</title>
            <style>html, body { margin: 0; } img { display: block; \
            \(raw: fillsSheet ? "max-width: 100%; max-height: 99vh; margin: auto;" : "") }</style></head>
            <body><img src="\(file)"><script>
            const image = document.images[0];
            const size = () => {
                if (\(raw: fillsSheet ? "true" : "false")) return;
                const width = image.naturalWidth || 800, height = image.naturalHeight || 600;
                const scale = Math.min(1, 19000 / Math.max(width, height));
                image.style.width = width * scale + 'px';
                const style = document.createElement('style');
                style.textContent = `@page { size: ${Math.ceil(width * scale)}px ${Math.ceil(height * scale) + 1}px; margin: 0; }`;
                document.head.append(style);
            };
            if (image.complete) size(); else image.onload = size;
            </script></body></html>
            """
        return Array(page.text.utf8)
    }

    static let prose = """
        @page { margin: 20mm 18mm; }
        body { font: 11pt/1.5 "Noto Sans", "Liberation Sans", sans-serif; color: #111; margin: 0; }
        h1, h2, h3, h4 { line-height: 1.2; break-after: avoid; margin: 1.2em 0 .4em; }
        h1 { font-size: 1.8em; margin-top: 0; } h2 { font-size: 1.35em; } h3 { font-size: 1.15em; }
        p, ul, ol, table, pre, blockquote { margin: 0 0 .8em; }
        code, pre { font-family: "Noto Sans Mono", "Liberation Mono", monospace; font-size: .88em; }
        pre { background: #f4f4f4; padding: .6em .8em; white-space: pre-wrap; overflow-wrap: anywhere; }
        blockquote { border-inline-start: 3px solid #ccc; padding-inline-start: .8em; color: #444; }
        table { border-collapse: collapse; } th, td { border: 1px solid #bbb; padding: .25em .5em; text-align: start; }
        th { background: #f0f0f0; } img { max-width: 100%; } tr, img { break-inside: avoid; }
        """
}
