/// An award on its side: a quiet frame, one large name, a seal between date and signature.
struct Certificate {
    private let paper: PaperSize
    private let letterhead: Letterhead?
    private let width: Double
    private let height: Double

    init(_ paper: PaperSize, _ letterhead: Letterhead? = nil) {
        self.paper = paper
        self.letterhead = letterhead
        (height, width) = paper.size
    }

    func bytes() -> [UInt8] {
        var draft = PaperDraft(title: "Certificate", accent: letterhead?.accent)
        draft.page(width: width, height: height) { page in
            frame(&page.leaf)
            words(&page)
            foot(&page)
        }
        return draft.bytes()
    }

    private var middle: Double { width / 2 }

    private func frame(_ leaf: inout Leaf) {
        let outer = 30.0
        let inner = 37.0
        leaf.box(
            Place(x: outer, y: outer, width: width - 2 * outer, height: height - 2 * outer), stroke: .gold,
            width: 2.2)
        leaf.box(
            Place(x: inner, y: inner, width: width - 2 * inner, height: height - 2 * inner),
            stroke: .paleGold, width: 0.7)
        // Corners are cut by small squares standing on their points.
        for (x, y) in [
            (outer, outer), (width - outer, outer), (outer, height - outer), (width - outer, height - outer),
        ] {
            leaf.shape([(x, y - 11), (x + 11, y), (x, y + 11), (x - 11, y)], fill: .white)
            leaf.shape([(x, y - 7.5), (x + 7.5, y), (x, y + 7.5), (x - 7.5, y)], fill: .gold)
            leaf.shape([(x, y - 3), (x + 3, y), (x, y + 3), (x - 3, y)], fill: .white)
        }
    }

    private func organisation(_ page: inout PaperDraft.Page, _ top: Double) {
        if let letterhead {
            return letterhead.drawName(
                on: &page, in: Place(x: middle - 220, y: top - 18, width: 440, height: 44), .sansBold,
                size: 13,
                colour: .muted, alignment: .centre)
        }
        page.add(
            PaperField(
                "Organisation", tooltip: "School, club or company that gives the award",
                Place(x: middle - 220, y: top, width: 440, height: 20)
            ).with {
                $0.font = .sansBold
                $0.size = 11
                $0.colour = .muted
                $0.alignment = .centre
            })
    }

    private func words(_ page: inout PaperDraft.Page) {
        let top = height * 0.13
        organisation(&page, top)
        let title = top + 90
        page.leaf.text(
            "Certificate", x: middle, y: title, .display, size: 58, alignment: .centre, tag: .title)
        page.leaf.text(
            "OF ACHIEVEMENT", x: middle, y: title + 27, .sansBold, size: 10.5, colour: .gold,
            alignment: .centre, spacing: 4.2, tag: .heading)
        page.leaf.text(
            "is presented to", x: middle, y: title + 72, .serifItalic, size: 14, colour: .muted,
            alignment: .centre)
        let name = title + 88
        page.add(
            PaperField(
                "Full name", tooltip: "Full name of the person who receives the award",
                Place(x: middle - 260, y: name, width: 520, height: 50)
            ).with {
                $0.font = .display
                $0.size = 34
                $0.colour = .accent
                $0.alignment = .centre
                $0.isRequired = true
            })
        ornament(&page.leaf, y: name + 60)
        page.leaf.text(
            "in recognition of", x: middle, y: name + 95, .serifItalic, size: 14, colour: .muted,
            alignment: .centre)
        page.add(
            PaperField(
                "Reason", .multiline, tooltip: "What the award is given for, up to two lines",
                Place(x: middle - 230, y: name + 105, width: 460, height: 50)
            ).with {
                $0.font = .serif
                $0.size = 15
                $0.alignment = .centre
            })
    }

    private func ornament(_ leaf: inout Leaf, y: Double) {
        leaf.line(middle - 200, y, middle - 12, y, width: 0.9, colour: .gold)
        leaf.line(middle + 12, y, middle + 200, y, width: 0.9, colour: .gold)
        leaf.shape(
            [(middle, y - 4), (middle + 4, y), (middle, y + 4), (middle - 4, y)], fill: .gold)
    }

    private func foot(_ page: inout PaperDraft.Page) {
        let line = height - 92
        let left = middle - 200
        let right = middle + 200
        seal(&page.leaf, x: middle, y: line - 6)
        page.add(
            PaperField(
                "Date", tooltip: "Day of the award", Place(x: left - 90, y: line - 24, width: 180, height: 22)
            ).with {
                $0.font = .serif
                $0.size = 12.5
                $0.alignment = .centre
                $0.format = .date(paper.datePattern)
            })
        page.leaf.line(left - 90, line, left + 90, line, width: 0.7, colour: .muted)
        page.leaf.text("Date", x: left, y: line + 14, size: 8.5, colour: .muted, alignment: .centre)
        page.leaf.line(right - 90, line, right + 90, line, width: 0.7, colour: .muted)
        page.add(
            PaperField(
                "Signed by", tooltip: "Name of the person who signs",
                Place(x: right - 90, y: line + 2, width: 180, height: 16)
            ).with {
                $0.font = .sansBold
                $0.size = 9
                $0.alignment = .centre
            })
        page.add(
            PaperField(
                "Position", tooltip: "Position of the person who signs",
                Place(x: right - 90, y: line + 17, width: 180, height: 14)
            ).with {
                $0.size = 8.5
                $0.colour = .muted
                $0.alignment = .centre
            })
    }

    /// A rosette: a ring of points around a star.
    private func seal(_ leaf: inout Leaf, x: Double, y: Double) {
        let points = Circle.star(points: 28, outer: 33, inner: 29.5, x: x, y: y)
        for side in [-1.0, 1.0] {
            leaf.shape(
                [
                    (x + side * 4, y + 18), (x + side * 22, y + 14), (x + side * 27, y + 52),
                    (x + side * 17, y + 45), (x + side * 10, y + 54),
                ], fill: .paleGold)
        }
        leaf.shape(points, fill: .gold)
        leaf.circle(x: x, y: y, radius: 25.5, stroke: .white, width: 0.9)
        leaf.circle(x: x, y: y, radius: 22.5, stroke: .paleGold, width: 0.5)
        leaf.shape(Circle.star(points: 5, outer: 14, inner: 5.7, x: x, y: y), fill: .white)
    }
}

/// Points around a middle.
enum Circle {
    /// A star standing on two of its points. Sines of so few angles are worked out by turning, without a library.
    static func star(
        points: Int, outer: Double, inner: Double, x: Double, y: Double
    ) -> [(x: Double, y: Double)] {
        let step = turn(byParts: points * 2)
        var direction = (x: 0.0, y: -1.0)
        return (0..<points * 2).map { index in
            let radius = index.isMultiple(of: 2) ? outer : inner
            defer {
                direction = (
                    direction.x * step.cos - direction.y * step.sin,
                    direction.x * step.sin + direction.y * step.cos
                )
            }
            return (x + direction.x * radius, y + direction.y * radius)
        }
    }

    private static func turn(byParts parts: Int) -> (sin: Double, cos: Double) {
        let angle = 2 * Double.pi / Double(max(1, parts))
        var sine = 0.0
        var term = angle
        for index in 1...12 {
            sine += term
            term *= -angle * angle / Double((2 * index) * (2 * index + 1))
        }
        var cosine = 0.0
        term = 1
        for index in 1...12 {
            cosine += term
            term *= -angle * angle / Double((2 * index - 1) * (2 * index))
        }
        return (sine, cosine)
    }
}
