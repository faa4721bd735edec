import PDF
import PDFForms

/// One page to be put away: the key that opens encrypted backups, a code of it for a phone, and what to do with them.
/// Its words come from whoever asks, in their language.
public struct RecoverySheet {
    public var title: String
    public var lede: String
    /// What stands beside the key, such as whose desk it is: a name and what may be in any script.
    public var facts: [(name: String, value: String)]
    public var keyTitle: String
    public var groups: [String]
    public var stepsTitle: String
    public var steps: [String]
    /// What is typed, in a line of its own below the last step.
    public var command: String
    public var warning: String
    public var language: String
    public var paper: PaperSize
    private let code: (size: Int, isDark: (_ x: Int, _ y: Int) -> Bool)

    public init(
        title: String, lede: String, facts: [(name: String, value: String)], keyTitle: String,
        groups: [String], stepsTitle: String, steps: [String], command: String, warning: String,
        language: String, paper: PaperSize, codeSize: Int, isDark: @escaping (_ x: Int, _ y: Int) -> Bool
    ) {
        self.title = title
        self.lede = lede
        self.facts = facts
        self.keyTitle = keyTitle
        self.groups = groups
        self.stepsTitle = stepsTitle
        self.steps = steps
        self.command = command
        self.warning = warning
        self.language = language
        self.paper = paper
        code = (codeSize, isDark)
    }

    private static let margin = 54.0
    private static let codeWidth = 150.0

    public func bytes() throws -> [UInt8] {
        var draft = PaperDraft(title: title, language: language)
        let (width, height) = paper.size
        let inside = width - 2 * Self.margin
        draft.page(width: width, height: height) { page in
            page.leaf.box(Place(x: 0, y: 0, width: width, height: 8), fill: .accent)
            page.leaf.text(title, x: Self.margin, y: 62, .sansBold, size: 24, tag: .title)
            var y = page.leaf.paragraph(
                lede, x: Self.margin, y: 84, width: inside, leading: 14, size: 10.5, colour: .muted)
            y = key(&page, y + 14, inside)
            y = heading(stepsTitle, &page, y + 20, width)
            for (number, step) in steps.enumerated() {
                page.leaf.text("\(number + 1).", x: Self.margin, y: y + 14, .sansBold, size: 10.5)
                y = page.leaf.paragraph(
                    step, x: Self.margin + 18, y: y + 14, width: inside - 18, leading: 14, size: 10.5)
            }
            page.leaf.box(
                Place(x: Self.margin + 12, y: y - 4, width: inside - 12, height: 38), fill: .tint, radius: 3)
            y = value("command", command, &page, x: Self.margin + 20, y: y, width: inside - 24, lines: 2)
            y += 20
            for (number, fact) in facts.enumerated() {
                page.leaf.text(fact.name, x: Self.margin, y: y + 10, size: 8, colour: .muted)
                y = value("fact \(number)", fact.value, &page, x: Self.margin, y: y + 13, width: inside) + 4
            }
            page.leaf.paragraph(
                warning, x: Self.margin, y: max(y + 24, height - 72), width: inside, leading: 13, .sansBold,
                size: 9.5, colour: .alarm)
        }
        // Folders and names may be in any script, so they are filled in like fields and then made part of the page.
        var values: [String: FieldValue] = ["command": .text(command)]
        for (number, fact) in facts.enumerated() { values["fact \(number)"] = .text(fact.value) }
        var options = PreparedForm.Options()
        options.flattens = .all
        return try PreparedForm(bytes: draft.bytes(), options: options).fill(values).bytes
    }

    /// The groups in two columns, and the code beside them.
    private func key(_ page: inout PaperDraft.Page, _ y: Double, _ inside: Double) -> Double {
        let height = Self.codeWidth + 40
        page.leaf.box(
            Place(x: Self.margin, y: y, width: inside, height: height), stroke: .accent, width: 1.2, radius: 6
        )
        page.leaf.text(
            keyTitle, x: Self.margin + 16, y: y + 24, .sansBold, size: 11, colour: .accent, tag: .heading)
        for (number, group) in groups.enumerated() {
            let x = Self.margin + 16 + Double(number % 2) * 130
            let line = y + 58 + Double(number / 2) * 36
            page.leaf.text("\(number + 1)", x: x, y: line, size: 8, colour: .muted)
            page.leaf.text(group, x: x + 14, y: line, .sansBold, size: 19, spacing: 2.4)
        }
        let module = Self.codeWidth / Double(max(1, code.size))
        let left = Self.margin + inside - Self.codeWidth - 20
        for row in 0..<code.size {
            var x = 0
            while x < code.size {
                guard code.isDark(x, row) else {
                    x += 1
                    continue
                }
                let start = x
                while x < code.size, code.isDark(x, row) { x += 1 }
                page.leaf.box(
                    Place(
                        x: left + Double(start) * module, y: y + 20 + Double(row) * module,
                        width: Double(x - start) * module, height: module), fill: .black)
            }
        }
        return y + height
    }

    private func heading(
        _ title: String, _ page: inout PaperDraft.Page, _ y: Double, _ width: Double
    ) -> Double {
        page.leaf.text(title, x: Self.margin, y: y + 14, .sansBold, size: 12, colour: .accent, tag: .heading)
        page.leaf.line(Self.margin, y + 20, width - Self.margin, y + 20, width: 0.8, colour: .accent)
        return y + 24
    }

    private func value(
        _ name: String, _ value: String, _ page: inout PaperDraft.Page, x: Double, y: Double, width: Double,
        lines: Int = 1
    ) -> Double {
        let height = 13.0 * Double(lines) + 4
        page.add(
            PaperField(
                name, lines > 1 ? .multiline : .text, tooltip: name,
                Place(x: x - 2, y: y, width: width, height: height)
            ).with { $0.size = 10 })
        return y + height
    }
}
