import PDF

/// A form and its lists as they meet on a clerk's table, written down in a few lines:
///
///     form TITLE · how it is laid out · how its fields are named · tips · land · held
///     # A heading
///     key: Label {name=LastName} {2-2-4} | key: Label      fields beside each other; {box} is one to tick, {lines} is tall
///     @3 key: Name | Phone                                  a table of three rows; its fields are key1.1, key1.2, …
///     ~ above                                               laid out otherwise from here
///     --                                                    a new page
///     list                                                  each list is matched by itself
///     Header = one value; another -> key key                what is right; =“value” is what the first row puts there
///     Header = @phone -> ?key                               values that many lists have; a field where nobody would mind it
///
/// What is right is a field, or several, or `none`, or `choice` between some that nobody can tell apart. It is written down
/// with the form by whoever lays it out, and never taken from what is suggested. Forms that are `held` back are not looked
/// into while rules are changed: they tell whether a rule is good for forms that nobody had in mind.
struct ClerksForm: Sendable {
    enum Right: Sendable {
        case nowhere
        case fields([String: String?])
        case choice([String])
    }

    struct List: Sendable {
        var headers: [Header] = []
    }

    struct Header: Sendable {
        var name: String
        var values: [String]
        var right: Right
        /// Where it may go as well without being wrong.
        var harmless: Set<String> = []
    }

    let title: String
    let locale: String
    let isHeldBack: Bool
    private(set) var lists: [List] = []
    /// The keys of the form's fields by their names.
    private(set) var keys: [String: String] = [:]
    private(set) var bytes: [UInt8] = []

    private var layout: String
    private let naming: String
    private let hasTips: Bool

    private struct Item {
        var key: String
        var label: String
        var name: String?
        var parts: [Int] = []
        var isMultiline = false
        var isComb = false
        var isBox = false
    }

    init(_ text: String) {
        let lines = text.split(separator: "\n").map { Self.trimmed($0) }
        let first = lines[0].dropFirst("form ".count).split(separator: "·").map(Self.trimmed)
        title = first[0]
        layout = first[1]
        naming = first[2]
        hasTips = first.contains("tips")
        locale = ["de", "fr", "es", "gb"].first(where: first.dropFirst(3).contains) ?? "us"
        isHeldBack = first.contains("held")
        let list = lines.firstIndex(of: "list") ?? lines.endIndex
        for line in lines[list...] {
            if line == "list" {
                lists.append(List())
            } else {
                lists[lists.count - 1].headers.append(Self.header(line))
            }
        }
        var sheet = Sheet()
        var names = Names(naming, locale)
        for line in lines[1..<list] { draw(line, &sheet, &names) }
        bytes = sheet.bytes()
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var rest = Substring(text)
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }

    private static func header(_ line: String) -> Header {
        let sides = line.split(separator: "->").map(trimmed)
        let equals = sides[0].firstIndex(of: "=") ?? sides[0].endIndex
        let given = trimmed(sides[0][equals...].dropFirst())
        let values = (usual[given] ?? given).split(separator: ";").map {
            trimmed($0).filter { $0 != "\"" }
        }
        let all = wanted(sides[1])
        let harmless = Set(all.filter { $0.key.hasPrefix("?") }.map { String($0.key.dropFirst()) })
        let words = all.filter { !$0.key.hasPrefix("?") }
        let right: Right =
            switch words.first?.key {
            case "none", nil: .nowhere
            case "choice": .choice(words.dropFirst().map(\.key))
            default: .fields(Dictionary(words.map { ($0.key, $0.value) }, uniquingKeysWith: { a, _ in a }))
            }
        return Header(
            name: trimmed(sides[0][..<equals]), values: values, right: right, harmless: harmless)
    }

    /// What stands in the first two rows of many lists.
    private static let usual = [
        "@first": "Ada; Grace", "@last": "Lovelace; Hopper", "@full": "Ada Lovelace; Grace Hopper",
        "@lastfirst": "Lovelace, Ada; Hopper, Grace", "@birth": "2015-12-10; 2014-01-02",
        "@birthus": "12/10/2015; 01/02/2014", "@ssn": "123-45-6789; 987-65-4321",
        "@street": "12 Elm St; 9 Oak Ave", "@city": "Boston; Salem", "@state": "MA; OR",
        "@zip": "02110; 97301", "@address": "12 Elm St, Boston, MA 02110; 9 Oak Ave, Salem, OR 97301",
        "@phone": "617-555-0100; 503-555-0111", "@phone2": "617-555-0199; 503-555-0188",
        "@email": "ada@example.org; grace@example.org",
    ]

    private static func wanted(_ text: String) -> [(key: String, value: String?)] {
        var found: [(key: String, value: String?)] = []
        var isQuoted = false
        var word = ""
        func close() {
            guard !word.isEmpty else { return }
            let sides = word.split(separator: "=", maxSplits: 1).map(String.init)
            found.append((sides[0], sides.count > 1 ? sides[1] : nil))
            word = ""
        }
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == " ", !isQuoted {
                close()
            } else {
                word.append(character)
            }
        }
        close()
        return found
    }

    // MARK: Drawing

    private mutating func draw(_ line: String, _ sheet: inout Sheet, _ names: inout Names) {
        if line == "--" { return sheet.turn() }
        if line.hasPrefix("~ ") {
            layout = String(line.dropFirst(2))
            return
        }
        if line.hasPrefix("# ") {
            let heading = String(line.dropFirst(2))
            names.section = heading
            return sheet.heading(heading)
        }
        if line.hasPrefix("@") { return drawTable(line, &sheet, &names) }
        let items = line.split(separator: "|").map { Self.item(Self.trimmed($0)) }
        let width = 516 / Double(items.count)
        let height = items.contains(where: \.isMultiline) ? 44.0 : 16.0
        let top = sheet.room(for: height + 24)
        for (index, item) in items.enumerated() {
            let left = 40 + Double(index) * width
            var place = (left: left, bottom: top - height, right: left + width - 12, top: top)
            if item.isBox {
                sheet.text(item.label, left + 14, top - 12, 9)
                let name = names.name(item.name, [0], 0)
                sheet.box(
                    name, [left, top - 14, left + 10, top - 4],
                    tip: hasTips ? names.tip(item.label, [0], 0) : nil)
                keys[name] = item.key
                continue
            }
            switch layout {
            case "left":
                sheet.text("\(item.label):", left, top - 12, 9)
                place.left = min(left + 5 * Double(item.label.count) + 10, place.right - 40)
            case "above":
                sheet.text(item.label, left, top - 7, 8)
                (place.top, place.bottom) = (top - 11, top - 11 - height)
            case "below":
                sheet.rule(left, top - height, place.right)
                sheet.text(item.label, left, top - height - 9, 7.5)
            default:
                sheet.text(item.label, left + 2, top - 7, 7)
                sheet.frame(left, top - height - 10, place.right, top)
                (place.top, place.bottom) = (top - 9, top - height - 9)
            }
            let counts = item.parts.isEmpty ? [0] : item.parts
            let total = Double(counts.reduce(0, +))
            var x = place.left
            for (part, count) in counts.enumerated() {
                let key = counts.count > 1 ? "\(item.key).\(part + 1)" : item.key
                let share = min(
                    counts.count > 1 ? 9 * Double(count) : .infinity,
                    (place.right - place.left - 6 * Double(counts.count - 1))
                        * (total > 0 ? Double(count) / total : 1))
                let name = names.name(item.name, counts, part)
                let tip = hasTips ? names.tip(item.label, counts, part) : nil
                sheet.field(
                    name, [x, place.bottom, x + share, place.top], tip: tip, maximum: count,
                    isMultiline: item.isMultiline, isComb: item.isComb || counts.count > 1)
                keys[name] = key
                x += share + 6
            }
        }
    }

    private mutating func drawTable(_ line: String, _ sheet: inout Sheet, _ names: inout Names) {
        let sides = line.dropFirst().split(separator: ":", maxSplits: 1)
        let head = sides[0].split(separator: " ")
        let count = Int(head[0]) ?? 1
        let columns = sides[1].split(separator: "|").map(Self.trimmed)
        let width = 516 / Double(columns.count)
        let top = sheet.room(for: Double(count) * 18 + 14)
        for (index, column) in columns.enumerated() {
            sheet.text(column, 40 + Double(index) * width, top - 8, 8)
        }
        for row in 1...count {
            for (index, column) in columns.enumerated() {
                let left = 40 + Double(index) * width
                let bottom = top - 12 - Double(row) * 18
                let name = names.name(naming == "acrobat" ? "\(column)\(row)" : nil, [0], 0)
                sheet.field(
                    name, [left, bottom, left + width - 8, bottom + 15],
                    tip: hasTips ? names.tip("Row \(row). \(column)", [0], 0) : nil)
                keys[name] = "\(head[1])\(row).\(index + 1)"
            }
        }
        sheet.below(top - 12 - Double(count) * 18)
    }

    private static func item(_ text: String) -> Item {
        let colon = text.firstIndex(of: ":") ?? text.endIndex
        var item = Item(key: String(text[..<colon]), label: "")
        var rest = Substring(text[colon...].dropFirst())
        while let open = rest.lastIndex(of: "{"), rest.hasSuffix("}") {
            let words = rest[open...].dropFirst().dropLast()
            if words.hasPrefix("name=") {
                item.name = String(words.dropFirst(5))
            } else if words == "box" {
                item.isBox = true
            } else if words == "lines" {
                item.isMultiline = true
            } else {
                item.isComb = words.hasSuffix("comb")
                item.parts = words.split { $0 == "-" || $0 == " " }.compactMap { Int($0) }
            }
            rest = Substring(trimmed(rest[..<open]))
        }
        item.label = trimmed(rest)
        return item
    }
}

/// What programs and people call fields.
private struct Names {
    var section: String? {
        didSet { isNewSection = true }
    }
    private var isNewSection = false
    private let style: String
    private let parts: [[Int]: [String]]
    private let tips: [[Int]: [String]]
    private var count = 0

    init(_ style: String, _ locale: String) {
        self.style = style
        let date = locale == "us" ? ["month", "day", "year"] : ["day", "month", "year"]
        parts = [
            [3, 2, 4]: ["_FirstThreeNumbers", "_SecondTwoNumbers", "_LastFourNumbers"], [2, 2, 4]: date,
        ]
        tips = [
            [3, 2, 4]: ["Enter first three digits.", "Enter middle two digits.", "Enter last four digits."],
            [2, 2, 4]: date.map { "Enter \($0)." },
        ]
    }

    mutating func name(_ given: String?, _ counts: [Int], _ part: Int) -> String {
        count += 1
        let number = count < 10 ? "0\(count)" : "\(count)"
        if let given {
            let whole = given + (counts.count > 1 ? parts[counts]?[part] ?? "_\(part + 1)" : "")
            // The same name on another page has another number.
            return style == "veteran" ? "F[0].#subform[\(count / 12)].\(whole)[\(count / 20)]" : whole
        }
        return switch style {
        case "xfa", "irs": "topmostSubform[0].Page1[0].f1_\(number)[0]"
        case "textfields", "veteran": "form1[0].#subform[0].TextField3[\(count)]"
        case "codes": "FIELD_\(number)"
        case "hash": "fld\(String(count * 7919, radix: 16))"
        default: "Text\(count)"
        }
    }

    /// What is read aloud names the section where it begins.
    mutating func tip(_ label: String, _ counts: [Int], _ part: Int) -> String {
        var words = "\(label)."
        if isNewSection, let section { words = "\(section). \(words)" }
        isNewSection = false
        if counts.count > 1 { words += " \(tips[counts]?[part] ?? "Part \(part + 1).")" }
        return words
    }
}

/// Pages with words and fields.
private struct Sheet {
    private var draft = PDFDraft()
    private var content = ""
    private var kids: [(content: String, fields: [PDFReference])] = []
    private var fields: [PDFReference] = []
    private var roots: [String: (reference: PDFReference, kids: [PDFReference])] = [:]
    private var order: [String] = []
    private var loose: [PDFReference] = []
    private var y = 800.0

    mutating func room(for height: Double) -> Double {
        if y - height < 40 { turn() }
        let top = y
        y -= height
        return top
    }

    mutating func below(_ bottom: Double) { y = bottom - 8 }

    mutating func turn() {
        kids.append((content, fields))
        (content, fields, y) = ("", [], 800)
    }

    mutating func heading(_ words: String) {
        let top = room(for: 24)
        text(words, 40, top - 14, 12, font: "B")
    }

    mutating func text(_ words: String, _ x: Double, _ y: Double, _ size: Double, font: String = "F") {
        let letters = words.unicodeScalars.map { scalar -> String in
            switch scalar.value {
            case 0x28, 0x29, 0x5C: "\\\(scalar)"
            case 0x2019: "'"
            case 128...255: "\\" + "000\(String(scalar.value, radix: 8))".suffix(3)
            default: "\(scalar)"
            }
        }
        content += "BT /\(font) \(size) Tf \(x) \(y) Td (\(letters.joined())) Tj ET\n"
    }

    mutating func rule(_ left: Double, _ y: Double, _ right: Double) {
        content += "\(left) \(y) m \(right) \(y) l S\n"
    }

    mutating func frame(_ left: Double, _ bottom: Double, _ right: Double, _ top: Double) {
        content += "\(left) \(bottom) \(right - left) \(top - bottom) re S\n"
    }

    mutating func field(
        _ name: String, _ box: [Double], tip: String?, maximum: Int = 0, isMultiline: Bool = false,
        isComb: Bool = false
    ) {
        var widget: PDFDictionary = ["FT": .name("Tx"), "DA": .text("/F 9 Tf 0 g")]
        if maximum > 0 { widget["MaxLen"] = .integer(maximum) }
        if isMultiline { widget["Ff"] = .integer(1 << 12) }
        if isComb, maximum > 0 { widget["Ff"] = .integer(1 << 24) }
        put(widget, name, box, tip)
    }

    mutating func box(_ name: String, _ box: [Double], tip: String?) {
        frame(box[0], box[1], box[2], box[3])
        let look: PDFObject = .reference(
            draft.addStream(
                [
                    "Type": .name("XObject"), "Subtype": .name("Form"),
                    "BBox": .array([0, 0, 10, 10].map(PDFObject.real)),
                ], []))
        put(
            [
                "FT": .name("Btn"), "AS": .name("Off"), "V": .name("Off"),
                "AP": .dictionary(["N": .dictionary(["Yes": look, "Off": look])]),
            ], name, box, tip)
    }

    private mutating func put(_ entries: PDFDictionary, _ name: String, _ box: [Double], _ tip: String?) {
        let steps = name.split(separator: ".").map(String.init)
        let stem = steps.dropLast().joined(separator: ".")
        var widget = entries
        widget["Type"] = .name("Annot")
        widget["Subtype"] = .name("Widget")
        widget["T"] = .text(steps.last ?? name)
        widget["F"] = .integer(4)
        widget["Rect"] = .array(box.map(PDFObject.real))
        // A name of a clerk's own may have dots in it, but those of programs are levels.
        let isDeep = name.contains("[0].")
        if isDeep {
            if roots[stem] == nil {
                roots[stem] = (draft.newReference(), [])
                order.append(stem)
            }
            widget["Parent"] = roots[stem].map { .reference($0.reference) }
        } else {
            widget["T"] = .text(name)
        }
        if let tip { widget["TU"] = .text(tip) }
        let reference = draft.add(.dictionary(widget))
        fields.append(reference)
        if isDeep { roots[stem]?.kids.append(reference) } else { loose.append(reference) }
    }

    mutating func bytes() -> [UInt8] {
        turn()
        func font(_ name: String) -> PDFObject {
            .reference(
                draft.add(
                    .dictionary([
                        "Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name(PDFName(name)),
                        "Encoding": .name("WinAnsiEncoding"),
                    ])))
        }
        let fonts: PDFObject = .dictionary(["F": font("Helvetica"), "B": font("Helvetica-Bold")])
        let tree = draft.newReference()
        let pages = kids.map { kid -> PDFObject in
            .reference(
                draft.add(
                    .dictionary([
                        "Type": .name("Page"), "Parent": .reference(tree),
                        "MediaBox": .array([.integer(0), .integer(0), .integer(595), .integer(842)]),
                        "Resources": .dictionary(["Font": fonts]),
                        "Contents": .reference(draft.addStream([:], Array(kid.content.utf8))),
                        "Annots": .array(kid.fields.map(PDFObject.reference)),
                    ])))
        }
        draft.put(
            .dictionary(["Type": .name("Pages"), "Kids": .array(pages), "Count": .integer(pages.count)]),
            at: tree)
        let top = order.compactMap { stem -> PDFObject? in
            guard let root = roots[stem] else { return nil }
            // The levels above the last one, which only give their names.
            var reference = root.reference
            var kids = root.kids
            let steps = stem.split(separator: ".").map(String.init)
            for (index, step) in steps.enumerated().reversed() {
                var entry: PDFDictionary = [
                    "T": .text(step), "Kids": .array(kids.map(PDFObject.reference)),
                ]
                let above = index > 0 ? draft.newReference() : nil
                if let above { entry["Parent"] = .reference(above) }
                draft.put(.dictionary(entry), at: reference)
                guard let above else { break }
                kids = [reference]
                reference = above
            }
            return .reference(reference)
        }
        let root = draft.add(
            .dictionary([
                "Type": .name("Catalog"), "Pages": .reference(tree),
                "AcroForm": .dictionary([
                    "Fields": .array(top + loose.map(PDFObject.reference)),
                    "DR": .dictionary(["Font": fonts]), "DA": .text("/F 9 Tf 0 g"),
                ]),
            ]))
        return draft.bytes(root: root)
    }
}
