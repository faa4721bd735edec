internal import COpenSSL
internal import Glibc

extension SigningIdentity {
    private static let day: Int64 = 86_400

    /// Somebody who vouches for others: the authority of a desk.
    /// - Parameters:
    ///   - from: seconds since 1970.
    ///   - servers: those it may vouch for, where it vouches for servers and for nothing else.
    public static func authority(
        named name: String, from: Int64, days: Int64 = 3652, servers: ServerScope? = nil
    ) throws(CryptoError) -> SigningIdentity {
        var extensions: [(Int32, String)] = [
            (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
            (NID_key_usage, "critical,keyCertSign,cRLSign"), (NID_subject_key_identifier, "hash"),
        ]
        if let servers {
            extensions += [
                (NID_ext_key_usage, "serverAuth"), (NID_name_constraints, try servers.constraints),
            ]
        }
        return try make(
            named: name, mail: "", kind: .ec, from: from, days: days, by: nil, extensions)
    }

    /// Somebody who signs papers, vouched for by this authority.
    public func issue(
        to name: String, mail: String = "", kind: KeyKind = .ec, from: Int64, days: Int64 = 1096
    ) throws(CryptoError) -> SigningIdentity {
        var extensions: [(Int32, String)] = [
            (NID_basic_constraints, "critical,CA:FALSE"),
            (NID_key_usage, "critical,digitalSignature,nonRepudiation"),
            // Signing documents (RFC 9336), and mail, which older programs ask for.
            (NID_ext_key_usage, "1.3.6.1.5.5.7.3.36,emailProtection"),
            (NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid"),
        ]
        if !mail.isEmpty {
            // OpenSSL reads these as a little language, in which a comma would begin another name.
            guard
                mail.utf8.allSatisfy({
                    $0 > 32 && $0 < 127 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";")
                }),
                mail.contains("@"), mail.utf8.count <= 254
            else { throw .badName(mail) }
            extensions.append((NID_subject_alt_name, "email:" + mail))
        }
        return try Self.make(
            named: name, mail: mail, kind: kind, from: from, days: days, by: self, extensions)
    }

    private static func make(
        named name: String, mail: String, kind: KeyKind, from: Int64, days: Int64,
        by authority: SigningIdentity?,
        _ extensions: [(Int32, String)]
    ) throws(CryptoError) -> SigningIdentity {
        let made = kind == .ec ? quire_openssl_make_ec_key() : quire_openssl_make_rsa_key(3072)
        guard let key = KeyHandle(made) else { throw openSSLRefusal("making a key") }
        // An hour earlier, for clocks that are behind.
        let certificate = try X509Certificate.make(
            named: name, key, from: from - 3600, until: from + days * day, by: authority, extensions)
        return try SigningIdentity(
            key, certificate, chain: authority.map { [$0.certificate] + $0.chain } ?? [])
    }
}
