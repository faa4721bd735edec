import PDF
import PDFReading

// Places of pages that lead somewhere.

extension MarkedPaper {
    /// Where a link leads, as people write it; empty for what they cannot: another file, a program.
    func target(of link: PDFDictionary, _ destinations: inout Destinations) -> String {
        if let page = destinations.page(of: link) { return LinkTarget.page(page).text }
        let action = file.dictionary(link["A"])
        guard file.resolve(action?["S"]).name == "URI" else { return "" }
        return String((file.resolve(action?["URI"]).text ?? "").prefix(LinkTarget.longest))
    }

    func entries(
        ofLink mark: Mark, _ page: PDFReference, name: String, now: Int64
    ) throws(MarkError) -> PDFDictionary {
        guard let frame = frame(mark.page) else { throw .noSuchPage(mark.page + 1, of: file.pages.count) }
        let boxes = mark.areas.filter { $0.width > 0 && $0.height > 0 }.map { area in
            PDFRectangle(
                left: max(0, area.x), bottom: max(0, frame.height - area.y - area.height),
                right: min(frame.width, area.x + area.width), top: min(frame.height, frame.height - area.y))
        }
        guard !boxes.isEmpty else { throw .badWish("areas") }
        guard
            mark.areas.allSatisfy({
                $0.x < frame.width && $0.y < frame.height && $0.x + $0.width > 0 && $0.y + $0.height > 0
            })
        else { throw .offPage(page: mark.page) }
        let all = PDFRectangle(
            left: boxes.map(\.left).min() ?? 0, bottom: boxes.map(\.bottom).min() ?? 0,
            right: boxes.map(\.right).max() ?? 0, top: boxes.map(\.top).max() ?? 0)
        var entries: PDFDictionary = [
            "Type": .name("Annot"), "Subtype": .name("Link"), "P": .reference(page), "NM": .text(name),
            "Rect": .array(frame.written(all).numbers.map(PDFObject.number)), "F": .integer(4),
            "Border": .array([0, 0, 0].map(PDFObject.integer)), "M": .text(PDFMoment.text(now)),
        ]
        if boxes.count > 1 {
            entries["QuadPoints"] = .array(
                boxes.flatMap { box in
                    [
                        (box.left, box.top), (box.right, box.top), (box.left, box.bottom),
                        (box.right, box.bottom),
                    ]
                    .flatMap { point -> [PDFObject] in
                        let place = frame.written(x: point.0, y: point.1)
                        return [.number(place.x), .number(place.y)]
                    }
                })
        }
        return try leading(entries, to: mark.text)
    }

    /// The same link, leading to what somebody wrote.
    func leading(_ link: PDFDictionary, to written: String) throws(MarkError) -> PDFDictionary {
        guard let target = LinkTarget(written) else { throw .badLink(written) }
        var link = link.without("A", "Dest", "PA")
        switch target {
        case .address(let address):
            link["A"] = .dictionary(["S": .name("URI"), "URI": .string(Array(address.utf8))])
            // What programs say that read aloud.
            link["Contents"] = .text(address)
        case .page(let page):
            guard file.pages.indices.contains(page) else {
                throw .noSuchPage(page + 1, of: file.pages.count)
            }
            link["Dest"] = .array([.reference(file.pages[page]), .name("Fit")])
            link["Contents"] = nil
        }
        return link
    }
}
