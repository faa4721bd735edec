import Bytes
import Library
import Storage

// Where papers lie, and what they wear.

extension Command {
    static let move = Command(
        name: "move", summary: "lay papers into a folder",
        discussion:
            "The last word is the folder, by its path: Taxes/2026. A single / lays them on the desk itself.",
        arguments: [
            Argument(
                name: "PAPER", summary: "names or ids, as quire list shows them, and then the folder",
                isRepeating: true)
        ],
        options: [Option("make", nil, "make the folder, and those above it, if it is not there"), .database],
        examples: [
            Example("quire move letter.pdf Taxes/2026", "into a folder that is there"),
            Example("quire move a.pdf b.pdf \"To sign\" --make", "two papers, into a new one"),
        ],
        run: { call in
            guard call.arguments.count > 1, let path = call.arguments.last else {
                throw UsageError(
                    message: "quire move needs papers and then a folder",
                    hint: "For example: quire move letter.pdf Taxes/2026")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let documents = try call.arguments.dropLast().map { try desk.client.document($0) }
            let folder = try desk.client.folder(at: path, making: call.has("make"))
            let moved = try documents.map {
                try desk.client.send("PATCH", "/documents/\($0.id)", ["folder": .string(folder?.id ?? "")])
            }
            call.answer(["documents": .array(moved)]) {
                let place = folder.map { "in \(TextTable.harmless($0.path))" } ?? "on the desk itself"
                return documents.map { "“\(TextTable.harmless($0.name))” lies \(place) now.\n" }.joined()
            }
        })

    static let tag = Command(
        name: "tag", summary: "put tags on papers, take them off, or list all tags",
        discussion: """
            A tag is a word papers wear wherever they lie; quire list --tag and quire find tag:WORD find them by it. \
            Without papers the tags in use are listed, or with --change one of them is given another name or a colour; with the \
            name of another tag the two become one.
            """,
        arguments: [
            Argument(
                name: "PAPER", summary: "names or ids, as quire list shows them", isOptional: true,
                isRepeating: true)
        ],
        options: [
            Option("add", "TAG", "put this tag on", isRepeating: true),
            Option("remove", "TAG", "take this tag off", isRepeating: true),
            Option("change", "TAG", "change this tag itself, on all papers that wear it"),
        ] + Option.of(Tag.fields, only: Tag.fields.map(\.name)) + [.database],
        examples: [
            Example("quire tag letter.pdf --add bill --add 2026", "two tags on one paper"),
            Example("quire tag a.pdf b.pdf --remove \"to sign\"", "off two papers"),
            Example("quire tag", "all tags, and how many papers wear each"),
            Example("quire tag --change bill --name invoice --colour red", "another name and a colour"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let added = call.options["add"] ?? []
            let removed = Set((call.options["remove"] ?? []).map { $0.lowercased() })
            if let name = call.value("change") { return try call.changeTag(name, desk.client) }
            guard !call.arguments.isEmpty else {
                let tags = try desk.client.get("/tags")["tags"]?.array ?? []
                call.answer(["tags": .array(tags)]) {
                    guard !tags.isEmpty else {
                        return "No paper wears a tag. Begin with: quire tag PAPER --add WORD\n"
                    }
                    var table = TextTable(["Tag", "Papers", "Colour"], rightAligned: [1])
                    for tag in tags {
                        let colour = tag["colour"]?.string ?? ""
                        table.add([
                            tag["name"]?.string ?? "", "\(tag["documents"]?.int ?? 0)",
                            colour == Tag.Colour.none.rawValue ? "" : colour,
                        ])
                    }
                    return table.text(call.terminal.outputStyle)
                }
                return
            }
            guard !added.isEmpty || !removed.isEmpty else {
                throw UsageError(
                    message: "quire tag needs --add or --remove",
                    hint: "For example: quire tag letter.pdf --add bill")
            }
            let documents = try call.arguments.map { try desk.client.document($0) }
            let tagged = try documents.map { document in
                let kept = document.tags.filter { !removed.contains($0.lowercased()) }
                return try desk.client.send(
                    "PATCH", "/documents/\(document.id)", ["tags": .array((kept + added).map(JSON.string))])
            }
            call.answer(["documents": .array(tagged)]) {
                tagged.compactMap(DocumentView.init).map { document in
                    let tags = document.tags.isEmpty ? "no tags" : document.tags.joined(separator: ", ")
                    return "“\(TextTable.harmless(document.name))” wears \(TextTable.harmless(tags)).\n"
                }.joined()
            }
        })

    static let folder = Command(
        name: "folder", summary: "the folders papers lie in",
        examples: [
            Example("quire folder list", "all of them, with how many papers lie in each"),
            Example("quire folder add Taxes/2026", "one, and those above it"),
        ],
        subcommands: [
            Command(
                name: "list", summary: "show the folders", options: [.database],
                examples: [Example("quire folder list", "as a tree")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let folders = try desk.client.get("/folders")["folders"]?.array ?? []
                    call.answer(["folders": .array(folders)]) {
                        guard !folders.isEmpty else {
                            return "There are no folders. Begin with: quire folder add NAME\n"
                        }
                        var table = TextTable(["Folder", "Papers", "Id"], rightAligned: [1])
                        for folder in folders {
                            let isLocked = folder["locked"]?.bool == true
                            table.add([
                                folder["path"]?.string ?? "",
                                isLocked ? "private" : "\(folder["total"]?.int ?? 0)",
                                folder["id"]?.string ?? "",
                            ])
                        }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            Command(
                name: "add", summary: "make a folder",
                arguments: [Argument(name: "PATH", summary: "its name, or names with / between them")],
                options: [.database],
                examples: [Example("quire folder add Taxes/2026", "those above it are made as well")],
                run: { call in
                    let desk = try call.desk(making: true)
                    defer { desk.close() }
                    let made = try desk.client.send("POST", "/folders", ["path": .string(call.arguments[0])])
                    call.answer(made) { "\(TextTable.harmless(made["path"]?.string ?? "")) is there.\n" }
                }),
            Command(
                name: "rename", summary: "give a folder another name",
                arguments: [.folderPath, Argument(name: "NAME", summary: "its new name")],
                options: [.database],
                examples: [Example("quire folder rename Taxes/2026 2027", "what lies in it stays in it")],
                run: { call in try call.changeFolder(["name": .string(call.arguments[1])]) }),
            Command(
                name: "move", summary: "lay a folder into another",
                arguments: [
                    .folderPath, Argument(name: "INTO", summary: "the folder it is to lie in; / for the top"),
                ], options: [.database],
                examples: [Example("quire folder move 2026 Taxes", "with all that lies in it")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let parent = try desk.client.folder(at: call.arguments[1])
                    try call.changeFolder(["parent": .string(parent?.id ?? "")], on: desk)
                }),
            Command(
                name: "trash", summary: "put a folder and all that lies in it into the bin",
                arguments: [.folderPath], options: [.database],
                examples: [
                    Example("quire folder trash Taxes/2019", "its papers can be brought back from the bin")
                ],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let folder = try desk.client.requiredFolder(at: call.arguments[0])
                    let gone = try desk.client.send("DELETE", "/folders/\(folder.id)")
                    call.answer(gone) {
                        let papers = Words.count(gone["documents"]?.int ?? 0, "paper", "papers")
                        return "\(TextTable.harmless(folder.path)) is in the bin, with \(papers).\n"
                    }
                    call.hint("To take it out again: \(call.again("folder restore \(folder.id)"))")
                }),
            Command(
                name: "private", summary: "show a folder only to who has just proved again who they are",
                discussion: """
                    What lies in a private folder and below it is left out of lists, searches, suggestions, the journal and \
                    WebDAV. The browser asks for the passkey or password again before it shows it, and closes it after a \
                    quarter of an hour. On the machine that holds the desk, --private shows it.
                    """,
                arguments: [.folderPath],
                options: [Option("off", nil, "show it to every member again"), .database],
                examples: [
                    Example("quire folder private Health", "with all that lies in it"),
                    Example("quire folder private Health --off --private", "no more"),
                    Example("quire list --in Health --private", "what lies in it, on this machine"),
                ],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let folder = try desk.client.requiredFolder(at: call.arguments[0])
                    let changed = try desk.client.send(
                        "PATCH", "/folders/\(folder.id)", ["private": .bool(!call.has("off"))])
                    call.answer(changed) {
                        let name = TextTable.harmless(folder.path)
                        return call.has("off")
                            ? "\(name) is shown to every member.\n" : "\(name) is private now.\n"
                    }
                    if !call.has("off") {
                        call.hint(
                            "To see what lies in it: \(call.again("list --in \"\(folder.path)\" --private"))")
                    }
                }),
            Command(
                name: "restore", summary: "bring a folder back from the bin with all that went with it",
                arguments: [Argument(name: "ID", summary: "its id, as quire folder trash said it")],
                options: [.database],
                examples: [
                    Example(
                        "quire folder restore 0190a5b2-7c3e-7000-8000-000000000000", "back to where it lay")
                ],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let back = try desk.client.send("POST", "/folders/\(call.arguments[0])/restoration")
                    call.answer(back) { "\(TextTable.harmless(back["path"]?.string ?? "")) is back.\n" }
                }),
        ])
}

extension Argument {
    fileprivate static let folderPath = Argument(
        name: "FOLDER", summary: "its path, as quire folder list shows it, or its id")
}

extension Option {
    static let into = Option(
        "into", "FOLDER", "the folder they are to lie in, by its path; made if it is not there")
    static let inFolder = Option("in", "FOLDER", "only those in this folder, by its path")
    static let tagged = Option("tag", "TAG", "only those with this tag")
}

extension Invocation {
    fileprivate func changeTag(_ name: String, _ client: DeskClient) throws {
        let change = try said(Tag.fields)
        guard arguments.isEmpty, !change.isEmpty else {
            throw UsageError(
                message: "--change takes a tag and what to change about it",
                hint: "For example: quire tag --change bill --colour red")
        }
        let tags = try client.get("/tags")["tags"]?.array ?? []
        guard let id = tags.first(where: { $0["name"]?.string?.lowercased() == name.lowercased() })?["id"]
        else { throw Failure(.notFound, "There is no tag “\(name)”. See: quire tag") }
        let changed = try client.send("PATCH", "/tags/\(id.string ?? "")", .object(change))
        answer(changed) {
            let colour = changed["colour"]?.string ?? Tag.Colour.none.rawValue
            let words = colour == Tag.Colour.none.rawValue ? "without a colour" : colour
            return "“\(TextTable.harmless(changed["name"]?.string ?? name))” is \(words), "
                + "on \(Words.count(changed["documents"]?.int ?? 0, "paper", "papers")).\n"
        }
    }

    fileprivate func changeFolder(_ change: JSON, on open: DeskSession? = nil) throws {
        let desk = try open ?? self.desk()
        defer { if open == nil { desk.close() } }
        let folder = try desk.client.requiredFolder(at: arguments[0])
        let changed = try desk.client.send("PATCH", "/folders/\(folder.id)", change)
        answer(changed) {
            "\(TextTable.harmless(folder.path)) is \(TextTable.harmless(changed["path"]?.string ?? "")) now.\n"
        }
    }
}

struct FolderView {
    let id: String
    let path: String
}

extension DeskClient {
    /// By its path, without regard to case, or by its id; nil for the desk itself.
    func folder(at path: String, making isMade: Bool = false) throws -> FolderView? {
        let wanted = path.split(separator: "/").joined(separator: "/")
        guard !wanted.isEmpty else { return nil }
        let folders = (try get("/folders")["folders"]?.array ?? []).compactMap { folder -> FolderView? in
            guard let id = folder["id"]?.string, let path = folder["path"]?.string else { return nil }
            return FolderView(id: id, path: path)
        }
        if let found = folders.first(where: { $0.id == path || $0.path.lowercased() == wanted.lowercased() })
        {
            return found
        }
        guard isMade else {
            throw Failure(
                .notFound,
                "There is no folder “\(wanted)”. See: quire folder list; or make it: quire folder add")
        }
        let made = try send("POST", "/folders", ["path": .string(wanted)])
        guard let id = made["id"]?.string else {
            throw Failure(.unavailable, "The desk’s answer about the folder \(wanted) cannot be understood.")
        }
        return FolderView(id: id, path: made["path"]?.string ?? wanted)
    }

    func requiredFolder(at path: String) throws -> FolderView {
        guard let folder = try folder(at: path) else {
            throw Failure(.invalid, "The desk itself is no folder.")
        }
        return folder
    }
}
