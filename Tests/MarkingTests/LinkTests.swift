import Crypto
import Marking
import PDF
import PDFReading
import Signing
import TestSupport
import Testing
import Work

@Suite(
    "Places of a page that lead somewhere", .enabled(if: PageReader.isReady, "poppler-utils is not installed")
)
struct LinkTests {
    private static let now: Int64 = 1_795_260_900

    private static func paper(_ entries: PDFDictionary = [:]) -> [UInt8] {
        PageMaker.make { maker in
            maker.page("BT /F 12 Tf 60 200 Td (See our forms.) Tj ET", entries)
            maker.page("BT /F 12 Tf 60 200 Td (The second page.) Tj ET")
        }
    }

    private func link(
        to target: String, _ areas: [Mark.Area] = [.init(x: 60, y: 80, width: 90, height: 14)]
    ) -> Mark {
        var mark = Mark(.link, page: 0)
        mark.areas = areas
        mark.text = target
        return mark
    }

    private func changed(_ bytes: [UInt8], _ change: (inout MarkChanges) -> Void) throws -> [UInt8] {
        var changes = MarkChanges()
        change(&changes)
        var number = 0
        return try MarkedPaper(bytes).changed(changes, now: Self.now) {
            number += 1
            return "link-\(number)"
        }
    }

    /// What another program finds.
    private func addresses(_ bytes: [UInt8]) throws -> [String] {
        try Jail.detect().cell { cell in
            try cell.put(bytes, named: "in.pdf")
            let sound = try cell.run("qpdf", ["--check", "in.pdf"], output: .captured(limit: 1 << 16))
            #expect(sound.succeeded, "\(sound.outputText) \(sound.errorText)")
            let told = try cell.run("pdfinfo", ["-url", "in.pdf"], output: .captured(limit: 1 << 16))
                .outputText
            return told.split(separator: "\n").dropFirst().compactMap {
                $0.split(separator: " ", omittingEmptySubsequences: true).last.map(String.init)
            }
        }
    }

    @Test("a link is laid on a page, led elsewhere and taken off again, and what was there stays")
    func life() throws {
        let before = Self.paper()
        let made = try changed(before) {
            $0.added = [
                link(to: "example.org/forms"), link(to: "#2", [.init(x: 60, y: 100, width: 50, height: 14)]),
            ]
        }
        #expect(made.starts(with: before))
        #expect(try addresses(made) == ["https://example.org/forms"])
        let found = try MarkedPaper(made)
        #expect(found.marks.isEmpty)
        #expect(found.links.map(\.text) == ["https://example.org/forms", "#2"])
        #expect(found.links[0].area == .init(x: 60, y: 80, width: 90, height: 14))
        let led = try changed(made) {
            $0.reworded = [.init(found.links[0].id, "office@example.org"), .init(found.links[1].id, "#1")]
        }
        #expect(try MarkedPaper(led).links.map(\.text) == ["mailto:office@example.org", "#1"])
        #expect(try addresses(led) == ["mailto:office@example.org"])
        let left = try changed(led) { $0.removed = [found.links[0].id] }
        #expect(try MarkedPaper(left).links.map(\.text) == ["#1"])
        #expect(try addresses(left).isEmpty)
    }

    @Test("links of other programs are found: to a place with a name, to a page, to another file")
    func found() throws {
        let made = PageMaker.make { maker in
            func link(_ entries: PDFDictionary) -> PDFObject {
                var all: PDFDictionary = [
                    "Type": .name("Annot"), "Subtype": .name("Link"), "Rect": maker.box(10, 10, 60, 30),
                ]
                for (key, value) in entries.entries { all[key] = value }
                let reference = maker.draft.newReference()
                maker.draft.put(.dictionary(all), at: reference)
                return .reference(reference)
            }
            maker.page(
                "",
                [
                    "Annots": .array([
                        link([
                            "A": .dictionary(["S": .name("URI"), "URI": .text("http://example.org/a?b=c#d")])
                        ]),
                        link(["A": .dictionary(["S": .name("Launch"), "F": .text("run.exe")])]),
                        link(["Dest": .text("nowhere")]),
                    ])
                ])
        }
        #expect(try MarkedPaper(made).links.map(\.text) == ["http://example.org/a?b=c#d", "", ""])
    }

    @Test("what people write is understood, and what would run something leads nowhere")
    func targets() {
        for (written, target) in [
            ("https://example.org", "https://example.org"),
            (" HTTP://Example.org/A ", "http://Example.org/A"),
            ("example.org:8080/x", "https://example.org:8080/x"),
            ("ada@example.org", "mailto:ada@example.org"),
            ("mailto:ada@example.org?subject=Hi", "mailto:ada@example.org?subject=Hi"),
            ("+52 (55) 1234-5678", "tel:+525512345678"), ("tel:911", "tel:911"), ("#12", "#12"),
            ("example.org/año", "https://example.org/a%C3%B1o"),
        ] {
            #expect(LinkTarget(written)?.text == target, "\(written)")
        }
        for written in [
            "", "#", "#0", "#-1", "#x", "page", "javascript:alert(1)", "JavaScript:app.alert(1)",
            "file:///etc/passwd",
            "data:text/html,x", "http:", "https://", "mailto:", "a b.org", ".", "..", "a.", "C:\\run.exe",
            "example.org:port", String(repeating: "a", count: 3_000) + ".org",
        ] {
            #expect(LinkTarget(written) == nil, "\(written)")
        }
    }

    @Test("nonsense is refused in words")
    func nonsense() throws {
        let paper = Self.paper()
        #expect(throws: MarkError.badLink("javascript:x")) {
            try changed(paper) { $0.added = [link(to: "javascript:x")] }
        }
        #expect(throws: MarkError.noSuchPage(3, of: 2)) { try changed(paper) { $0.added = [link(to: "#3")] } }
        #expect(throws: MarkError.badWish("areas")) { try changed(paper) { $0.added = [link(to: "#1", [])] } }
        #expect(throws: MarkError.badWish("areas")) {
            try changed(paper) { $0.added = [link(to: "#1", [.init(x: 60, y: 80, width: 0, height: 0)])] }
        }
        #expect(throws: MarkError.offPage(page: 0)) {
            try changed(paper) { $0.added = [link(to: "#1", [.init(x: 6000, y: 80, width: 9, height: 9)])] }
        }
    }

    @Test("words over several lines are one link, each line a part of it")
    func severalLines() throws {
        let made = try changed(Self.paper()) {
            $0.added = [
                link(
                    to: "example.org",
                    [.init(x: 200, y: 80, width: 90, height: 14), .init(x: 60, y: 96, width: 40, height: 14)])
            ]
        }
        let links = try MarkedPaper(made).links
        #expect(links.map(\.area) == [.init(x: 60, y: 80, width: 230, height: 30)])
        #expect(try addresses(made) == ["https://example.org"])
    }

    @Test("where a signed paper leads is not changed unless somebody wants it")
    func signed() throws {
        let authority = try SigningIdentity.authority(named: "Desk", from: Self.now - 86_400)
        let ana = try authority.issue(to: "Ana Gómez", from: Self.now - 86_400)
        let paper = try PaperSigner(
            changed(Self.paper()) { $0.added = [link(to: "example.org")] }, now: Self.now
        )
        .sign(with: Signatory(ana.writer), SigningWish(at: Self.now))
        let id = try #require(MarkedPaper(paper).links.first?.id)
        let wishes: [(inout MarkChanges) -> Void] = [
            { $0.added = [link(to: "example.com")] }, { $0.removed = [id] },
            { $0.reworded = [.init(id, "example.com")] },
        ]
        for wish in wishes {
            #expect(throws: MarkError.breaks(signatureOf: "Ana Gómez")) { try changed(paper, wish) }
            let made = try changed(paper) {
                wish(&$0)
                $0.breaksSignatures = true
            }
            #expect(made.starts(with: paper))
        }
    }
}
