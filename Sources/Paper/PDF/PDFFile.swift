import CQPDF
import Glibc

/// An opened PDF. qpdf finds the objects, repairs and decrypts; this type reads them as values. One thread at a time.
public final class PDFFile {
    /// Remarks on what had to be repaired, in qpdf's words.
    public var repairs: [String] { collectRemarks() }
    public let bytes: [UInt8]
    /// Files whose drawings stand on pages of this one; they are read from when it is written.
    var stamps: [PDFFile] = []
    public let trailer: PDFDictionary
    public let encryption: Encryption?

    public struct Encryption: Sendable, Equatable {
        /// Revision of the security handler: 2-4 are RC4 and AES-128, 6 is AES-256.
        public var revision: Int
        public var openedAsOwner: Bool
        /// What the user's password allows.
        public var permissions: PDFLock.Permissions
        public var mayFillForms: Bool
    }

    let handle: OpaquePointer
    private let isBehindNoise: Bool
    private var objects: [PDFReference: PDFObject] = [:]
    private var streams: Set<PDFReference> = []

    /// A decoded stream larger than this is refused: forms need kilobytes, bombs make gigabytes.
    public static let longestStream = 256 << 20

    public convenience init(path: String, password: String? = nil) throws(PDFError) {
        try self.init(bytes: Self.read(path), password: password)
    }

    public init(bytes given: [UInt8], password: String? = nil) throws(PDFError) {
        var bytes = given
        let opened: OpaquePointer
        do throws(PDFError) {
            opened = try Self.opened(bytes, password)
        } catch {
            guard case .damaged(let reason) = error, reason.contains("trailer") || reason.contains("/Root"),
                let mended = SpoiledFile.mended(given)
            else { throw error }
            bytes = mended
            opened = try Self.opened(bytes, password)
        }
        handle = opened
        self.bytes = bytes
        isBehindNoise = bytes.count < given.count
        trailer = PDFObject(parsing: Self.copy(quire_qpdf_trailer(opened))).dictionary ?? [:]
        var permissions: Int32 = 0
        var isOwner: Int32 = 0
        let revision = quire_qpdf_encryption(opened, &permissions, &isOwner)
        encryption =
            revision == 0
            ? nil
            : Encryption(
                revision: Int(revision), openedAsOwner: isOwner != 0,
                permissions: PDFLock.Permissions(rawValue: Int(permissions)).intersection(.all),
                // Bits 6 and 9 of Table 22: either allows filling.
                mayFillForms: isOwner != 0 || permissions & (1 << 5) != 0 || permissions & (1 << 8) != 0)
    }

    /// What is opened in place of a file whose end is gone or whose header stands behind noise; nil where nothing can be done.
    package static func mended(_ bytes: [UInt8]) -> [UInt8]? { SpoiledFile.mended(bytes) }

    package static let noiseRemark = "%PDF stands behind noise"

    private static func opened(
        _ bytes: [UInt8], _ password: String?
    ) throws(PDFError) -> OpaquePointer {
        // qpdf keeps the pointer. The bytes of an array lie at one address as long as somebody holds it and nobody changes it:
        // `bytes` does, until qpdf is closed. A copy would cost a large file as much as reading it.
        guard
            let opened = bytes.withUnsafeBufferPointer({
                quire_qpdf_open($0.baseAddress, $0.count, password)
            })
        else { throw .tooLittleMemory }
        if quire_qpdf_status(opened) != QUIRE_QPDF_OK {
            let status = quire_qpdf_status(opened)
            let message = String(cString: quire_qpdf_message(opened))
            quire_qpdf_close(opened)
            if status == QUIRE_QPDF_PASSWORD { throw password == nil ? .passwordNeeded : .wrongPassword }
            throw PDFError.unknownLock(in: bytes, message) ?? .of(message)
        }
        return opened
    }

    deinit { withExtendedLifetime(bytes) { quire_qpdf_close(handle) } }

    public func object(_ reference: PDFReference) -> PDFObject {
        if let known = objects[reference] { return known }
        guard let number = Int32(exactly: reference.number),
            let generation = Int32(exactly: reference.generation)
        else { return .null }
        var isStream: Int32 = 0
        let object = PDFObject(parsing: Self.copy(quire_qpdf_object(handle, number, generation, &isStream)))
        objects[reference] = object
        if isStream != 0 { streams.insert(reference) }
        return object
    }

    /// After changes by qpdf: what was read before may no longer be so.
    func forget() {
        objects = [:]
        streams = []
    }

    public func isStream(_ reference: PDFReference) -> Bool {
        _ = object(reference)
        return streams.contains(reference)
    }

    /// The decoded bytes of a stream; nil when it is none, its filter is unknown or it is unreasonably large.
    public func stream(_ reference: PDFReference, limit: Int = longestStream) -> [UInt8]? {
        guard let number = Int32(exactly: reference.number),
            let generation = Int32(exactly: reference.generation)
        else { return nil }
        var succeeded: Int32 = 0
        let decoded = quire_qpdf_stream(handle, number, generation, 1, max(0, limit), &succeeded)
        return succeeded != 0 ? Self.copy(decoded) : nil
    }

    /// The decoded bytes of a stream piece by piece, as long as `take` wants more: a picture need not be held as a whole. False
    /// where not all was taken, or not all could be decoded.
    public func takeStream(
        _ reference: PDFReference, _ take: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        guard let number = Int32(exactly: reference.number),
            let generation = Int32(exactly: reference.generation)
        else { return false }
        return withoutActuallyEscaping(take) { take in
            var taker = Taker(take: take)
            return withUnsafeMutablePointer(to: &taker) { taker in
                quire_qpdf_stream_pieces(
                    handle, number, generation,
                    { context, start, count in
                        guard let taker = context?.assumingMemoryBound(to: Taker.self) else { return 0 }
                        let piece = UnsafeRawBufferPointer(start: start, count: count)
                        return taker.pointee.take(piece) ? 1 : 0
                    }, taker) != 0
            }
        }
    }

    private struct Taker {
        let take: (UnsafeRawBufferPointer) -> Bool
    }

    /// The bytes of a stream as they are stored, with the filters of its dictionary; decrypted.
    public func storedStream(_ reference: PDFReference) -> [UInt8]? {
        guard let number = Int32(exactly: reference.number),
            let generation = Int32(exactly: reference.generation)
        else { return nil }
        var succeeded: Int32 = 0
        let stored = quire_qpdf_stream(handle, number, generation, 0, Int.max, &succeeded)
        return succeeded != 0 ? Self.copy(stored) : nil
    }

    public var catalog: PDFDictionary { dictionary(trailer["Root"]) ?? [:] }
    public var form: PDFDictionary? { dictionary(catalog["AcroForm"]) }
    public var highestObject: Int { max(0, Int(quire_qpdf_highest_object(handle))) }

    public var pages: [PDFReference] {
        let count = max(0, quire_qpdf_pages(handle, nil, nil, 0))
        var numbers = [Int32](repeating: 0, count: Int(count))
        var generations = numbers
        let found = min(count, quire_qpdf_pages(handle, &numbers, &generations, count))
        return (0..<Int(max(0, found))).map {
            PDFReference(Int(numbers[$0]), generation: Int(generations[$0]))
        }
    }

    /// For work that is nothing without a page.
    public func requirePages() throws(PDFError) {
        if pages.isEmpty { throw .noPages }
    }

    /// Gives every annotation and field an object of its own; true when some had none, and then the file must be
    /// rewritten before a revision can be appended.
    public func isolateFields() -> Bool {
        objects = [:]
        return quire_qpdf_isolate_fields(handle) > 0
    }

    @discardableResult
    public func replace(_ reference: PDFReference, with object: PDFObject) -> Bool {
        guard let number = Int32(exactly: reference.number),
            let generation = Int32(exactly: reference.generation)
        else { return false }
        objects[reference] = nil
        let text = object.written
        return text.withUnsafeBytes { raw in
            quire_qpdf_replace(
                handle, number, generation, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count)
                != 0
        }
    }

    /// Leaves out what only makes the file longer, for when it is to be written anew: pictures of boxes that it has many
    /// times, room in its metadata.
    public func slim() {
        _ = quire_qpdf_slim(handle)
        forget()
    }

    public struct Writing: Sendable {
        public var packsObjects = true
        public var linearizes = false
        public var keepsEncryption = false
        /// AES-256; an empty user password opens without asking.
        public var passwords: (user: String, owner: String)?
        public var isReadOnly = false

        public init() {}
    }

    /// The whole file written anew: repaired, garbage gone, same input giving the same bytes unless encrypted.
    public func rewritten(_ writing: Writing = Writing()) throws(PDFError) -> [UInt8] {
        var how = quire_qpdf_writing()
        how.object_streams = writing.packsObjects ? 1 : 0
        how.linearized = writing.linearizes ? 1 : 0
        how.keep_encryption = writing.keepsEncryption ? 1 : 0
        how.read_only = writing.isReadOnly ? 1 : 0
        how.deterministic =
            writing.passwords == nil && !(writing.keepsEncryption && encryption != nil) ? 1 : 0
        let written: quire_bytes
        if let passwords = writing.passwords {
            written = passwords.user.withCString { user in
                passwords.owner.withCString { owner in
                    how.user_password = user
                    how.owner_password = owner
                    return quire_qpdf_write(handle, &how)
                }
            }
        } else {
            written = quire_qpdf_write(handle, &how)
        }
        guard written.start != nil else { throw .of(String(cString: quire_qpdf_message(handle))) }
        return Self.copy(written)
    }

    /// The same for an intact file, and every object keeps its number: what was read of this file holds for the new one.
    /// Nil when it must be `rewritten`.
    public func compacted() -> [UInt8]? {
        let written = quire_qpdf_compact(handle)
        return written.start == nil ? nil : Self.copy(written)
    }

    private func collectRemarks() -> [String] {
        (isBehindNoise ? [Self.noiseRemark] : [])
            + String(decoding: Self.copy(quire_qpdf_remarks(handle)), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    private static func copy(_ bytes: quire_bytes) -> [UInt8] {
        guard let start = bytes.start else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: bytes.count))
    }

    public static func read(_ path: String) throws(PDFError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .notReadable(path: path, reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .notReadable(path: path, reason: "it is no file")
        }
        let expected = Int(status.st_size)
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(1, expected)) { buffer, count in
            while count < expected {
                let got = Glibc.read(descriptor, buffer.baseAddress! + count, expected - count)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                if got <= 0 { break }
                count += got
            }
        }
        guard failure == 0 else { throw .notReadable(path: path, reason: String(cString: strerror(failure))) }
        return bytes
    }
}
