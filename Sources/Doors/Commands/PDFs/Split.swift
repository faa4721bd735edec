import Bytes
import Glibc
import PDF
import Storage
import Work

extension Command {
    static let split = Command(
        name: "split", summary: "cut a PDF file into several",
        discussion: """
            Each result holds its pages with what belongs to them: fields, links among them, bookmarks, layers. Pages that \
            went into another file are really gone from it. Results are numbered. No desk is needed.
            """,
        arguments: [Argument(name: "FILE", summary: "a PDF file", completion: .file)],
        options: [
            Option(
                "out", letter: "o", "FOLDER", "where the results go; made when it is not there",
                completion: .folder),
            Option("every", "NUMBER", "so many pages in each; one unless said otherwise"),
            Option("before", "PAGES", "begin a new file at each of these pages: 5,9"),
            Option("force", letter: "f", nil, "replace results that are there already"), PDFWork.password,
        ],
        examples: [
            Example("quire split scan.pdf", "a file for each page, in the folder scan-pages"),
            Example("quire split batch.pdf --every 4 --out letters", "four pages each"),
            Example("quire split book.pdf --before 5,19", "three parts"),
        ],
        run: { call in
            let work = PDFWork(call)
            let path = call.arguments[0]
            try withForms {
                try work.tryOut([path])
                let whole = try work.open(path)
                let count = whole.pages.count
                let groups = try Self.groups(call, count)
                let name = Files.name(path)
                let stem = name.lowercased().hasSuffix(".pdf") ? String(name.dropLast(4)) : name
                let folder = call.absolute(call.value("out") ?? "\(stem)-pages")
                try Files.makeFolder(folder)
                let digits = max(2, String(groups.count).count)
                var files: [JSON] = []
                var remarks: [PDFAssembly.Remark] = []
                try call.withProgress("Splitting") { progress in
                    for (index, pages) in groups.enumerated() {
                        progress.set(done: Int64(index), total: Int64(groups.count))
                        try progress.check()
                        let part = try PDFAssembly([PDFAssembly.Part(try work.open(path), pages: pages)])
                        let number = String(index + 1)
                        let zeros = String(repeating: "0", count: max(0, digits - number.count))
                        let result = "\(folder)/\(stem)-\(zeros)\(number).pdf"
                        try writeWhole(part.bytes, to: result, overwrites: call.has("force"))
                        files.append(["file": .string(result), "pages": .int(pages.count)])
                        for remark in part.remarks where !remarks.contains(remark) { remarks.append(remark) }
                    }
                }
                call.answer(["files": .array(files), "remarks": work.view(remarks)]) {
                    "\(Words.count(files.count, "file", "files")) in \(folder)\n"
                }
                work.tell(remarks)
                work.tellRepairs(whole, path)
            }
        })

    private static func groups(_ call: Invocation, _ count: Int) throws -> [[Int]] {
        if call.has("every"), call.has("before") {
            throw UsageError(
                message: "--every and --before cannot both be said", hint: "Leave one of them out.")
        }
        var starts: [Int]
        if let text = call.value("before") {
            starts = try PageChoice(text, of: count).pages.sorted()
        } else {
            guard let every = Int(call.value("every") ?? "1"), every > 0 else {
                throw UsageError(
                    message: "--every takes a number of pages, not “\(call.value("every") ?? "")”",
                    hint: "For example --every 2.")
            }
            starts = Array(stride(from: 0, to: count, by: every))
        }
        starts = Array(Set(starts + [0])).sorted()
        return starts.indices.map { index in
            Array(starts[index]..<(index + 1 < starts.count ? starts[index + 1] : count))
        }.filter { !$0.isEmpty }
    }
}
