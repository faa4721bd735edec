import Bytes
import Conversion
import Kinds
import Office
import PDF
import Storage
import Work

extension Command {
    static let split = Command(
        name: "split", summary: "cut a PDF file into several",
        discussion: """
            Each result holds its pages with what belongs to them: fields, links among them, bookmarks, layers. Pages that \
            went into another file are really gone from it. Results are numbered.

            --at bookmarks begins a file at each bookmark of the first level and calls it so; --at blank cuts at pages on \
            which there is nothing, --at separators at sheets with a code that says so, and both leave them out, with \
            the empty back of such a sheet. --separator-sheet writes the sheet, to be printed as often as it is needed \
            and laid between papers before they are scanned in one go. No desk is needed.
            """,
        arguments: [Argument(name: "FILE", summary: "a PDF file", isOptional: true, completion: .file)],
        options: [
            Option(
                "out", letter: "o", "FOLDER", "where the results go; made when it is not there",
                completion: .folder)
        ]
            + SplitWish.settings.map(SheetTask.option) + [
                Option(
                    "separator-sheet", "SIZE", "write a sheet to lay between papers to --out: a4, letter"),
                Option("force", letter: "f", nil, "replace results that are there already"), PDFWork.password,
            ],
        examples: [
            Example("quire split scan.pdf", "a file for each page, in the folder scan-pages"),
            Example("quire split batch.pdf --every 4 --out letters", "four pages each"),
            Example("quire split book.pdf --before 5,19", "three parts"),
            Example("quire split book.pdf --at bookmarks", "its chapters"),
            Example("quire split --separator-sheet a4 --out sheet.pdf", "a sheet to print and lay between"),
            Example("quire split stack.pdf --at separators --out letters", "the papers between such sheets"),
            Example("quire split plans.pdf --most 10MB", "for mail that takes no more"),
        ],
        run: { call in
            if let size = call.value("separator-sheet") { return try writeSeparator(size, call) }
            guard let path = call.arguments.first else {
                throw UsageError(
                    message: "\(call.title) needs a file", hint: "For example quire split scan.pdf.")
            }
            let task = SheetTask(call)
            let wish: SplitWish = try task.wish()
            try task.said { () throws(ConversionError) in try wish.check() }
            let work = PDFWork(call)
            try withForms {
                let paper = try work.paper(path)
                let folder = call.absolute(call.value("out") ?? "\(paper.title)-pages")
                let engines = Engines(jail: Jail.detect(), settings: .ofThisMachine)
                defer { engines.stop() }
                var files: [JSON] = []
                var remarks: [PDFAssembly.Remark] = []
                var tooLarge = 0
                try call.withProgress("Splitting") { progress in
                    let tools = PDFTools(engines, cancellation: progress.cancellation)
                    try withConversion {
                        try tools.split(paper, wish, progress: progress) { part in
                            if files.isEmpty { try Files.makeFolder(folder) }
                            let result = "\(folder)/\(part.paper.name)"
                            try writeWhole(part.paper.bytes, to: result, overwrites: call.has("force"))
                            files.append(["file": .string(result), "pages": .int(part.pages.count)])
                            for remark in part.remarks where !remarks.contains(remark) {
                                remarks.append(remark)
                            }
                            if part.isTooLarge { tooLarge += 1 }
                        }
                    }
                }
                call.answer(["files": .array(files), "remarks": work.view(remarks)]) {
                    "\(Words.count(files.count, "file", "files")) in \(folder)\n"
                }
                if tooLarge > 0 {
                    call.hint("\(Words.count(tooLarge, "page is", "pages are")) larger than that alone.")
                }
                work.tell(remarks)
                work.tellRepairs(try work.open(path), path)
            }
        })

    private static func writeSeparator(_ size: String, _ call: Invocation) throws {
        guard let out = call.value("out"), call.arguments.isEmpty else {
            throw UsageError(
                message: "The separator sheet goes to --out RESULT, and no file is split",
                hint: "For example quire split --separator-sheet a4 --out sheet.pdf.")
        }
        let sheet = try withConversion {
            try SplitWish.separator(
                words: "Lay this sheet between two papers, and scan them in one go.", size)
        }
        try PDFWork(call).keep(sheet.bytes, out, pages: 1)
    }
}
