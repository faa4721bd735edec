import PDF
import PDFForms
import TestSupport
import Testing

@Suite("Only the fields of a form")
struct FormFieldsTests {
    private func same(_ bytes: [UInt8], sound: Bool?, _ shelf: SoundFile.Shelf = .init()) throws {
        let quick = try FormFields(bytes: bytes, shelf: shelf)
        let whole = try Form(bytes: bytes).fields
        if let sound { #expect(quick.wasSound == sound) }
        #expect(quick.fields.map(\.name) == whole.map(\.name))
        #expect(quick.fields.map(\.value) == whole.map(\.value))
        #expect(quick.fields.map(\.kind) == whole.map(\.kind))
    }

    private static let consent = "Examples/02-consent-forms/consent.pdf"

    @Test("are those that reading the whole form finds, in a file as it came, rewritten and appended to")
    func agree() throws {
        let shelf = SoundFile.Shelf()
        let bytes = try contents(of: Self.consent)
        try same(bytes, sound: nil, shelf)
        let file = try PDFFile(bytes: bytes)
        try same(file.rewritten(), sound: true, shelf)
        var plain = PDFFile.Writing()
        plain.packsObjects = false
        try same(file.rewritten(plain), sound: true, shelf)
        plain.linearizes = true
        plain.packsObjects = true
        try same(file.rewritten(plain), sound: true, shelf)
    }

    @Test("are read from damaged files as well, after they were repaired")
    func damaged() throws {
        let bytes = try PDFFile(bytes: contents(of: Self.consent)).rewritten()
        try same([0x20, 0x0A] + bytes, sound: false)
        var moved = bytes
        // The place of the cross-reference is off by one.
        if let digit = moved.lastIndex(where: { (0x30...0x38).contains($0) }) { moved[digit] += 1 }
        try same(moved, sound: false)
    }

    @Test("need the password of a locked form")
    func locked() throws {
        var writing = PDFFile.Writing()
        writing.passwords = (user: "hazel", owner: "birch")
        let bytes = try PDFFile(bytes: contents(of: Self.consent)).rewritten(writing)
        #expect(throws: PDFError.passwordNeeded) { try FormFields(bytes: bytes, shelf: .init()) }
        let opened = try FormFields(bytes: bytes, password: "hazel", shelf: .init())
        #expect(!opened.fields.isEmpty && !opened.wasSound)
    }

    @Test("are asked of hundreds of broken files without a trap")
    func broken() throws {
        let bytes = try PDFFile(bytes: contents(of: Self.consent)).rewritten()
        var dice = Dice(11)
        let shelf = SoundFile.Shelf()
        for _ in 0..<400 {
            var copy = bytes
            for _ in 0...dice.below(6) {
                let place = dice.below(copy.count)
                switch dice.below(3) {
                case 0: copy[place] = UInt8(dice.below(256))
                case 1: copy.remove(at: place)
                default: copy.insert(UInt8(dice.below(256)), at: place)
                }
            }
            _ = SoundFile(copy, shelf).map { file in (file.form, file.pages) }
            _ = try? FormFields(bytes: copy, shelf: shelf)
        }
    }

    @Test(
        "of every form of the corpus agree",
        .enabled(if: CorpusFiles.has("form"), "the corpus is not beside the checkout"))
    func corpus() throws {
        var sound = 0
        let shelf = SoundFile.Shelf()
        let paths = CorpusFiles.names("form").filter { $0.hasSuffix(".pdf") }
        for path in paths {
            guard let bytes = try? CorpusFiles.bytes("form/\(path)"),
                let whole = try? Form(bytes: bytes).fields
            else {
                continue
            }
            let quick = try FormFields(bytes: bytes, shelf: shelf)
            if quick.wasSound { sound += 1 }
            #expect(quick.fields.map(\.name) == whole.map(\.name), "\(path)")
            #expect(quick.fields.map(\.value) == whole.map(\.value), "\(path)")
            #expect(quick.fields.map(\.kind) == whole.map(\.kind), "\(path)")
        }
        #expect(sound > paths.count / 3, "\(sound) of \(paths.count)")
    }
}
