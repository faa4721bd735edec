import Browsing
import Bytes
import Conversion
import Converting
import Glibc
import Kinds
import Office
import Pictures
import Storage
import Transfer
import Work

extension Command {
    static let convert = Command(
        name: "convert", summary: "turn papers of any kind into PDF, and PDF into other kinds",
        discussion: """
            Takes office papers, web pages (files and addresses), pictures, e-books, mail, Markdown and text. What a file \
            is, is seen by its contents, whatever it is called. Pictures that follow each other become one PDF; with \
            --out and a name that ends in .pdf everything does. JPEG and JPEG 2000 pictures go in untouched.

            --then does something with the results, as often as it is said and in that order: \
            \(PaperStep.words.map(\.word).joined(separator: ", ")).

            Everything is read in a jail without network. A web page is fetched by Quire on the page's behalf, and never \
            from a private address unless --allow-private says so. `quire doctor` says which engines are there and which \
            package brings those that are not. No desk is needed.
            """,
        arguments: [
            Argument(
                name: "INPUT", summary: "files, or addresses of web pages", isRepeating: true,
                completion: .file)
        ],
        options: ConvertWork.options,
        examples: [
            Example("quire convert letter.docx", "letter.pdf beside where you are"),
            Example(
                "quire convert *.jpg -o album.pdf --page-size a4 --margin 10mm", "photos on sheets of paper"),
            Example("quire convert example.com -o page.pdf --reader", "a web page without its clutter"),
            Example(
                "quire convert scan.pdf -o found.pdf --then ocr=eng+deu --then pdfa",
                "words that can be found"),
            Example("quire convert report.pdf --to png --dpi 200 -o pages/", "a picture of every page"),
            Example(
                "quire convert a.docx b.xlsx c.png --then merge --then compress -o all.pdf",
                "one after another"),
        ],
        run: { call in try ConvertWork(call).run() })
}

/// One call of `quire convert`.
struct ConvertWork {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    static let options: [Option] =
        [
            Option("out", letter: "o", "RESULT", "the file or the folder to write", completion: .file),
            Option("to", "KIND", "what to make: pdf, png, jpg, webp, txt, csv, xlsx, docx, odt, …"),
            Option("then", "STEP", "what to do with the results, one after the other", isRepeating: true),
            Option("by-name", nil, "in the order of their names, numbers as numbers, not in the order given"),
            Option(
                "engine", "ADDRESS",
                "a Gotenberg-compatible server for office papers and web pages: http://user:password@host:3000"
            ),
            Option("allow-private", nil, "web pages may be fetched from this machine and its neighbours"),
            PDFWork.force,
        ] + ConversionOptions.words.map(option)

    private static func option(_ word: ConversionOptions.Word) -> Option {
        Option(
            word.name, word.placeholder, word.summary, isRepeating: word.isRepeating,
            completion: word.choices.isEmpty ? .nothing : .choices(word.choices))
    }

    func run() throws {
        let steps = try (call.options["then"] ?? []).map { text in try withConversion { try PaperStep(text) }
        }
        let goal = try goal()
        let options = try options()
        var settings = Engines.Settings.ofThisMachine
        if let address = call.value("engine") ?? call.environment["QUIRE_ENGINE"], !address.isEmpty {
            settings.remote = try withConversion { try RemoteEngine(address) }
        }
        let engines = Engines(jail: Jail.detect(), settings: settings)
        defer { engines.stop() }
        let converter = Converter(engines)
        var inputs = call.arguments.map(input)
        if call.has("by-name") { inputs.sort { PaperNames.areInOrder($0.name, $1.name) } }
        let parts = PaperSteps.carried(inputs, by: steps)
        // Papers that are to become one are of no use without each other.
        let goesOn = !isOneFile && !steps.contains { $0 == .merge || $0.takesSeveral }
        let (papers, report, failures) = try call.withProgress("Converting") { progress in
            try withConversion {
                let made = try converted(parts.converted, converter, to: goal, options, goesOn, progress)
                var report = made.report
                var papers = try PaperSteps(converter, options, progress: progress).run(
                    steps, on: made.papers, carrying: parts.carried, report: &report)
                if papers.count > 1, isOneFile, papers.allSatisfy({ $0.kind == .pdf }) {
                    papers = try PaperSteps(converter, options, progress: progress).run(
                        [.merge], on: papers, report: &report)
                }
                return (papers, report, made.failures)
            }
        }
        try keep(papers, report, failures.map(\.error.description))
        if let first = failures.first {
            hintAtTime(failures.map(\.error))
            throw Failure(
                Failure(first.error).code,
                failures.count == 1
                    ? first.error.description
                    : "\(failures.count) of \(inputs.count) papers could not be converted.")
        }
    }

    private func converted(
        _ inputs: [ConversionInput], _ converter: Converter, to goal: PaperKind, _ options: ConversionOptions,
        _ goesOn: Bool, _ progress: Progress
    ) throws(ConversionError) -> Converter.Result {
        do throws(ConversionError) {
            let made = try converter.convert(inputs, to: goal, options, goesOn: goesOn, progress: progress)
            if made.papers.isEmpty, let first = made.failures.first { throw first.error }
            return made
        } catch {
            hintAtTime([error])
            throw error
        }
    }

    private func hintAtTime(_ errors: [ConversionError]) {
        let isTimedOut = errors.contains { if case .pageTimedOut = $0 { true } else { false } }
        if isTimedOut { call.hint("--time SECONDS waits longer for a page.") }
    }

    private var isOneFile: Bool {
        guard let out = call.value("out") else { return false }
        return !out.hasSuffix("/") && !Files.isFolder(call.absolute(out))
    }

    private func goal() throws -> PaperKind {
        if let word = call.value("to") {
            guard let kind = PaperKind.named(word) else {
                throw UsageError(
                    message: "--to does not know “\(word)”", hint: "For example pdf, png, txt, xlsx, docx.")
            }
            return kind
        }
        guard let out = call.value("out"), isOneFile else { return .pdf }
        return call.has("then") ? .pdf : PaperKind.named(PaperKind.ending(of: out)) ?? .pdf
    }

    private func input(_ text: String) -> ConversionInput {
        let path = call.absolute(text)
        let isAddress =
            text.hasPrefix("http://") || text.hasPrefix("https://")
            || !Files.exists(path) && !text.contains(" ") && !text.hasPrefix("/")
                && Self.looksLikeAddress(text)
        if isAddress { return ConversionInput(name: text, .address(text)) }
        var input = ConversionInput(name: Files.name(text), .file(path))
        input.folder = path.lastIndex(of: "/").map { String(path[..<$0]) }
        return input
    }

    /// `example.com/page`, `localhost:8080`; not the name of a file that is not there.
    private static func looksLikeAddress(_ text: String) -> Bool {
        let host = text.prefix { $0 != "/" }
        let parts = host.split(separator: ":", maxSplits: 1)
        if parts.count == 2 { return Int(parts[1]).map { (1...65_535).contains($0) } ?? false }
        if host == "localhost" { return true }
        return host.contains(".") && PaperKind.named(PaperKind.ending(of: text)) == nil
    }

    private func options() throws -> ConversionOptions {
        var options = ConversionOptions()
        options.useSheets(of: call.environment.locale)
        for word in ConversionOptions.words {
            let values =
                word.placeholder == nil ? call.has(word.name) ? [""] : [] : call.options[word.name] ?? []
            for value in values {
                do throws(OptionError) {
                    try options.take(word.name, value)
                } catch {
                    throw UsageError(message: error.message, hint: error.hint)
                }
            }
        }
        if call.has("allow-private") {
            options.web.guardian = .anywhere
            options.filesMayFetch = true
        }
        return options
    }

    private func keep(_ papers: [Paper], _ report: ConversionReport, _ failures: [String]) throws {
        let out = call.value("out").map { call.absolute($0) }
        var places: [String] = []
        if let out, isOneFile {
            guard papers.count == 1 else {
                throw Failure(
                    .invalid,
                    "There are \(papers.count) results. Give a folder with --out FOLDER/, or put them together with --then merge."
                )
            }
            places = [out]
        } else {
            let folder = out.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? call.folder
            try Files.makeFolder(folder)
            places = PDFWork.apart(papers.map { "\(folder)/\($0.name)" })
        }
        var files: [JSON] = []
        for (paper, place) in zip(papers, places) {
            try writeWhole(paper.bytes, to: place, overwrites: call.has("force"))
            files.append([
                "file": .string(place), "kind": .string(paper.kind.name),
                "byteCount": .int(paper.bytes.count),
            ])
        }
        let view: JSON = [
            "files": .array(files), "report": report.json, "failures": .array(failures.map(JSON.string)),
        ]
        call.answer(view) {
            zip(papers, places).map { "\($1): \(Words.size(Int64($0.bytes.count)))\n" }.joined()
        }
        tell(report)
        if failures.count > 1 { for failure in failures { call.hint(failure) } }
    }

    private func tell(_ report: ConversionReport) {
        for font in report.substitutedFonts {
            call.hint(
                "The font \(font.wanted) is not installed; \(font.taken.isEmpty ? "another" : font.taken) was taken."
            )
        }
        for resource in report.blocked.prefix(10) {
            call.hint("Not fetched: \(resource.address) (\(resource.reason))")
        }
        for resource in report.failed.prefix(10) {
            call.hint("Missing: \(resource.address) (\(resource.reason))")
        }
        for remark in report.remarks + report.assurances { call.hint(remark) }
        if call.isVerbose { for line in report.consoleErrors { call.hint("The page says: \(line)") } }
    }
}

/// Does `work` and tells what goes wrong with a conversion as a person is told it.
func withConversion<R>(_ work: () throws -> R) throws -> R {
    do {
        return try work()
    } catch let error as ConversionError {
        throw Failure(error)
    }
}
