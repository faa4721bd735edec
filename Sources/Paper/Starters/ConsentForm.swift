/// What parents sign: who, what for, what is agreed to.
struct ConsentForm {
    private let paper: PaperSize
    private let letterhead: Letterhead?
    private let width: Double
    private let height: Double
    private let margin = 54.0
    private let gutter = 16.0

    init(_ paper: PaperSize, _ letterhead: Letterhead? = nil) {
        self.paper = paper
        self.letterhead = letterhead
        (width, height) = paper.size
    }

    /// A4 is taller, and gets a little more air.
    private var line: Double { paper == .a4 ? 21.5 : 19 }
    private var gap: Double { paper == .a4 ? 8 : 6 }

    private var inside: Double { width - 2 * margin }
    private var half: Double { (inside - gutter) / 2 }

    func bytes() -> [UInt8] {
        var draft = PaperDraft(title: "Consent form", accent: letterhead?.accent)
        draft.page(width: width, height: height) { page in
            var y = head(&page)
            y = section("Participant", &page, y)
            y = row(&page, y, [("First name", nil), ("Last name", nil)])
            y = row(&page, y, [("Date of birth", .date(paper.datePattern)), ("Class or group", nil)])
            y = section("Parent or guardian", &page, y)
            y = guardian(&page, y)
            y = section("Activity", &page, y)
            y = row(&page, y, [("Activity", nil), ("Place", nil)])
            y = row(
                &page, y, [("Starts on", .date(paper.datePattern)), ("Ends on", .date(paper.datePattern))])
            y = section("Health", &page, y)
            y = field(
                "Allergies, medicines, what we should know", "Health notes", &page, kind: .multiline,
                x: margin, y: y, width: inside, height: paper == .a4 ? 58 : 44)
            y = section("I agree that my child may", &page, y + 2)
            y = consents(&page, y)
            signature(&page)
        }
        return draft.bytes()
    }

    private func head(_ page: inout PaperDraft.Page) -> Double {
        page.leaf.box(Place(x: 0, y: 0, width: width, height: 8), fill: .accent)
        page.leaf.text("Consent form", x: margin, y: 62, .sansBold, size: 26, tag: .title)
        page.leaf.text(
            "Please fill in all parts, sign, and give it back before the activity.", x: margin, y: 80,
            size: 9.5,
            colour: .muted)
        let place = Place(x: width - margin - 200, y: 46, width: 200, height: 18)
        if let letterhead {
            letterhead.drawName(
                on: &page, in: Place(x: place.x, y: 28, width: 200, height: 40), .sansBold, size: 12,
                alignment: .right)
            return 98
        }
        page.add(
            PaperField(
                "Organisation", tooltip: "School or club that asks for consent",
                place
            ).with {
                $0.font = .sansBold
                $0.size = 10
                $0.colour = .accent
                $0.alignment = .right
            })
        return 98
    }

    private func section(_ title: String, _ page: inout PaperDraft.Page, _ y: Double) -> Double {
        page.leaf.text(title, x: margin, y: y + 14, .sansBold, size: 11, colour: .accent, tag: .heading)
        page.leaf.line(margin, y + 20, width - margin, y + 20, width: 0.8, colour: .accent)
        return y + 27
    }

    /// A caption and a tinted place to write below it.
    private func field(
        _ caption: String, _ name: String, _ page: inout PaperDraft.Page, kind: PaperField.Kind = .text,
        x: Double, y: Double, width: Double, height: Double? = nil, format: PaperField.Format? = nil,
        isRequired: Bool = false
    ) -> Double {
        let height = height ?? line
        page.leaf.text(caption, x: x, y: y + 8, size: 8, colour: .muted)
        let place = Place(x: x, y: y + 12, width: width, height: height)
        page.leaf.box(place, fill: .tint, radius: 3)
        page.leaf.line(x + 2, y + 12 + height, x + width - 2, y + 12 + height, width: 0.5, colour: .hair)
        page.add(
            PaperField(
                name, kind, tooltip: caption,
                Place(x: x + 3, y: y + 12.5, width: width - 6, height: height - 1)
            )
            .with {
                $0.size = 10.5
                $0.format = format
                $0.isRequired = isRequired
            })
        return y + 12 + height + gap
    }

    private func row(
        _ page: inout PaperDraft.Page, _ y: Double, _ fields: [(name: String, format: PaperField.Format?)]
    ) -> Double {
        var bottom = y
        for (index, entry) in fields.enumerated() {
            bottom = field(
                entry.name, entry.name, &page, x: margin + Double(index) * (half + gutter), y: y, width: half,
                format: entry.format, isRequired: entry.name.hasSuffix("name"))
        }
        return bottom
    }

    private func guardian(_ page: inout PaperDraft.Page, _ y: Double) -> Double {
        _ = field("Full name", "Parent name", &page, x: margin, y: y, width: half, isRequired: true)
        var bottom = field(
            "Relationship", "Relationship", &page, kind: .choice(["Mother", "Father", "Guardian"]),
            x: margin + half + gutter, y: y, width: half)
        let next = bottom
        _ = field("Telephone on the day", "Phone", &page, x: margin, y: next, width: half)
        bottom = field("E-mail", "E-mail", &page, x: margin + half + gutter, y: next, width: half)
        return bottom
    }

    private func consents(_ page: inout PaperDraft.Page, _ y: Double) -> Double {
        let lines = [
            ("May take part", "take part in the activity described above"),
            ("First aid", "be given first aid and, in an emergency, be treated by a doctor"),
            ("Photographs", "be photographed, and the pictures be shown in print and on the website"),
            ("Travel alone", "go home alone when the activity ends"),
        ]
        var y = y + 2
        for (name, words) in lines {
            page.leaf.box(
                Place(x: margin, y: y, width: 12, height: 12), fill: .white, stroke: .muted, width: 0.8,
                radius: 2)
            page.add(
                PaperField(
                    name, .checkBox, tooltip: "My child may \(words)",
                    Place(x: margin, y: y, width: 12, height: 12)
                )
                .with { $0.colour = .accent })
            page.leaf.text(words, x: margin + 20, y: y + 9.6, size: 9.5)
            y += line
        }
        return y
    }

    private func signature(_ page: inout PaperDraft.Page) {
        let line = height - 62
        page.add(
            PaperField(
                "Signed in", tooltip: "Place and date of signing",
                Place(x: margin, y: line - 21, width: half, height: 19)))
        page.leaf.line(margin, line, margin + half, line, width: 0.8, colour: .ink)
        page.leaf.text("Place and date", x: margin, y: line + 11, size: 8, colour: .muted)
        let x = margin + half + gutter
        page.add(
            PaperField(
                "Signature", .signature, tooltip: "Signature of parent or guardian",
                Place(x: x, y: line - 32, width: half, height: 31)))
        page.leaf.line(x, line, x + half, line, width: 0.8, colour: .ink)
        page.leaf.text("Signature of parent or guardian", x: x, y: line + 11, size: 8, colour: .muted)
    }
}
