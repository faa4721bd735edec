import Bytes
import Glibc
import TestSupport
import Testing

@testable import Commands

@Suite struct MirrorCommandTests {
    @Test("a folder becomes the mirror of the library, and takes in what is changed there")
    func once() throws {
        try withDesk(.here) { folder, run in
            try write(Array("Dear Ana".utf8), to: folder + "/letter.txt")
            #expect(run(["add", folder + "/letter.txt"]).code == .done)
            let first = run(["mirror", "papers", "--once"])
            #expect(first.code == .done, "\(first.error)")
            #expect(
                first.output.contains("→ letter.txt") && first.output.contains("1 paper lies in the mirror"))
            #expect(try contents(of: folder + "/papers/letter.txt") == Array("Dear Ana".utf8))
            unlink(folder + "/papers/letter.txt")
            try write(Array("Dear Ben".utf8), to: folder + "/papers/Ben.txt")
            // Somebody may still be at it.
            let waiting = run(["mirror", "papers", "--once"])
            #expect(waiting.code == .done && waiting.output.contains("still being written"))
            #expect(system("touch -d '1 hour ago' '\(folder)/papers/Ben.txt'") == 0)
            let second = try JSON(parsing: run(["mirror", "papers", "--once", "--json"]).output)
            let acts = (second["events"]?.array ?? []).compactMap { $0["act"]?.string }
            #expect(acts.sorted() == ["takenIn", "trashed"])
            #expect(run(["list"]).output.contains("Ben.txt"))
            #expect(!run(["list"]).output.contains("letter.txt"))
            let full = run(["mirror", folder, "--once"])
            #expect(full.code != .done && full.error.contains("must not lie in each other"))
        }
    }

    @Test("a mirror that was emptied throws nothing away, and says how to go on")
    func emptied() throws {
        try withDesk(.here) { folder, run in
            for number in 1...11 {
                try write(Array("Dear \(number)".utf8), to: folder + "/\(number).txt")
                #expect(run(["add", "\(number).txt"]).code == .done)
            }
            #expect(run(["mirror", "papers", "--once"]).code == .done)
            #expect(system("rm '\(folder)'/papers/*.txt") == 0)
            let stopped = run(["mirror", "papers", "--once"])
            #expect(stopped.code != .done && stopped.error.contains("Nothing was thrown away"))
            #expect(run(["mirror", "papers", "--again"]).code == .usage)
            #expect(run(["mirror", "papers", "--once", "--again", "--all"]).code == .usage)
            let again = run(["mirror", "papers", "--once", "--again"])
            #expect(again.code == .done && again.output.contains("11 papers lie in the mirror"))
            #expect(try contents(of: folder + "/papers/7.txt") == Array("Dear 7".utf8))
            #expect(system("rm '\(folder)'/papers/*.txt") == 0)
            #expect(run(["mirror", "papers", "--once", "--all"]).code == .done)
            #expect(!run(["list"]).output.contains("7.txt"))
        }
    }

    @Test("from another machine it says what to do instead")
    func remote() throws {
        try withDesk(.remote) { _, run in
            let said = run(["mirror", "papers"])
            #expect(said.code == .usage && said.error.contains("/dav/"))
        }
    }
}
