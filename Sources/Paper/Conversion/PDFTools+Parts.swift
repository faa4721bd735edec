public import Bytes
import PDF
import PDFReading

extension PDFTools {
    /// Files carried inside the PDF, by their names (ISO 32000-2 §7.11.4).
    public static func carrying(
        _ files: [Attachment], in paper: Paper
    ) throws(ConversionError) -> Paper {
        guard !files.isEmpty else { return paper }
        return try changed(paper) { (file, revision) throws(PDFError) in
            var catalog = file.catalog
            var names = file.dictionary(catalog["Names"]) ?? [:]
            // What is carried already stays; trees with branches are folded into one leaf.
            var entries = file.entries(ofNameTree: names["EmbeddedFiles"])
            var related = file.array(catalog["AF"])
            var taken = Set(entries.map(\.name))
            for item in files {
                // Two files of one name would be one to whoever asks for it.
                var key = Array(item.name.utf8)
                var number = 2
                while !taken.insert(key).inserted {
                    key = Array("\(item.name) \(number)".utf8)
                    number += 1
                }
                let stream = revision.newReference()
                var about: PDFDictionary = [
                    "Type": .name("EmbeddedFile"), "Subtype": .name(PDFName(item.mediaType)),
                    "Params": .dictionary(["Size": .integer(item.bytes.count)]),
                ]
                let packed = deflated(item.bytes)
                if packed != nil { about["Filter"] = .name("FlateDecode") }
                revision.putStream(about, packed ?? item.bytes, at: stream)
                let place = revision.newReference()
                revision.put(
                    .dictionary([
                        "Type": .name("Filespec"), "F": .text(item.name), "UF": .text(item.name),
                        "AFRelationship": .name(PDFName(item.relationship ?? "Unspecified")),
                        "EF": .dictionary(["F": .reference(stream), "UF": .reference(stream)]),
                    ]), at: place)
                entries.append((key, .reference(place)))
                related.append(.reference(place))
            }
            entries.sort { $0.name.lexicographicallyPrecedes($1.name) }
            names["EmbeddedFiles"] = .dictionary([
                "Names": .array(entries.flatMap { [PDFObject.string($0.name), $0.value] })
            ])
            catalog["Names"] = .dictionary(names)
            catalog["AF"] = .array(related)
            return catalog
        }
    }

    /// The bookmarks as `[{"title":…,"page":1,"children":[…]}]`.
    public static func bookmarks(_ paper: Paper) throws(ConversionError) -> JSON {
        try told(paper.name) { () throws(PDFError) in
            let file = try PDFFile(bytes: paper.bytes)
            var destinations = Destinations(file)
            var left = 10_000
            return .array(
                read(
                    file, file.dictionary(file.catalog["Outlines"])?["First"], &destinations, depth: 0, &left)
            )
        }
    }

    private static func read(
        _ file: PDFFile, _ first: PDFObject?, _ destinations: inout Destinations, depth: Int,
        _ left: inout Int
    ) -> [JSON] {
        var items: [JSON] = []
        var next = first
        while depth < 30, left > 0, let node = file.dictionary(next) {
            left -= 1
            let page = destinations.page(of: node).map { $0 + 1 }
            items.append([
                "title": .string(file.resolve(node["Title"]).text ?? ""), "page": .optional(page),
                "children": .array(read(file, node["First"], &destinations, depth: depth + 1, &left)),
            ])
            next = node["Next"]
        }
        return items
    }

    /// Puts bookmarks in the place of those there are.
    public static func setting(bookmarks: [JSON], in paper: Paper) throws(ConversionError) -> Paper {
        try changed(paper) { (file, revision) throws(PDFError) in
            var catalog = file.catalog
            let root = revision.newReference()
            var left = 10_000
            let ends = try write(bookmarks, below: root, file, &revision, depth: 0, &left)
            var entries: PDFDictionary = ["Type": .name("Outlines"), "Count": .integer(bookmarks.count)]
            entries["First"] = ends.map { .reference($0.first) }
            entries["Last"] = ends.map { .reference($0.last) }
            revision.put(.dictionary(entries), at: root)
            catalog["Outlines"] = .reference(root)
            return catalog
        }
    }

    private static func write(
        _ items: [JSON], below parent: PDFReference, _ file: PDFFile, _ revision: inout PDFRevision,
        depth: Int,
        _ left: inout Int
    ) throws(PDFError) -> (first: PDFReference, last: PDFReference)? {
        guard depth < 30, !items.isEmpty else { return nil }
        var places: [PDFReference] = []
        for _ in items { places.append(revision.newReference()) }
        for (index, item) in items.enumerated() {
            left -= 1
            guard left > 0 else { throw .damaged("these are too many bookmarks") }
            guard let title = item["title"]?.string, let page = item["page"]?.int,
                file.pages.indices.contains(page - 1)
            else { throw .damaged("a bookmark needs a title and a page that is there") }
            var entries: PDFDictionary = [
                "Title": .text(title), "Parent": .reference(parent),
                "Dest": .array([.reference(file.pages[page - 1]), .name("Fit")]),
            ]
            if index > 0 { entries["Prev"] = .reference(places[index - 1]) }
            if index + 1 < places.count { entries["Next"] = .reference(places[index + 1]) }
            let children = item["children"]?.array ?? []
            if let ends = try write(children, below: places[index], file, &revision, depth: depth + 1, &left)
            {
                entries["First"] = .reference(ends.first)
                entries["Last"] = .reference(ends.last)
                entries["Count"] = .integer(-children.count)
            }
            revision.put(.dictionary(entries), at: places[index])
        }
        return (places[0], places[places.count - 1])
    }

    /// Adds to a file and gives it another catalog, then writes it anew.
    static func changed(
        _ paper: Paper, _ body: (PDFFile, inout PDFRevision) throws(PDFError) -> PDFDictionary
    ) throws(ConversionError) -> Paper {
        var paper = paper
        let bytes = paper.bytes
        paper.bytes = try told(paper.name) { () throws(PDFError) in
            let whole = try PDFFile(bytes: bytes).rewritten()
            let file = try PDFFile(bytes: whole)
            guard let ending = PDFEnding(of: whole), let root = file.trailer["Root"]?.reference else {
                throw .damaged("its end cannot be found")
            }
            var revision = PDFRevision(
                behind: whole.count, ending: ending, trailer: file.trailer, firstFree: file.highestObject + 1)
            let catalog = try body(file, &revision)
            revision.put(.dictionary(catalog), at: root)
            return try PDFFile(bytes: whole + revision.finish(identity: Array("parts".utf8))).rewritten()
        }
        return paper
    }
}
