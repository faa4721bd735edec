import PDF

/// How fields become part of their pages: their pictures are drawn behind the page's own content, as vectors, and
/// their annotations go. Other annotations stay, and so do the fields that are not chosen.
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
        /// What the page's own operators left open, and then the state we saved.
        var closing: [UInt8]
        var places: [Place]
    }

    private struct Place: Sendable {
        var field: Int
        var widget: Int
        /// Marks before and behind the picture: the layer it lies on, its number in the structure tree.
        var before: [UInt8] = []
        var after: [UInt8] = []
    }

    private var pages: [Page] = []
    /// True when no field is left.
    let isWhole: Bool
    /// Objects that are the same in every copy: the catalog or the fields that are left, tags, mended contents.
    private(set) var fixed: [(reference: PDFReference, text: [UInt8])] = []

    /// Those that go, by their places among the plans.
    let flattened: Set<Int>
    private let choice: PreparedForm.Flattening

    func takes(_ plan: FieldPlan) -> Bool { choice.takes(plan.field) }

    init(
        _ file: PDFFile, _ plans: [FieldPlan], _ choice: PreparedForm.Flattening,
        newReference: () -> PDFReference
    ) {
        self.choice = choice
        flattened = Set(plans.indices.filter { choice.takes(plans[$0].field) })
        isWhole = flattened.count == plans.count
        var placesOfPage: [Int: [Place]] = [:]
        var gone: Set<PDFReference> = []
        for (field, plan) in plans.enumerated() where flattened.contains(field) {
            gone.insert(plan.field.object)
            for (index, widget) in plan.widgets.enumerated() {
                gone.insert(widget.object)
                guard let page = widget.page, !widget.isHidden else { continue }
                placesOfPage[page, default: []].append(Place(field: field, widget: index))
            }
        }
        var drawn: [(widget: PDFReference, page: PDFReference)] = []
        for (index, reference) in file.pages.enumerated() {
            guard let page = file.dictionary(reference.object) else { continue }
            let annotations = file.array(page["Annots"])
            let left = annotations.filter { annotation in
                guard file.resolve(file.dictionary(annotation)?["Subtype"]).name == "Widget" else {
                    return true
                }
                return !isWhole && annotation.reference.map { !gone.contains($0) } ?? true
            }
            var places = placesOfPage[index] ?? []
            // Only what is among the page's annotations is shown now, and in that order.
            let order = Dictionary(
                annotations.enumerated().compactMap { position, annotation in
                    annotation.reference.map { ($0, position) }
                }, uniquingKeysWith: { first, _ in first })
            func position(_ place: Place) -> Int? { order[plans[place.field].widgets[place.widget].object] }
            places = places.filter { position($0) != nil }
                .sorted { (position($0) ?? 0) < (position($1) ?? 0) }
            guard !places.isEmpty || left.count != annotations.count else { continue }
            drawn += places.map { (plans[$0.field].widgets[$0.widget].object, reference) }
            add(page, reference, places, left, file, plans, newReference)
        }
        let tags = PageTags(file, gone: drawn, newReference: newReference)
        fixed += tags.objects
        for page in pages.indices {
            for place in pages[page].places.indices {
                let at = pages[page].places[place]
                guard let number = tags.numbers[plans[at.field].widgets[at.widget].object] else { continue }
                pages[page].places[place].before.append(contentsOf: "/Form<</MCID \(number)>>BDC ".utf8)
                pages[page].places[place].after.insert(contentsOf: " EMC".utf8, at: 0)
            }
        }
        fixed += isWhole ? Self.withoutForm(file) : Self.without(gone, file)
    }

    private mutating func add(
        _ page: PDFDictionary, _ reference: PDFReference, _ places: [Place], _ left: [PDFObject],
        _ file: PDFFile, _ plans: [FieldPlan], _ newReference: () -> PDFReference
    ) {
        var head: [UInt8] = Array("<<".utf8)
        page.without("Contents", "Resources", "Annots").writeEntries(into: &head)
        var resources = file.dictionary(file.inherited("Resources", by: page)) ?? [:]
        let content = PageContent(of: page, file)
        var contents = content.streams
        if content.isMended {
            let mended = newReference()
            fixed.append((mended, Self.stream(content.bytes)))
            contents = [.reference(mended)]
        }
        var places = places
        for index in places.indices {
            let widget = plans[places[index].field].widgets[places[index].widget].object
            guard let layer = file.dictionary(widget.object)?["OC"] else { continue }
            var properties = file.dictionary(resources["Properties"]) ?? [:]
            let name = PDFName("QuireL\(widget.number)")
            properties[name] = layer
            resources["Properties"] = .dictionary(properties)
            places[index].before = Array("/OC/QuireL\(widget.number) BDC ".utf8)
            places[index].after = Array(" EMC".utf8)
        }
        pages.append(
            Page(
                reference: reference, head: head, contents: contents,
                resources: resources.without("XObject"),
                pictures: file.dictionary(resources["XObject"]) ?? [:], annotations: left,
                opening: newReference(), overlay: newReference(),
                closing: Array("\n".utf8) + content.closing + Array("Q\n".utf8), places: places))
    }

    private static func stream(_ content: [UInt8]) -> [UInt8] {
        let packed = deflated(content)
        var out: [UInt8] = []
        out.append(text: packed == nil ? "<</Length " : "<</Filter/FlateDecode/Length ")
        out.append(number: (packed ?? content).count)
        out.append(text: ">>\nstream\n")
        out.append(contentsOf: packed ?? content)
        out.append(text: "\nendstream")
        return out
    }

    // MARK: What is left of the form

    /// The catalog once no field is left.
    private static func withoutForm(_ file: PDFFile) -> [(reference: PDFReference, text: [UInt8])] {
        guard let root = file.trailer["Root"]?.reference else { return [] }
        return [(root, PDFObject.dictionary(file.catalog.without("AcroForm", "Perms")).written)]
    }

    /// The form, and the branches of its tree, without the fields that are gone.
    private static func without(
        _ gone: Set<PDFReference>, _ file: PDFFile
    ) -> [(reference: PDFReference, text: [UInt8])] {
        guard let root = file.trailer["Root"]?.reference, var form = file.form else { return [] }
        var changed: [(reference: PDFReference, text: [UInt8])] = []
        var seen: Set<PDFReference> = []
        func left(_ nodes: [PDFObject], _ depth: Int) -> [PDFObject] {
            nodes.filter { node in
                guard let reference = node.reference, depth < 60 else { return true }
                if gone.contains(reference) { return false }
                guard seen.insert(reference).inserted, var dictionary = file.dictionary(node),
                    case let kids = file.array(dictionary["Kids"]), !kids.isEmpty
                else { return true }
                let kept = left(kids, depth + 1)
                if kept.isEmpty { return false }
                if kept.count < kids.count {
                    dictionary["Kids"] = .array(kept)
                    changed.append((reference, PDFObject.dictionary(dictionary).written))
                }
                return true
            }
        }
        form["Fields"] = .array(left(file.array(form["Fields"]), 0))
        if let order = form["CO"] {
            form["CO"] = .array(
                file.array(order).filter { $0.reference.map { !gone.contains($0) } ?? false })
        }
        form = form.without("XFA", "NeedAppearances")
        if let reference = file.catalog["AcroForm"]?.reference {
            changed.append((reference, PDFObject.dictionary(form).written))
        } else {
            var catalog = file.catalog
            catalog["AcroForm"] = .dictionary(form)
            changed.append((root, PDFObject.dictionary(catalog).written))
        }
        return changed
    }

    // MARK: Writing

    /// `shown` tells what filled places show now; the others show what they did in the template.
    func write(
        _ plans: [FieldPlan], shown: [PDFReference: WidgetPlan.Placed?], into revision: inout PDFRevision
    ) {
        for page in pages {
            // The page's own operators may leave the graphics state changed; ours begin from a clean one.
            revision.putStream([:], Array("q\n".utf8), at: page.opening)
            var content = page.closing
            var pictures = page.pictures
            for place in page.places {
                let widget = plans[place.field].widgets[place.widget]
                let picture =
                    shown[widget.object] ?? widget.oldPictures[nil]
                    ?? widget.oldPictures[widget.oldState ?? "Off"]
                content.append(contentsOf: place.before)
                if let picture {
                    let name = PDFName("QuireW\(picture.stream.number)")
                    pictures[name] = .reference(picture.stream)
                    content.append(text: "q ")
                    if let turn = widget.upright {
                        for number in turn {
                            content.append(number: number, decimals: 4)
                            content.append(32)
                        }
                        content.append(text: "cm ")
                    }
                    for number in picture.matrix {
                        content.append(number: number, decimals: 4)
                        content.append(32)
                    }
                    content.append(text: "cm ")
                    content.append(name: name)
                    content.append(text: " Do Q")
                }
                content.append(contentsOf: place.after)
                content.append(10)
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
