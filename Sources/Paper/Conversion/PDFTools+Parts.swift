public import Bytes
import PDF

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
            var entries = carried(file, names["EmbeddedFiles"], depth: 0)
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

    static func carried(
        _ file: PDFFile, _ object: PDFObject?, depth: Int
    ) -> [(name: [UInt8], value: PDFObject)] {
        guard depth < 20, let node = file.dictionary(object) else { return [] }
        var found: [(name: [UInt8], value: PDFObject)] = []
        let list = file.array(node["Names"])
        for index in stride(from: 0, to: list.count - 1, by: 2) {
            if let name = file.resolve(list[index]).bytes { found.append((name, list[index + 1])) }
        }
        for kid in file.array(node["Kids"]).prefix(1000) { found += carried(file, kid, depth: depth + 1) }
        return found
    }

    /// The bookmarks as `[{"title":…,"page":1,"children":[…]}]`.
    public static func bookmarks(_ paper: Paper) throws(ConversionError) -> JSON {
        try told(paper.name) { () throws(PDFError) in
            let file = try PDFFile(bytes: paper.bytes)
            var numbers: [PDFReference: Int] = [:]
            for (index, page) in file.pages.enumerated() { numbers[page] = index + 1 }
            var left = 10_000
            return .array(
                read(file, file.dictionary(file.catalog["Outlines"])?["First"], numbers, depth: 0, &left))
        }
    }

    private static func read(
        _ file: PDFFile, _ first: PDFObject?, _ numbers: [PDFReference: Int], depth: Int, _ left: inout Int
    ) -> [JSON] {
        var items: [JSON] = []
        var next = first
        while depth < 30, left > 0, let node = file.dictionary(next) {
            left -= 1
            var destination = file.resolve(node["Dest"])
            if destination.isNull, let action = file.dictionary(node["A"]), action["S"]?.name == "GoTo" {
                destination = file.resolve(action["D"])
            }
            if let name = destination.bytes ?? destination.name?.bytes {
                destination = named(file, name)
            }
            let page = destination.array?.first?.reference.flatMap { numbers[$0] }
            items.append([
                "title": .string(file.resolve(node["Title"]).text ?? ""), "page": .optional(page),
                "children": .array(read(file, node["First"], numbers, depth: depth + 1, &left)),
            ])
            next = node["Next"]
        }
        return items
    }

    private static func named(_ file: PDFFile, _ name: [UInt8]) -> PDFObject {
        if let old = file.dictionary(file.catalog["Dests"])?[PDFName(bytes: name)] {
            let value = file.resolve(old)
            return value.dictionary.map { file.resolve($0["D"]) } ?? value
        }
        let tree = carried(file, file.dictionary(file.catalog["Names"])?["Dests"], depth: 0)
        let value = file.resolve(tree.first { $0.name == name }?.value)
        return value.dictionary.map { file.resolve($0["D"]) } ?? value
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
