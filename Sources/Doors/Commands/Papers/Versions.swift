import Bytes
import HTTP
import Storage

// What a paper was before it was what it is.

extension Command {
    static let versions = Command(
        name: "versions", summary: "list what a paper was, the newest first",
        arguments: [.paper], options: [.database],
        examples: [Example("quire versions lease.pdf", "who changed it when")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let document = try desk.client.document(call.arguments[0])
            let answer = try desk.client.get("/documents/\(document.id)/versions")
            call.answer(answer) {
                var table = TextTable(
                    ["Version", "Kind", "Size", "Made", "By", "Note"], rightAligned: [0, 2])
                for version in answer["versions"]?.array ?? [] {
                    table.add([
                        "\(version["number"]?.integer ?? 0)", version["mediaType"]?.string ?? "",
                        Words.size(version["byteCount"]?.integer ?? 0),
                        Words.time(version["madeAt"]?.string), version["madeBy"]?.string ?? "",
                        version["note"]?.string ?? "",
                    ])
                }
                return table.text(call.terminal.outputStyle)
            }
            call.hint(
                "quire get --number NUMBER copies one out; quire bring-back makes one the newest again.")
        })

    static let replace = Command(
        name: "replace", summary: "put a new version in the place of a paper",
        discussion: """
            The paper keeps its id, its folder, its tags and its links; what it was before is kept as its earlier version. \
            Your file stays where it is.
            """,
        arguments: [.paper, Argument(name: "FILE", summary: "the new version", completion: .file)],
        options: [
            Option("note", "TEXT", "what changed"),
            Option("unsigned", nil, "let a file without them take the place of one with signatures"),
            .database,
        ],
        examples: [
            Example(
                "quire replace lease.pdf lease-signed.pdf --note \"signed\"", "the old one stays below it")
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let document = try desk.client.document(call.arguments[0])
            let path = call.absolute(call.arguments[1])
            let file = DeskRequest.File(
                path: path, name: Files.name(path), byteCount: try Files.byteCount(path))
            var query = Fields()
            if let note = call.value("note") { query.add("note", note) }
            if call.has("unsigned") { query.add("unsigned", "1") }
            if let base = document.json["version"]?.integer { query.add("base", "\(base)") }
            let answer = try call.withProgress("Adding", unit: .bytes) {
                try desk.client.upload(
                    file, to: "/documents/\(document.id)/versions?\(query.urlEncoded)", progress: $0
                ).json()
            }
            let number = answer["version"]?.integer ?? 0
            call.answer(answer) {
                number == document.json["version"]?.integer
                    ? "“\(TextTable.harmless(document.name))” is this file already; nothing was changed.\n"
                    : "“\(TextTable.harmless(answer["name"]?.string ?? document.name))” is version \(number) now.\n"
            }
        })

    static let bringBack = Command(
        name: "bring-back", summary: "make an earlier version of a paper the newest again",
        discussion: "As a new version: what was in between stays.",
        arguments: [.paper, Argument(name: "NUMBER", summary: "as quire versions lists them")],
        options: [.database],
        examples: [Example("quire bring-back lease.pdf 1", "as it was in the beginning")],
        run: { call in
            guard let number = Int(call.arguments[1]), number > 0 else {
                throw UsageError(
                    message: "“\(call.arguments[1])” is no version",
                    hint: "quire versions lists them by their numbers.")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let document = try desk.client.document(call.arguments[0])
            let answer = try desk.client.send(
                "POST", "/documents/\(document.id)/versions/\(number)/restoration")
            call.answer(answer) {
                "“\(TextTable.harmless(document.name))” is as it was in version \(number); that is version \(answer["version"]?.integer ?? 0) now.\n"
            }
        })

    static let changes = Command(
        name: "changes", summary: "say what changed between two versions of a paper, line by line",
        arguments: [.paper],
        options: [
            Option("from", "NUMBER", "the earlier version; the one before the later one if left out"),
            Option("to", "NUMBER", "the later version; the newest if left out"), .database,
        ],
        examples: [
            Example("quire changes lease.pdf", "what the newest version says that the one before did not"),
            Example("quire changes lease.pdf --from 1", "since the beginning"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let document = try desk.client.document(call.arguments[0])
            var query = Fields()
            for name in ["from", "to"] {
                guard let text = call.value(name) else { continue }
                guard let number = Int(text), number > 0 else {
                    throw UsageError(
                        message: "--\(name) needs the number of a version",
                        hint: "quire versions lists them.")
                }
                query.add(name, text)
            }
            let answer = try desk.client.get("/documents/\(document.id)/changes?\(query.urlEncoded)")
            let lines = answer["lines"]?.array ?? []
            call.answer(answer) {
                let style = call.terminal.outputStyle
                return lines.map { line in
                    let text = TextTable.harmless(line["text"]?.string ?? "")
                    return switch line["kind"]?.string {
                    case "gone": style.bad("- \(text)") + "\n"
                    case "new": style.good("+ \(text)") + "\n"
                    default: style.dim("  \(text)") + "\n"
                    }
                }.joined()
            }
            if lines.allSatisfy({ $0["kind"]?.string == "same" }) {
                call.hint(
                    lines.isEmpty
                        ? "Neither version has words that can be compared."
                        : "Both versions say the same, word for word.")
            }
        })
}
