internal import Bytes
internal import Crypto
internal import SQL
public import Storage
public import Work

/// A key in somebody's phone, computer or security stick.
public struct Passkey: Sendable, Equatable {
    public let id: ID<Passkey>
    public let memberID: ID<Member>
    public let name: String
    /// The host name it is bound to.
    public let relyingParty: String
    /// Whether its maker keeps a copy, so that losing the device does not lose the key.
    public let isBackedUp: Bool
    public let madeAt: Moment
    public let usedAt: Moment?
    let credential: [UInt8]
    let publicKey: PublicKey
    let signCount: UInt32
    let transports: [String]

    init(_ row: Row) throws {
        id = try row.id("id")
        memberID = try row.id("member_id")
        name = try row.text("name")
        relyingParty = try row.text("relying_party")
        isBackedUp = try row.bool("backed_up")
        madeAt = try row.moment("made_at")
        usedAt = try row.optionalMoment("used_at")
        credential = try row.blob("credential")
        publicKey = try PublicKey(cose: CBOR(decoding: try row.blob("public_key")))
        signCount = UInt32(clamping: try row.integer("sign_count"))
        transports = try row.text("transports").split(separator: " ").map(String.init)
    }
}
