import Access
import Bytes
import HTTP
import Library
import Storage
import Work

/// Which papers a program wants, in the words of Paperless.
extension PaperlessDoor.Call {
    func selection() throws -> Selection {
        var wanted = Selection()
        wanted.words =
            query["query"] ?? query["search"] ?? query["title_content"] ?? query["content__icontains"] ?? ""
        wanted.name = query["title__icontains"] ?? query["title__istartswith"] ?? ""
        if let ids = numbers("id__in") {
            wanted.ids = try ids.compactMap {
                try documents.numbers.owner(of: $0, .document).flatMap(ID.init)
            }
        }
        for number in numbers("tags__id__all") ?? [] { wanted.allTags.append(try tagName(number)) }
        for number in numbers("tags__id") ?? [] { wanted.allTags.append(try tagName(number)) }
        if let any = numbers("tags__id__in") { wanted.anyTag = try any.map(tagName) }
        wanted.noTags = try (numbers("tags__id__none") ?? []).map(tagName)
        wanted.isTagged = flag("is_tagged")
        if flag("is_in_inbox") == true { wanted.ids = [] }
        if let any = numbers("correspondent__id__in") ?? numbers("correspondent__id") {
            wanted.anyPerson = try any.map(personName)
        }
        if let isMissing = flag("correspondent__isnull") { wanted.hasPerson = !isMissing }
        if let any = numbers("storage_path__id__in") ?? numbers("storage_path__id") {
            wanted.anyFolder = try any.map(folderID)
        }
        if let isMissing = flag("storage_path__isnull") { wanted.hasFolder = !isMissing }
        if let any = numbers("document_type__id__in") ?? numbers("document_type__id") {
            wanted.values.append((Documents.documentTypeField, try any.map(typeName)))
        }
        if let isMissing = flag("document_type__isnull") {
            wanted.hasValue.append((Documents.documentTypeField, !isMissing))
        }
        if let number = query["archive_serial_number"], Int(number) != nil {
            wanted.ids = try documents.papers(withSerialNumber: number, by: caller).map(\.id)
        }
        if let isMissing = flag("archive_serial_number__isnull") {
            wanted.hasValue.append((Documents.serialNumberField, !isMissing))
        }
        readDays(&wanted)
        wanted.mediaType = query["mime_type"]
        return wanted
    }

    private func readDays(_ wanted: inout Selection) {
        func day(_ name: String, _ days: Int = 0) -> String? {
            guard let text = query[name] ?? query[name.replacing("__date", with: "")],
                let moment = Moment(iso8601: String(text.prefix(10)) + "T00:00:00Z")
            else { return nil }
            return String((moment + .seconds(days * 86_400)).iso8601.prefix(10))
        }
        func moment(_ name: String, _ days: Int = 0) -> Moment? {
            day(name, days).flatMap { Moment(iso8601: $0 + "T00:00:00Z") }
        }
        wanted.dayFrom = day("created__date__gte") ?? day("created__date__gt", 1)
        wanted.dayTo = day("created__date__lte") ?? day("created__date__lt", -1)
        wanted.addedFrom = moment("added__date__gte") ?? moment("added__date__gt", 1)
        wanted.addedBefore = moment("added__date__lte", 1) ?? moment("added__date__lt")
        wanted.changedFrom = moment("modified__date__gte") ?? moment("modified__date__gt", 1)
        wanted.changedBefore = moment("modified__date__lte", 1) ?? moment("modified__date__lt")
    }

    /// As asked, or the newest first; by relevance where words are looked for and no order is named.
    func order() -> (order: Documents.Listing.Order?, isDescending: Bool) {
        let orders: [String: Documents.Listing.Order] = [
            "created": .date, "created_date": .date, "added": .added, "modified": .changed, "title": .name,
            "id": .added, "page_count": .pages,
        ]
        for word in (query["ordering"] ?? "").split(separator: ",") {
            let isDescending = word.hasPrefix("-")
            if let order = orders[String(isDescending ? word.dropFirst() : word)] {
                return (order, isDescending)
            }
        }
        let hasWords = ["query", "search", "title_content", "content__icontains"].contains {
            !(query[$0] ?? "").isEmpty
        }
        return (hasWords ? nil : .date, true)
    }

    private func numbers(_ name: String) -> [Int]? {
        guard let text = query[name], !text.isEmpty else { return nil }
        return text.split(separator: ",").compactMap { Int($0) }
    }

    private func flag(_ name: String) -> Bool? {
        switch query[name]?.lowercased() {
        case "1", "true": true
        case "0", "false": false
        default: nil
        }
    }
}
