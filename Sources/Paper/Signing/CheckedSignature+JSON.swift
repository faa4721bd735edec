public import Bytes
public import Crypto
import Work

extension CheckedSignature {
    public var json: JSON {
        [
            "field": .string(field), "kind": .string(kind.name), "verdict": .string(verdict.rawValue),
            "signer": signer.map(JSON.string) ?? .null, "method": .string(method),
            "time": Self.moment(time),
            "timeFrom": .string(time == nil ? "nothing" : stamp?.isTrusted == true ? "stamp" : "signer"),
            "claim": [
                "name": .string(claim.name), "reason": .string(claim.reason), "place": .string(claim.place),
                "contact": .string(claim.contact), "time": Self.moment(claim.time),
            ],
            "certificate": certificate.map(Self.view) ?? .null,
            "trust": trust.map { .string($0.finding.rawValue) } ?? .null,
            "chain": .array((trust?.chain ?? []).map { .string($0.name) }),
            "stamp": stamp.map {
                [
                    "time": Self.moment($0.time), "authority": .string($0.authority),
                    "trusted": .bool($0.isTrusted),
                ]
            } ?? .null,
            "revocation": revocationView, "intact": isIntact.map(JSON.bool) ?? .null,
            "coversWholeFile": .bool(coversWholeFile),
            "coveredByteCount": coveredByteCount.map { .int($0) } ?? .null,
            "allows": .string(allows.name),
            "changedSince": .string(heaviestChange?.name ?? "nothing"),
            "laterChanges": .array(
                laterChanges.map {
                    [
                        "kind": .string($0.kind.name), "part": .string($0.part.rawValue),
                        "detail": .string($0.detail),
                    ]
                }),
            "findings": .array(
                findings.map {
                    [
                        "code": .string($0.code), "weight": .string("\($0.weight)"),
                        "detail": .string($0.detail), "sentence": .string($0.sentence),
                    ]
                }),
        ]
    }

    private var revocationView: JSON {
        switch revocation {
        case .unknown: ["state": "unknown", "time": .null]
        case .notRevoked(let time): ["state": "not-revoked", "time": Self.moment(time)]
        case .revoked(let time): ["state": "revoked", "time": Self.moment(time)]
        }
    }

    static func moment(_ seconds: Int64?) -> JSON {
        seconds.map { .string(Moment(milliseconds: $0 * 1000).iso8601) } ?? .null
    }

    private static func view(_ certificate: X509Certificate) -> JSON { certificate.json }
}

extension X509Certificate {
    public var json: JSON {
        [
            "name": .string(name), "subject": .string(subject), "issuer": .string(issuer),
            "issuerName": .string(issuerName), "serialNumber": .string(serialNumber),
            "begins": CheckedSignature.moment(begins), "ends": CheckedSignature.moment(ends),
            "key": .string(keyWords), "fingerprint": .string(Hex.encode(fingerprint)),
            "authority": .bool(isAuthority), "selfSigned": .bool(vouchesForItself),
        ]
    }

    /// `RSA 2048`
    public var keyWords: String {
        switch key {
        case .rsa(let bits): "RSA \(bits)"
        case .elliptic(let bits): "EC \(bits)"
        case .ed25519: "Ed25519"
        case .other(let name, let bits): "\(name) \(bits)"
        }
    }
}
