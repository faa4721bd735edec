import Bytes
import PDFReading
import TestSupport
import Testing
import Work

@testable import Commands

/// `quire redact` as it is typed; what it takes out of papers is tried in RedactionTests.
@Suite(.enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct RedactTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        try withScratchFolder { folder in
            for (name, lines) in [
                ("a.pdf", ["Dear Ann Miller", "Call 555-123-4567"]), ("b.pdf", ["Nobody is named here"]),
            ] {
                try writeWhole(
                    Array(SamplePaper.pages(lines).utf8), to: "\(folder)/\(name)", overwrites: false)
            }
            try body(folder)
        }
    }

    private func text(_ path: String) throws -> String {
        try Child("/usr/bin/pdftotext", [path, "-"]).run().outputText
    }

    @Test("What would go is shown with its page, and nothing is written")
    func dryRun() throws {
        try inFolder { folder in
            let said = quire(
                ["redact", "a.pdf", "--words", "ann miller", "--pattern", "phone", "--dry-run"], home: folder)
            #expect(said.code == .done, "\(said)")
            #expect(said.output.contains("2 hits") && said.output.contains("page 1: …Dear [Ann Miller]"))
            #expect(said.output.contains("page 2: …Call [555-123-4567]"))
            let json = try JSON(
                parsing: quire(
                    ["redact", "a.pdf", "--pattern", "phone", "--dry-run", "--json"], home: folder
                )
                .output)
            #expect(json["hits"]?.int == 1)
            #expect(json["files"]?[0]?["hits"]?[0]?["page"]?.int == 2)
        }
    }

    @Test("The proof is kept as a page by its name")
    func proofPage() throws {
        try inFolder { folder in
            let said = quire(
                ["redact", "a.pdf", "-o", "clean.pdf", "--words", "Miller", "--proof", "proof.pdf"],
                home: folder)
            #expect(said.code == .done, "\(said)")
            let page = try text("\(folder)/proof.pdf")
            #expect(page.hasPrefix("Proof of redaction") && page.contains("clean.pdf"))
            #expect(page.contains("Poppler, read 2 pages") && page.contains("Fingerprint (SHA-256)"))
        }
    }

    @Test("Hits that were looked at and given back stay where they stand")
    func except() throws {
        try inFolder { folder in
            let look = ["redact", "a.pdf", "--words", "Ann; Miller", "--dry-run"]
            let hits = try JSON(parsing: quire(look + ["--json"], home: folder).output)
            try writeWhole(
                JSON.array([try #require(hits["files"]?[0]?["hits"]?[0])]).bytes, to: "\(folder)/stay.json",
                overwrites: false)
            let shown = quire(look + ["--except", "stay.json"], home: folder)
            #expect(shown.output.contains("page 1 (stays): …Dear [Ann]"))
            let said = quire(
                ["redact", "a.pdf", "-o", "clean.pdf", "--words", "Ann; Miller", "--except", "stay.json"],
                home: folder)
            #expect(said.code == .done && said.error.contains("One place was left standing"), "\(said)")
            let left = try text("\(folder)/clean.pdf")
            #expect(left.contains("Dear Ann") && !left.contains("Miller"))
            let several = quire(
                ["redact", "a.pdf", "b.pdf", "-o", "out/", "--words", "Ann", "--except", "stay.json"],
                home: folder)
            #expect(several.code == .usage)
        }
    }

    @Test("Words go, the file given stays as it was, and the proof is kept beside")
    func words() throws {
        try inFolder { folder in
            let before = try contents(of: "\(folder)/a.pdf")
            let said = quire(
                [
                    "redact", "a.pdf", "-o", "clean.pdf", "--words", "Ann Miller; 555*", "--proof",
                    "proof.txt",
                ],
                home: folder)
            #expect(said.code == .done, "\(said)")
            #expect(said.output.contains("and proven"))
            let left = try text("\(folder)/clean.pdf")
            #expect(left.contains("Dear") && !left.contains("Miller") && !left.contains("555"))
            #expect(try contents(of: "\(folder)/a.pdf") == before)
            let proof = String(decoding: try contents(of: "\(folder)/proof.txt"), as: UTF8.self)
            #expect(proof.contains("Poppler") && proof.contains("SHA-256"))
            let again = quire(["redact", "a.pdf", "-o", "clean.pdf", "--words", "Ann"], home: folder)
            #expect(again.code == .conflict && again.error.contains("--force"), "\(again)")
        }
    }

    @Test("Of a folder each paper with a hit is written, and the others are named")
    func folder() throws {
        try inFolder { folder in
            let said = quire(["redact", ".", "-o", "out", "--words", "Miller", "--json"], home: folder)
            #expect(said.code == .done, "\(said)")
            let json = try JSON(parsing: said.output)
            #expect(json["files"]?.array?.count == 1 && json["untouched"]?.int == 1)
            let left = try text("\(folder)/out/a.pdf")
            #expect(!left.contains("Miller"))
        }
    }

    @Test("A place and a page are said in points and by number")
    func places() throws {
        try inFolder { folder in
            let said = quire(
                ["redact", "a.pdf", "-o", "clean.pdf", "--area", "1:60,80,300,20", "--pages", "2"],
                home: folder)
            #expect(said.code == .done, "\(said)")
            let left = try text("\(folder)/clean.pdf")
            #expect(left.split(whereSeparator: \.isWhitespace) == [])
        }
    }

    @Test("What is missing or cannot be read is said, with what to say instead")
    func mistakes() throws {
        try inFolder { folder in
            for (words, code, part) in [
                (["redact", "a.pdf", "--words", "Ann"], ExitCode.usage, "--out"),
                (["redact", "a.pdf", "-o", "c.pdf"], .invalid, "Say what is to be blacked out"),
                (["redact", "a.pdf", "-o", "c.pdf", "--pattern", "iban"], .usage, "mail, phone"),
                (["redact", "a.pdf", "-o", "c.pdf", "--area", "one"], .usage, "PAGE:X,Y,WIDTH,HEIGHT"),
                (["redact", "a.pdf", "-o", "c.pdf", "--area", "9:1,1,1,1"], .invalid, "There is no page 9"),
                (
                    ["redact", "a.pdf", "-o", "c.pdf", "--words", "Zebra"], .notFound,
                    "nothing was blacked out"
                ),
                (["redact", "a.pdf", "-o", "c.pdf", "--find", "(a"], .invalid, "no expression"),
                (
                    ["redact", "a.pdf", "-o", "c.pdf", "--words", "Ann", "--colour", "pink"], .usage,
                    "black, grey"
                ),
            ] {
                let said = quire(words, home: folder)
                #expect(said.code == code && said.error.contains(part), "\(words): \(said)")
            }
        }
    }
}
