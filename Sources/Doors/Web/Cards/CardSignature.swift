import App
import Bytes
import CardCase
import HTTP
import Markup
import Storage
import WebAssets

/// A card at the end of a mail: a table with its rules written into it, which is all that mail programs agree upon, and
/// the same in plain letters. It runs nothing and asks for nothing, unless the picture is wanted.
struct CardSignature: Sendable {
    /// As everybody may see it.
    var card: OwnCard
    var texts: Texts
    /// Where it lies; nil where others cannot go.
    var address: String?
    /// The address of the picture, or the picture itself.
    var photo: String?

    private var name: String { card.shownName(for: texts.language.tag) }

    private var place: String {
        [card.organization, card.department].filter { !$0.isEmpty && $0 != name }.joined(separator: ", ")
    }

    /// Telephones, addresses and accounts, each on its line.
    private struct Line {
        var text: String
        var link: String?
    }

    private var lines: [Line] {
        let fields = card.fields.map { Line(text: texts.line(of: $0), link: $0.link) }
        guard let address else { return fields }
        return fields + [Line(text: Self.withoutScheme(address), link: address)]
    }

    private static func withoutScheme(_ address: String) -> String {
        address.split(separator: "://", maxSplits: 1).last.map(String.init) ?? address
    }

    var html: HTML {
        let colours = card.theme.light
        let accent = CardTheme.css(colours.accent)
        let soft = CardTheme.css(colours.soft)
        let picture: HTML =
            photo.map {
                "<td style=\"padding:0 14px 0 0;vertical-align:top\"><img src=\"\(picture: $0)\" width=\"72\" height=\"72\" alt=\"\" style=\"display:block;border:0;border-radius:36px\"></td>"
            } ?? .empty
        let about = [(card.title, CardTheme.css(colours.text)), (place, soft), (card.accreditations, soft)]
            .filter { !$0.0.isEmpty }.map { text, colour -> HTML in
                "<tr><td dir=\"auto\" style=\"padding:0;color:\(colour)\">\(text)</td></tr>"
            }
        let rows = lines.map { line -> HTML in
            let text: HTML =
                line.link.map {
                    "<a href=\"\(url: $0)\" style=\"color:\(accent);text-decoration:none\">\(line.text)</a>"
                } ?? "\(line.text)"
            return "<tr><td dir=\"auto\" style=\"padding:0;color:\(soft)\">\(text)</td></tr>"
        }
        let gap: HTML =
            rows.isEmpty ? .empty : "<tr><td style=\"padding:0;height:6px;line-height:6px\">&#160;</td></tr>"
        return """
            <table role="presentation" lang="\(texts.language.tag)" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px">\
            <tr>\(picture)<td style="padding:0 0 0 12px;border-left:3px solid \(accent);vertical-align:top">\
            <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px">\
            <tr><td dir="auto" style="padding:0;font-size:16px;line-height:22px;font-weight:bold;color:\(CardTheme.css(colours.text))">\(name)</td></tr>\
            \(about)\(gap)\(rows)</table></td></tr></table>
            """
    }

    /// To be looked at by itself.
    var page: HTML {
        """
        <!doctype html>
        <html lang="\(texts.language.tag)"><head><meta charset="utf-8"><title>\(name)</title></head>
        <body style="margin:12px;background:#ffffff">\(html)</body></html>
        """
    }

    /// Without links, what they lead to is said.
    var plain: String {
        var text = ([name, card.title, place, card.accreditations].filter { !$0.isEmpty })
        text += card.fields.map { field in
            guard let link = field.link, link.hasPrefix("http"), field.kind.form != .page else {
                return texts.line(of: field)
            }
            return "\(texts.name(of: field)) · \(Self.withoutScheme(link))"
        }
        if let address { text.append(address) }
        return text.map { $0 + "\n" }.joined()
    }

    var json: JSON {
        [
            "html": .string(html.text), "text": .string(plain), "photo": .bool(photo != nil),
            "address": .optional(address),
        ]
    }
}

extension HTML.StringInterpolation {
    /// A picture by its address, or one of ours that is written out.
    fileprivate mutating func appendInterpolation(picture address: String) {
        if address.hasPrefix("data:image/jpeg;base64,") {
            appendInterpolation(address)
        } else {
            appendInterpolation(url: address)
        }
    }
}

extension Visit {
    /// Nothing that is not public goes into mails.
    func signature(of own: OwnCard) throws -> CardSignature {
        let card = own.seen(by: .everybody)
        var photo: String?
        if request.query["photo"] == "yes", let bytes = try quire.cards.picture(.photo, of: card) {
            // Many mail programs show no picture that is written out, but nobody outside reaches this desk.
            photo =
                isReachable
                ? "\(address(of: card))/photo" : "data:image/jpeg;base64,\(Base64.encode(bytes))"
        }
        return CardSignature(
            card: card, texts: texts(of: card), address: isReachable ? address(of: card) : nil, photo: photo)
    }
}
