import PDF
import PDFForms
import Testing

@Suite("Many records in one file")
struct MergedTests {
    private final class Output {
        var bytes: [UInt8] = []
        var largestPiece = 0
    }

    /// A merged file, opened again.
    private func merge(_ work: (MergedForms) throws -> Void) throws -> PDFFile {
        let output = Output()
        let merged = try MergedForms { output.bytes += $0 }
        try work(merged)
        try merged.finish()
        return try PDFFile(bytes: output.bytes)
    }

    private func form(_ describe: (inout FormMaker) -> Void) throws -> PreparedForm {
        try PreparedForm(bytes: FormMaker.make(describe))
    }

    /// Everything the page shows: its contents one behind the other.
    private func content(_ file: PDFFile, _ page: Int) -> String {
        let parts = file.array(file.dictionary(.reference(file.pages[page]))?["Contents"])
        return parts.compactMap { $0.reference.flatMap { file.stream($0) } }.map {
            String(decoding: $0, as: UTF8.self)
        }.joined(separator: "\n")
    }

    @Test("Every record has its page with its own values, and no field is left")
    func records() throws {
        let form = try form { $0.text("name", ["DA": .text("/Helv 10 Tf 0 g")]) }
        let file = try merge { merged in
            for name in ["Ana", "Bo", "Zoë (Z)"] { try merged.add(form, ["name": .text(name)]) }
        }
        #expect(file.repairs.isEmpty)
        #expect(file.pages.count == 3)
        #expect(file.form == nil)
        #expect(content(file, 0).contains("(Ana)"))
        #expect(content(file, 1).contains("(Bo)"))
        #expect(!content(file, 1).contains("(Ana)"))
        #expect(content(file, 2).contains("\\(Z\\)"))
    }

    @Test("What the pages share is in the file once")
    func shared() throws {
        let form = try form { maker in
            maker.text("name")
            let drawn = maker.draft.addStream([:], Array("0 0 100 100 re f".utf8))
            maker.page["Contents"] = .reference(drawn)
        }
        let file = try merge { merged in
            for row in 0..<50 { try merged.add(form, ["name": .text("Person \(row)")]) }
        }
        let parts = file.pages.map { page in
            file.array(file.dictionary(.reference(page))?["Contents"]).compactMap(\.reference)
        }
        // The drawing, the end of it, then what the record says.
        #expect(parts.allSatisfy { $0.count == 3 && Array($0.prefix(2)) == Array(parts[0].prefix(2)) })
        #expect(Set(parts.map { $0[2] }).count == 50)
        let resources = Set(file.pages.map { file.dictionary(.reference($0))?["Resources"] })
        #expect(resources.count == 1)
    }

    @Test("Each record with a title has a bookmark that leads to its first page")
    func bookmarks() throws {
        let form = try form { $0.text("name") }
        let file = try merge { merged in
            try merged.add(form, ["name": .text("Ana")], title: "Ana")
            try merged.add(form, ["name": .text("none")])
            try merged.add(form, ["name": .text("Zoë")], title: "Zoë")
        }
        let outline = try #require(file.dictionary(file.catalog["Outlines"]))
        #expect(file.resolve(outline["Count"]).integer == 2)
        var item = file.dictionary(outline["First"])
        var found: [String] = []
        var pages: [Int?] = []
        while let bookmark = item {
            found.append(file.resolve(bookmark["Title"]).text ?? "")
            let page = file.array(bookmark["Dest"]).first?.reference
            pages.append(page.flatMap { file.pages.firstIndex(of: $0) })
            item = file.dictionary(bookmark["Next"])
        }
        #expect(found == ["Ana", "Zoë"])
        #expect(pages == [0, 2])
    }

    @Test("A record has parts of different forms and pages for everybody, one behind the other")
    func parts() throws {
        let letter = try form { $0.text("name") }
        let card = try form { $0.text("number") }
        let notice = try MergedDocument(
            bytes: FormMaker.make { maker in
                let drawn = maker.draft.addStream([:], Array("1 0 0 rg 0 0 9 9 re f".utf8))
                maker.page["Contents"] = .reference(drawn)
            })
        let file = try merge { merged in
            for name in ["Ana", "Bo"] {
                try merged.add(
                    [
                        .form(letter, values: ["name": .text(name)]), .document(notice),
                        .form(card, values: ["number": .text("No. \(name)")]),
                    ], title: name)
            }
        }
        #expect(file.pages.count == 6)
        #expect(content(file, 3).contains("(Bo)"))
        #expect(content(file, 4).contains("1 0 0 rg"))
        #expect(content(file, 5).contains("(No. Bo)"))
    }

    @Test("Boxes are shown in their state, and fields nobody fills as the template shows them")
    func states() throws {
        let form = try form { maker in
            maker.text("name")
            let on = maker.appearance("1 1 8 8 re S")
            maker.fields.append(
                maker.widget([
                    "T": .text("agrees"), "FT": .name("Btn"), "AS": .name("Off"),
                    "AP": .dictionary(["N": .dictionary(["On": .reference(on)])]),
                ]))
            let old = maker.appearance("2 2 5 5 re f")
            maker.text("left", ["V": .text("old"), "AP": .dictionary(["N": .reference(old)])])
        }
        let file = try merge { merged in
            try merged.add(form, ["name": .text("Ana"), "agrees": .flag(true)])
            try merged.add(form, ["name": .text("Bo"), "agrees": .flag(false)])
        }
        func shown(_ page: Int) -> Int { content(file, page).components(of: " Do").count - 1 }
        #expect(shown(0) == 2)
        #expect(shown(1) == 1)
    }

    @Test("Letters of other fonts are embedded once for all records")
    func fallback() throws {
        let form = try form { $0.text("name") }
        let file = try merge { merged in
            for name in ["王小明", "小明王", "明王小"] { try merged.add(form, ["name": .text(name)]) }
        }
        let resources = try #require(
            file.dictionary(file.dictionary(.reference(file.pages[2]))?["Resources"]))
        let fonts = try #require(file.dictionary(resources["Font"]))
        let composite = fonts.entries.filter {
            file.resolve(file.dictionary($0.value)?["Subtype"]).name == "Type0"
        }
        #expect(composite.count == 1)
        #expect(file.repairs.isEmpty)
    }

    @Test("Thousands of records pass through in pieces, and every one can be found again")
    func flat() throws {
        let form = try form { $0.text("name", ["DA": .text("/Helv 10 Tf 0 g")]) }
        let output = Output()
        let merged = try MergedForms { piece in
            output.largestPiece = max(output.largestPiece, piece.count)
            output.bytes += piece
        }
        for row in 0..<20_000 { try merged.add(form, ["name": .text("Person \(row)")], title: "\(row)") }
        try merged.finish()
        #expect(output.largestPiece < 2 << 20)
        let file = try PDFFile(bytes: output.bytes)
        #expect(file.repairs.isEmpty)
        #expect(file.pages.count == 20_000)
        #expect(content(file, 12_345).contains("(Person 12345)"))
        #expect(content(file, 19_999).contains("(Person 19999)"))
    }

    @Test("A file of no records is refused")
    func refused() throws {
        #expect(throws: FormError.nothingToMerge) { _ = try merge { _ in } }
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
