import Bytes
import Converting
import Glibc
import Marking
import Markup
import PDF
import PDFReading
import Redaction
import Storage
import Web
import Work

extension Command {
    static let annotate = Command(
        name: "annotate", summary: "write on a PDF file: highlights, notes, words, stamps and links",
        discussion: """
            Without options the notes and links that lie on the file are listed. What is written lies on the pages as notes that any PDF \
            program shows and can take off again, put behind the file, of which not one byte changes; --part-of-page makes it \
            part of the pages for good. Where a signature would not hold any more, that is said and nothing is written, \
            unless you say --break-signatures.

            Places are points from the upper left corner of the page: PAGE,X,Y or PAGE,X,Y,WIDTH,HEIGHT. --add takes a list as \
            JSON: [{"kind":"arrow","page":1,"strokes":[[[72,90],[150,120]]]}]; kinds are \
            \(Mark.Kind.allCases.map(\.rawValue).joined(separator: ", ")). XFDF is what other programs export and import. \
            No desk is needed.
            """,
        arguments: [Argument(name: "FILE", summary: "a PDF file", completion: .file)],
        options: [
            Option("out", letter: "o", "RESULT", "the file to write", completion: .file),
            Option("highlight", "WORDS", "mark words wherever they stand", isRepeating: true),
            Option("underline", "WORDS", "underline words wherever they stand", isRepeating: true),
            Option("strike", "WORDS", "strike words out wherever they stand", isRepeating: true),
            Option("text", "PLACE:WORDS", "write words on a page", isRepeating: true),
            Option("note", "PLACE:WORDS", "lay a note on a page", isRepeating: true),
            Option("stamp", "PLACE:WORDS", "put a word in a frame on a page", isRepeating: true),
            Option("tick", "PLACE", "a tick", isRepeating: true),
            Option("cross", "PLACE", "a cross", isRepeating: true),
            Option(
                "picture", "PLACE:FILE", "a picture (PNG or JPEG), such as a signature", isRepeating: true),
            Option(
                "link", "PLACE:TARGET", "a place of a page leads to a web or mail address, or to page #3",
                isRepeating: true),
            Option("add", "FILE", "notes from a file, as JSON", completion: .file),
            Option("import", "FILE", "notes from XFDF", completion: .file),
            Option("export", "FILE", "write the notes of the file as XFDF", completion: .file),
            Option("remove", "ID", "take a note or a link off; all for every note", isRepeating: true),
            Option(
                "reword", "ID:WORDS", "other words for a note, another target for a link", isRepeating: true),
            Option("done", "ID", "say that a note is settled", isRepeating: true),
            Option("reply", "ID:WORDS", "answer a note", isRepeating: true),
            Option("colour", "COLOUR", "of what is written, like #c62828"),
            Option("size", "POINTS", "of letters, signs and stamps"),
            Option("author", "NAME", "who writes; your name on this machine if left out"),
            Option("part-of-page", nil, "what is written becomes part of the page for good"),
            Option("break-signatures", nil, "write although signatures will not hold any more"),
            PDFWork.force,
        ],
        examples: [
            Example("quire annotate lease.pdf", "the notes and links that lie on it, with their ids"),
            Example(
                "quire annotate lease.pdf -o marked.pdf --highlight notice --note 2,72,90:Really?",
                "words marked, and a question beside them"),
            Example(
                "quire annotate form.pdf -o filled.pdf --text 1,180,212:Miller --tick 1,96,300",
                "a flat form, filled in by hand"),
        ],
        run: { call in
            guard let given = call.arguments.first, call.arguments.count == 1 else {
                throw UsageError(message: "\(call.title) takes one file", hint: "Give one PDF file.")
            }
            let bytes = try withForms { try PDFFile.read(call.absolute(given)) }
            let paper = try explained(given) { try MarkedPaper(bytes) }
            if let path = call.value("export") {
                try writeWhole(
                    Array(paper.xfdf.utf8), to: call.absolute(path), overwrites: call.has("force"))
            }
            let changes = try Self.changes(paper, call)
            guard !changes.isEmpty else { return list(paper, call) }
            guard let out = call.value("out") else {
                throw UsageError(
                    message: "\(call.title) does not know where to write", hint: "Say --out RESULT.")
            }
            let made = try explained(given) {
                try paper.changed(changes, now: Clock.system.now().milliseconds / 1000, newName: newName)
            }
            try writeWhole(made, to: call.absolute(out), overwrites: call.has("force"))
            if paper.wasMended {
                call.hint("“\(given)” had to be mended first; it is not the same byte for byte.")
            }
            let now = try explained(out) { try MarkedPaper(made) }
            let links = changes.added.count { $0.kind == .link }
            call.answer([
                "result": .string(out), "added": .int(changes.added.count), "marks": .int(now.marks.count),
                "links": .int(now.links.count), "addedBytes": .int(made.count - paper.bytes.count),
            ]) {
                func said(notes: Int, links: Int) -> String {
                    Words.count(notes, "note", "notes")
                        + (links > 0 ? " and \(Words.count(links, "link", "links"))" : "")
                }
                let added = said(notes: changes.added.count - links, links: links)
                let there = said(notes: now.marks.count, links: now.links.count)
                return "\(TextTable.harmless(out)): \(added) added; on it now: \(there)\n"
            }
        })

    private static func newName() -> String {
        Hex.encode(Chance.system.bytes(12))
    }

    private static func explained<R>(_ path: String, _ body: () throws -> R) throws -> R {
        do {
            return try withForms(body)
        } catch let error as MarkError {
            var failure = Failure(error)
            failure.message = "\(path): \(failure.message)"
            throw failure
        }
    }

    private static func list(_ paper: MarkedPaper, _ call: Invocation) {
        call.answer(["marks": .array(paper.marks.map(\.json)), "links": .array(paper.links.map(\.json))]) {
            guard !paper.marks.isEmpty || !paper.links.isEmpty else {
                return "No notes and no links lie on this file.\n"
            }
            var table = TextTable(["Id", "Page", "Kind", "Who", "When", "Words"])
            for mark in paper.marks + paper.links {
                let words = mark.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                let replies =
                    mark.replies.isEmpty ? "" : " (\(Words.count(mark.replies.count, "reply", "replies")))"
                table.add([
                    mark.id, "\(mark.page + 1)", mark.kind + (mark.isDone ? ", done" : ""), mark.author,
                    mark.time.map { Words.time(Moment(milliseconds: $0 * 1000)) } ?? "",
                    String(words.prefix(60)) + replies,
                ])
            }
            return table.text(call.terminal.outputStyle)
        }
    }

    // MARK: What is wished

    private static func changes(
        _ paper: MarkedPaper, _ call: Invocation
    ) throws -> MarkChanges {
        var changes = MarkChanges()
        if let path = call.value("add") {
            let list = try withForms { try JSON(parsing: try PDFFile.read(call.absolute(path))) }
            let whole: JSON = list.array == nil ? list : ["add": list]
            changes = try explained(path) { try MarkChanges(json: whole) }
        }
        if let path = call.value("import") {
            let read = try withForms { try PDFFile.read(call.absolute(path)) }
            let more = try explained(path) { try paper.changes(xfdf: read) }
            changes.added += more.added
            changes.replies += more.replies
        }
        for (option, kind) in [
            ("highlight", Mark.Kind.highlight), ("underline", .underline), ("strike", .strike),
        ] {
            changes.added += try onWords(call.options[option] ?? [], kind, paper)
        }
        for (option, kind) in [
            ("text", Mark.Kind.text), ("note", .note), ("stamp", .stamp), ("tick", .tick), ("cross", .cross),
            ("picture", .picture), ("link", .link),
        ] {
            for text in call.options[option] ?? [] {
                changes.added.append(try mark(text, kind, option, call))
            }
        }
        if let text = call.value("colour") {
            guard let colour = Mark.Colour(text.lowercased()) else {
                throw UsageError(
                    message: "--colour does not know “\(text)”", hint: "Say it like #c62828.")
            }
            for place in changes.added.indices { changes.added[place].colour = colour }
        }
        let removed = call.options["remove"] ?? []
        changes.removed += removed.contains("all") ? paper.marks.map(\.id) : removed
        changes.done += call.options["done"] ?? []
        func words(_ option: String) throws -> [MarkChanges.Words] {
            try (call.options[option] ?? []).map { text in
                let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
                guard parts.count == 2 else {
                    throw UsageError(
                        message: "--\(option) takes ID:WORDS, not “\(text)”",
                        hint: "quire annotate FILE shows the ids.")
                }
                return .init(parts[0], parts[1])
            }
        }
        changes.replies += try words("reply")
        changes.reworded += try words("reword")
        changes.author = call.value("author") ?? userName()
        changes.isPartOfPage = changes.isPartOfPage || call.has("part-of-page")
        changes.breaksSignatures = changes.breaksSignatures || call.has("break-signatures")
        return changes
    }

    private static func userName() -> String {
        guard let user = getpwuid(getuid()) else { return "" }
        let whole = String(cString: user.pointee.pw_gecos).split(separator: ",").first.map(String.init) ?? ""
        return whole.isEmpty ? String(cString: user.pointee.pw_name) : whole
    }

    private static func onWords(
        _ words: [String], _ kind: Mark.Kind, _ paper: MarkedPaper
    ) throws -> [Mark] {
        guard !words.isEmpty else { return [] }
        var wish = RedactionWish()
        wish.words = words
        let found: Redactor.Preview
        do throws(RedactionError) {
            found = try Redactor.find(wish, in: paper.file)
        } catch {
            throw Failure(error)
        }
        let marks = found.hits.compactMap { hit -> Mark? in
            guard hit.place == .page, let page = hit.page, !hit.areas.isEmpty else { return nil }
            var mark = Mark(kind, page: page)
            mark.areas = hit.areas.map { .init(x: $0.x, y: $0.y, width: $0.width, height: $0.height) }
            return mark
        }
        guard !marks.isEmpty else {
            throw Failure(.notFound, "“\(words.joined(separator: "”, “"))” stands nowhere on these pages.")
        }
        return marks
    }

    private static func mark(
        _ text: String, _ kind: Mark.Kind, _ option: String, _ call: Invocation
    ) throws -> Mark {
        let takesWords = [.text, .note, .stamp, .picture, .link].contains(kind)
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        let numbers = (parts.first ?? "").split(separator: ",").map { Double($0.filter { $0 != " " }) }
        guard parts.count == (takesWords ? 2 : 1), numbers.count == 3 || numbers.count == 5,
            numbers.allSatisfy({ $0 != nil && $0.map { $0.isFinite && abs($0) < 100_000 } == true }),
            let page = numbers[0].flatMap({ Int(exactly: $0) }), page >= 1, let x = numbers[1],
            let y = numbers[2]
        else {
            let what = kind == .picture ? "FILE" : kind == .link ? "TARGET" : "WORDS"
            throw UsageError(
                message: "--\(option) takes PAGE,X,Y\(takesWords ? ":\(what)" : ""), not “\(text)”",
                hint: "For example --\(option) \(takesWords ? "\"1,72,90:…\"" : "1,72,90").")
        }
        var mark = Mark(kind, page: page - 1)
        mark.areas = [
            .init(
                x: x, y: y, width: numbers.count == 5 ? max(0, numbers[3] ?? 0) : 0,
                height: numbers.count == 5 ? max(0, numbers[4] ?? 0) : 0)
        ]
        if let said = call.value("size") {
            guard let size = Double(said), (2...400).contains(size) else {
                throw UsageError(
                    message: "--size takes points from 2 to 400, not “\(said)”",
                    hint: "For example --size 11.")
            }
            mark.size = size
        }
        if kind == .picture {
            mark.picture = try withForms { try PDFFile.read(call.absolute(parts[1])) }
            if numbers.count == 3 { mark.areas[0].width = 120 }
            if mark.areas[0].height <= 0 { mark.areas[0].height = mark.areas[0].width / 3 }
        } else if kind == .link {
            guard mark.area.width > 0, mark.area.height > 0 else {
                throw UsageError(
                    message: "--link needs to know how large its place is",
                    hint: "For example --link \"1,72,90,120,14:https://example.org\".")
            }
            mark.text = parts[1]
        } else if takesWords {
            mark.text = parts[1].replacing("\\n", with: "\n")
        }
        return mark
    }
}
