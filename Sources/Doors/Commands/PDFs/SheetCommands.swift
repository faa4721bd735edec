import Bytes
import Conversion
import Kinds
import PDF
import Storage
import Work

extension Command {
    static let number = Command(
        name: "number", summary: "put page numbers or Bates numbers on PDF files",
        discussion: """
            Numbers stand upright for the reader, also on turned pages, and within what is left of cut ones. Without \
            --start each page has the number of its place in the file; with it the first page that gets one has that. \
            --bates ABC0001 counts on through all files in the order given, and --continue does so with plain numbers. \
            No desk is needed.
            """,
        arguments: [SheetTask.files], options: SheetTask.options(NumberWish.settings),
        examples: [
            Example(
                "quire number report.pdf -o numbered.pdf --format \"Page {page} of {pages}\" --pages 2-",
                "all pages but the first"),
            Example("quire number a.pdf b.pdf -o case/ --bates ABC0001", "on through both files"),
            Example(
                "quire number book.pdf -o out.pdf --place bottom-right --mirrored",
                "on the outside, printed on both sides"),
        ],
        run: { call in
            let task = SheetTask(call)
            var numbers: PageNumbers?
            let wish: NumberWish = try task.wish()
            try task.said { () throws(ConversionError) in numbers = try PageNumbers(wish) }
            try task.run("Numbering") { paper in
                guard var own = numbers else { return .init(paper: paper) }
                let (made, range) = try own.put(on: paper)
                numbers = own
                let members: [(String, JSON)] = [
                    ("first", .optional(range?.first)), ("last", .optional(range?.last)),
                ]
                return .init(
                    paper: made, members: members,
                    note: range.map { ", \($0.first)–\($0.last)" } ?? ", no page has a number")
            }
        })

    static let stamp = Command(
        name: "stamp", summary: "put words or a picture on the pages of PDF files",
        discussion: """
            --text puts words at a --place of each page; with --watermark large, pale and across it. --picture takes a PNG, \
            JPEG or PDF file. --header and --footer put lines above and below: \
            "left | middle | right". {page} and {pages} stand for numbers, \\n for a new line. --under puts it below what a \
            page shows; scans cover what lies below them. What is put on becomes part of the pages; quire annotate lays \
            notes on them that can be taken off again. No desk is needed.
            """,
        arguments: [SheetTask.files],
        options: SheetTask.options(
            StampWish.settings,
            [
                Option(
                    "picture", "FILE", "a picture: PNG, JPEG or the first page of a PDF", completion: .file),
                Option("watermark", nil, "large, pale and across the page"),
            ]),
        examples: [
            Example("quire stamp offer.pdf -o draft.pdf --text DRAFT --watermark", "across every page"),
            Example(
                "quire stamp letter.pdf -o out.pdf --picture logo.png --place top-left --width 40mm --pages 1",
                "a logo on the first page"),
            Example(
                "quire stamp report.pdf -o out.pdf --header \"Report | | 2026\" --footer \"| {page}/{pages} |\"",
                "lines above and below"),
        ],
        run: { call in
            let task = SheetTask(call)
            var wish: StampWish = try task.wish()
            wish.isWatermark = call.has("watermark")
            if let path = call.value("picture") {
                if !wish.text.isEmpty {
                    throw UsageError(
                        message: "--text and --picture cannot both be said",
                        hint: "Stamp once with each.")
                }
                wish.picture = try withForms { try PDFFile.read(call.absolute(path)) }
            }
            try task.said { () throws(ConversionError) in try wish.check() }
            let stamp = wish
            try task.run("Stamping") { .init(paper: try PDFTools.stamped($0, stamp)) }
        })

    static let nup = Command(
        name: "nup", summary: "put several pages of PDF files on one side of a sheet",
        discussion: """
            Sheets lie or stand, whichever makes the pages larger. Pages are drawn as they look, with what fields and \
            notes show; fields to be filled, links and bookmarks do not come along. No desk is needed.
            """,
        arguments: [SheetTask.files], options: SheetTask.options(NUpWish.settings),
        examples: [
            Example("quire nup slides.pdf -o handout.pdf --count 6 --border --paper a4", "six on each side"),
            Example("quire nup report.pdf -o two.pdf", "two beside each other"),
        ],
        run: { call in
            let task = SheetTask(call)
            let wish: NUpWish = try task.wish()
            try task.run("Laying out") {
                .init(paper: try PDFTools.imposed($0, wish), hints: try drawnOnly($0))
            }
        })

    static let booklet = Command(
        name: "booklet", summary: "order pages for sheets that are folded and stapled",
        discussion: """
            Two pages stand on each side, in the order in which the sheets lie in each other, with empty pages at the end \
            up to a multiple of four. Print on both sides, turned over the short side. Pages are drawn as they look; \
            fields to be filled, links and bookmarks do not come along. No desk is needed.
            """,
        arguments: [SheetTask.files], options: SheetTask.options(BookletWish.settings),
        examples: [
            Example("quire booklet story.pdf -o print.pdf --paper a4", "A5 pages out of A4 sheets"),
            Example("quire booklet manga.pdf -o print.pdf --right-to-left", "read from the right"),
        ],
        run: { call in
            let task = SheetTask(call)
            let wish: BookletWish = try task.wish()
            try task.run("Laying out") { paper in
                let made = try PDFTools.imposed(paper, wish)
                let sides = try PDFTools.pageCount(made.bytes, name: made.name)
                return .init(
                    paper: made, members: [("sheets", .int(sides / 2))],
                    note: ", on \(Words.count(sides / 2, "sheet", "sheets"))", hints: try drawnOnly(paper))
            }
        })

    static let poster = Command(
        name: "poster", summary: "put each page of PDF files on several sheets, for a wall",
        discussion: """
            Each page is made so large that it covers all its sheets, which are lettered from the upper left, row by \
            row. What overlaps is on two sheets, to be glued. Pages are drawn as they look; fields to be filled, links \
            and bookmarks do not come along. No desk is needed.
            """,
        arguments: [SheetTask.files], options: SheetTask.options(PosterWish.settings),
        examples: [
            Example("quire poster notice.pdf -o print.pdf", "on two by two sheets"),
            Example(
                "quire poster map.pdf -o print.pdf --sheets 3x4 --paper a4 --marks",
                "on twelve, with lines to cut"),
        ],
        run: { call in
            let task = SheetTask(call)
            let wish: PosterWish = try task.wish()
            try task.run("Laying out") {
                .init(paper: try PDFTools.poster($0, wish), hints: try drawnOnly($0))
            }
        })

    static let background = Command(
        name: "background", summary: "lay a letterhead, a picture or a colour below pages",
        discussion: """
            --with takes a PDF file, of which the first page goes below the first page and the last below all that are \
            left, or a picture (PNG or JPEG). Each is made as large as fits. Scans cover what lies below them; --over \
            lays it on top. What is laid below becomes part of the pages. No desk is needed.
            """,
        arguments: [SheetTask.files],
        options: SheetTask.options(
            BackgroundWish.settings,
            [Option("with", "FILE", "a PDF file or a picture that lies below", completion: .file)]),
        examples: [
            Example("quire background letter.pdf -o out.pdf --with letterhead.pdf", "on our own paper"),
            Example("quire background form.pdf -o out.pdf --colour #fdf6e3", "a coloured form"),
            Example("quire background plan.pdf -o out.pdf --with grid.png --over --pages 2-", "over it"),
        ],
        run: { call in
            let task = SheetTask(call)
            let wish: BackgroundWish = try task.wish()
            try task.said { () throws(ConversionError) in try wish.check() }
            guard (wish.ink == nil) != (call.value("with") == nil) else {
                throw UsageError(
                    message: "What is to lie below the pages is a file or a colour",
                    hint: "Say --with FILE or --colour COLOUR.")
            }
            let ground = try call.value("with").map { try readGround($0, call) }
            try task.run("Laying below") { .init(paper: try PDFTools.grounded($0, wish, on: ground)) }
        })

    /// A picture becomes a page of its own.
    private static func readGround(_ path: String, _ call: Invocation) throws -> Paper {
        let bytes = try withForms { try PDFFile.read(call.absolute(path)) }
        let name = Files.name(path)
        guard PaperKind.detect(bytes, name: name) != .pdf else { return try PDFWork(call).paper(path) }
        let engines = Engines(jail: Jail.detect(), settings: .ofThisMachine)
        defer { engines.stop() }
        return try withConversion {
            let made = try Converter(engines).convert(
                [ConversionInput(name: name, .bytes(bytes))], to: .pdf, ConversionOptions())
            guard let page = made.papers.first else {
                throw ConversionError.damaged(name, reason: "nothing could be made of it.")
            }
            return page
        }
    }

    static let resize = Command(
        name: "resize", summary: "put the pages of PDF files on A4, Letter or another size",
        discussion: """
            What is on the pages is scaled and put in the middle, fields, notes, links and the places of bookmarks with \
            it; a page that lies stays lying. What was cut off before does not come into the margins. No desk is needed.
            """,
        arguments: [SheetTask.files], options: SheetTask.options(ResizeWish.settings),
        examples: [
            Example("quire resize letter.pdf -o a4.pdf --paper a4", "Letter on A4"),
            Example(
                "quire resize scan.pdf -o out.pdf --paper letter --fit shrink --margin 10mm",
                "never larger than it was"),
        ],
        run: { call in
            let task = SheetTask(call)
            let wish: ResizeWish = try task.wish()
            try task.said { () throws(ConversionError) in try wish.check() }
            try task.run("Resizing") { .init(paper: try PDFTools.resized($0, wish)) }
        })

    static let crop = Command(
        name: "crop", summary: "hide the edges of the pages of PDF files",
        discussion: """
            --by takes a length from all sides, or four: top,right,bottom,left. --auto looks at each page and takes its \
            white margins away; --same does so for all pages alike. What is cut off is hidden, not gone: whoever has the \
            file can bring it back. quire redact takes things out for good. No desk is needed.
            """,
        arguments: [SheetTask.files], options: SheetTask.options(CropWish.settings),
        examples: [
            Example("quire crop slides.pdf -o out.pdf --by 10mm", "a centimetre from each side"),
            Example("quire crop paper.pdf -o out.pdf --auto --same", "white margins, alike on all pages"),
        ],
        run: { call in
            let task = SheetTask(call)
            let wish: CropWish = try task.wish()
            try task.said { () throws(ConversionError) in try wish.check() }
            let engines = Engines(jail: Jail.detect(), settings: .ofThisMachine)
            defer { engines.stop() }
            let tools = PDFTools(engines)
            try task.run("Cutting") {
                .init(
                    paper: try tools.cropped($0, wish),
                    hints: [
                        "What was cut off “\($0.name)” is hidden, not gone: whoever has the file can bring it back."
                    ])
            }
        })

    static let sanitise = Command(
        name: "sanitise", summary: "take scripts, files, links and metadata out of PDF files",
        discussion: """
            Scripts, actions that start programs, files carried inside, links out of the paper, what sends or fetches \
            fields, films and sounds, XFA copies of forms and metadata (also what cameras wrote into photos) are found, \
            told and taken out; then the result is looked through once more. Pages look the same, fields and notes stay. \
            An address that is printed on a page stays printed. --dry-run tells and writes nothing. No desk is needed.
            """,
        arguments: [SheetTask.files],
        options: SheetTask.options(
            SanitiseWish.settings, [Option("dry-run", nil, "say what is in them, and write nothing")]),
        examples: [
            Example("quire sanitise offer.pdf -o clean.pdf", "nothing but its pages"),
            Example("quire sanitise offer.pdf --dry-run", "what is in it"),
            Example("quire sanitise offer.pdf -o clean.pdf --keep links", "everything but links"),
        ],
        run: { call in
            let task = SheetTask(call)
            let wish: SanitiseWish = try task.wish()
            if call.has("dry-run") { return try look(wish, call) }
            try task.run("Taking out") { paper in
                let (made, found) = try PDFTools.sanitised(paper, wish)
                return .init(
                    paper: made, members: [("found", .array(found.map(\.json)))],
                    note: found.isEmpty
                        ? ", nothing had to be taken out"
                        : "\n" + found.map { "  " + TextTable.harmless($0.words) }.joined(separator: "\n"))
            }
        })

    private static func look(_ wish: SanitiseWish, _ call: Invocation) throws {
        var views: [JSON] = []
        var lines = ""
        for path in call.arguments {
            let paper = try PDFWork(call).paper(path)
            let found = try withConversion { try PDFTools.findings(in: paper, wish) }
            views.append(["from": .string(call.absolute(path)), "found": .array(found.map(\.json))])
            lines += "\(TextTable.harmless(path)):\(found.isEmpty ? " nothing of the kind" : "")\n"
            for one in found { lines += "  \(TextTable.harmless(one.words))\n" }
        }
        call.answer(["files": .array(views)]) { lines + "Nothing was written.\n" }
    }

    private static func drawnOnly(_ paper: Paper) throws -> [String] {
        [try PDFTools.onlyDrawn(paper)].compactMap(\.self)
    }
}
