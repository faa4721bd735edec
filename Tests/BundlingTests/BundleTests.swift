import Archives
import Bundling
import Bytes
import Testing
import Work

@Suite("Send-outs in one file")
struct BundleTests {
    static var sample: Bundle {
        var bundle = Bundle(name: "Consent form 2026")
        bundle.parts = [
            .init("Consent", .form(Array("%PDF-1.7 form".utf8), mapping: "[fields]\nname = {Name}\n")),
            .init("House rules", .paper(Array("%PDF-1.7 rules".utf8)), condition: "{Age} < 18"),
            .init("{id}.pdf", .attachment(pattern: "{id}.pdf")),
        ]
        bundle.naming = "{Name}"
        bundle.options = ["flatten": true]
        bundle.letter = ["subject": "Please sign", "body": "Dear {{name}}"]
        bundle.files = [.init("Map.png", [1, 2, 3])]
        bundle.columns = [.init("Name", role: "name"), .init("E-mail", role: "email")]
        bundle.rows = [["Ada Example", "ada@example.org"]]
        return bundle
    }

    @Test("A bundle is read as it was written, and the same content gives the same bytes")
    func isReadAsWritten() throws {
        let bytes = try Self.sample.bytes()
        let (read, leftOut) = try Bundle.read(bytes)
        #expect(read == Self.sample)
        #expect(leftOut == [])
        #expect(try read.bytes() == bytes)
    }

    /// The archive of the sample with other words in its manifest.
    static func changed(_ change: (inout JSON) -> Void, more: [(String, [UInt8])] = []) throws -> [UInt8] {
        let zip = try ZIPReader(bytes: sample.bytes())
        var out: [UInt8] = []
        var writer = ZIPWriter { out += $0 }
        for entry in zip.entries {
            var bytes = try zip.bytes(entry)
            if entry.name == "manifest.json" {
                var manifest = try JSON(parsing: bytes)
                change(&manifest)
                bytes = manifest.bytes
            }
            try writer.add(entry.name, bytes, modified: entry.modified)
        }
        for (name, bytes) in more { try writer.add(name, bytes, modified: Moment(milliseconds: 0)) }
        try writer.finish()
        return out
    }

    @Test("A newer kind of bundle is refused in words that say what to do")
    func newerIsRefused() throws {
        let bytes = try Self.changed { $0["version"] = 2 }
        #expect(throws: BundleError.newer(version: 2)) { try Bundle.read(bytes) }
    }

    @Test("What this Quire does not know is left out and told")
    func unknownIsTold() throws {
        let bytes = try Self.changed(
            { manifest in
                manifest["music"] = "loud"
                var parts = manifest["parts"]?.array ?? []
                parts.append(["kind": "film", "name": "Greeting"])
                manifest["parts"] = .array(parts)
            }, more: [("extra.txt", [1])])
        let (read, leftOut) = try Bundle.read(bytes)
        #expect(read == Self.sample)
        #expect(leftOut == ["Greeting (film)", "music", "extra.txt"])
    }

    @Test("A part that is not what its digest says is damage, and is named")
    func digestsAreHeld() throws {
        let bytes = try Self.changed { $0["digests"]?["forms/1.pdf"] = "00" }
        #expect(throws: BundleError.damaged(what: "forms/1.pdf")) { try Bundle.read(bytes) }
    }

    @Test("Other archives, tables that do not fit and files that lie elsewhere are refused")
    func othersAreRefused() throws {
        #expect(throws: BundleError.notABundle) { try Bundle.read(Array("no archive".utf8)) }
        #expect(throws: BundleError.notABundle) {
            try Bundle.read(Self.changed { $0["format"] = "other" })
        }
        #expect(throws: BundleError.damaged(what: "rows")) {
            try Bundle.read(Self.changed { $0["rows"] = [["only one"]] })
        }
        #expect(throws: BundleError.damaged(what: "parts")) {
            try Bundle.read(
                Self.changed { $0["parts"] = [["kind": "form", "name": "x", "file": "../etc/passwd"]] })
        }
        #expect(throws: BundleError.damaged(what: "parts")) {
            try Bundle.read(Self.changed { $0["parts"] = [] })
        }
    }
}
