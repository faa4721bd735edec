import Crypto
import Markup
import Signing
import Work

/// Who signed a paper, whether that holds, and one signature more.
struct SignaturesPage: Sendable {
    var line: DocumentLine
    var isPDF = true
    var signatures: [CheckedSignature] = []
    var openFields: [String] = []
    /// Those that the reader can sign with.
    var identities: [(id: String, name: String)] = []
    var error: String?
}

extension Pages {
    static func signatures(_ frame: Frame, _ model: SignaturesPage) -> HTML {
        let t = frame.texts
        let cards = model.signatures.map { signatureCard(frame, $0) }
        let nothing: HTML =
            model.signatures.isEmpty && model.error == nil
            ? Part.note(frame, .plain, "<p>\(t(model.isPDF ? "signatures.none" : "signatures.notPDF"))</p>")
            : .empty
        let may = frame.canEdit && model.isPDF && model.line.trashedAt == nil
        return Shell.page(
            frame, title: t("signatures.title"),
            """
            \(Part.header(
                frame, t("signatures.title"),
                crumbs: [(name: model.line.name, address: "/documents/\(model.line.id)")]))
            \(Form.failure(frame, model.error))
            <div class="stack">\(nothing)\(cards)
            \(may ? Part.card(t("signatures.sign"), id: "sign", signing(frame, model)) : .empty)</div>
            """)
    }

    // MARK: What was found

    private static func signatureCard(_ frame: Frame, _ signature: CheckedSignature) -> HTML {
        let t = frame.texts
        let who = signature.signer ?? t("signatures.nobody")
        let mood: Part.Mood =
            switch signature.verdict {
            case .good: .good
            case .uncertain: .warn
            case .bad: .bad
            }
        var facts: [(name: String, value: HTML)] = []
        if let time = signature.time {
            let when = Part.time(Moment(milliseconds: time * 1000), style: .full)
            let from =
                signature.stamp.flatMap { stamp in
                    stamp.isTrusted ? t("signatures.byStamp", ["name": .text(stamp.authority)]) : nil
                } ?? t("signatures.byClock")
            facts.append((t("signatures.when"), "\(when) · \(from)"))
        }
        if !signature.claim.reason.isEmpty {
            facts.append((t("signatures.reason"), HTML(plain: signature.claim.reason)))
        }
        if !signature.claim.place.isEmpty {
            facts.append((t("signatures.place"), HTML(plain: signature.claim.place)))
        }
        if let certificate = signature.certificate {
            let issuer = t("identities.issuer", ["name": .text(certificate.issuerName)])
            facts.append(
                (t("signatures.certificate"), "<span dir=\"auto\">\(certificate.subject)</span> · \(issuer)"))
        }
        if let trust = signature.trust {
            let above = trust.chain.dropFirst().last?.name ?? trust.chain.first?.name ?? ""
            let words =
                trust.finding == .trusted
                ? t("signatures.trust.yes", ["name": .text(above)]) : t("signatures.trust.no")
            facts.append((t("signatures.trust"), HTML(plain: words)))
        }
        if case .certification(let allowed) = signature.kind {
            facts.append((t("signatures.allows"), HTML(plain: t("signatures.allows.\(allowed.name)"))))
        }
        facts.append((t("signatures.since"), HTML(plain: since(frame, signature))))
        let findings = signature.findings.sorted { $0.weight > $1.weight }.map { finding -> HTML in
            let text = t("signatures.finding.\(finding.code)", ["detail": .text(finding.detail)])
            return "<li>\(text)</li>"
        }
        let chip = Part.chip(frame, t("signatures.verdict.\(signature.verdict.rawValue)"), mood)
        return Part.card(
            who, aside: chip,
            """
            <p class="soft">\(t("signatures.kind.\(signature.kind.name)"))</p>
            \(Part.facts(facts))<ul>\(findings)</ul>
            """)
    }

    private static func since(_ frame: Frame, _ signature: CheckedSignature) -> String {
        let t = frame.texts
        guard !signature.coversWholeFile else { return t("signatures.since.nothing") }
        let cannotSay = signature.coveredByteCount == nil || signature.findings.contains(.notComparable)
        guard let heaviest = signature.heaviestChange else {
            return t(cannotSay ? "signatures.since.unknown" : "signatures.since.nothing")
        }
        let places = signature.laterChanges.filter { $0.kind == heaviest && !$0.detail.isEmpty }
            .prefix(5).map(\.detail)
        let words = t("signatures.since.\(heaviest.name)")
        return places.isEmpty ? words : "\(words) (\(places.joined(separator: ", ")))"
    }

    // MARK: One more

    private static func signing(_ frame: Frame, _ model: SignaturesPage) -> HTML {
        let t = frame.texts
        guard !model.identities.isEmpty else { return noIdentity(frame) }
        let fields =
            [("", t("signatures.newField"))] + model.openFields.map { ($0, $0) }
        let isFirst = !model.signatures.contains { $0.kind != .timeStamp }
        let certify: HTML =
            isFirst
            ? Form.select(
                frame, name: "certify", label: t("signatures.certify"),
                options: [("", t("signatures.certify.no"))]
                    + CheckedSignature.Allowance.allCases.map { ($0.name, t("signatures.allows.\($0.name)")) },
                chosen: "") : .empty
        return Form.form(
            frame, "POST", "/documents/\(model.line.id)/sign",
            """
            <p class="soft">\(t("signatures.sign.hint"))</p>
            \(Form.select(
                frame, name: "identity", label: t("signatures.with"),
                options: model.identities.map { ($0.id, $0.name) }, chosen: model.identities[0].id))
            \(model.openFields.isEmpty ? .empty : Form.select(
                frame, name: "field", label: t("signatures.field"), options: fields,
                chosen: model.openFields[0]))
            <seal-place class="stack stack-s" data-paper="/documents/\(model.line.id)"><div class="stack stack-s" data-plain>
            \(Form.field(
                frame,
                Form.Field(
                    name: "page", label: t("signatures.page"), hint: t("signatures.page.hint"),
                    inputMode: "numeric", optionalNote: t("form.optional"))))
            \(Form.field(
                frame,
                Form.Field(
                    name: "box", label: t("signatures.box"), hint: t("signatures.box.hint"),
                    placeholder: "36, 36, 200, 56", optionalNote: t("form.optional"))))
            </div></seal-place>
            \(signingWords(frame))
            \(certify)
            \(Form.check(
                name: "lock", value: "all", label: t("signatures.lock"), hint: t("signatures.lock.hint"),
                isOn: false))
            <div><button class="button button-main">\(frame.icon(.edit))\(t("signatures.sign"))</button></div>
            """)
    }

    static func noIdentity(_ frame: Frame) -> HTML {
        let t = frame.texts
        return """
            <p>\(t("signatures.noIdentity"))</p>
            <div class="row">\(Part.link(frame, "/identities", t("signatures.toIdentities"), icon: .shield, css: "button"))</div>
            """
    }

    /// Why and where one signs, and who else is asked about it.
    static func signingWords(_ frame: Frame) -> HTML {
        let t = frame.texts
        return """
            \(Form.field(
                frame,
                Form.Field(
                    name: "reason", label: t("signatures.reason"), maximumLength: 500,
                    optionalNote: t("form.optional"))))
            \(Form.field(
                frame,
                Form.Field(
                    name: "place", label: t("signatures.place"), maximumLength: 200,
                    optionalNote: t("form.optional"))))
            \(witnesses(frame))
            """
    }

    /// Who else is asked about a signature.
    static func witnesses(
        _ frame: Frame, timestamp: String = "", proofs: Bool = false, error: String? = nil,
        isLive: Bool = false
    ) -> HTML {
        let t = frame.texts
        return """
            \(Form.field(
                frame,
                Form.Field(
                    name: "timestamp", label: t("signatures.timestamp"), value: timestamp, type: "url",
                    hint: t("signatures.timestamp.hint"), error: error, optionalNote: t("form.optional"),
                    isLive: isLive)))
            \(Form.check(
                name: "proofs", label: t("signatures.proofs"), hint: t("signatures.proofs.hint"), isOn: proofs))
            """
    }
}
