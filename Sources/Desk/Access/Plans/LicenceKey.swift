internal import Bytes
internal import Crypto
internal import Storage

public import Work

/// The key of whoever sells plans: its seed signs licences and stays with them, its public half goes into the plan file.
public struct LicenceKey: Sendable {
    private let key: PrivateKey
    private let seed: [UInt8]

    public static func make(_ chance: Chance = .system) throws -> LicenceKey {
        try LicenceKey(seed: chance.bytes(32))
    }

    /// As it stands in its file.
    public init(_ text: String) throws {
        let kept = text.filter { !$0.isWhitespace }
        guard kept.hasPrefix(Self.mark + "."),
            let seed = Base64.urlDecode(String(kept.dropFirst(Self.mark.count + 1))), seed.count == 32
        else {
            throw Failure(
                .invalid, "This is no key that signs licences. “quire plans key” makes one.", field: "key")
        }
        try self.init(seed: seed)
    }

    private init(seed: [UInt8]) throws {
        key = try PrivateKey(ed25519Seed: seed)
        self.seed = seed
    }

    /// What its file holds. Whoever has it can make licences.
    public var text: String { "\(Self.mark).\(Base64.urlEncode(seed))" }

    /// `licenceKey` of the plan file.
    public var published: String {
        guard case .bytes(let bytes)? = key.publicKey.cose[-2] else { return "" }
        return Base64.urlEncode(bytes)
    }

    public func text(of licence: Licence) throws -> String { try licence.text(signedWith: key) }

    private static let mark = "QUIRE-LICENCE-KEY"
}
