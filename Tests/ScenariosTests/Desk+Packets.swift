import Access
import App
import Bytes
import Delivery
import Filling
import Glibc
import HTTP
import Library
import People
import Storage
import TestSupport

/// A school's form on the desk, for stories about packets.
extension Desk {
    static let consentForm = Desk.example("02-consent-forms/consent.pdf")

    static func example(_ path: String) -> [UInt8] {
        guard let file = fopen("Examples/\(path)", "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    /// Sends bytes as a program does: the body is the file.
    func upload(
        _ target: String, _ bytes: [UInt8], _ type: String = "application/octet-stream"
    ) throws
        -> Response
    {
        try command(.post, target, ["Content-Type": type], body: .bytes(bytes))
    }

    func addConsentForm() throws -> JSON {
        let added = try upload("/templates?name=Consent%20form.pdf", Desk.consentForm)
        guard added.status == .created, let template = added.json["templates"]?[0] else {
            throw Failure(.invalid, "template: \(added.status) \(added.text)")
        }
        return template
    }

    /// Something of everything, for the description of the API.
    func furnishPackets() throws {
        let template = try addConsentForm()
        let list = try addPupils()
        _ = try upload(
            "/lists/\(list)/imports?name=more.csv", Array("child name\nNew One\n".utf8), "text/csv")
        let batch = try command(
            .post, "/batches", json: ["template": template["id"] ?? .null, "list": .string(list)])
        _ = try command(.post, "/batches/\(batch.json["id"]?.string ?? "")/plan")
        _ = try command(
            .post, "/templates/\(template["id"]?.string ?? "")/mappings",
            json: ["name": "Pupils", "text": "[fields]\nclass = {class}\n"])
        // A second edition to compare with.
        _ = try upload(
            "/templates/\(template["id"]?.string ?? "")/editions?name=new.pdf",
            Desk.consentForm + Array("\n% a later print\n".utf8))
        try setMail(port: 9)
        _ = try command(
            .post, "/repetitions", json: ["batch": batch.json["id"] ?? .null, "rule": "FREQ=DAILY"])
        _ = try command(
            .post, "/batches/\(batch.json["id"]?.string ?? "")/sending/test", json: ["to": "ada@example.org"])
        let bundle = try command(.get, "/batches/\(batch.json["id"]?.string ?? "")/bundle/file")
        let looked = try upload("/bundles", bytes(of: bundle))
        _ = try command(.post, "/bundles/\(looked.json["id"]?.string ?? "")/keeping")
        _ = try upload(
            "/harvests?name=back.pdf&batch=\(batch.json["id"]?.string ?? "")", Desk.consentForm,
            "application/pdf")
    }

    /// A mail server on this machine, at this port.
    func setMail(port: Int) throws {
        try quire.settings.change(
            MailSettings(
                host: "127.0.0.1", port: port, security: .none, senderName: "The Office",
                senderAddress: "office@school.example"), by: .local)
    }

    /// An address about packets with real things for its placeholders; nil for other addresses.
    func packetTarget(_ path: String) throws -> String? {
        var things: [String: String] = [:]
        switch path.split(separator: "/").first {
        case "templates": things["id"] = try quire.templates.list(by: .local).templates.first?.id.text
        case "batches": things["id"] = try quire.batches.list(by: .local).batches.first?.id.text
        case "lists":
            guard let list = try quire.recipients.all(by: .local).first else { return nil }
            things["id"] = list.id.text
            things["recipient"] = try quire.recipients.page(list.id, by: .local).recipients.first?.id.text
            things["import"] = try quire.recipients.pending(of: list.id, by: .local).first?.id.text
        case "mappings":
            guard let template = try quire.templates.list(by: .local).templates.first else { return nil }
            things["id"] = try quire.mappings.all(of: template.id, by: .local).first?.id.text
        case "packets":
            guard let batch = try quire.batches.list(by: .local).batches.first else { return nil }
            things["id"] = try quire.batches.packets(of: batch.id, by: .local).packets.first?.id.text
            things["field"] = "class"
        case "outbox": things["id"] = try quire.outbox.list(by: .local).messages.first?.id.text
        case "mailings": things["id"] = try quire.outbox.mailings(by: .local).first?.id.text
        case "harvests": things["id"] = try quire.harvests.list(by: .local).first?.id.text
        case "bundles":
            things["id"] = try quire.bundles.all(by: .local).first?.id.text
            things["part"] = "1"
        case "repetitions": things["id"] = try quire.repetitions.list(by: .local).first?.id.text
        default: return nil
        }
        things["page"] = "1"
        things["key"] = "consent"
        return "/"
            + path.split(separator: "/").map { word in
                things[String(word.filter { $0 != "{" && $0 != "}" })].flatMap {
                    word.first == "{" ? $0 : nil
                } ?? String(word)
            }.joined(separator: "/")
    }
}
