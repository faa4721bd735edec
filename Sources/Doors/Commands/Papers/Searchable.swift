import Access
import App
import Bytes
import Converting
import Library
import Storage

extension Command {
    static let searchable = Command(
        name: "searchable",
        summary: "lay the words of scans over their pages, to be found and copied anywhere",
        discussion: """
            Makes a searchable PDF as a new version of each paper, which keeps what it was before; with --copy beside it. A \
            signed paper is always copied, as any change would end its signatures. Pages that have words already are left \
            alone. It needs Tesseract.
            """,
        arguments: [
            Argument(name: "PAPER", summary: "names or ids, as quire list shows them", isRepeating: true)
        ],
        options: [
            Option("copy", nil, "beside the paper instead of in its place"),
            Option("languages", "LANGUAGES", "in which to read, as Tesseract names them: eng+fra"), .database,
        ],
        examples: [
            Example("quire searchable scan.pdf", "as its newest version"),
            Example("quire searchable scan.pdf --copy --languages deu+eng", "a copy, in German and English"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let papers = try call.arguments.map { try desk.client.document($0) }
            let ids = papers.compactMap { ID<Document>($0.id) }
            let languages = call.value("languages") ?? ""
            let outcome: JSON
            if let local = desk.local {
                let caller = call.has("private") ? Caller.local : Caller.local.withoutPrivate
                outcome = try call.withProgress("Reading scans") { progress in
                    try local.searchable.make(
                        ids, languages: languages, asCopy: call.has("copy"), by: caller, progress: progress)
                }
            } else {
                let job = try desk.client.send(
                    "POST", "/documents/searchable",
                    [
                        "documents": .array(papers.map { .string($0.id) }), "languages": .string(languages),
                        "copy": .bool(call.has("copy")),
                    ])
                outcome = try desk.client.result(ofJob: job, call)
            }
            call.answer(outcome) {
                func count(_ name: String) -> Int { outcome[name]?.int ?? 0 }
                var lines: [String] = []
                if count("revised") > 0 {
                    lines.append(
                        "\(Words.count(count("revised"), "paper has", "papers have")) a searchable version now."
                    )
                }
                for paper in outcome["renamed"]?.array ?? [] {
                    let (from, to) = (paper["from"]?.string ?? "", paper["to"]?.string ?? "")
                    lines.append(
                        "“\(TextTable.harmless(from))” is a PDF now and called “\(TextTable.harmless(to))”; quire versions leads back to the picture."
                    )
                }
                if count("copied") > 0 {
                    lines.append(
                        "\(Words.count(count("copied"), "copy lies", "copies lie")) beside the paper.")
                }
                if count("unchanged") > 0 {
                    lines.append(
                        "\(Words.count(count("unchanged"), "paper has", "papers have")) words on every page already."
                    )
                }
                for left in outcome["left"]?.array ?? [] {
                    lines.append(
                        "\(TextTable.harmless(left["name"]?.string ?? "")): \(TextTable.harmless(left["reason"]?.string ?? ""))"
                    )
                }
                return lines.map { $0 + "\n" }.joined()
            }
        })
}

extension DeskClient {
    /// Waits until a job has ended, and gives its answer.
    func result(ofJob job: JSON, _ call: Invocation) throws -> JSON {
        guard let id = job["id"]?.string else {
            throw Failure(.unavailable, "The desk began the work and did not say which it is.")
        }
        let pause = Pause(call.cancellation)
        while true {
            let now = JobView(try get("/jobs/\(id)"))
            if now.state == "done" { return now.json["result"] ?? [:] }
            guard !now.isFinished else {
                throw Failure(
                    .unavailable, now.json["reason"]?.string ?? "The work ended without saying why.")
            }
            guard pause.wait(.seconds(1)) else {
                throw Failure(.cancelled, "The desk goes on with it; quire jobs list shows how far it is.")
            }
        }
    }
}
