import Access
import App
import Bytes
import HTTP
import Library
import Markup
import PDF
import Signing
import SigningKeys
import Storage

/// The signatures on a paper, and one more.
extension Site {
    static let signatureActions: [Action] = [
        Action(
            .get, "/documents/{id}/signatures", .member(.view),
            .init(
                "Check the signatures of a document",
                description:
                    "Who signed, when and by whose clock, whether it holds, and what was changed afterwards. What is unknown is said to be.",
                tag: "Signatures", answers: [.ok("SignatureList", "In the order they were given")])
        ) { visit in
            let document = try visit.document()
            let paper = try visit.quire.identities.signatures(of: document, by: visit.member())
            return try visit.show([
                "signatures": .array((paper?.signatures ?? []).map(\.json)),
                "openFields": .texts(paper?.openFields ?? []),
            ]) { Pages.signatures(visit.frame, try signaturesPage(visit, document)) }
        },
        Action(
            .post, "/documents/{id}/sign", .member(.edit),
            .init(
                "Sign a document",
                description:
                    "It becomes a new version; what it was is kept. `field` is one that waits to be signed; otherwise a new one is made, seen at `box` "
                    + "(left, bottom, width and height in points, from the lower left corner of the page as it is seen) or not at all. `certify` says what may still "
                    + "be done afterwards. `lock` names fields that nobody may change any more, with commas, or all. `timestamp` is the address of a time stamp authority (RFC 3161). `proofs` puts behind the paper what later checks need (PAdES B-LT).",
                tag: "Signatures",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("identity", Schema.id), ("field", Schema.string),
                                ("page", Schema.integer(1, 100_000)), ("box", Schema.string),
                                ("reason", ["type": "string", "maxLength": 500]),
                                ("place", ["type": "string", "maxLength": 200]),
                                ("certify", Schema.choice(CheckedSignature.Allowance.allCases.map(\.name))),
                                ("lock", ["type": "string", "maxLength": 10_000]),
                                ("timestamp", Schema.string), ("proofs", Schema.boolean),
                            ],
                            optional: [
                                "field", "page", "box", "reason", "place", "certify", "lock", "timestamp",
                                "proofs",
                            ]))
                ], answers: [.ok("Document", "It is signed")]), isGrave: true
        ) { visit in
            let document = try visit.document()
            do {
                let input = try visit.input
                guard let identity = ID<KeptIdentity>(try input.requiredText("identity")) else {
                    throw Failure(.notFound, "There is no such identity. It may have been removed.")
                }
                let signed = try visit.quire.identities.sign(
                    document, with: identity, wish(input),
                    asking: Identities.Witnesses(input),
                    documents: visit.quire.documents, by: visit.member())
                return visit.done(
                    signed.json, next: "/documents/\(document.id)/signatures", notice: "notice.signed")
            } catch let failure as Failure where visit.wantsPage && failure.code != .notFound {
                var model = try signaturesPage(visit, document)
                model.error = visit.said(failure)
                let path = "/documents/\(document.id)/signatures"
                return visit.page(Pages.signatures(visit.frameAt(path), model), status(of: failure.code))
            }
        },
    ]

    static func reasonAndPlace(_ input: Input) throws -> (reason: String, place: String) {
        let (reason, place) = (try input.text("reason") ?? "", try input.text("place") ?? "")
        guard reason.unicodeScalars.count <= 500, place.unicodeScalars.count <= 200 else {
            throw Failure(
                .invalid, "A reason has at most 500 characters, a place at most 200.", field: "reason")
        }
        return (reason, place)
    }

    private static func wish(_ input: Input) throws -> SigningWish {
        var wish = SigningWish(at: 0)
        (wish.reason, wish.whereabouts) = try reasonAndPlace(input)
        if let field = try input.text("field"), !field.isEmpty { wish.field = field }
        if let word = try input.text("certify"), !word.isEmpty {
            guard let allowed = CheckedSignature.Allowance.allCases.first(where: { $0.name == word }) else {
                throw Failure(.invalid, "Certifying allows none, filling or notes.", field: "certify")
            }
            wish.certifies = allowed
        }
        if let lock = try input.text("lock"), !lock.isEmpty { wish.locks = SigningWish.Lock(lock) }
        let page = try input.text("page") ?? ""
        let box = try input.text("box") ?? ""
        guard wish.field == nil, !page.isEmpty || !box.isEmpty else { return wish }
        let numbers = box.split(separator: ",").compactMap { Double($0.filter { $0 != " " }) }
        guard let page = Int(page.isEmpty ? "1" : page), page > 0, box.isEmpty || numbers.count == 4,
            numbers.allSatisfy({ $0.isFinite && abs($0) < 1e5 })
        else {
            throw Failure(
                .invalid, "Say the page, and the box as four numbers: left, bottom, width, height.",
                field: "box")
        }
        let place = box.isEmpty ? [36, 36, 200, 56] : numbers
        wish.place = SigningWish.Place(
            page: page - 1,
            box: PDFRectangle(
                left: place[0], bottom: place[1], right: place[0] + place[2], top: place[1] + place[3]))
        return wish
    }

    private static func signaturesPage(_ visit: Visit, _ document: Document) throws -> SignaturesPage {
        let caller = try visit.member()
        var model = SignaturesPage(line: DocumentLine(document, shares: 0))
        do {
            let paper = try visit.quire.identities.signatures(of: document, by: caller)
            model.isPDF = paper != nil
            model.signatures = paper?.signatures ?? []
            model.openFields = paper?.openFields ?? []
        } catch let failure as Failure where failure.code != .notFound {
            model.error = visit.said(failure)
        }
        model.identities = try visit.quire.identities.list(by: caller).map { ($0.id.text, $0.name) }
        return model
    }
}
