import Bytes
import Glibc
import PDF
import PDFForms
import TestSupport
import Testing
import Work

@testable import Commands

/// The commands over whole PDF files, their results looked at by qpdf and poppler.
@Suite struct PDFsTests {
    /// A file of pages with a text each, a field of the given name on the first page, a bookmark for each page, and a link
    /// from the first page to the last.
    private func document(_ word: String, pages count: Int, field: String) -> [UInt8] {
        var draft = PDFDraft()
        let font = draft.add(
            .dictionary(["Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica")]))
        let tree = draft.newReference()
        let pages = (0..<count).map { _ in draft.newReference() }
        let text = draft.add(
            .dictionary([
                "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Tx"), "T": .text(field),
                "F": .integer(4), "Rect": .array([20, 20, 200, 40].map(PDFObject.integer)),
            ]))
        let link = draft.add(
            .dictionary([
                "Type": .name("Annot"), "Subtype": .name("Link"),
                "Rect": .array([20, 60, 100, 80].map(PDFObject.integer)),
                "Dest": .array([.reference(pages[count - 1]), .name("Fit")]),
            ]))
        for (index, page) in pages.enumerated() {
            let content = draft.addStream(
                [:], Array("BT /F1 20 Tf 20 200 Td (\(word) \(index + 1)) Tj ET".utf8))
            var entries: PDFDictionary = [
                "Type": .name("Page"), "Parent": .reference(tree), "Contents": .reference(content),
            ]
            if index == 0 { entries["Annots"] = .array([.reference(text), .reference(link)]) }
            draft.put(.dictionary(entries), at: page)
        }
        draft.put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array(pages.map(PDFObject.reference)),
                "Count": .integer(count),
                "MediaBox": .array([0, 0, 300, 300].map(PDFObject.integer)),
                "Resources": .dictionary(["Font": .dictionary(["F1": .reference(font)])]),
            ]), at: tree)
        let outlines = draft.newReference()
        let items = pages.map { _ in draft.newReference() }
        for (index, item) in items.enumerated() {
            var entries: PDFDictionary = [
                "Title": .text("\(word) mark \(index + 1)"), "Parent": .reference(outlines),
                "Dest": .array([.reference(pages[index]), .name("Fit")]),
            ]
            if index > 0 { entries["Prev"] = .reference(items[index - 1]) }
            if index + 1 < count { entries["Next"] = .reference(items[index + 1]) }
            draft.put(.dictionary(entries), at: item)
        }
        draft.put(
            .dictionary([
                "First": .reference(items[0]), "Last": .reference(items[count - 1]), "Count": .integer(count),
            ]), at: outlines)
        let info = draft.add(.dictionary(["Title": .text("About \(word)")]))
        let root = draft.add(
            .dictionary([
                "Type": .name("Catalog"), "Pages": .reference(tree), "Outlines": .reference(outlines),
                "AcroForm": .dictionary([
                    "Fields": .array([.reference(text)]), "DA": .text("/F1 0 Tf 0 g"),
                    "DR": .dictionary(["Font": .dictionary(["F1": .reference(font)])]),
                ]),
            ]))
        return draft.bytes(root: root, extra: ["Info": .reference(info)])
    }

    private func inFolder(_ body: (String) throws -> Void) throws {
        try withScratchFolder { folder in
            try put(document("Apple", pages: 3, field: "name"), "\(folder)/a.pdf")
            try put(document("Berry", pages: 2, field: "name"), "\(folder)/b.pdf")
            try body(folder)
        }
    }

    private func put(_ bytes: [UInt8], _ path: String) throws {
        let file = try #require(fopen(path, "we"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    /// The words on each page, as poppler reads them; after qpdf has found nothing wrong.
    private func words(_ path: String, password: String = "") throws -> [String] {
        let check = try Child("/usr/bin/qpdf", ["--check", "--password=\(password)", path]).run()
        #expect(check.succeeded, "\(check.outputText)\(check.errorText)")
        let text = try Child("/usr/bin/pdftotext", ["-upw", password, path, "-"]).run().outputText
        return text.split(separator: "\u{C}").map { $0.filter { $0 != "\n" } }
    }

    private func bookmarks(_ path: String) throws -> String {
        let program = """
            import sys, subprocess, json
            found = json.loads(subprocess.run(['qpdf', '--json', '--json-key=outlines', sys.argv[1]], capture_output=True).stdout)
            def show(items): return [[i['title'], i['destpageposfrom1'], show(i['kids'])] for i in items]
            print(json.dumps(show(found['outlines'])))
            """
        return try Child("/usr/bin/python3", ["-c", program, path]).run().outputText
    }

    @Test(
        "Somebody's own file that is named like a draft is left alone, whether a command succeeds or refuses")
    func draftsOfOthers() throws {
        try inFolder { folder in
            let mine = Array("mine".utf8)
            for name in ["all.pdf.part", ".all.pdf.part", "form.csv.part", "out.zip.part", "m.json.part"] {
                try put(mine, "\(folder)/\(name)")
            }
            try put(Array("name\nAna\n".utf8), "\(folder)/t.csv")
            for (words, result) in [
                (["merge", "a.pdf", "b.pdf", "--out", "all.pdf"], "all.pdf"),
                (["harvest", "a.pdf", "--out", "form.csv"], "form.csv"),
                (["fill", "a.pdf", "t.csv", "--zip", "out.zip"], "out.zip"),
                (["map", "a.pdf", "t.csv", "--out", "m.json"], "m.json"),
            ] {
                let made = quire(words, home: folder)
                #expect(made.code == .done, "\(made)")
                let refused = quire(words, home: folder)
                #expect(refused.code != .done && refused.error.contains("there already"), "\(refused)")
                #expect(try contents(of: "\(folder)/\(result).part") == mine)
            }
            #expect(try contents(of: "\(folder)/.all.pdf.part") == mine)
            // Nor is anything of ours left behind.
            let left = try Child("/usr/bin/find", [folder, "-name", ".draft*"]).run().outputText
            #expect(left.isEmpty)
        }
    }

    @Test("A locked form asks for the password that opens it, not for the one that locks what is made")
    func lockedForm() throws {
        try inFolder { folder in
            try put(Array("name\nAna\n".utf8), "\(folder)/t.csv")
            let lock = quire(["encrypt", "a.pdf", "locked.pdf", "--user-password", "secret"], home: folder)
            #expect(lock.code == .done, "\(lock)")
            for words in [
                ["fill", "locked.pdf", "t.csv", "--out", "made"], ["map", "locked.pdf", "t.csv"],
                ["plan", "locked.pdf", "t.csv"],
            ] {
                let said = quire(words, home: folder)
                #expect(
                    said.code == .denied && said.error.contains("Say it with --form-password."), "\(said)")
                let opened = quire(words + ["--form-password", "secret"], home: folder)
                #expect(opened.code == .done, "\(opened)")
            }
            #expect(quire(["fields", "locked.pdf"], home: folder).error.contains("Say it with --password."))
        }
    }

    @Test(
        "A table that only LibreOffice reads is read by its help",
        .enabled(if: access("/usr/bin/soffice", X_OK) == 0, "LibreOffice is not installed"))
    func oldTable() throws {
        try inFolder { folder in
            try put(Array("name,age\nAna,7\nBo,8\n".utf8), "\(folder)/t.csv")
            let old = quire(["convert", "t.csv", "--to", "xls", "--out", "t.xls"], home: folder)
            #expect(old.code == .done, "\(old)")
            let filled = quire(["fill", "a.pdf", "t.xls", "--name", "{name}", "--out", "made"], home: folder)
            #expect(filled.code == .done, "\(filled)")
            let harvest = quire(["harvest", "made/Bo.pdf"], home: folder)
            #expect(harvest.output.contains("Bo"), "\(harvest) \(filled)")
            let list = quire(
                ["recipients", "add", "t.xls"], home: folder, environment: ["QUIRE_HOME": "\(folder)/desk"])
            #expect(list.output.contains("“t”: 2 people"), "\(list)")
        }
    }

    @Test("A small file whose packed objects would unpack to gigabytes is refused before anybody reads it")
    func packedBomb() throws {
        try inFolder { folder in
            // Deflated blocks may be repeated, so that nobody has to pack gigabytes for it.
            _ = try python(
                """
                import sys, zlib
                def packed(first, mega):
                    c = zlib.compressobj(9)
                    begin = c.compress(first) + c.flush(zlib.Z_FULL_FLUSH)
                    block = c.compress(b" " * (1 << 20)) + c.flush(zlib.Z_FULL_FLUSH)
                    return begin + block * mega + c.flush()
                def put(name, mega):
                    objects = b"3 0 <</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>> "
                    stream = zlib.compress(packed(objects, mega), 9)
                    out, places = b"%PDF-1.5\\n", {}
                    def add(number, body):
                        nonlocal out
                        places[number] = len(out)
                        out += b"%d 0 obj\\n" % number + body + b"\\nendobj\\n"
                    add(1, b"<</Type/Catalog/Pages 2 0 R>>")
                    add(2, b"<</Type/Pages/Count 1/Kids[3 0 R]>>")
                    add(5, b"<</Type/ObjStm/N 1/First 4/Length %d/Filter[/FlateDecode/FlateDecode]>>stream\\n" % len(stream) + stream + b"\\nendstream")
                    start = len(out)
                    rows = [(0, 0, 255), (1, places[1], 0), (1, places[2], 0), (2, 5, 0), (0, 0, 0), (1, places[5], 0), (1, start, 0)]
                    table = b"".join(bytes([a]) + b.to_bytes(4, "big") + bytes([c]) for a, b, c in rows)
                    out += b"6 0 obj\\n<</Type/XRef/Size 7/W[1 4 1]/Root 1 0 R/Length %d>>stream\\n" % len(table) + table
                    out += b"\\nendstream\\nendobj\\nstartxref\\n%d\\n%%%%EOF\\n" % start
                    open(sys.argv[1] + "/" + name, "wb").write(out)
                put("bomb.pdf", 20_000)
                put("large.pdf", 8)
                """, [folder])
            for words in [
                ["check", "bomb.pdf"], ["info", "bomb.pdf"],
                ["merge", "a.pdf", "bomb.pdf", "--out", "no.pdf"],
            ] {
                let said = quire(words, home: folder)
                #expect(
                    (said.output + said.error).contains("would unpack to more than half a gigabyte"),
                    "\(said)")
            }
            #expect(access("\(folder)/no.pdf", F_OK) != 0)
            // Much, but not too much.
            #expect(quire(["info", "large.pdf"], home: folder).code == .done)
        }
    }

    @Test("merge puts files one behind the other, with bookmarks, links and fields told apart")
    func merge() throws {
        try inFolder { folder in
            let said = quire(["merge", "a.pdf", "b.pdf", "--out", "all.pdf", "--json"], home: folder)
            #expect(said.code == .done, "\(said.error)")
            let found = try words("\(folder)/all.pdf")
            #expect(found == ["Apple 1", "Apple 2", "Apple 3", "Berry 1", "Berry 2"])
            #expect(
                try bookmarks("\(folder)/all.pdf") == """
                    [["a", 1, [["Apple mark 1", 1, []], ["Apple mark 2", 2, []], ["Apple mark 3", 3, []]]], \
                    ["b", 4, [["Berry mark 1", 4, []], ["Berry mark 2", 5, []]]]]

                    """)
            let form = try Form(path: "\(folder)/all.pdf")
            #expect(form.fields.map(\.name) == ["name", "name_2"])
            #expect(form.fields.map { $0.widgets.first?.page } == [0, 3])
            let view = try JSON(parsing: said.output)
            #expect(view["remarks"]?[0]?["kind"]?.string == "renamed")
            #expect(view["remarks"]?[0]?["name"]?.string == "name_2")
            // The link of the second file leads to its own last page.
            let file = try PDFFile(path: "\(folder)/all.pdf")
            let links = file.array(file.dictionary(.reference(file.pages[3]))?["Annots"]).compactMap {
                file.dictionary($0)
            }
            let target = links.first { $0["Dest"] != nil }.flatMap { file.array($0["Dest"]).first?.reference }
            #expect(target == file.pages[4])
            #expect(file.dictionary(file.trailer["Info"])?["Title"]?.text == "About Apple")
        }
    }

    @Test("merge takes files that say their language and their open mode, and keeps those of the first")
    func language() throws {
        try inFolder { folder in
            for name in ["x.pdf", "y.pdf"] {
                var draft = PDFDraft()
                let tree = draft.newReference()
                let page = draft.add(
                    .dictionary([
                        "Type": .name("Page"), "Parent": .reference(tree),
                        "MediaBox": .array([0, 0, 100, 100].map(PDFObject.integer)),
                    ]))
                draft.put(
                    .dictionary([
                        "Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1),
                    ]), at: tree)
                let root = draft.add(
                    .dictionary([
                        "Type": .name("Catalog"), "Pages": .reference(tree), "PageMode": .name("UseThumbs"),
                        "Lang": .text(name == "x.pdf" ? "fr-CA" : "de"),
                    ]))
                let bytes = draft.bytes(root: root)
                let file = try #require(fopen("\(folder)/\(name)", "wb"))
                fwrite(bytes, 1, bytes.count, file)
                fclose(file)
            }
            let said = quire(["merge", "x.pdf", "y.pdf", "--out", "both.pdf"], home: folder)
            #expect(said.code == .done, "\(said.error)")
            let catalog = try PDFFile(path: "\(folder)/both.pdf").catalog
            #expect(catalog["Lang"]?.text == "fr-CA")
        }
    }

    @Test("merge never replaces a file unless told to, and says which input is no PDF")
    func mergeCarefully() throws {
        try inFolder { folder in
            try put(Array("keep me".utf8), "\(folder)/all.pdf")
            let refused = quire(["merge", "a.pdf", "b.pdf", "--out", "all.pdf"], home: folder)
            #expect(refused.code != .done)
            #expect(refused.error.contains("--force"))
            #expect(
                quire(["merge", "a.pdf", "b.pdf", "-o", "all.pdf", "--force"], home: folder).code == .done)
            try put(Array("no pdf at all".utf8), "\(folder)/c.pdf")
            let bad = quire(["merge", "a.pdf", "c.pdf", "-o", "more.pdf"], home: folder)
            #expect(bad.code != .done)
            #expect(bad.error.contains("c.pdf"))
            #expect(access("\(folder)/more.pdf", F_OK) != 0)
        }
    }

    @Test("split makes a file for each page, or for some of them")
    func split() throws {
        try inFolder { folder in
            #expect(quire(["split", "a.pdf"], home: folder).code == .done)
            let second = try words("\(folder)/a-pages/a-02.pdf")
            #expect(second == ["Apple 2"])
            #expect(try bookmarks("\(folder)/a-pages/a-02.pdf") == "[[\"Apple mark 2\", 1, []]]\n")
            #expect(try Form(path: "\(folder)/a-pages/a-01.pdf").fields.map(\.name) == ["name"])
            #expect(try Form(path: "\(folder)/a-pages/a-02.pdf").fields.isEmpty)
            #expect(quire(["split", "a.pdf", "--before", "3", "--out", "two"], home: folder).code == .done)
            #expect(try words("\(folder)/two/a-01.pdf") == ["Apple 1", "Apple 2"])
            #expect(try words("\(folder)/two/a-02.pdf") == ["Apple 3"])
        }
    }

    /// Pages with nothing on them.
    private func blank(_ count: Int) -> [UInt8] {
        var draft = PDFDraft()
        let tree = draft.newReference()
        let pages = (0..<count).map { _ in
            draft.add(.dictionary(["Type": .name("Page"), "Parent": .reference(tree)]))
        }
        draft.put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array(pages.map(PDFObject.reference)),
                "Count": .integer(count),
                "MediaBox": .array([0, 0, 300, 300].map(PDFObject.integer)), "Resources": .dictionary([:]),
            ]), at: tree)
        return draft.bytes(
            root: draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)])))
    }

    @Test("split begins a file at each bookmark, and calls it so")
    func splitAtBookmarks() throws {
        try inFolder { folder in
            let made = quire(["split", "a.pdf", "--at", "bookmarks", "--out", "parts"], home: folder)
            #expect(made.code == .done, "\(made.error)")
            #expect(try words("\(folder)/parts/a-02 Apple mark 2.pdf") == ["Apple 2"])
            try put(blank(2), "\(folder)/none.pdf")
            let none = quire(["split", "none.pdf", "--at", "bookmarks"], home: folder)
            #expect(none.code == .invalid && none.error.contains("no bookmarks"), "\(none.error)")
            #expect(access("\(folder)/none-pages", F_OK) != 0)
        }
    }

    @Test("split makes files no larger than was said, of as many pages as go in")
    func splitBySize() throws {
        try inFolder { folder in
            // A picture for each of three pages, the last of which is too large by itself.
            let sizes = [90, 90, 250]
            for (index, side) in sizes.enumerated() {
                var noise: UInt64 = 7
                let dots = (0..<side * side * 3).map { _ -> UInt8 in
                    noise = noise &* 6_364_136_223_846_793_005 &+ 1
                    return UInt8(truncatingIfNeeded: noise >> 40)
                }
                try put(Array("P6\n\(side) \(side)\n255\n".utf8) + dots, "\(folder)/\(index).ppm")
                let made = quire(["convert", "\(index).ppm", "--out", "p\(index).pdf"], home: folder)
                #expect(made.code == .done, "\(made.error)")
            }
            let whole = quire(["merge", "p0.pdf", "p1.pdf", "p2.pdf", "--out", "all.pdf"], home: folder)
            #expect(whole.code == .done)
            let made = quire(["split", "all.pdf", "--most", "100kB", "--out", "parts"], home: folder)
            #expect(made.code == .done && made.error.contains("larger than that"), "\(made)")
            let counts = try ["01", "02"].map {
                try PDFFile(path: "\(folder)/parts/all-\($0).pdf").pages.count
            }
            #expect(counts == [2, 1])
            #expect(try PDFFile.read("\(folder)/parts/all-01.pdf").count <= 100_000)
            #expect(quire(["split", "all.pdf", "--most", "1kB"], home: folder).code == .usage)
            #expect(
                quire(["split", "all.pdf", "--most", "1MB", "--every", "2"], home: folder).code == .usage)
        }
    }

    @Test("A stack scanned in one go is split at blank pages, or at separator sheets however they lie")
    func splitStacks() throws {
        try inFolder { folder in
            try put(blank(1), "\(folder)/blank.pdf")
            for line in [
                ["merge", "a.pdf", "blank.pdf", "b.pdf", "--out", "stack.pdf"],
                ["split", "stack.pdf", "--at", "blank", "--out", "one"],
                ["split", "--separator-sheet", "letter", "--out", "sheet.pdf"],
                ["pages", "sheet.pdf", "turned.pdf", "--turn", "180"],
                // Scanned on both sides, so that an empty back lies behind the sheet.
                [
                    "merge", "a.pdf", "sheet.pdf", "blank.pdf", "b.pdf", "turned.pdf", "a.pdf", "--out",
                    "more.pdf",
                ],
                ["split", "more.pdf", "--at", "separators", "--out", "two"],
            ] {
                let said = quire(line, home: folder)
                #expect(said.code == .done, "\(line): \(said.error)")
            }
            #expect(try words("\(folder)/one/stack-01.pdf") == ["Apple 1", "Apple 2", "Apple 3"])
            #expect(try words("\(folder)/one/stack-02.pdf") == ["Berry 1", "Berry 2"])
            #expect(access("\(folder)/one/stack-03.pdf", F_OK) != 0)
            #expect(try words("\(folder)/two/more-01.pdf") == ["Apple 1", "Apple 2", "Apple 3"])
            #expect(try words("\(folder)/two/more-02.pdf") == ["Berry 1", "Berry 2"])
            #expect(try words("\(folder)/two/more-03.pdf") == ["Apple 1", "Apple 2", "Apple 3"])
            #expect(access("\(folder)/two/more-04.pdf", F_OK) != 0)
            let none = quire(["split", "a.pdf", "--at", "separators"], home: folder)
            #expect(none.code == .invalid && none.error.contains("no separator sheets"), "\(none.error)")
        }
    }

    @Test("Fronts and backs that were scanned one after the other are put together")
    func alternate() throws {
        try inFolder { folder in
            let made = quire(["merge", "a.pdf", "b.pdf", "--alternate", "--out", "all.pdf"], home: folder)
            #expect(made.code == .done && made.error.contains("not as many pages"), "\(made)")
            let woven = try words("\(folder)/all.pdf")
            #expect(woven == ["Apple 1", "Berry 1", "Apple 2", "Berry 2", "Apple 3"])
            let turned = ["merge", "a.pdf", "b.pdf", "--alternate", "--from-end", "--out", "back.pdf"]
            #expect(quire(turned, home: folder).code == .done)
            #expect(
                try words("\(folder)/back.pdf") == ["Apple 1", "Berry 2", "Apple 2", "Berry 1", "Apple 3"])
            #expect(
                quire(["merge", "a.pdf", "b.pdf", "--from-end", "--out", "x.pdf"], home: folder).code
                    == .usage)
        }
    }

    @Test("Pages on which there is nothing are removed")
    func removeBlank() throws {
        try inFolder { folder in
            try put(blank(2), "\(folder)/blank.pdf")
            for line in [
                ["merge", "blank.pdf", "a.pdf", "blank.pdf", "b.pdf", "--out", "stack.pdf"],
                ["pages", "stack.pdf", "full.pdf", "--remove", "blank"],
            ] {
                let said = quire(line, home: folder)
                #expect(said.code == .done, "\(line): \(said.error)")
            }
            #expect(
                try words("\(folder)/full.pdf") == ["Apple 1", "Apple 2", "Apple 3", "Berry 1", "Berry 2"])
            let none = quire(["pages", "blank.pdf", "x.pdf", "--remove", "blank"], home: folder)
            #expect(none.code == .invalid && none.error.contains("are blank"), "\(none.error)")
        }
    }

    @Test("info writes what a file says of itself, and what its pages are called")
    func facts() throws {
        try inFolder { folder in
            let made = quire(
                [
                    "info", "a.pdf", "out.pdf", "--title", "Lease", "--author", "Ana", "--labels",
                    "1 Cover; 2 i; 3 A-7",
                ],
                home: folder)
            #expect(made.code == .done, "\(made.error)")
            let said = quire(["info", "out.pdf"], home: folder).output
            for line in ["Lease", "Ana", "1 Cover; 2 i; 3 A-7"] { #expect(said.contains(line), "\(said)") }
            // What another program calls them.
            let labels = try Child(
                "/usr/bin/qpdf", ["--json", "--json-key=pagelabels", "\(folder)/out.pdf"]
            ).run().outputText
            #expect(
                labels.contains("/r") && labels.contains("u:A-") && labels.contains("u:Cover"), "\(labels)")
            #expect(
                quire(["info", "out.pdf", "bare.pdf", "--labels", "", "--title", ""], home: folder).code
                    == .done)
            let bare = quire(["info", "bare.pdf"], home: folder).output
            #expect(!bare.contains("Lease") && !bare.contains("Cover") && bare.contains("Ana"), "\(bare)")
            #expect(quire(["info", "a.pdf", "--title", "Lease"], home: folder).code == .usage)
            // What is shown can be written again.
            for list in ["1 iv; 2 B; 3 S. 5", "1 I; 2 c", "1 Anna; 3 -x"] {
                let named = quire(["info", "a.pdf", "n.pdf", "--labels", list, "--force"], home: folder)
                #expect(named.code == .done, "\(named.error)")
                #expect(quire(["info", "n.pdf"], home: folder).output.contains("  \(list)\n"), "\(list)")
            }
            let beyond = quire(["info", "a.pdf", "x.pdf", "--labels", "9 i"], home: folder)
            #expect(beyond.code == .invalid && beyond.error.contains("no page 9"), "\(beyond.error)")
        }
    }

    @Test("bookmarks are shown as lines, changed, and put back")
    func bookmarkLines() throws {
        try inFolder { folder in
            let shown = quire(["bookmarks", "a.pdf"], home: folder)
            #expect(shown.code == .done && shown.output.hasPrefix("1 Apple mark 1\n2 Apple mark 2\n"))
            try put(Array("1 Start\n- 2 Middle\n3 End\n".utf8), "\(folder)/list.txt")
            let written = quire(["bookmarks", "a.pdf", "out.pdf", "--set", "list.txt"], home: folder)
            #expect(written.code == .done, "\(written.error)")
            #expect(
                try bookmarks("\(folder)/out.pdf")
                    == "[[\"Start\", 1, [[\"Middle\", 2, []]]], [\"End\", 3, []]]\n")
            #expect(quire(["bookmarks", "out.pdf"], home: folder).output == "1 Start\n- 2 Middle\n3 End\n")
            try put(Array("7 Nowhere\n".utf8), "\(folder)/list.txt")
            #expect(quire(["bookmarks", "a.pdf", "b2.pdf", "--set", "list.txt"], home: folder).code != .done)
            #expect(quire(["bookmarks", "a.pdf", "b2.pdf"], home: folder).code == .usage)
        }
    }

    @Test("attachments are put in, listed, taken out and taken away")
    func attachments() throws {
        try inFolder { folder in
            try put(Array("<invoice/>".utf8), "\(folder)/data.xml")
            let made = quire(
                ["attachments", "a.pdf", "out.pdf", "--add", "data.xml", "--add", "b.pdf"], home: folder)
            #expect(made.code == .done, "\(made.error)")
            let listed = quire(["attachments", "out.pdf"], home: folder).output
            #expect(listed.contains("data.xml: ") && listed.contains("b.pdf: "))
            #expect(quire(["attachments", "out.pdf", "--out", "parts"], home: folder).code == .done)
            #expect(try PDFFile.read("\(folder)/parts/data.xml") == Array("<invoice/>".utf8))
            #expect(try PDFFile.read("\(folder)/parts/b.pdf") == PDFFile.read("\(folder)/b.pdf"))
            #expect(
                quire(["attachments", "out.pdf", "--out", "parts"], home: folder).error.contains("--force"))
            let less = quire(["attachments", "out.pdf", "less.pdf", "--remove", "b.pdf"], home: folder)
            #expect(less.code == .done, "\(less.error)")
            #expect(!quire(["attachments", "less.pdf"], home: folder).output.contains("b.pdf"))
            #expect(
                quire(["attachments", "out.pdf", "x.pdf", "--remove", "c.pdf"], home: folder).code
                    == .notFound)
            #expect(quire(["attachments", "a.pdf"], home: folder).output == "No files are carried inside.\n")
        }
    }

    @Test(
        "what is pinned to a page is taken away with its note, and other marks stay",
        .enabled(if: Peer.has("pypdf"), "pypdf is not installed"))
    func pinned() throws {
        try inFolder { folder in
            try put(Array("draft".utf8), "\(folder)/note.txt")
            try put(Array("kept".utf8), "\(folder)/other.txt")
            let pin = """
                import sys
                from pypdf import PdfWriter
                from pypdf.generic import *
                paper = PdfWriter(clone_from="a.pdf")
                page = paper.pages[0]
                def add(entries):
                    return paper._add_object(DictionaryObject({NameObject("/" + k): v for k, v in entries.items()}))
                box = ArrayObject(map(NumberObject, [250, 250, 270, 270]))
                for name in ["note.txt", "other.txt"]:
                    data = StreamObject()
                    data.set_data(open(name, "rb").read())
                    file = add({"Type": NameObject("/Filespec"), "F": TextStringObject(name), "UF": TextStringObject(name),
                                "EF": DictionaryObject({NameObject("/F"): paper._add_object(data)})})
                    pin = add({"Type": NameObject("/Annot"), "Subtype": NameObject("/FileAttachment"), "FS": file, "Rect": box})
                    note = add({"Type": NameObject("/Annot"), "Subtype": NameObject("/Popup"), "Parent": pin, "Rect": box})
                    pin.get_object()[NameObject("/Popup")] = note
                    page["/Annots"].extend([pin, note])
                paper.write("pinned.pdf")
                """
            _ = try python("import os; os.chdir('\(folder)')\n" + pin)
            let listed = quire(["attachments", "pinned.pdf"], home: folder).output
            #expect(listed.contains("note.txt: ") && listed.contains("other.txt: "))
            let less = quire(["attachments", "pinned.pdf", "less.pdf", "--remove", "note.txt"], home: folder)
            #expect(less.code == .done, "\(less.error)")
            #expect(try words("\(folder)/less.pdf") == ["Apple 1", "Apple 2", "Apple 3"])
            let left = quire(["attachments", "less.pdf"], home: folder).output
            #expect(!left.contains("note.txt") && left.contains("other.txt: "))
            let kinds = try python(
                "import sys; from pypdf import PdfReader; "
                    + "print(*[mark.get_object()['/Subtype'] for mark in PdfReader(sys.argv[1]).pages[0]['/Annots']])",
                ["\(folder)/less.pdf"])
            #expect(kinds == "/Widget /Link /FileAttachment /Popup\n")
        }
    }

    @Test(
        "pages keeps, removes, reorders and repeats pages",
        arguments: [
            (["--keep", "3,1"], ["Apple 3", "Apple 1"]), (["--remove", "2"], ["Apple 1", "Apple 3"]),
            (["--keep", "end-1"], ["Apple 3", "Apple 2", "Apple 1"]),
            (["--keep", "1,1,2"], ["Apple 1", "Apple 1", "Apple 2"]),
            (["--keep", "odd"], ["Apple 1", "Apple 3"]),
        ] as [([String], [String])])
    func pages(options: [String], expected: [String]) throws {
        try inFolder { folder in
            let said = quire(["pages", "a.pdf", "out.pdf"] + options, home: folder)
            #expect(said.code == .done, "\(said.error)")
            let found = try words("\(folder)/out.pdf")
            #expect(found == expected)
        }
    }

    @Test("pages that were left out are really gone")
    func gone() throws {
        try inFolder { folder in
            #expect(quire(["pages", "a.pdf", "out.pdf", "--remove", "2"], home: folder).code == .done)
            let plain = try Child(
                "/usr/bin/qpdf", ["--qdf", "--object-streams=disable", "\(folder)/out.pdf", "-"]
            ).run().outputText
            #expect(!plain.contains("Apple 2") && !plain.contains("Apple mark 2"))
            #expect(plain.contains("Apple 3"))
        }
    }

    @Test("pages turns pages, and says what it does not understand")
    func turn() throws {
        try inFolder { folder in
            #expect(
                quire(["pages", "a.pdf", "out.pdf", "--turn", "90:2-3", "--turn", "180:3"], home: folder).code
                    == .done)
            let file = try PDFFile(path: "\(folder)/out.pdf")
            let angles = file.pages.map { file.dictionary(.reference($0))?["Rotate"]?.integer ?? 0 }
            #expect(angles == [0, 90, 270])
            for bad in [["--keep", "9"], ["--keep", "1-"], ["--turn", "45"], [], ["--remove", "all"]] {
                let said = quire(["pages", "a.pdf", "bad.pdf"] + bad, home: folder)
                #expect(said.code != .done && said.code != .mistakeOfOurs, "\(bad)")
            }
        }
    }

    @Test("encrypt locks a file, decrypt opens it again, neither without the password")
    func encrypt() throws {
        try inFolder { folder in
            try put(Array("sesame\nmore".utf8), "\(folder)/secret.txt")
            let locked = quire(
                ["encrypt", "a.pdf", "locked.pdf", "--password-file", "secret.txt", "--allow", "print"],
                home: folder)
            #expect(locked.code == .done, "\(locked.error)")
            #expect(try words("\(folder)/locked.pdf", password: "sesame").first == "Apple 1")
            let info = try JSON(
                parsing: quire(["info", "locked.pdf", "--password", "sesame", "--json"], home: folder).output)
            #expect(info["encryption"]?["method"]?.string == "AES-256")
            #expect(info["encryption"]?["allowed"]?[0]?.string == "print")
            #expect(info["encryption"]?["allowed"]?.array?.count == 1)
            #expect(quire(["decrypt", "locked.pdf", "open.pdf"], home: folder).error.contains("--password"))
            #expect(
                quire(["decrypt", "locked.pdf", "open.pdf", "--password", "sesame"], home: folder).code
                    == .done)
            #expect(try words("\(folder)/open.pdf") == ["Apple 1", "Apple 2", "Apple 3"])
            #expect(quire(["decrypt", "a.pdf", "b2.pdf"], home: folder).error.contains("no password"))
        }
    }

    @Test("info says what a file is, check whether it is sound")
    func infoAndCheck() throws {
        try inFolder { folder in
            let info = quire(["info", "a.pdf"], home: folder).output
            #expect(info.contains("About Apple") && info.contains("1 field") && info.contains("300 × 300 pt"))
            #expect(quire(["check", "a.pdf", "b.pdf"], home: folder).code == .done)
            var cut = document("Cut", pages: 1, field: "x")
            cut.removeLast(200)
            try put(cut, "\(folder)/cut.pdf")
            let said = quire(["check", "a.pdf", "cut.pdf"], home: folder)
            #expect(said.code == .invalid)
            #expect(said.output.contains("a.pdf: sound") && said.output.contains("cut.pdf: "))
            // For people; what the reader of the file said is for those who ask.
            var lost = document("Lost", pages: 1, field: "x")
            lost.removeLast(12)
            try put(lost, "\(folder)/lost.pdf")
            let few = quire(["check", "lost.pdf"], home: folder).output
            #expect(few.contains("The table that says where everything stands"), "\(few)")
            #expect(!few.contains("xref") && !few.contains("reconstruct"))
            let all = quire(["check", "lost.pdf", "--verbose"], home: folder).output
            #expect(all.contains("reconstruct"), "\(all)")
        }
    }

    @Test("merge says what was mended in which file, and names the one it refuses")
    func mergeDamaged() throws {
        try inFolder { folder in
            let text = String(decoding: document("Ring", pages: 2, field: "x"), as: UTF8.self)
            // Its list of pages names itself.
            let ring = text.replacing("/Type/Pages/Kids[", with: "/Type/Pages/Kids[2 0 R ")
            try put(Array(ring.utf8), "\(folder)/ring.pdf")
            let said = quire(["merge", "a.pdf", "ring.pdf", "--out", "all.pdf"], home: folder)
            #expect(said.code == .done, "\(said.error)")
            #expect(said.error.contains("“ring.pdf” was mended: ") && !said.error.contains("“a.pdf” was"))
            #expect(try words("\(folder)/all.pdf") == ["Apple 1", "Apple 2", "Apple 3", "Ring 1", "Ring 2"])
            try put(Array("%PDF-1.4\nnothing".utf8), "\(folder)/none.pdf")
            let refused = quire(["merge", "a.pdf", "none.pdf", "--out", "b2.pdf"], home: folder)
            #expect(refused.code == .invalid && refused.error.contains("“none.pdf” cannot be merged"))
        }
    }

    @Test("Folders for results are made with those above them")
    func foldersAbove() throws {
        try inFolder { folder in
            let said = quire(["split", "a.pdf", "--out", "new/deep/pages"], home: folder)
            #expect(said.code == .done, "\(said.error)")
            #expect(access("\(folder)/new/deep/pages/a-01.pdf", R_OK) == 0)
            try put(Array("name\nAna\n".utf8), "\(folder)/t.csv")
            #expect(quire(["fill", "a.pdf", "t.csv", "--out", "made/too/here"], home: folder).code == .done)
        }
    }
}
