/// Lines with quantities and prices, a sum, a tax and a total that work themselves out.
struct Invoice {
    private let paper: PaperSize
    private let letterhead: Letterhead?
    private let width: Double
    private let height: Double
    private let margin = 54.0
    private let rows = 8

    init(_ paper: PaperSize, _ letterhead: Letterhead? = nil) {
        self.paper = paper
        self.letterhead = letterhead
        (width, height) = paper.size
    }

    private var right: Double { width - margin }

    func bytes() -> [UInt8] {
        var draft = PaperDraft(title: "Invoice", accent: letterhead?.accent)
        draft.page(width: width, height: height) { page in
            head(&page)
            let y = table(&page, 274)
            totals(&page, y + 10)
            foot(&page)
        }
        return draft.bytes()
    }

    private func sender(_ page: inout PaperDraft.Page) {
        if let letterhead {
            letterhead.drawName(
                on: &page, in: Place(x: margin, y: 44, width: 280, height: 42), .sansBold, size: 15,
                colour: .ink)
            return letterhead.drawLines(
                on: &page, x: margin, y: 100, leading: 9.5, size: 8.5, alignment: .left, most: 6)
        }
        page.leaf.box(Place(x: margin, y: 48, width: 34, height: 4), fill: .accent)
        page.add(
            PaperField(
                "Sender", tooltip: "Your name or company", Place(x: margin - 2, y: 60, width: 280, height: 24)
            )
            .with {
                $0.font = .sansBold
                $0.size = 15
            })
        page.add(
            PaperField(
                "Sender address", .multiline, tooltip: "Your address, telephone and tax number",
                Place(x: margin - 2, y: 84, width: 280, height: 44)
            ).with {
                $0.size = 9
                $0.colour = .muted
            })
    }

    private func head(_ page: inout PaperDraft.Page) {
        sender(&page)
        page.leaf.text(
            "INVOICE", x: right, y: 80, .sansBold, size: 24, colour: .accent, alignment: .right, spacing: 2.5,
            tag: .title)
        let labels = ["Invoice number", "Invoice date", "Due date"]
        for (index, label) in labels.enumerated() {
            let y = 158 + Double(index) * 24
            page.leaf.text(label, x: right - 200, y: y + 13, size: 9, colour: .muted)
            page.leaf.line(right - 200, y + 20, right, y + 20, width: 0.5)
            page.add(
                PaperField(label, tooltip: label, Place(x: right - 110, y: y, width: 110, height: 19)).with {
                    $0.alignment = .right
                    $0.size = 10
                    if index > 0 { $0.format = .date(paper.datePattern) }
                    if index == 0 {
                        $0.isRequired = true
                        $0.font = .sansBold
                    }
                })
        }
        page.leaf.text("Bill to", x: margin, y: 158 + 11, .sansBold, size: 9, colour: .accent, tag: .heading)
        page.add(
            PaperField(
                "Customer", tooltip: "Name of the customer",
                Place(x: margin - 2, y: 174, width: 250, height: 18)
            ).with {
                $0.font = .sansBold
                $0.size = 11
                $0.isRequired = true
            })
        page.add(
            PaperField(
                "Customer address", .multiline, tooltip: "Address of the customer",
                Place(x: margin - 2, y: 191, width: 250, height: 48)
            ).with { $0.size = 10 })
    }

    /// Left edges of the columns; the last is the right edge of the table.
    private var columns: [Double] { [margin, right - 220, right - 160, right - 80, right] }

    private func table(_ page: inout PaperDraft.Page, _ top: Double) -> Double {
        page.leaf.box(Place(x: margin, y: top, width: right - margin, height: 22), fill: .accent, radius: 3)
        let heads: [(String, Leaf.Alignment)] = [
            ("Description", .left), ("Quantity", .right), ("Price", .right), ("Amount", .right),
        ]
        for (index, (head, alignment)) in heads.enumerated() {
            page.leaf.text(
                head, x: alignment == .left ? columns[index] + 8 : columns[index + 1] - 8, y: top + 14.5,
                .sansBold,
                size: 9, colour: .white, alignment: alignment, tag: .heading)
        }
        let rowHeight = 24.0
        var y = top + 26
        for row in 1...rows {
            if row.isMultiple(of: 2) {
                page.leaf.box(
                    Place(x: margin, y: y, width: right - margin, height: rowHeight), fill: .tint, radius: 3)
            }
            func place(_ column: Int) -> Place {
                Place(
                    x: columns[column] + 6, y: y + 2.5, width: columns[column + 1] - columns[column] - 12,
                    height: rowHeight - 5)
            }
            page.add(
                PaperField("Description \(row)", tooltip: "What line \(row) is for", place(0)).with {
                    $0.size = 10
                })
            page.add(
                PaperField("Quantity \(row)", tooltip: "How many, line \(row)", place(1)).with {
                    $0.size = 10
                    $0.alignment = .right
                })
            page.add(
                PaperField("Price \(row)", tooltip: "Price of one, line \(row)", place(2)).with {
                    $0.size = 10
                    $0.alignment = .right
                    $0.format = .number(decimals: 2)
                })
            page.add(
                PaperField("Amount \(row)", tooltip: "Quantity times price, line \(row)", place(3)).with {
                    $0.size = 10
                    $0.alignment = .right
                    $0.format = .number(decimals: 2)
                    $0.calculation = .init(operation: "PRD", fields: ["Quantity \(row)", "Price \(row)"])
                })
            y += rowHeight
        }
        page.leaf.line(margin, y + 3, right, y + 3, width: 0.8, colour: .accent)
        return y + 3
    }

    private func totals(_ page: inout PaperDraft.Page, _ top: Double) {
        let left = right - 220
        let amounts = (1...rows).map { "Amount \($0)" }
        func line(_ y: Double, _ field: PaperField, isStrong: Bool = false) {
            page.add(
                field.with {
                    $0.alignment = .right
                    $0.size = isStrong ? 13 : 10
                    $0.font = isStrong ? .sansBold : .sans
                    $0.colour = isStrong ? .white : .ink
                })
        }
        func place(_ y: Double, width: Double = 110) -> Place {
            Place(x: right - 6 - width, y: y, width: width, height: 19)
        }
        page.leaf.text("Subtotal", x: left + 8, y: top + 13, size: 9.5, colour: .muted)
        line(
            top,
            PaperField("Subtotal", tooltip: "Sum of all lines", place(top)).with {
                $0.format = .number(decimals: 2)
                $0.calculation = .init(operation: "SUM", fields: amounts)
            })
        let second = top + 23
        page.leaf.text("Tax", x: left + 8, y: second + 13, size: 9.5, colour: .muted)
        page.add(
            PaperField(
                "Tax rate", tooltip: "Tax rate in per cent",
                Place(x: left + 36, y: second, width: 52, height: 19)
            ).with {
                $0.size = 10
                $0.format = .percent(decimals: 1)
            })
        line(
            second,
            PaperField("Tax", tooltip: "Subtotal times tax rate", place(second)).with {
                $0.format = .number(decimals: 2)
                $0.calculation = .init(operation: "PRD", fields: ["Subtotal", "Tax rate"])
            })
        let third = second + 28
        page.leaf.box(Place(x: left, y: third, width: 220, height: 30), fill: .accent, radius: 3)
        page.leaf.text("Total", x: left + 8, y: third + 19.5, .sansBold, size: 11, colour: .white)
        page.add(
            PaperField(
                "Currency", tooltip: "Currency, such as EUR or USD",
                Place(x: left + 44, y: third + 6, width: 46, height: 18)
            ).with {
                $0.colour = .white
                $0.size = 10
            })
        line(
            third,
            PaperField(
                "Total", tooltip: "Subtotal and tax",
                Place(x: right - 6 - 120, y: third + 4, width: 120, height: 22)
            ).with {
                $0.format = .number(decimals: 2)
                $0.calculation = .init(operation: "SUM", fields: ["Subtotal", "Tax"])
            }, isStrong: true)
    }

    private func foot(_ page: inout PaperDraft.Page) {
        let top = height - 178
        page.leaf.text("How to pay", x: margin, y: top, .sansBold, size: 9, colour: .accent, tag: .heading)
        page.add(
            PaperField(
                "Payment details", .multiline, tooltip: "Bank account and other ways to pay",
                Place(x: margin - 2, y: top + 5, width: 240, height: 56)
            ).with { $0.size = 9.5 })
        page.leaf.text("Notes", x: margin + 264, y: top, .sansBold, size: 9, colour: .accent, tag: .heading)
        page.add(
            PaperField(
                "Notes", .multiline, tooltip: "Anything else the customer should know",
                Place(x: margin + 262, y: top + 5, width: right - margin - 262, height: 56)
            ).with { $0.size = 9.5 })
        let line = height - 62
        page.leaf.line(margin, line, right, line)
        page.leaf.text("Thank you.", x: margin, y: line + 16, .serifItalic, size: 11, colour: .muted)
    }
}
