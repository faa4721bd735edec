import App
import Archives
import Bytes
import Glibc
import Storage
import Work

extension Command {
    static let batchExport = Command(
        name: "export", summary: "take the packets of a batch away",
        discussion: """
            --out makes a folder with a folder for each recipient: Packet.pdf, its letter when there is one, with \
            --receipts what it was made of; and beside them Summary.csv for people and manifest.json for programs. --zip \
            is the same as one archive. --merged is one PDF with all packets, a bookmark for each; its fields become \
            part of the pages, or stay with --keep-fields, each packet's under a name of its own (7.name). --sheet is \
            for looking: the first pages of all packets, small, those with a problem in red.
            """,
        arguments: [.batch],
        options: [
            Option("out", letter: "o", "FOLDER", "a folder that is not there yet", completion: .folder),
            Option("zip", "FILE", "an archive with a folder for each recipient", completion: .file),
            Option("merged", "FILE", "one PDF with all packets, for printing", completion: .file),
            Option("sheet", "FILE", "one PDF with all first pages, small", completion: .file),
            Option("flat", nil, "one file for each recipient instead of a folder"),
            Option("receipts", nil, "with each packet, what went into it and where from, as JSON"),
            Option(
                "order", "ORDER", "list (as it stands), name or file-name",
                completion: .choices(["list", "name", "file-name"])),
            Option("only", "WORDS", "only packets with these words in the name or the address"),
            Option("duplex", nil, "with --merged: each packet begins on the front of a sheet"),
            Option("keep-fields", nil, "with --merged: fields stay and can be filled on"), .database,
        ],
        examples: [
            Example("quire batch export Consent --out consent", "a folder for each recipient"),
            Example("quire batch export Consent --merged consent.pdf --duplex", "for the printer"),
        ],
        run: { call in
            let wish = try ExportWish(call)
            try call.withBatch { desk, batch, id in
                let path = try wish.take(
                    desk.client, "/batches/\(id)/exports", batch["name"]?.string ?? "packets")
                call.answer(["path": .string(path)]) { "\(TextTable.harmless(path))\n" }
            }
        })
}

/// What of a batch is taken away, and where to.
private struct ExportWish {
    private enum Target { case folder(String), zip(String), merged(String), sheet(String) }

    private let call: Invocation
    private let target: Target
    private var query: [(String, String)]

    init(_ call: Invocation) throws {
        self.call = call
        let named = ["out", "zip", "merged", "sheet"].filter { call.has($0) }
        guard named.count == 1 else {
            throw UsageError(
                message: named.isEmpty ? "say where to" : "the packets go to one place",
                hint: "Use --out FOLDER, --zip FILE, --merged FILE or --sheet FILE.")
        }
        if let path = call.value("out") {
            target = .folder(call.absolute(path))
        } else if let path = call.value("zip") {
            target = .zip(path)
        } else if let path = call.value("sheet") {
            target = .sheet(path)
        } else {
            target = .merged(call.value("merged") ?? "")
        }
        let isMerged = call.has("merged")
        for option in ["duplex", "keep-fields"] where call.has(option) && !isMerged {
            throw UsageError(message: "--\(option) goes with --merged", hint: "Leave it out.")
        }
        for option in ["flat", "receipts"] where call.has(option) && (isMerged || call.has("sheet")) {
            throw UsageError(message: "--\(option) goes with --out or --zip", hint: "Leave it out.")
        }
        query = [
            (
                "form",
                isMerged ? "merged" : call.has("sheet") ? "sheet" : call.has("flat") ? "files" : "folders"
            )
        ]
        if let order = call.value("order") {
            guard let word = ["list": "list", "name": "name", "file-name": "fileName"][order] else {
                throw UsageError(
                    message: "--order takes list, name or file-name, not “\(order)”", hint: "list is usual.")
            }
            query.append(("order", word))
        }
        if let words = call.value("only") { query.append(("q", words)) }
        if call.has("receipts") { query.append(("receipts", "yes")) }
        if call.has("duplex") { query.append(("duplex", "yes")) }
        if call.has("keep-fields") { query.append(("fields", "yes")) }
    }

    /// Gives where they are.
    func take(_ client: DeskClient, _ address: String, _ name: String) throws -> String {
        switch target {
        case .zip(let given):
            return try fetch(
                client, address, try call.newFile(given, named: "\(Files.name(titled: name)).zip"))
        case .merged(let given), .sheet(let given):
            return try fetch(
                client, address, try call.newFile(given, named: "\(Files.name(titled: name)).pdf"))
        case .folder(let path):
            guard !Files.exists(path) else {
                throw Failure(
                    .conflict, "\(path) is there already. Name another folder, or move that one away.")
            }
            let archive = DraftFile.path(beside: path) + ".zip"
            defer { unlink(archive) }
            _ = try fetch(client, address, archive)
            try call.withProgress("Unpacking") { try UnpackedFolder(path).take(archive, $0) }
            return path
        }
    }

    private func fetch(_ client: DeskClient, _ address: String, _ path: String) throws -> String {
        try call.withProgress("Fetching", unit: .bytes) {
            try client.download(DeskRequest("GET", address, query: query).target, to: path, progress: $0)
        }
        return path
    }
}

/// A folder that gets what an archive holds, whole or not at all.
private struct UnpackedFolder {
    private let path: String
    private let draft: String

    init(_ path: String) {
        self.path = path
        draft = DraftFile.path(beside: path)
    }

    func take(_ archive: String, _ progress: Progress) throws {
        guard mkdir(draft, 0o755) == 0 else {
            throw Failure(
                errno == EEXIST ? .conflict : .unavailable, "\(draft) cannot be made: \(Files.reason).")
        }
        do {
            try unpack(archive, progress)
            // Renaming a folder over an empty one succeeds, over a full one it fails: nothing is lost either way.
            guard !Files.exists(path), rename(draft, path) == 0 else {
                throw Failure(.conflict, "\(path) appeared meanwhile. Nothing was written there.")
            }
        } catch {
            Self.remove(draft)
            throw error
        }
    }

    private func unpack(_ archive: String, _ progress: Progress) throws {
        let zip = try ZIPReader(path: archive)
        progress.set(done: 0, total: Int64(zip.entries.count))
        var made: Set<String> = []
        for entry in zip.entries where !entry.isFolder {
            try progress.check()
            // Whatever a server says, nothing is written anywhere else.
            guard entry.staysInside else {
                throw Failure(
                    .damaged, "The desk named a file “\(entry.name)”, which lies outside the folder.")
            }
            let folders = entry.name.split(separator: "/").dropLast()
            for count in folders.indices.map({ $0 - folders.startIndex + 1 }) {
                let folder = folders.prefix(count).joined(separator: "/")
                guard made.insert(folder).inserted else { continue }
                guard mkdir("\(draft)/\(folder)", 0o755) == 0 || errno == EEXIST else {
                    throw Failure(.unavailable, "\(path)/\(folder) cannot be made: \(Files.reason).")
                }
            }
            let file = try NewFile("\(draft)/\(entry.name)")
            try zip.stream(entry) { piece in try piece.withUnsafeBytes { try file.write($0) } }
            try file.finish()
            progress.advance()
        }
    }

    private static func remove(_ folder: String) {
        guard let open = opendir(folder) else { return }
        var names: [(name: String, isFolder: Bool)] = []
        while let entry = readdir(open) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append((name, entry.pointee.d_type == UInt8(DT_DIR))) }
        }
        closedir(open)
        for (name, isFolder) in names {
            if isFolder { remove("\(folder)/\(name)") } else { unlink("\(folder)/\(name)") }
        }
        rmdir(folder)
    }
}
