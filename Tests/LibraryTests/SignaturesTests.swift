import Access
import Bytes
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Signed papers")
struct SignaturesTests {
    /// A PDF with a form in it, and a signature when somebody is named.
    func paper(signedBy name: String?) -> [UInt8] {
        let value =
            name.map { "/V << /Type /Sig /Filter /Adobe.PPKLite /Name (\($0)) /ByteRange [0 0 0 0] >>" } ?? ""
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] >> >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Annots [4 0 R] >>",
            "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature) /Rect [0 0 0 0] \(value) >>",
        ]
        var text = "%PDF-1.7\n"
        var places: [Int] = []
        for (number, body) in objects.enumerated() {
            places.append(text.utf8.count)
            text += "\(number + 1) 0 obj\n\(body)\nendobj\n"
        }
        let start = text.utf8.count
        let lines = places.map { place in
            String(repeating: "0", count: 10 - String(place).count) + "\(place) 00000 n \n"
        }
        text += "xref\n0 5\n0000000000 65535 f \n\(lines.joined())trailer\n<< /Size 5 /Root 1 0 R >>\n"
        return Array((text + "startxref\n\(start)\n%%EOF\n").utf8)
    }

    @Test("A program that writes over a signed paper makes a new version, and that is said in its history")
    func writtenOver() throws {
        try withLibrary { documents, _, store in
            let signed = paper(signedBy: "Ada Lane")
            let lease = try documents.add(.bytes(signed), named: "lease.pdf", by: ada).document
            _ = try documents.writeOver(
                lease, with: .bytes(signed + Array("\n% and Ben\n".utf8)), by: editor)
            #expect(try documents.versions(of: lease.id, by: viewer)[0].note == "")
            let over = try documents.writeOver(
                documents.get(lease.id, by: editor), with: .bytes(paper(signedBy: nil)), by: editor)
            #expect(over.document.version == 3)
            #expect(try documents.versions(of: lease.id, by: viewer)[0].note.contains("signed and kept"))
            #expect(try documents.get(lease.id, version: 1, by: viewer).blob.digest == lease.blob.digest)
            let lines = try store.journal.lines(.init(), before: nil, limit: 20)
            let line = try #require(lines.first { $0.entry.verb == "document.unsigned" })
            #expect(
                line.entry.detail["signers"] == "Ada Lane" && line.entry.subject == "document/\(lease.id)")
        }
    }

    @Test("Before a change that ends a signature it is said whose; what goes on from the paper keeps it")
    func signed() throws {
        try withLibrary { documents, _, _ in
            let signed = paper(signedBy: "Ada Lane")
            let lease = try documents.add(.bytes(signed), named: "lease.pdf", by: ada).document
            #expect(try documents.signers(of: lease.id, by: viewer) == ["Ada Lane"])
            let refused = #expect(throws: Failure.self) {
                try documents.checkSignatures(
                    of: lease.id, becoming: .bytes(paper(signedBy: nil)), by: editor)
            }
            #expect(refused?.field == "signature" && refused?.message.contains("Ada Lane") == true)
            try documents.checkSignatures(
                of: lease.id, becoming: .bytes(signed + Array("\n% and Ben\n".utf8)), by: editor)
            let plain = try documents.add(.bytes(paper(signedBy: nil)), named: "plain.pdf", by: ada).document
            #expect(try documents.signers(of: plain.id, by: viewer) == [])
            try documents.checkSignatures(of: plain.id, becoming: .bytes([0x41]), by: editor)
            // The bytes that were signed stay as they were.
            try documents.revise(lease.id, with: .bytes(paper(signedBy: nil)), by: editor)
            let first = try documents.get(lease.id, version: 1, by: viewer)
            #expect(first.blob.digest == lease.blob.digest)
        }
    }
}
