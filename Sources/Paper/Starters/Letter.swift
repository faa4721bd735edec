/// A letter whose address shows in the window of an envelope: on A4 as DIN 5008 places it (form B), on US Letter for
/// a number 10 envelope with one window.
struct Letter {
    private let paper: PaperSize
    private let letterhead: Letterhead?
    private let width: Double
    private let height: Double

    init(_ paper: PaperSize, _ letterhead: Letterhead? = nil) {
        self.paper = paper
        self.letterhead = letterhead
        (width, height) = paper.size
    }

    private var left: Double { paper == .a4 ? 70.87 : 72 }
    private var right: Double { width - 64 }
    private var addressTop: Double { paper == .a4 ? 138 : 144 }

    func bytes() -> [UInt8] {
        var draft = PaperDraft(title: "Letter", accent: letterhead?.accent)
        draft.page(width: width, height: height) { page in
            head(&page)
            address(&page)
            body(&page)
            if paper == .a4 { foldMarks(&page.leaf) }
        }
        return draft.bytes()
    }

    private func head(_ page: inout PaperDraft.Page) {
        if let letterhead { return head(&page, letterhead) }
        page.add(
            PaperField(
                "Sender", tooltip: "Your name or organisation",
                Place(x: left - 2, y: 40, width: 282, height: 26)
            ).with {
                $0.font = .display
                $0.size = 19
                $0.colour = .accent
            })
        page.add(
            PaperField(
                "Sender contact", .multiline, tooltip: "Your telephone, e-mail and website",
                Place(x: right - 170, y: 40, width: 170, height: 40)
            ).with {
                $0.size = 8.5
                $0.colour = .muted
                $0.alignment = .right
            })
        page.leaf.line(left, 86, right, 86, width: 0.9, colour: .accent)
    }

    private func head(_ page: inout PaperDraft.Page, _ letterhead: Letterhead) {
        letterhead.drawName(
            on: &page, in: Place(x: left, y: 32, width: 270, height: 44), .display, size: 19)
        let lines = min(letterhead.lines.count, 8)
        letterhead.drawLines(on: &page, x: right, y: 40, leading: 10, size: 8.5, alignment: .right)
        let rule = max(86, 40 + Double(lines - 1) * 10 + 8)
        page.leaf.line(left, rule, right, rule, width: 0.9, colour: .accent)
    }

    /// Seen in the window, so that a letter finds its way back.
    private func returnAddress(_ page: inout PaperDraft.Page) {
        guard let letterhead else {
            return page.add(
                PaperField(
                    "Return address", tooltip: "Your address in one small line, seen in the window",
                    Place(x: left - 2, y: addressTop - 16, width: 240, height: 12)
                ).with {
                    $0.size = 7
                    $0.colour = .muted
                })
        }
        var line = letterhead.name
        for next in letterhead.lines where !next.contains("@") {
            let longer = line.isEmpty ? next : "\(line) · \(next)"
            guard page.leaf.width(longer, .sans, size: 7) <= 240 else { break }
            line = longer
        }
        page.leaf.text(line, x: left, y: addressTop - 8, size: 7, colour: .muted)
    }

    private func address(_ page: inout PaperDraft.Page) {
        returnAddress(&page)
        page.add(
            PaperField(
                "Recipient", .multiline, tooltip: "Name and address of the recipient",
                Place(x: left - 2, y: addressTop, width: 240, height: 78)
            ).with {
                $0.size = 11
                $0.isRequired = true
            })
        page.add(
            PaperField(
                "Date", tooltip: "Date of the letter",
                Place(x: right - 170, y: addressTop + 60, width: 170, height: 18)
            )
            .with {
                $0.size = 10.5
                $0.alignment = .right
                $0.format = .date(paper.datePattern)
            })
    }

    private func body(_ page: inout PaperDraft.Page) {
        let subject = paper == .a4 ? 280.0 : 262
        page.add(
            PaperField(
                "Subject", tooltip: "What the letter is about",
                Place(x: left - 2, y: subject, width: right - left, height: 20)
            ).with {
                $0.font = .sansBold
                $0.size = 12
            })
        page.add(
            PaperField(
                "Salutation", tooltip: "Dear …",
                Place(x: left - 2, y: subject + 32, width: right - left, height: 18)
            ).with {
                $0.size = 11
            })
        let text = subject + 56
        let end = height - 168
        page.add(
            PaperField(
                "Text", .multiline, tooltip: "The text of the letter",
                Place(x: left - 2, y: text, width: right - left + 4, height: end - text)
            ).with { $0.size = 11 })
        page.add(
            PaperField(
                "Closing", tooltip: "Yours sincerely, or the like",
                Place(x: left - 2, y: end + 10, width: 240, height: 18)
            ).with {
                $0.size = 11
            })
        page.add(
            PaperField(
                "Signed by", tooltip: "Your name below the signature",
                Place(x: left - 2, y: end + 70, width: 240, height: 18)
            ).with {
                $0.size = 11
            })
        page.add(
            PaperField(
                "Enclosures", tooltip: "What comes with the letter",
                Place(x: left - 2, y: height - 62, width: right - left, height: 16)
            ).with {
                $0.size = 9
                $0.colour = .muted
            })
    }

    /// Where to fold, and where to punch.
    private func foldMarks(_ leaf: inout Leaf) {
        for (y, length) in [(297.64, 12.0), (420.94, 18), (595.28, 12)] {
            leaf.line(14, y, 14 + length, y, width: 0.5, colour: .hair)
        }
    }
}
