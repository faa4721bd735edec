import Bytes
import Conversion
import PDF
import Storage
import Work

extension Command {
    static let merge = Command(
        name: "merge", summary: "put several PDF files one behind the other",
        discussion: """
            The result has a bookmark for each file, with the file's own bookmarks below it. Links, layers, page labels, \
            attachments and form fields come along; fields of one name in two files are told apart and said, as programs \
            would take them for one. Title and author are those of the first file. --alternate takes a page of each file in \
            turn, as fronts and backs come from a scanner that sees one side; --from-end does so with the later files from \
            their last page to the first, as they lie when the stack was turned over. No desk is needed.
            """,
        arguments: [
            Argument(name: "FILE", summary: "PDF files, in their order", isRepeating: true, completion: .file)
        ],
        options: [
            Option("out", letter: "o", "RESULT", "the file to write", completion: .file),
            Option("no-bookmarks", nil, "no bookmark for each file, only those the files have"),
            Option("alternate", nil, "a page of each file in turn: fronts and backs"),
            Option("from-end", nil, "with --alternate: the later files from their last page to the first"),
            PDFWork.force, PDFWork.password,
        ],
        examples: [
            Example("quire merge letter.pdf form.pdf --out packet.pdf", "two files in one"),
            Example("quire merge forms/*.pdf --out all.pdf", "a whole folder"),
            Example(
                "quire merge fronts.pdf backs.pdf --alternate --from-end --out all.pdf",
                "a stack, scanned twice"),
        ],
        run: { call in
            guard let result = call.value("out") else {
                throw UsageError(
                    message: "\(call.title) needs --out RESULT", hint: "For example --out all.pdf.")
            }
            if call.has("alternate") || call.has("from-end") { return try alternate(result, call) }
            let work = PDFWork(call)
            try withForms {
                try work.tryOut(call.arguments)
                var mended: [(file: PDFFile, path: String)] = []
                let (assembly, pages) = try call.withProgress("Merging") { progress in
                    var parts: [PDFAssembly.Part] = []
                    for (index, path) in call.arguments.enumerated() {
                        progress.set(done: Int64(index), total: Int64(call.arguments.count))
                        try progress.check()
                        do {
                            let file = try work.open(path)
                            mended.append((file, path))
                            parts.append(
                                PDFAssembly.Part(
                                    file, bookmark: call.has("no-bookmarks") ? nil : Self.title(path)))
                        } catch let error as PDFError {
                            // One of many: which one is what a person wants to know first.
                            if case .notReadable = error { throw error }
                            throw Failure(.invalid, "“\(path)” cannot be merged. \(error)")
                        }
                    }
                    return (try PDFAssembly(parts), parts.reduce(0) { $0 + $1.pages.count })
                }
                try work.keep(
                    assembly.bytes, result, pages: pages,
                    [
                        ("remarks", work.view(assembly.remarks)),
                        ("repairs", .array(mended.flatMap { work.repairs($0.file, $0.path) })),
                    ])
                work.tell(assembly.remarks)
                for (file, path) in mended { work.tellRepairs(file, path) }
            }
        })

    private static func alternate(_ result: String, _ call: Invocation) throws {
        guard call.has("alternate"), call.arguments.count > 1 else {
            throw UsageError(
                message: "Pages alternate between two files or more",
                hint: "For example quire merge fronts.pdf backs.pdf --alternate --out all.pdf.")
        }
        let work = PDFWork(call)
        let papers = try call.arguments.map { try work.paper($0) }
        var remarks: [String] = []
        let made = try withConversion {
            try PaperSteps.alternated(papers, fromEnd: call.has("from-end"), &remarks)
        }
        let pages = try withConversion { try PDFTools.pageCount(made.bytes, name: made.name) }
        try work.keep(made.bytes, result, pages: pages, [("remarks", .array(remarks.map(JSON.string)))])
        for remark in remarks { call.hint(remark) }
    }

    private static func title(_ path: String) -> String {
        let name = Files.name(path)
        return name.lowercased().hasSuffix(".pdf") && name.count > 4 ? String(name.dropLast(4)) : name
    }
}
