import Glibc
import PDF
import PDFForms
import TestSupport
import Testing
import Work

/// What can be asked of a filled copy besides its values, looked at by strangers too.
@Suite("Filled copies")
struct OutputTests {
    private func template(_ more: (inout FormMaker) -> Void = { _ in }) -> [UInt8] {
        FormMaker.make { maker in
            maker.text("name")
            maker.text("notes", ["Ff": .integer(1 << 12)], box: [20, 200, 220, 280])
            more(&maker)
        }
    }

    private func stranger(_ program: String, _ arguments: [String]) throws -> Child.Outcome {
        try Child(program, arguments, limits: .init(time: .seconds(60))).run()
    }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        let file = try #require(fopen(path, "we"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    // MARK: Locked

    private func lockedForm() throws -> PreparedForm {
        var options = PreparedForm.Options()
        options.locks = true
        let large = template { maker in
            var dice = Dice(1)
            let picture = maker.draft.addStream([:], (0..<20_000).map { _ in UInt8(dice.below(256)) })
            maker.catalog["PieceInfo"] = .dictionary(["Large": .reference(picture)])
        }
        return try PreparedForm(bytes: large, options: options)
    }

    @Test("locked with a password open with it alone, and say what was filled in")
    func locked() throws {
        let form = try lockedForm()
        let lock = try PDFLock(userPassword: "Größe 7", ownerPassword: "boss", permissions: .reading)
        let filled = try form.fill(
            ["name": .text("Zoë Ł"), "notes": .text("two\nlines")], extras: .init(lock: lock))
        #expect(throws: PDFError.passwordNeeded) { try PDFFile(bytes: filled.bytes) }
        #expect(throws: PDFError.wrongPassword) { try PDFFile(bytes: filled.bytes, password: "größe 7") }
        let file = try PDFFile(bytes: filled.bytes, password: "Größe 7")
        #expect(file.encryption?.revision == 6)
        #expect(file.encryption?.openedAsOwner == false)
        #expect(file.encryption?.mayFillForms == false)
        #expect(try PDFFile(bytes: filled.bytes, password: "boss").encryption?.openedAsOwner == true)
        let fields = try Form(bytes: filled.bytes, password: "boss").fields
        #expect(fields.map(\.value) == [["Zoë Ł"], ["two\rlines"]])
        #expect(file.repairs.isEmpty)
        #expect(
            form.prove(filled, columns: form.columns(["name"]), row: [.text("Zoë Ł")]).isEmpty)
    }

    @Test("locked are sound to qpdf and read by poppler and MuPDF")
    func lockedForStrangers() throws {
        try withScratchFolder { folder in
            let lock = try PDFLock(userPassword: "secret", permissions: [.print, .fill])
            let filled = try lockedForm().fill(["name": .text("Łukasz 日本")], extras: .init(lock: lock))
            let path = "\(folder)/locked.pdf"
            try write(filled.bytes, path)
            let check = try stranger("/usr/bin/qpdf", ["--check", "--password=secret", path])
            #expect(check.succeeded, "\(check.outputText)\(check.errorText)")
            #expect(check.outputText.contains("R = 6"))
            #expect(check.outputText.contains("modify forms: allowed"), "\(check.outputText)")
            #expect(check.outputText.contains("extract for any purpose: not allowed"))
            for (program, arguments) in [
                ("/usr/bin/pdftotext", ["-upw", "secret", path, "-"]),
                ("/usr/bin/mutool", ["draw", "-q", "-p", "secret", "-F", "txt", path]),
            ] {
                let read = try stranger(program, arguments)
                #expect(read.outputText.contains("Łukasz"), "\(program): \(read.errorText)")
                #expect(!read.errorText.lowercased().contains("error"), "\(program): \(read.errorText)")
            }
        }
    }

    @Test("locked are the same bytes for the same input, and share no key with any other")
    func lockedSameBytes() throws {
        let form = try lockedForm()
        func made(_ name: String, _ password: String) throws -> [UInt8] {
            let lock = try PDFLock(userPassword: password)
            return try form.fill(["name": .text(name)], extras: .init(lock: lock)).bytes
        }
        let first = try made("Ann", "pw")
        #expect(try made("Ann", "pw") == first)
        // The unchanging part of the template is hidden differently each time: no block of it is alike.
        for other in [try made("Ann", "pw2"), try made("Bob", "pw")] {
            let shared = zip(first, other).filter { $0 == $1 }.count
            #expect(shared < first.count / 10)
            #expect(other != first)
        }
        let file = try PDFFile(bytes: first, password: "pw")
        #expect(file.encryption?.openedAsOwner == false)
    }

    @Test("locked without preparation come out just as sound")
    func lockedLate() throws {
        let lock = try PDFLock(userPassword: "pw")
        let form = try PreparedForm(bytes: template())
        let filled = try form.fill(["name": .text("Ann")], extras: .init(lock: lock))
        #expect(try Form(bytes: filled.bytes, password: "pw").fields[0].value == ["Ann"])
    }

    @Test(
        "are not locked with passwords that lock nothing",
        arguments: ["", "a\u{7}b", String(repeating: "x", count: 128)])
    func badPassword(password: String) {
        #expect(throws: PDFError.self) { try PDFLock(userPassword: password) }
    }

    @Test("locked and flattened, with a title, keep all of it")
    func lockedWithAll() throws {
        var options = PreparedForm.Options()
        options.locks = true
        options.flattens = .all
        let form = try PreparedForm(bytes: template(), options: options)
        let extras = DocumentExtras(
            info: DocumentInfo(title: "For Ann"), lock: try PDFLock(userPassword: "pw"))
        let filled = try form.fill(["name": .text("Ann")], extras: extras)
        let file = try PDFFile(bytes: filled.bytes, password: "pw")
        #expect(file.form == nil)
        #expect(file.dictionary(file.trailer["Info"])?["Title"]?.text == "For Ann")
    }

    // MARK: Read-only

    @Test("made read-only keep their fields, and none of them can be changed")
    func readOnly() throws {
        var options = PreparedForm.Options()
        options.makesReadOnly = true
        let form = try PreparedForm(bytes: template(), options: options)
        let fields = try Form(bytes: form.fill(["name": .text("Ann")]).bytes).fields
        #expect(fields.allSatisfy { $0.flags.contains(.readOnly) })
        #expect(fields[0].value == ["Ann"])
    }

    // MARK: What they say about themselves

    @Test("say title, author, subject and keywords, and keep the rest")
    func info() throws {
        let form = try PreparedForm(bytes: template())
        let info = DocumentInfo(title: "W-9 für Zoë", author: "Desk", subject: "", keywords: "tax, 2026")
        let filled = try form.fill(["name": .text("Ann")], extras: .init(info: info))
        let isUntouched = filled.bytes.starts(with: template())
        #expect(isUntouched)
        let file = try PDFFile(bytes: filled.bytes)
        let found = try #require(file.dictionary(file.trailer["Info"]))
        #expect(found["Title"]?.text == "W-9 für Zoë")
        #expect(found["Author"]?.text == "Desk")
        #expect(found["Subject"] == nil)
        #expect(found["Keywords"]?.text == "tax, 2026")
        #expect(file.repairs.isEmpty)
        #expect(try Form(bytes: filled.bytes).fields[0].value == ["Ann"])
    }

    @Test("say the same in both places when the template has both")
    func xmp() throws {
        let old = """
            <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="uuid:7" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="2" pdf:Keywords="old &gt; words" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:dc="http://purl.org/dc/elements/1.1/">
            <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old title</rdf:li></rdf:Alt></dc:title>
            <dc:format>application/pdf</dc:format></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
            """
        let template = template { maker in
            let packet = maker.draft.addStream(
                ["Type": .name("Metadata"), "Subtype": .name("XML")], Array(old.utf8))
            maker.catalog["Metadata"] = .reference(packet)
        }
        let info = DocumentInfo(title: "Tom & Zoë <3", keywords: "tax, 2026")
        let filled = try PreparedForm(bytes: template).fill(["name": .text("Ann")], extras: .init(info: info))
        let file = try PDFFile(bytes: filled.bytes)
        let packet = try #require(file.catalog["Metadata"]?.reference.flatMap { file.stream($0) })
        let text = String(decoding: packet, as: UTF8.self)
        #expect(!text.contains("Old title") && !text.contains("old &gt; words"))
        #expect(text.contains("pdfaid:part=\"2\"") && text.contains("<dc:format>"))
        try withScratchFolder { folder in
            try write(filled.bytes, "\(folder)/a.pdf")
            let read = try stranger("/usr/bin/pdfinfo", ["\(folder)/a.pdf"])
            #expect(read.outputText.contains("Tom & Zoë <3"), "\(read.outputText)\(read.errorText)")
            let metadata = try stranger("/usr/bin/pdfinfo", ["-meta", "\(folder)/a.pdf"])
            let parse = try Child(
                "/usr/bin/python3",
                [
                    "-c",
                    """
                    import sys, xml.etree.ElementTree as tree
                    root = tree.fromstring(sys.stdin.buffer.read().decode().strip().encode())
                    about = {d.get('{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about') for d in root.iter('{http://www.w3.org/1999/02/22-rdf-syntax-ns#}Description')}
                    print(about, [e.text for e in root.iter('{http://www.w3.org/1999/02/22-rdf-syntax-ns#}li')])
                    """,
                ], input: .bytes(metadata.output)
            ).run()
            #expect(
                parse.outputText == "{'uuid:7'} ['Tom & Zoë <3', 'tax', '2026']\n", "\(parse.errorText)")
        }
    }

    // MARK: Flattened in part

    @Test("with some fields flattened keep the others alive")
    func flattenedInPart() throws {
        let template = FormMaker.make { maker in
            maker.text("name")
            maker.text("later")
            let parent = maker.draft.newReference()
            let kid = maker.widget(["T": .text("city"), "FT": .name("Tx"), "Parent": .reference(parent)])
            let other = maker.widget(["T": .text("zip"), "FT": .name("Tx"), "Parent": .reference(parent)])
            maker.draft.put(
                .dictionary(["T": .text("home"), "Kids": .array([.reference(kid), .reference(other)])]),
                at: parent)
            maker.fields.append(parent)
        }
        var options = PreparedForm.Options()
        options.flattens = .fields(["name", "home.city"])
        let form = try PreparedForm(bytes: template, options: options)
        let row: [FieldValue?] = [.text("Ann"), .text("Rome"), .text("1000")]
        let columns = form.columns(["name", "home.city", "home.zip"])
        let filled = form.fill(columns: columns, row: row)
        let left = try Form(bytes: filled.bytes)
        #expect(left.fields.map(\.name) == ["later", "home.zip"])
        #expect(left.fields.map(\.value) == [[], ["1000"]])
        #expect(form.prove(filled, columns: columns, row: row).isEmpty)
        try withScratchFolder { folder in
            try write(filled.bytes, "\(folder)/a.pdf")
            let check = try stranger("/usr/bin/qpdf", ["--check", "\(folder)/a.pdf"])
            #expect(check.succeeded, "\(check.outputText)")
            let text = try stranger("/usr/bin/pdftotext", ["\(folder)/a.pdf", "-"]).outputText
            #expect(text.contains("Ann") && text.contains("Rome") && text.contains("1000"))
        }
    }

    @Test("of a signed form are not locked and not made read-only: the signature would break")
    func signed() throws {
        let template = FormMaker.make { maker in
            maker.text("name")
            let signature = maker.draft.add(
                .dictionary([
                    "Type": .name("Sig"), "Filter": .name("Adobe.PPKLite"), "Contents": .string([0]),
                ]))
            maker.fields.append(
                maker.widget(["T": .text("sig"), "FT": .name("Sig"), "V": .reference(signature)]))
        }
        var options = PreparedForm.Options()
        options.locks = true
        #expect(throws: FormError.signedAndLocked) { try PreparedForm(bytes: template, options: options) }
        options.locks = false
        options.makesReadOnly = true
        #expect(throws: FormError.signedAndReadOnly) { try PreparedForm(bytes: template, options: options) }
    }

    @Test("of a signed form that is locked are told apart from those of one that is damaged")
    func signedAndLockedOrDamaged() throws {
        let template = FormMaker.make { maker in
            maker.text("name")
            let signature = maker.draft.add(
                .dictionary([
                    "Type": .name("Sig"), "Filter": .name("Adobe.PPKLite"), "Contents": .string([0]),
                ]))
            maker.fields.append(
                maker.widget(["T": .text("sig"), "FT": .name("Sig"), "V": .reference(signature)]))
        }
        #expect(try PreparedForm(bytes: template).form.protection != .none)
        // Locked and sound: nothing is wrong with it but the lock.
        let locked = try LockableFile(template).locked(
            PDFLock(userPassword: "", ownerPassword: "owner"))
        #expect(throws: FormError.signedAndEncrypted) { try PreparedForm(bytes: locked) }
        // Damaged and open to all: its end is gone.
        let text = String(decoding: template, as: UTF8.self)
        let end = try #require(text.firstRange(of: "startxref"))
        let cut = Array(text[..<end.lowerBound].utf8)
        #expect(throws: FormError.signedAndDamaged) { try PreparedForm(bytes: cut) }
    }
}
