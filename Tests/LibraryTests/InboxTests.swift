import Access
import Glibc
import Library
import Storage
import Synchronization
import TestSupport
import Testing
import Work

@Suite("The inbox")
struct InboxTests {
    /// An inbox for one test; `put` writes a file that has lain there for so many seconds.
    private func withInbox(
        _ body: (Documents, Inbox, String, _ put: (String, String, Int) throws -> Void) throws -> Void
    ) throws {
        try withLibrary { documents, hand, _ in
            try withScratchFolder { folder in
                try body(documents, Inbox(documents, folder: folder), folder) { path, text, seconds in
                    let parts = path.split(separator: "/").dropLast()
                    for depth in 0..<parts.count {
                        mkdir("\(folder)/\(parts.prefix(depth + 1).joined(separator: "/"))", 0o700)
                    }
                    try write(Array(text.utf8), to: "\(folder)/\(path)")
                    try age("\(folder)/\(path)", to: hand.clock.now() - .seconds(seconds))
                }
            }
        }
    }

    private func age(_ path: String, to moment: Moment) throws {
        let time = timespec(tv_sec: Int(moment.milliseconds / 1000), tv_nsec: 0)
        try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }

    @Test("What is finished comes in, into the folders it lay in, and is gone from the inbox")
    func finished() throws {
        try withInbox { documents, inbox, folder, put in
            try put("scan.txt", "one", 60)
            try put("Taxes/2026/bill.txt", "two", 60)
            let look = try inbox.look(by: ada)
            #expect(Set(look.taken.map(\.name)) == ["scan.txt", "bill.txt"])
            let tree = try documents.folders(by: ada)
            let place = try #require(tree.find(path: "Taxes/2026"))
            #expect(try documents.names(.init(folder: .some(place.folder.id))) == ["bill.txt"])
            #expect(look.taken.allSatisfy { $0.arrival == .inbox })
            #expect(access("\(folder)/scan.txt", F_OK) != 0 && access("\(folder)/Taxes", F_OK) != 0)
            #expect(access(folder, F_OK) == 0)
            #expect(try inbox.look(by: ada).isEmpty)
        }
    }

    @Test("Archives and mails bring what they hold, as when they are uploaded")
    func holders() throws {
        try withInbox { documents, inbox, folder, put in
            try put(
                "bill.eml",
                """
                From: Stadtwerke <bills@example.org>
                To: ada@example.org
                Subject: Your bill
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary=x

                --x
                Content-Type: text/plain

                Here it is.
                --x
                Content-Type: text/plain
                Content-Disposition: attachment; filename="bill.txt"

                You owe 12.30
                --x--
                """, 60)
            let look = try inbox.look(by: ada)
            #expect(look.taken.map(\.name).sorted() == ["bill.eml", "bill.txt"] && look.failed.isEmpty)
            let bill = try #require(look.taken.first { $0.name == "bill.txt" })
            #expect(bill.origin == look.taken.first { $0.name == "bill.eml" }?.id)
            #expect(access("\(folder)/bill.eml", F_OK) != 0)
            // One that is no archive but begins like one stays whole, and says why.
            try put("broken.zip", "PK\u{3}\u{4} and then nothing", 60)
            let second = try inbox.look(by: ada)
            #expect(second.taken.map(\.name) == ["broken.zip"] && second.failed.isEmpty)
        }
    }

    @Test(
        "What is still being written stays",
        arguments: ["scan.part", ".hidden", "letter.txt~", "~$letter.docx"])
    func unfinished(name: String) throws {
        try withInbox { _, inbox, folder, put in
            try put(name, "half", 60)
            #expect(try inbox.look(by: ada).isEmpty)
            #expect(access("\(folder)/\(name)", F_OK) == 0)
        }
    }

    @Test("A file that changed a moment ago, or that a program holds open for writing, is left for later")
    func settling() throws {
        try withInbox { _, inbox, folder, put in
            try put("fresh.txt", "fresh", 1)
            try put("open.txt", "so far", 60)
            let writer = try #require(fopen("\(folder)/open.txt", "ae"))
            #expect(try inbox.look(by: ada).taken.isEmpty)
            fclose(writer)
            #expect(try inbox.look(by: ada).taken.map(\.name) == ["open.txt"])
        }
    }

    @Test("A program that begins to write into a file in the moment it is looked at ends nobody")
    func begunMeanwhile() throws {
        try withInbox { _, inbox, folder, put in
            let isOver = Atomic(false)
            let path = "\(folder)/log.txt"
            let writer = Thread(name: "writer") {
                while !isOver.load(ordering: .relaxed) {
                    let file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
                    if file >= 0 { close(file) }
                }
            }
            defer {
                isOver.store(true, ordering: .relaxed)
                writer.join()
            }
            var looks = 0
            for number in 0..<100 {
                try put("log.txt", "entry \(number)", 60)
                while access(path, F_OK) == 0 {
                    _ = try inbox.look(by: ada)
                    looks += 1
                }
            }
            #expect(looks >= 100)
        }
    }

    @Test("What the library has already is said to be there, and one trouble is told once")
    func known() throws {
        try withInbox { documents, inbox, folder, put in
            _ = try documents.addText("lease.txt", "two years")
            try put("copy of lease.txt", "two years", 60)
            try put("empty.txt", "", 60)
            let look = try inbox.look(by: ada)
            #expect(look.known == ["copy of lease.txt → lease.txt"] && look.taken.isEmpty)
            #expect(look.failed.map(\.path) == ["empty.txt"])
            #expect(
                access("\(folder)/empty.txt", F_OK) == 0 && access("\(folder)/copy of lease.txt", F_OK) != 0)
            #expect(try inbox.look(by: ada).failed.isEmpty)
        }
    }

    @Test("Links are not followed")
    func links() throws {
        try withInbox { _, inbox, folder, _ in
            try #require(symlink("/etc/passwd", "\(folder)/passwd.txt") == 0)
            try #require(symlink("/etc", "\(folder)/etc") == 0)
            #expect(try inbox.look(by: ada).isEmpty)
        }
    }
}
