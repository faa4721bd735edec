internal import Bytes
internal import Crypto

/// What the browser says about a ceremony (WebAuthn §5.8.1). The authenticator signs its hash.
struct ClientData {
    let type: String
    let challenge: [UInt8]
    let origin: String
    let hash: [UInt8]

    static let registration = "webauthn.create"
    static let assertion = "webauthn.get"

    init(_ bytes: [UInt8]) throws(PasskeyRefusal) {
        guard bytes.count <= 8192, let json = try? JSON(parsing: bytes, maximumDepth: 4),
            let type = json["type"]?.string, let origin = json["origin"]?.string,
            let challenge = json["challenge"]?.string.flatMap(Base64.urlDecode)
        else { throw .malformed("client data") }
        // A page of ours inside somebody else's could be clicked without being seen.
        guard json["crossOrigin"].map({ $0.bool == false }) ?? true, json["topOrigin"] == nil else {
            throw .insideAnotherSite
        }
        self.type = type
        self.origin = origin
        self.challenge = challenge
        hash = SHA256.hash(bytes)
    }

    /// WebAuthn §7.1 steps 7-10, §7.2 steps 11-14.
    func check(type: String, for party: RelyingParty) throws(PasskeyRefusal) {
        guard self.type == type else { throw .wrongType }
        guard party.origins.contains(origin) else { throw .wrongOrigin(origin) }
    }
}
