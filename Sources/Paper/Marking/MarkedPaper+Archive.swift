import Crypto
import PDF
import PDFForms
import PDFReading

// In an archive every note looks the same to everybody and none hides (ISO 19005-2 §6.3): each brings its own picture.
extension MarkedPaper {
    /// The paper with a picture for each note and field that has none, and with nothing on it that is hidden or not printed.
    /// Answers, which readers show beside what they answer, stay unseen. Nil where nothing is missing.
    public func dressed() throws -> [UInt8]? {
        var revision = base.revision()
        var isChanged = false
        for (number, page) in file.pages.enumerated() {
            guard var sheet = file.dictionary(.reference(page)) else { continue }
            var items = file.array(sheet["Annots"])
            for place in items.indices {
                guard let old = file.dictionary(items[place]),
                    let new = try dressed(old, on: number, into: &revision), new != old
                else { continue }
                isChanged = true
                if let reference = items[place].reference {
                    revision.put(.dictionary(new), at: reference)
                    continue
                }
                // What was written into the list itself becomes an object of its own.
                let own = revision.newReference()
                revision.put(.dictionary(new), at: own)
                items[place] = .reference(own)
                sheet["Annots"] = .array(items)
                revision.put(.dictionary(sheet), at: page)
            }
        }
        guard isChanged else { return nil }
        return bytes + revision.finish(identity: Array(SHA256.hash(revision.out).prefix(16)))
    }

    private func dressed(
        _ old: PDFDictionary, on page: Int, into revision: inout PDFRevision
    ) throws -> PDFDictionary? {
        guard let kind = file.resolve(old["Subtype"]).name, kind != "Popup" else { return nil }
        var note = old
        note["F"] = .integer((file.resolve(old["F"]).integer ?? 0) & ~(1 | 2 | 32 | 256) | 4)
        let looks = file.dictionary(old["AP"])
        if let usual = looks?["N"] {
            // No other look while it is pointed at or pressed.
            note["AP"] = .dictionary(["N": usual])
        } else if kind != "Link", let look = try look(of: note, kind, on: page, into: &revision) {
            note["AP"] = .dictionary(["N": .reference(look.picture)])
            note["Rect"] = .array(look.box.numbers.map(PDFObject.number))
        }
        return note
    }

    /// As Quire draws its own; what it cannot draw keeps its place, with nothing on it.
    private func look(
        of note: PDFDictionary, _ kind: PDFName, on page: Int, into revision: inout PDFRevision
    ) throws -> (picture: PDFReference, box: PDFRectangle)? {
        guard let rect = PDFRectangle(numbers(note["Rect"])), let frame = frame(page) else { return nil }
        if note["IRT"] == nil, let mark = mark(note, kind, rect, frame, on: page),
            var picture = MarkPicture(MarkPicture.settled(mark, file), on: frame)
        {
            var pictures: [[UInt8]: PDFReference] = [:]
            return (try picture.put(file, &pictures, into: &revision), frame.written(picture.box))
        }
        let empty = revision.newReference()
        revision.putStream(
            [
                "Type": .name("XObject"), "Subtype": .name("Form"),
                "BBox": .array([0, 0, max(rect.width, 1), max(rect.height, 1)].map(PDFObject.number)),
            ], Array("q Q".utf8), at: empty)
        return (empty, rect)
    }

    /// What another program has put there, as far as it is something that Quire puts there as well.
    private func mark(
        _ note: PDFDictionary, _ kind: PDFName, _ rect: PDFRectangle, _ frame: PageFrame, on page: Int
    ) -> Mark? {
        guard let name = Self.kinds[kind], let own = Mark.Kind(rawValue: name) else { return nil }
        var mark = Mark(own, page: page)
        func area(_ box: PDFRectangle) -> Mark.Area {
            let shown = frame.shown(box)
            return Mark.Area(
                x: shown.left, y: frame.height - shown.top, width: shown.width, height: shown.height)
        }
        func points(_ object: PDFObject?) -> [Mark.Point] {
            let numbers = numbers(object)
            return stride(from: 0, to: numbers.count - 1, by: 2).map {
                let place = frame.shown(x: numbers[$0], y: numbers[$0 + 1])
                return Mark.Point(x: place.x, y: frame.height - place.y)
            }
        }
        mark.areas = [area(rect)]
        switch own {
        case .highlight, .underline, .strike, .squiggle:
            let corners = numbers(note["QuadPoints"])
            let boxes = stride(from: 0, to: corners.count - 7, by: 8).compactMap { start in
                let xs = stride(from: start, to: start + 8, by: 2).map { corners[$0] }
                let ys = stride(from: start + 1, to: start + 8, by: 2).map { corners[$0] }
                return PDFRectangle([xs.min() ?? 0, ys.min() ?? 0, xs.max() ?? 0, ys.max() ?? 0])
            }
            if !boxes.isEmpty { mark.areas = boxes.prefix(2_000).map(area) }
        case .line: mark.strokes = [points(note["L"])]
        case .ink: mark.strokes = array(note["InkList"]).prefix(5_000).map(points)
        case .text: mark.dress(DefaultAppearance(words(note["DA"])))
        default: break
        }
        mark.text = words(note["Contents"])
        if own == .text || own == .stamp, mark.text.allSatisfy(\.isWhitespace) { return nil }
        if let colour = Mark.Colour(parts: numbers(note["C"])), own != .text { mark.colour = colour }
        mark.fill = own == .box || own == .ellipse ? Mark.Colour(parts: numbers(note["IC"])) : nil
        mark.opacity = min(max(number(note["CA"]) ?? 1, 0.05), 1)
        if let width = width(note) { mark.thickness = min(max(width, 0.1), 100) }
        return mark
    }
}
