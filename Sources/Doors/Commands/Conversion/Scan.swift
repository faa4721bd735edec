import Bytes
import Conversion
import Kinds
import Office
import PDFReading
import Scanning
import Storage
import Work

extension Command {
    static let scan = Command(
        name: "scan", summary: "photos of papers become one searchable PDF",
        discussion: """
            Each sheet is found in its photo, cut out, turned upright and cleaned: light evened out, paper white, ink dark. \
            Words are read, so that they can be found. A photo without a sheet stays a photo, as a page of its own.

            What was found is told by --json: corners, how sure they are (0 to 1; below 0.7 have a look), size, turn, words and \
            bytes. That answer is what --corners-json takes: put corners right in it and scan again. Or write a list with an \
            entry for each photo: four corners as [x, y] in pixels, clockwise from the page's top left, or null where they are \
            to be looked for. No desk is needed, and nothing leaves this machine.
            """,
        arguments: [
            Argument(
                name: "PHOTO", summary: "JPEG, PNG, WebP or HEIC, in the order of the pages",
                isRepeating: true,
                completion: .file)
        ],
        options: [
            Option("out", letter: "o", "RESULT", "the file to write", completion: .file),
            Option(
                "look", "LOOK", "auto, colour, grey, bw or photo; auto unless said",
                completion: .choices(Look.words.map(\.word))),
            Option(
                "size", "SIZE", "auto, a4, letter, receipt, card, or book for two open pages",
                completion: .choices(PaperSize.words.map(\.word))),
            Option("sides", nil, "two photos each, the sides of a card, on one sheet"),
            Option("language", "LANGUAGES", "in which words are read: eng+fra; found out unless said"),
            Option("no-text", nil, "words are not read"),
            Option("corners-json", "FILE", "where sheets lie in the photos", completion: .file),
            Option("keep-photo", nil, "the photos lie in the PDF as attachments"),
            PDFWork.force,
        ],
        examples: [
            Example(
                "quire scan letter-1.jpg letter-2.jpg --out letter.pdf", "two pages that can be searched"),
            Example("quire scan *.heic --out papers.pdf --look bw", "as small as it gets"),
            Example(
                "quire scan receipt.jpg --out receipt.pdf --size receipt --language eng+fra", "a receipt"),
            Example("quire scan front.jpg back.jpg --out card.pdf --sides", "an identity card, both sides"),
            Example("quire scan book-*.jpg --out chapter.pdf --size book", "two pages of each photo"),
            Example(
                "quire scan form.jpg --out form.pdf --corners-json found.json --force", "corners put right"),
        ],
        run: { call in try ScanWork(call).run() })
}

/// One call of `quire scan`.
struct ScanWork {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func run() throws {
        guard let out = call.value("out") else {
            throw UsageError(message: "\(call.title) needs --out RESULT", hint: "For example --out scan.pdf.")
        }
        let wish = try wish()
        let place = call.absolute(out)
        // Before minutes of work, not behind them.
        if Files.exists(place), !call.has("force") {
            throw Failure(.conflict, "“\(place)” is there already. Say --force to replace it.")
        }
        let photos = call.arguments.map { ConversionInput(name: Files.name($0), .file(call.absolute($0))) }
        let engines = Engines(jail: Jail.detect())
        defer { engines.stop() }
        let title = Paper(name: Files.name(out), kind: .pdf, bytes: []).title
        let result = try call.withProgress("Scanning") { progress in
            try withConversion {
                try PaperScans(Converter(engines), progress: progress).scan(photos, wish, title: title)
            }
        }
        try writeWhole(result.paper.bytes, to: place, overwrites: call.has("force"))
        tell(result, place)
    }

    private func wish() throws -> PaperScans.Wish {
        var wish = PaperScans.Wish()
        wish.look = try chosen("look", Look.words.map { ($0.word, $0.look) }) ?? .automatic
        wish.size = try chosen("size", PaperSize.words.map { ($0.word, $0.size) }) ?? nil
        if call.has("sides") {
            guard ["card", nil].contains(call.value("size")?.lowercased()) else {
                throw UsageError(
                    message: "--sides is for cards", hint: "Leave out --size, or say --size card.")
            }
            wish.putSidesTogether(of: call.environment.locale)
        }
        if call.has("no-text") {
            guard call.value("language") == nil else {
                throw UsageError(
                    message: "--language and --no-text say opposite things", hint: "Leave one of them out.")
            }
            wish.languages = nil
        } else if let languages = call.value("language") {
            wish.languages = languages
        }
        wish.keepsPhotos = call.has("keep-photo")
        if let file = call.value("corners-json") {
            wish.corners = try corners(in: file)
        }
        return wish
    }

    private func chosen<Value>(_ name: String, _ choices: [(word: String, value: Value)]) throws -> Value? {
        guard let word = call.value(name) else { return nil }
        // As it is written on the other side of the sea.
        let spelled =
            word.lowercased() == "color" ? "colour" : word.lowercased() == "gray" ? "grey" : word.lowercased()
        guard let choice = choices.first(where: { $0.word == spelled }) else {
            throw UsageError(
                message: "--\(name) does not know “\(word)”",
                hint: "Say \(choices.map(\.word).joined(separator: ", ")).")
        }
        return choice.value
    }

    private func corners(in file: String) throws -> [Corners?] {
        let bytes = try Files.read(call.absolute(file), atMost: 16 << 20)
        let wrong = Failure(
            .invalid,
            "“\(file)” holds no corners: four [x, y] or null for each photo, or what --json told.")
        guard let json = try? JSON(parsing: bytes) else { throw wrong }
        // An open book has two pages and one outline.
        let entries = (json["pages"]?.array ?? json.array ?? []).filter { $0["side"]?.string != "right" }
        guard entries.count == call.arguments.count else {
            throw Failure(
                .invalid,
                "“\(file)” holds corners for \(entries.count) photos, and \(call.arguments.count) were given."
            )
        }
        return try entries.map { entry -> Corners? in
            let isWhole = entry["whole"]?.bool ?? false
            let list = entry["corners"] ?? entry
            if list == .null || isWhole { return nil }
            guard let corners = Corners(list) else { throw wrong }
            guard corners.isConvex else {
                throw Failure(
                    .invalid,
                    "Four corners in “\(file)” make no sheet. Give them one after the other around it.")
            }
            return corners
        }
    }

    private func tell(_ result: PaperScans.Result, _ place: String) {
        let pages = result.pages
        let view: JSON = [
            "file": .string(place), "byteCount": .int(result.paper.bytes.count),
            "pages": .array(pages.map(Self.view)),
            "remarks": .array(result.report.remarks.map(JSON.string)),
        ]
        call.answer(view) {
            let words = pages.reduce(0) { $0 + $1.wordCount }
            let size = Words.size(Int64(result.paper.bytes.count))
            let lines = pages.map { page in
                page.plan.isWhole
                    ? "  \(page.name): no sheet found, kept as a photo\n"
                    : "  \(page.name): \(page.side.map { "\($0.rawValue) page" } ?? Self.word(page.plan.size)), \(Self.word(page.look))\n"
            }
            let count = call.has("sides") ? (pages.count + 1) / 2 : pages.count
            return "\(place): \(Words.count(count, "page", "pages")), "
                + "\(Words.count(words, "word", "words")), \(size)\n" + lines.joined()
        }
        for page in pages
        where !page.plan.isWhole && page.confidence < Finding.sure
            && page.side != .right
        {
            call.hint("Have a look at “\(page.name)”: its corners are not certain.")
        }
        for remark in result.report.remarks { call.hint(remark) }
    }

    private static func view(_ page: PaperScans.Page) -> JSON {
        let (plan, outline) = (page.plan, page.outline ?? page.plan)
        func tenths(_ value: Float) -> JSON { .number((Double(value) * 10).rounded() / 10) }
        return [
            "photo": .string(page.name), "whole": .bool(plan.isWhole),
            "side": .optional(page.side?.rawValue), "corners": outline.corners.json,
            "confidence": .number((Double(page.confidence) * 100).rounded() / 100),
            "size": .string(page.side == nil ? word(plan.size) : "book"), "turn": .int(outline.turns * 90),
            "skew": tenths(outline.skew),
            "look": .string(word(page.look)), "width": .int(plan.width), "height": .int(plan.height),
            "words": .int(page.wordCount), "byteCount": .int(page.byteCount),
            "photoByteCount": .int(page.photoByteCount),
        ]
    }

    private static func word(_ look: Look) -> String { Look.words.first { $0.look == look }?.word ?? "auto" }

    private static func word(_ size: PaperSize) -> String {
        switch size {
        case .seen: "as seen"
        case .a4: "a4"
        case .letter: "letter"
        case .legal: "legal"
        case .card: "card"
        case .businessCard: "business card"
        case .receipt: "receipt"
        case .book: "book"
        }
    }
}
