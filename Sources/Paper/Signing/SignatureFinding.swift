/// One thing that was found about a signature, and what it means for whoever relies on it.
public enum SignatureFinding: Sendable, Hashable {
    // What makes a signature worthless.
    case contentChanged
    case wrongSignature
    case rangeMissing, rangeOutside, rangeHasHole, rangeElsewhere
    case notInWhatWasSigned
    case changedAgainstWord
    case lockedFieldChanged(String)
    case strayObjects
    case revoked
    case otherCertificateMeant
    case severalSigners
    // What leaves a doubt.
    case unreadable
    case methodUnknown(String)
    case certificateMissing
    case vouchesForItself, unknownIssuer, brokenChain
    case expired, notYetValid
    case keyNotForSigning
    case weakDigest(String)
    case weakKey(Int)
    case weakCertificate(String)
    case stampBroken, stampUntrusted
    case notComparable
    // What is good to know.
    case revocationUnknown
    case timeUnproven

    public enum Weight: Int, Sendable, Comparable {
        case remark, doubt, fault
        public static func < (a: Weight, b: Weight) -> Bool { a.rawValue < b.rawValue }
    }

    public var weight: Weight {
        switch self {
        case .contentChanged, .wrongSignature, .rangeMissing, .rangeOutside, .rangeHasHole, .rangeElsewhere,
            .notInWhatWasSigned, .changedAgainstWord, .lockedFieldChanged, .strayObjects, .revoked,
            .otherCertificateMeant, .severalSigners:
            .fault
        case .revocationUnknown, .timeUnproven: .remark
        default: .doubt
        }
    }

    /// For programs; the names are never changed.
    public var code: String {
        switch self {
        case .contentChanged: "content-changed"
        case .wrongSignature: "wrong-signature"
        case .rangeMissing: "range-missing"
        case .rangeOutside: "range-outside"
        case .rangeHasHole: "range-hole"
        case .rangeElsewhere: "range-elsewhere"
        case .notInWhatWasSigned: "not-in-signed-part"
        case .changedAgainstWord: "changed-against-word"
        case .lockedFieldChanged: "locked-field-changed"
        case .strayObjects: "stray-objects"
        case .revoked: "revoked"
        case .otherCertificateMeant: "other-certificate"
        case .severalSigners: "several-signers"
        case .unreadable: "unreadable"
        case .methodUnknown: "method-unknown"
        case .certificateMissing: "certificate-missing"
        case .vouchesForItself: "self-signed"
        case .unknownIssuer: "unknown-issuer"
        case .brokenChain: "broken-chain"
        case .expired: "expired"
        case .notYetValid: "not-yet-valid"
        case .keyNotForSigning: "key-not-for-signing"
        case .weakDigest: "weak-digest"
        case .weakKey: "weak-key"
        case .weakCertificate: "weak-certificate"
        case .stampBroken: "stamp-broken"
        case .stampUntrusted: "stamp-untrusted"
        case .notComparable: "not-comparable"
        case .revocationUnknown: "revocation-unknown"
        case .timeUnproven: "time-unproven"
        }
    }

    /// What a sentence needs beside itself.
    public var detail: String {
        switch self {
        case .lockedFieldChanged(let name): name
        case .methodUnknown(let name): name
        case .weakDigest(let name), .weakCertificate(let name): name.uppercased()
        case .weakKey(let bits): "\(bits)"
        default: ""
        }
    }

    public static let codes: [String] = [
        contentChanged, wrongSignature, rangeMissing, rangeOutside, rangeHasHole, rangeElsewhere,
        notInWhatWasSigned, changedAgainstWord, lockedFieldChanged(""), strayObjects, revoked,
        otherCertificateMeant, severalSigners, unreadable, methodUnknown(""), certificateMissing,
        vouchesForItself, unknownIssuer, brokenChain, expired, notYetValid, keyNotForSigning,
        weakDigest(""), weakKey(0), weakCertificate(""), stampBroken, stampUntrusted, notComparable,
        revocationUnknown, timeUnproven,
    ].map(\.code)

    public var sentence: String {
        switch self {
        case .contentChanged: "What was signed has been changed since."
        case .wrongSignature: "The signature was not made with the key of this certificate."
        case .rangeMissing: "It does not say what it is a signature of."
        case .rangeOutside: "It says that it covers bytes that the file does not have, or not its beginning."
        case .rangeHasHole: "A part of the file is left out of what was signed, so anything may stand there."
        case .rangeElsewhere: "What was checked is not the signature that the field shows."
        case .notInWhatWasSigned: "The field of the signature was not in the file that was signed."
        case .changedAgainstWord: "It was changed afterwards in a way that the signer did not allow."
        case .lockedFieldChanged(let name):
            "The field “\(name)”, which the signer had locked, was changed afterwards."
        case .strayObjects: "Behind what was signed stand parts that some programs show and others do not."
        case .revoked: "The certificate had been taken back by who issued it."
        case .otherCertificateMeant: "The signer named another certificate than the one that came along."
        case .severalSigners: "It holds several signers where there must be one."
        case .unreadable: "The signature cannot be read."
        case .methodUnknown(let name):
            name.isEmpty
                ? "It was made in a way that is not known here."
                : "It was made in a way that is not known here (\(name))."
        case .certificateMissing: "The certificate did not come along, so nobody can say who signed."
        case .vouchesForItself: "The certificate vouches for itself: anybody could have made it in this name."
        case .unknownIssuer: "Nobody trusted here vouches for the certificate."
        case .brokenChain: "The certificate or one of those above it does not hold."
        case .expired: "The certificate has run out, and nothing proves that the signature is older."
        case .notYetValid: "The certificate was not valid yet."
        case .keyNotForSigning: "The certificate is not meant for signatures."
        case .weakDigest(let name): "It leans on \(name.uppercased()), which can be forged by now."
        case .weakKey(let bits): "Its key has \(bits) bits, which is too few by now."
        case .weakCertificate(let name):
            "The certificate leans on \(name.uppercased()), which can be forged by now."
        case .stampBroken: "Its time stamp does not belong to it, so it proves no time."
        case .stampUntrusted: "Nobody trusted here vouches for its time stamp, so it proves no time."
        case .notComparable: "What was changed afterwards could not be found out."
        case .revocationUnknown: "Nobody was asked whether the certificate was taken back."
        case .timeUnproven: "When it was signed is what the signer's own clock said."
        }
    }
}
