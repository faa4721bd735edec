import App
import Bytes
import Storage

extension Command {
    static let looks = Command(
        name: "looks", summary: "show or change the logo, color and letterhead that those outside see",
        discussion: """
            Pages behind links, requests for papers, mails and new forms wear it. What is not said stays as it is; an empty \
            text takes it away. Where letters of a color could not be read, pages use the nearest that can be.
            """,
        options: Option.of(Looks.fields, only: Looks.fields.map(\.name)) + [
            Option("logo", "FILE", "the logo: a PNG or a JPEG", completion: .file),
            Option("no-logo", nil, "take the logo off"), .database,
        ],
        examples: [
            Example("quire looks", "what is worn now"),
            Example("quire looks --name Lumière --colour 1e4ba8 --logo logo.png", "put it on"),
        ],
        run: { call in
            let said = try call.said(Looks.fields)
            let logo = try call.value("logo").map { try call.file($0) }
            if logo != nil, call.has("no-logo") {
                throw UsageError(
                    message: "--logo and --no-logo say the opposite", hint: "Leave one of them out.")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let path = "/settings/looks"
            if !said.isEmpty { try desk.client.send("POST", path, .object(said)) }
            if let logo {
                _ = try call.withProgress("Drawing", unit: .bytes) {
                    try desk.client.upload(logo, to: "\(path)/logo", progress: $0)
                }
            }
            if call.has("no-logo") { try desk.client.send("DELETE", "\(path)/logo") }
            let now = try desk.client.get(path)
            call.answer(now) { Self.told(now) }
        })

    private static func told(_ looks: JSON) -> String {
        func text(_ name: String) -> String { looks[name]?.string ?? "" }
        func line(_ name: String, _ value: String) -> String {
            "\(name): \(value.isEmpty ? "–" : TextTable.harmless(value))\n"
        }
        let letterhead = text("letterhead").split(separator: "\n").joined(separator: " · ")
        let advice =
            looks["nearest"]?.string.map {
                "Letters of \(text("colour")) cannot be read on a light page; pages use \($0) for them. To take it: quire looks --colour '\($0)'\n"
            } ?? ""
        return line("Name", text("name")) + line("Color", text("colour")) + line("Letterhead", letterhead)
            + line("Logo", text("logo").isEmpty ? "none" : "drawn, \(text("logoAddress"))") + advice
    }
}
