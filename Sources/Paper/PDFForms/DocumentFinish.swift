public import PDF
import PDFDrawing

/// What is done to a whole document at the very end: numbers on its pages, what it says about itself, its lock.
///
///     var finish = DocumentFinish()
///     finish.numbers = ["1 / 2", "2 / 2"]
///     let bytes = try finish.applied(to: document)
public struct DocumentFinish: Sendable, Equatable {
    /// One text for each page, printed small at its foot; an empty one leaves its page as it is.
    public var numbers: [String] = []
    public var info = DocumentInfo()
    public var lock: PDFLock?

    public init() {}

    public func applied(to bytes: [UInt8]) throws(PDFError) -> [UInt8] {
        var bytes = bytes
        if numbers.contains(where: { !$0.isEmpty }) || info != DocumentInfo() { bytes = try revised(bytes) }
        guard let lock else { return bytes }
        return try LockableFile(PDFFile(bytes: bytes).rewritten()).locked(lock)
    }

    /// Appended, so that nothing that was there before changes.
    private func revised(_ given: [UInt8]) throws(PDFError) -> [UInt8] {
        var file = try PDFFile(bytes: given)
        if PDFEnding(of: given) == nil || file.encryption != nil {
            file = try PDFFile(bytes: file.rewritten())
        }
        guard let ending = PDFEnding(of: file.bytes) else { throw .damaged("its end makes no sense") }
        var trailer = file.trailer
        let template = TemplateInfo(file)
        let firstFree = file.highestObject + 1
        let place = template.place ?? PDFReference(firstFree)
        trailer["Info"] = .reference(place)
        var revision = PDFRevision(
            behind: file.bytes.count, ending: ending, trailer: trailer, firstFree: firstFree)
        revision.reserve(upTo: firstFree + 1)
        template.write(info, into: &revision, at: place)
        PageNumbers(file).print(numbers, into: &revision)
        let identity = Fingerprint.of(revision.out)
        return file.bytes + revision.finish(identity: identity)
    }
}

/// Prints short texts at the feet of pages, the right way up however a page is turned.
private struct PageNumbers {
    private static let font: PDFName = "QuireNumber"
    private static let size = 9.0
    /// Where the letters stand above the edge: printers leave out the last few millimetres.
    private static let height = 20.0

    private let file: PDFFile

    init(_ file: PDFFile) { self.file = file }

    func print(_ numbers: [String], into revision: inout PDFRevision) {
        guard numbers.contains(where: { !$0.isEmpty }) else { return }
        let font = revision.newReference()
        revision.put(
            .dictionary([
                "Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica"),
                "Encoding": .name("WinAnsiEncoding"),
            ]), at: font)
        // What a page draws may leave turned and moved what comes behind it; so it is put into brackets.
        let open = revision.newReference()
        revision.putStream([:], Array("q\n".utf8), at: open)
        for (page, text) in zip(file.pages, numbers) where !text.isEmpty {
            guard var dictionary = file.dictionary(.reference(page)) else { continue }
            let content = revision.newReference()
            revision.putStream([:], stamp(text, on: dictionary), at: content)
            let there = file.resolve(dictionary["Contents"])
            let contents = there.array ?? (dictionary["Contents"].map { [$0] } ?? [])
            dictionary["Contents"] = .array([.reference(open)] + contents + [.reference(content)])
            var resources = file.dictionary(inherited("Resources", by: dictionary)) ?? [:]
            var fonts = file.dictionary(resources["Font"]) ?? [:]
            fonts[Self.font] = .reference(font)
            resources["Font"] = .dictionary(fonts)
            dictionary["Resources"] = .dictionary(resources)
            revision.put(.dictionary(dictionary), at: page)
        }
    }

    private func stamp(_ text: String, on page: PDFDictionary) -> [UInt8] {
        let media = PDFRectangle(file.numbers(inherited("MediaBox", by: page)))
        let box =
            PDFRectangle(file.numbers(inherited("CropBox", by: page))) ?? media
            ?? PDFRectangle(left: 0, bottom: 0, right: 612, top: 792)
        let turn = file.resolve(inherited("Rotate", by: page)).integer ?? 0
        let half = PlainWidth.helvetica(text, size: Self.size) / 2
        let middle = (x: (box.left + box.right) / 2, y: (box.bottom + box.top) / 2)
        // The way the page is shown, letters run to the right; this is where that is on the page itself.
        let matrix: [Double] =
            switch ((turn % 360) + 360) % 360 {
            case 90: [0, 1, -1, 0, box.right - Self.height, middle.y - half]
            case 180: [-1, 0, 0, -1, middle.x + half, box.top - Self.height]
            case 270: [0, -1, 1, 0, box.left + Self.height, middle.y + half]
            default: [1, 0, 0, 1, middle.x - half, box.bottom + Self.height]
            }
        var out: [UInt8] = Array("\nQ\nq\nBT 0 g ".utf8)
        out.append(name: Self.font)
        out.append(text: " ")
        out.append(number: Self.size)
        out.append(text: " Tf ")
        for number in matrix {
            out.append(number: number)
            out.append(text: " ")
        }
        out.append(text: "Tm ")
        // The letters of WinAnsi that are also Latin-1; others have no place in a number.
        out.append(
            string: text.unicodeScalars.map { scalar in
                (0x20...0x7E).contains(scalar.value) || (0xA1...0xFF).contains(scalar.value)
                    ? UInt8(scalar.value) : UInt8(ascii: "?")
            })
        out.append(text: " Tj ET\nQ\n")
        return out
    }

    /// Of the page itself or of what it hangs on (ISO 32000-2 §7.7.3.4).
    private func inherited(_ key: PDFName, by page: PDFDictionary) -> PDFObject? {
        var node = page
        for _ in 0..<64 {
            if let value = node[key], !file.resolve(value).isNull { return value }
            guard let parent = file.dictionary(node["Parent"]) else { return nil }
            node = parent
        }
        return nil
    }
}
