import Access
import App
import Bytes
import HTTP
import Jobs
import Library
import Markup
import SigningKeys
import Storage

/// Several papers of the library signed at once.
extension Site {
    static let signingManyActions: [Action] = [
        Action(.get, "/signing", .member(.edit)) { visit in
            let query = visit.request.query
            if let id = query["job"].flatMap(ID<Job>.init), let job = try visit.quire.queue.get(id),
                job.kind == JobKind.signPapers.name,
                job.payload["actor"]?.string == (try visit.member()).actor
            {
                return visit.page(Pages.signedMany(visit.frame, job))
            }
            let ids = (query["papers"] ?? "").split(separator: ",").compactMap { ID<Document>(String($0)) }
            guard !ids.isEmpty else { return visit.goes(to: "/documents") }
            try SignedPapers.check(ids)
            return visit.page(Pages.signingMany(visit.frame, try signingMany(ids, visit)))
        },
        Action(
            .post, "/signing", .member(.edit),
            .init(
                "Sign documents",
                description:
                    "A job signs them one after another; each becomes a new version. `seen` says on which page the signature is seen. "
                    + "The job answers how many are `signed`, and which are `left` and why.",
                tag: "Signatures",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("documents", Schema.list(of: Schema.id)), ("identity", Schema.id),
                                ("seen", Schema.choice(SignedPapers.Seen.allCases.map(\.rawValue))),
                                ("reason", ["type": "string", "maxLength": 500]),
                                ("place", ["type": "string", "maxLength": 200]),
                                ("timestamp", Schema.string), ("proofs", Schema.boolean),
                            ], optional: ["seen", "reason", "place", "timestamp", "proofs"]))
                ],
                answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("Job"))])]),
            isGrave: true
        ) { visit in
            let input = try visit.input
            let caller = try visit.member()
            let ids: [ID<Document>] = try input.ids("documents", of: "paper")
            do {
                let wish = try wish(input)
                let before = try ids.map { try visit.quire.documents.get($0, by: caller) }
                let job = try visit.quire.signedPapers.begin(ids, wish, by: caller)
                return try visit.promised(
                    job, next: "/signing?job=\(job)", notice: "notice.signing",
                    undo: visit.undo(
                        .recognition(job, before.map { ($0.id, $0.version) }), from: "/documents"))
            } catch let failure as Failure where visit.wantsPage && failure.code == .invalid {
                var model = try signingMany(ids, visit)
                model.error = visit.said(failure)
                return visit.page(
                    Pages.signingMany(visit.frameAt("/signing"), model), status(of: failure.code))
            }
        },
    ]

    private static func wish(_ input: Input) throws -> SignedPapers.Wish {
        guard let identity = ID<KeptIdentity>(try input.requiredText("identity")) else {
            throw Failure(.notFound, "There is no such identity. It may have been removed.")
        }
        var wish = SignedPapers.Wish(identity)
        wish.seen = try input.text("seen").flatMap(SignedPapers.Seen.init) ?? .nowhere
        (wish.reason, wish.whereabouts) = try reasonAndPlace(input)
        wish.timestamp = try input.text("timestamp").flatMap { $0.isEmpty ? nil : $0 }
        wish.proofs = try input.flag("proofs")
        return wish
    }

    private static func signingMany(_ ids: [ID<Document>], _ visit: Visit) throws -> SigningManyPage {
        let caller = try visit.member()
        return SigningManyPage(
            papers: try ids.map {
                let document = try visit.quire.documents.get($0, by: caller)
                return (document.id.text, document.name)
            }, identities: try visit.quire.identities.list(by: caller).map { ($0.id.text, $0.name) })
    }
}
