import Bytes
import Storage
import TestSupport
import Testing

@testable import Commands

@Suite("Commands about one's own cards")
struct CardCommandsTests {
    @Test("make, show, change, choose and remove them", arguments: Way.allCases)
    func life(_ way: Way) throws {
        try withDesk(way) { folder, run in
            let made = run([
                "card", "new", "--given", "Ana", "--family", "López", "--label", "Work", "--field",
                "github.com/ana", "--field", "mobile:Studio=+1 514 555 0100", "--private-field",
                "email=home@example.org",
            ])
            #expect(made.code == .done, "\(made.error)")
            #expect(made.output.contains("Ana López\n") && made.output.contains("Studio"))
            #expect(made.output.contains("by you"))
            #expect(run(["card", "new", "--organization", "Band", "--theme", "plum"]).code == .done)
            #expect(run(["card", "new", "--theme", "pink", "--given", "x"]).code == .usage)
            #expect(run(["card", "new", "--given", "x", "--field", "some words"]).code != .done)
            #expect(run(["card", "default", "Band"]).output == "“Band” is the default card.\n")
            let edited = run(["card", "edit", "Work", "--title", "Architect", "--drop", "1", "--first", "3"])
            #expect(edited.code == .done, "\(edited.error)")
            #expect(edited.output.contains("Architect") && !edited.output.contains("GitHub"))
            #expect(run(["card", "edit", "Work", "--drop", "9"]).code == .usage)
            #expect(run(["card", "edit", "Work", "--address", "ana-lopez"]).output.contains("/c/ana-lopez"))
            #expect(run(["card", "show", "ana-lopez"]).output.contains("Architect"))
            #expect(run(["card", "remove", "Band"]).output == "“Band” is removed.\n")
            #expect(run(["card", "list"]).output.contains("default"))
            #expect(run(["card", "show", "Band"]).code == .notFound)
        }
    }

    @Test("write their code and their file, without what is private", arguments: Way.allCases)
    func files(_ way: Way) throws {
        try withDesk(way) { folder, run in
            #expect(
                run([
                    "card", "new", "--given", "Ana", "--field", "ana@example.org", "--private-field",
                    "phone=+1 514 555 9999",
                ]).code == .done)
            let code = run(["card", "qr", "--holds", "vcard"])
            #expect(code.code == .done, "\(code.error)")
            #expect(code.output.contains("█"))
            let told = run(["card", "qr", "--holds", "mecard", "--json"])
            #expect(told.output.contains("MECARD:N:,Ana") && !told.output.contains("9999"))
            #expect(run(["card", "qr", "--holds", "poem"]).code != .done)
            #expect(run(["card", "qr", "--holds", "vcard", "--out", "a.png"]).code == .done)
            #expect(run(["card", "qr", "--holds", "vcard", "-o", "a.svg"]).code == .done)
            #expect(run(["card", "qr", "--holds", "vcard", "--out", "a.png"]).code == .conflict)
            let everybody = run(["card", "export"]).output
            #expect(everybody.contains("VERSION:3.0") && !everybody.contains("9999"))
            #expect(run(["card", "export", "--for", "private"]).output.contains("9999"))
            #expect(run(["card", "export", "--as", "jscontact", "--out", "a.json"]).code == .done)
            #expect(run(["card", "export", "--as", "poem"]).code != .done)
        }
    }
}
