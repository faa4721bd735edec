import Crypto
import PDF
import PDFForms
import Signing
import TestSupport
import Testing

@Suite("What a signer allows")
struct AllowanceTests {
    private func filled(_ bytes: [UInt8], _ value: String = "Oaxaca") throws -> [UInt8] {
        var options = PreparedForm.Options()
        options.base = .append
        return try PreparedForm(bytes: bytes, options: options).fill(["town": .text(value)]).bytes
    }

    private func noted(_ bytes: [UInt8]) throws -> [UInt8] {
        try appended(bytes) { file, revision in
            let page = try #require(file.pages.first)
            var dictionary = file.dictionary(.reference(page)) ?? [:]
            let note = revision.newReference()
            revision.put(
                .dictionary([
                    "Type": .name("Annot"), "Subtype": .name("Text"), "Contents": .text("Really?"),
                    "Rect": .array([300, 300, 320, 320].map(PDFObject.integer)),
                ]), at: note)
            dictionary["Annots"] = .array(file.array(dictionary["Annots"]) + [.reference(note)])
            revision.put(.dictionary(dictionary), at: page)
        }
    }

    @Test("a form certified for filling may be filled, and that is said")
    func filling() throws {
        let bytes = try filled(signed { $0.certifies = .filling })
        let one = try #require(try check(bytes).first)
        #expect(one.kind == .certification(.filling))
        #expect(one.heaviestChange == .filled, "\(one.laterChanges)")
        #expect(one.laterChanges.contains(LaterChange(kind: .filled, part: .field, detail: "town")))
        #expect(one.verdict == .good, "\(one.findings) \(one.laterChanges)")
    }

    @Test("what a certification does not allow ends it")
    func levels() throws {
        let certified = try signed { $0.certifies = .filling }
        #expect(try check(noted(certified)).first?.findings.contains(.changedAgainstWord) == true)
        let forNotes = try signed { $0.certifies = .notes }
        let one = try #require(try check(noted(forNotes)).first)
        #expect(one.heaviestChange == .notes)
        #expect(one.verdict == .good, "\(one.findings) \(one.laterChanges)")
        let final = try signed { $0.certifies = .nothing }
        #expect(try check(final).first?.verdict == .good)
        #expect(try check(noted(final)).first?.verdict == .bad)
    }

    @Test("a paper certified against all changes is not signed, and the one who said so is named")
    func forbidden() throws {
        let final = try signed { $0.certifies = .nothing }
        #expect(throws: SigningTrouble.forbidden(by: "Ana Gómez")) { try signed(final, with: Cast.ben) }
        #expect(throws: SigningTrouble.tooLateToCertify) { try signed(signed()) { $0.certifies = .filling } }
        let open = try signed { $0.certifies = .filling }
        let both = try signed(open, with: Cast.ben, at: noon + 5)
        let checked = try check(both, now: noon + 5)
        #expect(checked.map(\.verdict) == [.good, .good], "\(checked.map(\.laterChanges))")
    }

    @Test("on a certified form nobody puts a signature where no place was left for it")
    func placed() throws {
        let place = SigningWish.Place(
            page: 0, box: PDFRectangle(left: 200, bottom: 40, right: 380, top: 100))
        let certified = try signed { $0.certifies = .filling }
        #expect(throws: SigningTrouble.noNewPlace(by: "Ana Gómez")) {
            try signed(certified, with: Cast.ben) { $0.place = place }
        }
        let inField = try signed(certified, with: Cast.ben) { $0.field = "tenant" }
        #expect(try check(inField).map(\.verdict) == [.good, .good])
        let twice = try signed(signed { $0.place = place }, with: Cast.ben) { wish in
            wish.place = SigningWish.Place(
                page: 0, box: PDFRectangle(left: 20, bottom: 40, right: 180, top: 100))
        }
        #expect(try check(twice).map(\.verdict) == [.good, .good])
    }

    @Test("fields that the signer locked may not be filled, others may")
    func locked() throws {
        let lock: PDFDictionary = [
            "Type": .name("SigFieldLock"), "Action": .name("Include"), "Fields": .array([.text("town")]),
        ]
        let bytes = try signed(form(lock: lock)) { $0.field = "tenant" }
        let one = try #require(try check(bytes).first)
        #expect(one.verdict == .good, "\(one.findings)")
        let changed = try appended(bytes) { file, revision in
            let field = try #require(reference(file, field: "town"))
            var widget = file.dictionary(.reference(field)) ?? [:]
            widget["V"] = .text("Puebla")
            revision.put(.dictionary(widget), at: field)
        }
        #expect(try check(changed).first?.findings.contains(.lockedFieldChanged("town")) == true)
        let other: PDFDictionary = [
            "Type": .name("SigFieldLock"), "Action": .name("Exclude"), "Fields": .array([.text("town")]),
        ]
        let free = try filled(signed(form(lock: other)) { $0.field = "tenant" })
        #expect(try check(free).first?.verdict == .good)
    }

    @Test("who signs may lock fields, all or some, in a field of the form or a new one")
    func locking() throws {
        for (lock, isLocked) in [
            (SigningWish.Lock.all, true), (.only(["town"]), true), (.only(["tenant"]), false),
        ] {
            for field in ["tenant", nil] as [String?] {
                let bytes = try signed { ($0.locks, $0.field) = (lock, field) }
                #expect(try check(bytes).map(\.verdict) == [.good], "\(lock)")
                let changed = try check(
                    appended(bytes) { file, revision in
                        let town = try #require(reference(file, field: "town"))
                        var widget = file.dictionary(.reference(town)) ?? [:]
                        widget["V"] = .text("Puebla")
                        revision.put(.dictionary(widget), at: town)
                    })
                #expect(
                    changed.first?.findings.contains(.lockedFieldChanged("town")) == isLocked,
                    "\(lock) in \(field ?? "a new field"): \(changed.map(\.findings))")
                #expect((changed.first?.verdict == .bad) == isLocked)
                // Another signature is no change of what is locked.
                let both = try signed(bytes, with: Cast.ben, at: noon + 5)
                #expect(try check(both, now: noon + 5).map(\.verdict) == [.good, .good])
            }
        }
        #expect(throws: SigningTrouble.nothingToLock("city")) {
            try signed { $0.locks = .only(["town", "city"]) }
        }
        #expect(SigningWish.Lock(" town , tenant ") == .only(["town", "tenant"]))
    }

    @Test("a field that is moved, hidden or given an action is no filling in")
    func moved() throws {
        let bytes = try signed { $0.certifies = .filling }
        let changes: [PDFDictionary] = [
            ["Rect": .array([0, 0, 400, 400].map(PDFObject.integer))], ["F": .integer(2)],
            ["A": .dictionary(["S": .name("URI"), "URI": .text("http://example.org")])],
        ]
        for change in changes {
            let other = try appended(bytes) { file, revision in
                let field = try #require(reference(file, field: "town"))
                var widget = file.dictionary(.reference(field)) ?? [:]
                for (key, value) in change.entries { widget[key] = value }
                revision.put(.dictionary(widget), at: field)
            }
            #expect(try check(other).first?.verdict == .bad)
        }
    }

    @Test("the picture of a signature cannot be exchanged behind it")
    func picture() throws {
        let bytes = try signed { wish in
            wish.place = SigningWish.Place(
                page: 0, box: PDFRectangle(left: 200, bottom: 40, right: 380, top: 100))
        }
        #expect(try check(bytes).first?.verdict == .good)
        let other = try appended(bytes) { file, revision in
            let field = try #require(reference(file, field: "Signature1"))
            let picture = file.dictionary(file.dictionary(.reference(field))?["AP"])?["N"]?.reference
            let place = try #require(picture)
            var entries = file.dictionary(.reference(place)) ?? [:]
            entries["Filter"] = nil
            revision.putStream(entries, Array("0 0 1 rg 0 0 9 9 re f".utf8), at: place)
        }
        let one = try #require(try check(other).first)
        #expect(one.verdict == .bad, "\(one.laterChanges)")
    }

    @Test("a page or a field that is added is the author's doing and nobody else's")
    func added() throws {
        let bytes = try signed()
        let morePages = try appended(bytes) { file, revision in
            let tree = try #require(file.catalog["Pages"]?.reference)
            let page = revision.newReference()
            revision.put(.dictionary(["Type": .name("Page"), "Parent": .reference(tree)]), at: page)
            var entries = file.dictionary(.reference(tree)) ?? [:]
            entries["Kids"] = .array(file.array(entries["Kids"]) + [.reference(page)])
            entries["Count"] = .integer(2)
            revision.put(.dictionary(entries), at: tree)
        }
        #expect(try check(morePages).first?.laterChanges.map(\.part).contains(.pages) == true)
        let moreFields = try appended(bytes) { file, revision in
            let reference = try #require(file.catalog["AcroForm"]?.reference)
            let field = revision.newReference()
            revision.put(.dictionary(["FT": .name("Tx"), "T": .text("new")]), at: field)
            var entries = file.form ?? [:]
            entries["Fields"] = .array(file.array(entries["Fields"]) + [.reference(field)])
            revision.put(.dictionary(entries), at: reference)
        }
        #expect(try check(moreFields).first?.verdict == .bad)
        let opening = try appended(bytes) { file, revision in
            let root = try #require(file.trailer["Root"]?.reference)
            var entries = file.catalog
            entries["OpenAction"] = .dictionary(["S": .name("JavaScript"), "JS": .text("app.alert(1)")])
            revision.put(.dictionary(entries), at: root)
        }
        #expect(try check(opening).first?.laterChanges.map(\.part).contains(.actions) == true)
    }
}
