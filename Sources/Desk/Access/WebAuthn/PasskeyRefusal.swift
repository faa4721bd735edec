internal import Bytes

/// Why what an authenticator or a browser sent is not accepted. For the journal and the tests; a person reads a
/// `Failure` that says what to do instead.
enum PasskeyRefusal: Error, Sendable, Equatable {
    /// Not of the form the standard gives it.
    case malformed(String)
    /// Made for another ceremony: registration instead of signing in, or the other way round.
    case wrongType
    case wrongOrigin(String)
    case insideAnotherSite
    case wrongRelyingParty
    /// Never given out, used before, too old, or given to somebody else.
    case unknownChallenge
    case userNotPresent
    case userNotVerified
    case unknownAlgorithm
    case attestation(String)
    case badSignature
    case unknownCredential
    case wrongUser
    /// The counter went back: perhaps the authenticator was copied.
    case counterWentBack(stored: UInt32, sent: UInt32)
}

extension PasskeyRefusal: CustomStringConvertible {
    var description: String {
        switch self {
        case .malformed(let what): "malformed: \(what)"
        case .wrongType: "made for another ceremony"
        case .wrongOrigin(let origin): "made at \(origin)"
        case .insideAnotherSite: "made inside another site's page"
        case .wrongRelyingParty: "made for another site"
        case .unknownChallenge: "challenge not given out, used or expired"
        case .userNotPresent: "nobody touched the authenticator"
        case .userNotVerified: "the authenticator did not verify its user"
        case .unknownAlgorithm: "an algorithm we did not offer"
        case .attestation(let what): "attestation: \(what)"
        case .badSignature: "the signature is wrong"
        case .unknownCredential: "no such passkey"
        case .wrongUser: "the passkey belongs to somebody else"
        case .counterWentBack(let stored, let sent): "counter went back from \(stored) to \(sent)"
        }
    }
}
