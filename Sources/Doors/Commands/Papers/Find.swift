import App
import Bytes
import Storage
import Library

extension Command {
    static let find = Command(
        name: "find", summary: "find papers by what they are called and what they say",
        discussion: """
            All words must occur, each at least as the beginning of a word; case and accents do not matter. Papers with the \
            words in their name come first. “A phrase” in quotes must stand as it is, -word must not occur. type:pdf (image, \
            text, table, word, mail), by:NAME, tag:WORD, folder:NAME, before:2026-01-31, after:2026-01-31, pages>3 and \
            pages<9 narrow. Papers that came in a moment ago are read first. --like PAPER finds papers that speak about the \
            same things.
            """,
        arguments: [Argument(name: "WORDS", summary: "what to find", isOptional: true, isRepeating: true)],
        options: [
            Option("limit", "COUNT", "at most so many (20)"),
            Option("sort", "ORDER", "relevance, name, size, pages, date or added (relevance)"),
            Option("like", "PAPER", "papers like this one, instead of words"), .database,
        ],
        examples: [
            Example("quire find --like lease.pdf", "papers about the same things"),
            Example("quire find deposit two months", "papers with these words"),
            Example("quire find lease type:pdf 'pages>3'", "longer PDFs about a lease"),
            Example("quire find invoice after:2026-01-01 --json", "for a script"),
        ],
        run: { call in
            guard let limit = Int(call.value("limit") ?? "20"), (1...500).contains(limit) else {
                throw UsageError(
                    message: "--limit needs a number from 1 to 500", hint: "Leave it out for 20.")
            }
            let words = call.arguments.joined(separator: " ")
            if let strange = Wanted.misunderstood(in: words) {
                throw Failure(
                    .invalid,
                    "“\(strange.filter)” is not understood: it takes \(strange.takes). In quotes it is a word like any other."
                )
            }
            let desk = try call.desk()
            defer { desk.close() }
            if let local = desk.local, local.store.isWritable, try local.reading.pendingCount() > 0 {
                _ = try call.withProgress("Reading new papers") {
                    try local.reading.catchUp(progress: $0)
                }
            }
            if let paper = call.value("like") {
                return try findAlike(try desk.client.document(paper), limit, desk, call)
            }
            guard !words.isEmpty else {
                throw UsageError(
                    message: "quire find needs words", hint: "Or a paper: quire find --like letter.pdf")
            }
            let answer = try desk.client.get(
                "/documents/matches",
                [("q", words), ("limit", String(limit)), ("sort", call.value("sort") ?? "relevance")])
            let matches = (answer["matches"]?.array ?? []).compactMap(MatchView.init)
            call.answer(answer) {
                matches.map { $0.text(call.terminal.outputStyle) }.joined()
            }
            let total = answer["total"]?.int ?? matches.count
            if let meant = answer["meant"]?.string {
                call.hint(
                    "Nothing has “\(words)” in it. Did you mean: quire find \(TextTable.harmless(meant))")
            } else if matches.isEmpty {
                call.hint(
                    "Nothing has “\(words)” in it. Fewer words, or only the beginning of one, find more.")
            } else if total > matches.count {
                call.hint("\(total - matches.count) more; show them with --limit \(min(total, 500)).")
            }
            if let unread = answer["unread"]?.int, unread > 0 {
                call.hint("\(Words.count(unread, "paper is", "papers are")) still being read.")
            }
            if let pictures = try desk.local?.recognition.pendingCount(), pictures > 0 {
                call.hint(
                    "\(Words.count(pictures, "paper is a picture", "papers are pictures")) whose words nobody has read yet: quire recognise"
                )
            }
        })

    private static func findAlike(
        _ document: DocumentView, _ limit: Int, _ desk: DeskSession, _ call: Invocation
    ) throws {
        let answer = try desk.client.get(
            "/documents/\(document.id)/similar", [("limit", String(min(limit, 100)))])
        let similar = answer["similar"]?.array ?? []
        call.answer(answer) {
            let style = call.terminal.outputStyle
            return similar.map { entry in
                let name = TextTable.harmless(entry["document"]?["name"]?.string ?? "")
                let id = style.dim("  \(entry["document"]?["id"]?.string ?? "")")
                let words = (entry["words"]?.array ?? []).compactMap(\.string).prefix(8)
                return
                    "\(style.bold(name))\(id)\n  \(TextTable.harmless(words.joined(separator: ", ")))\n"
            }.joined()
        }
        if similar.isEmpty { call.hint("No other paper speaks about what this one does.") }
    }

    static let activity = Command(
        name: "activity", summary: "say what happened to a paper, and to the links that lead to it",
        arguments: [.paper],
        options: [Option("limit", "COUNT", "at most so many (50)"), .database],
        examples: [Example("quire activity lease.pdf", "who changed, moved or shared it, the newest first")],
        run: { call in
            guard let limit = Int(call.value("limit") ?? "50"), (1...500).contains(limit) else {
                throw UsageError(
                    message: "--limit needs a number from 1 to 500", hint: "Leave it out for 50.")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let document = try desk.client.document(call.arguments[0])
            let answer = try desk.client.get(
                "/documents/\(document.id)/activity", [("limit", String(limit))])
            call.answer(answer) {
                var table = TextTable(["When", "Who", "What"])
                for entry in answer["entries"]?.array ?? [] {
                    table.add([
                        Words.time(entry["at"]?.string), entry["actorName"]?.string ?? "",
                        entry["verb"]?.string ?? "",
                    ])
                }
                return table.text(call.terminal.outputStyle)
            }
        })

    static let unpack = Command(
        name: "unpack", summary: "take out what an archive or a mail on the desk holds",
        discussion: """
            The papers of a ZIP archive come to lie beside it, in its folders; what was attached to a mail lies beside the \
            mail and is linked to it. The archive and the mail stay as they are.
            """,
        arguments: [.paper], options: [.database],
        examples: [Example("quire unpack export.zip", "its papers, in its folders")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let document = try desk.client.document(call.arguments[0])
            let answer = try desk.client.send("POST", "/documents/\(document.id)/contents")
            let papers = UploadView.all(answer)
            call.answer(answer) {
                let style = call.terminal.outputStyle
                let taken = papers.map {
                    "\($0.isNew ? "added" : "already there")  \(TextTable.harmless($0.document.name))\n"
                }
                let left = (answer["left"]?.array ?? []).map {
                    "\(style.bad("left inside"))  \(TextTable.harmless($0["name"]?.string ?? "")): \(TextTable.harmless($0["reason"]?.string ?? ""))\n"
                }
                return (taken + left).joined()
            }
            if papers.isEmpty { call.hint("There is nothing in it that could be taken out.") }
        })
}

/// A paper that was found, and where.
private struct MatchView {
    let document: DocumentView
    let page: Int?
    let pieces: [(text: String, isHit: Bool)]

    init?(_ json: JSON) {
        guard let document = json["document"].flatMap(DocumentView.init) else { return nil }
        self.document = document
        page = json["page"]?.int
        pieces = (json["snippet"]?.array ?? []).map {
            ($0["text"]?.string ?? "", $0["isHit"]?.bool ?? false)
        }
    }

    func text(_ style: Style) -> String {
        let place = page.map { style.dim("  page \($0)") } ?? ""
        let name =
            "\(style.bold(TextTable.harmless(document.name)))\(place)\(style.dim("  \(document.id)"))\n"
        guard !pieces.isEmpty else { return name }
        let words = pieces.map {
            $0.isHit ? style.bold(TextTable.harmless($0.text)) : TextTable.harmless($0.text)
        }
        return "\(name)  \(words.joined())\n"
    }
}
