import Browsing
import Office
import Pictures
import Scanning
import Transfer

/// An option that was written in a way nobody understands.
public struct OptionError: Error, Sendable, Equatable, CustomStringConvertible {
    public var name: String
    public var message: String
    /// How to write it instead.
    public var hint: String

    public var description: String { "\(message). \(hint)" }
}

/// Options as people and programs write them. The command line, the web app and the API read theirs here, so that what
/// can be said to one can be said to all.
extension ConversionOptions {
    public struct Word: Sendable {
        public let name: String
        /// What to write behind it; nil for what is on or off.
        public let placeholder: String?
        public let summary: String
        public var choices: [String] = []
        public var isRepeating = false

        fileprivate init(
            _ name: String, _ placeholder: String?, _ summary: String, choices: [String] = [],
            isRepeating: Bool = false
        ) {
            self.name = name
            self.placeholder = placeholder
            self.summary = summary
            self.choices = choices
            self.isRepeating = isRepeating
        }

        /// As JSON has it: `pageSize` for `page-size`.
        public var key: String {
            let parts = name.split(separator: "-")
            return (parts.first.map(String.init) ?? "")
                + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        }
    }

    public static let words: [Word] = [
        Word("pages", "PAGES", "only these pages: 1-3,7"),
        Word("password", "PASSWORD", "opens locked papers"),
        Word(
            "page-size", "SIZE",
            "of pictures and web pages: auto, a4, letter, a3, a5, legal, 210mmx297mm; picture: as large as it is"
        ),
        Word("margin", "LENGTH", "around pictures and web pages: 10mm, 0.5in, 36pt"),
        Word(
            "fit", "HOW", "pictures on their sheets", choices: PictureLayout.Fit.allCases.map(\.rawValue)),
        Word(
            "scan", "LOOK", "sheets in photos are found, cut out, turned upright and cleaned",
            choices: Look.words.map(\.word)),
        Word(
            "scan-size", "SIZE", "of the sheets in photos; by their shape if not said",
            choices: PaperSize.words.map(\.word)),
        Word("scan-sides", nil, "two photos each, the sides of a card, on one sheet"),
        Word("landscape", nil, "sheets lie on their long side"),
        Word("scale", "NUMBER", "of web pages, 0.1 to 2"),
        Word("background", nil, "print colours and pictures behind the words of web pages"),
        Word("one-page", nil, "a web page on one sheet, as long as it takes"),
        Word("reader", nil, "only what a web page is about"),
        Word("outline", nil, "bookmarks from a web page's headings"),
        Word("tagged", nil, "marked up for screen readers (PDF/UA for office papers)"),
        Word("media", "KIND", "how web pages dress", choices: ["print", "screen"]),
        Word("page-header", "HTML", "above each sheet of a web page; classes title, date, pageNumber, …"),
        Word("page-footer", "HTML", "below each sheet of a web page; classes as above"),
        Word("no-scripts", nil, "web pages without their scripts"),
        Word("wait", "SECONDS", "before a web page is printed"),
        Word("wait-for", "SELECTOR", "until this is found on a web page"),
        Word("wait-until", "EXPRESSION", "until this is true on a web page"),
        Word("width", "PIXELS", "of the window a web page is pictured in"),
        Word("header", "NAME: VALUE", "sent along when fetching web pages", isRepeating: true),
        Word("cookie", "NAME=VALUE", "sent along to the web page's host", isRepeating: true),
        Word(
            "allow-address", "EXPRESSION", "fetch only addresses this expression is found in",
            isRepeating: true),
        Word(
            "deny-address", "EXPRESSION", "fetch no address this expression is found in", isRepeating: true),
        Word("allow-network", nil, "files that are web pages may fetch from the web"),
        Word("pdfa", "KIND", "PDF/A for archives", choices: ["1b", "2b", "3b"]),
        Word("changes", "HOW", "tracked changes of office papers", choices: ["shown", "hidden"]),
        Word("quality", "PERCENT", "of JPEG pictures made, and of those in office papers"),
        Word("dpi", "DOTS", "of pictures of pages, to an inch; 150 if not said"),
        Word("append-attachments", nil, "attachments of a mail behind it, where they can become PDF"),
        Word("time", "SECONDS", "after which a paper is given up; 120 if not said"),
    ]

    /// Heeds one option; what is on or off is on when it is said at all.
    public mutating func take(_ name: String, _ value: String) throws(OptionError) {
        switch name {
        case "pages": pages = value
        case "password": password = value
        case "page-size": try takeSize(value)
        case "margin":
            let points = try Self.points(value, name)
            pictures.margin = points
            print.setMargins(inches: points / 72)
        case "fit": pictures.fit = PictureLayout.Fit(rawValue: try Self.choice(name, value)) ?? .into
        case "scan":
            let word = try Self.choice(name, value)
            scan = Look.words.first { $0.word == word }?.look
        case "scan-size":
            let word = try Self.choice(name, value)
            scanSize = PaperSize.words.first { $0.word == word }?.size
        case "scan-sides": scansSides = true
        case "landscape":
            print.isLandscape = true
            office.isLandscape = true
        case "scale": print.scale = try Self.number(name, value, 0.1...2)
        case "background": print.printsBackground = true
        case "one-page": print.isOnePage = true
        case "reader": load.isReaderView = true
        case "outline": print.outlines = true
        case "tagged": isAccessible = true
        case "media": load.media = try Self.choice(name, value) == "screen" ? .screen : .print
        case "page-header": print.header = value
        case "page-footer": print.footer = value
        case "no-scripts": load.runsScripts = false
        case "wait": load.delay = .milliseconds(Int64(try Self.number(name, value, 0...600) * 1000))
        case "wait-for": load.selector = value
        case "wait-until": load.expression = value
        case "width": load.windowWidth = Int(try Self.number(name, value, 100...8000))
        case "header": try takeHeader(value)
        case "cookie": try takeCookie(value)
        case "allow-address": web.allowed.append(try Self.expression(name, value))
        case "deny-address": web.denied.append(try Self.expression(name, value))
        case "allow-network": filesMayFetch = true
        case "pdfa": archivePart = Int(try Self.choice(name, value).prefix(1))
        case "changes": office.showsChanges = try Self.choice(name, value) == "shown"
        case "quality":
            let quality = Int(try Self.number(name, value, 1...100))
            pictureQuality = quality
            screenshot.quality = quality
            office.export["Quality"] = .number(quality)
        case "dpi": dotsPerInch = Int(try Self.number(name, value, 10...1200))
        case "append-attachments": appendsAttachments = true
        case "time":
            load.time = .milliseconds(Int64(try Self.number(name, value, 1...3600) * 1000))
            office.time = load.time
        default:
            throw OptionError(
                name: name, message: "There is no option “\(name)”", hint: "quire convert --help names them."
            )
        }
    }

    static let sheets: [String: (width: Double, height: Double)] = [
        "a3": (841.89, 1190.55), "a4": (595.276, 841.89), "a5": (419.53, 595.276), "letter": (612, 792),
        "legal": (612, 1008),
    ]

    private mutating func takeSize(_ value: String) throws(OptionError) {
        let text = value.lowercased()
        if text == "picture" { return pictures.size = .picture }
        if text == "auto" { return use(usualSheet, always: false) }
        if text.hasPrefix("auto-"), let usual = Self.sheets[String(text.dropFirst(5))] {
            usualSheet = usual
            return use(usual, always: false)
        }
        var sheet = Self.sheets[text]
        let parts = text.split(separator: "x").map(String.init)
        if sheet == nil, parts.count == 2 {
            sheet = (try Self.points(parts[0], "page-size"), try Self.points(parts[1], "page-size"))
        }
        guard let sheet, sheet.width >= 10, sheet.height >= 10 else {
            throw OptionError(
                name: "page-size", message: "--page-size does not know “\(value)”",
                hint: "It knows auto, a3, a4, a5, letter, legal, 210mmx297mm, picture.")
        }
        use(sheet, always: true)
    }

    /// `always`: also for pictures that have a size of their own.
    private mutating func use(_ sheet: (width: Double, height: Double), always: Bool) {
        pictures.size =
            always
            ? .sheet(width: sheet.width, height: sheet.height)
            : .usual(width: sheet.width, height: sheet.height)
        print.paperWidth = sheet.width / 72
        print.paperHeight = sheet.height / 72
    }

    /// Where letters are written on Letter (ISO 3166); elsewhere on A4.
    private static let letterRegions: Set<String> = [
        "US", "CA", "MX", "PH", "CL", "CO", "CR", "DO", "GT", "HN", "NI", "PA", "PR", "SV", "VE",
    ]

    /// What `auto` is in the region of a locale or a language: `auto-a4` for `de_DE.UTF-8`.
    public static func usualSize(of locale: String) -> String { "auto-" + usualSheet(of: locale) }

    private static func usualSheet(of locale: String) -> String {
        let tag = locale.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
        let region = tag.split(separator: "-" as Character).dropFirst().last { $0.count == 2 }
        return region.map { letterRegions.contains($0.uppercased()) } ?? true ? "letter" : "a4"
    }

    /// Photos and web pages stand on the sheets that people of this locale (`de_DE.UTF-8`) or language (`fr-CA`) have, where
    /// nothing else is said.
    public mutating func useSheets(of locale: String) {
        usualSheet = Self.sheets[Self.usualSheet(of: locale)] ?? usualSheet
        use(usualSheet, always: false)
    }

    private mutating func takeHeader(_ text: String) throws(OptionError) {
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex,
            !text.contains(where: \.isNewline)
        else {
            throw OptionError(
                name: "header", message: "--header takes a name and a value",
                hint: "For example --header 'Accept-Language: de'.")
        }
        let value = text[text.index(after: colon)...].drop { $0 == " " }
        web.headers.append(.init(String(text[..<colon]), String(value)))
    }

    /// Its host is that of the page, whichever that will be.
    private mutating func takeCookie(_ text: String) throws(OptionError) {
        guard let equal = text.firstIndex(of: "="), equal != text.startIndex,
            !text.contains(where: \.isNewline)
        else {
            throw OptionError(
                name: "cookie", message: "--cookie takes a name and a value",
                hint: "For example --cookie session=abc.")
        }
        web.cookies.append(
            .init(String(text[..<equal]), String(text[text.index(after: equal)...]), domain: ""))
    }

    private static func choice(_ name: String, _ value: String) throws(OptionError) -> String {
        let choices = words.first { $0.name == name }?.choices ?? []
        guard choices.contains(value) else {
            throw OptionError(
                name: name, message: "--\(name) does not know “\(value)”",
                hint: "It knows \(choices.joined(separator: ", ")).")
        }
        return value
    }

    private static func number(
        _ name: String, _ text: String, _ range: ClosedRange<Double>
    ) throws(OptionError) -> Double {
        guard let value = Double(text), range.contains(value) else {
            throw OptionError(
                name: name,
                message:
                    "--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”",
                hint: "For example --\(name) \(Int(range.lowerBound) + 1).")
        }
        return value
    }

    private static func expression(_ name: String, _ text: String) throws(OptionError) -> String {
        guard !text.isEmpty, (try? Regex(text)) != nil else {
            throw OptionError(
                name: name, message: "--\(name) takes a regular expression, not “\(text)”",
                hint: "For example --\(name) '^https://example\\.org/'.")
        }
        return text
    }

    /// Lengths as people write them.
    static func points(_ text: String, _ name: String) throws(OptionError) -> Double {
        let units: [(String, Double)] = [
            ("mm", 72 / 25.4), ("cm", 72 / 2.54), ("in", 72), ("pt", 1), ("px", 0.75),
        ]
        let found = units.first { text.hasSuffix($0.0) }
        let digits = found.map { String(text.dropLast($0.0.count)) } ?? text
        guard let value = Double(digits), value >= 0, value < 100_000 else {
            throw OptionError(
                name: name, message: "--\(name) takes a length, not “\(text)”",
                hint: "For example 10mm, 0.5in or 36pt.")
        }
        return value * (found?.1 ?? 1)
    }
}
