import Access
import App
import Bytes
import HTTP
import Library
import Storage

// Papers that have to stay: held ones, and those that rules keep.

extension Site {
    static let keepingActions: [Action] = [
        Action(
            .get, "/documents/{id}/keeping", .member(.view),
            .init(
                "Say what keeps a document", description: "A hold, and the rule that keeps it longest.",
                tag: "Documents", answers: [.ok("Keeping", "What keeps it, and until when")])
        ) { visit in
            let keeping = try visit.quire.documents.keeping(
                of: visit.id(of: "document"), by: try visit.member())
            return .json([
                "hold": .optional(keeping.hold), "heldBy": .optional(keeping.heldBy),
                "until": .optional(keeping.until), "rule": .optional(keeping.ruleName),
            ]).with("Cache-Control", "private, no-cache")
        },
        Action(
            .post, "/documents/{id}/hold", .member(.edit),
            .init(
                "Hold a document",
                description:
                    "A legal hold: nobody throws it away or puts a new version in its place until an owner lifts it.",
                tag: "Documents",
                requestBody: [.init(.json, Schema.object([("reason", Schema.string)]))],
                answers: [.ok("Document", "It is held")])
        ) { visit in
            let id: ID<Document> = try visit.id(of: "document")
            try visit.quire.documents.hold(
                [id], because: try visit.input.text("reason") ?? "", by: try visit.member())
            return visit.done(
                try visit.document().json, next: "/documents/\(id)", notice: "notice.held")
        },
        Action(
            .delete, "/documents/{id}/hold", .member(.administer),
            .init("Lift the hold of a document", tag: "Documents", answers: [.ok("Document", "It may go")])
        ) { visit in
            let id: ID<Document> = try visit.id(of: "document")
            try visit.quire.documents.release([id], by: try visit.member())
            return visit.done(
                try visit.document().json, next: "/documents/\(id)", notice: "notice.released")
        },
        Action(
            .get, "/retention", .member(.view),
            .init(
                "List how long documents have to be kept", tag: "Folders and tags",
                answers: [.ok("RetentionRuleList", "The rules")])
        ) { visit in
            let caller = try visit.member()
            let rules = try visit.quire.documents.retentionRules(by: caller)
            return try visit.show(["rules": .array(rules.map(\.json))]) {
                let tree = try visit.quire.documents.folders(by: caller, counting: false)
                return Pages.retention(
                    visit.frame,
                    RetentionPage(
                        rules: rules.map { rule in
                            .init(
                                id: rule.id.text, name: rule.name, tag: rule.tag,
                                folder: rule.folder.flatMap { tree[$0]?.path }, months: rule.months,
                                trashesAfter: rule.trashesAfter)
                        }, folders: tree.nodes.map { FolderLine($0) }))
            }
        },
        Action(
            .post, "/retention", .member(.administer),
            .init(
                "Say how long documents have to be kept",
                description:
                    "Those with `tag`, in `folder` or below it, or both: so many `months` from their day, and without one "
                    + "from the day they came in. Before that they cannot be thrown away; with `trashes` they go into the "
                    + "trash by themselves after it.",
                tag: "Folders and tags",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("name", Schema.name), ("tag", Schema.string), ("folder", Schema.string),
                                ("months", Schema.integer(1, 1200)), ("trashes", Schema.boolean),
                            ], optional: ["tag", "folder", "trashes"]))
                ], answers: [.made("RetentionRule", "It keeps them from now on")])
        ) { visit in
            let input = try visit.input
            let years = try input.integer("years").map { min(max(0, $0), 1000) * 12 }
            guard let months = try years ?? input.integer("months") else {
                throw Failure(.invalid, "Say how long.", field: "months")
            }
            let rule = try visit.quire.documents.addRetentionRule(
                named: try input.requiredText("name"), tag: try input.text("tag") ?? "",
                folder: try input.folder() ?? nil, months: months, trashesAfter: try input.flag("trashes"),
                by: try visit.member())
            return visit.done(
                rule.json, .created, at: "/retention/\(rule.id)", next: "/retention", notice: "notice.saved")
        },
        Action(
            .delete, "/retention/{id}", .member(.administer),
            .init(
                "Remove a rule that keeps documents", tag: "Folders and tags",
                answers: [.init(.noContent, "It keeps nothing any more")])
        ) { visit in
            try visit.quire.documents.removeRetentionRule(visit.id(of: "rule"), by: try visit.member())
            return visit.done([:], .noContent, next: "/retention", notice: "notice.ruleRemoved")
        },
    ]
}

extension RetentionRule {
    var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "tag": .string(tag),
            "folder": .optional(folder?.text), "months": .int(months), "trashes": .bool(trashesAfter),
        ]
    }
}
