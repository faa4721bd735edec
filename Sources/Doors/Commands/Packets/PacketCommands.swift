import Bytes
import Storage
import Work

extension Command {
    static let packet = Command(
        name: "packet", summary: "look at single packets of a batch, and leave some out",
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
                options: [
                    Option("problems", nil, "only those held back, or without an address to write to"),
                    Option(
                        "state", "STATE", "only planned, held, left, made or failed",
                        completion: .choices(["planned", "held", "left", "made", "failed"])), .database,
                ],
                examples: [Example("quire packet list Consent --problems", "whom to look at")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let batch = try desk.client.one(.batches, call.arguments[0])
                    var query = [("limit", "500")]
                    let words = call.arguments.dropFirst().joined(separator: " ")
                    if !words.isEmpty { query.append(("q", words)) }
                    if call.has("problems") { query.append(("show", "problems")) }
                    if let state = call.value("state") {
                        guard !call.has("problems") else {
                            throw UsageError(
                                message: "--state and --problems exclude each other",
                                hint: "Leave one of them out.")
                        }
                        query.append(("show", state))
                    }
                    let address = "/batches/\(batch["id"]?.string ?? "")/packets"
                    var page = try desk.client.get(address, query)
                    var packets = page["packets"]?.array ?? []
                    var next = page["next"]?.string
                    while let after = next, packets.count < 100_000 {
                        let more = try desk.client.get(address, query + [("after", after)])
                        packets += more["packets"]?.array ?? []
                        next = more["next"]?.string
                    }
                    page["packets"] = .array(packets)
                    page["next"] = .optional(next)
                    call.answer(page) {
                        guard !packets.isEmpty else {
                            return batch["summary"]?.object == nil
                                ? "Nothing has been planned yet. Next: \(call.again("batch plan \(batch["id"]?.string ?? "")"))\n"
                                : "No packet is like that.\n"
                        }
                        var table = TextTable(
                            ["", "Recipient", "Address", "State", "File", "Reason", "Id"], rightAligned: [0])
                        for packet in packets {
                            table.add([
                                "\(packet["place"]?.int ?? 0)", packet["name"]?.string ?? "",
                                packet["email"]?.string ?? "", packet["state"]?.string ?? "",
                                packet["fileName"]?.string ?? "",
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
                    var view = packet
                    view["receipt"] = try desk.client.get("/packets/\(call.arguments[0])/receipt")
                    call.answer(view) { PacketWords.text(packet, view["receipt"]) }
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
            .sendPacket,
            Command(
                name: "remove", summary: "leave packets out of their batch",
                discussion:
                    "They are not made, not exported and not sent. One that is made already keeps its number.",
                arguments: [.packets], options: [.database],
                examples: [Example("quire packet remove ID", "this person gets nothing after all")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let left = try call.arguments.map { try desk.client.send("DELETE", "/packets/\($0)") }
                    call.answer(["removed": .array(left)]) {
                        left.map {
                            "The packet of \(TextTable.harmless($0["name"]?.string ?? "")) is left out.\n"
                        }
                        .joined()
                    }
                    call.hint(
                        "Back with: \(call.again("packet add \(left.compactMap { $0["id"]?.string }.joined(separator: " "))"))"
                    )
                }),
            Command(
                name: "add", summary: "take packets in again that were left out",
                discussion: """
                    Packets are those of the people on the batch's list: to make some for more people, add them to the \
                    list and plan the batch again, or a copy of it (quire batch copy --only-changed).
                    """,
                arguments: [.packets], options: [.database],
                examples: [Example("quire packet add ID", "as quire packet remove named it")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let back = try call.arguments.map {
                        try desk.client.send("POST", "/packets/\($0)/restoration")
                    }
                    call.answer(["added": .array(back)]) {
                        back.map {
                            "The packet of \(TextTable.harmless($0["name"]?.string ?? "")) is in again: \($0["state"]?.string ?? "").\n"
                        }.joined()
                    }
                }),
        ])
}

extension Argument {
    fileprivate static let packets = Argument(
        name: "PACKET", summary: "their ids, as quire packet list shows them", isRepeating: true)
}

/// A packet in words: what it says, and where each value came from.
private enum PacketWords {
    static func text(_ packet: JSON, _ receipt: JSON?) -> String {
        func word(_ key: String) -> String { TextTable.harmless(packet[key]?.string ?? "") }
        var text = "\(word("fileName")) for \(word("name")): \(word("state")), "
        text += Words.count(packet["pages"]?.int ?? 0, "page", "pages") + "\n"
        if let reason = packet["reason"]?.string { text += "\(TextTable.harmless(reason))\n" }
        if let digest = packet["digest"]?.string { text += "SHA-256 \(digest)\n" }
        for problem in packet["problems"]?.array ?? [] {
            let sign = problem["serious"]?.bool == true ? "!" : "-"
            text += "  \(sign) \(TextTable.harmless(problem["message"]?.string ?? ""))\n"
        }
        for part in receipt?["parts"]?.array ?? [] {
            text += "\n\(TextTable.harmless(part["name"]?.string ?? ""))\n"
            for field in part["fields"]?.array ?? [] {
                let value = field["value"]?.string ?? field["value"]?.text ?? ""
                let source = field["source"]?.string.map { " (\($0))" } ?? ""
                text +=
                    TextTable.harmless(
                        "  \(field["field"]?.string ?? field["name"]?.string ?? ""): \(value)\(source)")
                    + "\n"
            }
        }
        return text
    }
}
