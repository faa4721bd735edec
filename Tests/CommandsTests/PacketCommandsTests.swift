import Archives
import Bytes
import Glibc
import PDF
import PDFForms
import TestSupport
import Testing
import Work

@testable import Commands

/// `quire template|recipients|batch|packet`, as somebody types them.
@Suite("Packets on the command line")
struct PacketCommandsTests {
    private static let consent = "Examples/02-consent-forms/consent.pdf"
    private static let pupils = """
        child name,class,birth date,guardian name,relation,phone,E-mail
        Zoë Ångström,5a,06102015,Žofie Ångström,mother,555-0113,z@example.org
        محمد عبد الرحمن,5a,17012016,سارة,mother,555-0114,m@example.org
        Bo Li,5b,03032016,Li Na,mother,,b@example.org

        """

    private func read(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// A desk with the consent form and a list of three pupils.
    private func withPupils(
        _ way: Way = .here, _ body: (_ folder: String, _ run: @escaping ([String]) -> Said) throws -> Void
    ) throws {
        try withDesk(way) { folder, run in
            try put(read(Self.consent), folder + "/Consent.pdf")
            try put(Self.pupils, folder + "/4b.csv")
            let form = run(["template", "add", "Consent.pdf"])
            #expect(form.code == .done, "\(form.error)")
            let list = run(["recipients", "add", "4b.csv"])
            #expect(list.code == .done, "\(list.error)")
            #expect(list.output.contains("“4b”: 3 people"))
            try body(folder, run)
        }
    }

    // MARK: Forms

    @Test(
        "Forms go in with what was found in them, are listed, shown, and come out as they were",
        arguments: Way.allCases)
    func templates(_ way: Way) throws {
        try withDesk(way) { folder, run in
            let empty = run(["template", "list"])
            #expect(
                way == .remote ? empty.output.contains("quire template add FILE") : empty.code == .notFound)
            try put(read(Self.consent), folder + "/Consent 2026.pdf")
            let added = run(["template", "add", "Consent 2026.pdf"])
            #expect(added.code == .done, "\(added.error)")
            #expect(added.output.contains("“Consent 2026”: 1 page"))
            #expect(run(["template", "list", "consent"]).output.contains("Consent 2026"))
            let shown = run(["template", "show", "Consent 2026"])
            #expect(shown.output.contains("child name") && shown.output.contains("text"))
            let json = try JSON(parsing: run(["template", "show", "Consent 2026", "--json"]).output)
            #expect(json["fields"]?.array?.contains { $0["name"]?.string == "child name" } == true)
            #expect(run(["template", "export", "Consent 2026", "copy.pdf"]).code == .done)
            #expect(read(folder + "/copy.pdf") == read(Self.consent))
            let twice = run(["template", "export", "Consent 2026", "copy.pdf"])
            #expect(twice.code == .conflict)
            #expect(twice.error.contains("is there already"))
        }
    }

    @Test("A file that is no form is told by its name, and stops none of the others")
    func notAForm() throws {
        try withDesk(.here) { folder, run in
            try put("Dear Ana", folder + "/letter.txt")
            try put(read(Self.consent), folder + "/Consent.pdf")
            let said = run(["template", "add", "letter.txt", "absent.pdf", "Consent.pdf"])
            #expect(said.code == .unsupported)
            #expect(said.error.contains("letter.txt: This is no PDF."))
            #expect(said.error.contains("absent.pdf: "))
            #expect(said.output.contains("“Consent”"))
            let alone = run(["template", "add", "letter.txt"])
            #expect(alone.error.contains("Save the form as a PDF"))
        }
    }

    @Test("What was removed lies in the trash, is listed there, and comes back")
    func trash() throws {
        try withPupils { _, run in
            for (kind, name) in [("template", "Consent"), ("recipients", "4b")] {
                let removed = run([kind, "remove", name])
                #expect(removed.output.contains("“\(name)” lies in the trash."))
                #expect(removed.error.contains("quire \(kind) restore"))
                #expect(!run([kind, "list"]).output.contains(name))
                #expect(run([kind, "list", "--trash"]).output.contains(name))
                #expect(run([kind, "show", name]).code == .notFound)
                #expect(run([kind, "restore", name]).output.contains("is here again"))
                #expect(run([kind, "list"]).output.contains(name))
            }
            #expect(run(["template", "restore", "Consent"]).code == .notFound)
        }
    }

    // MARK: People

    @Test(
        "A list comes in, is shown and searched, and goes out as a table that says the same",
        arguments: Way.allCases)
    func recipients(_ way: Way) throws {
        try withPupils(way) { folder, run in
            #expect(run(["recipients", "list"]).output.contains("4b"))
            let shown = run(["recipients", "show", "4b", "ångström"])
            #expect(shown.output.contains("Zoë Ångström") && !shown.output.contains("Bo Li"))
            #expect(run(["recipients", "show", "4b", "nobody"]).output.contains("Nobody fits “nobody”."))
            let sorted = try JSON(
                parsing: run(["recipients", "show", "4b", "--sort", "child name", "--json"]).output)
            #expect(sorted["recipients"]?[0]?["cells"]?[0]?["shown"]?.string == "Bo Li")
            let wrong = run(["recipients", "show", "4b", "--sort", "shoe size"])
            #expect(wrong.code == .notFound)
            #expect(wrong.error.contains("It has: child name, class"))

            let out = run(["recipients", "export", "4b"])
            #expect(out.code == .conflict, "the file that came in is still there")
            #expect(run(["recipients", "export", "4b", "out.csv"]).code == .done)
            let text = String(decoding: read(folder + "/out.csv"), as: UTF8.self)
            #expect(text.replacing("\r\n", with: "\n") == "\u{FEFF}" + Self.pupils)
            #expect(run(["recipients", "export", "4b", "out.xlsx"]).code == .done)
            #expect(read(folder + "/out.xlsx").starts(with: Array("PK".utf8)))
            let only = run(["recipients", "export", "4b", "-", "--only", "bo li"])
            #expect(only.output.contains("Bo Li") && !only.output.contains("Zoë"))
        }
    }

    @Test("What a stranger typed does not become a formula in the table that goes out, unless asked for")
    func formulas() throws {
        try withDesk(.here) { folder, run in
            try put("name,note\nAna,=HYPERLINK(1)\nBen,-5\n", folder + "/a.csv")
            #expect(run(["recipients", "add", "a.csv"]).code == .done)
            #expect(run(["recipients", "export", "a", "-"]).output.contains("Ana,'=HYPERLINK(1)"))
            #expect(run(["recipients", "export", "a", "-", "--exact"]).output.contains("Ana,=HYPERLINK(1)"))
        }
    }

    @Test("Next month's table says first what it would change, then replaces what came from it")
    func again() throws {
        try withPupils { folder, run in
            let next =
                Self.pupils.replacing("Bo Li,5b", with: "Bo Li,6b")
                + "Cem Kaya,5b,01012016,Ada,mother,1,c@example.org\n"
            try put(next, folder + "/4b.csv")
            let look = run(["recipients", "add", "4b.csv", "--to", "4b", "--look"])
            #expect(look.output.contains("1 new, 1 changed, 2 as before"), "\(look.output)")
            #expect(look.output.contains("class: 5b → 6b"))
            #expect(!run(["recipients", "show", "4b"]).output.contains("Cem"))
            #expect(run(["recipients", "add", "4b.csv", "--to", "4b"]).output.contains("4 people"))
            #expect(run(["recipients", "show", "4b"]).output.contains("Cem"))
            #expect(run(["recipients", "list"]).output.contains("4b"))
        }
    }

    @Test("Rows that do not fit are set aside and can be looked at; nobody else is lost")
    func setAside() throws {
        try withDesk(.here) { folder, run in
            try put("name,class\nAna,5a\nBen\nCem,5b\nDia,5c,6,7\n", folder + "/a.csv")
            let said = run(["recipients", "add", "a.csv"])
            #expect(said.code == .done)
            #expect(said.output.contains("set aside"))
            let aside = run(["recipients", "show", "a", "--set-aside"])
            #expect(aside.output.contains("Dia,5c,6,7"), "\(aside.output)")
        }
    }

    // MARK: Batches

    @Test(
        "A batch is for those who are named, or for all but them; whoever is not found, or is many, is told")
    func picked() throws {
        try withPupils { _, run in
            func add(_ name: String, _ words: [String]) -> Said {
                run(["batch", "add", name, "--list", "4b", "-t", "Consent"] + words)
            }
            #expect(add("One", ["--pick", "z@example.org"]).code == .done)
            #expect(run(["batch", "plan", "One"]).output.contains("Plan: 1 recipient,"))
            #expect(add("Two", ["--leave-out", "Bo Li"]).code == .done)
            #expect(run(["batch", "plan", "Two"]).output.contains("Plan: 2 recipients"))
            #expect(
                add("Three", ["--pick", "Nobody"]).error.contains("Nobody on the list is found by “Nobody”."))
            #expect(add("Three", ["--pick", "5a"]).error.contains("“5a” finds several people: Zoë Ångström"))
            #expect(add("Three", ["--pick", "Bo", "--leave-out", "Zoë"]).code == .usage)
            #expect(run(["batch", "add", "Three", "--pick", "Bo"]).code == .usage)
        }
    }

    @Test("A time stamp and proofs go with a signature, and are kept with the batch")
    func witnesses() throws {
        try withPupils { _, run in
            func add(_ words: [String]) -> Said {
                run(["batch", "add", "Trip", "--list", "4b", "-t", "Consent", "--json"] + words)
            }
            let stamped = ["--timestamp", "http://stamps.example/tsa"]
            #expect(add(stamped).error.contains("--timestamp goes with --sign"))
            #expect(add(["--proofs"]).code == .usage)
            #expect(run(["identity", "new", "Office"]).code == .done)
            let made = add(["--sign", "Office", "--proofs"] + stamped)
            #expect(made.code == .done, "\(made.error)")
            let options = try JSON(parsing: made.output)["draft"]?["options"]
            #expect(options?["timestamp"]?.string == "http://stamps.example/tsa")
            #expect(options?["proofs"]?.bool == true)
        }
    }

    @Test(
        "A batch goes all the way: decided, planned, filled, looked at, taken away", arguments: Way.allCases)
    func wholeWay(_ way: Way) throws {
        try withPupils(way) { folder, run in
            let added = run([
                "batch", "add", "Trip", "--list", "4b", "--template", "Consent", "--name", "{child name}",
            ])
            #expect(added.code == .done, "\(added.error)")
            #expect(added.error.contains("Next: quire batch plan"))
            #expect(run(["packet", "list", "Trip"]).output.contains("Nothing has been planned yet."))
            let planned = run(["batch", "plan", "Trip"])
            #expect(planned.output.contains("Plan: 3 recipients, 3 packets, 3 pages"), "\(planned.output)")
            // On a server the work is done there, by itself.
            guard way == .here else { return }
            let filled = run(["batch", "fill", "Trip"])
            #expect(filled.code == .done, "\(filled.error)")
            #expect(filled.output.contains("3 made"))
            #expect(run(["batch", "show", "Trip"]).output.contains(": done"))
            let batches = try JSON(parsing: run(["batch", "list", "--json"]).output)["batches"]
            #expect(batches?[0]?["counts"]?["made"] == 3, "\(batches?.text ?? "")")
            #expect(run(["batch", "list"]).output.contains("Made"))

            let list = try JSON(parsing: run(["packet", "list", "Trip", "--json"]).output)
            #expect(
                list["packets"]?.array?.map { $0["name"]?.string } == [
                    "Zoë Ångström", "محمد عبد الرحمن", "Bo Li",
                ])
            let id = try #require(list["packets"]?[0]?["id"]?.string)
            let shown = run(["packet", "show", id])
            #expect(
                shown.output.contains("child name: Zoë Ångström (4b.csv, row 2, column child name)")
                    || shown.output.contains("child name: Zoë Ångström"), "\(shown.output)")
            #expect(run(["packet", "export", id, "one.pdf"]).code == .done)
            let form = try Form(bytes: read(folder + "/one.pdf"))
            #expect(form.fields.first { $0.name == "child name" }?.value == ["Zoë Ångström"])

            #expect(run(["batch", "export", "Trip", "--out", "papers", "--receipts"]).code == .done)
            for name in ["Zoë Ångström", "محمد عبد الرحمن", "Bo Li"] {
                #expect(exists("\(folder)/papers/\(name)/Packet.pdf"), "\(name)")
                #expect(exists("\(folder)/papers/\(name)/Receipt.json"))
            }
            #expect(exists("\(folder)/papers/Summary.csv") && exists("\(folder)/papers/manifest.json"))
            #expect(!exists("\(folder)/papers.part") && !exists("\(folder)/papers.part.zip"))
            #expect(read("\(folder)/papers/Zoë Ångström/Packet.pdf") == read(folder + "/one.pdf"))
            #expect(run(["batch", "export", "Trip", "--out", "papers"]).code == .conflict)

            #expect(run(["batch", "export", "Trip", "--zip", "all.zip", "--flat"]).code == .done)
            #expect(try ZIPReader(path: folder + "/all.zip").entries.contains { $0.name == "Bo Li.pdf" })
            #expect(run(["batch", "export", "Trip", "--merged", "all.pdf"]).code == .done)
            #expect(try PDFFile(path: folder + "/all.pdf").pages.count == 3)
            #expect(
                run(["batch", "export", "Trip", "--merged", "kept.pdf", "--keep-fields", "--only", "bo li"])
                    .code == .done)
            let kept = try Form(path: folder + "/kept.pdf")
            #expect(kept.fields.first { $0.name == "1.child name" }?.value == ["Bo Li"])
        }
    }

    @Test(
        "Each form of a packet has its own mapping, out of a file or kept with the form; parts have conditions"
    )
    func severalForms() throws {
        try withPupils { folder, run in
            try put("[fields]\nchild name = {child name} & \" (trip)\"\n", folder + "/trip.map")
            let first = run([
                "batch", "add", "Trip", "--list", "4b", "-t", "Consent", "--map", "trip.map", "-t", "Consent",
                "--if", "2={class} = \"5b\"",
            ])
            #expect(first.code == .done, "\(first.error)")
            #expect(run(["template", "show", "Consent"]).output.contains("Kept mappings: trip"))
            let planned = try JSON(parsing: run(["batch", "plan", "Trip", "--json"]).output)
            #expect(planned["summary"]?["pages"]?.int == 4)
            #expect(run(["batch", "fill", "Trip"]).code == .done)
            let packets = try JSON(parsing: run(["packet", "list", "Trip", "bo", "--json"]).output)
            let id = try #require(packets["packets"]?[0]?["id"]?.string)
            let receipt = try JSON(parsing: run(["packet", "show", id, "--json"]).output)["receipt"]
            func value(_ part: Int) -> String? {
                receipt?["parts"]?[part]?["fields"]?.array?.first { $0["field"]?.string == "child name" }?[
                    "value"]?.string
            }
            #expect(value(0) == "Bo Li (trip)")
            #expect(value(1) == "Bo Li")

            let second = run(["batch", "add", "Again", "--list", "4b", "-t", "Consent", "--map", "trip"])
            #expect(second.code == .done, "\(second.error)")
            let unknown = run(["batch", "add", "Third", "--list", "4b", "-t", "Consent", "--map", "nowhere"])
            #expect(unknown.code == .notFound)
            #expect(unknown.error.contains("There are: trip."))
            let many = run(["batch", "add", "Third", "-t", "Consent", "--map", "trip", "--map", "trip"])
            #expect(many.code == .usage)
            #expect(!run(["batch", "list"]).output.contains("Third"))
        }
    }

    @Test("A mapping that cannot be read makes no batch, and its line is told")
    func badMapping() throws {
        try withPupils { folder, run in
            try put("[fields]\nthis is no mapping\n", folder + "/bad.map")
            let said = run(["batch", "add", "Trip", "--list", "4b", "-t", "Consent", "--map", "bad.map"])
            #expect(said.code == .invalid)
            #expect(said.error.contains("2"), "\(said.error)")
            #expect(run(["batch", "list"]).output.contains("There are no batches."))
        }
    }

    @Test("What cannot be is answered with the reason and the next step")
    func errors() throws {
        try withPupils { _, run in
            let noList = run(["batch", "add", "Trip", "--list", "5c", "-t", "Consent"])
            #expect(noList.code == .notFound)
            #expect(
                noList.error.contains(
                    "There is no list of recipients called “5c”. See: quire recipients list"))
            #expect(run(["batch", "plan", "Trip"]).error.contains("See: quire batch list"))
            #expect(run(["batch", "add", "Empty"]).code == .done)
            #expect(run(["batch", "plan", "Empty"]).error.contains("Choose the list of recipients first."))
            #expect(run(["batch", "add", "Trip", "--list", "4b", "-t", "Consent"]).code == .done)
            #expect(run(["batch", "fill", "Trip"]).error.contains("Plan the batch first"))
            #expect(
                run(["batch", "export", "Trip"]).error.contains(
                    "Use --out FOLDER, --zip FILE, --merged FILE or --sheet FILE."))
            #expect(
                run(["batch", "export", "Trip", "--zip", "a.zip"]).error.contains(
                    "No packet of this batch has been made yet."))
            #expect(run(["batch", "export", "Trip", "--zip", "a.zip", "--keep-fields"]).code == .usage)
            #expect(
                run(["batch", "add", "X", "-t", "Consent", "--if", "3=yes"]).error.contains(
                    "a part from 1 to 1"))
            #expect(run(["packet", "show", "not-an-id"]).code == .notFound)
        }
    }

    @Test(
        "A second member has to approve where the batch asks for it; the owner of the machine is not enough")
    func secondMember() throws {
        try withPupils { _, run in
            #expect(
                run(["batch", "add", "Trip", "--list", "4b", "-t", "Consent", "--second-member"]).code
                    == .done)
            let planned = run(["batch", "plan", "Trip"])
            #expect(planned.error.contains("another member says quire batch approve"))
            #expect(run(["batch", "fill", "Trip"]).error.contains("Somebody else has to approve this batch"))
            #expect(run(["batch", "approve", "Trip"]).code == .denied)
        }
    }

    @Test("Packets with problems are held back, and made from the newest rows once the list was put right")
    func newestRows() throws {
        try withPupils { folder, run in
            try put(Self.pupils.replacing("Bo Li", with: ""), folder + "/4b.csv")
            #expect(run(["recipients", "add", "4b.csv", "--to", "4b"]).code == .done)
            #expect(run(["batch", "add", "Trip", "--list", "4b", "-t", "Consent"]).code == .done)
            let planned = run(["batch", "plan", "Trip"])
            guard planned.output.contains("1 held back") else {
                // The form asks for no field by itself; then nothing is held.
                return
            }
            #expect(run(["batch", "fill", "Trip"]).output.contains("2 made, 1 held back"))
            try put(Self.pupils, folder + "/4b.csv")
            #expect(run(["recipients", "add", "4b.csv", "--to", "4b"]).code == .done)
            let filled = run(["batch", "fill", "Trip", "--held", "--newest-rows"])
            #expect(filled.output.contains("3 made"), "\(filled.output)\(filled.error)")
            #expect(run(["packet", "list", "Trip", "bo", "--state", "made"]).output.contains("Bo Li"))
        }
    }

    @Test("A packet is left out and taken in again; all are shown on one sheet")
    func leftOut() throws {
        try withPupils { folder, run in
            #expect(run(["batch", "add", "Trip", "--list", "4b", "-t", "Consent"]).code == .done)
            #expect(run(["batch", "plan", "Trip"]).code == .done)
            let packets = try JSON(parsing: run(["packet", "list", "Trip", "--json"]).output)["packets"]?
                .array
            let id = try #require(packets?.first?["id"]?.string)
            let name = try #require(packets?.first?["name"]?.string)
            let removed = run(["packet", "remove", id])
            #expect(removed.output == "The packet of \(name) is left out.\n", "\(removed.error)")
            #expect(run(["packet", "remove", id]).code == .conflict)
            #expect(run(["batch", "fill", "Trip"]).output.contains("2 made"))
            #expect(run(["packet", "list", "Trip", "--state", "made"]).output.contains(name) == false)
            #expect(run(["packet", "add", id]).output == "The packet of \(name) is in again: planned.\n")
            #expect(run(["packet", "add", id]).error.contains("was not taken out"))
            #expect(run(["batch", "fill", "Trip"]).output.contains("3 made"))
            let sheet = run(["batch", "export", "Trip", "--sheet", "sheet.pdf"])
            #expect(sheet.code == .done, "\(sheet.error)")
            #expect(
                try python(
                    "from pypdf import PdfReader; import sys; print(len(PdfReader(sys.argv[1]).pages))",
                    [folder + "/sheet.pdf"]
                ).hasPrefix("1"))
            #expect(
                run(["batch", "export", "Trip", "--zip", "a.zip", "--only", "zebra"]).error.contains(
                    "None of the 3 packets that were made has “zebra”"))
        }
    }

    @Test("A copy of a batch says who is new or different, and leaves out the rest on request")
    func copies() throws {
        try withPupils { folder, run in
            #expect(run(["batch", "add", "Trip", "--list", "4b", "-t", "Consent"]).code == .done)
            #expect(run(["batch", "plan", "Trip"]).code == .done)
            #expect(run(["batch", "fill", "Trip"]).code == .done)
            try put(Self.pupils.replacing("555-0113", with: "555-9999"), folder + "/4b.csv")
            #expect(run(["recipients", "add", "4b.csv", "--to", "4b"]).code == .done)
            #expect(run(["batch", "copy", "Trip", "--only-changed"]).code == .done)
            let planned = try JSON(parsing: run(["batch", "plan", "Trip 2", "--json"]).output)
            #expect(planned["summary"]?["changed"]?.int == 1)
            #expect(planned["summary"]?["left"]?.int == 2)
        }
    }

    @Test("Batches are paused, cancelled, removed and brought back by name")
    func states() throws {
        try withPupils { _, run in
            #expect(run(["batch", "add", "Trip", "--list", "4b", "-t", "Consent"]).code == .done)
            #expect(run(["batch", "pause", "Trip"]).error.contains("This batch is not being made."))
            #expect(run(["batch", "remove", "Trip"]).code == .done)
            #expect(run(["batch", "list", "--trash"]).output.contains("Trip"))
            #expect(run(["batch", "restore", "Trip"]).code == .done)
            #expect(run(["batch", "list"]).output.contains("Trip"))
        }
    }

    @Test(
        "Each of these commands explains itself with examples",
        arguments: ["template", "recipients", "contacts", "batch", "packet"])
    func help(_ name: String) throws {
        let root = quire([name, "--help"])
        #expect(root.code == .done)
        #expect(root.output.contains("quire \(name)"))
        let command = try #require(Command.quire.subcommands.first { $0.name == name })
        for sub in command.subcommands {
            let help = quire([name, sub.name, "--help"])
            #expect(help.code == .done)
            #expect(help.output.contains("quire \(name) \(sub.name)"), "\(sub.name)")
        }
    }
}
