import Access
import App
import Bytes
import Filling
import Glibc
import HTTP
import Library
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
        _ = try command(.post, "/batches", json: ["template": template["id"] ?? .null])
    }

    /// The id of something that stands at such an address.
    func packetThing(at path: String) throws -> String? {
        if path.hasPrefix("/templates") {
            return try quire.templates.list(by: .local).templates.first?.id.text
        }
        if path.hasPrefix("/batches") { return try quire.batches.list(by: .local).batches.first?.id.text }
        return nil
    }
}
