import PDF
import PDFForms
import Testing

@Suite("What signatures allow")
struct LockTests {
    /// Two fields and a signature that is there, with a lock.
    private func template(lock: PDFDictionary, isSigned: Bool = true, inSignature: Bool = false) -> [UInt8] {
        FormMaker.make { maker in
            maker.text("name")
            maker.text("office.number")
            var field: PDFDictionary = ["T": .text("boss"), "FT": .name("Sig")]
            if isSigned {
                var signature: PDFDictionary = [
                    "Type": .name("Sig"), "Filter": .name("Adobe.PPKLite"), "Contents": .text("x"),
                ]
                if inSignature {
                    signature["Reference"] = .array([
                        .dictionary([
                            "TransformMethod": .name("FieldMDP"), "TransformParams": .dictionary(lock),
                        ])
                    ])
                }
                field["V"] = .reference(maker.draft.add(.dictionary(signature)))
            }
            if !inSignature { field["Lock"] = .dictionary(lock) }
            maker.fields.append(maker.widget(field))
        }
    }

    private let values: [String: FieldValue] = ["name": .text("Ana"), "office.number": .text("7")]

    @Test(
        "A locked field is left as it was and said, the others are filled",
        arguments: [
            ("Include", ["office"], ["office.number"]), ("Exclude", ["office"], ["name"]),
            ("All", [], ["name", "office.number"]), ("Include", ["off"], []),
        ])
    func locked(action: String, names: [String], left: [String]) throws {
        let lock: PDFDictionary = [
            "Action": .name(PDFName(action)), "Fields": .array(names.map(PDFObject.text)),
        ]
        for inSignature in [false, true] {
            let form = try PreparedForm(bytes: template(lock: lock, inSignature: inSignature))
            let filled = form.fill(values)
            #expect(filled.findings.filter { $0.kind == .locked }.map(\.field) == left)
            let after = try Form(bytes: filled.bytes)
            for field in after.fields where field.kind == .text {
                #expect(field.value.isEmpty == left.contains(field.name))
            }
            let columns = form.columns(["name", "office.number"])
            let row: [FieldValue?] = [.text("Ana"), .text("7")]
            #expect(form.prove(form.fill(columns: columns, row: row), columns: columns, row: row).isEmpty)
        }
    }

    @Test("A lock nobody has signed yet binds nobody")
    func unsigned() throws {
        let form = try PreparedForm(bytes: template(lock: ["Action": .name("All")], isSigned: false))
        #expect(form.fill(values).findings.isEmpty)
    }

    @Test("A lock that forbids every change is obeyed")
    func forbidden() throws {
        #expect(throws: FormError.certifiedAgainstChanges) {
            try PreparedForm(bytes: template(lock: ["Action": .name("All"), "P": .integer(1)]))
        }
    }
}
