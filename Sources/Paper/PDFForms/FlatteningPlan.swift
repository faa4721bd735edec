import PDF

/// How the fields of each page become part of it: their pictures are drawn behind the page's own content, as
/// vectors, and the annotations go. Other annotations stay.
struct FlatteningPlan: Sendable {
    private struct Page: Sendable {
        var reference: PDFReference
        /// The page's dictionary without contents, resources and annotations.
        var head: [UInt8]
        var contents: [PDFObject]
        var resources: PDFDictionary
        var pictures: PDFDictionary
        var annotations: [PDFObject]
        var opening: PDFReference
        var overlay: PDFReference
        var places: [(field: Int, widget: Int)]
    }

    private var pages: [Page] = []

    init(_ file: PDFFile, _ plans: [FieldPlan], newReference: () -> PDFReference) {
        for (index, reference) in file.pages.enumerated() {
            guard let page = file.dictionary(reference.object) else { continue }
            var places: [(field: Int, widget: Int)] = []
            for (field, plan) in plans.enumerated() {
                for (widget, place) in plan.widgets.enumerated() where place.page == index && !place.isHidden
                {
                    places.append((field, widget))
                }
            }
            let annotations = file.array(page["Annots"]).filter {
                file.resolve(file.dictionary($0)?["Subtype"]).name != "Widget"
            }
            guard !places.isEmpty || annotations.count != file.array(page["Annots"]).count else { continue }
            var head: [UInt8] = Array("<<".utf8)
            page.without("Contents", "Resources", "Annots").writeEntries(into: &head)
            let resources = Self.inherited("Resources", page, file).flatMap(file.dictionary) ?? [:]
            let contents: [PDFObject] =
                if let list = file.resolve(page["Contents"]).array { list } else {
                    page["Contents"].map { [$0] } ?? []
                }
            pages.append(
                Page(
                    reference: reference, head: head, contents: contents,
                    resources: resources.without("XObject"),
                    pictures: file.dictionary(resources["XObject"]) ?? [:], annotations: annotations,
                    opening: newReference(), overlay: newReference(), places: places))
        }
    }

    private static func inherited(_ key: PDFName, _ page: PDFDictionary, _ file: PDFFile) -> PDFObject? {
        var node = page
        for _ in 0..<50 {
            if let found = node[key] { return found }
            guard let parent = file.dictionary(node["Parent"]) else { return nil }
            node = parent
        }
        return nil
    }

    /// The catalog once no field is left.
    static func withoutForm(_ file: PDFFile) -> [(reference: PDFReference, text: [UInt8])] {
        guard let root = file.trailer["Root"]?.reference else { return [] }
        return [(root, PDFObject.dictionary(file.catalog.without("AcroForm", "Perms")).written)]
    }

    /// `shown` tells what filled places show now; the others show what they did in the template.
    func write(
        _ plans: [FieldPlan], shown: [PDFReference: WidgetPlan.Placed?], into revision: inout PDFRevision
    ) {
        for page in pages {
            // The page's own operators may leave the graphics state changed; ours begin from a clean one.
            revision.putStream([:], Array("q\n".utf8), at: page.opening)
            var content: [UInt8] = Array("\nQ\n".utf8)
            var pictures = page.pictures
            for (field, index) in page.places {
                let widget = plans[field].widgets[index]
                let picture =
                    shown[widget.object] ?? widget.oldPictures[nil]
                    ?? widget.oldPictures[widget.oldState ?? "Off"]
                guard let picture else { continue }
                let name = PDFName("QuireW\(picture.stream.number)")
                pictures[name] = .reference(picture.stream)
                content.append(text: "q ")
                for number in picture.matrix {
                    content.append(number: number, decimals: 4)
                    content.append(32)
                }
                content.append(text: "cm ")
                content.append(name: name)
                content.append(text: " Do Q\n")
            }
            revision.putStream([:], content, at: page.overlay)
            revision.put(at: page.reference) { out in
                out.append(contentsOf: page.head)
                var resources = page.resources
                resources["XObject"] = .dictionary(pictures)
                out.append(text: "/Resources")
                PDFObject.dictionary(resources).write(into: &out)
                out.append(text: "/Contents")
                PDFObject.array([.reference(page.opening)] + page.contents + [.reference(page.overlay)])
                    .write(into: &out)
                if !page.annotations.isEmpty {
                    out.append(text: "/Annots")
                    PDFObject.array(page.annotations).write(into: &out)
                }
                out.append(text: ">>")
            }
        }
    }
}
