import Access
import App
import Bytes
import Library
import Storage
import Work

extension Command {
    static let importPaperless = Command(
        name: "import-paperless", summary: "take a library over from Paperless-ngx",
        discussion: """
            Reads what document_exporter of Paperless-ngx wrote: its folder, or the ZIP archive of it. Papers come with \
            their titles, days, tags and notes; correspondents become people, storage paths folders, document types and \
            custom fields become fields. Originals are kept byte for byte; an archive version is the paper's second \
            version. What is left out is said. Doing it again brings only what is new.
            """,
        arguments: [Argument(name: "EXPORT", summary: "the folder, or its ZIP archive", completion: .file)],
        options: [.into, .database],
        examples: [
            Example("quire import-paperless ~/paperless/export", "the folder of an export"),
            Example("quire import-paperless export.zip --into Paperless", "an archive of one, into a folder"),
        ],
        run: { call in
            let path = call.absolute(call.arguments[0])
            let desk = try call.desk(making: true)
            defer { desk.close() }
            let folder = try call.value("into").flatMap { try desk.client.folder(at: $0, making: true) }
            let report: JSON
            if let local = desk.local {
                let export = try PaperlessExport(path)
                report = try call.withProgress("Importing", unit: .things) { progress in
                    try local.documents.take(
                        export, into: folder.flatMap { ID<Folder>($0.id) }, by: .local, progress: progress
                    ).json
                }
            } else {
                guard !Files.isFolder(path), folder == nil else {
                    throw UsageError(
                        message:
                            "a desk behind an address takes an export as one ZIP archive, and not into a folder",
                        hint: "Pack it first: document_exporter ../export --zip")
                }
                report = try remote(path, desk, call)
            }
            call.answer(report) { words(report, call) }
        })

    private static func remote(_ path: String, _ desk: DeskSession, _ call: Invocation) throws -> JSON {
        let file = DeskRequest.File(path: path, name: Files.name(path), byteCount: try Files.byteCount(path))
        let job = try call.withProgress("Sending", unit: .bytes) { progress in
            try desk.client.upload(file, to: "/paperless", progress: progress).json()
        }
        return try desk.client.result(ofJob: job, call)
    }

    private static func words(_ report: JSON, _ call: Invocation) -> String {
        func count(_ name: String) -> Int { report[name]?.int ?? 0 }
        let style = call.terminal.outputStyle
        var lines = [
            "\(Words.count(count("added"), "paper is", "papers are")) new, \(count("alreadyThere")) \(count("alreadyThere") == 1 ? "was" : "were") there already."
        ]
        if count("archives") > 0 {
            lines.append(
                "\(Words.count(count("archives"), "paper has", "papers have")) an archive version, as a second version."
            )
        }
        if count("searches") > 0 {
            lines.append(
                "\(Words.count(count("searches"), "saved view is", "saved views are")) kept as a search.")
        }
        for left in report["left"]?.array ?? [] {
            let name = TextTable.harmless(left["name"]?.string ?? "")
            lines.append(
                "\(style.bad("left out"))  \(name): \(TextTable.harmless(left["reason"]?.string ?? ""))")
        }
        for other in report["others"]?.array ?? [] {
            lines.append(
                "\(style.bad("not taken"))  \(other["count"]?.int ?? 0) \(other["what"]?.string ?? ""): Quire has no place for them."
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
