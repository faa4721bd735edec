import Access
import App
import Bytes
import Crypto
import HTTP
import Library
import Storage
import Sync
import Transfer
import Work

// This desk as the place where other Quires keep in step with it.

extension Site {
    static let shelfActions: [Action] = [
        Action(
            .post, "/sync/invitations", .member(.administer),
            .init(
                "Let another Quire keep in step with this desk",
                description:
                    "The answer holds a code: the address of this desk with a key behind it, which lets the other Quire have "
                    + "everything that is kept in step, private folders too, and nothing else. It is told this once, and "
                    + "stands among the API tokens, where it can be revoked.",
                tag: "Sync",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [("name", Schema.name), ("address", Schema.string)], optional: ["address"]))
                ], answers: [.made("SyncInvitation", "The code")])
        ) { visit in try invite(visit) },
        Action(
            .get, "/shelf", .member(.keepInStep),
            .init(
                "List what desks have laid here for each other",
                tag: "Sync",
                parameters: [
                    .init("in", "Which of them", schema: Schema.choice(["letters", "files", "wanted"]))
                ], answers: [.ok("SyncShelf", "Their names")])
        ) { visit in
            let (place, shelf) = try visit.quire.sync.shelf(for: visit.member())
            let folder = visit.request.query["in"] ?? "letters"
            guard DeskShelf.isGood(folder: folder) else {
                throw Failure(.invalid, "There are letters, files and wanted.", field: "in")
            }
            return .json([
                "quire": "shelf", "format": 1, "place": .string(place.id.text),
                "names": .texts(try shelf.names(in: folder)),
            ]).with("Cache-Control", "private, no-store")
        },
        fetching("/shelf/{name}"), fetching("/shelf/{folder}/{part}/{name}"),
        laying("/shelf/{name}"), laying("/shelf/{folder}/{part}/{name}"),
        removing("/shelf/{name}"), removing("/shelf/{folder}/{part}/{name}"),
    ]

    private static func fetching(_ pattern: String) -> Action {
        Action(
            .get, pattern, .member(.keepInStep),
            .init("Fetch what a desk has laid here", tag: "Sync", answers: .file)
        ) { visit in
            let (_, shelf) = try visit.quire.sync.shelf(for: visit.member())
            guard let path = try shelf.path(of: try name(visit)) else {
                throw Failure(.notFound, "Nothing lies under this name.")
            }
            return .file(at: path, .octets).with("Cache-Control", "private, no-store")
        }
    }

    private static func laying(_ pattern: String) -> Action {
        Action(
            .put, pattern, .member(.keepInStep),
            .init(
                "Lay something here for other desks", tag: "Sync",
                requestBody: [.init(.octets, ["type": "string", "format": "binary"])],
                answers: [
                    .init(.created, "It lies here now", [.init(.json, Schema.ref("SyncLaid"))]),
                    .init(
                        .ok, "Something lies under that name already, and stays",
                        [.init(.json, Schema.ref("SyncLaid"))]),
                ]), body: .upload(limit: 1 << 50)
        ) { visit in
            let (place, shelf) = try visit.quire.sync.shelf(for: visit.member())
            let name = try name(visit)
            let body: Upload =
                switch visit.request.body {
                case .file(let path, _): .file(path: path)
                case .bytes(let bytes): .bytes(bytes)
                case .none, .form: .bytes([])
                }
            let isNew: Bool
            do { isNew = try shelf.take(name, body) } catch let trouble as SyncTrouble {
                throw Failure(.invalid, trouble.sentence)
            }
            if isNew, name.hasPrefix("letters/") { try visit.quire.sync.heardHere(place) }
            return .json(["laid": .bool(isNew)], isNew ? .created : .ok)
        }
    }

    private static func removing(_ pattern: String) -> Action {
        Action(
            .delete, pattern, .member(.keepInStep),
            .init(
                "Clear away what no desk needs any more", tag: "Sync",
                answers: [.init(.noContent, "It is not there")])
        ) { visit in
            let (_, shelf) = try visit.quire.sync.shelf(for: visit.member())
            try shelf.remove(try name(visit))
            return .noContent
        }
    }

    private static func name(_ visit: Visit) throws -> String {
        let name = ["folder", "part", "name"].compactMap { visit.request.parameters[$0] }.joined(
            separator: "/")
        guard DeskShelf.isGood(name) else { throw Failure(.notFound, "Nothing lies under this name.") }
        return name
    }

    private static func invite(_ visit: Visit) throws -> Response {
        let input = try visit.input
        let caller = try visit.member()
        do {
            let address = try address(of: visit, asked: input.text("address") ?? "")
            let (token, entry) = try visit.access.tokens.make(
                name: try input.requiredText("name"), scopes: [.sync], by: caller)
            let place = try visit.quire.sync.openHere(by: caller)
            let code = "\(address)#\(token.text)"
            guard visit.wantsPage else {
                return Response.json(
                    [
                        "code": .string(code), "address": .string(address), "key": .string(token.text),
                        "token": .string(entry.id.text), "place": .string(place.id.text),
                    ], .created
                ).with("Location", "/tokens/\(entry.id)").kept(false)
            }
            var page = try SyncPage(visit)
            page.code = code
            return visit.page(Pages.sync(visit.frameAt("/sync"), page)).kept(false)
        } catch let failure as Failure where visit.wantsPage && failure.code == .invalid {
            var page = try SyncPage(visit)
            page.invitationError = visit.said(failure)
            return visit.page(Pages.sync(visit.frameAt("/sync"), page), .unprocessable)
        }
    }

    /// Where other Quires reach this desk: what somebody says, or the page they stand on, or the configuration.
    private static func address(of visit: Visit, asked: String) throws -> String {
        var address = asked
        if address.isEmpty {
            address = visit.site.settings.publicOrigin ?? visit.quire.config.publicOrigin ?? ""
        }
        if address.isEmpty {
            address =
                visit.request.peer == .inProcess
                ? "http://\(Machine.hostName):\(visit.quire.config.port)" : visit.origin
        }
        while address.hasSuffix("/") { address.removeLast() }
        guard (try? WebAddress(address)) != nil, !address.contains("#"), !address.contains("?") else {
            throw Failure(
                .invalid, "“\(address)” is no web address; write it as https://desk.example.org.",
                field: "address")
        }
        return address
    }
}
