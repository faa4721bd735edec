public import PDF

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

/// Prints short texts at the feet of pages.
private struct PageNumbers {
    private let file: PDFFile

    init(_ file: PDFFile) { self.file = file }

    func print(_ numbers: [String], into revision: inout PDFRevision) {
        guard numbers.contains(where: { !$0.isEmpty }) else { return }
        let font = revision.newReference()
        revision.put(PageStamp.font, at: font)
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
            var resources = file.dictionary(file.inherited("Resources", by: dictionary)) ?? [:]
            var fonts = file.dictionary(resources["Font"]) ?? [:]
            fonts[PageStamp.fontName] = .reference(font)
            resources["Font"] = .dictionary(fonts)
            dictionary["Resources"] = .dictionary(resources)
            revision.put(.dictionary(dictionary), at: page)
        }
    }

    private func stamp(_ text: String, on page: PDFDictionary) -> [UInt8] {
        let media = PDFRectangle(file.numbers(file.inherited("MediaBox", by: page)))
        let box =
            PDFRectangle(file.numbers(file.inherited("CropBox", by: page))) ?? media
            ?? PDFRectangle(left: 0, bottom: 0, right: 612, top: 792)
        let turn = file.resolve(file.inherited("Rotate", by: page)).integer ?? 0
        var out: [UInt8] = Array("\nQ\n".utf8)
        PageStamp(box: box, turn: turn).print(text, into: &out)
        return out
    }
}
