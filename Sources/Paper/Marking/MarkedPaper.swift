import Crypto
public import PDF
import PDFForms
import PDFReading
import Signing

/// The notes on a paper: those that lie there, and what becomes of them. What is new is put behind the paper, not one byte
/// of which changes.
public struct MarkedPaper {
    public private(set) var marks: [FoundMark] = []
    /// Places that lead somewhere; their words say where, and are empty for another file or a program.
    public private(set) var links: [FoundMark] = []
    /// The paper had to be mended before anything could be written on it.
    public var wasMended: Bool { base.wasMended }
    public let bytes: [UInt8]
    let base: AppendableFile
    private let frames: [PageFrame]
    private var places: [String: Place] = [:]
    public var file: PDFFile { base.file }

    private struct Place {
        var page: Int
        /// Among those of its page.
        var annotation: PDFObject
        var dictionary: PDFDictionary
        /// Replies, states and the window it opens in: they go with it.
        var company: [PDFObject] = []
    }

    private static let most = 20_000

    public init(_ given: [UInt8]) throws {
        do throws(PDFError) {
            base = try AppendableFile(given)
        } catch {
            if error == .passwordNeeded { throw MarkError.locked }
            throw error
        }
        bytes = base.bytes
        frames = base.file.frames
        guard !frames.isEmpty else { throw MarkError.noPages }
        read()
    }

    // MARK: What lies there

    static let kinds: [PDFName: String] = [
        "Highlight": "highlight", "Underline": "underline", "StrikeOut": "strike", "Squiggly": "squiggle",
        "Text": "note", "FreeText": "text", "Line": "line", "Square": "box", "Circle": "ellipse",
        "Ink": "ink", "Stamp": "stamp", "Polygon": "polygon", "PolyLine": "polyline", "Caret": "caret",
        "FileAttachment": "attachment",
    ]

    private mutating func read() {
        var byReference: [PDFReference: String] = [:]
        var destinations = Destinations(file)
        var others: [(dictionary: PDFDictionary, annotation: PDFObject)] = []
        for (number, page) in file.pages.enumerated() {
            let list = file.array(file.dictionary(.reference(page))?["Annots"])
            for (place, annotation) in list.enumerated() where marks.count < Self.most {
                guard let dictionary = file.dictionary(annotation),
                    let subtype = file.resolve(dictionary["Subtype"]).name
                else { continue }
                let isLink = subtype == "Link"
                guard file.resolve(dictionary["IRT"]) == .null,
                    let kind = isLink ? Mark.Kind.link.rawValue : Self.kinds[subtype]
                else {
                    others.append((dictionary, annotation))
                    continue
                }
                if isLink, links.count >= Self.most { continue }
                var id = file.resolve(dictionary["NM"]).text ?? ""
                if id.isEmpty || places[id] != nil || id.utf8.count > 200 {
                    id =
                        annotation.reference.map { "object-\($0.number)" }
                        ?? "page-\(number + 1)-\(place + 1)"
                }
                places[id] = Place(page: number, annotation: annotation, dictionary: dictionary)
                if let reference = annotation.reference { byReference[reference] = id }
                var mark = found(id, dictionary, kind, on: number)
                guard isLink else {
                    marks.append(mark)
                    continue
                }
                mark.text = target(of: dictionary, &destinations)
                links.append(mark)
            }
        }
        let order = Dictionary(
            marks.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
        for other in others {
            let whose = other.dictionary["IRT"] ?? other.dictionary["Parent"]
            guard let id = whose?.reference.flatMap({ byReference[$0] }), let place = order[id] else {
                continue
            }
            // Whoever answers this one answers that, too.
            if let own = other.annotation.reference { byReference[own] = id }
            places[id]?.company.append(other.annotation)
            guard other.dictionary["IRT"] != nil else { continue }
            if let state = file.resolve(other.dictionary["State"]).text {
                switch state {
                case "Completed", "Accepted", "Marked": marks[place].isDone = true
                case "None", "Unmarked", "Cancelled", "Rejected": marks[place].isDone = false
                default: break
                }
            } else {
                let text = words(other.dictionary)
                if !text.isEmpty {
                    marks[place].replies.append(
                        .init(author: author(other.dictionary), time: time(other.dictionary), text: text))
                }
            }
        }
    }

    private func found(_ id: String, _ annotation: PDFDictionary, _ kind: String, on page: Int) -> FoundMark {
        let frame = frames[page]
        let box = PDFRectangle(file.numbers(annotation["Rect"])).map(frame.shown)
        var kind = kind
        if kind == "line", file.array(annotation["LE"]).contains(where: { file.resolve($0).name != "None" }) {
            kind = "arrow"
        }
        if kind == "stamp", let own = file.resolve(annotation["QuireKind"]).name {
            kind = Mark.Kind.allCases.first { PDFName($0.rawValue) == own }?.rawValue ?? kind
        }
        let colour = file.numbers(annotation["C"])
        return FoundMark(
            id: id, kind: kind, page: page,
            area: box.map {
                Mark.Area(x: $0.left, y: frame.height - $0.top, width: $0.width, height: $0.height)
            } ?? Mark.Area(x: 0, y: 0, width: 0, height: 0),
            author: author(annotation), time: time(annotation), text: words(annotation),
            colour: Mark.Colour(parts: colour))
    }

    private func words(_ annotation: PDFDictionary) -> String {
        let text = file.resolve(annotation["Contents"]).text ?? ""
        return String(text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").prefix(20_000))
    }

    private func author(_ annotation: PDFDictionary) -> String {
        String((file.resolve(annotation["T"]).text ?? "").prefix(200))
    }

    private func time(_ annotation: PDFDictionary) -> Int64? {
        (file.resolve(annotation["M"]).text ?? file.resolve(annotation["CreationDate"]).text)
            .flatMap(PDFMoment.seconds)
    }

    // MARK: As the file has it

    func entries(of id: String) -> PDFDictionary? { places[id]?.dictionary }
    func frame(_ page: Int) -> PageFrame? { frames.indices.contains(page) ? frames[page] : nil }
    func numbers(_ object: PDFObject?) -> [Double] { file.numbers(object) }
    func array(_ object: PDFObject?) -> [PDFObject] { file.array(object) }
    func number(_ object: PDFObject?) -> Double? { file.resolve(object).number }
    func words(_ object: PDFObject?) -> String { file.resolve(object).text ?? "" }
    func width(_ annotation: PDFDictionary) -> Double? {
        file.resolve(file.dictionary(annotation["BS"])?["W"]).number
    }

    // MARK: What becomes of them

    /// Whose signatures would not hold any more, after notes and after drawing on the pages themselves; nil when none would be
    /// broken.
    public struct Broken: Sendable, Equatable {
        public var byNotes: String?
        public var byDrawing: String?

        public init(byNotes: String? = nil, byDrawing: String? = nil) {
            self.byNotes = byNotes
            self.byDrawing = byDrawing
        }
    }

    public func broken(now: Int64) throws -> Broken {
        guard !file.signatures.isEmpty else { return Broken() }
        let signed = try SignedPaper(base.bytes, trusting: TrustAnchors(includesSystem: false), now: now)
        let signatures = signed.signatures.filter { $0.kind != .timeStamp }
        let strict = signatures.first { $0.allows.rawValue < CheckedSignature.Allowance.notes.rawValue }
        return Broken(
            byNotes: strict.map { $0.signer ?? $0.field },
            byDrawing: signatures.first.map { $0.signer ?? $0.field })
    }

    /// The paper with the changes behind it.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970
    ///   - newName: gives a name that no other note has
    public func changed(
        _ changes: MarkChanges, now: Int64, newName: () -> String
    ) throws -> [UInt8] {
        guard !changes.isEmpty else { throw MarkError.nothing }
        if !changes.breaksSignatures {
            let broken = try broken(now: now)
            // Where a signed paper leads is as much of it as what is drawn on its pages.
            let draws = changes.isPartOfPage && !changes.added.isEmpty || touchesLinks(changes)
            if let signer = draws ? broken.byDrawing : broken.byNotes {
                throw MarkError.breaks(signatureOf: signer)
            }
        }
        var revision = base.revision()
        var edits: [Int: PageEdit] = [:]
        var pictures: [[UInt8]: PDFReference] = [:]
        func edit(_ page: Int, _ body: (inout PageEdit) throws -> Void) rethrows {
            var one = edits.removeValue(forKey: page) ?? PageEdit(file.pages[page], of: file)
            try body(&one)
            edits[page] = one
        }
        for mark in changes.added {
            try check(mark)
            var mark = MarkPicture.settled(mark, file)
            if mark.author.isEmpty { mark.author = changes.author }
            if mark.kind == .link {
                let link = revision.newReference()
                let entries = try entries(ofLink: mark, file.pages[mark.page], name: newName(), now: now)
                revision.put(.dictionary(entries), at: link)
                edit(mark.page) { $0.annotations.append(.reference(link)) }
                continue
            }
            guard var picture = MarkPicture(mark, on: frames[mark.page]) else {
                throw MarkError.badWish(mark.kind.isDrawn ? "strokes" : "areas")
            }
            let frame = frames[mark.page]
            guard picture.box.right > 0, picture.box.top > 0, picture.box.left < frame.width,
                picture.box.bottom < frame.height
            else { throw MarkError.offPage(page: mark.page) }
            let appearance = try picture.put(file, &pictures, into: &revision)
            edit(mark.page) { page in
                if changes.isPartOfPage {
                    page.draw(Self.placing(page.name(appearance), picture.box, frame))
                } else {
                    let annotation = revision.newReference()
                    let entries = entries(
                        mark, picture, appearance, page.page, name: newName(), now: now)
                    revision.put(.dictionary(entries), at: annotation)
                    page.annotations.append(.reference(annotation))
                }
            }
        }
        for id in Set(changes.removed) {
            guard let place = places[id] else { throw MarkError.noSuchMark(id) }
            edit(place.page) { page in
                page.annotations.removeAll { $0 == place.annotation || place.company.contains($0) }
            }
        }
        for change in changes.reworded {
            guard let place = places[change.id], let reference = place.annotation.reference else {
                throw MarkError.noSuchMark(change.id)
            }
            if file.resolve(place.dictionary["Subtype"]).name == "Link" {
                let link = try leading(place.dictionary, to: change.text)
                revision.put(.dictionary(link), at: reference)
                continue
            }
            guard change.text.unicodeScalars.count <= MarkChanges.longestText else {
                throw MarkError.badWish("text")
            }
            var annotation = place.dictionary.without("RC", "Contents", "M")
            annotation["Contents"] = .text(change.text)
            annotation["M"] = .text(PDFMoment.text(now))
            // Words on the page itself are drawn anew; the others' pictures do not show them.
            if file.resolve(annotation["Subtype"]).name == "FreeText",
                let redrawn = redrawn(annotation, change.text, on: place.page)
            {
                var picture = redrawn
                annotation["AP"] = .dictionary([
                    "N": .reference(try picture.put(file, &pictures, into: &revision))
                ])
            }
            revision.put(.dictionary(annotation), at: reference)
        }
        func answer(_ id: String, _ entries: PDFDictionary) throws {
            guard let place = places[id], let reference = place.annotation.reference else {
                throw MarkError.noSuchMark(id)
            }
            let name = newName()
            edit(place.page) { page in
                var reply: PDFDictionary = [
                    "Type": .name("Annot"), "Subtype": .name("Text"), "IRT": .reference(reference),
                    "Rect": place.dictionary["Rect"] ?? .array([0, 0, 0, 0].map(PDFObject.integer)),
                    // Neither shown nor printed by itself: readers show it with what it answers.
                    "F": .integer(30), "NM": .text(name), "T": .text(changes.author),
                    "M": .text(PDFMoment.text(now)), "CreationDate": .text(PDFMoment.text(now)),
                    "P": .reference(page.page),
                ]
                for (key, value) in entries.entries { reply[key] = value }
                let object = revision.newReference()
                revision.put(.dictionary(reply), at: object)
                page.annotations.append(.reference(object))
            }
        }
        for reply in changes.replies {
            guard !reply.text.isEmpty, reply.text.unicodeScalars.count <= MarkChanges.longestText else {
                throw MarkError.badWish("text")
            }
            try answer(reply.id, ["Contents": .text(reply.text)])
        }
        for (ids, state) in [(changes.done, "Completed"), (changes.reopened, "None")] {
            for id in ids {
                try answer(id, ["StateModel": .text("Review"), "State": .text(state), "Contents": .text("")])
            }
        }
        for page in edits.keys.sorted() { edits[page]?.put(into: &revision) }
        return bytes + revision.finish(identity: Array(SHA256.hash(revision.out).prefix(16)))
    }

    private func touchesLinks(_ changes: MarkChanges) -> Bool {
        let own = Set(links.map(\.id))
        return changes.added.contains { $0.kind == .link } || changes.removed.contains(where: own.contains)
            || changes.reworded.contains { own.contains($0.id) }
    }

    private func check(_ mark: Mark) throws(MarkError) {
        guard frames.indices.contains(mark.page) else {
            throw .noSuchPage(mark.page + 1, of: frames.count)
        }
        guard mark.text.unicodeScalars.count <= MarkChanges.longestText else { throw .badWish("text") }
        guard mark.areas.count <= 2_000, mark.strokes.count <= 5_000,
            mark.strokes.reduce(0, { $0 + $1.count }) <= MarkChanges.mostPoints,
            mark.picture.count <= MarkChanges.largestPicture
        else { throw .tooMany }
        let needsWords = mark.kind == .text || mark.kind == .stamp
        let isEmptyName =
            mark.kind == .signature && mark.strokes.isEmpty && mark.picture.isEmpty && mark.text.isEmpty
        if needsWords && mark.text.allSatisfy(\.isWhitespace) || isEmptyName { throw .badWish("text") }
    }

    /// Where a picture that stands upright by its own matrix is drawn on the page.
    private static func placing(_ name: PDFName, _ box: PDFRectangle, _ frame: PageFrame) -> [UInt8] {
        let place = frame.written(box)
        let turned = PageFrame.upright(frame.rotation)
        // The corner of the picture that lies lowest and leftmost once it is turned.
        let corners = [(0.0, 0.0), (box.width, 0.0), (0.0, box.height), (box.width, box.height)].map {
            (
                x: Double(turned[0]) * $0.0 + Double(turned[2]) * $0.1,
                y: Double(turned[1]) * $0.0 + Double(turned[3]) * $0.1
            )
        }
        let left = corners.map(\.x).min() ?? 0
        let bottom = corners.map(\.y).min() ?? 0
        var out: [UInt8] = []
        out.append(text: "q 1 0 0 1 ")
        out.append(number: place.left - left)
        out.append(32)
        out.append(number: place.bottom - bottom)
        out.append(text: " cm ")
        out.append(name: name)
        out.append(text: " Do Q\n")
        return out
    }

    private func redrawn(_ annotation: PDFDictionary, _ text: String, on page: Int) -> MarkPicture? {
        let frame = frames[page]
        guard let box = PDFRectangle(file.numbers(annotation["Rect"])).map(frame.shown) else { return nil }
        var mark = Mark(.text, page: page)
        mark.text = text
        mark.areas = [
            Mark.Area(x: box.left, y: frame.height - box.top, width: box.width, height: box.height)
        ]
        mark.dress(DefaultAppearance(file.resolve(annotation["DA"]).text))
        return MarkPicture(mark, on: frame)
    }

    // MARK: Writing

    private func entries(
        _ mark: Mark, _ picture: MarkPicture, _ appearance: PDFReference, _ page: PDFReference, name: String,
        now: Int64
    ) -> PDFDictionary {
        let frame = frames[mark.page]
        func point(_ x: Double, _ y: Double) -> [PDFObject] {
            let place = frame.written(x: x, y: frame.height - y)
            return [.number(place.x), .number(place.y)]
        }
        var entries: PDFDictionary = [
            "Type": .name("Annot"), "P": .reference(page), "NM": .text(name),
            "Rect": .array(frame.written(picture.box).numbers.map(PDFObject.number)),
            "AP": .dictionary(["N": .reference(appearance)]), "F": .integer(4),
            "C": .array(mark.colour.parts.map(PDFObject.number)), "T": .text(mark.author),
            "M": .text(PDFMoment.text(now)), "CreationDate": .text(PDFMoment.text(now)),
        ]
        if mark.opacity < 1 { entries["CA"] = .number(mark.opacity) }
        if !mark.text.isEmpty { entries["Contents"] = .text(mark.text) }
        func stamp() {
            entries["Subtype"] = .name("Stamp")
            // Readers name stamps by their looks; what this one is for is said beside it.
            entries["Name"] = .name("Draft")
            entries["QuireKind"] = .name(PDFName(mark.kind.rawValue))
        }
        switch mark.kind {
        case .highlight, .underline, .strike, .squiggle:
            let names: [Mark.Kind: PDFName] = [
                .highlight: "Highlight", .underline: "Underline", .strike: "StrikeOut", .squiggle: "Squiggly",
            ]
            entries["Subtype"] = .name(names[mark.kind] ?? "Highlight")
            // As all programs have it, which is not what the standard's picture says.
            entries["QuadPoints"] = .array(
                mark.areas.flatMap { area in
                    point(area.x, area.y) + point(area.x + area.width, area.y)
                        + point(area.x, area.y + area.height)
                        + point(area.x + area.width, area.y + area.height)
                })
        case .note:
            entries["Subtype"] = .name("Text")
            entries["Name"] = .name("Comment")
            // As large however near one looks, and upright.
            entries["F"] = .integer(28)
        case .text:
            entries["Subtype"] = .name("FreeText")
            entries["IT"] = .name("FreeTextTypeWriter")
            entries["BS"] = .dictionary(["W": .integer(0)])
            var look: [UInt8] = []
            for part in mark.colour.parts {
                look.append(number: part)
                look.append(32)
            }
            look.append(text: "rg /Helv ")
            look.append(number: mark.size)
            look.append(text: " Tf")
            entries["DA"] = .string(look)
            // The colour of a text box is that of its ground.
            entries["C"] = mark.fill.map { .array($0.parts.map(PDFObject.number)) }
        case .line, .arrow:
            entries["Subtype"] = .name("Line")
            let start = mark.strokes.first?.first ?? Mark.Point(x: 0, y: 0)
            let end = mark.strokes.last?.last ?? start
            entries["L"] = .array(point(start.x, start.y) + point(end.x, end.y))
            entries["LE"] = .array([.name("None"), .name(mark.kind == .arrow ? "OpenArrow" : "None")])
            entries["BS"] = .dictionary(["W": .number(mark.thickness)])
        case .box, .ellipse:
            entries["Subtype"] = .name(mark.kind == .box ? "Square" : "Circle")
            entries["BS"] = .dictionary(["W": .number(mark.thickness)])
            if let fill = mark.fill { entries["IC"] = .array(fill.parts.map(PDFObject.number)) }
        case .ink:
            entries["Subtype"] = .name("Ink")
            entries["InkList"] = .array(
                mark.strokes.map { stroke in .array(stroke.flatMap { point($0.x, $0.y) }) })
            entries["BS"] = .dictionary(["W": .number(mark.thickness)])
        case .tick, .cross, .dot, .stamp, .picture: stamp()
        case .link: break
        case .signature:
            stamp()
            // Printed, and not to be moved by chance.
            entries["F"] = .integer(132)
        }
        return entries
    }
}
