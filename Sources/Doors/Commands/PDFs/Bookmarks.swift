import Bytes
import Conversion
import Storage

extension Command {
    static let bookmarks = Command(
        name: "bookmarks", summary: "show the bookmarks of a PDF file, or write others",
        discussion: """
            A bookmark is a line: the page and what is there, as in `3 Numbers`, with a dash for each level below. What is \
            shown can be changed and put back with --set. --json shows and --set also takes JSON: a list of title, page and \
            children. No desk is needed.
            """,
        arguments: [
            Argument(name: "FILE", summary: "a PDF file", completion: .file),
            Argument(name: "RESULT", summary: "the file to write", isOptional: true, completion: .file),
        ],
        options: [
            Option(
                "set", "LIST",
                "the bookmarks of the result are the lines of this file; an empty one takes all away",
                completion: .file), PDFWork.force, PDFWork.password,
        ],
        examples: [
            Example("quire bookmarks report.pdf > list.txt", "1 Letter, 3 Numbers, - 4 By month"),
            Example(
                "quire bookmarks report.pdf better.pdf --set list.txt", "put them in after changing them"),
        ],
        run: { call in
            let work = PDFWork(call)
            let paper = try work.paper(call.arguments[0])
            if call.arguments.count == 1 {
                if call.has("set") {
                    throw UsageError(
                        message: "--set needs a result", hint: "quire bookmarks FILE RESULT --set LIST")
                }
                let list = try withConversion {
                    BookmarkList(json: try PDFTools.bookmarks(paper).array ?? [])
                }
                return call.answer(["bookmarks": .array(list.json)]) { list.text }
            }
            guard let path = call.value("set") else {
                throw UsageError(
                    message: "Nothing is said about the bookmarks of the result",
                    hint: "Give them with --set LIST.")
            }
            let text = try String(decoding: withForms { try work.bytes(path) }, as: UTF8.self)
            let made = try withConversion {
                try PDFTools.setting(bookmarks: BookmarkList(text).json, in: paper)
            }
            try work.keep(made)
        })
}
