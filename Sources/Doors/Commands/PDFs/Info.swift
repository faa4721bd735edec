import Bytes
import Conversion
import PDF
import PDFForms
import Storage
import Work

extension Command {
    static let info = Command(
        name: "info", summary: "say what a PDF file is",
        discussion: """
            Pages and their sizes, title and author, the form in it, its locks, signatures and attachments, and what had \
            to be repaired to read it. With a result title, author, subject, keywords and what readers call the pages are \
            written on the way there; an empty one is taken away. Page names are said from the page on that has them: \
            1 i; 5 1 is i to iv, then 1, 2, 3 and so on; 1 Cover; 2 A-1 is Cover, A-1, A-2. No desk is needed.
            """,
        arguments: [
            Argument(name: "FILE", summary: "a PDF file", completion: .file),
            Argument(name: "RESULT", summary: "the file to write", isOptional: true, completion: .file),
        ],
        options: facts.map { Option($0, "WORDS", "the \($0) of the result") } + [
            Option("labels", "LIST", "what readers call the pages of the result"), PDFWork.force,
            PDFWork.password,
        ],
        examples: [
            Example("quire info contract.pdf", "look at it without opening it"),
            Example("quire info contract.pdf better.pdf --title Lease --author Office", "say what it is"),
        ],
        run: { call in
            if call.arguments.count > 1 { return try writeFacts(call) }
            if let said = (facts + ["labels"]).first(where: call.has) {
                throw UsageError(
                    message: "--\(said) needs a result",
                    hint: "For example quire info a.pdf b.pdf --\(said) Lease.")
            }
            try withForms {
                let work = PDFWork(call)
                try work.tryOut(call.arguments)
                let file = try work.open(call.arguments[0])
                let facts = try PDFFacts(file, password: call.value("password"))
                call.answer(facts.json) { facts.text }
            }
        })

    private static let facts = ["title", "author", "subject", "keywords"]

    private static func writeFacts(_ call: Invocation) throws {
        let work = PDFWork(call)
        var paper = try work.paper(call.arguments[0])
        let said = facts.compactMap { fact in call.value(fact).map { (fact, JSON.string($0)) } }
        guard !said.isEmpty || call.has("labels") else {
            throw UsageError(
                message: "\(call.title) was not told what to write",
                hint: "Say --title, --author, --labels and the like.")
        }
        try withConversion {
            if !said.isEmpty { paper = try PDFTools.setting(JSONObject(said), in: paper) }
            if let list = call.value("labels") {
                paper = try PDFTools.labelled(paper, list.isEmpty ? nil : PageLabelList(list))
            }
        }
        try work.keep(paper)
    }

    static let check = Command(
        name: "check", summary: "see whether PDF files are sound",
        discussion: """
            Reads every object and unpacks every stream, in the jail. Ends with an error when a file has flaws, and says which; \
            --verbose adds each place in the words of the program that reads. Many programs open such a file all the \
            same, each mending it in its own way. A file that takes more than ten seconds is not looked through whole, \
            and that is said. With --archive each has to be PDF/A as well (parts 1 to 3, ISO 19005): what archives turn papers \
            away for is looked for and told. No desk is needed.
            """,
        arguments: [Argument(name: "FILE", summary: "PDF files", isRepeating: true, completion: .file)],
        options: [
            Option("archive", nil, "see whether they are PDF/A, and keep to what they say of themselves"),
            PDFWork.password,
        ],
        examples: [
            Example("quire check packets/*.pdf", "look through a whole folder"),
            Example("quire check --archive minutes.pdf", "before it goes to an archive"),
        ],
        run: { call in
            var views: [JSON] = []
            var lines = ""
            var flawed = 0
            let work = PDFWork(call)
            let trial = PDFTrial(.detect())
            try call.withProgress("Checking") { progress in
                for (index, path) in call.arguments.enumerated() {
                    progress.set(done: Int64(index), total: Int64(call.arguments.count))
                    try progress.check()
                    var found: [(sentence: String, details: [String])]
                    do {
                        found = try withForms {
                            try work.flaws(path, trial, progress.cancellation)
                        }
                    } catch let failure as Failure {
                        found = [(failure.message, [])]
                    }
                    let isSound = found.isEmpty
                    var archive: ArchiveReport?
                    if isSound, call.has("archive") { archive = try work.archive(path, &found) }
                    if !found.isEmpty { flawed += 1 }
                    var view: JSONObject = [
                        "file": .string(path), "sound": .bool(isSound),
                        "flaws": .array(found.map { .string($0.sentence) }),
                        "details": .array(found.flatMap(\.details).prefix(100).map(JSON.string)),
                    ]
                    if call.has("archive") { view["archive"] = archive?.json ?? .null }
                    views.append(.object(view))
                    lines += TextTable.harmless(path)
                    let good = archive.map { "sound, \($0.name)" } ?? "sound"
                    lines +=
                        found.isEmpty ? ": \(good)\n" : ": \(Words.count(found.count, "flaw", "flaws"))\n"
                    for flaw in found {
                        lines += "  \(TextTable.harmless(flaw.sentence))\n"
                        for detail in flaw.details.prefix(call.isVerbose ? 50 : 0) {
                            lines += "    \(TextTable.harmless(detail))\n"
                        }
                    }
                }
            }
            call.answer(["files": .array(views)]) { lines }
            if flawed > 0 { throw ExitCode.invalid }
        })
}

/// What one wants to know about a file before working with it.
struct PDFFacts {
    private var rows: [(key: String, name: String, value: JSON, words: String)] = []

    init(_ file: PDFFile, password: String?) throws {
        add("byteCount", "Size", .int(file.bytes.count), Words.size(Int64(file.bytes.count)))
        let head = String(decoding: file.bytes.prefix(12).dropFirst(5).prefix { $0 > 32 }, as: UTF8.self)
        let version = file.resolve(file.catalog["Version"]).name?.text ?? head
        add("version", "PDF version", .string(version), version)
        let pages = file.pages.compactMap { file.dictionary(.reference($0)) }
        let sizes = Self.sizes(file, pages)
        add("pages", "Pages", .int(pages.count), "\(pages.count)")
        add("pageSizes", "Page sizes", .array(sizes.map(JSON.string)), sizes.joined(separator: ", "))
        let info = file.dictionary(file.trailer["Info"]) ?? [:]
        for (key, name) in [
            ("Title", "Title"), ("Author", "Author"), ("Subject", "Subject"), ("Keywords", "Keywords"),
            ("Creator", "Made with"), ("Producer", "Written by"), ("CreationDate", "Made"),
            ("ModDate", "Changed"),
        ] {
            guard let text = file.resolve(info[PDFName(key)]).text, !text.isEmpty else { continue }
            let shown = key.hasSuffix("Date") ? Self.date(text) : text
            let view = key == "CreationDate" ? "created" : key == "ModDate" ? "modified" : key.lowercased()
            add(view, name, .string(shown), shown)
        }
        if let labels = PageLabelList(of: file) {
            add("labels", "Page names", .string(labels.text), labels.text)
        }
        addLocks(file)
        try addForm(file, password)
        let attachments = Self.count(file.dictionary(file.catalog["Names"])?["EmbeddedFiles"], file)
        if attachments > 0 {
            add("attachments", "Attachments", .int(attachments), "\(attachments)")
        }
        let isTagged = file.resolve(file.dictionary(file.catalog["MarkInfo"])?["Marked"]).boolean ?? false
        add("tagged", "Tagged", .bool(isTagged), isTagged ? "yes" : "no")
        let flaws = PDFFlaw.of(file.repairs)
        if !flaws.isEmpty {
            add(
                "repairs", "Repaired", .array(flaws.flatMap(\.details).prefix(100).map(JSON.string)),
                flaws.map(\.sentence).joined(separator: " "))
        }
    }

    private mutating func addLocks(_ file: PDFFile) {
        guard let encryption = file.encryption else {
            return add("encryption", "Locked", .null, "no")
        }
        let method =
            encryption.revision >= 5 ? "AES-256" : encryption.revision == 4 ? "128 bits" : "RC4, weak"
        let allowed = PDFLock.Permissions.words.filter { encryption.permissions.contains($0.permission) }
            .map(\.word)
        add(
            "encryption", "Locked",
            [
                "method": .string(method), "openedAsOwner": .bool(encryption.openedAsOwner),
                "allowed": .array(allowed.map(JSON.string)),
            ],
            "\(method); allowed: \(allowed.isEmpty ? "nothing" : allowed.joined(separator: ", "))")
    }

    private mutating func addForm(_ file: PDFFile, _ password: String?) throws {
        let form = try Form(bytes: file.bytes, password: password)
        guard !form.fields.isEmpty || form.xfa != .none else { return }
        let kinds = form.xfa == .none ? "" : ", \(form.xfa.rawValue) XFA"
        add(
            "form", "Form", ["fields": .int(form.fields.count), "xfa": .string(form.xfa.rawValue)],
            Words.count(form.fields.count, "field", "fields") + kinds)
        let signed = form.fields.count { $0.kind == .signature && form.protection != .none }
        if form.protection != .none { add("signed", "Signed", .bool(true), signed > 0 ? "yes" : "certified") }
    }

    private mutating func add(_ key: String, _ name: String, _ value: JSON, _ words: String) {
        rows.append((key, name, value, words))
    }

    var json: JSON { .object(JSONObject(rows.map { ($0.key, $0.value) })) }

    var text: String {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            let gap = String(repeating: " ", count: width - row.name.count + 2)
            return row.name + gap + TextTable.harmless(row.words) + "\n"
        }.joined()
    }

    /// `2 × A4`, `612 × 792 pt`
    private static func sizes(_ file: PDFFile, _ pages: [PDFDictionary]) -> [String] {
        var counts: [(size: String, count: Int)] = []
        for page in pages {
            var node = page
            var box: PDFRectangle?
            for _ in 0..<50 {
                box =
                    PDFRectangle(file.numbers(node["CropBox"]))
                    ?? PDFRectangle(file.numbers(node["MediaBox"]))
                guard box == nil, let parent = file.dictionary(node["Parent"]) else { break }
                node = parent
            }
            let size = name(width: box?.width ?? 612, height: box?.height ?? 792)
            if let index = counts.firstIndex(where: { $0.size == size }) {
                counts[index].count += 1
            } else {
                counts.append((size, 1))
            }
        }
        return counts.prefix(20).map { $0.count == 1 ? $0.size : "\($0.count) × \($0.size)" }
    }

    private static func name(width: Double, height: Double) -> String {
        let known: [(String, Double, Double)] = [
            ("A4", 595.3, 841.9), ("A3", 841.9, 1190.6), ("A5", 419.5, 595.3), ("Letter", 612, 792),
            ("Legal", 612, 1008),
        ]
        for (name, short, long) in known {
            if abs(min(width, height) - short) < 2, abs(max(width, height) - long) < 2 {
                return width > height ? "\(name) landscape" : name
            }
        }
        return "\(Int(width.rounded())) × \(Int(height.rounded())) pt"
    }

    /// `D:20261121123456+01'00'` as `2026-11-21 12:34:56+01:00`; anything else as it is.
    private static func date(_ text: String) -> String {
        let digits = Array(text.drop { $0 == "D" || $0 == ":" })
        guard digits.count >= 8, digits.prefix(8).allSatisfy({ ("0"..."9").contains($0) }) else {
            return text
        }
        func part(_ range: Range<Int>) -> String? {
            guard range.upperBound <= digits.count, digits[range].allSatisfy({ ("0"..."9").contains($0) })
            else { return nil }
            return String(digits[range])
        }
        var shown = "\(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))"
        if let hour = part(8..<10), let minute = part(10..<12) {
            shown += " \(hour):\(minute):\(part(12..<14) ?? "00")"
        }
        return shown
    }

    /// The leaves of a name tree.
    private static func count(_ node: PDFObject?, _ file: PDFFile, depth: Int = 0) -> Int {
        guard depth < 20, let node = file.dictionary(node) else { return 0 }
        return file.array(node["Names"]).count / 2
            + file.array(node["Kids"]).prefix(10_000).reduce(0) { $0 + count($1, file, depth: depth + 1) }
    }
}
