import Access
import App
import Bytes
import Crypto
import Delivery
import Filling
import HTTP
import Library
import Markup
import Storage
import Work

extension Site {
    /// Links that let somebody outside read one document.
    static let shareActions: [Action] = [
        Action(
            .get, "/documents/{id}/shares", .member(.view),
            .init("List the links to a document", tag: "Shares", answers: [.ok("ShareList", "All of them")])
        ) { visit in
            let document = try visit.document()
            let links = try visit.access.shareLinks.list(of: document.subject, by: try visit.member())
            return try visit.show(["shares": .array(links.map { $0.json(visit.now) })]) {
                try documentPage(visit, document)
            }
        },
        Action(
            .post, "/documents/{id}/shares", .member(.edit),
            .init(
                "Make a link to a document", description: "Its address is told this once.", tag: "Shares",
                requestBody: [.init(.json, Schema.shareTerms)], answers: [.made("NewShare", "The link")])
        ) { visit in
            let document = try visit.document()
            do {
                if document.isTrashed {
                    throw Failure(.conflict, "This document lies in the trash. Bring it back first.")
                }
                let (token, link) = try visit.access.shareLinks.make(
                    document.subject, visit.shareTerms(), by: try visit.member())
                let address = "\(visit.origin)/s/\(token.text)"
                guard visit.wantsPage else {
                    var json = link.json(visit.now).object ?? [:]
                    json["address"] = .string(address)
                    return Response.json(.object(json), .created).with("Location", "/shares/\(link.id)").kept(
                        false)
                }
                return visit.page(try documentPage(visit, document, newShareAddress: address)).kept(false)
            } catch let failure as Failure
                where visit.wantsPage && [.invalid, .conflict].contains(failure.code)
            {
                return visit.page(
                    try documentPage(visit, document, shareError: visit.said(failure)), .unprocessable)
            }
        },
        Action(
            .get, "/shares", .member(.view),
            .init("List all links", tag: "Shares", answers: [.ok("ShareList", "The newest first")])
        ) { visit in
            let links = try visit.shownLinks()
            return try visit.show(["shares": .array(links.map { $0.json(visit.now) })]) {
                try sharesPage(visit)
            }
        },
        Action(
            .delete, "/shares/{id}", .member(.edit),
            .init("Revoke a link", tag: "Shares", answers: [.init(.noContent, "It leads nowhere now")])
        ) { visit in
            try visit.access.shareLinks.revoke(visit.id(of: "link"), by: try visit.member())
            return visit.done([:], .noContent, next: "/shares", notice: "notice.revoked")
        },
        Action(.get, "/s/{token}", .anyone) { visit in
            guard let link = try? visit.access.shareLinks.look(visit.parameter("token")) else {
                return gone(visit)
            }
            if let (link, caller) = try followed(visit) { return try shared(visit, link, caller) }
            guard !link.needsPassword else { return passwordPage(visit, link, nil) }
            // Looking is not opening: programs that look into every link in a mail must not use it up.
            if link.subject.kind == packetKind, !link.isUsedUp { return waiting(visit, link) }
            return link.isUsedUp ? gone(visit) : try open(visit, password: nil)
        },
        Action(.post, "/s/{token}", .anyone) { visit in
            do {
                return try open(visit, password: try visit.input.text("password"))
            } catch let failure as Failure where failure.code == .denied && visit.wantsPage {
                guard let link = try? visit.access.shareLinks.look(visit.parameter("token")) else {
                    return gone(visit)
                }
                return passwordPage(visit, link, visit.said(failure))
            }
        },
        Action(.get, "/s/{token}/file", .anyone) { visit in
            guard let (link, caller) = try followed(visit) else {
                return .redirect(to: "/s/\(PercentCoding.encode(visit.parameter("token")))")
            }
            if link.subject.kind == packetKind { return try packetFile(visit, link, caller) }
            if ["folder", "selection"].contains(link.subject.kind) {
                return try sharedArchive(visit, link, caller) ?? gone(visit)
            }
            try checkMayDownload(link)
            guard let id = ID<Document>(link.subject.id) else { return gone(visit) }
            let (document, path) = try visit.quire.documents.file(id, by: caller)
            return Response.contents(of: document, at: path, download: visit.request.query["download"] == "1")
                .kept(false)
        },
    ]

    private static let packetKind = "packet"

    static func sharesPage(_ visit: Visit, newAddress: String? = nil) throws -> HTML {
        let caller = try visit.member()
        let tree = try visit.quire.documents.folders(by: caller, counting: false)
        let lines = try visit.shownLinks().map { link -> ShareLine in
            switch link.subject.kind {
            case packetKind:
                return ShareLine(link, name: link.note, address: "/packets/\(link.subject.id)", visit)
            case "folder", "request":
                let folder = ID<Folder>(link.subject.id).flatMap { tree[$0] }
                let asked = visit.texts("request.desk")
                let name = [link.subject.kind == "request" ? asked : nil, folder?.path, link.note]
                    .compactMap { $0 }.filter { !$0.isEmpty }
                return ShareLine(
                    link, name: name.joined(separator: " · "),
                    address: "/documents" + (folder.map { "?folder=\($0.folder.id)" } ?? ""), visit)
            case "selection":
                let papers = try visit.quire.documents.selected(link.subject, by: caller)
                let names = papers.prefix(3).map(\.name).joined(separator: ", ")
                return ShareLine(
                    link, name: papers.count > 3 ? "\(names) … (\(papers.count))" : names,
                    address: "/documents", visit)
            default:
                let id = ID<Document>(link.subject.id)
                let document = id.flatMap { try? visit.quire.documents.get($0, by: caller) }
                return ShareLine(link, name: document?.name ?? "", visit)
            }
        }
        return Pages.shares(visit.frameAt("/shares"), SharesPage(shares: lines, newAddress: newAddress))
    }

    private static func packetFile(_ visit: Visit, _ link: ShareLink, _ caller: Caller) throws -> Response {
        try checkMayDownload(link)
        guard let id = ID<Packet>(link.subject.id),
            let (packet, file) = try? visit.quire.sendings.shared(id, by: caller)
        else { return gone(visit) }
        let name = packet.fileName.split(separator: "/").last.map(String.init) ?? "packet"
        return Response.bytes(file.bytes, .pdf).with(
            "Content-Disposition",
            Disposition.text(inline: visit.request.query["download"] != "1", fileName: name + ".pdf")
        ).with("Content-Security-Policy", SecurityHeaders.pdfContents).kept(false)
    }

    private static func waiting(_ visit: Visit, _ link: ShareLink) -> Response {
        guard visit.wantsPage else {
            return .json(["expiresAt": .optional(link.expiresAt?.iso8601), "openBy": "POST"]).kept(false)
        }
        return visit.page(
            Pages.sharedPaper(
                visit.frame,
                SharedPaperPage(
                    token: visit.parameter("token"), sharedBy: link.madeByName, state: .waiting))
        ).kept(false)
    }

    private static func passName(_ link: ShareLink) -> String { "pass_\(link.id.text)" }

    static func followed(_ visit: Visit) throws -> (ShareLink, Caller)? {
        guard let link = try? visit.access.shareLinks.look(visit.parameter("token")),
            let pass = visit.request.cookies[visit.site.cookieName(passName(link), visit)]
        else { return nil }
        return try visit.access.shareLinks.follow(visit.parameter("token"), pass: pass).map {
            ($0.link, $0.caller)
        }
    }

    private static func open(_ visit: Visit, password: String?) throws -> Response {
        let token = visit.parameter("token")
        let leadsToPacket = try visit.access.shareLinks.look(token).subject.kind == packetKind
        let (link, caller, pass) =
            leadsToPacket
            ? try visit.quire.sendings.open(token, password: password, from: visit.visitor)
            : try visit.access.shareLinks.open(token, password: password, from: visit.visitor)
        var response =
            visit.request.method == .post && visit.wantsPage
            ? Response.redirect(to: visit.request.target) : try shared(visit, link, caller)
        response.set(visit.site.cookie(passName(link), pass, maxAge: 3_600, for: visit))
        return response.kept(false)
    }

    private static func shared(_ visit: Visit, _ link: ShareLink, _ caller: Caller) throws -> Response {
        if link.subject.kind == packetKind {
            guard let id = ID<Packet>(link.subject.id),
                let (packet, file) = try? visit.quire.sendings.shared(id, by: caller)
            else { return gone(visit) }
            let name = packet.fileName.split(separator: "/").last.map(String.init) ?? "packet"
            return try show(
                visit, link, caller, name: name + ".pdf", mediaType: "application/pdf",
                byteCount: Int64(file.byteCount))
        }
        if ["folder", "selection"].contains(link.subject.kind) {
            return try sharedFolder(visit, link, caller) ?? gone(visit)
        }
        if link.subject.kind == "request" {
            return try visit.show(["asks": true, "note": .string(link.note)]) {
                Pages.requestLink(
                    visit.frame,
                    RequestLinkPage(
                        token: visit.parameter("token"), askedBy: link.madeByName, note: link.note))
            }.kept(false)
        }
        guard let id = ID<Document>(link.subject.id),
            let document = try? visit.quire.documents.get(id, by: caller)
        else {
            return gone(visit)
        }
        if link.isViewOnly {
            return try look(visit, link, caller, document, at: "/s/\(visit.parameter("token"))")
        }
        return try show(
            visit, link, caller, name: document.name, mediaType: document.blob.mediaType,
            byteCount: document.blob.byteCount)
    }

    private static func show(
        _ visit: Visit, _ link: ShareLink, _ caller: Caller, name: String, mediaType: String, byteCount: Int64
    ) throws -> Response {
        let asked = try visit.quire.replies.form(behind: link, isNamed: false, by: caller)
        return try visit.show([
            "name": .string(name), "mediaType": .string(mediaType), "byteCount": .integer(byteCount),
            "expiresAt": .optional(link.expiresAt?.iso8601), "takesReplies": .bool(asked != nil),
        ]) {
            Pages.sharedPaper(
                visit.frame,
                SharedPaperPage(
                    token: visit.parameter("token"), sharedBy: link.madeByName,
                    state: .open(
                        name: name, mediaType: mediaType, byteCount: byteCount, expiresAt: link.expiresAt,
                        reply: asked.map { $0.places.isEmpty ? .fill : .sign })))
        }.kept(false)
    }

    private static func passwordPage(_ visit: Visit, _ link: ShareLink, _ error: String?) -> Response {
        guard visit.wantsPage else {
            return .problem(
                .forbidden, detail: "This link asks for a password.", more: [("field", "password")])
        }
        return visit.page(
            Pages.sharedPaper(
                visit.frame,
                SharedPaperPage(
                    token: visit.parameter("token"), sharedBy: link.madeByName,
                    state: .passwordNeeded(error: error))),
            error == nil ? .ok : .forbidden
        ).kept(false)
    }

    static func gone(_ visit: Visit) -> Response {
        guard visit.wantsPage else {
            return .problem(
                .notFound, detail: "This link was revoked, has expired or was opened as often as it may be.")
        }
        return visit.page(
            Pages.sharedPaper(visit.frame, SharedPaperPage(token: "", sharedBy: nil, state: .gone)), .notFound
        ).kept(false)
    }
}

extension Visit {
    /// All links but those that lead to what is private and not open.
    func shownLinks() throws -> [ShareLink] {
        let caller = try member()
        let links = try access.shareLinks.list(by: caller)
        func subject(_ link: ShareLink) -> String {
            "\(link.subject.kind == "request" ? "folder" : link.subject.kind)/\(link.subject.id)"
        }
        let hidden = try quire.documents.hidden(among: links.map(subject), from: caller)
        return links.filter { !hidden.contains(subject($0)) }
    }
}
