import Bytes
import HTTP
import Storage
import TestSupport

/// What people do every day, in a few words.
extension Browser {
    static let password = "correct horse battery"

    @discardableResult
    func signIn(_ login: String, _ password: String, next: String? = nil) throws -> Response {
        var fields: Fields = ["login": login, "password": password]
        if let next { fields.add("next", next) }
        return try submit("/sign-in", fields)
    }

    /// Opens the door's page and sends this.
    func tries(_ form: Fields) throws -> Response {
        try get("/sign-in")
        return try submit("/sign-in", form)
    }

    /// Adds a passkey to whoever is signed in here.
    func addPasskey(_ name: String = "My phone", credential: UInt8 = 1) throws -> Phone {
        try get("/settings/security")
        var phone = try Phone(credential: credential)
        phone.origin = "http://\(host)"
        phone.relyingParty = "localhost"
        let question = try fetch(.post, "/passkeys/options", json: [:])
        let made = try phone.create(question.json["publicKey"] ?? .null)
        let answer = try fetch(
            .post, "/passkeys",
            json: ["name": .string(name), "credential": made, "ceremony": question.json["ceremony"] ?? .null])
        guard answer.status == .created else {
            throw Failure(.invalid, "passkey: \(answer.status) \(answer.text)")
        }
        return phone
    }

    /// Invites somebody and lets them join with a browser of their own.
    func invite(_ name: String, as role: String, into guest: Browser) throws {
        try get("/members")
        let invitation = try fetch(
            .post, "/invitations", json: ["role": .string(role), "note": .string(name)])
        let address = invitation.json["address"]?.string
        guard let path = address?.dropping("http://\(host)") ?? address?.dropping("https://\(host)") else {
            throw Failure(.invalid, "invitation: \(invitation.status) \(invitation.text)")
        }
        try guest.get(path)
        let joined = try guest.submit(
            path, ["name": name, "login": name.lowercased(), "password": "the paper desk of \(name)"])
        guard joined.status == .seeOther else {
            throw Failure(.invalid, "join: \(joined.status) \(joined.text)")
        }
        try guest.get("/")
    }
}

extension String {
    /// Without this beginning; nil when it begins otherwise.
    func dropping(_ beginning: String) -> String? {
        hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
    }
}
