import Bytes
import PDF
import PDFReading

/// What leads somewhere on pages, and where it lies once they are drawn on sheets.
struct SheetLinks {
    /// Where one page is seen.
    private struct Place {
        var sheet: Int
        /// From the page's own coordinates to those of the sheet.
        var matrix: PDFMatrix
        /// What of the page is seen there.
        var seen: PDFRectangle
    }

    private let file: PDFFile
    private var places: [Int: [Place]] = [:]
    private var destinations: Destinations

    /// `order` says which page of the file a cell's is.
    init(_ file: PDFFile, _ order: [Int], on sheets: [DrawnSheet]) {
        self.file = file
        destinations = Destinations(file)
        let frames = file.frames
        for (number, sheet) in sheets.enumerated() {
            let whole = PDFRectangle(left: 0, bottom: 0, right: sheet.size.width, top: sheet.size.height)
            for cell in sheet.cells {
                let frame = frames[order[cell.page]]
                let room = DrawnSheet.fitted(frame, into: cell.room)
                guard let seen = room.common(with: sheet.window ?? whole) else { continue }
                places[order[cell.page], default: []].append(
                    Place(sheet: number, matrix: Self.matrix(frame, onto: room), seen: seen))
            }
        }
    }

    private static func matrix(_ frame: PageFrame, onto room: PDFRectangle) -> PDFMatrix {
        let (origin, right, up) = (frame.shown(x: 0, y: 0), frame.shown(x: 1, y: 0), frame.shown(x: 0, y: 1))
        let upright = PDFMatrix(
            a: right.x - origin.x, b: right.y - origin.y, c: up.x - origin.x, d: up.y - origin.y,
            e: origin.x, f: origin.y)
        let scale = room.width / frame.width
        return upright.then(PDFMatrix(a: scale, b: 0, c: 0, d: scale, e: room.left, f: room.bottom))
    }

    /// The links of each sheet. One whose page was left out goes.
    mutating func annotations(_ sheets: [PDFReference]) -> [[PDFDictionary]] {
        var found = sheets.map { _ in [PDFDictionary]() }
        for (page, places) in places.sorted(by: { $0.key < $1.key }) {
            for object in file.array(file.dictionary(.reference(file.pages[page]))?["Annots"]) {
                guard let link = file.dictionary(object), file.resolve(link["Subtype"]).name == "Link",
                    let lead = lead(of: link, sheets)
                else { continue }
                for place in places {
                    guard var made = made(link, at: place) else { continue }
                    made[lead.key] = lead.value
                    made["P"] = .reference(sheets[place.sheet])
                    found[place.sheet].append(made)
                }
            }
        }
        return found
    }

    private mutating func lead(
        of link: PDFDictionary, _ sheets: [PDFReference]
    ) -> (key: PDFName, value: PDFObject)? {
        if let page = destinations.page(of: link) {
            guard let place = places[page]?.first else { return nil }
            return (
                "Dest",
                .array([
                    .reference(sheets[place.sheet]), .name("XYZ"), .real(place.seen.left),
                    .real(place.seen.top), .null,
                ])
            )
        }
        guard let action = file.dictionary(link["A"]), file.resolve(action["S"]).name == "URI",
            let address = file.resolve(action["URI"]).bytes
        else { return nil }
        return ("A", .dictionary(["S": .name("URI"), "URI": .string(address)]))
    }

    private func made(_ link: PDFDictionary, at place: Place) -> PDFDictionary? {
        guard let rect = PDFRectangle(file.numbers(link["Rect"])),
            let seen = place.matrix.bounds(of: rect).common(with: place.seen)
        else { return nil }
        var made: PDFDictionary = [
            "Type": .name("Annot"), "Subtype": .name("Link"), "F": .integer(4),
            "Rect": .array(seen.numbers.map(PDFObject.real)),
        ]
        let moved = file.moved(link, by: place.matrix)
        let corners = file.numbers(moved["QuadPoints"])
        if stride(from: 0, to: corners.count - 1, by: 2).allSatisfy({
            place.seen.contains(x: corners[$0], y: corners[$0 + 1])
        }), !corners.isEmpty {
            made["QuadPoints"] = .array(corners.map(PDFObject.real))
        }
        for key: PDFName in ["Border", "C", "H", "Contents"] {
            let value = file.resolve(moved[key])
            if let items = value.array {
                made[key] = .array(items.map { file.resolve($0) })
            } else if !value.isNull {
                made[key] = value
            }
        }
        if let style = file.dictionary(moved["BS"]) {
            var own: PDFDictionary = [:]
            for key: PDFName in ["W", "S"] where style[key] != nil { own[key] = file.resolve(style[key]) }
            made["BS"] = .dictionary(own)
        }
        return made
    }

    /// Bookmarks of pages, counted from 1, as those of the sheets on which these are first seen. One whose page was left
    /// out goes, unless there are some below it that stay.
    func bookmarks(_ items: [JSON]) -> [JSON] {
        items.compactMap { item in
            let children = bookmarks(item["children"]?.array ?? [])
            let own = item["page"]?.int.flatMap { places[$0 - 1]?.first?.sheet }.map { $0 + 1 }
            guard let sheet = own ?? children.first?["page"]?.int else { return nil }
            return [
                "title": item["title"] ?? .string(""), "page": .int(sheet), "children": .array(children),
            ]
        }
    }
}
