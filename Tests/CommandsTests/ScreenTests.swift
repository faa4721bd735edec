import Storage
import Synchronization
import Testing
import Transfer
import Work

@testable import Commands

@Suite struct ScreenTests {
    @Test(
        "sizes read as people write them",
        arguments: [
            (0, "0 bytes"), (999, "999 bytes"), (1000, "1 kB"), (1234, "1.2 kB"), (99_950, "99.9 kB"),
            (100_000, "100 kB"),
            (999_999, "999 kB"), (1_000_000, "1 MB"), (2_500_000_000, "2.5 GB"), (Int64.max, "9223372 TB"),
        ])
    func sizes(_ bytes: Int64, _ text: String) {
        #expect(Words.size(bytes) == text)
    }

    @Test("tables line up, numbers to the right")
    func tables() {
        var table = TextTable(["Paper", "Size"], rightAligned: [1])
        table.add(["letter.pdf", "12 kB"])
        table.add(["ñ", "3 bytes"])
        #expect(table.text(.plain) == "Paper          Size\nletter.pdf    12 kB\nñ           3 bytes\n")
    }

    @Test("on a screen a long name is shortened in its middle, and an id never")
    func narrow() {
        let id = "01a20983-5de3-79c9-a56c-4f434ab2bdc7"
        var table = TextTable(["Paper", "Id"])
        table.add([String(repeating: "long ", count: 20) + "name.pdf", id])
        table.add(["letter.pdf", id])
        let lines = table.text(Style(isOn: false, width: 80)).split(separator: "\n")
        #expect(lines.map(\.count) == [46, 80, 80])
        #expect(lines[1].hasPrefix("long long ") && lines[1].hasSuffix("long name.pdf  \(id)"))
        #expect(lines[2].hasPrefix("letter.pdf ") && lines[2].hasSuffix(id))
        #expect(table.text(.plain).contains("long name.pdf  \(id)"))
    }

    @Test("a name from a stranger cannot steer the terminal")
    func harmless() {
        #expect(TextTable.harmless("a\u{1B}[31mb\u{9B}d") == "a\u{FFFD}[31mb\u{FFFD}d")
        // Lines of an address stand beside each other.
        #expect(TextTable.harmless("Main Street 1\r\n12345 Town") == "Main Street 1 12345 Town")
    }

    private func progressText(isTerminal: Bool, isQuiet: Bool = false, patience: Duration = .zero) -> String {
        let text = Mutex("")
        let paper = Kept(text)
        let terminal = Terminal(
            write: { _ in }, writeError: { piece in paper.text.withLock { $0 += piece } },
            ask: { _, _ in nil },
            isOutputTerminal: false, isErrorTerminal: isTerminal, isInputTerminal: false, width: 80,
            outputStyle: .plain,
            errorStyle: .plain)
        let line = ProgressLine("Adding", terminal: terminal, isQuiet: isQuiet, patience: patience)
        for done: Int64 in 0...100 { line.show(.init(done: done, total: 100, phase: "letter.pdf")) }
        line.clear()
        return paper.text.withLock { $0 }
    }

    private final class Kept: Sendable {
        let text: Mutex<String>
        init(_ text: consuming sending Mutex<String>) { self.text = text }
    }

    @Test("a pipe hears of every tenth, but only of work that takes a while")
    func pipeProgress() {
        let lines = progressText(isTerminal: false).split(separator: "\n")
        #expect(lines.count == 11)
        #expect(lines.first == "Adding 0 % – letter.pdf" && lines.last == "Adding 100 % – letter.pdf")
        #expect(progressText(isTerminal: false, patience: .seconds(3600)).isEmpty)
        #expect(progressText(isTerminal: false, isQuiet: true).isEmpty)
    }

    @Test("a terminal sees one bar, which goes away")
    func barProgress() {
        let text = progressText(isTerminal: true)
        #expect(text.contains("░") && !text.contains("\n") && text.hasSuffix("\r\u{1B}[K"))
    }

    @Test("every failure has its exit code, and what is no failure is a mistake of ours")
    func complaints() {
        for code in Failure.Code.allCases {
            #expect(Complaint(Failure(code, "x")).isOurs == false)
            #expect(ExitCode(code).rawValue > 2)
        }
        struct Strange: Error {}
        #expect(Complaint(Strange()).isOurs)
        #expect(Complaint(Cancelled()).failure.code == .cancelled)
        #expect(Complaint(TransferError.unreachable(host: "h", why: "w")).failure.code == .unavailable)
    }
}
