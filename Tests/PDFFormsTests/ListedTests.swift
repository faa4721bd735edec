import PDF
import PDFForms
import Testing

@Suite("What filled copies put right")
struct ListedTests {
    @Test("A field only a page knew is listed in the filled copy, so that every viewer shows it")
    func listed() throws {
        let template = FormMaker.make { maker in
            maker.text("known")
            _ = maker.widget(["T": .text("lost"), "FT": .name("Tx")])
        }
        let form = try Form(bytes: PreparedForm(bytes: template).fill(["lost": .text("found")]).bytes)
        #expect(form.fields.map(\.name) == ["known", "lost"])
        #expect(form.fields.map(\.isListed) == [true, true])
    }

    @Test("The pictures of a box stand in the box itself, not behind another reference")
    func inline() throws {
        let template = FormMaker.make { maker in
            let picture = maker.appearance()
            let states = maker.draft.add(.dictionary(["On": .reference(picture)]))
            let pictures = maker.draft.add(.dictionary(["N": .reference(states)]))
            maker.fields.append(
                maker.widget(["T": .text("box"), "FT": .name("Btn"), "AP": .reference(pictures)]))
        }
        let file = try PDFFile(bytes: PreparedForm(bytes: template).fill(["box": .flag(true)]).bytes)
        let page = try #require(file.dictionary(.reference(file.pages[0])))
        let box = try #require(file.dictionary(file.array(page["Annots"]).first))
        #expect(box["AP"]?.dictionary?["N"]?.dictionary?["On"] != nil)
    }

    @Test("The kind that came from far up stands next to the value")
    func kind() throws {
        let template = FormMaker.make { maker in
            let top = maker.draft.newReference()
            let low = maker.widget(["T": .text("low"), "Parent": .reference(top)])
            maker.draft.put(
                .dictionary(["T": .text("top"), "FT": .name("Tx"), "Kids": .array([.reference(low)])]),
                at: top)
            maker.fields.append(top)
        }
        let file = try PDFFile(bytes: PreparedForm(bytes: template).fill(["top.low": .text("x")]).bytes)
        let page = try #require(file.dictionary(.reference(file.pages[0])))
        #expect(file.dictionary(file.array(page["Annots"]).first)?["FT"] == .name("Tx"))
    }
}

@Suite("Proof")
struct ProofTests {
    private let template = FormMaker.make { maker in
        maker.text("name")
        let picture = maker.appearance()
        maker.fields.append(
            maker.widget([
                "T": .text("box"), "FT": .name("Btn"),
                "AP": .dictionary(["N": .dictionary(["On": .reference(picture)])]),
            ]))
    }

    @Test("A right document is proven")
    func right() throws {
        let form = try PreparedForm(bytes: template)
        let columns = form.columns(["name", "box"])
        let row: [FieldValue?] = [.text("Zoë\r\nMüller"), .text("yes")]
        #expect(form.prove(form.fill(columns: columns, row: row), columns: columns, row: row).isEmpty)
    }

    @Test("Another person's document is not")
    func wrong() throws {
        let form = try PreparedForm(bytes: template)
        let columns = form.columns(["name", "box"])
        let filled = form.fill(columns: columns, row: [.text("Ana"), .flag(false)])
        let doubts = form.prove(filled, columns: columns, row: [.text("Ben"), .flag(true)])
        #expect(Set(doubts.map(\.field)) == ["name", "box"])
        #expect(doubts.allSatisfy { $0.kind == .notProven })
    }
}
