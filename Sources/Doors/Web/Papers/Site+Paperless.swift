import Access
import App
import Bytes
import HTTP
import Jobs
import Library
import Markup
import Storage

extension Site {
    /// Taking papers over from Paperless-ngx.
    static let paperlessActions: [Action] = [
        Action(
            .get, "/paperless", .member(.view),
            .init(
                "List imports from Paperless-ngx", description: "`result` says what came of each.",
                tag: "Documents", answers: [.ok("JobList", "The newest first")])
        ) { visit in
            let jobs = try visit.quire.paperlessImports.list(by: try visit.member())
            guard visit.wantsPage else { return visit.list("jobs", jobs.map(\.json), next: nil) }
            return visit.page(paperlessPage(visit, jobs, error: nil))
        },
        Action(
            .post, "/paperless", .member(.edit),
            .init(
                "Take papers over from Paperless-ngx",
                description:
                    "A ZIP archive of what `document_exporter` wrote, as a form with `file` or as the body itself. "
                    + "Doing it again brings what is new.",
                tag: "Documents",
                requestBody: [
                    .init(
                        .multipart, Schema.object([("file", ["type": "string", "format": "binary"])])),
                    .init(.octets, ["type": "string", "format": "binary"]),
                ], answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("Job"))])]),
            body: .upload(limit: 1 << 50)
        ) { visit in
            do {
                let arrival = try Arrival(visit)
                guard let file = arrival.files.first else {
                    throw Failure(.invalid, "Choose the archive of the export.", field: "file")
                }
                let source: Documents.Source =
                    file.path.map { .upload($0) } ?? .bytes(file.bytes ?? [])
                let name = file.name.isEmpty ? "export.zip" : file.name
                return try visit.promised(
                    try visit.quire.paperlessImports.begin(source, named: name, by: try visit.member()),
                    next: "/paperless", notice: "notice.paperless")
            } catch let failure as Failure
                where visit.wantsPage && [.invalid, .unsupported, .damaged].contains(failure.code)
            {
                let jobs = try visit.quire.paperlessImports.list(by: try visit.member())
                return visit.page(paperlessPage(visit, jobs, error: visit.said(failure)), .unprocessable)
            }
        },
    ]

    private static func paperlessPage(_ visit: Visit, _ jobs: [Job], error: String?) -> HTML {
        let imports = jobs.map { job -> PaperlessPage.Import in
            let report = job.result
            func count(_ name: String) -> Int { report?[name]?.int ?? 0 }
            return PaperlessPage.Import(
                job: JobLine(job), isDone: job.state == .done, added: count("added"),
                known: count("alreadyThere"),
                archives: count("archives"),
                left: (report?["left"]?.array ?? []).map {
                    ($0["name"]?.string ?? "", $0["reason"]?.string ?? "")
                },
                others: (report?["others"]?.array ?? []).map {
                    ($0["what"]?.string ?? "", $0["count"]?.int ?? 0)
                })
        }
        return Pages.paperless(visit.frameAt("/paperless"), PaperlessPage(imports: imports, error: error))
    }
}
