public import Bytes
public import Crypto

/// An authenticator and the browser in front of it, in software: answers the questions `Passkeys` asks, honestly
/// or, by the settings, wrongly in one way.
public struct Phone: Sendable {
    public let key: PrivateKey
    public let credential: [UInt8]
    public var handle: [UInt8] = []
    public var counter: UInt32 = 0
    public var origin = "https://desk.example"
    public var relyingParty = "desk.example"
    public var flags: UInt8 = userPresent | userVerified
    public var crossOrigin: Bool?
    public var attestation = Attestation.none

    public enum Attestation: Sendable {
        case none, itself, certified
    }

    public static let userPresent: UInt8 = 0x01
    public static let userVerified: UInt8 = 0x04
    public static let backupEligible: UInt8 = 0x08
    public static let backedUp: UInt8 = 0x10
    private static let hasCredential: UInt8 = 0x40

    public init(_ algorithm: SignatureAlgorithm = .es256, credential: UInt8 = 1) throws {
        key = try PrivateKey.make(algorithm)
        self.credential = [UInt8](repeating: credential, count: 16)
    }

    /// `navigator.credentials.create(options).toJSON()`
    public mutating func create(_ options: JSON, challenge: String? = nil) throws -> JSON {
        handle = options["user"]?["id"]?.string.flatMap(Base64.urlDecode) ?? []
        let clientData = clientData("webauthn.create", challenge ?? options["challenge"]?.string ?? "")
        return answer([
            "clientDataJSON": .string(Base64.urlEncode(clientData)),
            "attestationObject": .string(Base64.urlEncode(try attestationObject(clientData))),
            "transports": ["internal", "hybrid"],
        ])
    }

    /// `navigator.credentials.get(options).toJSON()`
    public mutating func get(
        _ options: JSON, challenge: String? = nil, withHandle: Bool = true
    ) throws -> JSON {
        let clientData = clientData("webauthn.get", challenge ?? options["challenge"]?.string ?? "")
        let data = authenticatorData()
        let signature = try key.sign(data + SHA256.hash(clientData))
        return answer([
            "clientDataJSON": .string(Base64.urlEncode(clientData)),
            "authenticatorData": .string(Base64.urlEncode(data)),
            "signature": .string(Base64.urlEncode(signature)),
            "userHandle": withHandle ? .string(Base64.urlEncode(handle)) : .null,
        ])
    }

    public func clientData(_ type: String, _ challenge: String) -> [UInt8] {
        var members: [(String, JSON)] = [
            ("type", .string(type)), ("challenge", .string(challenge)), ("origin", .string(origin)),
        ]
        if let crossOrigin { members.append(("crossOrigin", .bool(crossOrigin))) }
        return JSON.object(JSONObject(members)).bytes
    }

    public func attestationObject(_ clientData: [UInt8]) throws -> [UInt8] {
        let data = authenticatorData(withCredential: true)
        let signature = try key.sign(data + SHA256.hash(clientData))
        let format: String
        let statement: [CBOR.Entry]
        let proof = [
            CBOR.Entry(.text("alg"), CBOR(Int64(key.algorithm.rawValue))),
            CBOR.Entry(.text("sig"), .bytes(signature)),
        ]
        switch attestation {
        case .none: (format, statement) = ("none", [])
        case .itself: (format, statement) = ("packed", proof)
        case .certified:
            (format, statement) = ("packed", proof + [CBOR.Entry(.text("x5c"), .array([.bytes([0x30, 0])]))])
        }
        return CBOR.map([
            CBOR.Entry(.text("fmt"), .text(format)), CBOR.Entry(.text("attStmt"), .map(statement)),
            CBOR.Entry(.text("authData"), .bytes(data)),
        ]).encoded
    }

    private func authenticatorData(withCredential: Bool = false) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(SHA256.hash(relyingParty))
        writer.append(withCredential ? flags | Self.hasCredential : flags)
        writer.uint32(counter)
        if withCredential {
            writer.append([UInt8](repeating: 0, count: 16))
            writer.uint16(UInt16(credential.count))
            writer.append(credential)
            writer.append(key.publicKey.cose.encoded)
        }
        return writer.bytes
    }

    private func answer(_ response: JSON) -> JSON {
        let id = JSON.string(Base64.urlEncode(credential))
        return [
            "id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": [:],
            "authenticatorAttachment": "platform",
        ]
    }
}
