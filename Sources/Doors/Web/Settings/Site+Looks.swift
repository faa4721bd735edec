import Access
import App
import Bytes
import HTTP
import Markup
import Pictures
import Starters
import Storage

// What the desk wears for those outside.

extension Site {
    static let looksActions: [Action] = [
        Action(
            .get, "/settings/looks", .member(.administer),
            .init(
                "Get what the desk looks like to those outside", tag: "Settings",
                answers: [.ok("Looks", "Name, colour, letterhead and logo")])
        ) { visit in
            let looks = try visit.quire.settings.looks()
            return try visit.show(looksJSON(looks)) { try looksPage(visit, typed: visit.tried(looks)) }
        },
        Action(
            .post, "/settings/looks", .member(.administer),
            .init(
                "Change what the desk looks like to those outside",
                description:
                    "What is left out stays. `logo` takes back the one before by its name, or takes off the one there is "
                    + "with nothing; a new one is sent to /settings/looks/logo.",
                tag: "Settings", requestBody: [.init(.json, Schema.deskLooksChange)],
                answers: [.ok("Looks", "As it is now")])
        ) { visit in
            let input = try visit.input
            do {
                var said = try input.json(of: Looks.fields)
                // The nearest colour that can be read, at one press.
                if let taken = try input.text("take"), var object = said.object {
                    object["colour"] = .string(taken)
                    said = .object(object)
                }
                var logo: Digest??
                if let name = try input.text("logo") {
                    guard name.isEmpty || Digest(name) != nil else {
                        throw Failure(.invalid, "“\(name.prefix(40))” names no logo.", field: "logo")
                    }
                    logo = .some(Digest(name))
                }
                return try deskLooksChanged(
                    visit, visit.quire.settings.changeLooks(said, logo: logo, by: visit.member()))
            } catch let failure as Failure
                where visit.wantsPage && [.invalid, .tooLarge, .notFound].contains(failure.code)
            {
                var typed = try visit.quire.settings.looks()
                for field in Looks.fields { try? [field].take(input.json(of: Looks.fields), into: &typed) }
                return visit.page(
                    try looksPage(visit, failure, typed: typed), Site.status(of: failure.code))
            }
        },
        Action(
            .post, "/settings/looks/logo", .member(.administer),
            .init(
                "Give the desk a logo",
                description: "It is drawn anew on white, without what its file says besides.",
                tag: "Settings",
                parameters: [.init("name", "The file's name, when the body is the file itself")],
                requestBody: [
                    .init(.multipart, Schema.object([("file", ["type": "string", "format": "binary"])])),
                    .init(.octets, ["type": "string", "format": "binary"]),
                ], answers: [.ok("Looks", "As it is now")]), body: .upload(limit: Int64(Settings.longestLogo))
        ) { visit in
            do {
                guard let file = try Arrival(visit).files.first else {
                    throw Failure(.invalid, "Choose a picture.", field: "file")
                }
                return try deskLooksChanged(
                    visit,
                    visit.quire.settings.setLogo(file.read(atMost: Settings.longestLogo), by: visit.member()))
            } catch let failure as Failure where visit.wantsPage && failure.code != .denied {
                return visit.page(
                    try looksPage(visit, failure, typed: visit.quire.settings.looks()),
                    Site.status(of: failure.code))
            }
        },
        Action(
            .delete, "/settings/looks/logo", .member(.administer),
            .init(
                "Take the logo off", tag: "Settings", answers: [.init(.noContent, "There is none now")])
        ) { visit in
            let change = try visit.quire.settings.removeLogo(by: visit.member())
            return visit.wantsPage ? try deskLooksChanged(visit, change) : .noContent
        },
        // Pages for those outside ask for these: a style sheet that follows from its own name, and the logo.
        Action(.get, "/looks/{file}", .anyone) { visit in
            let parts = visit.parameter("file").split(separator: ".", omittingEmptySubsequences: false)
            if parts.count == 2, parts[1] == "css", parts[0].utf8.count == 6,
                let shade = Shade(String(parts[0]))
            {
                return Response.bytes(Array(Dye(shade).style.utf8), .css)
                    .with("Cache-Control", "public, max-age=86400")
            }
            guard parts.count == 2, parts[1] == "jpg", let digest = Digest(String(parts[0])),
                let logo = try visit.quire.settings.logo(digest)
            else { throw Failure(.notFound, "There is no such page.") }
            return Response.bytes(logo, .jpeg).with("Cache-Control", "private, max-age=86400")
        },
    ]

    private static func deskLooksChanged(
        _ visit: Visit, _ change: (before: Looks, now: Looks)
    ) throws -> Response {
        let (before, now) = change
        guard before != now else {
            return visit.done(looksJSON(now), next: "/settings/looks", notice: "notice.saved")
        }
        var fields = Looks.fields.filter { $0.text(of: before) != $0.text(of: now) }.map {
            (name: $0.name, value: $0.text(of: before))
        }
        if before.logo != now.logo { fields.append(("logo", before.logo?.hex ?? "")) }
        return visit.done(
            looksJSON(now), next: "/settings/looks", notice: "notice.saved",
            undo: .init(action: "/settings/looks", fields: fields))
    }

    private static func looksJSON(_ looks: Looks) -> JSON {
        var json = Looks.fields.json(of: looks)
        json["logo"] = .optional(looks.logo?.hex)
        json["logoAddress"] = .optional(looks.logo.map(Looks.address))
        json["shades"] = .optional(
            looks.dye.map { dye -> JSON in
                ["light": .string(dye.byDay.accent.css), "dark": .string(dye.byNight.accent.css)]
            })
        json["nearest"] = .optional(looks.dye?.nearest?.css)
        return .object(json)
    }

    private static func looksPage(_ visit: Visit, _ failure: Failure? = nil, typed: Looks) throws -> HTML {
        let saved = try visit.quire.settings.looks()
        var looks = typed
        // What is no colour dyes nothing.
        looks.colour = Shade(typed.colour)?.css ?? ""
        var page = LooksPage(
            looks: typed, worn: try visit.quire.settings.worn(looks),
            organization: try visit.quire.settings.identity().organization, error: failure.map(visit.said),
            errorField: failure?.field)
        if saved.isWorn {
            let version = Digest(
                of: Array(try visit.quire.settings.worn(saved).lines.joined().utf8 + saved.json.bytes))
            page.paper = "/templates/starters/letter/picture?looks=\(version.hex.prefix(12))"
        }
        return Pages.looks(visit.frameAt("/settings/looks"), page)
    }
}

extension Visit {
    /// What somebody is trying out and has not saved, from the query.
    fileprivate func tried(_ looks: Looks) -> Looks {
        var tried = looks
        for field in Looks.fields {
            guard let value = request.query[field.name] else { continue }
            var with = tried
            guard (try? [field].take([field.name: .string(value)], into: &with)) != nil,
                (try? [field].check(with)) != nil
            else { continue }
            tried = with
        }
        return tried
    }

    /// What stands at the top of our own papers; nil where the desk wears nothing.
    var letterhead: Letterhead? {
        get throws {
            guard let worn = try quire.settings.worn() else { return nil }
            return Letterhead(
                name: worn.name, showsName: worn.showsName, lines: worn.lines,
                logo: try worn.logo.flatMap { try quire.settings.logo($0) },
                colour: (worn.dye?.byDay.accent).map { ($0.red, $0.green, $0.blue) })
        }
    }
}

extension Schema {
    static let deskLooks: JSON = object(
        of(Looks.fields) + [
            ("logo", orNull(string)), ("logoAddress", orNull(string)),
            ("shades", orNull(object([("light", string), ("dark", string)]))), ("nearest", orNull(string)),
        ])
    static let deskLooksChange: JSON = object(
        of(Looks.fields) + [("logo", string)], optional: Set(Looks.fields.map(\.name) + ["logo"]))
}
