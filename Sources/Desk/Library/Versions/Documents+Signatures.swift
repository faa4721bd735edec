public import Access
import Archives
import Bytes
import Glibc
import Kinds
import PDF
import SQL
public import Storage

extension Documents {
    /// Larger files are not looked through for signatures before each change.
    private static let largestSigned: Int64 = 64 << 20

    /// Who signed a paper, as its signatures say; no name for one that does not tell.
    public func signers(of id: ID<Document>, by caller: Caller) throws -> [String] {
        try signers(of: get(id, by: caller))
    }

    func signers(of document: Document) throws -> [String] {
        guard document.blob.mediaType == PaperKind.pdf.mediaType,
            document.blob.byteCount <= Self.largestSigned
        else {
            return []
        }
        return Self.signers(
            inPDF: try store.blobs.read(document.blob.digest, atMost: Int(Self.largestSigned)))
    }

    static func signers(inPDF bytes: [UInt8]) -> [String] {
        // Nearly all papers are not signed, and looking for the word takes no time.
        guard holds("/ByteRange", bytes), let file = try? PDFFile(bytes: bytes) else { return [] }
        return file.signatures.map { $0.name.split(whereSeparator: \.isNewline).joined(separator: " ") }
    }

    static func holds(_ word: String, _ bytes: [UInt8]) -> Bool {
        let word = Array(word.utf8)
        return bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            var place = 0
            while place + word.count <= bytes.count,
                let slash = memchr(start + place, Int32(word[0]), bytes.count - place - word.count + 1)
            {
                if memcmp(slash, word, word.count) == 0 { return true }
                place = start.distance(to: slash) + 1
            }
            return false
        }
    }

    /// As its signatures said when its words were read.
    public func knownSigners(of id: ID<Document>, by caller: Caller) throws -> [String] {
        try caller.require(.view)
        return try store.read { desk in
            _ = try find(id, for: caller, in: desk)
            let row = try desk.row("SELECT signers FROM document_text WHERE document = \(id)")
            return try row?.text("signers").split(separator: "\n").map { $0 == "?" ? "" : String($0) } ?? []
        }
    }

    /// Refuses bytes that would end a paper's signatures. Those that go on from it, as another signature does, keep them.
    public func checkSignatures(of id: ID<Document>, becoming source: Source, by caller: Caller) throws {
        let document = try get(id, by: caller)
        let signers = try signersLost(source, inPlaceOf: document)
        guard !signers.isEmpty else { return }
        let names = signers.filter { !$0.isEmpty }.joined(separator: ", ")
        throw Failure(
            .conflict,
            names.isEmpty
                ? """
                “\(document.name)” is signed, and the new version would not be. Say that it may take its place; the signed one \
                is kept as version \(document.version).
                """
                : """
                “\(document.name)” is signed by \(names), and the new version would not be. Say that it may take its place; the \
                signed one is kept as version \(document.version).
                """,
            field: "signature")
    }

    /// Other bytes in the place of a paper's by a program that cannot be asked: where that ends signatures it is done all
    /// the same, as the signed version is kept, and both its version and the journal say so. `before` is the paper as the
    /// caller just found it.
    public func writeOver(
        _ before: Document, with source: Source, by caller: Caller
    ) throws -> Revised {
        let signers = try signersLost(source, inPlaceOf: before)
        let note = signers.isEmpty ? "" : "Written over version \(before.version), which is signed and kept"
        let revised = try revise(before, with: source, named: before.name, note: note, by: caller)
        guard !signers.isEmpty, case .revised(let document) = revised else { return revised }
        try store.write { tx in
            tx.note(
                "document.unsigned", "document/\(before.id)", by: caller.actor,
                [
                    "name": .string(document.name), "version": .int(before.version),
                    "signers": .string(signers.filter { !$0.isEmpty }.joined(separator: ", ")),
                ])
        }
        return revised
    }

    private func signersLost(_ source: Source, inPlaceOf document: Document) throws -> [String] {
        let signers = try signers(of: document)
        return try signers.isEmpty || goesOn(source, from: document) ? [] : signers
    }

    private func goesOn(_ source: Source, from document: Document) throws -> Bool {
        let count = Int(document.blob.byteCount)
        let start: [UInt8]
        switch source {
        case .bytes(let bytes): start = Array(bytes.prefix(count))
        case .file(let path), .upload(let path): start = try ByteSource(ofFile: path).glimpse(0, count)
        }
        guard start.count == count else { return false }
        return Digest(of: start) == document.blob.digest
    }
}

extension Documents {
    static let signatureTables = Migration(
        "signatures",
        script: "ALTER TABLE document_text ADD COLUMN signers TEXT NOT NULL DEFAULT ''")
}
