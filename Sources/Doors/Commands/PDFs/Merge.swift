import Bytes
import PDF
import Storage
import Work

extension Command {
    static let merge = Command(
        name: "merge", summary: "put several PDF files one behind the other",
        discussion: """
            The result has a bookmark for each file, with the file's own bookmarks below it. Links, layers, page labels, \
            attachments and form fields come along; fields of one name in two files are told apart and said, as programs \
            would take them for one. Title and author are those of the first file. No desk is needed.
            """,
        arguments: [
            Argument(name: "FILE", summary: "PDF files, in their order", isRepeating: true, completion: .file)
        ],
        options: [
            Option("out", letter: "o", "RESULT", "the file to write", completion: .file),
            Option("no-bookmarks", nil, "no bookmark for each file, only those the files have"),
            PDFWork.force, PDFWork.password,
        ],
        examples: [
            Example("quire merge letter.pdf form.pdf --out packet.pdf", "two files in one"),
            Example("quire merge forms/*.pdf --out all.pdf", "a whole folder"),
        ],
        run: { call in
            guard let result = call.value("out") else {
                throw UsageError(
                    message: "\(call.title) needs --out RESULT", hint: "For example --out all.pdf.")
            }
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

    private static func title(_ path: String) -> String {
        let name = Files.name(path)
        return name.lowercased().hasSuffix(".pdf") && name.count > 4 ? String(name.dropLast(4)) : name
    }
}
