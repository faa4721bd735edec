public import PDF

extension FieldProposals {
    /// The document with these places as real fields, ready to be filled. The document's own bytes stay an untouched
    /// beginning where that is possible; one that is damaged or encrypted is written anew first.
    public static func add(
        _ accepted: [FieldProposal], to bytes: [UInt8], password: String? = nil
    ) throws(PDFError) -> [UInt8] {
        var file = try PDFFile(bytes: bytes, password: password)
        let isSound =
            file.encryption == nil && PDFEnding(of: bytes) != nil
            && !file.repairs.contains { $0.contains("reconstruct") }
        if !isSound { file = try PDFFile(bytes: file.rewritten()) }
        guard !accepted.isEmpty else { return file.bytes }
        guard let ending = PDFEnding(of: file.bytes), let root = file.trailer["Root"]?.reference else {
            throw .damaged("its end makes no sense")
        }
        var revision = PDFRevision(
            behind: file.bytes.count, ending: ending, trailer: file.trailer, firstFree: file.highestObject + 1
        )
        let pages = file.pages
        let frames = file.frames
        var names = NameMaker(taken: placedNames(file))
        let pictures = BoxPictures(&revision)
        var widgets: [Int: [PDFObject]] = [:]
        var fields: [PDFObject] = []
        for proposal in accepted where pages.indices.contains(proposal.page) {
            let reference = revision.newReference()
            var proposal = proposal
            proposal.name = names.name(for: proposal.name, kind: proposal.kind)
            revision.put(
                .dictionary(
                    widget(
                        proposal, page: pages[proposal.page], frame: frames[proposal.page], pictures,
                        &revision)),
                at: reference)
            fields.append(.reference(reference))
            widgets[proposal.page, default: []].append(.reference(reference))
        }
        for (index, added) in widgets.sorted(by: { $0.key < $1.key }) {
            var page = file.dictionary(.reference(pages[index])) ?? [:]
            page["Annots"] = .array(file.array(page["Annots"]) + added)
            // From field to field as they are read: row by row (§12.5.1).
            if page["Tabs"] == nil { page["Tabs"] = .name("R") }
            revision.put(.dictionary(page), at: pages[index])
        }
        var form = file.form ?? [:]
        form["Fields"] = .array(file.array(form["Fields"]) + fields)
        form["NeedAppearances"] = nil
        if form["DA"] == nil { form["DA"] = .text("/Helv 0 Tf 0 g") }
        form["DR"] = .dictionary(resources(file.dictionary(form["DR"]) ?? [:], file, &revision))
        if let reference = file.catalog["AcroForm"]?.reference {
            revision.put(.dictionary(form), at: reference)
        } else {
            var catalog = file.catalog
            catalog["AcroForm"] = .dictionary(form)
            revision.put(.dictionary(catalog), at: root)
        }
        return file.bytes + revision.finish(identity: identity(accepted, file.bytes))
    }

    private static func placedNames(_ file: PDFFile) -> [String] {
        file.array(file.form?["Fields"]).compactMap { file.resolve(file.dictionary($0)?["T"]).text }
    }

    private static func widget(
        _ proposal: FieldProposal, page: PDFReference, frame: PageFrame, _ pictures: BoxPictures,
        _ revision: inout PDFRevision
    ) -> PDFDictionary {
        var widget: PDFDictionary = [
            "Type": .name("Annot"), "Subtype": .name("Widget"), "F": .integer(4), "P": .reference(page),
            "Rect": .array(proposal.place.numbers.map { .real(($0 * 100).rounded() / 100) }),
            "T": .text(proposal.name),
        ]
        if !proposal.label.isEmpty { widget["TU"] = .text(proposal.label) }
        var characteristics: PDFDictionary = [:]
        // Upright for the reader, also on a page that is turned.
        if frame.rotation != 0 { characteristics["R"] = .integer(frame.rotation) }
        let height = frame.isOnItsSide ? proposal.place.width : proposal.place.height
        switch proposal.kind {
        case .text, .multiline, .comb:
            widget["FT"] = .name("Tx")
            let size = min(11, max(6, (height * 0.68).rounded()))
            widget["DA"] = .text("/Helv \(proposal.kind == .multiline ? 10 : Int(size)) Tf 0 g")
            if proposal.kind == .multiline { widget["Ff"] = .integer(1 << 12) }
            if proposal.kind == .comb, let count = proposal.cellCount, count > 0 {
                widget["Ff"] = .integer(1 << 24)
                widget["MaxLen"] = .integer(count)
            }
        case .checkBox:
            widget["FT"] = .name("Btn")
            widget["V"] = .name("Off")
            widget["AS"] = .name("Off")
            widget["DA"] = .text("/ZaDb 0 Tf 0 g")
            characteristics["CA"] = .text("4")
            let (on, off) = pictures.pair(
                width: proposal.place.width, height: proposal.place.height, rotation: frame.rotation,
                &revision)
            widget["AP"] = .dictionary([
                "N": .dictionary(["Yes": .reference(on), "Off": .reference(off)])
            ])
        case .signature:
            widget["FT"] = .name("Sig")
        }
        if !characteristics.isEmpty { widget["MK"] = .dictionary(characteristics) }
        return widget
    }

    private static func resources(
        _ known: PDFDictionary, _ file: PDFFile, _ revision: inout PDFRevision
    ) -> PDFDictionary {
        var known = known
        var fonts = file.dictionary(known["Font"]) ?? [:]
        if fonts["Helv"] == nil {
            let font = revision.newReference()
            revision.put(
                .dictionary([
                    "Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica"),
                    "Encoding": .name("WinAnsiEncoding"),
                ]), at: font)
            fonts["Helv"] = .reference(font)
        }
        if fonts["ZaDb"] == nil {
            let font = revision.newReference()
            revision.put(
                .dictionary([
                    "Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("ZapfDingbats"),
                ]), at: font)
            fonts["ZaDb"] = .reference(font)
        }
        known["Font"] = .dictionary(fonts)
        return known
    }

    /// The same fields on the same document give the same bytes.
    private static func identity(_ accepted: [FieldProposal], _ bytes: [UInt8]) -> [UInt8] {
        var a: UInt64 = 0xCBF2_9CE4_8422_2325
        var b: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
        func mix(_ byte: UInt8) {
            a = (a ^ UInt64(byte)) &* 0x100_0000_01B3
            b = (b ^ UInt64(byte) &+ a) &* 0x9E37_79B9_7F4A_7C15
        }
        for byte in bytes { mix(byte) }
        for proposal in accepted {
            for byte in proposal.name.utf8 { mix(byte) }
            for number in proposal.place.numbers {
                withUnsafeBytes(of: number.bitPattern) { $0.forEach(mix) }
            }
        }
        return [a, b].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }
}

/// How a box looks when it is ticked and when not; boxes of one size share the pictures.
private final class BoxPictures {
    private var known: [[Int]: (on: PDFReference, off: PDFReference)] = [:]

    init(_ revision: inout PDFRevision) {}

    func pair(
        width: Double, height: Double, rotation: Int, _ revision: inout PDFRevision
    ) -> (on: PDFReference, off: PDFReference) {
        let key = [Int((width * 10).rounded()), Int((height * 10).rounded()), rotation]
        if let pair = known[key] { return pair }
        let pair = (on: revision.newReference(), off: revision.newReference())
        let side = min(width, height)
        let left = (width - side) / 2
        let bottom = (height - side) / 2
        var form: PDFDictionary = [
            "Type": .name("XObject"), "Subtype": .name("Form"),
            "BBox": .array([.real(0), .real(0), .real(width), .real(height)]),
        ]
        // Turned around its middle, so that the tick stands upright on a turned page.
        let turns: [Int: [Double]] = [
            90: [0, 1, -1, 0, height, 0], 180: [-1, 0, 0, -1, width, height], 270: [0, -1, 1, 0, 0, width],
        ]
        if let matrix = turns[rotation] { form["Matrix"] = .array(matrix.map(PDFObject.real)) }
        var tick: [UInt8] = Array("q 0 G 1 J 1 j ".utf8)
        tick.append(number: max(0.8, side * 0.13))
        tick.append(text: " w ")
        for (index, point) in [(0.2, 0.5), (0.42, 0.24), (0.82, 0.8)].enumerated() {
            tick.append(number: left + point.0 * side)
            tick.append(32)
            tick.append(number: bottom + point.1 * side)
            tick.append(text: index == 0 ? " m " : " l ")
        }
        tick.append(text: "S Q")
        revision.putStream(form, tick, at: pair.on)
        revision.putStream(form, [], at: pair.off)
        known[key] = pair
        return pair
    }
}
