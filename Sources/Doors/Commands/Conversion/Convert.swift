import Browsing
import Bytes
import Conversion
import Glibc
import Office
import Pictures
import Storage
import Transfer
import Work

extension Command {
    static let convert = Command(
        name: "convert", summary: "turn papers of any kind into PDF, and PDF into other kinds",
        discussion: """
            Takes office papers, web pages (files and addresses), pictures, e-books, mail, Markdown and text. What a file \
            is, is seen by its contents, whatever it is called. Pictures that follow each other become one PDF; with \
            --out and a name that ends in .pdf everything does. JPEG and JPEG 2000 pictures go in untouched.

            --then does something with the results, as often as it is said and in that order: \
            \(PaperStep.words.map(\.word).joined(separator: ", ")).

            Everything is read in a jail without network. A web page is fetched by Quire on the page's behalf, and never \
            from a private address unless --allow-private says so. `quire doctor` says which engines are there and which \
            package brings those that are not. No desk is needed.
            """,
        arguments: [
            Argument(
                name: "INPUT", summary: "files, or addresses of web pages", isRepeating: true,
                completion: .file)
        ],
        options: ConvertWork.options,
        examples: [
            Example("quire convert letter.docx", "letter.pdf beside where you are"),
            Example(
                "quire convert *.jpg -o album.pdf --page-size a4 --margin 10mm", "photos on sheets of paper"),
            Example("quire convert example.com -o page.pdf --reader", "a web page without its clutter"),
            Example(
                "quire convert scan.pdf -o found.pdf --then ocr=eng+deu --then pdfa",
                "words that can be found"),
            Example("quire convert report.pdf --to png --dpi 200 -o pages/", "a picture of every page"),
            Example(
                "quire convert a.docx b.xlsx c.png --then merge --then compress -o all.pdf",
                "one after another"),
        ],
        run: { call in try ConvertWork(call).run() })
}

/// One call of `quire convert`.
struct ConvertWork {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    static let options: [Option] = [
        Option("out", letter: "o", "RESULT", "the file or the folder to write", completion: .file),
        Option("to", "KIND", "what to make: pdf, png, jpg, webp, txt, csv, xlsx, docx, odt, …"),
        Option("then", "STEP", "what to do with the results, one after the other", isRepeating: true),
        Option("by-name", nil, "in the order of their names, numbers as numbers, not in the order given"),
        Option("pages", "PAGES", "only these pages: 1-3,7"),
        Option("password", "PASSWORD", "opens locked papers"),
        Option(
            "page-size", "SIZE", "of pictures and web pages: auto, a4, letter, a3, a5, legal or 210mmx297mm"),
        Option("margin", "LENGTH", "around pictures and web pages: 10mm, 0.5in, 36pt"),
        Option("fit", "HOW", "pictures on their sheets", completion: .choices(["into", "shrink", "fill"])),
        Option("landscape", nil, "sheets lie on their long side"),
        Option("scale", "NUMBER", "of web pages, 0.1 to 2"),
        Option("background", nil, "print colours and pictures behind the words of web pages"),
        Option("one-page", nil, "a web page on one sheet, as long as it takes"),
        Option("reader", nil, "only what a web page is about"),
        Option("outline", nil, "bookmarks from a web page's headings"),
        Option("tagged", nil, "marked up for screen readers (PDF/UA for office papers)"),
        Option("media", "KIND", "how web pages dress", completion: .choices(["print", "screen"])),
        Option("no-scripts", nil, "web pages without their scripts"),
        Option("wait", "SECONDS", "before a web page is printed"),
        Option("wait-for", "SELECTOR", "until this is found on a web page"),
        Option("header", "NAME: VALUE", "sent along when fetching web pages", isRepeating: true),
        Option("cookie", "NAME=VALUE", "sent along to the web page's host", isRepeating: true),
        Option("allow-network", nil, "files that are web pages may fetch from the web"),
        Option("allow-private", nil, "web pages may be fetched from this machine and its neighbours"),
        Option("pdfa", "KIND", "PDF/A for archives", completion: .choices(["1b", "2b", "3b"])),
        Option(
            "changes", "HOW", "tracked changes of office papers", completion: .choices(["shown", "hidden"])),
        Option("quality", "PERCENT", "of JPEG pictures made, and of those in office papers"),
        Option("dpi", "DOTS", "of pictures of pages, to an inch; 150 if not said"),
        Option("append-attachments", nil, "attachments of a mail behind it, where they can become PDF"),
        Option("time", "SECONDS", "after which a paper is given up; 120 if not said"),
        PDFWork.force,
    ]

    func run() throws {
        let steps = try (call.options["then"] ?? []).map { text in try withConversion { try PaperStep(text) }
        }
        let goal = try goal()
        let options = try options()
        let engines = Engines(jail: Jail.detect())
        defer { engines.stop() }
        let converter = Converter(engines)
        var inputs = call.arguments.map(input)
        if call.has("by-name") { inputs.sort { PaperNames.areInOrder($0.name, $1.name) } }
        let (papers, report) = try call.withProgress("Converting") { progress in
            try withConversion {
                let made = try converter.convert(inputs, to: goal, options, progress: progress)
                var report = made.report
                var papers = try PaperSteps(converter, options, progress: progress).run(
                    steps, on: made.papers, report: &report)
                if papers.count > 1, isOneFile, papers.allSatisfy({ $0.kind == .pdf }) {
                    papers = try PaperSteps(converter, options, progress: progress).run(
                        [.merge], on: papers, report: &report)
                }
                return (papers, report)
            }
        }
        try keep(papers, report)
    }

    private var isOneFile: Bool {
        guard let out = call.value("out") else { return false }
        return !out.hasSuffix("/") && !Files.isFolder(call.absolute(out))
    }

    private func goal() throws -> PaperKind {
        if let word = call.value("to") {
            guard let kind = PaperKind.named(word) else {
                throw UsageError(
                    message: "--to does not know “\(word)”", hint: "For example pdf, png, txt, xlsx, docx.")
            }
            return kind
        }
        guard let out = call.value("out"), isOneFile else { return .pdf }
        return call.has("then") ? .pdf : PaperKind.named(PaperKind.ending(of: out)) ?? .pdf
    }

    private func input(_ text: String) -> ConversionInput {
        let path = call.absolute(text)
        let isAddress =
            text.hasPrefix("http://") || text.hasPrefix("https://")
            || !Files.exists(path) && text.contains(".") && !text.contains(" ") && !text.hasPrefix("/")
                && PaperKind.named(PaperKind.ending(of: text)) == nil
        if isAddress { return ConversionInput(name: text, .address(text)) }
        var input = ConversionInput(name: Files.name(text), .file(path))
        input.folder = path.lastIndex(of: "/").map { String(path[..<$0]) }
        return input
    }

    private func options() throws -> ConversionOptions {
        var options = ConversionOptions()
        options.password = call.value("password")
        options.pages = call.value("pages")
        options.isAccessible = call.has("tagged")
        options.appendsAttachments = call.has("append-attachments")
        options.print.isLandscape = call.has("landscape")
        options.office.isLandscape = call.has("landscape")
        options.print.printsBackground = call.has("background")
        options.print.isOnePage = call.has("one-page")
        options.print.outlines = call.has("outline")
        options.load.isReaderView = call.has("reader")
        options.load.runsScripts = !call.has("no-scripts")
        options.load.selector = call.value("wait-for")
        if call.value("media") == "screen" { options.load.media = .screen }
        if let fit = call.value("fit") {
            guard let how = PictureLayout.Fit(rawValue: fit) else {
                throw UsageError(
                    message: "--fit does not know “\(fit)”", hint: "It knows into, shrink and fill.")
            }
            options.pictures.fit = how
        }
        if let text = call.value("margin") {
            let points = try Length.points(text, option: "margin")
            options.pictures.margin = points
            options.print.setMargins(inches: points / 72)
        }
        try size(&options)
        if let scale = try number("scale", 0.1...2) { options.print.scale = scale }
        if let wait = try number("wait", 0...600) { options.load.delay = .milliseconds(Int64(wait * 1000)) }
        let time = try number("time", 1...3600) ?? 120
        options.load.time = .milliseconds(Int64(time * 1000))
        options.office.time = options.load.time
        if let quality = try number("quality", 1...100) {
            options.pictureQuality = Int(quality)
            options.screenshot.quality = Int(quality)
            options.office.export["Quality"] = .number(Int(quality))
        }
        if let dots = try number("dpi", 10...1200) { options.dotsPerInch = Int(dots) }
        if let text = call.value("pdfa") {
            guard case .archive(let part) = try withConversion({ try PaperStep("pdfa=" + text) }) else {
                return options
            }
            options.archivePart = part
        }
        if let changes = call.value("changes") {
            guard ["shown", "hidden"].contains(changes) else {
                throw UsageError(
                    message: "--changes does not know “\(changes)”", hint: "It knows shown and hidden.")
            }
            options.office.showsChanges = changes == "shown"
        }
        try web(&options)
        return options
    }

    private func size(_ options: inout ConversionOptions) throws {
        guard let text = call.value("page-size")?.lowercased(), text != "auto" else { return }
        let known: [String: (Double, Double)] = [
            "a3": (841.89, 1190.55), "a4": (595.276, 841.89), "a5": (419.53, 595.276), "letter": (612, 792),
            "legal": (612, 1008),
        ]
        var size = known[text]
        if size == nil {
            let parts = text.split(separator: "x").map(String.init)
            if parts.count == 2 {
                size = (
                    try Length.points(parts[0], option: "page-size"),
                    try Length.points(parts[1], option: "page-size")
                )
            }
        }
        guard let (width, height) = size else {
            throw UsageError(
                message: "--page-size does not know “\(text)”",
                hint: "It knows auto, a3, a4, a5, letter, legal, 210mmx297mm.")
        }
        options.pictures.size = .sheet(width: width, height: height)
        options.print.paperWidth = width / 72
        options.print.paperHeight = height / 72
    }

    private func web(_ options: inout ConversionOptions) throws {
        var web = WebAccess(guardian: call.has("allow-private") ? .anywhere : .publicOnly)
        for header in call.options["header"] ?? [] {
            guard let colon = header.firstIndex(of: ":"), colon != header.startIndex else {
                throw UsageError(
                    message: "--header takes a name and a value",
                    hint: "For example --header 'Accept-Language: de'.")
            }
            let value = header[header.index(after: colon)...].drop { $0 == " " }
            web.headers.append(.init(String(header[..<colon]), String(value)))
        }
        let host = call.arguments.first { $0.contains("://") || $0.contains(".") }.map { text in
            String(
                (text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]).prefix {
                    !"/:?#".contains($0)
                })
        }
        for cookie in call.options["cookie"] ?? [] {
            guard let equal = cookie.firstIndex(of: "="), equal != cookie.startIndex else {
                throw UsageError(
                    message: "--cookie takes a name and a value", hint: "For example --cookie session=abc.")
            }
            web.cookies.append(
                .init(
                    String(cookie[..<equal]), String(cookie[cookie.index(after: equal)...]),
                    domain: host ?? ""))
        }
        // Files of one's own fetch nothing unless they may; addresses are there to be fetched.
        let hasAddress = call.arguments.contains {
            if case .address = input($0).source { true } else { false }
        }
        if hasAddress || call.has("allow-network") || call.has("allow-private") { options.web = web }
    }

    private func number(_ name: String, _ range: ClosedRange<Double>) throws -> Double? {
        guard let text = call.value(name) else { return nil }
        guard let value = Double(text), range.contains(value) else {
            throw UsageError(
                message:
                    "--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”",
                hint: "For example --\(name) \(Int(range.lowerBound) + 1).")
        }
        return value
    }

    private func keep(_ papers: [Paper], _ report: ConversionReport) throws {
        let out = call.value("out").map { call.absolute($0) }
        var places: [String] = []
        if let out, isOneFile {
            guard papers.count == 1 else {
                throw Failure(
                    .invalid,
                    "There are \(papers.count) results. Give a folder with --out FOLDER/, or put them together with --then merge."
                )
            }
            places = [out]
        } else {
            let folder = out.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? call.folder
            if !Files.isFolder(folder), mkdir(folder, 0o755) != 0 {
                throw Failure(.unavailable, "“\(folder)” could not be made: \(Files.reason).")
            }
            places = Self.apart(papers.map { "\(folder)/\($0.name)" })
        }
        var files: [JSON] = []
        for (paper, place) in zip(papers, places) {
            try writeWhole(paper.bytes, to: place, overwrites: call.has("force"))
            files.append([
                "file": .string(place), "kind": .string(paper.kind.name),
                "byteCount": .int(paper.bytes.count),
            ])
        }
        call.answer(["files": .array(files), "report": report.json]) {
            zip(papers, places).map { "\($1): \(Words.size(Int64($0.bytes.count)))\n" }.joined()
        }
        tell(report)
    }

    /// Two results may have one name, as `a.docx` and `a.png` do.
    private static func apart(_ places: [String]) -> [String] {
        var taken: Set<String> = []
        return places.map { place in
            var name = place
            var number = 2
            while !taken.insert(name).inserted {
                let dot = place.lastIndex(of: ".") ?? place.endIndex
                name = "\(place[..<dot]) \(number)\(place[dot...])"
                number += 1
            }
            return name
        }
    }

    private func tell(_ report: ConversionReport) {
        for font in report.substitutedFonts {
            call.hint(
                "The font \(font.wanted) is not installed; \(font.taken.isEmpty ? "another" : font.taken) was taken."
            )
        }
        for resource in report.blocked.prefix(10) {
            call.hint("Not fetched: \(resource.address) (\(resource.reason))")
        }
        for resource in report.failed.prefix(10) {
            call.hint("Missing: \(resource.address) (\(resource.reason))")
        }
        for remark in report.remarks { call.hint(remark) }
        if call.isVerbose { for line in report.consoleErrors { call.hint("The page says: \(line)") } }
    }
}

extension ConversionReport {
    /// For programs.
    var json: JSON {
        func resources(_ list: [PageReport.Resource]) -> JSON {
            .array(
                list.map { item in
                    [
                        "address": .string(item.address), "status": .optional(item.status),
                        "reason": .string(item.reason),
                    ]
                })
        }
        return [
            "pages": .optional(pageCount), "seconds": .number(seconds),
            "legs": .array(
                legs.map {
                    ["paper": .string($0.name), "engine": .string($0.engine), "seconds": .number($0.seconds)]
                }),
            "substitutedFonts": .array(
                substitutedFonts.map { ["wanted": .string($0.wanted), "taken": .string($0.taken)] }),
            "blocked": resources(blocked), "failed": resources(failed),
            "consoleErrors": .array(consoleErrors.map(JSON.string)),
            "remarks": .array(remarks.map(JSON.string)),
        ]
    }
}

/// Does `work` and tells what goes wrong with a conversion as a person is told it.
func withConversion<R>(_ work: () throws -> R) throws -> R {
    do {
        return try work()
    } catch let error as ConversionError {
        let code: Failure.Code =
            switch error {
            case .unreadableFile: .notFound
            case .unknownKind, .noWay: .unsupported
            case .missing, .busy, .engineFailed: .unavailable
            case .passwordNeeded, .wrongPassword: .denied
            case .passwordNotNeeded, .badOption: .invalid
            case .damaged, .page: .damaged
            case .tooLarge: .tooLarge
            case .timedOut: .unavailable
            case .cancelled: .cancelled
            }
        throw Failure(code, error.description)
    }
}

/// Lengths as people write them.
enum Length {
    static func points(_ text: String, option: String) throws -> Double {
        let units: [(String, Double)] = [
            ("mm", 72 / 25.4), ("cm", 72 / 2.54), ("in", 72), ("pt", 1), ("px", 0.75),
        ]
        let found = units.first { text.hasSuffix($0.0) }
        let digits = found.map { String(text.dropLast($0.0.count)) } ?? text
        guard let value = Double(digits), value >= 0, value < 100_000 else {
            throw UsageError(
                message: "--\(option) takes a length, not “\(text)”", hint: "For example 10mm, 0.5in or 36pt."
            )
        }
        return value * (found?.1 ?? 1)
    }
}
