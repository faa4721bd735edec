internal import Bytes
internal import Crypto

/// A new passkey as the browser hands it over (`PublicKeyCredential.toJSON()`), read strictly and checked as
/// WebAuthn §7.1 says. The challenge is left to the caller, who knows which ones were given out.
struct Registration {
    let clientData: ClientData
    let authenticator: AuthenticatorData
    let credential: AuthenticatorData.Credential
    let transports: [String]

    init(_ json: JSON, for party: RelyingParty) throws(PasskeyRefusal) {
        let envelope = try CredentialEnvelope(json)
        let attestation = try envelope.part("attestationObject", limit: 65_536)
        clientData = try ClientData(try envelope.part("clientDataJSON", limit: 8192))
        try clientData.check(type: ClientData.registration, for: party)

        let object = try AttestationObject(attestation)
        authenticator = object.authenticator
        try authenticator.check(for: party)
        guard let credential = authenticator.credential else { throw .malformed("no credential in it") }
        guard credential.id == envelope.id else { throw .malformed("two different credential ids") }
        self.credential = credential
        try object.check(credential.key, clientDataHash: clientData.hash)

        // Hints for the browser's next question; unknown ones are harmless, so only their shape is checked.
        transports = (envelope.response["transports"]?.array ?? []).prefix(8).compactMap(\.string).filter {
            (1...32).contains($0.utf8.count)
                && $0.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
        }
    }
}

/// The maker's word for an authenticator (WebAuthn §6.5). We ask for none. Some give their own key's word
/// (`packed` without certificates), which proves possession and is checked; certificates, which would tell us
/// the model and serve to exclude people's devices, are refused.
struct AttestationObject {
    let authenticator: AuthenticatorData
    private let statement: Statement

    private enum Statement {
        case none
        case itself(algorithm: SignatureAlgorithm, signature: [UInt8])
    }

    init(_ bytes: [UInt8]) throws(PasskeyRefusal) {
        let object: CBOR
        do {
            object = try CBOR(decoding: bytes, maximumDepth: 6, maximumItems: 256)
        } catch {
            throw .malformed("attestation object: \(error)")
        }
        guard object.map?.count == 3, let format = object["fmt"]?.text, let statement = object["attStmt"],
            let data = object["authData"]?.bytes
        else { throw .malformed("attestation object") }
        authenticator = try AuthenticatorData(data)
        switch format {
        case "none":
            guard statement.map?.isEmpty == true else { throw .attestation("“none” that says something") }
            self.statement = .none
        case "packed":
            guard statement.map?.count == 2, let signature = statement["sig"]?.bytes,
                let algorithm = statement["alg"]?.integer.flatMap(Int.init(exactly:))
                    .flatMap(SignatureAlgorithm.init(rawValue:))
            else { throw .attestation("only a device's own word is accepted") }
            self.statement = .itself(algorithm: algorithm, signature: signature)
        default: throw .attestation("the form “\(format.prefix(32))” was not asked for")
        }
    }

    /// §8.2: self attestation.
    func check(_ key: PublicKey, clientDataHash: [UInt8]) throws(PasskeyRefusal) {
        switch statement {
        case .none: return
        case .itself(let algorithm, let signature):
            guard algorithm == key.algorithm else { throw .attestation("two different algorithms") }
            guard key.verify(signature, of: authenticator.bytes + clientDataHash) else { throw .badSignature }
        }
    }
}
