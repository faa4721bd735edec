/// How a spreadsheet shows a number (ECMA-376 Part 1, 18.8.31): up to four sections for positive, negative, zero
/// and text, each a row of placeholders and literal characters.
struct NumberFormat: Sendable {
    /// The section has no placeholders of its own and shows the number plainly.
    private(set) var isGeneral = false
    /// `@`: the number is to be taken as text.
    private(set) var isText = false
    /// Texts under it look different from what they are: `"Nr. "@`.
    private(set) var changesTexts = false
    private var sections: [Section] = []

    var isDate: Bool { sections.first?.isDate ?? false }

    struct Shown {
        var text: String
        var kind: Cell.Kind
        var date: String?
    }

    /// What a format number stands for where the file does not say (18.8.30).
    static let builtIn: [Int: String] = [
        0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
        12: "# ?/?", 13: "# ??/??",
        // The date of the reader's own country. Nobody knows which that is, so it is shown as no other can be read.
        14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM",
        20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0;-#,##0", 38: "#,##0;-#,##0",
        39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0",
        48: "##0.0E+0", 49: "@",
    ]

    init(_ code: String) {
        let parts = FormatSection.split(code)
        sections = parts.prefix(4).map(Section.init)
        isText = parts.count == 1 && sections.first?.isText == true
        changesTexts =
            !isText && (sections.count >= 4 || sections.last?.isText == true)
            || isText && sections.first?.parts != [.text]
        isGeneral = parts.count == 1 && sections.first?.isPlainGeneral == true
    }

    static let general = NumberFormat("General")

    typealias Section = FormatSection

    /// Texts under a format with a section for them.
    func shown(text: String) -> String {
        guard sections.count >= 4 || sections.last?.isText == true, let section = sections.last else {
            return text
        }
        return section.shown(text: text)
    }

    func shown(_ number: DecimalText, is1904: Bool) -> Shown {
        guard let section = section(for: number) else { return Shown(text: number.plain, kind: .number) }
        if section.isDate {
            guard let moment = SheetMoment(number, is1904: is1904) else {
                return Shown(text: number.plain, kind: .number)
            }
            let text = section.shown(moment)
            // Hours beyond a day are days and parts of one: a number to calculate with.
            return section.isDuration
                ? Shown(text: text, kind: .number)
                : Shown(text: text, kind: section.showsDay ? .date : .time, date: moment.iso(section))
        }
        var shown = number
        // A section of its own for negative numbers says by itself how they look.
        if sections.count > 1, number.isNegative, !section.hasCondition { shown.isNegative = false }
        return Shown(text: section.shown(shown), kind: .number)
    }

    private func section(for number: DecimalText) -> Section? {
        if sections.contains(where: \.hasCondition) {
            let value = number.double
            return sections.first { $0.matches(value) } ?? sections.last
        }
        switch sections.filter({ !$0.isText || sections.count == 1 }).count {
        case 0: return nil
        case 1: return sections[0]
        case 2: return number.isNegative ? sections[1] : sections[0]
        default: return number.isZero ? sections[2] : number.isNegative ? sections[1] : sections[0]
        }
    }
}
