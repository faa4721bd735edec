import Bytes
import Comparing
import Converting
import Markup
import PDF
import PDFReading
import Storage
import Web
import WebAssets
import Work

extension Command {
    static let compare = Command(
        name: "compare", summary: "say what differs between two PDF files",
        discussion: """
            Pages are put together by what they say, so that a page put in is told once and those behind it are compared with \
            their own counterparts. Told are words, wherever they stand: lines that break elsewhere, divided words and other \
            spacing are no change. Lines repeated at the edge of pages are compared once, without page numbers. Then what looks \
            different although the words are the same, such as a signature, a stamp or a line through words; values of fields; \
            pages added and removed.

            --pdf FILE writes a report to be read and printed: a list, then B with every change marked by its number and the \
            pages that are gone at their places. Ends with 0 when nothing differs, with 1 when something does, and with 2 or \
            more when they could not be compared. No desk is needed.
            """,
        arguments: [
            Argument(name: "A", summary: "the earlier PDF file", completion: .file),
            Argument(name: "B", summary: "the later one", completion: .file),
        ],
        options: [
            Option("pdf", "FILE", "write the report, as a PDF file", completion: .file),
            Option("words-only", nil, "do not compare what pages look like"), PDFWork.force,
            PDFWork.password,
        ],
        examples: [
            Example("quire compare lease.pdf lease-signed.pdf", "what the other side changed"),
            Example("quire compare old.pdf new.pdf --pdf changes.pdf", "a report to hand on"),
        ],
        run: { call in
            let found: PaperComparison
            do {
                found = try compared(call)
            } catch let failure as Failure {
                throw failure
            } catch let error as UsageError {
                throw error
            } catch let error as Cancelled {
                throw error
            } catch {
                // The code of a mistake of ours means here that something differs.
                throw Failure(
                    .unavailable, "Something went wrong inside Quire. Please report it with the line below.",
                    cause: String(reflecting: error))
            }
            if !found.isSame { throw ExitCode.differs }
        })

    private static func compared(_ call: Invocation) throws -> PaperComparison {
        guard PageReader.isReady else {
            throw Failure(.unavailable, "Comparing papers needs Poppler. Install poppler-utils.")
        }
        let work = PDFWork(call)
        let password = call.value("password")
        let texts = Texts(Assets().catalog, call.environment.language)
        let names = (before: Files.name(call.arguments[0]), after: Files.name(call.arguments[1]))
        let (before, after) = try withForms {
            try work.tryOut(call.arguments)
            return (try work.bytes(call.arguments[0]), try work.bytes(call.arguments[1]))
        }
        let found = try call.withProgress("Comparing") { progress in
            var comparer = Comparer(reader: PageReader(jail: .detect()), progress: progress)
            comparer.comparesLooks = !call.has("words-only")
            do throws(ComparisonError) {
                return try comparer.compare(before, after, passwords: (password, password))
            } catch {
                if case .cancelled(let reason) = error { throw Cancelled(reason: reason) }
                if case .locked = error { call.hint("--password PASSWORD opens a locked file.") }
                throw Failure(error, names: names)
            }
        }
        if let path = call.value("pdf") {
            let report = ComparisonReport(found, words: texts.comparisonReport(found, names: names))
            let bytes = try withForms {
                try report.bytes(
                    before, after, passwords: (password, password),
                    now: Clock.system.now().milliseconds / 1000)
            }
            try writeWhole(bytes, to: call.absolute(path), overwrites: call.has("force"))
        }
        var view = JSONObject([
            ("before", .string(call.arguments[0])), ("after", .string(call.arguments[1])),
        ])
        for member in found.json.object ?? [:] { view[member.key] = member.value }
        call.answer(.object(view)) {
            var out = texts.comparisonSummary(found) + "\n"
            let width = "\(found.changes.count)".count
            for (number, change) in found.changes.enumerated() {
                let label = "\(number + 1)"
                out += String(repeating: " ", count: width - label.count) + label + "  "
                out += TextTable.harmless(texts.comparisonLine(change)) + "\n"
            }
            return out
        }
        for remark in found.remarks where remark != .wordsOnly { call.hint(texts.comparisonRemark(remark)) }
        return found
    }
}
