public import Bytes
internal import Storage
internal import Work

/// A passkey made by somebody who is no member yet: the first owner, or whoever was invited.
///
/// The question is asked before there is an account, so that nobody ends up with one and no way into it because
/// their device said no.
public struct NewPasskey: Sendable {
    let response: JSON
    let ceremony: String
    let name: String

    /// - Parameters:
    ///   - response: what `navigator.credentials.create` gave, as `toJSON()` writes it.
    ///   - ceremony: what came with the question.
    public init(_ response: JSON, ceremony: String, name: String = "") {
        self.response = response
        self.ceremony = ceremony
        self.name = name
    }
}

extension Passkeys {
    /// The question for `navigator.credentials.create` and what to send back with its answer.
    public func newcomerOptions(
        name: String, signInName: String, at party: RelyingParty, from visitor: Visitor
    ) throws -> (publicKey: JSON, ceremony: String) {
        try access.limits.take(.ceremony, for: RateLimits.subject(ofAddress: visitor.address))
        let name = try DisplayName(name).text
        let signInName = try SignInName(signInName).text
        let handle = access.store.chance.bytes(32)
        let options = creationOptions(
            .newcomer(handle), handle: handle, name: name, signInName: signInName, excluding: [], at: party)
        return (options, Base64.urlEncode(handle))
    }

    /// What was checked before the account is made, to be written down together with it.
    struct Newcomer {
        let handle: [UInt8]
        let registration: Registration
        let party: RelyingParty
        let name: String
    }

    func check(_ new: NewPasskey, from visitor: Visitor) throws -> Newcomer {
        let label = new.name.trimmed.isEmpty ? Device.name(fromUserAgent: visitor.userAgent) : new.name
        let name = try DisplayName(label, of: "the passkey a name").text
        let handle = Base64.urlDecode(String(new.ceremony.prefix(100))) ?? []
        do throws(PasskeyRefusal) {
            let party = try ceremony(new.response, .newcomer(handle))
            let registration = try Registration(new.response, for: party)
            return Newcomer(handle: handle, registration: registration, party: party, name: name)
        } catch {
            try note(error, "passkey.refused", subject: "member/unknown", by: "visitor", visitor)
            throw Self.refused(error)
        }
    }

    static func add(
        _ newcomer: Newcomer, to member: ID<Member>, from visitor: Visitor, in tx: borrowing Transaction
    ) throws {
        _ = try add(
            newcomer.registration, for: newcomer.party, name: newcomer.name, to: member, from: visitor,
            in: tx)
    }
}
