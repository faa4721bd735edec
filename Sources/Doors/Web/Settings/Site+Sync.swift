import Access
import App
import Bytes
import HTTP
import Library
import Markup
import Storage
import Sync
import Work

// Places with which the desk keeps in step: a folder, a WebDAV server, a bucket, another Quire.

extension Site {
    static let syncActions: [Action] = [
        Action(
            .get, "/sync", .member(.view),
            .init(
                "List the places this desk keeps in step with", tag: "Sync",
                answers: [.ok("SyncPlaceList", "The oldest first")])
        ) { visit in
            let places = try visit.quire.sync.list(by: visit.member())
            return try visit.show(["places": .array(places.map(\.json))]) {
                Pages.sync(visit.frame, try SyncPage(visit))
            }
        },
        Action(
            .post, "/sync", .member(.administer),
            .init(
                "Keep in step with a place",
                description:
                    "A `folder` of the machine, a `webdav` server, an `s3` bucket, or another `quire`, whose code may stand as "
                    + "`address`; `here` lets others keep in step with this desk. `password` is the bucket's secret key or the "
                    + "other Quire's key; it and the `passphrase`, with which everything is encrypted before it leaves the desk, are kept sealed and "
                    + "never shown. A job goes there at once.",
                tag: "Sync", requestBody: [.init(.json, Schema.syncDraft)],
                answers: [.made("SyncPlace", "It is kept in step from now on")]), isGrave: true
        ) { visit in try addPlace(visit) },
        Action(
            .get, "/sync/{id}", .member(.view),
            .init("Get how it stands with a place", tag: "Sync", answers: [.ok("SyncPlace", "As it is now")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/sync") }
            return .json(try visit.quire.sync.get(visit.id(of: "place"), by: visit.member()).json)
        },
        Action(
            .patch, "/sync/{id}", .member(.administer),
            .init(
                "Pause a place, let it go on, or choose what is kept in step with it", tag: "Sync",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("paused", Schema.boolean), ("what", Schema.syncedThings),
                                ("versions", Schema.boolean),
                            ],
                            optional: ["paused", "what", "versions"]))
                ],
                answers: [.ok("SyncPlace", "As it is now")]), isGrave: true
        ) { visit in
            let input = try visit.input
            let id: ID<SyncPlace> = try visit.id(of: "place")
            let sync = visit.quire.sync
            var place = try sync.get(id, by: visit.member())
            if input.has("what") || input.has("versions") || input.has("choosing") {
                var choice = place.choice
                if input.has("what") || input.has("choosing") { choice.things = try things(input) }
                if input.has("versions") || input.has("choosing") {
                    choice.versions = try input.flag("versions")
                }
                place = try sync.choose(
                    .init(versions: choice.versions, things: choice.things), for: id, by: visit.member())
            }
            if input.has("paused") {
                place = try sync.setPaused(input.flag("paused"), id, by: visit.member())
            }
            return visit.done(place.json, next: "/sync", notice: "notice.saved")
        },
        Action(
            .post, "/sync/{id}/visits", .member(.edit),
            .init(
                "Go to a place now, and try again what failed", tag: "Sync",
                answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("Job"))])])
        ) { visit in
            let job = try visit.quire.sync.visitNow(visit.id(of: "place"), by: visit.member())
            let next = visit.request.query["next"].flatMap { $0.hasPrefix("/documents") ? $0 : nil }
            return try visit.promised(job, next: next ?? "/sync", notice: "notice.sync")
        },
        Action(
            .delete, "/sync/{id}", .member(.administer),
            .init(
                "Keep in step with a place no longer",
                description: "What lies there and what lies here stays.", tag: "Sync",
                answers: [.init(.noContent, "It is forgotten")])
        ) { visit in
            try visit.quire.sync.remove(visit.id(of: "place"), by: visit.member())
            return visit.done([:], .noContent, next: "/sync", notice: "notice.removed")
        },
        Action(
            .get, "/documents/{id}/sync", .member(.view),
            .init(
                "Say how a document stands with each place", tag: "Sync",
                answers: [.ok("SyncStateList", "One for each place")])
        ) { visit in
            let document = try visit.document()
            let states = try visit.quire.sync.states(of: [document.id], by: visit.member())[document.id] ?? []
            return .json(["places": .array(states.map(\.json))]).with("Cache-Control", "private, no-cache")
        },
    ]

    private static func things(_ input: Input) throws -> Set<SyncPlace.Thing> {
        try Set(
            input.texts("what").map { word in
                guard let thing = SyncPlace.Thing(rawValue: word) else {
                    let known = SyncPlace.Thing.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Failure(
                        .invalid, "There is no “\(word)” to keep in step, but \(known).", field: "what")
                }
                return thing
            })
    }

    private static func addPlace(_ visit: Visit) throws -> Response {
        let input = try visit.input
        func text(_ name: String) throws -> String { try input.text(name) ?? "" }
        do {
            guard let kind = SyncPlace.Kind(rawValue: try text("kind")) else {
                throw Failure(.invalid, "Say what kind of place: folder, webdav, s3 or quire.", field: "kind")
            }
            let versions = try visit.wantsPage ? input.flag("versions") : text("versions") != "false"
            let place = try visit.quire.sync.add(
                SyncDraft(
                    kind, address: text("address"), name: text("name"),
                    options: .init(
                        user: text("user"), bucket: text("bucket"), region: text("region"),
                        prefix: text("prefix")),
                    secrets: .init(password: text("password"), passphrase: text("passphrase")),
                    choice: .init(
                        versions: versions,
                        things: input.has("what") || input.has("choosing")
                            ? things(input) : SyncPlace.Choice.usual)
                ),
                by: try visit.member())
            return visit.done(
                place.json, .created, at: "/sync/\(place.id)", next: "/sync", notice: "notice.sync.added",
                ["name": .text(place.name)])
        } catch let failure as Failure where visit.wantsPage && [.invalid, .conflict].contains(failure.code) {
            var page = try SyncPage(visit)
            page.error = visit.said(failure)
            page.errorField = failure.field
            page.kind = (try? text("kind")) ?? ""
            page.things = (try? things(input)) ?? []
            for name in ["address", "name", "user", "bucket", "region", "prefix"] {
                page.typed[name] = try? text(name)
            }
            // A code holds a key.
            page.typed["address"] = page.typed["address"].map { String($0.prefix { $0 != "#" }) }
            return visit.page(Pages.sync(visit.frameAt("/sync"), page), .unprocessable)
        }
    }
}

extension SyncPage {
    init(_ visit: Visit) throws {
        self.init(places: try visit.quire.sync.list(by: visit.member()).map { SyncPage.Place($0) })
    }
}

extension SyncPlace {
    var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "kind": .string(kind.rawValue),
            "address": .string(address), "user": .string(options.user), "bucket": .string(options.bucket),
            "region": .string(options.region), "prefix": .string(options.prefix),
            "encrypted": .bool(options.isEncrypted), "versions": .bool(choice.versions),
            "what": .texts(choice.words),
            "paused": .bool(isPaused), "state": .string(state.rawValue), "sentence": .string(sentence),
            "triedAt": .optional(triedAt?.iso8601), "syncedAt": .optional(syncedAt?.iso8601),
            "synced": .int(synced), "waiting": .int(waiting), "failed": .int(failed),
        ]
    }
}

extension SyncedState {
    var json: JSON {
        [
            "place": .string(place.text), "name": .string(placeName), "state": .string(word.rawValue),
            "sentence": .string(sentence),
        ]
    }
}
