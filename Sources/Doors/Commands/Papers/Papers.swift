import Bytes
import Glibc
import Library
import Storage

extension Argument {
    static let paper = Argument(name: "PAPER", summary: "its name or its id, as quire list shows them")
}

extension Command {
    static let list = Command(
        name: "list", summary: "show what lies on the desk",
        arguments: [
            Argument(
                name: "WORDS", summary: "only papers with these words in their name", isOptional: true,
                isRepeating: true)
        ],
        options: [
            Option("trash", nil, "show the bin instead"), .inFolder, .tagged,
            Option(
                "order", "ORDER", "name, size, pages, date or added (the newest first)",
                completion: .choices(["name", "size", "added"])),
            Option("limit", "COUNT", "at most so many (100)"), .database,
        ],
        examples: [
            Example("quire list", "the newest papers"),
            Example("quire list invoice 2026 --order name", "papers with both words in their name"),
            Example("quire list --json --limit 1000", "for a script"),
        ],
        run: { call in
            guard let limit = Int(call.value("limit") ?? "100"), (1...100_000).contains(limit) else {
                throw UsageError(
                    message: "--limit needs a number from 1 to 100000", hint: "Leave it out for 100.")
            }
            let desk = try call.desk()
            defer { desk.close() }
            var filters: [(String, String)] = []
            if let path = call.value("in") {
                filters.append(("folder", try desk.client.folder(at: path)?.id ?? ""))
            }
            if let tag = call.value("tag") { filters.append(("tag", tag)) }
            let found = try desk.client.documents(
                matching: call.arguments.joined(separator: " "), filters, inTrash: call.has("trash"),
                order: call.value("order"),
                atMost: limit)
            call.answer(["documents": .array(found.documents.map(\.json)), "count": .int(found.count)]) {
                guard !found.documents.isEmpty else { return "" }
                var table = TextTable(["Paper", "Kind", "Size", "Added", "Id"], rightAligned: [2])
                for document in found.documents {
                    table.add([
                        document.name, document.kind, Words.size(document.byteCount), document.addedAt,
                        document.id,
                    ])
                }
                return table.text(call.terminal.outputStyle)
            }
            if found.documents.isEmpty {
                call.hint(
                    call.arguments.isEmpty && filters.isEmpty
                        ? (call.has("trash")
                            ? "The bin is empty."
                            : "The desk is empty. Begin with: \(call.again("add FILE"))")
                        : call.arguments.isEmpty
                            ? "There is no such paper."
                            : "No paper has “\(call.arguments.joined(separator: " "))” in its name.")
            } else if found.count > found.documents.count {
                call.hint(
                    "\(found.count - found.documents.count) more; show them with --limit \(found.count).")
            }
        })

    static let show = Command(
        name: "show", summary: "say all there is to know about a paper",
        arguments: [.paper], options: [.database],
        examples: [Example("quire show letter.pdf", "where it came from, its size, its digest")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let document = try desk.client.document(call.arguments[0])
            call.answer(document.json) {
                var rows = [
                    ("Name", document.name), ("Id", document.id),
                    ("Kind", "\(document.kind) (\(document.mediaType))"),
                ]
                if let folder = document.json["folder"]?.string {
                    let place = try? desk.client.get("/folders/\(folder)")["path"]?.string
                    rows.append(("Folder", (place ?? nil) ?? folder))
                }
                if !document.tags.isEmpty { rows.append(("Tags", document.tags.joined(separator: ", "))) }
                if let date = document.json["date"]?.string, !date.isEmpty { rows.append(("Day", date)) }
                if let note = document.json["note"]?.string, !note.isEmpty { rows.append(("Note", note)) }
                rows.append(("Size", "\(Words.size(document.byteCount)) (\(document.byteCount))"))
                rows.append(
                    (
                        "Added",
                        "\(document.addedAt) by \(document.json["addedBy"]?.string ?? "?")"
                    ))
                if let way = document.json["arrival"]?.string.flatMap(PaperArrival.init) {
                    rows.append(("Came by", Words.arrival(way)))
                }
                if let digest = document.json["digest"]?.string { rows.append(("SHA-256", digest)) }
                if document.isTrashed {
                    rows.append(("In the bin", "since \(Words.time(document.json["trashedAt"]?.string))"))
                }
                return rows.map { title, text in
                    let gap = String(repeating: " ", count: max(1, 12 - title.count))
                    return "\(call.terminal.outputStyle.dim(title))\(gap)\(TextTable.harmless(text))\n"
                }.joined()
            }
        })

    static let get = Command(
        name: "get", summary: "copy a paper from the desk to a file",
        discussion: "Never writes over a file that is there.",
        arguments: [
            .paper,
            Argument(
                name: "FILE", summary: "where to; the folder you are in, under its own name, if left out",
                isOptional: true, completion: .file),
        ],
        options: [
            Option("number", "NUMBER", "as it was in this version; quire versions lists them"), .database,
        ],
        examples: [
            Example("quire get letter.pdf", "into this folder"),
            Example("quire get letter.pdf /tmp/copy.pdf", "under another name"),
            Example("quire get lease.pdf old-lease.pdf --number 1", "as it was in the beginning"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let document = try desk.client.document(call.arguments[0])
            let version = call.value("number")
            guard version.map({ Int($0) ?? 0 > 0 }) ?? true else {
                throw UsageError(
                    message: "--number needs the number of a version", hint: "quire versions lists them.")
            }
            var path = call.absolute(call.arguments.count > 1 ? call.arguments[1] : ".")
            // The name comes from the desk, perhaps from a stranger's: it leads into no other folder.
            if Files.isFolder(path) { path += "/" + Files.name(titled: document.name) }
            guard !Files.exists(path) else {
                throw Failure(
                    .conflict, "\(path) is there already. Name another file, or move that one away.")
            }
            try call.withProgress("Fetching", unit: .bytes) {
                let place = version.map { "/versions/\($0)" } ?? ""
                try desk.client.download("/documents/\(document.id)\(place)/file", to: path, progress: $0)
            }
            call.answer(["path": .string(path), "document": document.json]) {
                "\(TextTable.harmless(path))\n"
            }
        })

    static let rename = Command(
        name: "rename", summary: "give a paper another name",
        arguments: [.paper, Argument(name: "NAME", summary: "its new name")], options: [.database],
        examples: [Example("quire rename scan.jpg Receipt-2026-11.jpg", "its content stays the same")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let document = try desk.client.document(call.arguments[0])
            let renamed = try desk.client.send(
                "PATCH", "/documents/\(document.id)", ["name": .string(call.arguments[1])])
            call.answer(renamed) {
                "“\(TextTable.harmless(document.name))” is called “\(TextTable.harmless(renamed["name"]?.string ?? call.arguments[1]))” now.\n"
            }
        })

    static let trash = Command(
        name: "trash", summary: "put papers into the bin",
        discussion:
            "What lies in the bin for thirty days is removed for good; until then restore-from-trash brings it back.",
        arguments: [
            Argument(name: "PAPER", summary: "names or ids, as quire list shows them", isRepeating: true)
        ],
        options: [.database],
        examples: [Example("quire trash old.pdf older.pdf", "two papers")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let documents = try call.arguments.map { try desk.client.document($0) }
            for document in documents { try desk.client.send("DELETE", "/documents/\(document.id)") }
            call.answer(["trashed": .array(documents.map(\.json))]) {
                documents.map { "“\(TextTable.harmless($0.name))” is in the bin.\n" }.joined()
            }
            if let first = documents.first {
                call.hint("To take it out again: \(call.again("restore-from-trash \(first.id)"))")
            }
        })

    static let emptyTrash = Command(
        name: "empty-trash", summary: "remove for good what lies in the bin",
        discussion: "What is held, or must be kept for some time yet, stays there. This cannot be undone.",
        options: [.database, Option("yes", nil, "needed, so that nothing goes by mistake")],
        examples: [Example("quire empty-trash --yes", "all that may go")],
        run: { call in
            guard call.has("yes") else {
                throw UsageError(
                    message: "what is removed for good cannot be brought back",
                    hint:
                        "\(call.again("list --trash")) shows what lies there; then: \(call.again("empty-trash --yes"))"
                )
            }
            let desk = try call.desk()
            defer { desk.close() }
            let answer = try desk.client.send("POST", "/trash/emptying")
            call.answer(answer) {
                let left = answer["left"]?.int ?? 0
                return
                    "Gone for good: \(answer["removed"]?.int ?? 0).\(left > 0 ? " Still in the bin, as they must be kept: \(left)." : "")\n"
            }
        })

    static let restoreFromTrash = Command(
        name: "restore-from-trash", summary: "take papers out of the bin",
        arguments: [
            Argument(
                name: "PAPER", summary: "names or ids, as quire list --trash shows them", isRepeating: true)
        ],
        options: [.database],
        examples: [Example("quire restore-from-trash old.pdf", "back onto the desk")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let documents = try call.arguments.map { try desk.client.document($0, inTrash: true) }
            for document in documents {
                try desk.client.send("POST", "/documents/\(document.id)/restoration")
            }
            call.answer(["restored": .array(documents.map(\.json))]) {
                documents.map { "“\(TextTable.harmless($0.name))” is back on the desk.\n" }.joined()
            }
        })
}
