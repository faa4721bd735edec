import Bytes
import PDF

/// What a PDF file says of itself: title, author and the like.
struct DocumentFacts {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Every entry that is text, and what the file is.
    func json() throws(PDFError) -> JSON {
        let file = try PDFFile(bytes: bytes)
        let info = file.dictionary(file.trailer["Info"]) ?? [:]
        var members = JSONObject()
        for key in info.keys {
            if let text = file.resolve(info[key]).text ?? file.resolve(info[key]).name?.text {
                members[key.text] = .string(text)
            }
        }
        members["PageCount"] = .int(file.pages.count)
        members["PDFVersion"] = .string(String(decoding: bytes.prefix(8).dropFirst(5), as: UTF8.self))
        return .object(members)
    }

    /// By small-lettered names; those that are no known entry are written as they come.
    func setting(_ facts: [(key: String, value: String)]) throws(PDFError) -> [UInt8] {
        let whole = try PDFFile(bytes: bytes).rewritten()
        let file = try PDFFile(bytes: whole)
        guard let ending = PDFEnding(of: whole) else { throw .damaged("its end cannot be found") }
        var info = file.dictionary(file.trailer["Info"]) ?? [:]
        for (key, value) in facts {
            let name = PDFName(Self.known[key.lowercased()] ?? key)
            info[name] = value.isEmpty ? nil : name == "Trapped" ? .name(PDFName(value)) : .text(value)
        }
        var trailer = file.trailer
        let reference = file.trailer["Info"]?.reference ?? PDFReference(file.highestObject + 1)
        trailer["Info"] = .reference(reference)
        var revision = PDFRevision(
            behind: whole.count, ending: ending, trailer: trailer, firstFree: file.highestObject + 2)
        revision.put(.dictionary(info), at: reference)
        // XMP beside it would say something else; the entries above are what readers show without it.
        var catalog = file.catalog
        if catalog["Metadata"] != nil, let root = file.trailer["Root"]?.reference, !Self.isArchive(file) {
            catalog["Metadata"] = nil
            revision.put(.dictionary(catalog), at: root)
        }
        return try PDFFile(bytes: whole + revision.finish(identity: Array("facts".utf8))).rewritten()
    }

    private static func isArchive(_ file: PDFFile) -> Bool {
        guard let reference = file.catalog["Metadata"]?.reference, let xmp = file.stream(reference) else {
            return false
        }
        return String(decoding: xmp, as: UTF8.self).contains("pdfaid:part")
    }

    private static let known = [
        "title": "Title", "author": "Author", "subject": "Subject", "keywords": "Keywords",
        "creator": "Creator",
        "producer": "Producer", "creationdate": "CreationDate", "createdate": "CreationDate",
        "moddate": "ModDate",
        "modifydate": "ModDate", "trapped": "Trapped",
    ]
}
