import Bytes
import Kinds
import PDF
import PDFReading

extension PDFTools {
    /// A file carried inside a PDF.
    public struct Attachment: Sendable {
        public var name: String
        public var mediaType: String
        /// What it is to the paper: `Source`, `Data`, `Alternative`; nil when nobody says.
        public var relationship: String?
        public var bytes: [UInt8]

        public init(name: String, mediaType: String? = nil, relationship: String? = nil, bytes: [UInt8]) {
            self.name = name
            self.mediaType = mediaType ?? PaperKind.mediaType(ofName: name)
            self.relationship = relationship
            self.bytes = bytes
        }
    }

    /// More than anybody attaches; a small file can unpack to as much as it likes.
    private static let mostAttached = 1 << 30

    /// The files carried by the PDF as a whole and by marks on its pages (ISO 32000-2 §7.11.4, §12.5.6.15). Their names
    /// lead into no folder.
    public static func attachments(in paper: Paper) throws(ConversionError) -> [Attachment] {
        let file: PDFFile
        do throws(PDFError) { file = try PDFFile(bytes: paper.bytes) } catch {
            throw ConversionError.of(error, paper.name)
        }
        let whole = file.entries(
            ofNameTree: file.dictionary(file.catalog["Names"])?["EmbeddedFiles"]
        )
        .map { (name: PDFObject.string($0.name).text, value: $0.value) }
        let onPages = file.pages.flatMap { page in
            file.array(file.dictionary(.reference(page))?["Annots"]).compactMap { mark in
                let mark = file.dictionary(mark)
                return mark?["Subtype"]?.name == "FileAttachment" ? mark?["FS"] : nil
            }
        }.map { (name: String?.none, value: $0) }
        var found: [Attachment] = []
        var seen: Set<PDFReference> = []
        var left = mostAttached
        for (name, value) in whole + onPages {
            guard let about = file.dictionary(value), let streams = file.dictionary(about["EF"]),
                let place = streams["UF"]?.reference ?? streams["F"]?.reference, seen.insert(place).inserted
            else { continue }
            let told = file.resolve(about["UF"]).text ?? file.resolve(about["F"]).text ?? name ?? ""
            guard let bytes = file.stream(place), bytes.count <= left else {
                throw .damaged(paper.name, reason: "“\(told)” inside it cannot be unpacked.")
            }
            left -= bytes.count
            let type = file.resolve(file.dictionary(.reference(place))?["Subtype"]).name?.text
            found.append(
                Attachment(
                    name: harmless(told), mediaType: type ?? PaperKind.mediaType(ofName: told),
                    relationship: file.resolve(about["AFRelationship"]).name?.text, bytes: bytes))
        }
        return found
    }

    /// Whoever made the file chose the name, and may have meant another folder by it.
    private static func harmless(_ name: String) -> String {
        let last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let plain = last.filter { character in
            character.unicodeScalars.allSatisfy { $0.value >= 32 && !(127...159).contains($0.value) }
        }.drop { $0 == "." || $0.isWhitespace }
        return plain.isEmpty ? "attachment" : String(plain.prefix(200))
    }

    /// Takes files out by their names, all of them when none is named, also those that are pinned to pages.
    public static func dropping(_ names: [String]?, from paper: Paper) throws(ConversionError) -> Paper {
        try changed(paper) { (file, revision) throws(PDFError) in
            var catalog = file.catalog
            var tree = file.dictionary(catalog["Names"]) ?? [:]
            let entries = file.entries(ofNameTree: tree["EmbeddedFiles"])
            func isMeant(_ value: PDFObject?) -> Bool {
                guard let names else { return true }
                let about = file.dictionary(value)
                return names.contains(
                    harmless(file.resolve(about?["UF"]).text ?? file.resolve(about?["F"]).text ?? ""))
            }
            unpin(from: file, &revision, isMeant)
            let isGone = entries.map { isMeant($0.value) }
            let gone = zip(entries, isGone).filter(\.1).compactMap(\.0.value.reference)
            let kept = zip(entries, isGone).filter { !$0.1 }.map(\.0)
            tree["EmbeddedFiles"] =
                kept.isEmpty
                ? nil
                : .dictionary(["Names": .array(kept.flatMap { [PDFObject.string($0.name), $0.value] })])
            catalog["Names"] = tree.isEmpty ? nil : .dictionary(tree)
            let related = file.array(catalog["AF"]).filter { object in
                object.reference.map { !gone.contains($0) } ?? true
            }
            catalog["AF"] = related.isEmpty ? nil : .array(related)
            return catalog
        }
    }

    /// A pin goes with the note that opens from it (ISO 32000-2 §12.5.6.14).
    private static func unpin(
        from file: PDFFile, _ revision: inout PDFRevision, _ isMeant: (PDFObject?) -> Bool
    ) {
        for page in file.pages {
            guard var entries = file.dictionary(.reference(page)) else { continue }
            let marks = file.array(entries["Annots"])
            let pins = marks.filter { mark in
                let about = file.dictionary(mark)
                return about?["Subtype"]?.name == "FileAttachment" && isMeant(about?["FS"])
            }
            guard !pins.isEmpty else { continue }
            let notes = pins.compactMap { file.dictionary($0)?["Popup"]?.reference }
            let kept = marks.filter { mark in
                !pins.contains(mark) && !(mark.reference.map(notes.contains) ?? false)
            }
            entries["Annots"] = kept.isEmpty ? nil : .array(kept)
            revision.put(.dictionary(entries), at: page)
        }
    }
}
