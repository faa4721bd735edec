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

    @Test("What many records say in the same place is in the file once")
    func repeated() throws {
        let form = try form { maker in
            maker.text("name")
            maker.text("remark", ["Ff": .integer(1 << 12)], box: [20, 20, 380, 120])
        }
        let remark = "Attended every session, and did all of the practical exercises with great effort."
        let file = try merge { merged in
            for row in 0..<40 {
                try merged.add(
                    form, ["name": .text("Person \(row)"), "remark": .text(row == 30 ? "none" : remark)])
            }
        }
        #expect(file.repairs.isEmpty)
        func says(_ text: String) -> Bool { text.contains("Attended every session") }
        let alone = file.pages.indices.filter { says(content(file, $0)) }
        #expect(alone == Array(0..<7))
        let resources = try #require(
            file.dictionary(file.dictionary(.reference(file.pages[39]))?["Resources"]))
        let shown = try #require(file.dictionary(resources["XObject"])?["QT0"]?.reference)
        #expect(says(String(decoding: try #require(file.stream(shown)), as: UTF8.self)))
        #expect(file.dictionary(file.dictionary(.reference(shown))?["Resources"])?["Font"] != nil)
        for page in file.pages.indices {
            let isShown = page >= 7 && page != 30
            #expect(content(file, page).contains("/QT0 Do") == isShown)
        }
        #expect(content(file, 30).contains("(none)"))
    }

    @Test("The spacing of a comb reaches no other text of the page")
    func spacing() throws {
        let form = try form { maker in
            maker.text(
                "code",
                ["MaxLen": .integer(6), "Ff": .integer(1 << 24), "DA": .text("/Helv 10 Tf 0 g")])
            maker.text("name")
            maker.text("remark", ["Ff": .integer(1 << 12)], box: [20, 20, 380, 120])
        }
        let remark = "Attended every session, and did all of the practical exercises with great effort."
        let file = try merge { merged in
            for _ in 0..<12 {
                try merged.add(
                    form,
                    ["code": .text("111111"), "name": .text("مريم الأحمد"), "remark": .text(remark)])
            }
        }
        let shown = content(file, 11)
        let parts = shown.components(of: " Tc")
        #expect(parts.count == 3)
        #expect(parts.dropFirst().first?.hasSuffix("0") == true)
        #expect(parts.last?.contains("/QuireF1") == true)
        #expect(parts.first?.contains("/QT0 Do") == true)
    }

    @Test("What does not turn with its page stays upright", arguments: [0, 90, 180, 270])
    func upright(turn: Int) throws {
        let form = try form { maker in
            maker.page["Rotate"] = .integer(turn)
            maker.text("name", ["F": .integer(4 | 16)], box: [100, 200, 220, 220])
            let old = maker.appearance("2 2 5 5 re f")
            maker.text(
                "left",
                ["F": .integer(4 | 16), "V": .text("old"), "AP": .dictionary(["N": .reference(old)])],
                box: [10, 20, 30, 40])
        }
        let file = try merge { merged in try merged.add(form, ["name": .text("Ana")]) }
        // From the corner of the place: right, and up, as the reader sees them.
        let own = [
            90: "0 1 -1 0 120 220 cm", 180: "-1 0 0 -1 100 240 cm", 270: "0 -1 1 0 80 220 cm",
        ]
        if let own = own[turn] {
            #expect(content(file, 0).contains("q \(own)"))
        } else {
            #expect(!content(file, 0).contains("cm"))
        }
        let resources = file.dictionary(file.dictionary(.reference(file.pages[0]))?["Resources"])
        let shown = try #require(file.dictionary(resources?["XObject"])?["QW0"]?.reference)
        let placed = String(decoding: try #require(file.stream(shown)), as: UTF8.self)
        let left = [
            0: "1 0 0 1 10 20 cm", 90: "0 1 -1 0 30 40 cm", 180: "-1 0 0 -1 10 60 cm",
            270: "0 -1 1 0 -10 40 cm",
        ]
        #expect(placed.hasPrefix(try #require(left[turn])))
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
