import Markup
import Work

/// The small things pages are made of.
enum Part {
    static func header(
        _ frame: Frame, _ title: String, lede: String? = nil, crumbs: [(name: String, address: String)] = [],
        actions: HTML = .empty
    ) -> HTML {
        let trail: HTML =
            crumbs.isEmpty
            ? .empty
            : """
            <nav aria-label="\(frame.texts("shell.crumbs"))"><ol class="crumbs">\
            \(crumbs.map { "<li><a href=\"\(url: $0.address)\">\($0.name)</a></li>" as HTML })</ol></nav>
            """
        return """
            <header class="page-header">\(trail)
            <div class="page-header-line"><h1>\(title)</h1>\(lede.map { "<p class=\"lede\">\($0)</p>" as HTML })
            \(actions.isEmpty ? HTML.empty : "<div class=\"row\">\(actions)</div>")</div></header>
            """
    }

    /// What can be done with what was chosen. On a phone many acts stand below each other, behind one button.
    static func selectionBar(_ frame: Frame, _ acts: HTML, areMany: Bool = true) -> HTML {
        let t = frame.texts
        let more: HTML =
            areMany
            ? """
            <button class="button selection-more" type="button" aria-expanded="false" aria-controls="selection-acts">\(t("selection.acts"))</button>\
            <div class="selection-acts" id="selection-acts">\(acts)</div>
            """ : acts
        return """
            <div class="selection-bar" role="group" aria-label="\(t("documents.selection"))">\
            <span data-selected>\(t("documents.selection"))</span><span class="push"></span>\(more)</div>
            """
    }

    enum Mood: Sendable { case plain, good, warn, bad }

    static func note(_ frame: Frame, _ mood: Mood, _ content: HTML, role: String? = nil) -> HTML {
        let (css, icon): (String, Icon) =
            switch mood {
            case .plain: ("", .info)
            case .good: ("", .check)
            case .warn: (" notice-warn", .warning)
            case .bad: (" notice-bad", .warning)
            }
        return """
            <div class="notice\(css)"\(attribute: "role", role)>\(frame.icon(icon))<div class="stack stack-s">\(content)</div></div>
            """
    }

    /// What is being worked on, and how far it is; nil where that cannot be told.
    static func working(_ frame: Frame, _ text: String, _ fraction: Double?) -> HTML {
        note(
            frame, .plain,
            """
            <p>\(text)</p>\
            <progress data-moving aria-label="\(text)"\(attribute: "value", fraction.map { "\($0)" })></progress>
            """, role: "status")
    }

    static func chip(_ frame: Frame, _ text: String, _ mood: Mood = .plain, icon: Icon? = nil) -> HTML {
        let css =
            switch mood {
            case .plain: ""
            case .good: " chip-good"
            case .warn: " chip-warn"
            case .bad: " chip-bad"
            }
        return "<span class=\"chip\(css)\">\(icon.map { frame.icon($0) })\(text)</span>"
    }

    /// A moment: the machine form for scripts off, the reader's own form as soon as the browser formats it.
    static func time(_ moment: Moment, style: TimeStyle = .relative) -> HTML {
        let text = moment.iso8601
        return """
            <local-time show="\(style.rawValue)"><time datetime="\(text)">\(readable(text))</time></local-time>
            """
    }

    /// A day on the calendar, wherever one reads it.
    static func day(_ day: String) -> HTML {
        "<local-time show=\"day\"><time datetime=\"\(day)\">\(day)</time></local-time>"
    }

    enum TimeStyle: String, Sendable { case relative, date, full = "date-time" }

    /// `2026-11-21 11:35 UTC`
    private static func readable(_ iso: String) -> String {
        "\(iso.prefix(10)) \(iso.dropFirst(11).prefix(5)) UTC"
    }

    static func number(_ value: Int) -> HTML {
        "<local-number value=\"\(value)\">\(value)</local-number>"
    }

    static func size(_ byteCount: Int64) -> HTML {
        "<local-number kind=\"bytes\" value=\"\(byteCount)\">\(roughSize(byteCount))</local-number>"
    }

    private static func roughSize(_ byteCount: Int64) -> String {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var value = Double(byteCount)
        var unit = 0
        while value >= 1000, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        let tenths = Int(value * 10)
        return unit == 0 || tenths >= 100
            ? "\(Int(value)) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// A sheet of paper that says what it holds; two or three letters are enough to recognise it.
    static func sheet(_ mediaType: String, name: String = "", large: Bool = false) -> HTML {
        let kind = SheetKind(mediaType: mediaType, name: name)
        return """
            <span class="sheet sheet-\(kind.css)\(large ? " sheet-l" : "")" aria-hidden="true">\(kind.letters)</span>
            """
    }

    struct SheetKind: Sendable {
        var css: String
        var letters: String

        init(mediaType: String, name: String) {
            let essence = mediaType.prefix { $0 != ";" }
            let ending = name.split(separator: ".").dropFirst().last.map { $0.prefix(4).uppercased() }
            switch essence {
            case "application/pdf": (css, letters) = ("pdf", "PDF")
            case let image where image.hasPrefix("image/"): (css, letters) = ("image", ending ?? "IMG")
            case "text/csv": (css, letters) = ("table", "CSV")
            case let sheet where sheet.contains("spreadsheet"): (css, letters) = ("table", ending ?? "XLS")
            case let text where text.hasPrefix("text/"): (css, letters) = ("text", ending ?? "TXT")
            default: (css, letters) = ("other", ending ?? "")
            }
        }
    }

    /// A picture, a few words, a way on. Where nothing else is on the page its title is the page's.
    static func empty(
        _ frame: Frame, icon: Icon, title: String, isPageTitle: Bool = false, _ content: HTML,
        actions: HTML = .empty
    ) -> HTML {
        let heading: HTML = isPageTitle ? "<h1>\(title)</h1>" : "<h2>\(title)</h2>"
        return """
            <div class="empty">\(frame.icon(icon))\(heading)\(content)\
            \(actions.isEmpty ? HTML.empty : "<div class=\"row\">\(actions)</div>")</div>
            """
    }

    static func link(
        _ frame: Frame, _ address: String, _ label: String, icon: Icon? = nil, css: String? = "button"
    ) -> HTML {
        "<a\(attribute: "class", css) href=\"\(url: address)\">\(icon.map { frame.icon($0) })\(label)</a>"
    }

    /// What is shown only this once: where one is as soon as the page is there, however far down it stands.
    static func secret(_ text: String) -> HTML {
        "<p dir=\"ltr\" tabindex=\"-1\" autofocus class=\"secret\">\(text)</p>"
    }

    /// A link that was just made, and a word about it where others cannot follow it.
    static func newLink(_ frame: Frame, _ address: String) -> HTML {
        """
        \(secret(address))\(Guardian.isOnlyHere(address) ? "<div class=\"problem\">\(frame.icon(.warning, small: true))<div>\(onlyHere(frame))</div></div>" : .empty)
        """
    }

    /// Who can do something about it is told what.
    static func onlyHere(_ frame: Frame) -> HTML {
        frame.isOwner
            ? "<p>\(frame.texts("link.onlyHere.owner"))</p><p><code>quire serve --lan</code></p>"
            : "<p>\(frame.texts("link.onlyHere"))</p>"
    }

    /// `rich` is the same as HTML, for programs that take it.
    static func copy(_ frame: Frame, _ text: String, rich: String? = nil) -> HTML {
        """
        <copy-button><button class="button button-s" type="button" data-copy="\(text)"\(attribute: "data-copy-rich", rich)>\(frame.icon(.copy))\
        <span>\(frame.texts("part.copy"))</span></button></copy-button>
        """
    }

    /// The device's own way of handing a link on, where it has one.
    static func giveAway(_ frame: Frame, _ address: String, name: String) -> HTML {
        """
        <share-button hidden address="\(address)" name="\(name)"><button class="button button-s" type="button">\
        \(frame.icon(.share))\(frame.texts("shares.give"))</button></share-button>
        """
    }

    static func card(_ title: String, id: String? = nil, aside: HTML = .empty, _ content: HTML) -> HTML {
        """
        <section class="card"\(attribute: "id", id)><div class="card-head"><h2>\(title)</h2>\(aside)</div>
        \(content)</section>
        """
    }

    /// A card that is opened by whoever looks for what is in it. What leads to its id opens it, too.
    static func fold(_ title: String, id: String, isOpen: Bool = false, _ content: HTML) -> HTML {
        """
        <details class="card fold"\(attribute: "open", if: isOpen)><summary><h2>\(title)</h2></summary>\
        <div class="stack" id="\(id)">\(content)</div></details>
        """
    }

    static func menuLink(
        _ frame: Frame, _ address: String, _ icon: Icon, _ name: String, _ hint: String? = nil
    ) -> HTML {
        """
        <a class="menu-item" href="\(url: address)">\(frame.icon(icon))\
        <span>\(name)\(hint.map { "<small>\($0)</small>" as HTML })</span></a>
        """
    }

    /// The same for what changes something.
    static func menuButton(
        _ frame: Frame, _ method: String = "POST", _ action: String, _ icon: Icon, _ name: String,
        css: String = "menu-item", fields: HTML = .empty
    ) -> HTML {
        Form.form(
            frame, method, action, css: nil,
            "\(fields)<button class=\"\(css)\">\(frame.icon(icon))<span>\(name)</span></button>")
    }

    static func list(_ items: [HTML]) -> HTML {
        "<ul class=\"list\">\(items.map { "<li>\($0)</li>" as HTML })</ul>"
    }

    static func facts(_ facts: [(name: String, value: HTML)]) -> HTML {
        "<dl class=\"facts\">\(facts.map { "<div><dt>\($0.name)</dt><dd>\($0.value)</dd></div>" as HTML })</dl>"
    }

    /// What happens to papers that are put somewhere.
    enum UploadGoal: Sendable {
        /// Each goes into the library as it is, perhaps into a folder.
        case library(folder: String?)
        /// They are gathered in a conversion of their own, perhaps with steps and a name that can be changed there.
        case newConversion(steps: [String] = [], name: String? = nil)
        /// The same, with what a tool does with them.
        case tool(Tool)
        /// They come behind those of a conversion, of which there are so many.
        case conversion(String, behind: Int)
    }

    enum UploadSource: Sendable {
        case files, photos, camera

        var accept: String? { self == .files ? nil : "image/*" }
        var capture: String? { self == .camera ? "environment" : nil }
    }

    /// Where to put papers. Without scripts it is an ordinary file field with a button. A quiet one is not seen until
    /// something is dropped or pasted; where one reviews, what is pasted is looked at before it is kept.
    static func uploadZone(
        _ frame: Frame, _ source: UploadSource = .files, to goal: UploadGoal = .library(folder: nil),
        next: String? = nil, hint: String = "upload.hint", unpacks: Bool = false, isQuiet: Bool = false,
        reviews: Bool = false
    ) -> HTML {
        let t = frame.texts
        let camera = source != .files
        let action: String
        var gathers: HTML = .empty
        var wishes: HTML = .empty
        var folder: String?
        var takesFolders = false
        switch goal {
        case .library(let place):
            takesFolders = !camera && !isQuiet
            action = "/documents" + (place.map { "?folder=\($0)" } ?? "")
            folder = place
        case .newConversion(let steps, let name):
            action = "/conversions"
            gathers = " gathers"
            wishes = """
                \(Pages.stepsKept(steps))\(name.map { "<input type=\"hidden\" name=\"name\" value=\"\($0)\">" as HTML })
                """
        case .tool(let tool):
            action = "/conversions"
            gathers = " gathers\(attribute: "asks", tool.asks ? tool.name : nil)"
            let step = tool.asks ? nil : tool.step
            wishes = """
                \(Pages.stepsKept(step.map { [$0] } ?? []))<input type="hidden" name="together" value="\(tool.joins ? "1" : "0")">\
                <input type="hidden" name="tool" value="\(tool.name)">
                """
        case .conversion(let id, let count):
            action = "/conversions/\(id)/papers"
            gathers = " gathers=\"\(id)\" behind=\"\(count)\""
        }
        return """
            <upload-zone action="\(url: action)"\(gathers)\(attribute: "next", next)\(attribute: "class", isQuiet ? "quiet" : nil)\
            \(attribute: "reviews", if: reviews)\(attribute: "folder", reviews ? folder : nil)>
            <form class="drop" method="post" action="\(url: action)" enctype="multipart/form-data">\(Form.csrf(frame))\(wishes)
            \(frame.icon(camera ? .camera : .upload))
            <label for="upload-files"><strong class="with-script">\(t(camera ? "upload.photo" : "upload.drop"))</strong>\
            <strong class="without-script">\(t("upload.choose"))</strong>\
            <span class="button with-script">\(frame.icon(camera ? .camera : .plus))\(t("upload.choose"))</span></label>
            <input id="upload-files" type="file" name="file" multiple\(attribute: "accept", source.accept)\
            \(attribute: "capture", source.capture)>
            \(takesFolders ? "<button class=\"button button-quiet with-script\" type=\"button\" data-choose-folder hidden>\(frame.icon(.folder))\(t("upload.chooseFolder"))</button>" : .empty)
            <p class="drop-hint">\(t(hint))</p>
            \(unpacks ? Form.check(name: "unpack", label: t("upload.unpack"), isOn: true) : .empty)
            <button class="button button-main without-script">\(t("upload.send"))</button>
            </form>
            <ul class="list uploads" aria-label="\(t("upload.list"))"></ul>
            <p class="unseen" role="status" data-status></p>
            </upload-zone>
            """
    }
}
