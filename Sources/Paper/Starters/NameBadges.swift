/// Eight badges of 90 by 60 millimetres; the event is one field, shown on all of them.
struct NameBadges {
    private let width: Double
    private let height: Double
    private let badge = (width: 255.118, height: 170.079)

    init(_ paper: PaperSize) { (width, height) = paper.size }

    private var left: Double { (width - 2 * badge.width) / 2 }
    private var top: Double { (height - 4 * badge.height) / 2 }

    func bytes() -> [UInt8] {
        var draft = PaperDraft(title: "Name badges")
        draft.page(width: width, height: height) { page in
            cutMarks(&page.leaf)
            let corners = (0..<8).map { index in
                (x: left + Double(index % 2) * badge.width, y: top + Double(index / 2) * badge.height)
            }
            for corner in corners { ground(&page.leaf, corner.x, corner.y) }
            page.add(
                PaperField(
                    "Event", tooltip: "Name of the event, shown on all badges",
                    places: corners.map {
                        Place(x: $0.x + 16, y: $0.y + 12, width: badge.width - 32, height: 20)
                    }
                ).with {
                    $0.font = .sansBold
                    $0.size = 10
                    $0.colour = .white
                    $0.alignment = .centre
                })
            for (index, corner) in corners.enumerated() { person(&page, index + 1, corner.x, corner.y) }
        }
        return draft.bytes()
    }

    private func ground(_ leaf: inout Leaf, _ x: Double, _ y: Double) {
        leaf.box(
            Place(x: x + 6, y: y + 6, width: badge.width - 12, height: badge.height - 12), stroke: .hair,
            width: 0.6, radius: 8)
        leaf.box(Place(x: x + 6, y: y + 6, width: badge.width - 12, height: 34), fill: .accent, radius: 8)
        // The band is round above and straight below.
        leaf.box(Place(x: x + 6, y: y + 15, width: badge.width - 12, height: 25), fill: .accent)
        leaf.line(
            x + badge.width / 2 - 18, y + 118, x + badge.width / 2 + 18, y + 118, width: 1.6, colour: .gold)
    }

    private func person(_ page: inout PaperDraft.Page, _ number: Int, _ x: Double, _ y: Double) {
        func place(_ top: Double, _ height: Double) -> Place {
            Place(x: x + 14, y: y + top, width: badge.width - 28, height: height)
        }
        page.add(
            PaperField("Name \(number)", tooltip: "Name on badge \(number)", place(62, 38)).with {
                $0.font = .sansBold
                $0.size = 23
                $0.alignment = .centre
            })
        page.add(
            PaperField("Role \(number)", tooltip: "Role on badge \(number)", place(124, 16)).with {
                $0.size = 10.5
                $0.alignment = .centre
            })
        page.add(
            PaperField("Organisation \(number)", tooltip: "Organisation on badge \(number)", place(140, 15))
                .with {
                    $0.size = 9
                    $0.colour = .muted
                    $0.alignment = .centre
                })
    }

    private func cutMarks(_ leaf: inout Leaf) {
        for column in 0...2 {
            let x = left + Double(column) * badge.width
            leaf.line(x, top - 16, x, top - 4, width: 0.4, colour: .muted)
            leaf.line(x, height - top + 4, x, height - top + 16, width: 0.4, colour: .muted)
        }
        for row in 0...4 {
            let y = top + Double(row) * badge.height
            leaf.line(left - 16, y, left - 4, y, width: 0.4, colour: .muted)
            leaf.line(width - left + 4, y, width - left + 16, y, width: 0.4, colour: .muted)
        }
    }
}
