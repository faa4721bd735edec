import Bytes
import PDF
import PDFForms
import Testing

@Suite("Receipts")
struct ReceiptTests {
    private let template = FormMaker.make { maker in
        maker.text("name")
        maker.text("code", ["MaxLen": .integer(3)])
    }

    private func receipt(_ row: [FieldValue?]) throws -> FillReceipt {
        let form = try PreparedForm(bytes: template)
        let columns = form.columns(["name", "code"])
        let filled = form.fill(columns: columns, row: row)
        return form.receipt(
            filled, columns: columns, row: row, template: FillReceipt.hash(template),
            sources: ["column Name"],
            doubts: form.prove(filled, columns: columns, row: row), hashesDocument: true)
    }

    @Test("A receipt says which template, which values and what became of them")
    func whole() throws {
        let receipt = try receipt([.text("Zoë"), .text("1234")])
        #expect(receipt.templateHash.count == 64)
        #expect(receipt.entries.map(\.field) == ["name", "code"])
        #expect(receipt.entries.map(\.source) == ["column Name", nil])
        #expect(receipt.findings.map(\.kind) == [.tooLong])
        #expect(receipt.isProven == true)
        #expect(receipt.json["fields"]?[1]?["value"]?.string == "1234")
        #expect(receipt.json["findings"]?[0]?["kind"]?.string == "tooLong")
        #expect(FillReceipt.valuesText(receipt.entries) == #"{"code":"1234","name":"Zoë"}"#)
    }

    @Test("The same values give the same receipt; other values another hash")
    func stable() throws {
        let first = try receipt([.text("Ana"), nil])
        #expect(first == (try receipt([.text("Ana"), nil])))
        #expect(first.valuesHash != (try receipt([.text("Ben"), nil])).valuesHash)
        #expect(first.documentHash != (try receipt([.text("Ben"), nil])).documentHash)
    }
}
