import Bytes
import Conversion
import PDF
import Storage
import Work

/// What the commands that work over the pages of PDF files have in common.
struct SheetTask {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// The settings of a step as options of its command.
    static func options(_ settings: [StepSetting], _ more: [Option] = []) -> [Option] {
        [
            Option(
                "out", letter: "o", "RESULT", "the file to write, or a folder for several", completion: .file)
        ]
            + settings.map(option) + more + [
                Option("break-signatures", nil, "go on although signatures will not hold any more"),
                PDFWork.force, PDFWork.password,
            ]
    }

    static func option(_ setting: StepSetting) -> Option {
        Option(
            setting.name, setting.placeholder,
            setting.summary + (setting.choices.isEmpty ? "" : ": " + setting.choices.joined(separator: ", ")),
            completion: setting.choices.isEmpty ? .nothing : .choices(setting.choices))
    }

    static let files = Argument(name: "FILE", summary: "PDF files", isRepeating: true, completion: .file)

    func wish<Wish: SheetWish>(_: Wish.Type = Wish.self) throws -> Wish {
        var wish = Wish()
        for setting in Wish.settings {
            if setting.placeholder == nil {
                if call.has(setting.name) {
                    try said { () throws(ConversionError) in try wish.take(setting.name, "") }
                }
            } else if let value = call.value(setting.name) {
                try said { () throws(ConversionError) in try wish.take(setting.name, value) }
            }
        }
        return wish
    }

    /// What is wrong with an option is a mistake in the call, not in a file.
    func said(_ body: () throws(ConversionError) -> Void) throws {
        do throws(ConversionError) { try body() } catch {
            throw UsageError(
                message: error.description, hint: "quire help \(call.title.dropFirst(6)) tells more.")
        }
    }

    /// What became of one file, and what there is to say of it.
    struct Made {
        var paper: Paper
        var members: [(String, JSON)] = []
        var note = ""
        var hints: [String] = []
        /// Why there is nothing to write.
        var unwritten: String?
    }

    func run(_ what: String, _ body: (Paper) throws -> Made) throws {
        guard let out = call.value("out") else {
            throw UsageError(
                message: "\(call.title) does not know where to write", hint: "Say --out RESULT.")
        }
        let place = call.absolute(out.count > 1 && out.hasSuffix("/") ? String(out.dropLast()) : out)
        let isFolder = call.arguments.count > 1 || out.hasSuffix("/") || Files.isFolder(place)
        let results =
            isFolder ? PDFWork.apart(call.arguments.map { place + "/" + Files.name($0) }) : [place]
        let papers = try call.arguments.map { try paper($0) }
        if !call.has("force") {
            for result in results where Files.exists(result) {
                throw Failure(.conflict, "“\(result)” is there already. Say --force to replace it.")
            }
        }
        if isFolder { try Files.makeFolder(place) }
        // Before anything is written: numbers that went on through half of the files would be of no use.
        let made = try call.withProgress(what) { progress in
            try papers.map { paper in
                try progress.check()
                return try withConversion { try body(paper) }
            }
        }
        var views: [JSON] = []
        var lines = ""
        for (index, one) in made.enumerated() {
            if let reason = one.unwritten {
                let from = call.arguments[index]
                views.append(
                    .object(
                        JSONObject(
                            [("file", .null), ("from", .string(call.absolute(from)))] + one.members
                                + [("remarks", .array(one.hints.map(JSON.string)))])))
                lines += "\(TextTable.harmless(from)): \(reason)\n"
                continue
            }
            let bytes = one.paper.bytes
            let pages = try withConversion { try PDFTools.pageCount(bytes, name: one.paper.name) }
            try writeWhole(bytes, to: results[index], overwrites: call.has("force"))
            views.append(
                .object(
                    JSONObject(
                        [
                            ("file", .string(results[index])),
                            ("from", .string(call.absolute(call.arguments[index]))),
                            ("byteCount", .int(bytes.count)), ("pages", .int(pages)),
                        ] + one.members + [("remarks", .array(one.hints.map(JSON.string)))])))
            lines +=
                "\(TextTable.harmless(results[index])): \(Words.count(pages, "page", "pages")), "
                + "\(Words.size(Int64(bytes.count)))\(one.note)\n"
            for hint in one.hints { call.hint(hint) }
        }
        call.answer(["files": .array(views)]) { lines }
    }

    /// A file that may be changed: one that was signed only where that was said.
    func paper(_ path: String) throws -> Paper {
        let paper = try PDFWork(call).paper(path)
        let signatures = try withForms { try PDFFile(bytes: paper.bytes).signatures }
        if let first = signatures.first {
            guard call.has("break-signatures") else {
                let name = first.name.isEmpty ? "“\(paper.name)”" : first.name
                throw Failure(
                    .conflict,
                    "The signature of \(name) would not hold any more. Nothing was written. Say --break-signatures to go on."
                )
            }
            call.hint(
                "“\(paper.name)” was signed. Signatures hold only for the file they were given in, so they were left out."
            )
        }
        return paper
    }
}
