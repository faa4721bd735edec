import Access
import App
import Bytes
import HTTP
import Library
import Markup
import Storage
import Work

// Where papers lie and what they wear: folders, tags, kept searches.

extension Site {
    static let filingActions: [Action] = [
        Action(
            .get, "/folders", .member(.view),
            .init(
                "List folders", description: "Each behind the one it lies in, with its path.",
                tag: "Folders and tags", answers: [.ok("FolderList", "All of them")])
        ) { visit in
            let tree = try visit.quire.documents.folders(by: try visit.member())
            guard !visit.wantsPage else { return visit.goes(to: "/documents") }
            return .json(["folders": .array(tree.nodes.map(\.json))])
                .with("Cache-Control", "private, no-cache")
        },
        Action(
            .post, "/folders", .member(.edit),
            .init(
                "Make a folder",
                description: """
                    `path` makes what is missing on the way, and leads to the folder if it is there. The papers named by \
                    `id` are laid into a folder made by its `name`, or nothing is done.
                    """,
                tag: "Folders and tags",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("name", Schema.string), ("parent", Schema.id), ("path", Schema.string),
                                ("id", Schema.list(of: Schema.id)),
                            ], optional: ["name", "parent", "path", "id"]))
                ], answers: [.made("Folder", "It is there")])
        ) { visit in
            let input = try visit.input
            let caller = try visit.member()
            let documents = visit.quire.documents
            let papers: [ID<Document>] = try input.ids(of: "paper")
            if !papers.isEmpty { return try gathered(papers, input, visit) }
            let folder =
                if let path = try input.text("path"), !path.isEmpty {
                    try documents.makeFolder(path: path, by: caller)
                } else {
                    try documents.makeFolder(
                        named: input.requiredText("name"), in: try input.folder("parent") ?? nil, by: caller)
                }
            return visit.done(
                try visit.json(folder), .created, at: "/folders/\(folder.id)",
                next: "/documents?folder=\(folder.id)",
                notice: "notice.folderMade", ["name": .text(folder.name)])
        },
        Action(
            .get, "/folders/{id}", .member(.view),
            .init("Get a folder", tag: "Folders and tags", answers: [.ok("Folder", "Where it lies")])
        ) { visit in
            let id: ID<Folder> = try visit.id(of: "folder")
            guard let node = try visit.quire.documents.folders(by: try visit.member())[id] else {
                throw Failure(.notFound, "There is no such folder. It may have been removed.")
            }
            guard !visit.wantsPage else { return visit.goes(to: "/documents?folder=\(id)") }
            return .json(node.json).with("Cache-Control", "private, no-cache")
        },
        Action(
            .patch, "/folders/{id}", .member(.edit),
            .init(
                "Rename or move a folder, or make it private",
                description:
                    "An empty `parent` moves it to the top. What lies in a private folder is shown only in a browser in which "
                    + "somebody just proved again who they are.",
                tag: "Folders and tags",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [("name", Schema.name), ("parent", Schema.string), ("private", Schema.boolean)],
                            optional: ["name", "parent", "private"]))
                ], answers: [.ok("Folder", "As it is now")])
        ) { visit in
            let input = try visit.input
            let id: ID<Folder> = try visit.id(of: "folder")
            var folder = try visit.quire.documents.changeFolder(
                id, name: try input.text("name"), parent: try input.folder("parent"), by: try visit.member())
            if input.has("private") {
                folder = try visit.quire.documents.setPrivate(
                    id, try input.flag("private"), by: try visit.member())
            }
            return visit.done(
                try visit.json(folder), next: "/documents?folder=\(folder.id)",
                notice: "notice.folderChanged",
                ["name": .text(folder.name)])
        },
        Action(
            .delete, "/folders/{id}", .member(.edit),
            .init(
                "Put a folder with all that lies in it into the trash", tag: "Folders and tags",
                answers: [
                    .init(
                        .ok, "How much went",
                        [
                            .init(
                                .json,
                                Schema.object([("folders", Schema.whole), ("documents", Schema.whole)]))
                        ])
                ])
        ) { visit in
            let id: ID<Folder> = try visit.id(of: "folder")
            let caller = try visit.member()
            let parent = try visit.quire.documents.folders(by: caller)[id]?.folder.parent
            let gone = try visit.quire.documents.trashFolder(id, by: caller)
            return visit.done(
                ["folders": .int(gone.folders), "documents": .int(gone.papers)],
                next: "/documents" + (parent.map { "?folder=\($0)" } ?? ""), notice: "notice.folderTrashed",
                ["count": .number(gone.papers)], undo: .init(action: "/folders/\(id)/restoration"))
        },
        Action(
            .post, "/folders/{id}/restoration", .member(.edit),
            .init(
                "Bring a folder back from the trash with all that went with it", tag: "Folders and tags",
                answers: [.ok("Folder", "It is in the library again")])
        ) { visit in
            let folder = try visit.quire.documents.restoreFolder(
                visit.id(of: "folder"), by: try visit.member())
            return visit.done(
                try visit.json(folder), next: "/documents?folder=\(folder.id)", notice: "notice.restored",
                ["name": .text(folder.name)])
        },
        Action(
            .get, "/tags", .member(.view),
            .init(
                "List tags", description: "With how many documents wear each.", tag: "Folders and tags",
                answers: [.ok("TagList", "All of them")])
        ) { visit in
            let caller = try visit.member()
            let tags = try visit.quire.documents.tags(by: caller)
            return try visit.show(["tags": .array(tags.map(\.json))]) {
                Pages.tags(
                    visit.frame,
                    TagsPage(
                        tags: tags.map(TagsPage.Tag.init),
                        searches: try visit.quire.documents.savedSearches(by: caller).map {
                            .init(id: $0.id.text, name: $0.name, words: $0.words)
                        },
                        fields: try visit.quire.documents.fields(by: caller).map {
                            ($0.id.text, $0.name, $0.kind.rawValue, $0.paperCount)
                        }))
            }
        },
        Action(
            .patch, "/tags/{id}", .member(.edit),
            .init(
                "Rename a tag, or give it a colour",
                description: "What is left out stays. With the name of another tag the two become one.",
                tag: "Folders and tags",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(Schema.of(Tag.fields), optional: Set(Tag.fields.map(\.name))))
                ],
                answers: [.ok("Tag", "As it is now")])
        ) { visit in
            let tag = try visit.quire.documents.changeTag(
                visit.id(of: "tag"), try visit.input.json(of: Tag.fields), by: try visit.member())
            return visit.done(tag.json, next: "/tags", notice: "notice.saved")
        },
        Action(
            .delete, "/tags/{id}", .member(.edit),
            .init(
                "Take a tag off all documents", tag: "Folders and tags",
                answers: [.init(.noContent, "It is gone")])
        ) { visit in
            try visit.quire.documents.removeTag(visit.id(of: "tag"), by: try visit.member())
            return visit.done([:], .noContent, next: "/tags", notice: "notice.removed")
        },
        Action(
            .get, "/searches", .member(.view),
            .init(
                "List kept searches", tag: "Folders and tags",
                answers: [.ok("SavedSearchList", "All of them")])
        ) { visit in
            let searches = try visit.quire.documents.savedSearches(by: try visit.member())
            guard !visit.wantsPage else { return visit.goes(to: "/tags") }
            return .json(["searches": .array(searches.map(\.json))])
                .with("Cache-Control", "private, no-cache")
        },
        Action(
            .post, "/searches", .member(.edit),
            .init(
                "Keep a search", description: "Under a name that is there it replaces what that one meant.",
                tag: "Folders and tags",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [("words", Schema.string), ("name", Schema.string)], optional: ["name"]))
                ], answers: [.made("SavedSearch", "It is kept")])
        ) { visit in
            let input = try visit.input
            let search = try visit.quire.documents.saveSearch(
                try input.requiredText("words"), as: try input.text("name") ?? "", by: try visit.member())
            return visit.done(
                search.json, .created, at: "/searches/\(search.id)",
                next: "/search?q=\(Pages.queryEncoded(search.words))", notice: "notice.searchKept",
                ["name": .text(search.name)])
        },
        Action(
            .delete, "/searches/{id}", .member(.edit),
            .init(
                "Forget a kept search", tag: "Folders and tags",
                answers: [.init(.noContent, "It is forgotten")])
        ) { visit in
            try visit.quire.documents.removeSearch(visit.id(of: "search"), by: try visit.member())
            return visit.done([:], .noContent, next: "/tags", notice: "notice.removed")
        },
    ]
}

extension Input {
    /// Back to where it was done, as far as that is a list of ours.
    func listOfPapers() throws(Failure) -> String {
        let from = try text("from") ?? ""
        return from.hasPrefix("/documents?") ? from : "/documents"
    }

    /// Nil when nothing was said about it; `.some(nil)` for the desk itself.
    func folder(_ name: String = "folder") throws(Failure) -> ID<Folder>?? {
        guard let text = try text(name) else { return nil }
        guard !text.isEmpty else { return .some(nil) }
        guard let id = ID<Folder>(text) else {
            throw Failure(.invalid, "“\(text)” is no folder's id.", field: name)
        }
        return .some(id)
    }

    /// `a, b` or a list.
    func tags(_ name: String) throws(Failure) -> [String] {
        try texts(name).flatMap { $0.split(separator: ",") }
            .map { String($0.drop(while: \.isWhitespace)) }.filter { !$0.isEmpty }
    }
}

extension Visit {
    func json(_ folder: Folder) throws -> JSON {
        try quire.documents.folders(by: try member())[folder.id]?.json ?? [:]
    }
}

extension FolderTree.Node {
    var json: JSON {
        [
            "id": .string(folder.id.text), "name": .string(folder.name), "path": .string(path),
            "parent": .optional(folder.parent?.text), "documents": .int(paperCount),
            "total": .int(totalCount),
            "madeAt": .moment(folder.madeAt), "private": .bool(folder.isPrivate), "locked": .bool(isLocked),
        ]
    }
}

extension Tag {
    var json: JSON {
        var json: JSONObject = ["id": .string(id.text)]
        for (name, value) in Self.fields.json(of: self) { json[name] = value }
        json["documents"] = .int(paperCount)
        return .object(json)
    }
}

extension SavedSearch {
    var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "words": .string(words), "madeAt": .moment(madeAt),
        ]
    }
}

extension Site {
    /// Papers that were chosen, or laid on each other, in a folder of their own.
    private static func gathered(
        _ papers: [ID<Document>], _ input: Input, _ visit: Visit
    ) throws -> Response {
        let caller = try visit.member()
        let documents = visit.quire.documents
        let ids = papers.prefix(Documents.mostPerPage)
        let before = try ids.map { try documents.get($0, by: caller) }
        let made = try documents.makeFolder(
            named: input.requiredText("name"), in: try input.folder("parent") ?? nil, holding: Array(ids),
            by: caller)
        let moved = zip(before, made.papers).map { (before: $0, after: $1) }
        return visit.done(
            try visit.json(made.folder), .created, at: "/folders/\(made.folder.id)",
            next: "/documents?folder=\(made.folder.id)", notice: "notice.gathered",
            ["count": .number(moved.count), "name": .text(made.folder.name)],
            undo: try visit.undo(.gathered(made.folder.id, moved), from: input.listOfPapers()))
    }
}
