import Crypto
import PDF

/// Looks at one signature from all sides.
struct SignatureCheck {
    private let file: PDFFile
    private let password: String?
    private let signature: PDFDictionary
    private let proofs: SignatureProofs
    private let anchors: TrustAnchors
    private let now: Int64
    private(set) var result: CheckedSignature
    /// Where what it covers ends; beyond the file when that cannot be said.
    private(set) var end = Int.max

    init(
        file: PDFFile, password: String?, name: String, signature: PDFDictionary, proofs: SignatureProofs,
        anchors: TrustAnchors, now: Int64
    ) {
        self.file = file
        self.password = password
        self.signature = signature
        self.proofs = proofs
        self.anchors = anchors
        self.now = now
        func text(_ key: PDFName) -> String { file.resolve(signature[key]).text ?? "" }
        let method = file.resolve(signature["SubFilter"]).name?.text ?? ""
        let rules = SignatureRules(signature, file)
        let kind: CheckedSignature.Kind =
            method == "ETSI.RFC3161" || file.resolve(signature["Type"]).name == "DocTimeStamp"
            ? .timeStamp : rules.certifies.map(CheckedSignature.Kind.certification) ?? .approval
        result = CheckedSignature(
            field: name, kind: kind, method: method,
            claim: CheckedSignature.Claim(
                name: text("Name"), reason: text("Reason"), place: text("Location"),
                contact: text("ContactInfo"), time: PDFMoment.seconds(text("M"))),
            allows: rules.allows)
    }

    mutating func run() {
        let range: SignedRange
        do throws(SignedRange.Flaw) {
            range = try SignedRange(of: signature, in: file)
        } catch {
            switch error {
            case .missing: result.add(.rangeMissing)
            case .outside: result.add(.rangeOutside)
            case .hole: result.add(.rangeHasHole)
            case .otherContents: result.add(.rangeElsewhere)
            }
            // Who it claims to be of is worth saying all the same.
            if let message = message() { result.certificate = message.signers.first?.certificate }
            return
        }
        end = range.end
        result.coveredByteCount = range.end
        result.coversWholeFile = range.reachesEnd(of: file.bytes)
        checkMessage(range)
        checkLater(range)
    }

    /// Where there are more than anybody looks through.
    mutating func leaveOut() { result.add(.notComparable) }

    private func message() -> SignedMessage? {
        file.resolve(signature["Contents"]).bytes.flatMap { try? SignedMessage(der: $0) }
    }

    // MARK: The signature itself

    private mutating func checkMessage(_ range: SignedRange) {
        let known = ["adbe.pkcs7.detached", "adbe.pkcs7.sha1", "ETSI.CAdES.detached", "ETSI.RFC3161"]
        guard known.contains(result.method) else { return result.add(.methodUnknown(result.method)) }
        guard let message = message() else { return result.add(.unreadable) }
        guard let signer = message.signers.first else { return result.add(.wrongSignature) }
        if message.signers.count > 1 { result.add(.severalSigners) }
        let bytes = file.bytes
        let outcome: SignedMessage.Outcome
        switch result.method {
        case "ETSI.RFC3161":
            guard let contents = file.resolve(signature["Contents"]).bytes,
                let stamp = try? TimeStamp(der: contents)
            else { return result.add(.unreadable) }
            outcome = range.withPieces(of: bytes) { stamp.holds(for: $0) }
            checkDigest(stamp.digest)
            result.claim.time = stamp.time
        case "adbe.pkcs7.sha1":
            checkDigest("sha1")
            guard let content = message.content else { return result.add(.unreadable) }
            let digest = range.withPieces(of: bytes) { SHA1.hash($0) }
            outcome = content == digest ? message.holds(signer, for: content) : .otherContent
        default:
            // With a content of its own it would be a signature of that, and not of the file.
            guard message.content == nil else { return result.add(.contentChanged) }
            outcome = range.withPieces(of: bytes) { message.holds(signer, for: $0) }
        }
        result.certificate = signer.certificate
        if result.claim.time == nil { result.claim.time = signer.signingTime }
        checkDigest(signer.digest)
        switch outcome {
        case .holds: result.isIntact = true
        case .otherContent:
            result.isIntact = false
            result.add(.contentChanged)
        case .wrongSignature:
            result.isIntact = false
            result.add(.wrongSignature)
        case .unknown(let why):
            result.add(signer.certificate == nil ? .certificateMissing : .methodUnknown(why))
        }
        if signer.namesItsCertificate == false { result.add(.otherCertificateMeant) }
        guard let certificate = signer.certificate else { return result.add(.certificateMissing) }
        checkStamp(signer, certificate)
        checkCertificate(certificate, message)
    }

    private mutating func checkDigest(_ name: String) {
        if Self.weakDigests.contains(name) { result.add(.weakDigest(name)) }
    }

    private static let weakDigests: Set<String> = ["md2", "md4", "md5", "sha", "sha1", "ripemd160", "mdc2"]

    private mutating func checkStamp(_ signer: SignedMessage.Signer, _ certificate: X509Certificate) {
        if result.kind == .timeStamp {
            let time = result.claim.time ?? now
            let judgement = anchors.judge(certificate, with: message()?.certificates ?? [], at: time)
            if !certificate.mayStampTimes { result.add(.keyNotForSigning) }
            result.stamp = CheckedSignature.Stamp(
                time: time, authority: certificate.name, isTrusted: judgement.finding == .trusted)
            return
        }
        guard let der = signer.timeStamps.first else { return result.add(.timeUnproven) }
        guard let stamp = try? TimeStamp(der: der), stamp.holds(for: signer.signature) == .holds,
            let authority = stamp.signer?.certificate
        else { return result.add(.stampBroken) }
        let judgement = anchors.judge(
            authority, with: stamp.message.certificates + proofs.certificates, at: stamp.time)
        let isTrusted =
            judgement.finding == .trusted && authority.mayStampTimes
            && !Self.weakDigests.contains(stamp.digest)
        result.stamp = CheckedSignature.Stamp(
            time: stamp.time, authority: authority.name, isTrusted: isTrusted)
        if !isTrusted { result.add(.stampUntrusted) }
    }

    private mutating func checkCertificate(_ certificate: X509Certificate, _ message: SignedMessage) {
        let proven = result.stamp.flatMap { $0.isTrusted ? $0.time : nil }
        let others = message.certificates + proofs.certificates
        var judgement = anchors.judge(certificate, with: others, at: proven ?? now)
        // Who is not trusted at all is not trusted for another reason than time.
        if judgement.finding == .expired || judgement.finding == .notYetValid,
            let inside = Self.middle(certificate)
        {
            let then = anchors.judge(certificate, with: others, at: inside)
            if then.finding != .trusted, then.finding != .expired, then.finding != .notYetValid {
                result.add(judgement.finding == .expired ? .expired : .notYetValid)
                judgement = then
            }
        }
        result.trust = judgement
        switch judgement.finding {
        case .trusted: break
        case .vouchesForItself: result.add(.vouchesForItself)
        case .unknownIssuer: result.add(.unknownIssuer)
        case .brokenChain: result.add(.brokenChain)
        case .expired: result.add(.expired)
        case .notYetValid: result.add(.notYetValid)
        }
        let end = proven ?? now
        if certificate.ends < end, judgement.finding != .trusted { result.add(.expired) }
        if certificate.usage.isDisjoint(with: [.signatures, .commitments]) { result.add(.keyNotForSigning) }
        switch certificate.key {
        case .rsa(let bits) where bits < 2048: result.add(.weakKey(bits))
        case .elliptic(let bits) where bits < 224: result.add(.weakKey(bits))
        case .other(_, let bits) where bits < 2048: result.add(.weakKey(bits))
        default: break
        }
        for link in judgement.chain where !link.vouchesForItself && Self.weakDigests.contains(link.signedWith)
        {
            result.add(.weakCertificate(link.signedWith))
        }
        checkRevocation(certificate, judgement, message)
    }

    private static func middle(_ certificate: X509Certificate) -> Int64? {
        certificate.begins < certificate.ends
            ? certificate.begins + (certificate.ends - certificate.begins) / 2 : nil
    }

    private mutating func checkRevocation(
        _ certificate: X509Certificate, _ judgement: TrustAnchors.Judgement, _ message: SignedMessage
    ) {
        let others = message.certificates + proofs.certificates + judgement.chain
        let authority =
            judgement.chain.dropFirst().first
            ?? others.first { $0.subject == certificate.issuer && $0 != certificate }
        guard let authority, !certificate.vouchesForItself else {
            return result.add(.revocationUnknown)
        }
        let sayings =
            (message.revocationLists + proofs.lists).map { $0.says(of: certificate, from: authority) }
            + proofs.answers.map { $0.says(of: certificate, from: authority, with: others) }
        for saying in sayings {
            switch saying {
            case .revoked(let time):
                // What was signed before holds, when it is proven to be from before.
                if let proven = result.stamp, proven.isTrusted, proven.time < time { continue }
                result.revocation = saying
                return result.add(.revoked)
            case .notRevoked: result.revocation = saying
            case .unknown: break
            }
        }
        if result.revocation == .unknown { result.add(.revocationUnknown) }
    }

    // MARK: What came later

    private mutating func checkLater(_ range: SignedRange) {
        let signed: PDFFile
        if result.coversWholeFile {
            signed = file
        } else {
            guard let opened = Self.opened(Array(file.bytes[..<range.end]), password) else {
                return result.add(.notComparable)
            }
            signed = opened
        }
        let own = FieldPairs.fields(of: signed).first { $0.name == result.field && $0.signature != nil }
        guard let own = own?.signature,
            signed.resolve(own["Contents"]) == file.resolve(signature["Contents"]),
            signed.numbers(own["ByteRange"]) == file.numbers(signature["ByteRange"])
        else { return result.add(.notInWhatWasSigned) }
        guard !result.coversWholeFile else { return }
        if StrayObjects.isThere(file, behind: range.end) {
            result.add(.strayObjects)
            result.laterChanges.append(LaterChange(kind: .other, part: .hidden, detail: ""))
        }
        let comparison = RevisionComparison(signed, file)
        result.laterChanges += comparison.changes
        if !comparison.isComplete { result.add(.notComparable) }
        let rules = SignatureRules(signature, file)
        for change in result.laterChanges {
            if !result.allows.allows(change.kind) { result.add(.changedAgainstWord) }
            if change.kind == .filled, change.part == .field, rules.locks(change.detail) {
                result.add(.lockedFieldChanged(change.detail))
            }
        }
    }

    /// Only a file that stands as it was signed can be compared with what it became: one that had to be mended may be read in
    /// several ways.
    private static func opened(_ bytes: [UInt8], _ password: String?) -> PDFFile? {
        guard let file = try? PDFFile(bytes: bytes, password: password), file.bytes.count == bytes.count,
            PDFEnding(of: bytes) != nil, !file.repairs.contains(where: { $0.contains("reconstruct") })
        else { return nil }
        return file
    }
}
