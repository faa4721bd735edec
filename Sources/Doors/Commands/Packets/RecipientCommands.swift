import App
import Bytes
import Jobs
import Storage
import Work

extension Command {
    static let recipients = Command(
        name: "recipients", summary: "lists of people to make packets for",
        examples: [
            Example("quire recipients add 4b.csv", "a list from a table"),
            Example("quire recipients list", "the lists of the desk"),
        ],
        subcommands: [
            Command(
                name: "list", summary: "show the lists", arguments: [.words], options: [.database],
                examples: [Example("quire recipients list 4b", "those with this word in their name")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let found = try desk.client.all(.lists, matching: call.arguments.joined(separator: " "))
                    call.answer(["lists": .array(found)]) {
                        guard !found.isEmpty else {
                            return "There are no lists. Begin with: quire recipients add TABLE\n"
                        }
                        var table = TextTable(["List", "People", "Columns", "Id"], rightAligned: [1, 2])
                        for list in found {
                            table.add([
                                list["name"]?.string ?? "", "\(list["count"]?.int ?? 0)",
                                "\(list["columns"]?.array?.count ?? 0)", list["id"]?.string ?? "",
                            ])
                        }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            Command(
                name: "show", summary: "show the people of a list",
                arguments: [
                    Argument(name: "LIST", summary: "its name or its id, as quire recipients list shows them")
                ],
                options: [.database],
                examples: [Example("quire recipients show 4b", "the first hundred, as the table has them")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let list = try desk.client.one(.lists, call.arguments[0])
                    let page = try desk.client.get(
                        "/lists/\(list["id"]?.string ?? "")/recipients", [("limit", "100")])
                    call.answer(page) {
                        let columns = (list["columns"]?.array ?? []).compactMap { $0["name"]?.string }
                        var table = TextTable(columns)
                        for person in page["recipients"]?.array ?? [] {
                            table.add((person["cells"]?.array ?? []).map { $0["shown"]?.string ?? "" })
                        }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            Command(
                name: "add", summary: "take in tables, each as a list of its own",
                arguments: [
                    Argument(
                        name: "TABLE", summary: "CSV, Excel, OpenDocument, JSON or vCard files",
                        isRepeating: true,
                        completion: .file)
                ],
                options: [.database],
                examples: [Example("quire recipients add 4b.csv", "under the name “4b”")],
                run: { call in
                    let desk = try call.desk(making: true)
                    defer { desk.close() }
                    var lists: [JSON] = []
                    for argument in call.arguments {
                        let path = call.absolute(argument)
                        let file = DeskRequest.File(
                            path: path, name: Files.name(path), byteCount: try Files.byteCount(path))
                        let made = try call.withProgress("Adding", unit: .bytes) {
                            try desk.client.upload(file, to: "/lists", progress: $0)
                        }.json()
                        let id = made["id"]?.string ?? ""
                        if let pending = made["import"]?.string {
                            try desk.client.send("POST", "/lists/\(id)/imports/\(pending)/application")
                            // A long table comes in as a job; on this machine nobody else would do it.
                            desk.local?.runner.runUntilIdle()
                        }
                        lists.append(try desk.client.get("/lists/\(id)"))
                    }
                    call.answer(["lists": .array(lists)]) {
                        lists.map {
                            "“\(TextTable.harmless($0["name"]?.string ?? ""))”: \($0["count"]?.int ?? 0) people\n"
                        }.joined()
                    }
                }),
            Command(
                name: "remove", summary: "put lists into the trash",
                arguments: [
                    Argument(
                        name: "LIST", summary: "names or ids, as quire recipients list shows them",
                        isRepeating: true)
                ],
                options: [.database],
                examples: [Example("quire recipients remove 4b", "packets made from it stay")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    call.sayRemoved(try desk.client.remove(.lists, call.arguments))
                }),
        ])
}
