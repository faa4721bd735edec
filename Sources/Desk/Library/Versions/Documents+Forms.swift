public import Access
import Kinds
import PDF
import SQL
public import Storage

extension Documents {
    /// Larger files are not looked through for fields while somebody waits.
    private static let largestForm: Int64 = 64 << 20

    /// Whether fields can be filled in: as it was found when the paper's words were read.
    static let formTables = Migration(
        "forms among papers", script: "ALTER TABLE document_text ADD COLUMN fillable INTEGER")

    /// True for a PDF in which somebody can fill something in.
    public func isFillable(_ document: Document, by caller: Caller) throws -> Bool {
        try caller.require(.view)
        guard document.blob.mediaType == PaperKind.pdf.mediaType else { return false }
        let known = try store.read { desk in
            try desk.row("SELECT fillable FROM document_text WHERE document = \(document.id)")?
                .optionalInteger("fillable")
        }
        if let known { return known == 1 }
        guard document.blob.byteCount <= Self.largestForm else { return false }
        return Self.isFillable(pdf: try store.blobs.read(document.blob.digest, atMost: Int(Self.largestForm)))
    }

    static func isFillable(pdf bytes: [UInt8]) -> Bool {
        // Where neither word stands, no form does either: it would be named openly, or lie in a packed object.
        guard holds("/AcroForm", bytes) || holds("/ObjStm", bytes), let file = try? PDFFile(bytes: bytes)
        else { return false }
        return file.isFillable
    }
}

extension Failure {
    /// Of what can be written on or filled in when it is a PDF.
    public static func noPDF(_ document: Document) -> Failure {
        Failure(
            .unsupported, "“\(document.name)” is no PDF. Make one of it first, then it can be written on.")
    }
}
