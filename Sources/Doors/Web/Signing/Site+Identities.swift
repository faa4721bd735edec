import Access
import App
import Bytes
import Crypto
import HTTP
import Markup
import Signing
import SigningKeys
import Storage

/// In whose name papers are signed, and whom the desk believes.
extension Site {
    static let identityActions: [Action] = [
        Action(
            .get, "/identities", .member(.view),
            .init(
                "List the identities one can sign papers with", tag: "Signatures",
                answers: [.ok("IdentityList", "One's own, and whom the desk trusts")])
        ) { visit in
            let caller = try visit.member()
            let identities = visit.quire.identities
            return try visit.show([
                "identities": .array(identities.list(by: caller).map(\.json)),
                "authority": identities.authority(by: caller)?.json ?? .null,
                "trusted": .array(identities.trusted(by: caller).map(\.json)),
            ]) { Pages.identities(visit.frame, try IdentitiesPage(visit)) }
        },
        Action(
            .post, "/identities", .member(.edit),
            .init(
                "Make an identity",
                description:
                    "The desk's own authority vouches for it; it is made with the first one. The key stays on the desk, sealed.",
                tag: "Signatures",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("name", ["type": "string", "minLength": 1, "maxLength": 64]),
                                ("mail", Schema.string), ("key", Schema.keyKind),
                            ], optional: ["mail", "key"]))
                ], answers: [.made("SigningIdentity", "The identity")]), isGrave: true
        ) { visit in
            try visit.onIdentities {
                let input = try visit.input
                let word = try input.text("key") ?? ""
                guard let kind = word.isEmpty ? .ec : SigningIdentity.KeyKind(rawValue: word) else {
                    throw Failure(.invalid, "A key is ec or rsa.", field: "key")
                }
                let made = try visit.quire.identities.make(
                    named: try input.requiredText("name"), mail: try input.text("mail") ?? "", key: kind,
                    by: visit.member())
                return visit.done(
                    made.json, .created, at: "/identities/\(made.id)", next: "/identities",
                    notice: "notice.identity.made", ["name": .text(made.name)])
            }
        },
        Action(
            .post, "/identities/import", .member(.edit),
            .init(
                "Take in an identity that another authority made (PKCS #12)",
                description:
                    "A form with the `file` and its `password`, or JSON with the file in Base64 in `pkcs12`.",
                tag: "Signatures",
                requestBody: [
                    .init(
                        .json, Schema.object([("pkcs12", Schema.string), ("password", Schema.string)])),
                    .init(
                        .multipart,
                        Schema.object([
                            ("file", ["type": "string", "format": "binary"]), ("password", Schema.string),
                        ])),
                ], answers: [.made("SigningIdentity", "The identity")]), body: .upload(limit: 1 << 20),
            isGrave: true
        ) { visit in
            try visit.onIdentities {
                let arrival = try Arrival(visit)
                let bytes: [UInt8]
                if let file = arrival.files.first {
                    bytes = try file.read(atMost: 1 << 20)
                } else {
                    guard let sent = Base64.decode(try arrival.input.text("pkcs12") ?? ""), !sent.isEmpty
                    else { throw Failure(.invalid, "Choose one file.", field: "file") }
                    bytes = sent
                }
                let taken = try visit.quire.identities.take(
                    pkcs12: bytes, password: try arrival.input.text("password") ?? "", by: visit.member())
                return visit.done(
                    taken.json, .created, at: "/identities/\(taken.id)", next: "/identities",
                    notice: "notice.identity.made", ["name": .text(taken.name)])
            }
        },
        Action(
            .get, "/identities/{id}", .member(.view),
            .init("Look at an identity", tag: "Signatures", answers: [.ok("SigningIdentity", "As it is")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/identities") }
            return .json(try visit.quire.identities.get(visit.id(of: "identity"), by: visit.member()).json)
        },
        Action(
            .get, "/identities/{id}/certificate", .member(.view),
            .init(
                "Get the certificate of an identity",
                description: "With those above it (PEM), for others to trust.", tag: "Signatures",
                answers: [.init(.ok, "The certificates", [.anything])])
        ) { visit in
            let identity = try visit.quire.identities.get(visit.id(of: "identity"), by: visit.member())
            return Response(
                headers: ["Content-Type": "application/x-pem-file"], body: .bytes(Array(identity.pem.utf8))
            ).with("Content-Disposition", "attachment; filename=\"certificate.pem\"")
        },
        Action(
            .delete, "/identities/{id}", .member(.edit),
            .init(
                "Remove an identity", description: "What was signed with it stays signed.", tag: "Signatures",
                answers: [.init(.noContent, "It is gone, and its key")])
        ) { visit in
            try visit.quire.identities.remove(visit.id(of: "identity"), by: visit.member())
            return visit.done([:], .noContent, next: "/identities", notice: "notice.removed")
        },
        Action(
            .post, "/identities/{id}/signatures", .member(.edit),
            .init(
                "Sign a digest",
                description:
                    "For a paper that lies elsewhere: `digest` is the digest of what is to be signed (hexadecimal; SHA-256, or SHA-384 and SHA-512 for longer elliptic keys), the answer is the signature as PAdES has it (CMS, Base64). With `proofs` it comes with what later checks need, to be put behind the signed paper: `certificates`, `lists` of what was taken back, and `answers` of authorities (DER, Base64).",
                tag: "Signatures",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("digest", Schema.string), ("timestamp", Schema.string),
                                ("proofs", Schema.boolean),
                            ],
                            optional: ["timestamp", "proofs"]))
                ], answers: [.ok("MadeSignature", "The signature")]), isGrave: true
        ) { visit in
            let input = try visit.input
            guard let digest = Hex.decode(try input.requiredText("digest")) else {
                throw Failure(.invalid, "A digest is written in hexadecimal.", field: "digest")
            }
            let signed = try visit.quire.identities.sign(
                digest: digest, with: visit.id(of: "identity"), asking: Identities.Witnesses(input),
                by: visit.member())
            return .json(signed.view)
        },
        Action(
            .post, "/identities/{id}/signatures/several", .member(.edit),
            .init(
                "Sign several digests",
                description:
                    "For many papers that lie elsewhere: up to 200 `digests`, as for one. The signatures come in the same order; without a time stamp and without proofs.",
                tag: "Signatures",
                requestBody: [
                    .init(.json, Schema.object([("digests", Schema.list(of: Schema.string))]))
                ], answers: [.ok("MadeSignatureList", "The signatures")]), isGrave: true
        ) { visit in
            let digests = try visit.input.texts("digests").map { text throws(Failure) in
                guard let digest = Hex.decode(text) else {
                    throw Failure(.invalid, "A digest is written in hexadecimal.", field: "digests")
                }
                return digest
            }
            let signed = try visit.quire.identities.sign(
                digests: digests, with: visit.id(of: "identity"), by: visit.member())
            return .json(["signatures": .array(signed.map(\.view))])
        },
        Action(
            .post, "/trusted-certificates", .member(.administer),
            .init(
                "Trust whom a certificate names",
                description: "A form with a `file`, or JSON with the text in `certificate` (PEM).",
                tag: "Signatures",
                requestBody: [
                    .init(.json, Schema.object([("certificate", Schema.string)])),
                    .init(
                        .multipart, Schema.object([("file", ["type": "string", "format": "binary"])])),
                ], answers: [.ok("TrustedCertificateList", "They are trusted from now on")]),
            body: .upload(limit: 1 << 20), isGrave: true
        ) { visit in
            try visit.onIdentities {
                let arrival = try Arrival(visit)
                let bytes =
                    try arrival.files.first?.read(atMost: 1 << 20)
                    ?? Array((arrival.input.text("certificate") ?? "").utf8)
                let trusted = try visit.quire.identities.trust(pem: bytes, by: visit.member())
                return visit.done(
                    ["trusted": .array(trusted.map(\.json))], next: "/identities", notice: "notice.saved")
            }
        },
        Action(
            .delete, "/trusted-certificates/{id}", .member(.administer),
            .init(
                "Trust a certificate no longer", tag: "Signatures",
                answers: [.init(.noContent, "It is not trusted any more")])
        ) { visit in
            try visit.quire.identities.distrust(visit.id(of: "certificate"), by: visit.member())
            return visit.done([:], .noContent, next: "/identities", notice: "notice.removed")
        },
    ]
}

extension Identities.Witnesses {
    init(_ input: Input) throws {
        try self.init(timestamp: input.text("timestamp"), proofs: input.flag("proofs"))
    }
}

extension Visit {
    /// What could not be taken is said on the page it was typed on.
    fileprivate func onIdentities(_ body: () throws -> Response) throws -> Response {
        do {
            return try body()
        } catch let failure as Failure where wantsPage && [.invalid, .tooMany].contains(failure.code) {
            var model = try IdentitiesPage(self)
            model.error = said(failure)
            model.errorField = failure.field
            return page(Pages.identities(frameAt("/identities"), model), Site.status(of: failure.code))
        }
    }
}

extension IdentitiesPage {
    init(_ visit: Visit) throws {
        let caller = try visit.member()
        let identities = visit.quire.identities
        self.init(
            identities: try identities.list(by: caller).map { Line($0.id.text, $0.name, $0.certificate) },
            authority: try identities.authority(by: caller)?.name,
            trusted: try identities.trusted(by: caller).map { Line($0.id.text, $0.name, $0.certificate) },
            passes: try identities.passCertificates(by: caller).map { ($0.passType, $0.state) })
    }
}

extension KeptIdentity {
    var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "certificate": certificate.json,
            "pem": .string(pem), "madeAt": .moment(madeAt),
        ]
    }
}

extension TrustedCertificate {
    var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "certificate": certificate.json,
            "pem": .string(certificate.pem), "madeAt": .moment(madeAt),
        ]
    }
}

extension SignedDigest {
    fileprivate var view: JSON {
        ["message": .string(Base64.encode(message)), "proofs": proofs?.json ?? .null]
    }
}
