import Bytes
import Crypto
import Signing
import SigningKeys
import Storage
import Tokens
import Transfer
import Work

// Who signs: a key of a desk, or one in a token of this machine.

extension Invocation {
    func withSignatory(_ body: (Signatory) throws -> Void) throws {
        if let name = value("smart-card") {
            return try withTokens { door in try body(signatory(inToken: name, door)) }
        }
        let desk = try desk()
        defer { desk.close() }
        try body(signatory(of: desk, named: value("with") ?? ""))
    }

    private func signatory(of desk: DeskSession, named name: String) throws -> Signatory {
        let identity = try IdentityWords.find(name, desk)
        let certificates = X509Certificate.all(pem: Array((identity["pem"]?.string ?? "").utf8))
        guard let certificate = certificates.first, let id = identity["id"]?.string else {
            throw Failure(.damaged, "The desk sent no certificate for “\(name)”.")
        }
        let stamp = value("timestamp")
        let proves = has("proofs")
        func made(_ view: JSON) -> SignedDigest {
            let proofs = view["proofs"].flatMap { $0 == .null ? nil : SignatureProofs($0) }
            return SignedDigest(Base64.decode(view["message"]?.string ?? "") ?? [], proofs: proofs)
        }
        // Who else is asked takes longer than we do, and one sees how far it is.
        let several: (([[UInt8]]) throws -> [SignedDigest])? =
            stamp != nil || proves
            ? nil
            : { digests in
                let body: JSON = ["digests": .array(digests.map { .string(Hex.encode($0)) })]
                let answer = try desk.client.send("POST", "/identities/\(id)/signatures/several", body)
                let signed = (answer["signatures"]?.array ?? []).map(made)
                guard signed.count == digests.count else {
                    throw Failure(.damaged, "The desk did not sign all papers.")
                }
                return signed
            }
        return Signatory(
            certificate, chain: Array(certificates.dropFirst()), isStamped: stamp != nil, several: several
        ) { digest in
            var body: JSON = ["digest": .string(Hex.encode(digest))]
            if let stamp { body["timestamp"] = .string(stamp) }
            if proves { body["proofs"] = .bool(true) }
            return made(try desk.client.send("POST", "/identities/\(id)/signatures", body))
        }
    }

    private func signatory(inToken name: String, _ door: TokenDoor) throws -> Signatory {
        let all = try door.holders()
        let found = all.filter { [$0.certificate.name, $0.label, $0.token].contains(name) }
        guard let holder = found.first else {
            throw Failure(
                .notFound,
                all.isEmpty
                    ? "No card and no stick with a certificate is there. Put it in, or say --module FILE."
                    : "No token has “\(name)”. There are: \(Set(all.map(\.certificate.name)).sorted().joined(separator: ", "))."
            )
        }
        guard found.count == 1 else {
            throw Failure(
                .conflict,
                "Several certificates are called “\(name)”. Say the label of one: \(found.map(\.label).joined(separator: ", "))."
            )
        }
        let witnesses = try Identities.Witnesses(timestamp: value("timestamp"), proofs: has("proofs"))
        let round = WitnessRound(client: HTTPClient(guardian: .anywhere)) { TrustAnchors() }
        return round.signatory(try door.writer(for: holder, pin: pin(of: holder)), witnesses)
    }

    private func pin(of holder: TokenDoor.Holder) throws -> String? {
        if let path = value("pin-file") { return try firstLine(of: path) }
        let typed = terminal.ask("PIN of “\(holder.token)”: ", true) ?? ""
        return typed.isEmpty ? nil : typed
    }

    func listTokens() throws {
        try withTokens { door in
            let all = try door.holders()
            let views = all.map { holder -> JSON in
                [
                    "token": .string(holder.token), "label": .string(holder.label),
                    "name": .string(holder.certificate.name), "certificate": holder.certificate.json,
                ]
            }
            answer(["tokens": .array(views)]) {
                guard !all.isEmpty else { return "No card and no stick with a certificate is there.\n" }
                var table = TextTable(["Name", "Label", "Token", "Issued by", "Key", "Until"])
                for holder in all {
                    let certificate = holder.certificate
                    table.add([
                        certificate.name, holder.label, holder.token, certificate.issuerName,
                        certificate.keyWords,
                        String(Words.time(Moment(milliseconds: certificate.ends * 1000)).prefix(10)),
                    ])
                }
                return table.text(terminal.outputStyle)
            }
        }
    }

    private func withTokens(_ body: (TokenDoor) throws -> Void) throws {
        do {
            try body(TokenDoor(module: value("module")))
        } catch let trouble as TokenTrouble {
            throw Failure(trouble)
        }
    }
}

extension Failure {
    fileprivate init(_ trouble: TokenTrouble) {
        self =
            switch trouble {
            case .noModule(let name):
                Failure(
                    .notFound,
                    "“\(name)” is no library that speaks to cards and sticks (PKCS #11). Install the one of the token's maker, or opensc, and say where it lies: --module FILE."
                )
            case .pinNeeded:
                Failure(.invalid, "The token needs its PIN. Type it when asked, or say --pin-file FILE.")
            case .wrongPIN:
                Failure(.denied, "The PIN is wrong. After a few wrong ones a token locks itself.")
            case .lockedPIN:
                Failure(
                    .denied,
                    "The token has locked itself after wrong PINs. Unlock it with its maker's program.")
            case .noKey(let name):
                Failure(.notFound, "The token has the certificate of “\(name)”, but not its key.")
            case .refused(let code, let call):
                Failure(
                    .unavailable, "The token refused. Take it out, put it in again, and try once more.",
                    cause: "\(call): 0x\(String(code, radix: 16))")
            }
    }
}
