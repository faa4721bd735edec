import Filling
import Glibc
import Library
import PDF
import PDFForms
import PDFReading
import Storage
import TestSupport
import Testing

@Suite("Packets of several parts")
struct PartsTests {
    @Test("A form, a paper for all and a paper of one's own become one file, in their order, with bookmarks")
    func parts() throws {
        try withDesk { desk throws in
            let rules = try desk.documents.add(
                .bytes(SampleForm.make(pages: 3) { _ in }), named: "Rules.pdf", by: ada)
            for number in 1...2 {
                let own = SampleForm.make(pages: number) { _ in }
                _ = try desk.documents.add(
                    .bytes(own + [10]), named: "Certificate Pupil \(number).pdf", by: ada)
            }
            let batch = try desk.batch {
                $0.parts.append(PacketPart(.document(rules.document.id), condition: "{agrees} = \"yes\""))
                $0.parts.append(PacketPart(.attachment(pattern: "Certificate {name}.pdf")))
            }
            let summary = try #require(try desk.batches.plan(batch.id, by: ada).summary)
            #expect(summary.problems.map(\.kind) == [.missingAttachment])
            #expect(summary.held == 1)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            let packets = try desk.packets(batch, .init(state: .made))
            #expect(packets.map(\.pageCount) == [2, 6])
            let (_, file, isAsMade) = try desk.batches.file(of: packets[1].id, by: viewer)
            #expect(isAsMade)
            let pdf = try PDFFile(bytes: file.bytes)
            #expect(pdf.pages.count == 6)
            #expect(pdf.repairs.isEmpty)
            #expect(try Form(bytes: file.bytes).fields.first { $0.name == "name" }?.value == ["Pupil 2"])
            let outlines = pdf.dictionary(pdf.catalog["Outlines"])
            #expect(pdf.resolve(pdf.dictionary(outlines?["First"])?["Title"]).text == "Consent form")
            let details = try desk.batches.packet(packets[1].id, by: viewer)
            #expect(details.parts.map(\.name) == ["Consent form", "Rules.pdf", "Certificate Pupil 2.pdf"])
        }
    }

    @Test(
        "Each part begins on the front of a sheet; numbers run through all packets, beside those of its pages"
    )
    func printing() throws {
        try withDesk { desk throws in
            let rules = try desk.documents.add(
                .bytes(SampleForm.make(pages: 2) { _ in }), named: "Rules.pdf", by: ada)
            let batch = try desk.batch {
                $0.parts.append(PacketPart(.document(rules.document.id)))
                $0.options.duplex = true
                $0.options.numbering = .init(
                    pattern: "{page}/{pages}", bates: .init(prefix: "S-", first: 10, digits: 4))
            }
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            let packets = try desk.packets(batch)
            #expect(packets.map(\.state) == [.made, .made, .made])
            let pdf = try PDFFile(bytes: desk.batches.file(of: packets[1].id, by: ada).file.bytes)
            // One page, an empty back, two pages; the empty one has no number.
            #expect(pdf.pages.count == 4)
            let words = Self.words(pdf)
            #expect(words.map { $0.contains(Self.hex("S-")) } == [true, false, true, true])
            #expect(words[0].contains(Self.hex("S-0013 ")))
            #expect(words[3].contains(Self.hex("S-0015 ")))
            #expect(words[3].contains(Self.hex(" 3/3")))
        }
    }

    @Test("A password of one's own opens the packet, and the same packet is locked the same way each time")
    func passwords() throws {
        try withDesk { desk throws in
            let batch = try desk.batch {
                $0.options.password = "{class} & \"-\" & {name}"
                $0.options.metadata.title = "\"For \" & {name}"
            }
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            let packet = try desk.packets(batch)[0]
            #expect(packet.state == .made, "\(packet.reason ?? "")")
            let file = try desk.batches.file(of: packet.id, by: ada)
            #expect(file.isAsMade)
            #expect(throws: PDFError.passwordNeeded) { try PDFFile(bytes: file.file.bytes) }
            let opened = try PDFFile(bytes: file.file.bytes, password: "1a-Pupil 1")
            #expect(opened.encryption?.revision == 6)
            #expect(opened.resolve(opened.dictionary(opened.trailer["Info"])?["Title"]).text == "For Pupil 1")
        }
    }

    @Test(
        "The picture of a locked packet is shown but not kept, that of an open one is kept",
        .enabled(if: PageReader.isReady, "poppler-utils is not installed"))
    func lockedPictures() throws {
        try withDesk { desk throws in
            for (password, keeps) in [("\"lamp-2026\"", false), ("", true)] {
                let batch = try desk.batch { $0.options.password = password }
                try desk.batches.plan(batch.id, by: ada)
                try desk.batches.fill(batch.id, by: ada)
                desk.work()
                let packet = try desk.packets(batch)[0]
                let picture = try desk.batches.picture(of: packet.id, page: 1, width: 160, by: ada)
                #expect(picture.starts(with: [0xFF, 0xD8]))
                let shelf = "\(desk.store.home.previews)/\(try #require(packet.digest).hex.prefix(2))"
                #expect((access(shelf, F_OK) == 0) == keeps)
            }
        }
    }

    @Test("Page numbers and titles work for a single form as well, and flattening leaves no fields")
    func finishing() throws {
        try withDesk { desk throws in
            let batch = try desk.batch {
                $0.options.numbering = .init(pattern: "Page {page} of {pages}")
                $0.options.flattens = true
                $0.options.metadata.author = "\"The school\""
            }
            try desk.batches.plan(batch.id, by: ada)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            let packet = try desk.packets(batch)[2]
            #expect(packet.state == .made, "\(packet.reason ?? "")")
            let pdf = try PDFFile(bytes: desk.batches.file(of: packet.id, by: ada).file.bytes)
            #expect(pdf.form == nil)
            #expect(Self.words(pdf)[0].contains("(Page 1 of 1)"))
            #expect(pdf.resolve(pdf.dictionary(pdf.trailer["Info"])?["Author"]).text == "The school")
        }
    }

    /// As a text is written that has a letter beyond ASCII in it.
    static func hex(_ text: String) -> String {
        text.utf8.map { String($0, radix: 16, uppercase: true) }.joined()
    }

    /// What each page draws by itself.
    static func words(_ pdf: PDFFile) -> [String] {
        pdf.pages.map { page in
            let contents = pdf.dictionary(.reference(page))?["Contents"]
            let parts = pdf.resolve(contents).array ?? (contents.map { [$0] } ?? [])
            return parts.compactMap { $0.reference.flatMap { pdf.stream($0) } }
                .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        }
    }
}
