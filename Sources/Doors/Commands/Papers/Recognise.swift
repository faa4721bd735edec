import Access
import App
import Bytes
import Library
import PDFReading
import Storage

extension Command {
    static let recognise = Command(
        name: "recognise", summary: "read the words in scans and photos, so that they are found",
        discussion: """
            What is read is kept beside the papers; their bytes stay as they are. A desk that is being served does this by \
            itself, in the background. In which language a page is written is found out among those that Tesseract knows \
            here, or chosen: for all papers with recognition-languages, for some of them by naming them with --languages, \
            which reads them once more. It needs Tesseract.
            """,
        arguments: [
            Argument(
                name: "PAPER", summary: "those to read once more, by names or ids", isOptional: true,
                isRepeating: true)
        ],
        options: [
            Option(
                "languages", "LANGUAGES",
                "in which to read these papers, as Tesseract names them: eng+fra, or auto to find out"),
            .database,
        ],
        examples: [
            Example("quire recognise", "all that nobody has looked at yet"),
            Example("quire recognise letter.pdf --languages fra", "this one again, in French"),
        ],
        run: { call in
            let languages = (call.value("languages") ?? "").split { "+, ".contains($0) }.map(String.init)
            guard languages.isEmpty || !call.arguments.isEmpty else {
                throw Failure(
                    .invalid,
                    "Name the papers to read in \(languages.joined(separator: "+")). For all of them, set recognition-languages.",
                    field: "languages")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let papers = try call.arguments.map { try desk.client.document($0) }
            guard let local = desk.local else {
                guard !papers.isEmpty else {
                    throw Failure(
                        .unsupported, "A server reads scans by itself; quire jobs list shows how far it is.")
                }
                for paper in papers {
                    let job = try desk.client.send(
                        "POST", "/documents/\(paper.id)/recognition",
                        ["languages": .array(languages.map(JSON.string))])
                    _ = try desk.client.result(ofJob: job, call)
                }
                call.answer(["papers": .int(papers.count)]) {
                    "\(Words.count(papers.count, "paper was", "papers were")) read once more.\n"
                }
                return
            }
            guard local.recognition.isReady else {
                throw Failure(
                    .unavailable,
                    "Reading scans needs Tesseract with the languages wanted. Install it: apt install tesseract-ocr tesseract-ocr-eng"
                )
            }
            let count = try call.withProgress("Reading scans") { progress in
                try local.reading.catchUp(progress: progress)
                for paper in papers {
                    guard let id = ID<Document>(paper.id) else { continue }
                    _ = try local.recognition.lookAgain(
                        at: id, in: languages.isEmpty ? [Recognizer.auto] : languages, queue: local.queue,
                        by: .local)
                }
                return try local.recognition.catchUp(progress: progress)
            }
            call.answer(["pages": .int(count)]) {
                count == 0
                    ? "There is no page that nobody has looked at.\n"
                    : "\(Words.count(count, "page was", "pages were")) looked at; their words can be found now.\n"
            }
        })
}
