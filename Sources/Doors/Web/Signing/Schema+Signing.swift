import Bytes
import Crypto
import Signing

/// Signatures, and those who sign.
extension Schema {
    static let keyKind = choice(SigningIdentity.KeyKind.allCases.map(\.rawValue))

    private static let certificate = object([
        ("name", string), ("subject", string), ("issuer", string), ("issuerName", string),
        ("serialNumber", string), ("begins", orNull(moment)), ("ends", orNull(moment)), ("key", string),
        ("fingerprint", string), ("authority", boolean), ("selfSigned", boolean),
    ])

    private static let kept = object([
        ("id", id), ("name", string), ("certificate", certificate), ("pem", string), ("madeAt", moment),
    ])

    static let signing: [(String, JSON)] = [
        ("SigningIdentity", kept),
        (
            "IdentityList",
            object([
                ("identities", list(of: ref("SigningIdentity"))),
                ("authority", ["anyOf": [ref("SigningIdentity"), ["type": "null"]]]),
                ("trusted", list(of: kept)),
            ])
        ),
        ("TrustedCertificateList", object([("trusted", list(of: kept))])),
        (
            "MadeSignature",
            object([
                ("message", string),
                (
                    "proofs",
                    [
                        "anyOf": [
                            object([
                                ("certificates", list(of: string)), ("lists", list(of: string)),
                                ("answers", list(of: string)),
                            ]), ["type": "null"],
                        ]
                    ]
                ),
            ])
        ),
        ("MadeSignatureList", object([("signatures", list(of: ref("MadeSignature")))])),
        (
            "SignatureList",
            object([("signatures", list(of: ref("Signature"))), ("openFields", list(of: string))])
        ),
        (
            "Signature",
            object([
                ("field", string), ("kind", choice(["signature", "certification", "time-stamp"])),
                ("verdict", choice(CheckedSignature.Verdict.allCases.map(\.rawValue))),
                ("signer", orNull(string)), ("method", string), ("time", orNull(moment)),
                ("timeFrom", choice(["nothing", "stamp", "signer"])), ("claim", anything),
                ("certificate", ["anyOf": [certificate, ["type": "null"]]]), ("trust", orNull(string)),
                ("chain", list(of: string)), ("stamp", anything), ("revocation", anything),
                ("intact", orNull(boolean)), ("coversWholeFile", boolean),
                ("coveredByteCount", orNull(whole)),
                ("allows", choice(CheckedSignature.Allowance.allCases.map(\.name))),
                ("changedSince", string), ("laterChanges", list(of: anything)),
                (
                    "findings",
                    list(
                        of: object([
                            ("code", choice(SignatureFinding.codes)), ("weight", string),
                            ("detail", string), ("sentence", string),
                        ]))
                ),
            ])
        ),
    ]
}
