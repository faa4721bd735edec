import Bytes
import Glibc
import TestSupport
import Testing

@testable import Commands

@Suite struct SyncCommandsTests {
    @Test("two desks on one machine keep in step over a folder")
    func life() throws {
        try withScratchFolder { folder in
            mkdir(folder + "/place", 0o700)
            func desk(_ name: String) -> ([String], [String]) -> Said {
                { quire($0, home: folder, environment: ["QUIRE_HOME": "\(folder)/\(name)"], answers: $1) }
            }
            let (home, office) = (desk("home"), desk("office"))
            try write(Array("Dear Ana".utf8), to: folder + "/letter.txt")
            #expect(home(["add", "letter.txt"], []).code == .done)
            #expect(home(["sync", "status"], []).output.contains("Begin with: quire sync add PLACE"))
            let added = home(
                ["sync", "add", "place", "--name", "Disk", "--encrypt"], ["four plain words here"])
            #expect(added.code == .done, "\(added.error)")
            #expect(added.output.contains("Disk") && added.output.contains("synced"))
            #expect(home(["sync", "status", "letter.txt"], []).output.contains("synced"))

            let wrong = office(["sync", "add", "place", "--name", "Disk", "--encrypt"], ["not those words"])
            #expect(wrong.code != .done)
            #expect(wrong.error.contains("This is not the passphrase with which this place was begun."))
            #expect(office(["sync", "remove", "Disk"], []).code == .done)
            let right = office(["sync", "add", "place", "--encrypt"], ["four plain words here"])
            #expect(right.code == .done, "\(right.error)")
            #expect(office(["list"], []).output.contains("letter.txt"))
            #expect(
                office(["sync", "choose", "place", "--what", "papers, lists"], []).output.contains(
                    "papers, lists"))
            #expect(office(["activity", "letter.txt"], []).output.contains("the sync"))

            #expect(office(["rename", "letter.txt", "Letter to Ana.txt"], []).code == .done)
            #expect(office(["sync", "now"], []).code == .done)
            #expect(home(["sync", "pause", "Disk"], []).output.contains("is paused"))
            #expect(home(["sync", "now"], []).code == .done)
            #expect(home(["list"], []).output.contains("letter.txt"))
            #expect(home(["sync", "resume", "Disk"], []).output.contains("goes on"))
            #expect(home(["list"], []).output.contains("Letter to Ana.txt"))
            let status = try JSON(parsing: home(["sync", "list", "--json"], []).output)
            #expect(status["places"]?[0]?["synced"]?.int == 1)
        }
    }

    @Test("a folder that is not there, and a bucket without its store, are said")
    func wrong() throws {
        try withDesk(.here) { folder, run in
            let away = run(["sync", "add", folder + "/nothing"])
            #expect(away.code != .done && away.error.contains("is not there"))
            let bucket = run(["sync", "add", "papers", "--bucket", "papers"])
            #expect(bucket.error.contains("--bucket needs the address of its store"))
            #expect(run(["sync", "pause", "nobody"]).error.contains("There is no place called “nobody”"))
        }
    }
}
