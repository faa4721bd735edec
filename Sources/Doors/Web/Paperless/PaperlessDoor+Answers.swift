import Access
import App
import Bytes
import HTTP
import Library
import Storage
import Work

extension PaperlessDoor.Call {
    /// Which lists there are; those of things that Quire has not are empty.
    private static let lists = [
        "correspondents", "custom_fields", "document_types", "documents", "storage_paths", "tags", "tasks",
        "saved_views", "users", "groups", "mail_accounts", "mail_rules", "workflows",
        "workflow_triggers", "workflow_actions", "share_links",
    ]

    func answer() throws -> Response {
        let method = request.method
        switch (path.first ?? "", path.count) {
        case ("", 0):
            let places = Self.lists + ["statistics", "search", "config", "remote_version", "ui_settings"]
            return json(.object(JSONObject(places.sorted().map { ($0, .string("\(origin)/api/\($0)/")) })))
        case ("schema", 1) where method == .get: return json(Self.schema)
        case ("documents", _): return try documentsAnswer()
        case ("tags", _), ("correspondents", _), ("document_types", _), ("storage_paths", _),
            ("custom_fields", _):
            return try labelsAnswer()
        case ("search", 1) where method == .get: return try searchAll()
        case ("search", 2) where path[1] == "autocomplete":
            var asked = PaperlessFilters(query)
            let term = try asked.text("term") ?? ""
            let limit = min(max(1, try asked.text("limit").flatMap { Int($0) } ?? 10), 100)
            return try list(
                documents.completions(of: term, limit: limit, by: caller).map(JSON.string), asked)
        case ("tasks", 1) where method == .get: return try wantedTasks()
        case ("tasks", 2) where path[1] == "acknowledge", ("acknowledge_tasks", 1):
            let numbers = Set(try Self.numbers(request.json["tasks"], "tasks"))
            return json(["result": .int(door.tasks.forget(numbers, of: caller.actor))])
        case ("tasks", 2):
            guard let task = taskList().first(where: { $0["id"]?.int == Int(path[1]) }) else { throw missing }
            return json(task)
        case ("saved_views", 1) where method == .get: return try page(try savedViews())
        case ("users", _) where method == .get: return try users()
        case ("statistics", 1): return try statistics()
        case ("ui_settings", 1) where method == .get: return try userSettings()
        case ("profile", 1) where method == .get:
            return json([
                "email": "", "first_name": .string(caller.name), "last_name": "", "has_usable_password": true,
                "is_mfa_enabled": false, "auth_token": .null, "social_accounts": [],
            ])
        case ("remote_version", 1):
            return json(["version": .string("v\(PaperlessDoor.version)"), "update_available": false])
        case ("config", 1) where method == .get:
            return try list([["id": 1, "app_title": "Quire", "app_logo": .null]])
        case (let list, 1) where Self.lists.contains(list) && method == .get: return try page([])
        case (let list, 2) where Self.lists.contains(list) && method == .get: throw missing
        default:
            throw Refusal(
                Self.lists.contains(path.first ?? "") ? .methodNotAllowed : .notFound,
                "Quire does not speak this part of the API of Paperless-ngx.")
        }
    }

    /// Enough for programs that look whether there is a description, and for people who read one.
    private static let schema: JSON = {
        let places =
            lists.map { "\($0)/" } + ["statistics/", "search/", "search/autocomplete/", "ui_settings/"]
        let each = [
            "documents", "tags", "correspondents", "document_types", "storage_paths", "custom_fields",
        ]
        let paths = places + each.map { "\($0)/{id}/" }
        func described(_ path: String) -> JSON {
            var get: JSON = ["responses": ["200": ["description": "As in Paperless-ngx"]]]
            if path.contains("{id}") {
                get["parameters"] = [
                    ["name": "id", "in": "path", "required": true, "schema": ["type": "integer"]]
                ]
            }
            return ["get": get]
        }
        return [
            "openapi": "3.0.3",
            "info": [
                "title": "Quire, as programs of Paperless-ngx know it",
                "version": .string(PaperlessDoor.version),
            ],
            "paths": .object(JSONObject(paths.sorted().map { ("/api/\($0)", described($0)) })),
        ]
    }()

    var missing: Failure { Failure(.notFound, "Not found.") }

    func json(_ value: JSON, _ status: Status = .ok) -> Response { .json(value, status) }

    // MARK: Lists and their pages

    var pageNumber: Int { max(1, Int(query["page"] ?? "") ?? 1) }
    /// Programs that want everything ask for 100,000 at once; more than this comes on the next page.
    var pageSize: Int { min(max(1, Int(query["page_size"] ?? "") ?? 25), 5_000) }

    /// All of a list, for which nothing is left of what was asked.
    func list(_ items: [JSON], _ asked: PaperlessFilters? = nil) throws -> Response {
        try (asked ?? PaperlessFilters(query)).finish()
        return json(.array(items))
    }

    /// A page of what is there as a whole.
    func page(_ items: [JSON], _ asked: PaperlessFilters? = nil) throws -> Response {
        try (asked ?? PaperlessFilters(query)).finish()
        let size = query["page_size"] == nil && path.first != "documents" ? max(25, items.count) : pageSize
        let start = (pageNumber - 1) * size
        guard start < items.count || pageNumber == 1 else { throw Failure(.notFound, "Invalid page.") }
        let shown = Array(items.dropFirst(start).prefix(size))
        return page(shown, count: items.count, size: size, all: items.compactMap { $0["id"]?.int })
    }

    func page(_ shown: [JSON], count: Int, size: Int, all: [Int]) -> Response {
        let last = max(1, (count + size - 1) / size)
        func address(_ number: Int) -> JSON {
            guard (1...last).contains(number) else { return .null }
            var fields = Fields(query.filter { $0.name != "page" })
            fields.add("page", String(number))
            return .string("\(origin)/api/\(path.joined(separator: "/"))/?\(fields.urlEncoded)")
        }
        return json([
            "count": .int(count), "next": address(pageNumber + 1), "previous": address(pageNumber - 1),
            "all": .array(all.map(JSON.int)), "results": .array(shown),
        ])
    }

    // MARK: What surrounds the papers

    private func searchAll() throws -> Response {
        var asked = PaperlessFilters(query)
        var selection = Selection()
        selection.words = try asked.text("query") ?? ""
        // Everything is looked for in the database here.
        _ = try asked.flag("db_only")
        try asked.finish()
        guard selection.words.count >= 3 else {
            throw Failure(.invalid, "Search query must be at least 3 characters.", field: "query")
        }
        let finds = try documents.select(selection, limit: 3, by: caller)
        let papers = try described(finds.finds, withWords: false)
        let words = selection.words.lowercased()
        func hits(_ list: [JSON]) -> JSON {
            .array(
                list.filter { ($0["name"]?.string ?? "").lowercased().contains(words) }.prefix(3).map(\.self))
        }
        let tags = hits(try tags())
        let people = hits(try named(documents.namedPeople(by: caller)))
        let types = hits(try named(documents.namedTypes(by: caller)))
        let count = papers.count + [tags, people, types].reduce(0) { $0 + ($1.array?.count ?? 0) }
        return json([
            "total": .int(count), "documents": .array(papers), "saved_views": [], "tags": tags,
            "correspondents": people, "document_types": types, "storage_paths": [], "users": [], "groups": [],
            "mail_rules": [], "mail_accounts": [], "workflows": [], "custom_fields": [],
        ])
    }

    private func wantedTasks() throws -> Response {
        var asked = PaperlessFilters(query)
        var all = taskList()
        for name in ["task_id", "status", "type", "task_name"] {
            guard let wanted = try asked.text(name) else { continue }
            all = all.filter { $0[name]?.string == wanted }
        }
        // What was acknowledged is forgotten.
        if try asked.flag("acknowledged") == true { all = [] }
        return try list(all, asked)
    }

    private func taskList() -> [JSON] {
        door.tasks.list(of: caller.actor).reversed()
            .map { task in
                let result =
                    task.isDuplicate
                    ? "\(task.fileName): Not consuming \(task.fileName): It is a duplicate of #\(task.document)."
                    : "Success. New document id \(task.document) created"
                return [
                    "id": .int(task.number), "task_id": .string(task.id), "task_name": "consume_file",
                    "task_file_name": .string(task.fileName), "date_created": .string(task.at.iso8601),
                    "date_done": .string(task.at.iso8601), "type": version >= 7 ? "manual_task" : "file",
                    "status": task.isDuplicate ? "FAILURE" : "SUCCESS", "result": .string(result),
                    "acknowledged": false, "related_document": .string(String(task.document)), "owner": .null,
                ]
            }
    }

    private func savedViews() throws -> [JSON] {
        let searches = try documents.savedSearches(by: caller)
        let numbers = try documents.numbers.numbers(of: searches.map(\.id.text), .search)
        return searches.map { search in
            [
                "id": .int(numbers[search.id.text] ?? 0), "name": .string(search.name),
                "show_on_dashboard": false,
                "show_in_sidebar": true, "sort_field": "created", "sort_reverse": true, "page_size": .null,
                "display_mode": .null, "display_fields": .null, "owner": .null, "user_can_change": false,
                "filter_rules": [["rule_type": 20, "value": .string(search.words)]],
            ]
        }
    }

    private func users() throws -> Response {
        let members = try door.quire.access.members.list()
        let numbers = try documents.numbers.numbers(of: members.map(\.id.text), .member)
        let all = members.map { member -> JSON in
            [
                "id": .int(numbers[member.id.text] ?? 0), "username": .string(member.signInName), "email": "",
                "first_name": .string(member.name), "last_name": "", "is_active": true, "is_staff": false,
                "is_superuser": .bool(member.role == .owner), "groups": [], "user_permissions": [],
                "inherited_permissions": [],
            ]
        }
        guard path.count == 2 else { return try page(all) }
        guard let one = all.first(where: { $0["id"]?.int == Int(path[1]) }) else { throw missing }
        return json(one)
    }

    private func statistics() throws -> Response {
        let kinds = try documents.kindCounts(by: caller)
        return json([
            "documents_total": .int(kinds.reduce(0) { $0 + $1.count }), "documents_inbox": 0,
            "inbox_tag": .null,
            "inbox_tags": [], "character_count": .null,
            "document_file_type_counts": .array(
                kinds.map { ["mime_type": .string($0.mediaType), "mime_type_count": .int($0.count)] }),
            "tag_count": .int(try documents.tags(by: caller).count),
            "correspondent_count": .int(try documents.namedPeople(by: caller).count),
            "document_type_count": .int(try documents.namedTypes(by: caller).count),
            "storage_path_count": .int(try documents.folders(by: caller, counting: false).nodes.count),
            "current_asn": .int(try documents.lastSerialNumber(by: caller)),
        ])
    }

    private func userSettings() throws -> Response {
        let member = try caller.memberID.map { try door.quire.access.members.get($0) }
        let number = try caller.memberID.map { try documents.numbers.number(of: $0.text, .member) } ?? 1
        let things = [
            "document", "tag", "correspondent", "documenttype", "storagepath", "customfield", "note",
            "savedview",
            "paperlesstask", "uisettings", "user",
        ]
        let may = things.flatMap { thing -> [String] in
            let change = caller.may(.edit) && !["user", "savedview"].contains(thing)
            return ["view"].map { "\($0)_\(thing)" }
                + (change ? ["add", "change", "delete"].map { "\($0)_\(thing)" } : [])
        }
        return json([
            "user": [
                "id": .int(number), "username": .string(member?.signInName ?? caller.name), "is_staff": false,
                "is_superuser": .bool(caller.may(.administer)), "groups": [],
                "first_name": .string(member?.name ?? caller.name), "last_name": "",
            ],
            "settings": [
                "version": .string(PaperlessDoor.version), "app_title": "Quire", "app_logo": .null,
                "auditlog_enabled": false, "trash_delay": 30, "update_checking": ["backend_setting": "false"],
                "email_enabled": false, "permissions": ["default_owner": .null],
            ],
            "permissions": .array(may.sorted().map(JSON.string)),
        ])
    }
}
