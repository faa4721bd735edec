import Bytes
import Crypto
import PDF
import Signing
import Storage
import Work

extension Command {
    static let signatures = Command(
        name: "signatures", summary: "say who signed PDF files, and whether that still holds",
        discussion: """
            For each signature: whose certificate it is and who vouches for it, when it was given and who says so, whether \
            what was signed is still the same, and what was changed afterwards. What cannot be known is said to be \
            unknown: whether a certificate was taken back is seen only when the file itself brings the proof, as nobody is \
            asked over the network.

            Those whom this machine trusts are trusted, and those of --trust. Ends with an error when a signature is bad \
            or something about it is unknown, and when there is none. No desk is needed unless \
            --desk is said.
            """,
        arguments: [Argument(name: "FILE", summary: "PDF files", isRepeating: true, completion: .file)],
        options: [
            Option(
                "trust", "PEM", "also trust whom the certificates in this file name", isRepeating: true,
                completion: .file),
            Option("desk", nil, "also trust whom your desk trusts, and its own authority"), PDFWork.password,
            .database,
        ],
        examples: [
            Example("quire signatures contract.pdf", "who signed, and whether it holds"),
            Example("quire signatures *.pdf --trust company.pem", "trust your company's authority as well"),
        ],
        run: { call in
            let anchors = try call.anchors()
            let now = Clock.system.now().milliseconds / 1000
            var views: [JSON] = []
            var lines = ""
            var worst = ExitCode.done
            try call.withProgress("Checking") { progress in
                for (index, path) in call.arguments.enumerated() {
                    progress.set(done: Int64(index), total: Int64(call.arguments.count))
                    try progress.check()
                    let paper = try withForms {
                        try SignedPaper(
                            PDFWork(call).bytes(path), password: call.value("password"), trusting: anchors,
                            now: now)
                    }
                    if paper.signatures.contains(where: { $0.verdict != .good }) {
                        worst = .invalid
                    } else if paper.signatures.isEmpty, worst == .done {
                        worst = .notFound
                    }
                    views.append([
                        "file": .string(path), "signatures": .array(paper.signatures.map(\.json)),
                        "openFields": .array(paper.openFields.map(JSON.string)),
                    ])
                    lines += SignatureWords(paper, call.terminal.outputStyle).text(path)
                }
            }
            call.answer(["files": .array(views)]) { lines }
            if worst != .done { throw worst }
        })
}

extension Invocation {
    /// Whom this call trusts to vouch for others.
    func anchors() throws -> TrustAnchors {
        var certificates: [X509Certificate] = []
        for path in options["trust"] ?? [] {
            let bytes = try withForms { try PDFFile.read(absolute(path)) }
            var found = X509Certificate.all(pem: bytes)
            if found.isEmpty, let one = try? X509Certificate(der: bytes) { found = [one] }
            guard !found.isEmpty else {
                throw Failure(.invalid, "“\(path)” holds no certificate.")
            }
            certificates += found
        }
        if has("desk") {
            let desk = try desk()
            defer { desk.close() }
            let known = try desk.client.get("/identities")
            for item in [known["authority"] ?? .null] + (known["trusted"]?.array ?? []) {
                certificates += X509Certificate.all(pem: Array((item["pem"]?.string ?? "").utf8)).prefix(1)
            }
        }
        return TrustAnchors(certificates)
    }
}

/// What was found about the signatures of a paper, for somebody who reads it.
struct SignatureWords {
    private let paper: SignedPaper
    private let style: Style

    init(_ paper: SignedPaper, _ style: Style) {
        self.paper = paper
        self.style = style
    }

    func text(_ path: String) -> String {
        let name = TextTable.harmless(path)
        var lines: [String]
        if paper.signatures.isEmpty {
            lines = ["\(name): not signed"]
        } else {
            lines = ["\(name): \(Words.count(paper.signatures.count, "signature", "signatures"))"]
        }
        for signature in paper.signatures {
            lines.append("  \(headline(signature))")
            lines += details(signature).map { "    \(TextTable.harmless($0))" }
        }
        for field in paper.openFields { lines.append("  waits to be signed: “\(TextTable.harmless(field))”") }
        return lines.joined(separator: "\n") + "\n"
    }

    private func headline(_ signature: CheckedSignature) -> String {
        let who = TextTable.harmless(signature.signer ?? "nobody known")
        let what =
            switch signature.kind {
            case .approval: "signed by \(who)"
            case .certification: "certified by \(who)"
            case .timeStamp: "time stamp of \(who)"
            }
        return switch signature.verdict {
        case .good: "\(style.good("good")): \(what)"
        case .uncertain: "\(style.warning("uncertain")): \(what)"
        case .bad: "\(style.bad("bad")): \(what)"
        }
    }

    private func details(_ signature: CheckedSignature) -> [String] {
        var lines: [String] = []
        if let time = signature.time {
            let from =
                signature.stamp.flatMap { $0.isTrusted ? "as \($0.authority) attests" : nil }
                ?? "as the signer's clock said"
            lines.append("\(Self.time(time)), \(from)")
        }
        let claim = signature.claim
        if !claim.reason.isEmpty { lines.append("reason: \(claim.reason)") }
        if !claim.place.isEmpty { lines.append("place: \(claim.place)") }
        if !claim.name.isEmpty, claim.name != signature.signer {
            lines.append("calls itself “\(claim.name)”")
        }
        if let certificate = signature.certificate {
            lines.append(
                "certificate of \(certificate.subject), issued by \(certificate.issuerName), \(certificate.keyWords), valid from \(Self.day(certificate.begins)) to \(Self.day(certificate.ends))"
            )
        }
        if signature.trust?.finding == .trusted {
            let names = (signature.trust?.chain ?? []).map(\.name)
            lines.append(
                names.count > 1 ? "trusted, through \(names.dropFirst().joined(separator: ", "))" : "trusted")
        }
        if signature.isIntact == true { lines.append("what was signed has not been changed") }
        switch signature.revocation {
        case .notRevoked(let time): lines.append("not taken back, as of \(Self.time(time))")
        case .revoked(let time): lines.append("taken back on \(Self.time(time))")
        case .unknown: break
        }
        if case .certification(let allowance) = signature.kind {
            lines.append("allows afterwards: \(Self.words(allowance))")
        }
        lines += changes(signature)
        lines += signature.findings.sorted { $0.weight > $1.weight }.map(\.sentence)
        return lines
    }

    private func changes(_ signature: CheckedSignature) -> [String] {
        guard !signature.coversWholeFile, signature.coveredByteCount != nil else { return [] }
        let changes = signature.laterChanges
        guard !changes.isEmpty else {
            return signature.findings.contains(.notComparable)
                || signature.findings.contains(.notInWhatWasSigned)
                ? [] : ["nothing was changed afterwards"]
        }
        var lines: [String] = []
        for kind in LaterChange.Kind.allCases where changes.contains(where: { $0.kind == kind }) {
            let details = changes.filter { $0.kind == kind }.map(Self.words).filter { !$0.isEmpty }
            let shown = details.prefix(6).joined(separator: ", ")
            let more = details.count > 6 ? " and \(details.count - 6) more" : ""
            lines.append(Self.words(kind) + (shown.isEmpty ? "" : ": \(shown)\(more)"))
        }
        return lines
    }

    private static func words(_ kind: LaterChange.Kind) -> String {
        switch kind {
        case .proofs: "afterwards, proofs for later checks were added"
        case .description: "afterwards, what the file says about itself was changed"
        case .signed: "afterwards, it was signed once more"
        case .filled: "afterwards, the form was filled in"
        case .placed: "afterwards, a signature was put where no place had been left for one"
        case .notes: "afterwards, notes were added or changed"
        case .other: "afterwards, the paper itself was changed"
        }
    }

    private static func words(_ change: LaterChange) -> String {
        let detail = change.detail
        return switch change.part {
        case .page: change.detail.isEmpty ? "" : "page \(detail)"
        case .pages: "the pages"
        case .field: detail.isEmpty ? "a field" : "“\(detail)”"
        case .signature: detail.isEmpty ? "" : "“\(detail)”"
        case .actions: "what happens by itself or on a click"
        case .form: change.kind == .filled ? "" : "the form"
        case .fonts: "the fonts of the form"
        case .permissions: "what is allowed"
        case .encryption: "the lock"
        case .hidden: "parts that only some programs show"
        case .file: detail
        }
    }

    static func words(_ allowance: CheckedSignature.Allowance) -> String {
        switch allowance {
        case .nothing: "nothing"
        case .filling: "filling in the form, and signing"
        case .notes: "filling in the form, notes, and signing"
        }
    }

    private static func time(_ seconds: Int64) -> String { Words.time(Moment(milliseconds: seconds * 1000)) }
    private static func day(_ seconds: Int64) -> String { String(time(seconds).prefix(10)) }
}
