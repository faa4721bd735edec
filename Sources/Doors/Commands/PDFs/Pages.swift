import Bytes
import Conversion
import Kinds
import Office
import PDF
import Storage
import Work

extension Command {
    static let pages = Command(
        name: "pages", summary: "keep, remove, reorder or turn pages of a PDF file",
        discussion: """
            PAGES are written like 1-3,7,10-end; odd, even and all are understood, and 5-1 goes backwards. Pages are \
            chosen first and turned afterwards; --turn counts the pages of the given file. What is left out is really \
            gone from the result. Blank are pages with nothing to be read on them; the dust of a scan does not count. No \
            desk is needed.
            """,
        arguments: [
            Argument(name: "FILE", summary: "a PDF file", completion: .file),
            Argument(name: "RESULT", summary: "the file to write", completion: .file),
        ],
        options: [
            Option("keep", "PAGES", "only these pages, in this order"),
            Option("remove", "PAGES", "all pages but these; blank for those on which there is nothing"),
            Option(
                "turn", "ANGLE:PAGES",
                "turn pages clockwise by 90, 180 or 270 degrees: 90:2-4, or 90 for all",
                isRepeating: true),
            PDFWork.force, PDFWork.password,
        ],
        examples: [
            Example("quire pages scan.pdf upright.pdf --turn 90:odd", "turn every other page"),
            Example("quire pages report.pdf short.pdf --keep 1,5-7", "four pages of many"),
            Example("quire pages stack.pdf full.pdf --remove blank", "a stack scanned on both sides"),
            Example("quire pages report.pdf back.pdf --keep end-1", "the other way round"),
        ],
        run: { call in
            let work = PDFWork(call)
            let path = call.arguments[0]
            try withForms {
                try work.tryOut([path])
                let file = try work.open(path)
                let count = file.pages.count
                // Before it is changed and written anew.
                work.tellRepairs(file, path)
                let chosen = try Self.chosen(call, file)
                let turns = try Self.turns(call, count)
                guard chosen != Array(0..<count) || !turns.isEmpty else {
                    throw UsageError(
                        message: "\(call.title) was not told what to do",
                        hint: "Say --keep, --remove or --turn.")
                }
                let order = PageOrder(chosen.map { .init(.page($0, of: 0), turn: turns[$0] ?? 0) })
                let made = try order.made(of: [file.rewritten()])
                let told = made.remarks.isEmpty ? [] : [("remarks", work.view(made.remarks))]
                try work.keep(made.bytes, call.arguments[1], pages: chosen.count, told)
                work.tell(made.remarks)
            }
        })

    private static func chosen(_ call: Invocation, _ file: PDFFile) throws -> [Int] {
        let count = file.pages.count
        if call.has("keep"), call.has("remove") {
            throw UsageError(
                message: "--keep and --remove cannot both be said", hint: "Leave one of them out.")
        }
        var pages = Array(0..<count)
        if let text = call.value("keep") { pages = try PageChoice(text, of: count).pages }
        if call.value("remove")?.lowercased() == "blank" {
            let engines = Engines(jail: Jail.detect(), settings: .ofThisMachine)
            defer { engines.stop() }
            let paper = Paper(
                name: Files.name(call.arguments[0]), kind: .pdf, bytes: try file.rewritten())
            return try call.withProgress("Looking") { progress in
                try withConversion {
                    try PDFTools(engines, cancellation: progress.cancellation).printedPages(of: paper)
                }
            }
        }
        if let text = call.value("remove") {
            let removed = Set(try PageChoice(text, of: count).pages)
            pages = pages.filter { !removed.contains($0) }
        }
        guard !pages.isEmpty else { throw Failure(.invalid, "No page would be left.") }
        return pages
    }

    private static func turns(_ call: Invocation, _ count: Int) throws -> [Int: Int] {
        var turns: [Int: Int] = [:]
        for text in call.options["turn"] ?? [] {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let angle = Int(parts[0]), angle % 90 == 0, (-360...360).contains(angle) else {
                throw UsageError(
                    message: "--turn takes 90, 180 or 270 and pages, not “\(text)”",
                    hint: "For example --turn 90:2-4.")
            }
            for page in try PageChoice(parts.count > 1 ? String(parts[1]) : "all", of: count).pages {
                turns[page, default: 0] += angle
            }
        }
        return turns
    }
}
