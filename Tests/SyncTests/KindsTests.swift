import Access
import App
import Bytes
import Filling
import Glibc
import Library
import People
import SQL
import Storage
@testable import Sync
import TestSupport
import Testing
import Work

@Suite("What is kept in step besides papers")
struct KindsTests {
    @Test(
        "Forms, mappings, contacts and settings come to the other desk when they are chosen, encrypted or not",
        arguments: ["", "four plain words here"])
    func everything(passphrase: String) throws {
        try withPair(Set(SyncPlace.Thing.allCases), passphrase: passphrase) { home, office in
            let form = try home.form("Consent", pages: ["Sign here"], folder: "School/2026")
            let mapping = try home.quire.mappings.save(
                "name = Name", named: "School list", for: form.id, by: .local)
            try home.cards(["Ana Ruiz": "ana@example.org", "Ben Olsen": "ben@example.org"])
            try home.quire.settings.change(
                Identity(name: "Ada", organization: "The Mill", email: "ada@example.org"), by: .local)
            _ = try home.quire.settings.changeLooks(["name": "The Mill", "colour": "#8a1c5c"], by: .local)
            _ = try home.quire.settings.setLogo(
                contents(of: "Sources/C/CWebAssets/files/icon-192.png"), by: .local)
            try home.visit()
            #expect(try office.visit().state == .synced)
            let looks = try office.quire.settings.looks()
            #expect(try looks == home.quire.settings.looks())
            #expect(try office.quire.settings.logo(#require(looks.logo)) != nil)
            let there = try office.quire.templates.get(form.id, by: .local)
            #expect(there.name == "Consent" && there.folder == "School/2026")
            #expect(there.edition.blob == form.edition.blob && there.edition.pageCount == 1)
            #expect(
                try office.quire.templates.report(form.id, by: .local)
                    == home.quire.templates.report(form.id, by: .local))
            #expect(try office.quire.mappings.get(mapping.id, by: .local).text == "name = Name")
            #expect(try office.people() == ["Ana Ruiz ana@example.org", "Ben Olsen ben@example.org"])
            #expect(try office.quire.settings.identity().organization == "The Mill")
            // A newer edition of the form, and its mapping written for it.
            _ = try office.quire.templates.replace(
                form.id, with: .bytes(Array(SamplePaper.pages(["Sign here", "And here"]).utf8)),
                named: "c.pdf",
                by: .local)
            try office.quire.mappings.change(mapping.id, text: "name = Full name", by: .local)
            try office.visit()
            try home.visit()
            let newer = try home.quire.templates.get(form.id, by: .local)
            #expect(newer.edition.pageCount == 2 && newer.edition.number == 2)
            #expect(try home.quire.templates.editions(form.id, by: .local).count == 2)
            #expect(try home.quire.mappings.get(mapping.id, by: .local).text == "name = Full name")
            #expect(try home.quire.mappings.get(mapping.id, by: .local).edition == 2)
            for desk in [home, office] {
                #expect(try desk.visit().failed == 0)
                #expect(try desk.quire.store.verify().problems == [])
            }
        }
    }

    @Test("What is not chosen stays where it is, and comes when it is chosen later")
    func choosing() throws {
        try withPair([.papers]) { home, office in
            try home.cards(["Ana Ruiz": "ana@example.org"])
            let form = try home.form("Consent", pages: ["Sign here"])
            _ = try home.quire.documents.add(.bytes(Array("Dear Ana".utf8)), named: "a.txt", by: .local)
            try home.visit()
            try office.visit()
            #expect(try office.people() == [] && office.quire.templates.templateCount() == 0)
            #expect(try office.quire.documents.papers(in: nil, by: .local).map(\.name) == ["a.txt"])
            // One desk chooses more; the other hears of it and keeps it until it chooses the same.
            try home.choose([.papers, .contacts, .mappings])
            try home.visit()
            try office.visit()
            #expect(try office.people() == [])
            try office.choose([.contacts, .mappings])
            try office.visit()
            #expect(try office.people() == ["Ana Ruiz ana@example.org"])
            #expect(try office.quire.templates.get(form.id, by: .local).name == "Consent")
            // When to get back to somebody travels with them, and so does that it is over.
            let ana = try #require(try home.quire.contacts.page(by: .local).contacts.first?.id)
            try home.quire.contacts.plan(
                FollowUp(on: "2027-01-31", every: .month, note: "hall"), of: ana, by: .local)
            try home.visit()
            try office.visit()
            let there = try #require(try office.quire.contacts.page(by: .local).contacts.first)
            #expect(there.followUp == FollowUp(on: "2027-01-31", every: .month, note: "hall"))
            try office.quire.contacts.removeFollowUp(of: there.id, by: .local)
            try office.visit()
            try home.visit()
            #expect(try home.quire.contacts.get(ana, by: .local).followUp == nil)
            // What is no longer chosen stays, and goes its own way.
            _ = try home.quire.documents.add(.bytes(Array("Dear Ben".utf8)), named: "b.txt", by: .local)
            try home.visit()
            try office.visit()
            #expect(try office.quire.documents.papers(in: nil, by: .local).map(\.name) == ["a.txt"])
            #expect(throws: Failure.self) { try office.choose([]) }
        }
    }

    @Test(
        "What two desks wrote at the same time is kept twice; of a setting the later counts, each value by itself"
    )
    func conflicts() throws {
        try withPair(Set(SyncPlace.Thing.allCases)) { home, office in
            let form = try home.form("Consent", pages: ["Sign here"])
            let mapping = try home.quire.mappings.save("name = Name", named: "List", for: form.id, by: .local)
            try home.cards(["Ana Ruiz": "ana@example.org"])
            try home.visit()
            try office.visit()
            for (desk, word) in [(home, "north"), (office, "south")] {
                desk.hand.advance(.seconds(60))
                try desk.quire.mappings.change(mapping.id, text: "name = \(word)", by: .local)
                try desk.cards(["Ana Ruiz": "\(word)@example.org"])
                _ = try desk.quire.templates.replace(
                    form.id, with: .bytes(Array(SamplePaper.pages([word]).utf8)), named: "c.pdf", by: .local)
            }
            try home.quire.settings.change(Identity(name: "Ada", phone: "1"), by: .local)
            office.hand.advance(.seconds(60))
            try office.quire.settings.change(Identity(name: "Ada L", phone: "1"), by: .local)
            for _ in 0..<3 {
                try home.visit()
                try office.visit()
            }
            for desk in [home, office] {
                #expect(try desk.people() == ["Ana Ruiz north@example.org", "Ana Ruiz south@example.org"])
                let texts = try desk.mappingTexts()
                #expect(texts.contains("name = north") && texts.contains("name = south"))
                #expect(try desk.quire.templates.templateCount() == 2)
                #expect(try desk.quire.settings.identity() == Identity(name: "Ada L", phone: "1"))
                #expect(try desk.visit().failed == 0)
            }
        }
    }

    @Test("What was removed stays removed, and what two desks had before is there once")
    func removed() throws {
        try withPair(Set(SyncPlace.Thing.allCases)) { home, office in
            // Both brought the same file of cards in before they met.
            for desk in [home, office] {
                try desk.cards(["Ana Ruiz": "ana@example.org", "Ben Olsen": "ben@example.org"])
            }
            let form = try home.form("Consent", pages: ["Sign here"])
            let other = try home.form("Receipt", pages: ["Received"])
            let mapping = try home.quire.mappings.save(
                "name = Name", named: "List", for: other.id, by: .local)
            for _ in 0..<2 {
                try home.visit()
                try office.visit()
            }
            #expect(try office.people() == ["Ana Ruiz ana@example.org", "Ben Olsen ben@example.org"])
            let ana = try office.quire.contacts.page(search: "ana", by: .local).contacts
            try office.quire.contacts.remove(ana.map(\.id), by: .local)
            try home.quire.templates.trash(form.id, by: .local)
            try home.quire.templates.purge(form.id, by: .local)
            try office.quire.templates.trash(other.id, by: .local)
            try office.quire.mappings.trash(mapping.id, by: .local)
            for _ in 0..<3 {
                try home.visit()
                try office.visit()
            }
            for desk in [home, office] {
                #expect(try desk.people() == ["Ben Olsen ben@example.org"])
                #expect(throws: Failure.self) { try desk.quire.templates.get(form.id, by: .local) }
                #expect(try desk.quire.templates.get(other.id, by: .local).isTrashed)
                #expect(try desk.quire.mappings.get(mapping.id, by: .local).isTrashed)
                #expect(try desk.visit().failed == 0)
            }
        }
    }

    @Test(
        "Lists come with their columns, groups and rows set aside, and each person keeps their number; of a smart list what it asks comes"
    )
    func lists() throws {
        try withPair([.lists]) { home, office in
            let class4 = try home.list("Class 4b", "Name,E-mail\nAna Ruiz,ana@example.org\nBen Olsen\n")
            let people = home.quire.recipients
            _ = try people.saveAudience("A", RecipientFilter(search: "ana"), of: class4, by: .local)
            // Somebody is there who is on no card of the other desk.
            try home.cards(["Ana Ruiz": "ana@example.org"])
            let smart = try people.make("Anas", asking: ContactQuestion(words: "ana"), by: .local).id
            let waiting = try people.make("Not begun", by: .local).id
            try home.visit()
            #expect(try office.visit().state == .synced)
            let there = office.quire.recipients
            let came = try there.get(class4, by: .local)
            #expect(came.name == "Class 4b")
            #expect(try came.columns == people.get(class4, by: .local).columns)
            #expect(came.count == 1 && came.flawCount == 1 && came.lastAct == nil)
            #expect(
                try there.page(class4, by: .local).recipients == people.page(class4, by: .local).recipients)
            #expect(
                try there.quarantine(class4, by: .local).rows == people.quarantine(class4, by: .local).rows)
            #expect(try there.audiences(of: class4, by: .local).map(\.name) == ["A"])
            #expect(try there.get(smart, by: .local).question?.words == "ana")
            #expect(try people.get(smart, by: .local).count == 1 && there.get(smart, by: .local).count == 0)
            #expect(throws: Failure.self) { try there.get(waiting, by: .local) }
            // What the other desk does with it comes back, and the file it was read from is still known here.
            let source = try #require(try people.get(class4, by: .local).sources.first)
            try there.add([["Name": "Cleo", "E-mail": "cleo@example.org"]], to: class4, by: .local)
            try there.rename(class4, to: "Class 5b", by: .local)
            try there.removeAudience(there.audiences(of: class4, by: .local)[0].id, by: .local)
            try office.visit()
            try home.visit()
            let back = try people.get(class4, by: .local)
            #expect(back.name == "Class 5b" && back.count == 2 && back.sources[0].digest == source.digest)
            #expect(source.digest != nil)
            #expect(try people.audiences(of: class4, by: .local).isEmpty)
            // Taking everything back leaves the list, and everywhere.
            try people.remove(people.page(class4, by: .local).recipients.map(\.id), from: class4, by: .local)
            try home.visit()
            try office.visit()
            #expect(try there.get(class4, by: .local).count == 0)
            try people.undo(class4, edition: people.get(class4, by: .local).edition, by: .local)
            try home.visit()
            try office.visit()
            #expect(try there.page(class4, by: .local).recipients.map(\.name) == ["Ana Ruiz", "Cleo"])
            try there.trash(smart, by: .local)
            try office.visit()
            try home.visit()
            #expect(try people.get(smart, by: .local).isTrashed)
            for desk in [home, office] {
                #expect(try desk.visit().failed == 0)
                #expect(try desk.quire.recipients.verify() == [])
            }
        }
    }

    @Test(
        "Of a list to which two desks add at the same time both stay, and nobody in it is taken for somebody else"
    )
    func listsApart() throws {
        try withPair([.lists]) { home, office in
            let list = try home.list("Class 4b", "Name,E-mail\nAna Ruiz,ana@example.org\n")
            try home.visit()
            try office.visit()
            var added: [ID<Recipient>: String] = [:]
            for (desk, name) in [(home, "Ben"), (office, "Cleo")] {
                desk.hand.advance(.seconds(60))
                let made = try desk.quire.recipients.add([["Name": name]], to: list, by: .local)
                added[try #require(made.recipients.first?.id)] = name
            }
            #expect(added.count == 2)
            for _ in 0..<3 {
                try home.visit()
                try office.visit()
            }
            for desk in [home, office] {
                let lists = try desk.quire.recipients.all(by: .local)
                #expect(lists.count == 2 && lists.contains { $0.name.hasPrefix("Class 4b (conflict, ") })
                var names: [String] = []
                for list in lists {
                    for person in try desk.quire.recipients.page(list.id, by: .local).recipients {
                        names.append(person.name)
                        // By the id that a batch may have chosen it is the same person or nobody.
                        if let name = added[person.id] { #expect(person.name == name) }
                        let again = try desk.quire.recipients.add([["Name": "Dora"]], to: list.id, by: .local)
                        #expect(again.recipients.allSatisfy { added[$0.id] == nil })
                    }
                }
                #expect(names.sorted().prefix(2) == ["Ana Ruiz", "Ana Ruiz"])
                #expect(names.contains("Ben") && names.contains("Cleo"))
                #expect(try desk.visit().failed == 0)
                #expect(try desk.quire.recipients.verify() == [])
            }
        }
    }

    @Test("What came of a list and is not whole is told, and the list stays as it was")
    func brokenLists() throws {
        try withPair([.lists]) { home, _ in
            let list = try home.list("Class 4b", "Name,E-mail\nAna Ruiz,ana@example.org\n")
            let people = home.quire.recipients
            let copy = try #require(try home.quire.store.read { desk in try people.copy(of: list, in: desk) })
            let file = try #require(copy.file)
            for count in 0..<file.count {
                var spoiled = copy
                spoiled.file = Array(file.prefix(count))
                #expect(throws: Failure.self) {
                    try home.quire.store.write { tx in try people.put(spoiled, as: list, by: "sync/x", in: tx)
                    }
                }
            }
            for place in file.indices {
                var spoiled = copy
                spoiled.file?[place] ^= 0x15
                // It is another list or none, and never one that cannot be read.
                try? home.quire.store.write { tx in try people.put(spoiled, as: list, by: "sync/x", in: tx) }
                _ = try people.page(list, by: .local)
            }
            #expect(try people.verify() == [])
        }
    }
}
