internal import Bytes
internal import Crypto

/// What the authenticator says (WebAuthn §6.1): for whom, with which care, how often before, and at registration
/// the new key.
struct AuthenticatorData {
    let bytes: [UInt8]
    let relyingPartyHash: [UInt8]
    let flags: Flags
    let signCount: UInt32
    let credential: Credential?

    struct Flags: OptionSet {
        let rawValue: UInt8
        static let userPresent = Flags(rawValue: 1 << 0)
        static let userVerified = Flags(rawValue: 1 << 2)
        static let backupEligible = Flags(rawValue: 1 << 3)
        static let backedUp = Flags(rawValue: 1 << 4)
        static let hasCredential = Flags(rawValue: 1 << 6)
        static let hasExtensions = Flags(rawValue: 1 << 7)
    }

    struct Credential {
        /// The model of the authenticator; zeros when it keeps that to itself.
        let model: [UInt8]
        let id: [UInt8]
        let key: PublicKey
    }

    init(_ bytes: [UInt8]) throws(PasskeyRefusal) {
        do {
            var reader = ByteReader(bytes)
            relyingPartyHash = try reader.bytes(32)
            flags = Flags(rawValue: try reader.uint8())
            signCount = try reader.uint32()
            credential = flags.contains(.hasCredential) ? try Self.credential(&reader) : nil
            if flags.contains(.hasExtensions) {
                guard try CBOR(from: &reader, maximumDepth: 4, maximumItems: 64).map != nil else {
                    throw PasskeyRefusal.malformed("extensions are no map")
                }
            }
            guard reader.isAtEnd else { throw PasskeyRefusal.malformed("bytes after the authenticator data") }
        } catch let refusal as PasskeyRefusal {
            throw refusal
        } catch {
            throw .malformed("authenticator data: \(error)")
        }
        // §6.1.3: what is backed up must be allowed to be.
        guard !flags.contains(.backedUp) || flags.contains(.backupEligible) else {
            throw .malformed("backed up without being eligible")
        }
        self.bytes = bytes
    }

    private static func credential(_ reader: inout ByteReader) throws -> Credential {
        let model = try reader.bytes(16)
        let count = Int(try reader.uint16())
        // §7.1 step 25.
        guard (1...1023).contains(count) else {
            throw PasskeyRefusal.malformed("credential id of \(count) bytes")
        }
        let id = try reader.bytes(count)
        let cose = try CBOR(from: &reader, maximumDepth: 4, maximumItems: 64)
        guard cose[3]?.integer.flatMap({ SignatureAlgorithm(rawValue: Int($0)) }) != nil else {
            throw PasskeyRefusal.unknownAlgorithm
        }
        do {
            return Credential(model: model, id: id, key: try PublicKey(cose: cose))
        } catch {
            throw PasskeyRefusal.malformed("public key: \(error)")
        }
    }

    /// A touch alone proves that somebody holds the phone; we want to know that it was its owner.
    func check(for party: RelyingParty) throws(PasskeyRefusal) {
        guard constantTimeEquals(relyingPartyHash, SHA256.hash(party.id)) else { throw .wrongRelyingParty }
        guard flags.contains(.userPresent) else { throw .userNotPresent }
        guard flags.contains(.userVerified) else { throw .userNotVerified }
    }
}
