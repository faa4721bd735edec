import Bytes
import Conversion
import Glibc
import Storage

extension Command {
    static let attachments = Command(
        name: "attachments", summary: "show, take out, put in files carried inside a PDF file",
        discussion: """
            With a file alone its attachments are listed, those pinned to a page too; with --out they are written into a \
            folder. With a result they are put in (--add) or taken away (--remove) on the way there. No desk is needed.
            """,
        arguments: [
            Argument(name: "FILE", summary: "a PDF file", completion: .file),
            Argument(name: "RESULT", summary: "the file to write", isOptional: true, completion: .file),
        ],
        options: [
            Option(
                "out", letter: "o", "FOLDER", "where the attachments go; made when it is not there",
                completion: .folder),
            Option("add", "FILE", "a file the result is to carry", isRepeating: true, completion: .file),
            Option("remove", "NAME", "an attachment the result is not to carry", isRepeating: true),
            PDFWork.force, PDFWork.password,
        ],
        examples: [
            Example("quire attachments invoice.pdf --out parts", "take everything out"),
            Example(
                "quire attachments invoice.pdf sent.pdf --add invoice.xml", "a PDF that carries its data"),
        ],
        run: { call in
            let work = AttachmentWork(call)
            try call.arguments.count == 1 ? work.takeOut() : work.change()
        })
}

/// One call of `quire attachments`.
private struct AttachmentWork {
    let call: Invocation
    let work: PDFWork

    init(_ call: Invocation) {
        self.call = call
        work = PDFWork(call)
    }

    func takeOut() throws {
        guard !call.has("add"), !call.has("remove") else {
            throw UsageError(
                message: "--add and --remove need a result", hint: "quire attachments FILE RESULT --add FILE")
        }
        let paper = try work.paper(call.arguments[0])
        let found = try withConversion { try PDFTools.attachments(in: paper) }
        var places: [String?] = found.map { _ in nil }
        if let out = call.value("out") {
            let folder = call.absolute(out)
            try Files.makeFolder(folder)
            places = PDFWork.apart(found.map { "\(folder)/\($0.name)" })
            for (file, place) in zip(found, places) {
                if let place { try writeWhole(file.bytes, to: place, overwrites: call.has("force")) }
            }
        }
        let views = zip(found, places).map { file, place -> JSON in
            [
                "name": .string(file.name), "mediaType": .string(file.mediaType),
                "byteCount": .int(file.bytes.count), "file": .optional(place),
            ]
        }
        call.answer(["attachments": .array(views)]) {
            found.isEmpty
                ? "No files are carried inside.\n"
                : zip(found, places).map { file, place in
                    "\(TextTable.harmless(place ?? file.name)): \(Words.size(Int64(file.bytes.count)))\n"
                }.joined()
        }
    }

    func change() throws {
        guard !call.has("out") else {
            throw UsageError(
                message: "--out and a result cannot both be said", hint: "Leave one of them out.")
        }
        let (added, removed) = (call.options["add"] ?? [], call.options["remove"] ?? [])
        guard !added.isEmpty || !removed.isEmpty else {
            throw UsageError(
                message: "Nothing is said about the attachments of the result",
                hint: "Put some in with --add FILE, or take some away with --remove NAME.")
        }
        var paper = try work.paper(call.arguments[0])
        let there = try withConversion { try PDFTools.attachments(in: paper).map(\.name) }
        if let missing = removed.first(where: { !there.contains($0) }) {
            throw Failure(.notFound, "No file “\(missing)” is carried inside.")
        }
        let files = try added.map { path in
            PDFTools.Attachment(name: Files.name(path), bytes: try withForms { try work.bytes(path) })
        }
        paper = try withConversion {
            var rest = removed.isEmpty ? paper : try PDFTools.dropping(removed, from: paper)
            if !files.isEmpty, let part = PDFTools.claimedArchivePart(rest.bytes), part != 3 {
                rest = try PDFTools.unclaimed(rest)
                call.hint(
                    "The file was PDF/A-\(part), which may carry no files; the result does not say so any more."
                )
            }
            return try PDFTools.carrying(files, in: rest)
        }
        try work.keep(paper)
    }
}
