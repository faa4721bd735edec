import PDF
import PDFForms
import PDFReading

/// Notes as XFDF (ISO 19444-1), by which they go from one program to another.
extension MarkedPaper {
    private static let tags: [String: String] = [
        "highlight": "highlight", "underline": "underline", "strike": "strikeout", "squiggle": "squiggly",
        "note": "text", "text": "freetext", "line": "line", "arrow": "line", "box": "square",
        "ellipse": "circle", "ink": "ink", "stamp": "stamp",
    ]

    /// Those that XFDF can say: pictures and names written by hand stay with the paper.
    public var xfdf: String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <xfdf xmlns="http://ns.adobe.com/xfdf/" xml:space="preserve">
            <annots>

            """
        for mark in marks {
            guard let tag = Self.tags[mark.kind], let entries = entries(of: mark.id) else { continue }
            text += element(tag, mark, entries)
        }
        return text + "</annots>\n</xfdf>\n"
    }

    private func element(_ tag: String, _ mark: FoundMark, _ entries: PDFDictionary) -> String {
        func list(_ numbers: [Double]) -> String { numbers.map(Self.short).joined(separator: ",") }
        var attributes: [(String, String)] = [
            ("page", "\(mark.page)"), ("rect", list(numbers(entries["Rect"]))), ("name", mark.id),
        ]
        if !mark.author.isEmpty { attributes.append(("title", mark.author)) }
        if let time = mark.time { attributes.append(("date", PDFMoment.text(time))) }
        if let colour = mark.colour { attributes.append(("color", colour.text)) }
        let opacity = number(entries["CA"])
        if let opacity, opacity < 1 { attributes.append(("opacity", Self.short(opacity))) }
        if let width = width(entries) { attributes.append(("width", Self.short(width))) }
        var inner = ""
        switch tag {
        case "highlight", "underline", "strikeout", "squiggly":
            attributes.append(("coords", list(numbers(entries["QuadPoints"]))))
        case "line":
            let ends = numbers(entries["L"])
            if ends.count == 4 {
                attributes.append(("start", list(Array(ends[..<2]))))
                attributes.append(("end", list(Array(ends[2...]))))
            }
            if mark.kind == "arrow" { attributes.append(("tail", "OpenArrow")) }
        case "ink":
            inner += "<inklist>"
            for stroke in array(entries["InkList"]) {
                let points = numbers(stroke)
                let pairs = stride(from: 0, to: points.count - 1, by: 2).map {
                    list([points[$0], points[$0 + 1]])
                }
                inner += "<gesture>\(pairs.joined(separator: ";"))</gesture>"
            }
            inner += "</inklist>"
        case "freetext":
            let look = words(entries["DA"])
            if !look.isEmpty {
                inner += "<defaultappearance>\(FormData.escaped(look))</defaultappearance>"
            }
        case "square", "circle":
            if let fill = Mark.Colour(parts: numbers(entries["IC"])) {
                attributes.append(("interior-color", fill.text))
            }
        default: break
        }
        if !mark.text.isEmpty { inner += "<contents>\(FormData.escaped(mark.text))</contents>" }
        let said = attributes.map { " \($0.0)=\"\(FormData.escaped($0.1, isAttribute: true))\"" }.joined()
        var element = "<\(tag)\(said)>\(inner)</\(tag)>\n"
        for (place, reply) in mark.replies.enumerated() {
            let title = FormData.escaped(reply.author, isAttribute: true)
            let name = FormData.escaped("\(mark.id)-\(place + 1)", isAttribute: true)
            let whose = FormData.escaped(mark.id, isAttribute: true)
            element +=
                "<text page=\"\(mark.page)\" rect=\"\(list(numbers(entries["Rect"])))\" name=\"\(name)\" "
                + "title=\"\(title)\" inreplyto=\"\(whose)\"><contents>\(FormData.escaped(reply.text))</contents></text>\n"
        }
        return element
    }

    private static func short(_ number: Double) -> String {
        var out: [UInt8] = []
        out.append(number: number, decimals: 3)
        return String(decoding: out, as: UTF8.self)
    }

    // MARK: Reading

    /// What another program wrote down, as changes; answers go to notes of the same file, or to those that lie here.
    public func changes(xfdf bytes: [UInt8]) throws(MarkError) -> MarkChanges {
        do throws(FormDataError) {
            return try XFDFMarks(bytes, on: self).changes
        } catch {
            throw .badXFDF("\(error)")
        }
    }
}

private struct XFDFMarks {
    var changes = MarkChanges()
    private let paper: MarkedPaper

    private struct Element {
        var tag: String
        var attributes: [String: String]
        var contents = ""
        var look = ""
        var gestures: [String] = []
    }

    private static let kinds: [String: Mark.Kind] = [
        "highlight": .highlight, "underline": .underline, "strikeout": .strike, "squiggly": .squiggle,
        "text": .note, "freetext": .text, "line": .line, "square": .box, "circle": .ellipse, "ink": .ink,
        "stamp": .stamp,
    ]

    init(_ bytes: [UInt8], on paper: MarkedPaper) throws(FormDataError) {
        guard bytes.count <= 32 << 20 else { throw FormDataError("it is larger than 32 MB") }
        self.paper = paper
        var scanner = try MarkupScanner(bytes)
        var path: [String] = []
        var element: Element?
        var text = ""
        var isBegun = false
        while let event = try scanner.next() {
            switch event {
            case .open(let tag, let attributes):
                isBegun = true
                if path.isEmpty, tag != "xfdf" { throw FormDataError("it is XML, but no XFDF") }
                guard path.count < 60 else { throw FormDataError("its elements lie too deep") }
                path.append(tag)
                text = ""
                if path.count == 3, path[1] == "annots", Self.kinds[tag] != nil {
                    element = Element(tag: tag, attributes: attributes)
                }
            case .text(let part): text += part
            case .close(let tag):
                guard path.popLast() == tag else { throw FormDataError("its elements do not close in order") }
                switch tag {
                case "contents": element?.contents = text
                case "defaultappearance": element?.look = text
                case "gesture": element?.gestures.append(text)
                default: break
                }
                guard path.count == 2, let whole = element, whole.tag == tag else { continue }
                element = nil
                guard changes.added.count < MarkChanges.mostAdded else {
                    throw FormDataError("it has more than \(MarkChanges.mostAdded) notes")
                }
                take(whole)
            }
        }
        guard path.isEmpty, isBegun else { throw FormDataError("it is cut off") }
    }

    private mutating func take(_ element: Element) {
        let said = element.attributes
        if let whose = said["inreplyto"] {
            if paper.marks.contains(where: { $0.id == whose }), !element.contents.isEmpty {
                changes.replies.append(.init(whose, element.contents))
            }
            return
        }
        // What lies here already is not put there a second time.
        if let name = said["name"], paper.marks.contains(where: { $0.id == name }) { return }
        guard let kind = Self.kinds[element.tag], let page = said["page"].flatMap({ Int($0) }),
            let frame = paper.frame(page)
        else { return }
        func numbers(_ text: String?) -> [Double] {
            let parts = (text ?? "").split { $0 == "," || $0 == ";" || $0.isWhitespace }.prefix(400_000)
            let read = parts.compactMap { Double($0) }.filter { abs($0) < 100_000 }
            return read.count == parts.count ? read : []
        }
        func point(_ x: Double, _ y: Double) -> Mark.Point {
            let seen = frame.shown(x: x, y: y)
            return Mark.Point(x: seen.x, y: frame.height - seen.y)
        }
        func area(_ points: [Mark.Point]) -> Mark.Area? {
            guard let left = points.map(\.x).min(), let right = points.map(\.x).max(),
                let top = points.map(\.y).min(), let bottom = points.map(\.y).max()
            else { return nil }
            return Mark.Area(x: left, y: top, width: right - left, height: bottom - top)
        }
        func points(_ numbers: [Double]) -> [Mark.Point] {
            stride(from: 0, to: numbers.count - 1, by: 2).map { point(numbers[$0], numbers[$0 + 1]) }
        }
        var mark = Mark(kind, page: page)
        mark.text = String(element.contents.prefix(MarkChanges.longestText))
        mark.author = String((said["title"] ?? "").prefix(200))
        if let colour = said["color"].flatMap({ Mark.Colour($0.lowercased()) }) { mark.colour = colour }
        if let opacity = said["opacity"].flatMap(Double.init), opacity.isFinite {
            mark.opacity = min(max(opacity, 0.05), 1)
        }
        if let width = said["width"].flatMap(Double.init), width.isFinite {
            mark.thickness = min(max(width, 0.1), 100)
        }
        let rect = points(numbers(said["rect"]))
        switch kind {
        case .highlight, .underline, .strike, .squiggle:
            let corners = points(numbers(said["coords"]))
            mark.areas = stride(from: 0, to: corners.count - 3, by: 4).prefix(2_000).compactMap {
                area(Array(corners[$0..<$0 + 4]))
            }
            if mark.areas.isEmpty { mark.areas = area(rect).map { [$0] } ?? [] }
        case .line:
            mark.strokes = [points(numbers(said["start"]) + numbers(said["end"]))]
            if [said["head"], said["tail"]].contains(where: { $0 != nil && $0 != "None" }) {
                mark.kind = .arrow
            }
        case .ink: mark.strokes = element.gestures.prefix(5_000).map { points(numbers($0)) }
        default: mark.areas = area(rect).map { [$0] } ?? []
        }
        if let fill = said["interior-color"].flatMap({ Mark.Colour($0.lowercased()) }) { mark.fill = fill }
        if kind == .text {
            let (colour, isSaid) = (mark.colour, said["color"] != nil)
            mark.dress(DefaultAppearance(element.look))
            if isSaid { mark.colour = colour }
        }
        if kind == .stamp, mark.text.isEmpty { mark.text = said["icon"] ?? "Stamp" }
        let isDrawn = kind == .line || kind == .ink
        guard isDrawn ? mark.strokes.contains(where: { !$0.isEmpty }) : !mark.areas.isEmpty else { return }
        if kind == .text, mark.text.allSatisfy(\.isWhitespace) { return }
        changes.added.append(mark)
    }
}
