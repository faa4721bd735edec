import Markup
public import Pictures
public import Storage

/// What stands above the words of a letter that goes out as a page: whose it is, by the logo or the name, with the colour.
///
/// Mail programs know neither style sheets nor addresses of a desk, so the style stands at each piece and the logo goes along.
public struct MailHead: Sendable, Equatable {
    public var name: String
    public var logo: Digest?
    public var colour: Shade

    public init(name: String, logo: Digest?, colour: Shade) {
        self.name = name
        self.logo = logo
        self.colour = colour
    }

    private static let (begins, ends) = ("<!--head-->", "<!--/head-->")

    /// The name of a picture inside a mail.
    static func contentID(_ digest: Digest) -> String { "\(digest.hex.prefix(32))@quire" }

    /// The letter with the head put on. One that goes out as text alone has none.
    func put(on draft: inout OutboxMessage.Draft) {
        guard let page = draft.html else { return }
        draft.html = above(page)
        if let file { draft.attachments.append(file) }
    }

    func above(_ page: String) -> String {
        guard let body = page.firstRange(of: "<body"),
            let end = page[body.upperBound...].firstIndex(of: ">")
        else { return Self.begins + html.text + Self.ends + page }
        let place = page.index(after: end)
        return String(page[..<place]) + "\n" + Self.begins + html.text + Self.ends + page[place...]
    }

    var file: OutboxMessage.Attachment? {
        logo.map { .init(fileName: "logo.jpg", mediaType: "image/jpeg", digest: $0) }
    }

    /// A logo stands on white, as it was drawn; a name on the colour, in black or white.
    var html: HTML {
        guard let logo else {
            return """
                <div style="background: \(colour.css); color: \(colour.onTop.css); padding: 14px 18px; margin: 0 0 20px; \
                font-size: 20px; font-weight: 600">\(name)</div>
                """
        }
        return """
            <div style="background: #ffffff; border-bottom: 4px solid \(colour.css); padding: 12px; margin: 0 0 20px">\
            <img src="cid:\(Self.contentID(logo))" alt="\(name)" height="48" style="display: block; height: 48px; width: auto"></div>
            """
    }

    /// A letter as it was written, to be shown on a page of ours.
    public static func without(_ page: String) -> String {
        guard let start = page.firstRange(of: begins), let end = page.firstRange(of: ends),
            start.upperBound <= end.lowerBound
        else { return page }
        return String(page[..<start.lowerBound]) + page[end.upperBound...]
    }
}

extension OutboxMessage {
    /// What the page shows, and what lies beside it.
    func isShown(_ file: Attachment) -> Bool {
        html?.contains("cid:\(MailHead.contentID(file.digest))") ?? false
    }
}
