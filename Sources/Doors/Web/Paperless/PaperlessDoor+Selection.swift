import Access
import Bytes
import HTTP
import Library
import Storage
import Work

/// Which papers a program wants, in the words of Paperless.
extension PaperlessDoor.Call {
    func selection() throws -> Selection {
        var asked = PaperlessFilters(query)
        var wanted = Selection()
        wanted.words = try ["query", "search", "title_content", "content__icontains"]
            .compactMap { name in try asked.text(name) }.joined(separator: " ")
        wanted.nameHolds = try asked.text("title__icontains")
        wanted.nameBegins = try asked.text("title__istartswith")
        try readPapers(&asked, &wanted)
        try readLabels(&asked, &wanted)
        try readDays(&asked, &wanted)
        wanted.mediaType = try asked.text("mime_type")
        try asked.finish()
        return wanted
    }

    private func readPapers(_ asked: inout PaperlessFilters, _ wanted: inout Selection) throws {
        if let ids = try asked.numbers("id__in", and: "id") {
            wanted.narrow(
                to: try ids.compactMap {
                    try documents.numbers.owner(of: $0, .document).flatMap(ID.init)
                })
        }
        if let number = try asked.numbers("archive_serial_number") {
            let papers = try number.flatMap { number in
                try documents.papers(withSerialNumber: String(number), by: caller)
            }
            wanted.narrow(to: papers.map(\.id))
        }
        if let isMissing = try asked.flag("archive_serial_number__isnull") {
            wanted.hasValue.append((Documents.serialNumberField, !isMissing))
        }
        if let like = try asked.numbers("more_like_id") {
            for number in like {
                let paper = try document(number)
                wanted.narrow(to: try documents.alike(paper.id, by: caller).map(\.document.id))
            }
        }
        // Quire has no inbox of papers, and everything is outside of it.
        if try asked.flag("is_in_inbox") == true { wanted.narrow(to: []) }
    }

    private func readLabels(_ asked: inout PaperlessFilters, _ wanted: inout Selection) throws {
        wanted.allTags =
            try (asked.numbers("tags__id__all") ?? []).map(tagName)
            + (asked.numbers("tags__id") ?? []).map(tagName)
        wanted.anyTag = try asked.numbers("tags__id__in")?.map(tagName)
        wanted.noTags = try (asked.numbers("tags__id__none") ?? []).map(tagName)
        wanted.isTagged = try asked.flag("is_tagged")
        wanted.anyPerson = try asked.numbers("correspondent__id__in", and: "correspondent__id")?
            .map(personName)
        if let isMissing = try asked.flag("correspondent__isnull") { wanted.hasPerson = !isMissing }
        wanted.anyFolder = try asked.numbers("storage_path__id__in", and: "storage_path__id")?.map(folderID)
        if let isMissing = try asked.flag("storage_path__isnull") { wanted.hasFolder = !isMissing }
        if let any = try asked.numbers("document_type__id__in", and: "document_type__id") {
            wanted.values.append((Documents.documentTypeField, try any.map(typeName)))
        }
        if let isMissing = try asked.flag("document_type__isnull") {
            wanted.hasValue.append((Documents.documentTypeField, !isMissing))
        }
    }

    private func readDays(_ asked: inout PaperlessFilters, _ wanted: inout Selection) throws {
        /// The later one of two.
        func from(_ name: String) throws -> String? {
            try [asked.day("\(name)__date__gte"), asked.day("\(name)__date__gt", 1)].compactMap(\.self).max()
        }
        /// The first day that is no longer wanted.
        func before(_ name: String) throws -> String? {
            try [asked.day("\(name)__date__lte", 1), asked.day("\(name)__date__lt")].compactMap(\.self).min()
        }
        func moment(_ day: String?) -> Moment? { day.flatMap { Moment(iso8601: $0 + "T00:00:00Z") } }
        wanted.dayFrom = try from("created")
        wanted.dayTo = moment(try before("created")).map {
            String(($0 - .seconds(86_400)).iso8601.prefix(10))
        }
        wanted.addedFrom = moment(try from("added"))
        wanted.addedBefore = moment(try before("added"))
        wanted.changedFrom = moment(try from("modified"))
        wanted.changedBefore = moment(try before("modified"))
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
}
