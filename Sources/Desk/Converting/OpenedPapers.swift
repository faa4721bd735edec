public import Access
public import Library
import PDF
public import Storage

/// The lock taken off papers of the library, by who knows its password: each becomes a new version, and the locked one stays.
public struct OpenedPapers: Sendable {
    public enum Lock: Sendable, Equatable {
        case none
        /// It opens for everybody; who made it asks that some things are not done with it.
        case limits
        case password
    }

    private let store: Store
    private let documents: Documents

    private static let largest = 256 << 20

    public init(_ store: Store, documents: Documents) {
        self.store = store
        self.documents = documents
    }

    public func lock(of document: Document, by caller: Caller) throws -> Lock {
        try caller.require(.view)
        let bytes = try bytes(of: document)
        return try Self.explained { () throws(PDFError) in
            do throws(PDFError) {
                return try PDFFile(bytes: bytes).encryption == nil ? .none : .limits
            } catch .passwordNeeded {
                return .password
            }
        }
    }

    /// - Parameter breaksSignatures: also where somebody signed it, which does not hold without the lock
    public func open(
        _ document: Document, password: String, breaksSignatures: Bool = false, ifVersion version: Int? = nil,
        by caller: Caller
    ) throws -> Document {
        try caller.require(.edit)
        try document.checkIsHere()
        let bytes = try bytes(of: document)
        let made = try Self.explained { () throws(PDFError) in
            let file = try PDFFile(bytes: bytes, password: password.isEmpty ? nil : password)
            return (
                isLocked: file.encryption != nil, isSigned: !file.signatures.isEmpty,
                bytes: try file.rewritten()
            )
        }
        guard made.isLocked else { throw Failure(.conflict, "“\(document.name)” has no password.") }
        guard !made.isSigned || breaksSignatures else {
            throw Failure(
                .conflict,
                "“\(document.name)” is signed, and its signatures do not hold without the password. Nothing was changed.",
                field: "breakSignatures")
        }
        switch try documents.revise(
            document.id, with: .bytes(made.bytes), ifVersion: version ?? document.version, by: caller)
        {
        case .same(let document), .revised(let document): return document
        }
    }

    private func bytes(of document: Document) throws -> [UInt8] {
        guard document.blob.mediaType == "application/pdf" else { throw Failure.noPDF(document) }
        return try store.blobs.read(document.blob.digest, atMost: Self.largest)
    }

    private static func explained<R>(_ body: () throws(PDFError) -> R) throws(Failure) -> R {
        do throws(PDFError) {
            return try body()
        } catch {
            throw Failure(error)
        }
    }
}
