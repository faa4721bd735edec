import Access
import App
import Bytes
import Filling
import HTTP
import Mappings
import Markup
import Storage

extension Site {
    static let mappingActions: [Action] = [
        Action(
            .get, "/templates/{id}/mappings", .member(.view),
            .init(
                "List the mappings of a form",
                description: "What goes where, kept under a name: the same mapping serves every list.",
                tag: "Templates", answers: [.ok("SavedMappingList", "By name")])
        ) { visit in
            let found = try visit.quire.mappings.all(of: visit.id(of: "form"), by: visit.member())
            return .json(["mappings": .array(found.map(\.json))])
        },
        Action(
            .post, "/templates/{id}/mappings", .member(.edit),
            .init(
                "Keep a mapping", description: "A name that is taken gets a number.", tag: "Templates",
                requestBody: [
                    .init(
                        .json,
                        Schema.object([("name", Schema.name), ("text", Schema.string)], optional: ["name"]))
                ], answers: [.made("SavedMapping", "Kept, for the form's current edition")])
        ) { visit in
            let input = try visit.input
            let text = try checked(input.text("text") ?? "")
            let saved = try visit.quire.mappings.save(
                text, named: input.text("name"), for: visit.id(of: "form"), by: visit.member())
            return visit.done(
                saved.json, .created, at: "/mappings/\(saved.id)", next: "/templates/\(saved.template)")
        },
        Action(
            .get, "/mappings/{id}", .member(.view),
            .init("Get a mapping", tag: "Templates", answers: [.ok("SavedMapping", "With its text")])
        ) { visit in
            .json(try visit.quire.mappings.get(visit.id(of: "mapping"), by: visit.member()).json)
        },
        Action(
            .get, "/mappings/{id}/file", .member(.view),
            .init(
                "Get a mapping as a file", description: "As `quire fill --map` reads it.", tag: "Templates",
                answers: [.init(.ok, "Its text", [.anything])])
        ) { visit in
            let mapping = try visit.quire.mappings.get(visit.id(of: "mapping"), by: visit.member())
            return Response.bytes(Array(mapping.text.utf8), .plain).with(
                "Content-Disposition", Disposition.text(inline: false, fileName: mapping.name + ".map")
            ).with("Cache-Control", "private, no-cache")
        },
        Action(
            .patch, "/mappings/{id}", .member(.edit),
            .init(
                "Change a mapping",
                description: "With `version`, only when nobody else has changed it since.", tag: "Templates",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [("name", Schema.name), ("text", Schema.string), ("version", Schema.whole)],
                            optional: ["name", "text", "version"]))
                ], answers: [.ok("SavedMapping", "As it is now")])
        ) { visit in
            let input = try visit.input
            let changed = try visit.quire.mappings.change(
                visit.id(of: "mapping"), text: input.text("text").map(checked), name: input.text("name"),
                ifVersion: input.integer("version"), by: visit.member())
            return visit.done(
                changed.json, next: "/templates/\(changed.template)?view=mappings", notice: "notice.saved")
        },
        Action(
            .delete, "/mappings/{id}", .member(.edit),
            .init(
                "Put a mapping into the trash", tag: "Templates",
                answers: [.ok("SavedMapping", "It lies in the trash")])
        ) { visit in
            let mapping = try visit.quire.mappings.trash(visit.id(of: "mapping"), by: visit.member())
            return visit.done(
                mapping.json, next: "/templates/\(mapping.template)?view=mappings", notice: "notice.trashed",
                ["name": .text(mapping.name)], undo: .init(action: "/mappings/\(mapping.id)/restoration"))
        },
        Action(
            .post, "/mappings/{id}/restoration", .member(.edit),
            .init(
                "Bring a mapping back from the trash", tag: "Templates",
                answers: [.ok("SavedMapping", "It is back")])
        ) { visit in
            let mapping = try visit.quire.mappings.restore(visit.id(of: "mapping"), by: visit.member())
            return visit.done(
                mapping.json, next: "/templates/\(mapping.template)?view=mappings", notice: "notice.back",
                ["name": .text(mapping.name)])
        },
    ]

    /// A text that is no mapping is not kept: whoever used it would find out too late.
    private static func checked(_ text: String) throws(Failure) -> String {
        do throws(MappingProblem) {
            _ = try Mapping(parsing: text)
            return text
        } catch {
            throw Failure(.invalid, "\(error)", field: "text")
        }
    }
}
