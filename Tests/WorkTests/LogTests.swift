import Testing
import Work

@Suite("The log and chance")
struct LogTests {
    @Test("what is below the level is not even put together")
    func levels() {
        let (log, recording) = Log.recording(level: .warning)
        log.info(String(repeating: "x", count: Int.random(in: 1...3)))
        log.with(["part": "jobs"]).warning("queue is long", ["count": "9"])
        #expect(recording.messages == ["queue is long"])
        #expect(recording.entries.first?.fields["part"] == "jobs")
    }

    @Test("a file's name cannot write a second line")
    func injection() throws {
        let (log, recording) = Log.recording()
        log.error("cannot read", ["file": "a\n2026 info all is \u{1B}[32mwell", "empty": ""])
        let entry = try #require(recording.entries.first)
        #expect(entry.textLine.filter { $0 == "\n" }.count == 1)
        #expect(!entry.textLine.contains("\u{1B}"))
        #expect(entry.textLine.hasSuffix("empty=\"\"\n"))
        #expect(entry.jsonLine.filter { $0 == "\n" }.count == 1)
        #expect(entry.jsonLine.contains("\\n2026 info"))
    }

    @Test("a name cannot make a line read otherwise than it was written")
    func direction() throws {
        let (log, recording) = Log.recording()
        log.error("cannot read", ["file": "in\u{202E}fdp.exe\u{2066}\u{200B}\u{2028}\u{E0041}é"])
        let entry = try #require(recording.entries.first)
        for line in [entry.textLine, entry.jsonLine] {
            let isTreacherous = line.dropLast().unicodeScalars.contains {
                [.format, .control, .lineSeparator].contains($0.properties.generalCategory)
            }
            #expect(!isTreacherous, "\(line.debugDescription)")
            #expect(line.contains("é"))
        }
        #expect(entry.textLine.contains("in\\u{202e}fdp.exe"))
        #expect(entry.jsonLine.contains("in\\u202efdp.exe") && entry.jsonLine.contains("\\udb40\\udc41"))
    }

    @Test("a seed gives the same bytes again; the kernel does not")
    func chance() {
        #expect(Chance.seeded(7).bytes(20) == Chance.seeded(7).bytes(20))
        #expect(Chance.seeded(7).bytes(20) != Chance.seeded(8).bytes(20))
        #expect(Chance.system.bytes(16).count == 16)
        #expect(Chance.system.bytes(16) != Chance.system.bytes(16))
        #expect(Chance.system.bytes(0) == [])
        let chance = Chance.seeded(1)
        #expect((0..<1000).allSatisfy { _ in (0..<6).contains(chance.integer(below: 6)) })
    }
}
