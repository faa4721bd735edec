import Bytes
import Comparing
import PDF
import PDFReading
import TestSupport
import Testing
import Work

@Suite("Two papers compared", .enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct ComparingTests {
    private static let words =
        "tenant landlord rent notice month lease deposit garden cellar kitchen repair damage heating water key door window floor roof stairs bell letter bank account payment interest default cure remedy court law"
        .split(separator: " ").map(String.init)

    /// Twelve lines that no other page has.
    private static func lines(_ page: Int) -> [String] {
        var dice = Dice(UInt64(page + 1))
        return (0..<12).map { _ in
            (0..<8).map { _ in
                words[dice.below(words.count)] + (dice.below(4) == 0 ? "\(dice.below(900))" : "")
            }
            .joined(separator: " ")
        }
    }

    private static func page(
        _ lines: [String], _ header: String? = nil, left: Int = 40, more: String = ""
    ) -> String {
        var out = header.map { "BT /F 8 Tf 40 288 Td (\($0)) Tj ET\n" } ?? ""
        for (number, line) in lines.enumerated() {
            out += "BT /F 9 Tf \(left) \(250 - number * 16) Td (\(line)) Tj ET\n"
        }
        return out + more
    }

    private static func paper(_ pages: [String]) -> [UInt8] {
        PageMaker.make { maker in for page in pages { maker.page(page) } }
    }

    private func compare(
        _ before: [UInt8], _ after: [UInt8], _ change: (inout Comparer.Limits) -> Void = { _ in }
    ) throws -> PaperComparison {
        var limits = Comparer.Limits()
        change(&limits)
        return try Comparer(reader: PageReader(jail: .detect()), limits: limits).compare(before, after)
    }

    @Test("A paper differs in nothing from itself, nor from itself written by another program")
    func same() throws {
        let before = Self.paper((0..<3).map { Self.page(Self.lines($0)) })
        #expect(try compare(before, before).isSame)
        var writing = PDFFile.Writing()
        writing.linearizes = true
        let again = try PDFFile(bytes: before).rewritten(writing)
        let found = try compare(before, again)
        #expect(found.isSame, "\(found.changes)")
        #expect(found.pairs.map(\.before) == [0, 1, 2] && found.pairs.map(\.after) == [0, 1, 2])
    }

    @Test("A word that became another is told with both its places, which poppler finds there as well")
    func word() throws {
        var lines = Self.lines(1)
        lines[4] = "the notice period is twelve months from the end of term"
        let before = Self.paper([Self.page(Self.lines(0)), Self.page(lines)])
        lines[4] = "the notice period is eighteen months from the end of term"
        let after = Self.paper([Self.page(Self.lines(0)), Self.page(lines)])
        let found = try compare(before, after)
        let change = try #require(found.changes.first)
        #expect(found.changes.count == 1 && change.kind == .words, "\(found.changes)")
        #expect(change.removed == "twelve" && change.added == "eighteen")
        #expect(change.lead.hasSuffix("notice period is") && change.trail.hasPrefix("months from"))
        #expect(change.before?.page == 1 && change.after?.page == 1)
        for (bytes, place, word) in [(before, change.before, "twelve"), (after, change.after, "eighteen")] {
            let area = try #require(place?.areas.first)
            let read = try Jail.detect().cell { cell in
                try cell.put(bytes, named: "in.pdf")
                return try cell.run(
                    "pdftotext",
                    [
                        "-q", "-f", "2", "-l", "2", "-r", "72", "-x", "\(Int(area.x) - 1)", "-y",
                        "\(Int(area.y) - 1)", "-W", "\(Int(area.width) + 3)", "-H", "\(Int(area.height) + 3)",
                        "in.pdf", "-",
                    ], output: .captured(limit: 1 << 16)
                ).outputText
            }
            #expect(read.split(whereSeparator: \.isWhitespace) == [Substring(word)])
        }
    }

    @Test("A page that was put in is told as that, and the pages behind it are compared with their own")
    func insertedPage() throws {
        func pages(_ numbers: [Int]) -> [String] {
            numbers.enumerated().map { place, number in
                Self.page(
                    Self.lines(number), "Lease of 12 Main Street, page \(place + 1) of \(numbers.count)")
            }
        }
        let found = try compare(Self.paper(pages([0, 1, 2, 3])), Self.paper(pages([0, 9, 1, 2, 3])))
        #expect(found.changes.map(\.kind) == [.pageAdded], "\(found.changes)")
        #expect(found.changes.first?.after?.page == 1)
        #expect(
            found.pairs == [
                .init(before: 0, after: 0), .init(before: nil, after: 1), .init(before: 1, after: 2),
                .init(before: 2, after: 3), .init(before: 3, after: 4),
            ])
        let back = try compare(Self.paper(pages([0, 9, 1, 2, 3])), Self.paper(pages([0, 1, 2, 3])))
        #expect(back.changes.map(\.kind) == [.pageRemoved] && back.changes.first?.before?.page == 1)
    }

    @Test("What is repeated at the edge of pages is told once, and its other numbers are compared")
    func headers() throws {
        func pages(_ draft: String, _ count: Int) -> [UInt8] {
            Self.paper((0..<count).map { Self.page(Self.lines($0), "Draft \(draft) - \($0 + 1)") })
        }
        let found = try compare(pages("3", 5), pages("4", 5))
        let change = try #require(found.changes.first)
        #expect(found.changes.count == 1 && change.kind == .running, "\(found.changes)")
        #expect(change.removed == "Draft 3 - #" && change.added == "Draft 4 - #" && change.pageCount == 5)
        // A sum at the edge is no page number.
        func sums(_ last: Int) -> [UInt8] {
            Self.paper(
                [120, 75, 318, last].enumerated().map {
                    Self.page(Self.lines($0.offset), "Carried forward: \($0.element)")
                })
        }
        let sum = try compare(sums(991), sums(997))
        #expect(sum.changes.map(\.kind) == [.words] && sum.changes.first?.added == "997", "\(sum.changes)")
    }

    @Test("Words that stand elsewhere, lines that break elsewhere and divided words are no change")
    func flow() throws {
        let text = Self.lines(4).joined(separator: " ") + " agreement of both parties"
        func set(_ width: Int, _ left: Int) -> [UInt8] {
            var lines = [""]
            for word in text.split(separator: " ") {
                if lines[lines.count - 1].count + word.count > width { lines.append("") }
                lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
            }
            return Self.paper(
                stride(from: 0, to: lines.count, by: 10).map {
                    Self.page(Array(lines[$0..<min($0 + 10, lines.count)]), left: left)
                })
        }
        let found = try compare(set(52, 40), set(26, 60))
        #expect(found.isSame, "\(found.changes)")
        #expect(found.pairs.contains { $0.isFlowed })
        let whole = Self.paper([Self.page(["the landlord and the tenant", "reach an agreement here"])])
        let divided = Self.paper([Self.page(["the landlord and the tenant reach an agree-", "ment here"])])
        #expect(try compare(whole, divided).isSame)
        let kept = Self.paper([Self.page(["the landlord pays a long-", "term interest here"])])
        let hyphen = Self.paper([Self.page(["the landlord pays a long-term interest here"])])
        #expect(try compare(kept, hyphen).isSame)
        let other = Self.paper([Self.page(["the landlord pays a longish interest here"])])
        #expect(try compare(kept, other).changes.map(\.added) == ["longish"])
    }

    @Test(
        "A passage that was put elsewhere is told as moved; words that changed their places are not the same")
    func moved() throws {
        let clause = "nobody may keep large animals in this house without leave"
        var (first, last) = (Self.lines(6), Self.lines(7))
        first.insert(clause, at: 2)
        let before = Self.paper([Self.page(first), Self.page(last)])
        first.remove(at: 2)
        last.insert(clause, at: 9)
        let found = try compare(before, Self.paper([Self.page(first), Self.page(last)]))
        #expect(found.changes.map(\.kind) == [.moved], "\(found.changes)")
        #expect(found.changes.first?.before?.page == 0 && found.changes.first?.after?.page == 1)
        let may = Self.paper([Self.page(["the tenant may not sell but the landlord may"])])
        let mayNot = Self.paper([Self.page(["the tenant may sell but the landlord may not"])])
        #expect(try !compare(may, mayNot).isSame)
    }

    @Test("A line through words, a stamp and a colour are seen, and told where they are")
    func looks() throws {
        let lines = Self.lines(8)
        let before = Self.paper([Self.page(lines), Self.page(Self.lines(9))])
        let struck = Self.paper([
            Self.page(lines, more: "1.2 w 40 221 m 200 221 l S 1 0 0 rg 300 20 60 30 re f"),
            Self.page(Self.lines(9)),
        ])
        let found = try compare(before, struck)
        let change = try #require(found.changes.first)
        #expect(found.changes.count == 1 && change.kind == .look, "\(found.changes)")
        let areas = change.after?.areas ?? []
        #expect(areas.contains { abs($0.y + $0.height / 2 - 79) < 12 && $0.width > 100 }, "\(areas)")
        #expect(areas.contains { abs($0.x - 300) <= 8 && abs($0.y - 250) <= 8 }, "\(areas)")
        var quick = Comparer(reader: PageReader(jail: .detect()))
        quick.comparesLooks = false
        let words = try quick.compare(before, struck)
        #expect(words.isSame && words.remarks == [.wordsOnly])
    }

    @Test("Pages without words are put together by what they look like")
    func scans() throws {
        func scan(_ seed: Int, _ more: String = "") -> String {
            var dice = Dice(UInt64(seed * 7 + 3))
            return (0..<25).map { _ in
                "0 g \(30 + dice.below(300)) \(20 + dice.below(240)) \(10 + dice.below(60)) \(6 + dice.below(20)) re f"
            }.joined(separator: "\n") + "\n" + more
        }
        let before = Self.paper([scan(1), scan(2), scan(3)])
        let after = Self.paper([scan(1), scan(8), scan(2, "0 g 350 270 40 20 re f"), scan(3)])
        let found = try compare(before, after)
        #expect(Set(found.changes.map(\.kind)) == [.pageAdded, .look], "\(found.changes)")
        #expect(found.changes.first { $0.kind == .pageAdded }?.after?.page == 1)
        #expect(found.changes.first { $0.kind == .look }?.after?.page == 2)
    }

    @Test("Values of fields are told by their names, and not once more as words")
    func fields() throws {
        func form(_ name: String, _ box: String) -> [UInt8] {
            PageMaker.make { maker in
                let page = maker.page(Self.page(Self.lines(3)))
                let look = maker.draft.addStream(
                    [
                        "Type": .name("XObject"), "Subtype": .name("Form"), "BBox": maker.box(0, 0, 200, 20),
                        "Resources": .dictionary(["Font": .dictionary(["F": .reference(maker.font)])]),
                    ], Array("/Tx BMC BT /F 9 Tf 2 6 Td (\(name)) Tj ET EMC".utf8))
                let field = maker.draft.add(
                    .dictionary([
                        "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Tx"),
                        "T": .text("tenant.name"), "TU": .text("Name of the tenant"), "V": .text(name),
                        "DA": .text("/Helv 9 Tf 0 g"), "Rect": maker.box(40, 20, 240, 40),
                        "P": .reference(page),
                        "F": .integer(4), "AP": .dictionary(["N": .reference(look)]),
                    ]))
                let check = maker.draft.add(
                    .dictionary([
                        "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Btn"),
                        "T": .text("pets"), "V": .name(PDFName(box)), "AS": .name(PDFName(box)),
                        "Rect": maker.box(260, 20, 280, 40), "P": .reference(page), "F": .integer(4),
                    ]))
                maker.draft.put(
                    .dictionary([
                        "Type": .name("Page"), "Parent": .reference(maker.tree),
                        "Contents": .reference(
                            maker.draft.addStream([:], Array(Self.page(Self.lines(3)).utf8))),
                        "Resources": .dictionary(["Font": .dictionary(["F": .reference(maker.font)])]),
                        "MediaBox": maker.box(0, 0, 400, 300),
                        "Annots": .array([.reference(field), .reference(check)]),
                    ]), at: page)
                maker.fields = [field, check]
            }
        }
        let found = try compare(form("Ann Miller", "Off"), form("Bea Jones", "Yes"))
        #expect(found.changes.map(\.kind) == [.field, .field], "\(found.changes)")
        let name = try #require(found.changes.first { $0.field == "tenant.name" })
        #expect(name.removed == "Ann Miller" && name.added == "Bea Jones")
        #expect(name.label == "Name of the tenant")
        #expect(name.after?.areas == [.init(page: 0, x: 40, y: 260, width: 200, height: 20)])
        let pets = try #require(found.changes.first { $0.field == "pets" })
        #expect(pets.removed == "" && pets.added == "Yes")
    }

    @Test(
        "What is too much is told in a sentence, and a page of very many words is compared as far as it is read"
    )
    func limits() throws {
        let paper = Self.paper((0..<4).map { Self.page(Self.lines($0)) })
        let other = Self.paper((1..<5).map { Self.page(Self.lines($0)) })
        #expect(throws: ComparisonError.tooManyPages(isAfter: false, limit: 3)) {
            try compare(paper, other) { $0.pages = 3 }
        }
        #expect(throws: (any Error).self) { try compare(paper, other) { $0.words = 100 } }
        #expect(throws: ComparisonError.locked(isAfter: true)) {
            var writing = PDFFile.Writing()
            writing.passwords = ("secret", "owner")
            _ = try compare(paper, PDFFile(bytes: other).rewritten(writing))
        }
        do {
            _ = try compare(paper, Array("no paper at all".utf8))
            Issue.record("what is no paper was compared")
        } catch let error as ComparisonError {
            guard case .unreadable(isAfter: true, _) = error else { throw error }
        }
    }

    @Test("Sequences without anything that stands once are compared, however they are made up")
    func chance() throws {
        var dice = Dice(11)
        for round in 0..<60 {
            let letters = ["a", "b", "c", "d"].prefix(2 + round % 3)
            let length = 1 + dice.below(40)
            let left = (0..<length).map { _ in letters[dice.below(letters.count)] }
            var right = left
            for _ in 0..<dice.below(6) where !right.isEmpty {
                right.remove(at: dice.below(right.count))
                right.insert("x", at: dice.below(right.count + 1))
            }
            let difference = SequenceTrial(left, right)
            #expect(difference.isSound, "\(left) \(right)")
            // As few as Swift's own finds.
            #expect(difference.kept == left.count - right.difference(from: left).removals.count)
        }
        // Long ones, with hardly anything in common, end in good time.
        let many = (0..<60_000).map { "\($0 % 7)" }
        let others = (0..<60_000).map { "\($0 % 5)" }
        #expect(SequenceTrial(many, others).isSound)
    }

    @Test(
        "The report opens in other programs: a list, the second paper with its marks, and the page that is gone"
    )
    func report() throws {
        var lines = Self.lines(1)
        lines[3] = "the rent is paid on the third day"
        let before = Self.paper([Self.page(lines), Self.page(Self.lines(2)), Self.page(Self.lines(3))])
        lines[3] = "the rent is paid on the fifth day"
        let after = Self.paper([Self.page(lines), Self.page(Self.lines(3))])
        let found = try compare(before, after)
        #expect(found.changes.map(\.kind) == [.words, .pageRemoved], "\(found.changes)")
        let words = ComparisonReport.Words(
            title: "What differs", lede: ["a.pdf – b.pdf"],
            lines: ["third became fifth – Łódź", "one page gone"],
            pageAdded: "Page added", pageRemoved: "Page removed", more: "more")
        let report = try ComparisonReport(found, words: words).bytes(before, after, now: 1_795_260_900)
        let texts = try Jail.detect().cell { cell in
            try cell.put(report, named: "in.pdf")
            let sound = try cell.run("qpdf", ["--check", "in.pdf"], output: .captured(limit: 1 << 16))
            #expect(sound.succeeded, "\(sound.outputText) \(sound.errorText)")
            return try cell.run(
                "pdftotext", ["-q", "-layout", "in.pdf", "-"], output: .captured(limit: 1 << 20)
            )
            .outputText.split(separator: "\u{c}", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(texts.count == 5)
        #expect(texts[0].contains("What differs") && texts[0].contains("Łódź"))
        #expect(texts[1].contains("fifth day"))
        #expect(texts[2].contains("Page removed"))
        #expect(try PDFFile(bytes: report).pages.count == 4)
    }
}
