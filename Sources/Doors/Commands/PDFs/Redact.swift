import Bytes
import Converting
import Markup
import PDF
import PDFDrawing
import PDFReading
import Redaction
import Storage
import Web
import WebAssets
import Work

extension Command {
    static let redact = Command(
        name: "redact", summary: "black out words, places or pages of PDF files for good",
        discussion: """
            What is found is taken out, not covered: letters, what pictures show under the boxes, fields with their values, \
            notes, links, bookmarks and tags that say it; attachments, scripts, metadata and everything earlier states of the \
            file held go as well. Then it is proven, by reading the result in two ways, searching every byte and comparing \
            pictures of the pages; where anything is left in doubt, nothing is written. The files given are never changed.

            Words are whole words, whatever their capitals; a star stands for the rest of a word. Patterns are mail, phone, \
            account (IBAN, card and account numbers) and ssn. --dry-run shows each hit and writes nothing; those in a \
            file given with --except stay where they stand. Pages that are \
            pictures without words cannot be searched and are refused; quire searchable gives them words, and --area and \
            --pages black out what one sees. How long a word was can still be seen. No desk is needed.
            """,
        arguments: [
            Argument(
                name: "FILE", summary: "PDF files, or folders of them", isRepeating: true, completion: .file)
        ],
        options: [
            Option(
                "out", letter: "o", "RESULT", "the file to write, or a folder for several", completion: .file),
            Option(
                "words", "LIST",
                "words and phrases, with semicolons between them: \"Ann Miller; 12 Main Street\"",
                isRepeating: true),
            Option("words-file", "FILE", "the same from a file, one on each line", completion: .file),
            Option("pattern", "NAMES", "mail, phone, account, ssn, with commas", isRepeating: true),
            Option("find", "EXPRESSION", "a regular expression", isRepeating: true),
            Option(
                "area", "PAGE:X,Y,W,H", "a place, in points from the upper left corner of the page",
                isRepeating: true),
            Option(
                "areas", "FILE",
                "places from a file: [{\"page\":1,\"x\":72,\"y\":90,\"width\":200,\"height\":14}]",
                completion: .file),
            Option("pages", "PAGES", "whole pages, like 1-3,7"),
            Option(
                "except", "FILE",
                "hits that stay, from a file: those of --dry-run --json that were looked at and are fine",
                completion: .file),
            Option("colour", "COLOUR", "of the boxes: black, grey or white"),
            Option("as-pictures", nil, "pages with boxes become pictures of themselves"),
            Option("skip-pictures", nil, "leave pages alone whose words cannot be read, and say which"),
            Option("dry-run", nil, "show what would be blacked out, and write nothing"),
            Option(
                "proof", "FILE", "keep what was proven: as text, or as PDF or JSON by its name",
                completion: .file),
            PDFWork.force, PDFWork.password,
        ],
        examples: [
            Example(
                "quire redact statement.pdf -o clean.pdf --words \"Ann Miller\" --pattern account,phone",
                "a name, account and telephone numbers"),
            Example(
                "quire redact letters/ --pattern mail --dry-run",
                "which addresses stand in a folder of papers"),
            Example(
                "quire redact scan.pdf -o clean.pdf --area 1:72,90,200,40 --proof proof.txt",
                "a place of a scan, and the proof beside it"),
        ],
        run: { call in
            let files = try Self.files(call)
            let wishes = try Self.wish(call)
            guard PageReader.isReady else {
                throw Failure(
                    .unavailable, "Blacking out needs Poppler to prove what it did. Install poppler-utils.")
            }
            if call.has("dry-run") { return try Self.preview(files, wishes, call) }
            try Self.redact(files, wishes, call)
        })

    private static func files(_ call: Invocation) throws -> [String] {
        var files: [String] = []
        for argument in call.arguments {
            let path = call.absolute(argument)
            guard Files.isFolder(path) else {
                files.append(path)
                continue
            }
            let found = try Files.below(path, depth: 1).filter { $0.lowercased().hasSuffix(".pdf") }
            if found.isEmpty { throw Failure(.notFound, "There is no PDF file in “\(argument)”.") }
            files += found
        }
        return files
    }

    private static func wish(_ call: Invocation) throws -> RedactionWish {
        var wish = RedactionWish()
        var words = (call.options["words"] ?? []).flatMap { $0.split(separator: ";").map(String.init) }
        if let path = call.value("words-file") {
            let text = String(decoding: try PDFFile.read(call.absolute(path)), as: UTF8.self)
            words += text.split(whereSeparator: \.isNewline).map(String.init)
        }
        wish.words = words.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
        for name in (call.options["pattern"] ?? []).flatMap({ $0.split(separator: ",") }) {
            let known = RedactionWish.Pattern.allCases
            let word = name.filter { $0 != " " }.lowercased()
            guard let pattern = RedactionWish.Pattern(rawValue: word) else {
                throw UsageError(
                    message: "--pattern does not know “\(name)”",
                    hint: "It knows \(known.map(\.rawValue).joined(separator: ", ")).")
            }
            wish.patterns.insert(pattern)
        }
        wish.expressions = call.options["find"] ?? []
        if let text = call.value("colour") {
            guard let colour = RedactionWish.Colour(rawValue: text) else {
                throw UsageError(
                    message: "--colour does not know “\(text)”", hint: "It is black, grey or white.")
            }
            wish.colour = colour
        }
        wish.makesPictures = call.has("as-pictures")
        wish.passesOverPictures = call.has("skip-pictures")
        return wish
    }

    /// Places, pages and hits mean something for one file only.
    private static func isOfOneFile(_ call: Invocation) -> Bool {
        ["area", "areas", "pages", "except"].contains(where: call.has)
    }

    /// A list of hits, or what --dry-run --json says of one file.
    private static func spared(_ path: String, _ call: Invocation) throws -> [RedactionHit] {
        let json = try withForms { try JSON(parsing: try PDFFile.read(call.absolute(path))) }
        let list = json["files"]?.array?.first?["hits"] ?? json["hits"] ?? json
        return try told(path) { () throws(RedactionError) in try RedactionWish.spared(list) }
    }

    private static func wish(
        _ wish: RedactionWish, for bytes: [UInt8], _ call: Invocation
    ) throws -> RedactionWish {
        guard isOfOneFile(call) else { return wish }
        var wish = wish
        if let path = call.value("except") { wish.spared = try spared(path, call) }
        let sheets = try PDFFile(bytes: bytes, password: call.value("password")).frames
        func add(_ area: RedactionWish.Area) throws {
            guard sheets.indices.contains(area.page) else {
                throw Failure(.invalid, "There is no page \(area.page + 1): the file has \(sheets.count).")
            }
            wish.areas.append(area)
        }
        for text in call.options["area"] ?? [] {
            let parts = text.split(separator: ":", maxSplits: 1)
            let numbers =
                parts.last?.split(separator: ",").compactMap { Double($0.filter { $0 != " " }) } ?? []
            guard parts.count == 2, let page = Int(parts[0]), numbers.count == 4 else {
                throw UsageError(
                    message: "--area takes PAGE:X,Y,WIDTH,HEIGHT, not “\(text)”",
                    hint: "For example --area 1:72,90,200,14.")
            }
            try add(
                .init(page: page - 1, x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
        }
        if let path = call.value("areas") {
            let list = try withForms { try JSON(parsing: try PDFFile.read(call.absolute(path))) }
            for area in try told(path, { () throws(RedactionError) in try RedactionWish.areas(list) }) {
                try add(area)
            }
        }
        if let text = call.value("pages") { wish.pages = Set(try PageChoice(text, of: sheets.count).pages) }
        return wish
    }

    // MARK: Looking

    private static func preview(_ files: [String], _ wish: RedactionWish, _ call: Invocation) throws {
        var views: [JSON] = []
        var lines: [String] = []
        var total = 0
        let redactor = Redactor(reader: PageReader(jail: .detect()))
        for path in files {
            let bytes = try withForms { try PDFFile.read(path) }
            let own = try withForms { try Self.wish(wish, for: bytes, call) }
            let preview = try told(path) { () throws(RedactionError) in
                try redactor.find(own, in: bytes, password: call.value("password"))
            }
            total += preview.hits.count
            views.append([
                "file": .string(path), "hits": .array(preview.hits.map(\.json)),
                "unreadablePages": .array(preview.unreadablePages.map { .int($0 + 1) }),
            ])
            lines.append("\(TextTable.harmless(path)): \(Words.count(preview.hits.count, "hit", "hits"))")
            for hit in preview.hits {
                let stays = own.spares(hit) ? " (stays)" : ""
                let place = hit.page.map { "page \($0 + 1)" } ?? hit.place.rawValue
                let kind = hit.place == .page || hit.page == nil ? "" : " (\(hit.place.rawValue))"
                let before = hit.before.isEmpty ? "" : "…" + hit.before + " "
                let after = hit.after.isEmpty ? "" : " " + hit.after + "…"
                lines.append(
                    "  \(place)\(kind)\(stays): \(TextTable.harmless(before))[\(TextTable.harmless(hit.text))]\(TextTable.harmless(after))"
                )
            }
            for page in preview.unreadablePages {
                lines.append(
                    "  page \(page + 1): its words cannot be read, so nothing can be looked for there")
            }
            if !own.areas.isEmpty { lines.append("  and \(Words.count(own.areas.count, "area", "areas"))") }
            if !own.pages.isEmpty {
                lines.append("  and \(Words.count(own.pages.count, "whole page", "whole pages"))")
            }
        }
        call.answer(["hits": .int(total), "files": .array(views)]) {
            lines.map { $0 + "\n" }.joined() + "Nothing was written.\n"
        }
    }

    // MARK: Doing

    private static func redact(_ files: [String], _ wish: RedactionWish, _ call: Invocation) throws {
        guard let out = call.value("out") else {
            throw UsageError(
                message: "\(call.title) does not know where to write",
                hint: "Say --out RESULT, or --dry-run to see what would be blacked out.")
        }
        if isOfOneFile(call), files.count > 1 {
            throw UsageError(
                message: "Areas, pages and hits that stay are of one file",
                hint: "Give one file, or words and patterns for several.")
        }
        let place = call.absolute(out)
        let isFolder = files.count > 1 || out.hasSuffix("/") || Files.isFolder(place)
        let results = isFolder ? PDFWork.apart(files.map { place + "/" + Files.name($0) }) : [place]
        if isFolder { try Files.makeFolder(place) }
        var views: [JSON] = []
        var lines: [String] = []
        var proofs: [Proven] = []
        var untouched = 0
        for (path, result) in zip(files, results) {
            let bytes = try withForms { try PDFFile.read(path) }
            let own = try withForms { try Self.wish(wish, for: bytes, call) }
            let made: Redactor.Outcome
            do {
                made = try call.withProgress("Blacking out \(Files.name(path))") { progress in
                    try told(path) { () throws(RedactionError) in
                        try Redactor(reader: PageReader(jail: .detect()), progress: progress)
                            .redact(own, in: bytes, password: call.value("password"))
                    }
                }
            } catch let failure as Failure where failure.code == .notFound && files.count > 1 {
                // One of many in which nothing stands.
                untouched += 1
                lines.append("\(TextTable.harmless(path)): nothing was found, so nothing was written")
                continue
            }
            try writeWhole(made.bytes, to: result, overwrites: call.has("force"))
            proofs.append((result, made.remarks.map(\.json), made.proof.json))
            views.append([
                "file": .string(result), "from": .string(path), "hits": .int(made.hits.count),
                "byteCount": .int(made.bytes.count), "pages": .int(made.proof.pageCount),
                "changedPages": .array(made.proof.changedPages.map { .int($0 + 1) }),
                "remarks": .array(made.remarks.map(\.json)), "proof": made.proof.json,
            ])
            lines.append(
                "\(result): \(Words.count(made.hits.count + own.areas.count + own.pages.count, "place", "places")) "
                    + "blacked out on \(Words.count(made.proof.changedPages.count, "page", "pages")), and proven"
            )
            for remark in made.remarks { call.hint(call.texts.redactionRemark(remark.json)) }
        }
        if let path = call.value("proof") { try keep(proofs, path, call) }
        call.answer(["files": .array(views), "untouched": .int(untouched)]) {
            lines.map { $0 + "\n" }.joined()
        }
        if views.isEmpty { throw Failure(.notFound, "Nothing of it was found, so nothing was blacked out.") }
    }

    private typealias Proven = (name: String, remarks: [JSON], proof: JSON)

    private static func keep(_ proofs: [Proven], _ path: String, _ call: Invocation) throws {
        let place = call.absolute(path)
        let bytes: [UInt8]
        if path.lowercased().hasSuffix(".pdf") {
            let lines = call.texts.redactionReport(
                proofs.map { (Files.name($0.name), $0.remarks, $0.proof) },
                at: Clock.system.now())
            bytes = try withForms { try PlainReport(lines, onLetter: true).bytes() }
        } else if path.lowercased().hasSuffix(".json") {
            bytes =
                JSON.array(
                    proofs.map { ["file": .string($0.name), "proof": $0.proof] }
                ).bytes
        } else {
            bytes = Array(
                proofs.map { proven in
                    let lines = call.texts.redactionProof(proven.proof).map { "- " + $0 }
                    return ([Files.name(proven.name)] + lines).joined(separator: "\n") + "\n"
                }.joined(separator: "\n").utf8)
        }
        try writeWhole(bytes, to: place, overwrites: call.has("force"))
    }

    private static func told<R>(
        _ path: String, _ work: () throws(RedactionError) -> R
    ) throws -> R {
        do throws(RedactionError) {
            return try work()
        } catch {
            var failure = Failure(error)
            failure.message = "“\(Files.name(path))”: \(failure.message)"
            throw failure
        }
    }
}

extension Invocation {
    /// The words of the pages, as the locale wishes.
    fileprivate var texts: Texts { Texts(Assets().catalog, environment.language) }
}
