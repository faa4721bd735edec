import Access
import App
import Bytes
import Delivery
import Filling
import HTTP
import Library
import Marking
import Markup
import PDF
import PDFForms
import PDFReading
import Storage
import Work

// Forms that those outside fill in where they open their link, sign by hand, and send back.

extension Site {
    static let replyActions: [Action] = [
        Action(.get, "/s/{token}/form", .anyone) { visit in
            guard let (link, caller) = try followed(visit),
                let asked = try visit.quire.replies.form(behind: link, by: caller)
            else { return backToLink(visit) }
            return try visit.show([
                "name": .string(asked.name),
                "fields": .array(asked.look.fields.filter(asked.takes).map(\.json)),
                "places": .array(asked.places.map(\.field.json)),
            ]) {
                Pages.replying(visit.frame, replyPage(visit, link, asked))
            }.kept(false)
        },
        Action(.post, "/s/{token}/form", .anyone, body: .bytes(limit: 8 << 20)) { visit in
            guard let (link, caller) = try followed(visit) ?? openedAgain(visit) else {
                return backToLink(visit)
            }
            let asked = try visit.quire.replies.form(behind: link, by: caller)
            guard visit.wantsPage else {
                let json = try visit.request.json
                guard let asked else {
                    throw Failure(.conflict, "This form cannot be filled in here. Download it instead.")
                }
                let reply = try visit.quire.replies.send(
                    values(json["values"]),
                    signed: Dictionary(
                        (json["signatures"]?.object ?? [:]).map { ($0, $1) }, uniquingKeysWith: { $1 }),
                    anyway: json["anyway"]?.bool == true, to: asked, behind: link, by: caller)
                return Response.json(["received": 1, "signed": .int(reply.signed)], .created).kept(false)
            }
            guard let asked else { return backToLink(visit) }
            let input = try visit.input
            let values = try typed(input, into: asked.look)
            var words: [String: (typed: String, drawn: String)] = [:]
            for place in asked.places {
                let name = place.field.name
                words[name] = (
                    try input.text("sign:\(name)") ?? "", try input.text("drawn:\(name)") ?? ""
                )
            }
            do {
                let reply = try visit.quire.replies.send(
                    values, signed: try signatures(words), anyway: try input.flag("anyway"), to: asked,
                    behind: link, by: caller)
                return visit.page(
                    Pages.replied(
                        visit.frame, name: asked.name, askedBy: link.madeByName,
                        token: visit.parameter("token"), signed: reply.signed)
                ).kept(false)
            } catch let failure as Failure where failure.code != .notFound && failure.code != .denied {
                return visit.page(
                    Pages.replying(
                        visit.frame,
                        replyPage(visit, link, asked, values: values, words: words, failure: failure)),
                    .unprocessable
                ).kept(false)
            }
        },
        Action(
            .get, "/replies", .member(.view),
            .init(
                "List forms that came back by links",
                description:
                    "Each is a paper, which `document` names. `signed` says in how many places it was signed by hand, `digest` what it "
                    + "was when it came.",
                tag: "Shares",
                parameters: [
                    .init("batch", "Only those that belong to this batch", schema: Schema.id),
                    .init("document", "Only those of this document", schema: Schema.id),
                ],
                answers: [
                    .ok("FormReplyList", "The newest first"), .init(.notFound, "There is no such batch"),
                ])
        ) { visit in
            var which = FormReplies.Which.all
            if let word = visit.request.query["batch"] {
                guard let id = ID<Batch>(word) else {
                    throw Failure(.notFound, "There is no such batch.", field: "batch")
                }
                which = .toBatch(id)
            } else if let word = visit.request.query["document"] {
                guard let id = ID<Document>(word) else {
                    throw Failure(.invalid, "“\(word)” is no document's id.", field: "document")
                }
                which = .document(id)
            }
            return .json([
                "replies": .array(try visit.quire.replies.list(which, by: visit.member()).map(\.json))
            ]).with("Cache-Control", "private, no-cache")
        },
    ]

    /// Whoever filled in for longer than a pass is good loses nothing; it counts as one more opening.
    private static func openedAgain(_ visit: Visit) throws -> (ShareLink, Caller)? {
        let token = visit.parameter("token")
        guard let link = try? visit.access.shareLinks.look(token), !link.needsPassword, !link.isUsedUp,
            FormReplies.mayTake(link)
        else { return nil }
        let opened =
            link.subject.kind == "packet"
            ? try visit.quire.sendings.open(token, from: visit.visitor)
            : try visit.access.shareLinks.open(token, from: visit.visitor)
        return (opened.link, opened.caller)
    }

    private static func signatures(_ words: [String: (typed: String, drawn: String)]) throws -> [String: JSON]
    {
        var signatures: [String: JSON] = [:]
        for (name, said) in words {
            if !said.drawn.isEmpty {
                guard let json = try? JSON(parsing: said.drawn) else {
                    throw Failure(
                        .invalid, "The signature cannot be read. Draw it again, or type your name.",
                        field: name)
                }
                signatures[name] = json
            } else if !said.typed.allSatisfy(\.isWhitespace) {
                signatures[name] = ["text": .string(said.typed)]
            }
        }
        return signatures
    }

    private static func replyPage(
        _ visit: Visit, _ link: ShareLink, _ asked: FormReplies.Asked, values: [String: FieldValue] = [:],
        words: [String: (typed: String, drawn: String)] = [:], failure: Failure? = nil
    ) -> FillingPage {
        let places = asked.places.map { place in
            let said = words[place.field.name]
            let day = FillingPage.day(beside: place, asked)
            return FillingPage.SigningPlace(
                name: place.field.name, label: place.field.label, page: place.page + 1, x: place.area.x,
                y: place.area.y, width: place.area.width, height: place.area.height,
                isRequired: place.field.isRequired, date: day, typed: said?.typed ?? "",
                drawn: said?.drawn ?? "")
        }
        var page = FillingPage(
            guest: .init(
                token: visit.parameter("token"), name: asked.name, askedBy: link.madeByName, places: places),
            version: asked.sent + 1,
            sheets: asked.look.frames.enumerated().map {
                .init(number: $0.offset + 1, width: $0.element.width, height: $0.element.height)
            }, boxes: [], missing: asked.look.fields.count { $0.isRequired && asked.takes($0) })
        var wrong: Set<String> = []
        if let failure {
            page.problems = [visit.whole(failure)]
            let signed = Set(words.filter { !$0.value.typed.isEmpty || !$0.value.drawn.isEmpty }.keys)
            let missing = asked.missing(values, signed: signed)
            if failure.code == .invalid {
                if !missing.isEmpty {
                    page.problems = missing.map {
                        visit.whole(Failure(.invalid, "“\($0.label)” is required and still empty."))
                    }
                }
                page.mayKeepAnyway =
                    failure.field != nil && !asked.places.contains { $0.field.name == failure.field }
                    || !missing.isEmpty
                wrong = Set(missing.map(\.name) + [failure.field].compactMap(\.self))
            }
        }
        page.boxes = boxes(
            of: asked.look, values, wrong: wrong, without: Set(asked.places.map(\.field.name)))
        return page
    }

    private static func backToLink(_ visit: Visit) -> Response {
        .redirect(to: "/s/\(PercentCoding.encode(visit.parameter("token")))")
    }
}

extension FillingPage {
    /// The nearest empty field for a day on the same page, at most a line or two away, whose way of writing is plain.
    fileprivate static func day(
        beside place: FormReplies.Place, _ asked: FormReplies.Asked
    ) -> (name: String, label: String, pattern: String)? {
        let near = asked.look.fields.compactMap { field -> (field: TemplateField, distance: Double)? in
            guard field.kind == .date || field.meaning == .date, asked.takes(field),
                field.value.allSatisfy(\.isEmpty), !field.label.lowercased().contains("birth"),
                let its = field.places.first, its.page == place.page
            else { return nil }
            let frame = asked.look.frames[its.page]
            let shown = frame.shown(its.rectangle)
            let middle = frame.height - (shown.top + shown.bottom) / 2
            return (field, abs(middle - place.area.y - place.area.height / 2))
        }
        guard let nearest = near.min(by: { $0.distance < $1.distance }), nearest.distance < 60 else {
            return nil
        }
        let pattern = nearest.field.pattern ?? ""
        guard pattern.lowercased().allSatisfy({ !$0.isLetter || "dmy".contains($0) }),
            !pattern.lowercased().contains("mmm"), !pattern.lowercased().contains("ddd")
        else { return nil }
        return (nearest.field.name, nearest.field.label, pattern)
    }
}

/// A form that came back by a link, in a line.
struct ReplyLine: Sendable {
    var document: String
    var name: String
    /// For whom the link was.
    var sentFor: String
    var signed: Int
    var at: Moment
}

extension ReplyLine {
    init(_ reply: FormReply, _ visit: Visit) throws {
        self.init(
            document: reply.document.text,
            name: try visit.quire.documents.get(reply.document, by: visit.member()).name,
            sentFor: reply.sentFor, signed: reply.signed, at: reply.sentAt)
    }
}

extension Pages {
    /// Forms that came back by links, which can be read into a table.
    static func replies(
        _ frame: Frame, _ lines: [ReplyLine], of batch: String? = nil, level: String = "h3"
    ) -> HTML {
        guard !lines.isEmpty else { return .empty }
        let t = frame.texts
        let items = lines.map { line -> HTML in
            """
            <div class="item">\(frame.icon(.reply))<span class="item-text">\
            <a class="item-title item-link" href="/documents/\(line.document)" dir="auto">\(line.name)</a>\
            <span class="item-note">\(replyWords(frame, line))</span></span></div>
            """
        }
        let title: HTML =
            level == "h2"
            ? "<div class=\"card-head\"><h2>\(t("reply.list"))</h2></div>" : "<h3>\(t("reply.list"))</h3>"
        let papers = lines.map {
            "<input type=\"hidden\" name=\"document\" value=\"\($0.document)\">" as HTML
        }
        let reading: HTML =
            frame.canEdit
            ? Form.form(
                frame, "POST", "/harvests", css: "reply-reading",
                """
                \(papers)\(batch.map { "<input type=\"hidden\" name=\"batch\" value=\"\($0)\">" as HTML })\
                <button class="button">\(frame.icon(.form))\(t("reply.read", ["count": .number(lines.count)]))</button>
                """) : .empty
        return "\(title)\(Part.list(items))\(reading)"
    }

    /// By whose link, when, and whether it is signed.
    static func replyWords(_ frame: Frame, _ line: ReplyLine) -> HTML {
        let t = frame.texts
        let who: HTML =
            line.sentFor.isEmpty
            ? HTML(plain: t("reply.byLink"))
            : HTML(plain: t("reply.byLinkFor", ["name": .text(line.sentFor)]))
        let signed: HTML =
            line.signed > 0 ? " · \(t("reply.signed", ["count": .number(line.signed)]))" : .empty
        return "\(who) · \(Part.time(line.at, style: .full))\(signed)"
    }
}
