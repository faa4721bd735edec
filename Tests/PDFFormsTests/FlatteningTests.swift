import PDF
import PDFForms
import Testing

@Suite("Flattening")
struct FlatteningTests {
    private func flatten(
        _ values: [String: FieldValue] = ["name": .text("Ana")], only: Set<String>? = nil,
        _ describe: (inout FormMaker) -> Void
    ) throws -> PDFFile {
        var options = PreparedForm.Options()
        options.flattens = only.map { .fields($0) } ?? .all
        let form = try PreparedForm(bytes: FormMaker.make(describe), options: options)
        return try PDFFile(bytes: form.fill(values).bytes)
    }

    private func page(_ file: PDFFile) throws -> PDFDictionary {
        try #require(file.dictionary(.reference(file.pages[0])))
    }

    /// All that is drawn on the page, as one text.
    private func content(_ file: PDFFile) throws -> String {
        var text = ""
        for part in file.array(try page(file)["Contents"]) {
            text += String(decoding: file.stream(try #require(part.reference)) ?? [], as: UTF8.self) + "\n"
        }
        return text
    }

    @Test("What a page leaves open is closed before the fields are drawn")
    func leftOpen() throws {
        let file = try flatten { maker in
            maker.text("name")
            maker.content = "q 2 0 0 2 50 50 cm BT /Helv 9 Tf (a Q inside) Tj"
        }
        let text = try content(file)
        let opened = text.split(whereSeparator: \.isWhitespace).count { $0 == "q" }
        let closed = text.split(whereSeparator: \.isWhitespace).count { $0 == "Q" }
        // One more Q stands inside a string.
        #expect(opened + 1 == closed)
        #expect(text.contains("ET\nQ\nQ\nq 1 0 0 1"))
    }

    @Test("A Q too many of the page's own moves nothing")
    func tooManyClosed() throws {
        let file = try flatten { maker in
            maker.text("name")
            maker.content = "1 0 0 1 50 50 cm Q 0 0 10 10 re f"
        }
        let text = try content(file)
        #expect(text.contains("1 0 0 1 50 50 cm   0 0 10 10 re f"))
    }

    @Test("What does not turn with its page stays upright", arguments: [0, 90, 180, 270])
    func upright(turn: Int) throws {
        let file = try flatten { maker in
            maker.page["Rotate"] = .integer(turn)
            maker.text("name", ["F": .integer(4 | 16)], box: [100, 200, 220, 220])
        }
        // Around the upper left corner of the place, (100, 220).
        let turned = [90: "0 1 -1 0 320 120 cm", 180: "-1 0 0 -1 200 440 cm", 270: "0 -1 1 0 -120 320 cm"]
        let text = try content(file)
        if let expected = turned[turn] {
            #expect(text.contains("q \(expected) 1 0 0 1 100 200 cm"))
        } else {
            #expect(text.contains("q 1 0 0 1 100 200 cm"))
        }
    }

    @Test("A field on a layer stays on its layer")
    func layers() throws {
        let file = try flatten { maker in
            let layer = maker.draft.add(.dictionary(["Type": .name("OCG"), "Name": .text("Office")]))
            maker.text("name", ["OC": .reference(layer)])
        }
        let resources = file.dictionary(try page(file)["Resources"])
        let layers = try #require(file.dictionary(resources?["Properties"]))
        #expect(layers.keys.count == 1)
        #expect(try content(file).contains("/OC/\(layers.keys[0].text) BDC q"))
    }

    @Test("In a tagged document the element of a field stands for what is drawn now")
    func tags() throws {
        let file = try flatten { maker in
            let element = maker.draft.newReference()
            let root = maker.draft.newReference()
            let widget = maker.text("name", ["StructParent": .integer(7)])
            let text = maker.draft.add(
                .dictionary(["S": .name("P"), "P": .reference(root), "K": .integer(0)]))
            maker.draft.put(
                .dictionary([
                    "S": .name("Form"), "P": .reference(root),
                    "K": .dictionary(["Type": .name("OBJR"), "Obj": .reference(widget)]),
                ]), at: element)
            maker.draft.put(
                .dictionary([
                    "Type": .name("StructTreeRoot"), "K": .array([.reference(text), .reference(element)]),
                    "ParentTree": .dictionary([
                        "Nums": .array([
                            .integer(0), .array([.reference(text)]), .integer(7), .reference(element),
                        ])
                    ]),
                ]), at: root)
            maker.catalog["StructTreeRoot"] = .reference(root)
            maker.page["StructParents"] = .integer(0)
            maker.content = "/P<</MCID 0>>BDC EMC"
        }
        #expect(try content(file).contains("/Form<</MCID 1>>BDC q"))
        let root = try #require(file.dictionary(file.catalog["StructTreeRoot"]))
        let element = file.dictionary(file.array(root["K"]).last)
        let kid = file.dictionary(element?["K"])
        #expect(kid?["MCID"] == .integer(1))
        #expect(kid?["Pg"]?.reference == file.pages[0])
        let numbers = file.array(file.dictionary(root["ParentTree"])?["Nums"])
        #expect(numbers.count == 2)
        #expect(file.array(numbers.last).count == 2)
    }

    @Test("Only the fields that were chosen become part of the page; the others can still be filled")
    func chosen() throws {
        let file = try flatten(only: ["name", "group.a"]) { maker in
            maker.text("name")
            maker.text("left")
            let group = maker.draft.newReference()
            let kids = ["a", "b"].map {
                maker.widget(["T": .text($0), "FT": .name("Tx"), "Parent": .reference(group)])
            }
            maker.draft.put(
                .dictionary(["T": .text("group"), "Kids": .array(kids.map(PDFObject.reference))]), at: group)
            maker.fields.append(group)
        }
        let form = try Form(bytes: file.bytes)
        #expect(form.fields.map(\.name) == ["left", "group.b"])
        #expect(file.array(try page(file)["Annots"]).count == 2)
        #expect(file.repairs.isEmpty)
    }

    @Test("Links and notes stay")
    func others() throws {
        let file = try flatten { maker in
            maker.text("name")
            maker.annotations.append(
                maker.draft.add(
                    .dictionary([
                        "Type": .name("Annot"), "Subtype": .name("Link"),
                        "Rect": .array([0, 0, 9, 9].map(PDFObject.integer)),
                    ])))
        }
        #expect(file.array(try page(file)["Annots"]).count == 1)
    }
}
