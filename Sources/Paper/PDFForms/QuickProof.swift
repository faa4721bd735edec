import PDF
import PDFDrawing

/// Reads again what a copy adds to its template, and only that: the template is read once, through qpdf, and its bytes
/// are the same in every copy. It accepts what is plainly right; whatever is not plain is left to `Proof`, which judges.
///
/// One thread at a time; a prepared form keeps some for its threads.
final class QuickProof {
    /// What changed that no fill may change, or that cannot be told from here.
    enum Outcome {
        case doubts([Finding])
        /// Something this reader does not know about: the whole file must be read.
        case unclear
    }

    private let plans: [FieldPlan]
    private let customs: FieldCustoms
    private let computed: Set<String>
    private let base: PDFFile
    private let ending: PDFEnding
    private let byteCount: Int
    private let objects: AppendedObjects
    private let places: [Place]
    /// The objects of all widgets, those of a field one after another.
    private let widgets: [Int]
    /// For each object of the template, the field it belongs to; -1 for none.
    private let owners: [Int32]
    /// Asked for once: who asks the file for an object it does not have makes it count one more.
    private let highest: Int
    private let root: PDFReference
    private let rootText: [UInt8]
    private let formObject: Int?
    // One thread at a time, and no two calls at once: nobody need watch each access.
    /// Dictionaries met before and found to differ from the template's only where they may, without those entries.
    @exclusivity(unchecked) private var accepted: [Int: [UInt8]] = [:]
    /// Those of boxes, whole: each has one for each of its states.
    @exclusivity(unchecked) private var acceptedStates: [Int: [[UInt8]]] = [:]
    @exclusivity(unchecked) private var acceptedWhole: [Int: [UInt8]] = [:]
    @exclusivity(unchecked) private var fonts: [PDFObject: ReadFont?] = [:]
    @exclusivity(unchecked) private var tables: [PDFObject: PictureScan.Font?] = [:]
    /// By their places in `widgets`.
    @exclusivity(unchecked) private var pictures: [PictureFacts?]
    @exclusivity(unchecked) private var states: [[String: PDFName]]
    @exclusivity(unchecked) private var resting: [Int: PDFName?] = [:]
    @exclusivity(unchecked) private var asked: [Bool]
    @exclusivity(unchecked) private var scratch: [UInt8] = []
    @exclusivity(unchecked) private var utf8: [UInt8] = []
    @exclusivity(unchecked) private var saved: [PictureScan.State] = []

    /// What is asked of a field again and again, without anything that would have to be counted as used.
    private struct Place {
        var kind: Field.Kind
        var object: Int
        /// Its places among `widgets`.
        var first: Int
        var count: Int
        /// Text of more bytes takes a closer look.
        var longest: Int
        var isSecret: Bool
        /// What is shown is what was given.
        var isShownAsGiven: Bool
        var isEmpty: Bool
        /// Some of its boxes came without pictures.
        var needsPictures: Bool
    }

    /// What a picture says before its letters: the same in every copy, but for its length.
    private final class PictureFacts {
        /// The beginning it has in common with others, when that is a known one.
        let head: Int
        let text: [UInt8]
        /// What its resources say where they travel with the copy; nil where they are the template's.
        let resources: [UInt8]?
        let box: PDFRectangle
        let fonts: [(name: [UInt8], font: PictureScan.Font)]

        init(
            head: Int, text: [UInt8], resources: [UInt8]?, box: PDFRectangle,
            fonts: [(name: [UInt8], font: PictureScan.Font)]
        ) {
            (self.head, self.text, self.resources) = (head, text, resources)
            (self.box, self.fonts) = (box, fonts)
        }
    }

    init?(_ form: PreparedForm) {
        guard let file = try? PDFFile(bytes: form.base), file.encryption == nil,
            let root = file.trailer["Root"]?.reference
        else { return nil }
        base = file
        plans = form.plans
        customs = form.customs
        computed = Set(form.form.calculationOrder)
        ending = form.ending
        byteCount = form.base.count
        objects = AppendedObjects(file)
        self.root = root
        rootText = PDFObject.reference(root).written
        highest = form.size - 1
        formObject = file.catalog["AcroForm"]?.reference?.number
        states = [[String: PDFName]](repeating: [:], count: plans.count)
        asked = [Bool](repeating: false, count: plans.count)
        var owners = [Int32](repeating: -1, count: max(0, form.size))
        var places: [Place] = []
        var widgets: [Int] = []
        for (index, plan) in plans.enumerated() {
            let field = plan.field
            for number in [field.object.number] + field.widgets.map(\.object.number)
            where owners.indices.contains(number) {
                owners[number] = Int32(truncatingIfNeeded: index)
            }
            places.append(
                Place(
                    kind: field.kind, object: field.object.number, first: widgets.count,
                    count: field.widgets.count,
                    longest: field.kind == .text ? field.maximumLength ?? .max : .max,
                    isSecret: field.flags.contains(.password),
                    isShownAsGiven: field.kind == .combo || field.format == nil || field.format == .script,
                    isEmpty: field.value.allSatisfy(\.isEmpty),
                    needsPictures: field.widgets.contains(where: \.needsPicture)))
            widgets += field.widgets.map(\.object.number)
        }
        self.owners = owners
        self.places = places
        self.widgets = widgets
        pictures = [PictureFacts?](repeating: nil, count: widgets.count)
    }

    func prove(_ filled: Filled, columns: FormColumns, row: [FieldValue?]) -> Outcome {
        do throws(AppendedObjects.Flaw) {
            try objects.read(filled.added, behind: byteCount, previous: ending.previous)
        } catch {
            if error.isUnclear { return .unclear }
            return .doubts([
                Finding.notProven("", "What the finished document adds cannot be read: \(error.text).")
            ])
        }
        guard filled.added.isEmpty || objects.begins(with: rootText) || objects.root == root else {
            return .unclear
        }
        defer { forget() }
        // Dates are brought into the form's pattern on the way in.
        var written: [Int: FieldValue] = [:]
        if !customs.isEmpty {
            customs.apply(
                to: { self.plans[$0].field }, value: { Self.value($0, columns, row) },
                change: { written[$0] = $1 }, finding: { _ in })
        }
        // A text that was made smaller is whole all the same.
        let remarks = filled.findings.filter { $0.kind != .shrunk && $0.kind != .scriptNotRun }
        let told = remarks.isEmpty ? [:] : Dictionary(grouping: remarks, by: \.field)
        var judge = Proof(file: objects, fonts: fonts)
        for index in asked.indices { asked[index] = false }
        for (column, value) in row.enumerated() {
            guard let value else { continue }
            columns.forEach(column) { place in
                guard place < plans.count else { return }
                asked[place] = true
                let value = written.isEmpty ? value : written[place] ?? value
                if told.isEmpty, isPlainlyRight(place, value) { return }
                let plan = plans[place]
                let said = told[plan.field.name]
                if !told.isEmpty, said == nil, isPlainlyRight(place, value) { return }
                judge.told = Set(said?.map(\.kind) ?? [])
                // What was refused stays as it was, and that was said.
                if !judge.told.isDisjoint(with: [.noSuchChoice, .notFillable, .locked]) { return }
                judge.check(plan.field, found(plan.field), value)
            }
        }
        fonts = judge.fonts
        guard onlyFieldsChanged(&judge) else { return .unclear }
        return .doubts(judge.doubts)
    }

    private static func value(_ place: Int, _ columns: FormColumns, _ row: [FieldValue?]) -> FieldValue? {
        (0..<columns.count).last { columns[$0]?.contains(place) == true && $0 < row.count && row[$0] != nil }
            .flatMap { row[$0] }
    }

    /// Fonts of one copy are not those of the next, though they have the same numbers.
    private func forget() {
        for (object, _) in fonts {
            guard let reference = object.reference, objects.index(reference.number) != nil else { continue }
            fonts[object] = nil
        }
    }

    /// The field as it is now. What makes it a field is the template's: that nothing of it changed is checked.
    private func found(_ field: Field) -> Field {
        var found = field
        if let value = objects.dictionary(field.object.object)?["V"] {
            found.value = texts(value)
        } else if objects.index(field.object.number) != nil,
            base.dictionary(field.object.object)?["V"] != nil
        {
            found.value = []
        }
        return found
    }

    private func texts(_ object: PDFObject?) -> [String] {
        if let reference = object?.reference, objects.isStream(reference) {
            return [PDFText.decode(objects.stream(reference, limit: 1 << 20) ?? [])]
        }
        switch objects.resolve(object) {
        case .string(let bytes): return [PDFText.decode(bytes)]
        case .name(let name): return [name.text]
        case .array(let items): return items.compactMap { objects.resolve($0).text }
        default: return []
        }
    }

    // MARK: What is plainly right

    private func isPlainlyRight(_ place: Int, _ value: FieldValue) -> Bool {
        let known = places[place]
        switch (known.kind, value) {
        case (.text, .text(var text)):
            if text.isEmpty { return known.isEmpty && isUntouched(known) }
            return text.withUTF8 { isPlainlyRight(known, kept: $0, shown: $0) }
        case (.combo, .text(let text)):
            if text.isEmpty { return known.isEmpty && isUntouched(known) }
            let options = plans[place].field.options
            let option = options.first { $0.export == text } ?? options.first { $0.display == text }
            var kept = option?.export ?? text
            var shown = option?.display ?? text
            return kept.withUTF8 { kept in
                shown.withUTF8 { isPlainlyRight(known, kept: kept, shown: $0) }
            }
        case (.checkBox, _), (.radio, _): return isPlainlyRight(place, known, value)
        default: return false
        }
    }

    private func isUntouched(_ place: Place) -> Bool {
        if objects.index(place.object) != nil { return false }
        for index in place.first..<place.first + place.count where objects.index(widgets[index]) != nil {
            return false
        }
        return true
    }

    private func isPlainlyRight(
        _ place: Place, kept: UnsafeBufferPointer<UInt8>, shown wanted: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if wanted.count > place.longest || place.isSecret { return false }
        var hasLetters = false
        for byte in wanted {
            if byte < 32, byte != 10 { return false }
            if byte == 127 { return false }
            if byte > 32 { hasLetters = true }
        }
        guard hasLetters, let own = objects.index(place.object) else { return false }
        let row = objects.rows[own]
        guard keeps(row, kept) else { return false }
        for index in place.first..<place.first + place.count {
            var holder = row
            if widgets[index] != place.object {
                guard let found = objects.index(widgets[index]) else { return false }
                holder = objects.rows[found]
            }
            guard let number = objects.with(holder, { normalPicture($0, holder.entries.appearances) }),
                let found = objects.index(number), case let picture = objects.rows[found], picture.pack < 0,
                let content = picture.stream
            else { return false }
            let isShown = objects.added.withUnsafeBufferPointer { bytes in
                let text = RawText(bytes)
                guard let facts = facts(index, picture, text) else { return false }
                return PictureScan(text, content, box: facts.box, fonts: facts.fonts)
                    .shows(place.isShownAsGiven ? wanted : nil, &saved)
            }
            guard isShown else { return false }
        }
        return true
    }

    private func keeps(_ row: AppendedObjects.Row, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        let value = row.entries.value
        guard !value.isEmpty else { return false }
        return objects.with(row) { text in
            guard let reference = text.reference(value) else { return says(text, value, wanted) }
            guard let index = objects.index(reference), case let row = objects.rows[index], row.stream == nil
            else { return false }
            return objects.with(row) { says($0, row.value, wanted) }
        }
    }

    private func normalPicture(_ text: RawText, _ appearances: Range<Int>) -> Int? {
        appearances.isEmpty
            ? nil : RawEntries.place(of: "/N", text, appearances.lowerBound).flatMap(text.reference)
    }

    /// True when a text string (§7.9.2.2) is exactly these letters.
    private func says(_ text: RawText, _ value: Range<Int>, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        if isLiterally(text, value, wanted) { return true }
        guard text.string(value, into: &scratch) else { return false }
        if scratch.count >= 2, scratch[0] == 0xFE, scratch[1] == 0xFF {
            guard scratch.count % 2 == 0 else { return false }
            utf8.removeAll(keepingCapacity: true)
            var high: UInt32 = 0
            for at in stride(from: 2, to: scratch.count, by: 2) {
                let unit = UInt32(scratch[at]) << 8 | UInt32(scratch[at + 1])
                switch unit {
                case 0xD800..<0xDC00: high = unit
                case 0xDC00..<0xE000:
                    guard high > 0 else { return false }
                    append(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00))
                    high = 0
                default: append(unit == 13 ? 10 : unit)
                }
            }
            return utf8.withUnsafeBufferPointer { RawText($0).isSame(0..<utf8.count, wanted) }
        }
        guard scratch.count == wanted.count else { return false }
        for (index, byte) in scratch.enumerated() {
            // What is not ASCII means other letters in every encoding; that takes a closer look.
            guard byte >= 32 && byte < 127 || byte == 10 || byte == 13 else { return false }
            if (byte == 13 ? 10 : byte) != wanted[index] { return false }
        }
        return true
    }

    /// The usual case: a string in brackets without anything in it that means something else.
    @inline(__always)
    private func isLiterally(
        _ text: RawText, _ value: Range<Int>, _ wanted: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard value.count == wanted.count + 2, value.upperBound <= text.count,
            text[value.lowerBound] == UInt8(ascii: "(")
        else { return false }
        for (index, byte) in wanted.enumerated() {
            guard text.bytes[value.lowerBound + 1 + index] == byte, byte >= 32, byte < 127,
                byte != UInt8(ascii: "("), byte != UInt8(ascii: ")"), byte != UInt8(ascii: "\\")
            else { return false }
        }
        return true
    }

    private func append(_ scalar: UInt32) {
        switch scalar {
        case 0..<0x80: utf8.append(UInt8(scalar))
        case 0x80..<0x800:
            utf8.append(UInt8(0xC0 | scalar >> 6))
            utf8.append(UInt8(0x80 | scalar & 0x3F))
        case 0x800..<0x10000:
            utf8.append(UInt8(0xE0 | scalar >> 12))
            utf8.append(UInt8(0x80 | scalar >> 6 & 0x3F))
            utf8.append(UInt8(0x80 | scalar & 0x3F))
        default:
            utf8.append(UInt8(0xF0 | scalar >> 18 & 7))
            utf8.append(UInt8(0x80 | scalar >> 12 & 0x3F))
            utf8.append(UInt8(0x80 | scalar >> 6 & 0x3F))
            utf8.append(UInt8(0x80 | scalar & 0x3F))
        }
    }

    private func isPlainlyRight(_ place: Int, _ known: Place, _ value: FieldValue) -> Bool {
        guard case .text(let word) = value else { return false }
        var state = states[place][word]
        if state == nil, states[place].count < 64 {
            guard let choice = BoxChoice(value, for: plans[place].field) else { return false }
            state = choice.state ?? "Off"
            states[place][word] = state
        }
        guard let state else { return false }
        guard let index = objects.index(known.object) else {
            return isUntouched(known) && rests(place, plans[place].field) == state
        }
        // A box drawn by us shows it by a picture of ours, which takes a closer look.
        if known.needsPictures { return false }
        let row = objects.rows[index]
        guard objects.with(row, { isName($0, row.entries.value, state) }) else { return false }
        for widget in plans[place].field.widgets {
            let wanted: PDFName = widget.states.contains(state) ? state : "Off"
            var holder = row
            if widget.object.number != known.object {
                guard let index = objects.index(widget.object.number) else { return false }
                holder = objects.rows[index]
            }
            guard objects.with(holder, { isName($0, holder.entries.state, wanted) }) else { return false }
        }
        return true
    }

    /// The state of the template, when all places show it.
    private func rests(_ place: Int, _ field: Field) -> PDFName? {
        if let known = resting[place] { return known }
        var state: PDFName?
        if field.value.count <= 1, !field.widgets.contains(where: \.needsPicture) {
            let named = PDFName(field.value.first ?? "Off")
            let isShown = field.widgets.allSatisfy { widget in
                let shown = base.resolve(base.dictionary(widget.object.object)?["AS"]).name ?? "Off"
                return shown == (widget.states.contains(named) ? named : "Off")
            }
            if isShown { state = named }
        }
        resting[place] = .some(state)
        return state
    }

    private func isName(_ text: RawText, _ range: Range<Int>, _ name: PDFName) -> Bool {
        guard !range.isEmpty, text[range.lowerBound] == UInt8(ascii: "/") else { return false }
        let bare = range.lowerBound + 1..<range.upperBound
        return text.isSame(bare, name.bytes) || PDFObject(parsing: text.copy(range)).name == name
    }

    // MARK: Pictures

    /// What is known of the picture of a place, when it begins as the last one did.
    private func facts(_ place: Int, _ row: AppendedObjects.Row, _ text: RawText) -> PictureFacts? {
        if let known = pictures[place],
            row.head >= 0 && row.head == known.head || isSame(text, row, known.text),
            known.resources.map({ hasResources($0, text, row) }) ?? true
        {
            return known
        }
        guard let facts = newFacts(text, row) else { return nil }
        pictures[place] = facts
        return facts
    }

    /// True when a dictionary says the same as a known one, but for its length.
    @inline(__always)
    private func isSame(_ text: RawText, _ row: AppendedObjects.Row, _ known: [UInt8]) -> Bool {
        let length = row.entries.length
        let head = row.value.lowerBound..<length.lowerBound
        let rest = length.upperBound..<row.value.upperBound
        guard known.count == head.count + rest.count else { return false }
        return known.withUnsafeBufferPointer { known in
            text.isSame(head, UnsafeBufferPointer(rebasing: known[..<head.count]))
                && text.isSame(rest, UnsafeBufferPointer(rebasing: known[head.count...]))
        }
    }

    /// True when the resources of a picture, which lie in an object stream of the copy, say just this.
    private func hasResources(_ known: [UInt8], _ text: RawText, _ row: AppendedObjects.Row) -> Bool {
        guard !row.entries.resources.isEmpty, let number = text.reference(row.entries.resources),
            let index = objects.index(number), case let resources = objects.rows[index], resources.pack >= 0
        else { return false }
        return objects.with(resources) { $0.isSame(resources.value, known) }
    }

    private func newFacts(_ text: RawText, _ row: AppendedObjects.Row) -> PictureFacts? {
        let dictionary = row.value
        guard let entries = PDFObject(parsing: text.copy(dictionary)).dictionary, entries["Filter"] == nil,
            entries["DecodeParms"] == nil, let box = PDFRectangle(objects.numbers(entries["BBox"])),
            let named = objects.dictionary(objects.dictionary(entries["Resources"])?["Font"])
        else { return nil }
        // Resources in the open may say something else in the next copy.
        var resources: [UInt8]?
        if let reference = entries["Resources"]?.reference, let row = objects.row(reference.number) {
            guard row.pack >= 0 else { return nil }
            resources = objects.with(row) { $0.copy(row.value) }
        }
        var fonts: [(name: [UInt8], font: PictureScan.Font)] = []
        for (name, object) in named.entries {
            guard let reference = object.reference, objects.row(reference.number) == nil else { return nil }
            if tables[object] == nil {
                tables[object] = .some(ReadFont(base, object).flatMap(PictureScan.Font.init))
            }
            guard let font = tables[object] ?? nil else { return nil }
            fonts.append((name.bytes, font))
        }
        let length = row.entries.length
        let known =
            text.copy(dictionary.lowerBound..<length.lowerBound)
            + text.copy(length.upperBound..<dictionary.upperBound)
        return PictureFacts(head: row.head, text: known, resources: resources, box: box, fonts: fonts)
    }

    // MARK: What changed

    /// Objects of the template may come again only as they were, but for what filling writes into them. False when
    /// there is one this reader knows nothing of.
    private func onlyFieldsChanged(_ judge: inout Proof<AppendedObjects>) -> Bool {
        var packs: [ReadPack] = []
        for index in objects.rows.indices {
            let number = objects.rows[index].number
            if number > highest { break }
            let owner = owners.indices.contains(number) ? Int(owners[number]) : -1
            if owner >= 0, !asked[owner] { checkUnasked(plans[owner].field, &judge) }
            let row = objects.rows[index]
            if row.pack >= 0 {
                if objects.packsOfFile[row.pack].pack.isAccepted { continue }
                let pack = objects.packsOfFile[row.pack].pack
                if !packs.contains(where: { $0 === pack }) { packs.append(pack) }
            }
            if owner >= 0 {
                if row.stream == nil, isAccepted(row) { continue }
                judge.doubt(plans[owner].field.name, "More of the field was changed than its value.")
            } else if row.number == root.number || row.number == formObject {
                if !isFormAccepted(row) { judge.doubt("", "The form was changed in more than its values.") }
            } else {
                return false
            }
        }
        if judge.doubts.isEmpty { for pack in packs { pack.isAccepted = true } }
        return true
    }

    /// A field nobody gave a value to keeps what it has.
    private func checkUnasked(_ field: Field, _ judge: inout Proof<AppendedObjects>) {
        if computed.contains(field.name) || field.lockedBy != nil { return }
        let now = Self.lines(found(field).value)
        if now != Self.lines(field.value) {
            judge.doubt(field.name, "The field has a value that nobody gave.")
        }
    }

    private static func lines(_ texts: [String]) -> [String] {
        texts.filter { !$0.isEmpty && $0 != "Off" }.map {
            $0.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        }
    }

    private static let own: [PDFName] = ["V", "RV", "I", "TI", "AP", "AS"]

    private func isAccepted(_ row: AppendedObjects.Row) -> Bool {
        objects.with(row) { text in
            if let known = acceptedStates[row.number], known.contains(where: { text.isSame(row.value, $0) }) {
                return true
            }
            if let known = accepted[row.number], isSameBesideOwn(text, row.value, known) {
                if !row.entries.state.isEmpty, acceptedStates[row.number]?.count ?? 0 < 8 {
                    acceptedStates[row.number, default: []].append(text.copy(row.value))
                }
                return true
            }
            guard let now = PDFObject(parsing: text.copy(row.value)).dictionary,
                let before = base.dictionary(.reference(PDFReference(row.number, generation: row.generation)))
            else { return false }
            for (key, value) in now.entries where !Self.own.contains(key) {
                if let old = before[key] {
                    guard Self.isSame(old, value) else { return false }
                } else if key != "FT" && key != "Parent" {
                    return false
                }
            }
            for (key, value) in before.entries
            where !Self.own.contains(key) && !value.isNull && now[key] == nil {
                return false
            }
            var bytes: [UInt8] = []
            walkBesideOwn(text, row.value) { bytes.append(contentsOf: text.copy($0)) }
            accepted[row.number] = bytes
            return true
        }
    }

    private func isSameBesideOwn(_ text: RawText, _ dictionary: Range<Int>, _ known: [UInt8]) -> Bool {
        known.withUnsafeBufferPointer { known in
            var at = 0
            var isSame = true
            let isWhole = walkBesideOwn(text, dictionary) { entry in
                guard isSame, at + entry.count <= known.count,
                    text.isSame(entry, UnsafeBufferPointer(rebasing: known[at..<at + entry.count]))
                else {
                    isSame = false
                    return
                }
                at += entry.count
            }
            return isWhole && isSame && at == known.count
        }
    }

    @discardableResult
    private func walkBesideOwn(
        _ text: RawText, _ dictionary: Range<Int>, _ each: (Range<Int>) -> Void
    ) -> Bool {
        var entries = RawEntries(text, at: dictionary.lowerBound)
        while let entry = entries.next() {
            let start = entry.key.lowerBound
            switch entry.key.count {
            case 2 where text.holds("/V", at: start) || text.holds("/I", at: start): continue
            case 3
            where text.holds("/AP", at: start) || text.holds("/AS", at: start) || text.holds("/RV", at: start)
                || text.holds("/TI", at: start):
                continue
            default: each(start..<entry.value.upperBound)
            }
        }
        return entries.isWhole
    }

    private func isFormAccepted(_ row: AppendedObjects.Row) -> Bool {
        let now = PDFObject(parsing: objects.with(row) { $0.copy(row.value) })
        guard let new = now.dictionary,
            let old = base.dictionary(.reference(PDFReference(row.number, generation: row.generation)))
        else { return false }
        let bytes = objects.with(row) { $0.copy(row.value) }
        if acceptedWhole[row.number] == bytes { return true }
        var isFine = false
        if row.number == formObject {
            isFine = Self.isForm(new, old)
        } else {
            // A copy may need readers of a later version than its template says.
            isFine = Self.isSame(
                .dictionary(new.without("AcroForm", "Version")),
                .dictionary(old.without("AcroForm", "Version")))
            if formObject == nil {
                let form = Self.isForm(new["AcroForm"]?.dictionary ?? [:], old["AcroForm"]?.dictionary ?? [:])
                isFine = isFine && form
            } else {
                isFine = isFine && new["AcroForm"] == old["AcroForm"]
            }
        }
        if isFine { acceptedWhole[row.number] = bytes }
        return isFine
    }

    /// The same form without XFA and the request to draw, perhaps with fields listed that only pages knew.
    private static func isForm(_ new: PDFDictionary, _ old: PDFDictionary) -> Bool {
        let listed = Set(new["Fields"]?.array ?? [])
        return (old["Fields"]?.array ?? []).allSatisfy(listed.contains)
            && new["XFA"] == nil && new["NeedAppearances"] == nil
            && isSame(
                .dictionary(new.without("Fields")),
                .dictionary(old.without("Fields", "XFA", "NeedAppearances")))
    }

    /// The same value, however its numbers are written.
    private static func isSame(_ a: PDFObject, _ b: PDFObject, depth: Int = 0) -> Bool {
        if depth > 40 { return false }
        switch (a, b) {
        case (.integer, .real), (.real, .integer), (.real, .real):
            guard let a = a.number, let b = b.number else { return false }
            return abs(a - b) <= 0.001 + abs(a) * 1e-6
        case (.array(let a), .array(let b)):
            return a.count == b.count && zip(a, b).allSatisfy { isSame($0, $1, depth: depth + 1) }
        case (.dictionary(let a), .dictionary(let b)):
            return a.entries.count == b.entries.count
                && a.entries.allSatisfy { entry in
                    b[entry.key].map { isSame(entry.value, $0, depth: depth + 1) } ?? false
                }
        default: return a == b
        }
    }
}

extension Finding {
    static func notProven(_ field: String, _ message: String) -> Finding {
        Finding(field: field, kind: .notProven, message: message)
    }
}
