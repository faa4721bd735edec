import Access
public import Crypto
import SQL
public import Signing
import Storage
public import Transfer
public import Work

extension Identities {
    func signatory(_ identity: SigningIdentity, _ witnesses: Witnesses, by caller: Caller) -> Signatory {
        let round = WitnessRound(
            // Owners may have such services in their own network.
            client: HTTPClient(guardian: caller.may(.administer) ? .anywhere : .publicOnly),
            clock: store.clock, chance: store.chance, anchors: anchors, own: ownAuthority)
        return round.signatory(identity.writer, witnesses)
    }

    private func ownAuthority() throws -> SigningIdentity? {
        let seal = try key()
        return try store.read { desk in
            try desk.row("SELECT * FROM signing_identity WHERE is_authority = 1").map { try opened($0, seal) }
        }
    }
}

/// Asks those who are to be asked when a paper is signed: somebody else's clock, and who vouches for whom.
public struct WitnessRound {
    private let client: HTTPClient
    private let clock: Clock
    private let chance: Chance
    private let anchors: () throws -> TrustAnchors
    private let own: () throws -> SigningIdentity?

    /// - Parameters:
    ///   - anchors: whom one believes.
    ///   - own: an authority that publishes nothing but what goes into papers.
    public init(
        client: HTTPClient, clock: Clock = .system, chance: Chance = .system,
        anchors: @escaping () throws -> TrustAnchors, own: @escaping () throws -> SigningIdentity? = { nil }
    ) {
        self.client = client
        self.clock = clock
        self.chance = chance
        self.anchors = anchors
        self.own = own
    }

    public func signatory(_ writer: SignatureWriter, _ witnesses: Identities.Witnesses) -> Signatory {
        Signatory(
            writer, stamp: witnesses.clock.map { stamper($0) },
            proofs: witnesses.proves ? { try proofs(for: $0) } : nil)
    }

    private func proofs(for message: [UInt8]) throws -> SignatureProofs {
        var search = ProofSearch(
            client: client, anchors: try anchors(), own: try own(), now: clock.now().milliseconds / 1000)
        try search.look(through: SignedMessage(der: message))
        return search.found
    }

    private func stamper(_ address: String) -> ([UInt8]) throws -> [UInt8] {
        { signature in
            let request = TimeStampRequest(for: signature, nonce: chance.bytes(8))
            let answer: HTTPAnswer
            do {
                answer = try client.post(
                    address, .bytes(request.der), mediaType: TimeStampRequest.mediaType)
            } catch {
                throw Failure(
                    .unavailable, "The time stamp authority does not answer. Nothing was signed.",
                    field: "timestamp", cause: "\(error)")
            }
            guard (200...299).contains(answer.status) else {
                throw Failure(
                    .unavailable,
                    "The time stamp authority refused with the status \(answer.status). Nothing was signed.",
                    field: "timestamp")
            }
            do {
                return try request.stamp(from: answer.body).der
            } catch {
                throw Failure(
                    .unavailable,
                    "The time stamp authority gave no time stamp that fits. Nothing was signed.",
                    field: "timestamp", cause: "\(error)")
            }
        }
    }
}

/// Looks for what later checks of a signature need: everybody above who signed, and that nobody had been taken back.
private struct ProofSearch {
    let client: HTTPClient
    let anchors: TrustAnchors
    let own: SigningIdentity?
    let now: Int64
    private(set) var found = SignatureProofs()
    private var asked: Set<[UInt8]> = []

    private static let longestList = 16 << 20
    /// Certificates above one that names where the next lies.
    private static let mostSteps = 4

    init(client: HTTPClient, anchors: TrustAnchors, own: SigningIdentity?, now: Int64) {
        (self.client, self.anchors, self.own, self.now) = (client, anchors, own, now)
    }

    mutating func look(through message: SignedMessage) throws {
        for signer in message.signers {
            guard let certificate = signer.certificate else { continue }
            try look(upFrom: certificate, message.certificates)
            for stamp in signer.timeStamps { try look(through: TimeStamp(der: stamp).message) }
        }
    }

    private mutating func look(upFrom certificate: X509Certificate, _ known: [X509Certificate]) throws {
        var known = known
        var judgement = anchors.judge(certificate, with: known, at: now)
        var steps = 0
        while let last = judgement.chain.last, !last.vouchesForItself, judgement.finding != .trusted,
            steps < Self.mostSteps, let above = fetchAuthority(of: last)
        {
            known.append(above)
            steps += 1
            judgement = anchors.judge(certificate, with: known, at: now)
        }
        let chain = judgement.chain
        for one in chain where !found.certificates.contains(one) { found.certificates.append(one) }
        for (one, above) in zip(chain, chain.dropFirst()) { try ask(about: one, above, known + chain) }
        // Who is believed for their own sake need not be vouched for.
        guard let last = chain.last, last.vouchesForItself || judgement.finding == .trusted else {
            throw Failure(
                .unavailable,
                "Who vouches for the certificate of “\(chain.last?.name ?? "")” is not known here, so later checks could not rely on it. Nothing was signed.",
                field: "proofs")
        }
    }

    private func fetchAuthority(of certificate: X509Certificate) -> X509Certificate? {
        for address in certificate.authorityAddresses {
            guard let answer = try? client.get(address, limit: 1 << 20), (200...299).contains(answer.status)
            else { continue }
            let read = (try? X509Certificate(der: answer.body)).map { [$0] }
            let all = read ?? X509Certificate.all(pem: answer.body)
            if let fit = all.first(where: { $0.subject == certificate.issuer }) { return fit }
        }
        return nil
    }

    private mutating func ask(
        about certificate: X509Certificate, _ authority: X509Certificate, _ known: [X509Certificate]
    ) throws {
        guard asked.insert(certificate.fingerprint).inserted else { return }
        if let own, own.certificate == authority {
            let list = try own.emptyRevocationList(from: now, until: certificate.ends)
            return found.lists.append(list)
        }
        for list in found.lists where try holds(list.says(of: certificate, from: authority), certificate) {
            return
        }
        for address in certificate.answerAddresses {
            let request = try RevocationRequest(about: certificate, of: authority)
            let sent = try? client.post(
                address, .bytes(request.der), mediaType: RevocationRequest.mediaType)
            guard let sent, (200...299).contains(sent.status) else { continue }
            let answer = RevocationAnswer(der: sent.body)
            if try holds(answer.says(of: certificate, from: authority, with: known), certificate) {
                return found.answers.append(answer)
            }
        }
        for address in certificate.listAddresses {
            guard let sent = try? client.get(address, limit: Self.longestList), sent.status == 200,
                let list = try? RevocationList(der: sent.body)
            else { continue }
            if try holds(list.says(of: certificate, from: authority), certificate) {
                return found.lists.append(list)
            }
        }
        let isSilent = certificate.answerAddresses.isEmpty && certificate.listAddresses.isEmpty
        throw Failure(
            .unavailable,
            isSilent
                ? "The certificate of “\(certificate.name)” names nobody who says whether it was taken back, so there is no proof of it. Sign without proofs."
                : "Nobody says whether the certificate of “\(certificate.name)” was taken back: its authority does not answer. Try again later, or sign without proofs.",
            field: "proofs")
    }

    private func holds(_ saying: Revocation, _ certificate: X509Certificate) throws -> Bool {
        switch saying {
        case .notRevoked: return true
        case .unknown: return false
        case .revoked:
            throw Failure(
                .conflict,
                "The certificate of “\(certificate.name)” was taken back by its authority. Nothing was signed.",
                field: "proofs")
        }
    }
}
