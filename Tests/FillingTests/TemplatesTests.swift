import Filling
import Library
import PDF
import PDFForms
import PDFReading
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Templates")
struct TemplatesTests {
    @Test(
        "A form is taken in under its file's name, with a report of what is in it",
        arguments: Database.Kind.here)
    func taking(kind: Database.Kind) throws {
        try withDesk(kind) { desk throws in
            let (template, report) = try desk.templates.take(
                .bytes(SampleForm.consent()), named: "C:\\Forms\\Consent_form.pdf", by: ada)
            #expect(template.name == "Consent form")
            #expect(template.edition.number == 1)
            #expect(template.edition.fileName == "Consent_form.pdf")
            #expect(report.canBeFilled)
            #expect(report.fieldCount == 3)
            #expect(report.kinds.map { "\($0.kind.rawValue) \($0.count)" } == ["text 2", "checkBox 1"])
            #expect(report.remarks.isEmpty)
            #expect(try desk.templates.get(template.id, by: viewer) == template)
            #expect(try desk.templates.report(template.id, by: viewer) == report)
        }
    }

    @Test("The fields are listed with what to call them and where they stand")
    func fields() throws {
        try withDesk { desk throws in
            let template = try desk.form(
                SampleForm.make { form in
                    form.text("child.firstName")
                    form.text("dob", ["TU": .text("Date of birth"), "Ff": .integer(2)])
                })
            let fields = try desk.templates.fields(template.id, by: viewer)
            #expect(fields.map(\.label) == ["first Name", "Date of birth"])
            #expect(fields.map(\.labelSource) == [.name, .tooltip])
            #expect(fields.map(\.isRequired) == [false, true])
            #expect(fields[1].places.first?.page == 0)
            #expect(fields[1].meaning == .date)
        }
    }

    @Test("The same file is taken in once more, and the report says where it is already")
    func duplicates() throws {
        try withDesk { desk throws in
            let first = try desk.form()
            let (_, report) = try desk.templates.take(
                .bytes(SampleForm.consent()), named: "again.pdf", by: ada)
            #expect(report.twins.map(\.id) == [first.id])
            #expect(report.remarks.map(\.kind) == [.duplicate])
        }
    }

    @Test("What is no PDF is refused in words, and leaves nothing behind")
    func refusal() throws {
        try withDesk { desk throws in
            let refused = #expect(throws: Failure.self) {
                try desk.templates.take(.bytes(Array("hello".utf8)), named: "a.pdf", by: ada)
            }
            #expect(refused?.code == .unsupported)
            #expect(try desk.templates.list(by: ada).matchCount == 0)
            #expect(throws: Failure.self) {
                try desk.templates.take(.bytes(SampleForm.consent()), named: "a.pdf", by: viewer)
            }
        }
    }

    @Test("A file without fields is kept, and the report says that fields can be proposed")
    func flat() throws {
        try withDesk { desk throws in
            let (template, report) = try desk.templates.take(
                .bytes(SampleForm.make { _ in }), named: "Flat.pdf", by: ada)
            #expect(!report.canBeFilled)
            #expect(report.remarks.map(\.kind) == [.noFields])
            #expect(!template.edition.canBeFilled)
        }
    }

    @Test("A locked file needs its password and is kept without it")
    func locked() throws {
        try withDesk { desk throws in
            var writing = PDFFile.Writing()
            writing.passwords = (user: "open", owner: "sesame")
            let locked = try PDFFile(bytes: SampleForm.consent()).rewritten(writing)
            let refused = #expect(throws: Failure.self) {
                try desk.templates.take(.bytes(locked), named: "a.pdf", by: ada)
            }
            #expect(refused?.field == "password")
            let (template, report) = try desk.templates.take(
                .bytes(locked), named: "a.pdf", password: "sesame", by: ada)
            #expect(report.remarks.map(\.kind) == [.unlocked])
            #expect(try desk.templates.fields(template.id, by: ada).count == 3)
        }
    }

    @Test("A template comes from the library as well, and the paper stays there")
    func fromLibrary() throws {
        try withDesk { desk throws in
            let paper = try desk.documents.add(.bytes(SampleForm.consent()), named: "Trip.pdf", by: ada)
                .document
            let (template, _) = try desk.templates.take(.document(paper.id), by: ada)
            #expect(template.name == "Trip")
            #expect(try desk.documents.get(paper.id, by: ada) == paper)
        }
    }

    @Test(
        "Templates are renamed, put into folders, found, taken away and brought back",
        arguments: Database.Kind.here)
    func keeping(kind: Database.Kind) throws {
        try withDesk(kind) { desk throws in
            let consent = try desk.form()
            let award = try desk.form(SampleForm.make { $0.text("who") }, named: "Award.pdf")
            try desk.templates.rename(consent.id, to: "Consent 2026", by: ada)
            try desk.templates.move(consent.id, to: " School / 2026 /", by: ada)
            #expect(try desk.templates.list(by: ada).templates.map(\.name) == ["Award", "Consent 2026"])
            #expect(
                try desk.templates.list(.init(folder: "School"), by: ada).templates.map(\.folder) == [
                    "School/2026"
                ])
            #expect(try desk.templates.list(.init(folder: ""), by: ada).templates.map(\.id) == [award.id])
            #expect(try desk.templates.list(.init(filter: "sent 20"), by: ada).matchCount == 1)
            #expect(try desk.templates.folders(by: ada).map(\.path) == ["School/2026"])
            try desk.templates.trash(award.id, by: ada)
            #expect(try desk.templates.list(by: ada).matchCount == 1)
            #expect(try desk.templates.list(.init(isTrash: true), by: ada).templates.map(\.id) == [award.id])
            try desk.templates.restore(award.id, by: ada)
            #expect(try desk.templates.counts(by: ada) == (kept: 2, trashed: 0))
            let told = try desk.store.journal.lines(.init(verbPrefix: "template.")).map(\.entry.verb)
            #expect(
                told.reversed() == [
                    "template.added", "template.added", "template.renamed", "template.moved",
                    "template.trashed",
                    "template.restored",
                ])
        }
    }

    @Test("A template that is removed for good takes its bytes along")
    func purging() throws {
        try withDesk { desk throws in
            let template = try desk.form()
            _ = try desk.mappings.save("name = Name", for: template.id, by: ada)
            #expect(throws: Failure.self) { try desk.templates.purge(template.id, by: ada) }
            try desk.templates.trash(template.id, by: ada)
            desk.hand.advance(.seconds(40 * 86_400))
            #expect(try desk.templates.purgeTrash() == 1)
            #expect(try desk.store.sweep(grace: .zero).count == 1)
        }
    }
}
