import Bytes
import Storage
import Work

extension Command {
    static let packet = Command(
        name: "packet", summary: "look at single packets of a batch",
        examples: [
            Example("quire packet list Consent", "everybody's packet, with its problems"),
            Example("quire packet export ID", "one of them, as a PDF"),
        ],
        subcommands: [
            Command(
                name: "list", summary: "show the packets of a batch",
                arguments: [
                    .batch,
                    Argument(
                        name: "WORDS", summary: "only recipients with these words in their name",
                        isOptional: true,
                        isRepeating: true),
                ],
                options: [Option("problems", nil, "only those with a serious problem"), .database],
                examples: [Example("quire packet list Consent --problems", "whom to look at")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let batch = try desk.client.one(.batches, call.arguments[0])
                    var query = [("limit", "500")]
                    let words = call.arguments.dropFirst().joined(separator: " ")
                    if !words.isEmpty { query.append(("q", words)) }
                    if call.has("problems") { query.append(("show", "problems")) }
                    let page = try desk.client.get("/batches/\(batch["id"]?.string ?? "")/packets", query)
                    call.answer(page) {
                        var table = TextTable(
                            ["", "Recipient", "State", "File", "Reason", "Id"], rightAligned: [0])
                        for packet in page["packets"]?.array ?? [] {
                            table.add([
                                "\(packet["place"]?.int ?? 0)", packet["name"]?.string ?? "",
                                packet["state"]?.string ?? "", packet["fileName"]?.string ?? "",
                                packet["reason"]?.string ?? "", packet["id"]?.string ?? "",
                            ])
                        }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            Command(
                name: "show", summary: "say what a packet was made from",
                arguments: [Argument(name: "PACKET", summary: "its id, as quire packet list shows it")],
                options: [.database],
                examples: [Example("quire packet show ID --json", "its receipt, for a program")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let packet = try desk.client.get("/packets/\(call.arguments[0])")
                    call.answer(packet) { packet.pretty + "\n" }
                }),
            Command(
                name: "export", summary: "copy a packet to a file",
                arguments: [
                    Argument(name: "PACKET", summary: "its id, as quire packet list shows it"),
                    Argument(
                        name: "FILE", summary: "where to; the folder you are in if left out",
                        isOptional: true,
                        completion: .file),
                ],
                options: [.database],
                examples: [
                    Example("quire packet export ID mine.pdf", "made again, the same to the last byte")
                ],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let packet = try desk.client.get("/packets/\(call.arguments[0])")
                    let name = Files.name(packet["fileName"]?.string ?? "packet.pdf")
                    let path = try call.newFile(
                        call.arguments.count > 1 ? call.arguments[1] : ".", named: name)
                    try call.withProgress("Fetching", unit: .bytes) {
                        try desk.client.download("/packets/\(call.arguments[0])/file", to: path, progress: $0)
                    }
                    call.answer(["path": .string(path)]) { "\(TextTable.harmless(path))\n" }
                }),
        ])
}
