import Bytes
import Crypto
import HTTP
import Storage
import Work

extension Command {
    static let add = Command(
        name: "add", summary: "put files on the desk",
        discussion: """
            Takes copies; your files stay where they are and as they are. What a file is, its content decides and not its \
            name. A file that lies on the desk already, whatever it was called then, is recognised and not kept twice. A \
            folder comes as a folder, with all that lies in it and below it; hidden files are left out. What begins with https:// is fetched by the desk. \
            --unpack takes the papers out of ZIP archives, in their folders, and what was attached out of mails.
            """,
        arguments: [
            Argument(
                name: "FILE", summary: "files, folders and addresses to take in", isRepeating: true,
                completion: .file)
        ],
        options: [
            .into, Option("unpack", nil, "take out what archives (ZIP) and mails (.eml) hold"), .database,
        ],
        examples: [
            Example("quire add letter.pdf scan.jpg", "two papers"),
            Example("quire add letter.pdf --into Taxes/2026", "into a folder, made if it is not there"),
            Example("quire add ~/Documents/Taxes", "a whole folder, with the folders in it"),
            Example(
                "quire add --unpack export.zip mail.eml",
                "the papers in an archive, a mail with what came with it"),
            Example("quire add https://www.example.org/terms.pdf", "from the web"),
            Example(
                "quire add --server https://desk.example.org letter.pdf",
                "onto the desk of a server (with QUIRE_TOKEN)"),
        ],
        run: { call in
            let papers = try call.arguments.flatMap { argument -> [Intake.Paper] in
                if Intake.isAddress(argument) { return [Intake.Paper(path: argument)] }
                let path = call.absolute(argument)
                guard Files.isFolder(path) else { return [Intake.Paper(path: path)] }
                // `.` stands for what lies in it.
                let isNamed = argument.split(separator: "/").last.map { $0 != "." && $0 != ".." } == true
                return try Files.below(path).map { Intake.Paper(path: $0, in: path, isNamed: isNamed) }
            }
            guard !papers.isEmpty else {
                throw Failure(.notFound, "There is no file in \(call.arguments.joined(separator: ", ")).")
            }
            let desk = try call.desk(making: true)
            defer { desk.close() }
            let folder = try call.value("into").flatMap { try desk.client.folder(at: $0, making: true) }
            let intake = Intake(desk: desk, call: call, folder: folder)
            try call.withProgress("Adding", unit: .bytes) { try intake.take(papers, $0) }
            intake.report()
            if let first = intake.failed.first { throw ExitCode(first.failure.code) }
        })
}

/// Which file is next, for whoever is free. Files that may be the same are never under way at once: of two, the first named is
/// the one that is added.
private final class IntakeLine: Sendable {
    private struct State {
        var next = 0
        /// What the next one holds, once that was looked at.
        var mark: String?
        var underWay: [Int: String] = [:]
        var outcomes: [Result<JSON, Failure>?]
    }

    private let paths: [String]
    private let sizes: [Int64]
    private let state: Monitor<State>

    init(_ paths: [String], _ sizes: [Int64]) {
        self.paths = paths
        self.sizes = sizes
        state = Monitor(State(outcomes: Array(repeating: nil, count: paths.count)))
    }

    var outcomes: [Result<JSON, Failure>?] { state.read { $0.outcomes } }

    func put(_ outcome: Result<JSON, Failure>, at place: Int) {
        state.update { state in
            state.outcomes[place] = outcome
            state.underWay[place] = nil
        }
    }

    /// Nil when there are no more, or nobody wants them.
    func next(_ cancellation: Cancellation) -> Int? {
        let next = state.wait { state -> Int?? in
            guard state.next < paths.count, !cancellation.isCancelled else { return .some(nil) }
            let mark = state.mark ?? mark(of: state.next)
            state.mark = mark
            if state.underWay.values.contains(mark) { return nil }
            defer {
                state.mark = nil
                state.next += 1
            }
            state.underWay[state.next] = mark
            return state.next
        }
        return next ?? nil
    }

    /// What small files hold; of large ones how large they are.
    private func mark(of place: Int) -> String {
        guard sizes[place] <= 64 << 10, let bytes = try? Files.read(paths[place], atMost: 64 << 10) else {
            return "\(sizes[place])"
        }
        return Hex.encode(SHA256.hash(bytes))
    }
}

/// Takes files in, several at a time; one that fails does not stop the others.
/// `@unchecked`: its lanes only read what never changes; all else is touched by the thread that waits for them.
private final class Intake: @unchecked Sendable {
    struct Paper {
        /// A path or an address.
        var path: String
        /// The names of the folders it brings along, parted by `/`.
        var folders = ""

        init(path: String) { self.path = path }

        /// What lies in a folder that was named comes in it.
        init(path: String, in folder: String, isNamed: Bool) {
            self.path = path
            let above = folder.split(separator: "/").count - (isNamed ? 1 : 0)
            folders = path.split(separator: "/").dropFirst(above).dropLast().joined(separator: "/")
        }
    }

    private let desk: DeskSession
    private let call: Invocation
    private let folder: FolderView?
    private var new: [DocumentView] = []
    private var known: [(name: String, document: DocumentView)] = []
    private(set) var failed: [(name: String, failure: Failure)] = []
    /// What could not be taken out of an archive or a mail.
    private var left: [(name: String, reason: String)] = []

    static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("https://") || text.hasPrefix("http://")
    }

    init(desk: DeskSession, call: Invocation, folder: FolderView?) {
        self.desk = desk
        self.call = call
        self.folder = folder
    }

    func take(_ papers: [Paper], _ progress: Progress) throws {
        let sizes = papers.map { (try? Files.byteCount($0.path)) ?? 0 }
        let total = sizes.reduce(into: Int64(0)) { $0 = $0.addingReportingOverflow($1).partialValue }
        progress.set(done: 0, total: max(1, total))
        let line = IntakeLine(papers.map(\.path), sizes)
        // What comes out of the net, or out of archives, may be what others are.
        let isPlain = !call.has("unpack") && !papers.contains { Self.isAddress($0.path) }
        let lanes = (0..<(isPlain ? min(Self.mostLanes, papers.count) : 1)).map { _ in
            Thread(name: "add") { [self] in
                while let place = line.next(progress.cancellation) {
                    progress.phase(Files.name(papers[place].path))
                    let outcome = Result { () throws(Failure) in
                        try takeOne(papers[place], progress.part(of: sizes[place], total: sizes[place]))
                    }
                    if case .failure = outcome { progress.advance(sizes[place]) }
                    line.put(outcome, at: place)
                }
            }
        }
        for lane in lanes { lane.join() }
        for (paper, outcome) in zip(papers, line.outcomes) {
            guard let outcome else { continue }
            do throws(Failure) {
                note(try outcome.get(), of: paper)
            } catch {
                if error.code == .cancelled { throw error }
                failed.append((Files.name(paper.path), error))
            }
        }
        try progress.check()
    }

    /// So many share one wait for the disk, and what is written for all of them once.
    private static let mostLanes = 16

    private func takeOne(_ paper: Paper, _ progress: Progress) throws(Failure) -> JSON {
        do {
            let answer = try Self.isAddress(paper.path) ? fetch(paper.path) : upload(paper, progress)
            guard !UploadView.all(answer).isEmpty else {
                throw Failure(.unavailable, "The desk took \(paper.path) and did not say what it became.")
            }
            return answer
        } catch {
            throw Complaint(error).failure
        }
    }

    private func note(_ answer: JSON, of paper: Paper) {
        let papers = UploadView.all(answer)
        for arrived in papers {
            if arrived.isNew {
                new.append(arrived.document)
            } else {
                let name = papers.count == 1 ? Files.name(paper.path) : arrived.document.name
                known.append((name, arrived.document))
            }
        }
        left += (answer["left"]?.array ?? []).map {
            ($0["name"]?.string ?? "", $0["reason"]?.string ?? "")
        }
    }

    private func upload(_ paper: Paper, _ progress: Progress) throws -> JSON {
        let file = DeskRequest.File(
            path: paper.path, name: Files.name(paper.path), byteCount: try Files.byteCount(paper.path))
        var query = Fields()
        if let folder { query.add("folder", folder.id) }
        if !paper.folders.isEmpty { query.add("path", paper.folders) }
        if call.has("unpack") { query.add("unpack", "1") }
        let address = "/documents?" + query.urlEncoded
        return try desk.client.upload(file, to: address, progress: progress).json()
    }

    private func fetch(_ address: String) throws -> JSON {
        try desk.client.send(
            "POST", "/documents/addresses",
            [
                "address": .string(address), "folder": .string(folder?.id ?? ""),
                "unpack": .string(call.has("unpack") ? "1" : ""),
            ])
    }

    func report() {
        let view: JSON = [
            "added": .array(new.map(\.json)), "alreadyThere": .array(known.map(\.document.json)),
            "left": .array(left.map { ["name": .string($0.name), "reason": .string($0.reason)] }),
            "failed": .array(
                failed.map {
                    [
                        "name": .string($0.name), "code": .string($0.failure.code.rawValue),
                        "message": .string($0.failure.message),
                    ]
                }),
        ]
        call.answer(view) { text }
        guard failed.isEmpty else { return }
        call.hint(
            desk.isRemote
                ? "Next: open \(desk.place) in a browser, or: \(call.again("list"))"
                : "Next: \(call.again("serve")) opens the desk in your browser; \(call.again("list")) shows what lies on it."
        )
    }

    private var text: String {
        let style = call.terminal.outputStyle
        var table = TextTable(["", "Paper", "Kind", "Size"], rightAligned: [3])
        for document in new {
            table.add(["added", document.name, document.kind, Words.size(document.byteCount)])
        }
        for (name, document) in known {
            let other = name == document.name ? name : "\(name), as “\(document.name)”"
            table.add(["already there", other, document.kind, Words.size(document.byteCount)])
        }
        var parts: [String] = []
        if !new.isEmpty { parts.append("\(Words.count(new.count, "paper is", "papers are")) new") }
        if !known.isEmpty {
            parts.append("\(known.count) \(known.count == 1 ? "was" : "were") there already")
        }
        if !failed.isEmpty { parts.append(style.bad("\(failed.count) could not be added")) }
        let faults = failed.map { "\(style.bad("not added"))  \(TextTable.harmless($0.failure.message))\n" }
            .joined()
        let inside = left.map { name, reason in
            "\(style.bad("left inside"))  \(TextTable.harmless(name)): \(TextTable.harmless(reason))\n"
        }.joined()
        let papers = new.isEmpty && known.isEmpty ? "" : table.text(style)
        return
            "\(papers)\(inside)\(faults)\n\(parts.joined(separator: ", ")), on the desk \(desk.isRemote ? "at" : "in") \(desk.place).\n"
    }
}
