public import Bytes

/// The form in which authenticators hand over their keys (RFC 9052 §7, WebAuthn §6.5.1.1).
extension PublicKey {
    /// Reads a COSE_Key that has exactly the parts its algorithm needs; unknown extra parts are refused, as
    /// WebAuthn demands ("MUST NOT contain any other optional parameters").
    public init(cose key: CBOR) throws(CryptoError) {
        guard let number = key[Label.algorithm]?.integer.flatMap(Int.init(exactly:)),
            let algorithm = SignatureAlgorithm(rawValue: number)
        else { throw .badKey("a key of an algorithm we do not know") }
        let type = key[Label.type]?.integer
        let curve = key[Label.curve]?.integer
        let count = key.map?.count
        switch algorithm {
        case .es256:
            guard type == 2, curve == 1, count == 5, let x = key[Label.x]?.bytes, let y = key[Label.y]?.bytes
            else { throw .badKey("not a P-256 key") }
            try self.init(es256X: x, y: y)
        case .edDSA:
            guard type == 1, curve == 6, count == 4, let x = key[Label.x]?.bytes else {
                throw .badKey("not an Ed25519 key")
            }
            try self.init(ed25519: x)
        case .rs256:
            guard type == 3, count == 4, let n = key[Label.modulus]?.bytes, let e = key[Label.exponent]?.bytes
            else { throw .badKey("not an RSA key") }
            try self.init(rs256Modulus: n, exponent: e)
        }
    }

    /// The same form, canonically ordered: what the database keeps.
    public var cose: CBOR {
        let algorithm = CBOR.Entry(CBOR(Label.algorithm), CBOR(Int64(self.algorithm.rawValue)))
        func part(_ label: Int64, _ value: CBOR) -> CBOR.Entry { CBOR.Entry(CBOR(label), value) }
        return switch self.algorithm {
        case .es256:
            .map([
                part(Label.type, .unsigned(2)), algorithm, part(Label.curve, .unsigned(1)),
                part(Label.x, .bytes(numbers[0])),
                part(Label.y, .bytes(numbers[1])),
            ])
        case .edDSA:
            .map([
                part(Label.type, .unsigned(1)), algorithm, part(Label.curve, .unsigned(6)),
                part(Label.x, .bytes(numbers[0])),
            ])
        case .rs256:
            .map([
                part(Label.type, .unsigned(3)), algorithm, part(Label.modulus, .bytes(numbers[0])),
                part(Label.exponent, .bytes(numbers[1])),
            ])
        }
    }

    /// RFC 9052 §7.1, RFC 9053 §7, RFC 8230 §4. RSA gives -1 and -2 another meaning than the curves do.
    private enum Label {
        static let type: Int64 = 1
        static let algorithm: Int64 = 3
        static let curve: Int64 = -1
        static let x: Int64 = -2
        static let y: Int64 = -3
        static let modulus: Int64 = -1
        static let exponent: Int64 = -2
    }
}
