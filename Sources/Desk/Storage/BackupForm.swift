import Bytes
import Crypto
import Glibc
import Work

/// How the files of a backup lie in its folder: as they are, or sealed, with names that only the key can tell and
/// lengths that say little.
///
/// The names it is asked for are the same in both forms; where they lie is for it to know. What is sealed is sealed for
/// its name, so that nothing can be put in the place of something else.
struct BackupForm: Sendable {
    static let plain = BackupForm(keys: nil)

    private struct Keys: Sendable {
        let content: [UInt8]
        let names: [UInt8]
        /// Stands open in each file: by it a key that does not fit is told before anything is opened.
        let check: [UInt8]

        init(_ key: RecoveryKey) {
            content = HMAC.derive(secret: key.secret, info: "quire backup content")
            names = HMAC.derive(secret: key.secret, info: "quire backup names")
            check = HMAC.derive(secret: key.secret, info: "quire backup check", count: BackupForm.checkCount)
        }
    }

    private let keys: Keys?

    private static let mark: [UInt8] = Array("QUIREB1\n".utf8)
    private static let checkCount = 16
    /// The list of contents is what makes a snapshot one, whether somebody has its key or not.
    private static let sealedManifest = "manifest.sealed"

    private init(keys: Keys?) { self.keys = keys }

    init(_ key: RecoveryKey?) { keys = key.map(Keys.init) }

    var isSealed: Bool { keys != nil }

    // MARK: What lies there

    /// Nil for what is no finished snapshot.
    static func isSealed(_ snapshot: String) -> Bool? {
        if Disk.exists("\(snapshot)/\(sealedManifest)") { return true }
        return Disk.exists("\(snapshot)/\(Manifest.fileName)") ? false : nil
    }

    /// The form in which a snapshot was written.
    static func of(_ snapshot: String, _ key: RecoveryKey?) throws -> BackupForm {
        guard isSealed(snapshot) == true else { return .plain }
        guard let key else { throw keyIsMissing }
        return BackupForm(key)
    }

    private static let keyIsMissing = Failure(
        .invalid,
        "These backups are encrypted. Give the recovery key from the sheet that was printed for them: --key-file FILE",
        field: "key")

    /// Says that a key is missing or is another's, before anything is made of what lies there.
    static func require(_ key: RecoveryKey?, for snapshots: [String]) throws {
        let sealed = snapshots.filter { isSealed($0) == true }
        guard !sealed.isEmpty else { return }
        guard let key else { throw keyIsMissing }
        // A damaged list is no wrong key: any file that bears the check will do.
        let form = BackupForm(key)
        let few = sealed.lazy.flatMap { snapshot in
            ["\(snapshot)/\(sealedManifest)"]
                + ((try? Disk.names(in: snapshot)) ?? []).prefix(8).map { "\(snapshot)/\($0)" }
        }
        guard few.contains(where: form.fits) else {
            throw Failure(
                .invalid,
                "This is not the key of these backups. Take the recovery sheet that was printed for the desk they are of.",
                field: "key")
        }
    }

    private func fits(_ path: String) -> Bool {
        guard let keys, let start = try? SealedSource(path).next(Self.mark.count + Self.checkCount) else {
            return false
        }
        return start == Self.mark + keys.check
    }

    /// Whether a file was sealed, with whatever key.
    static func isSealed(file path: String) -> Bool {
        (try? SealedSource(path).next(mark.count)) == mark
    }

    // MARK: Names

    func path(_ name: String, in snapshot: String) -> String {
        guard keys != nil else { return "\(snapshot)/\(name)" }
        return name == Manifest.fileName
            ? "\(snapshot)/\(Self.sealedManifest)" : "\(snapshot)/\(hidden(name))"
    }

    /// The name of a blob on the shelf that all snapshots share.
    func name(of digest: Digest) -> String { keys == nil ? digest.hex : hidden(digest.hex) }

    func path(of digest: Digest, in blobs: String) -> String {
        let name = name(of: digest)
        return "\(blobs)/\(name.prefix(2))/\(name)"
    }

    private func hidden(_ name: String) -> String {
        guard let keys else { return name }
        return Hex.encode(HMAC.sha256(key: keys.names, message: Array(name.utf8)))
    }

    // MARK: Contents

    /// How long a file of so many bytes is there.
    func byteCount(of count: Int64) -> Int64 {
        keys == nil ? count : SealedFileWriter.paddedCount(of: count, lead: Self.mark.count + Self.checkCount)
    }

    func each(_ name: String, at path: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard let keys else { return try OpenFile(reading: path).eachPiece(body) }
        let source = try SealedSource(path)
        let isWhole = try SealedFile.open(
            key: keys.content, for: name, lead: Self.mark + keys.check, isPadded: true, next: source.next
        ) { piece in try piece.withUnsafeBytes(body) }
        guard isWhole else { throw Self.damaged(name) }
    }

    func each(_ name: String, in snapshot: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        do {
            try each(name, at: path(name, in: snapshot), body)
        } catch let failure as Failure where failure.code == .notFound && isSealed {
            // The name on the disk tells nobody anything.
            throw Self.damaged(name)
        }
    }

    /// Nil for what was changed since it was sealed.
    func digest(of digest: Digest, in blobs: String) throws -> Digest? {
        var hash = DigestStream()
        do {
            try each(digest.hex, at: path(of: digest, in: blobs)) { hash.update($0) }
        } catch let failure as Failure where failure.code == .damaged { return nil }
        return hash.finish()
    }

    func read(_ name: String, in snapshot: String, atMost limit: Int = 64 << 20) throws -> [UInt8] {
        guard isSealed else { return try Disk.read(path(name, in: snapshot), atMost: limit) }
        var bytes: [UInt8] = []
        try each(name, in: snapshot) { piece in
            guard bytes.count + piece.count <= limit else {
                throw Failure(.tooLarge, "\(name) is larger than \(limit) bytes.")
            }
            bytes += piece
        }
        return bytes
    }

    func write(_ bytes: [UInt8], as name: String, in snapshot: String) throws -> Manifest.Seal {
        guard isSealed else {
            try Disk.write(bytes, to: path(name, in: snapshot))
            return Manifest.Seal(name: name, byteCount: Int64(bytes.count), digest: Digest(of: bytes))
        }
        let writer = try BackupFileWriter(name, at: path(name, in: snapshot), self)
        try bytes.withUnsafeBytes { try writer.write($0) }
        return try writer.finish()
    }

    static func damaged(_ name: String) -> Failure {
        Failure(
            .damaged,
            "The backup is damaged: \(name) is not what was written. Choose another snapshot, or bring back what is sound: --without-damaged",
            cause: "\(name) is not what was written.")
    }

    fileprivate func writer(
        _ name: String, put: @escaping ([UInt8]) throws -> Void
    ) throws -> SealedFileWriter? {
        guard let keys else { return nil }
        return try SealedFileWriter(
            key: keys.content, for: name, lead: Self.mark + keys.check, isPadded: true, put: put)
    }
}

/// A file of a backup being written, in one form or the other.
final class BackupFileWriter {
    let file: OpenFile
    private let name: String
    private var sealing: SealedFileWriter?
    private var hash = DigestStream()
    private(set) var byteCount: Int64 = 0

    init(_ name: String, at path: String, _ form: BackupForm) throws {
        self.name = name
        let file = try OpenFile(creating: path)
        let descriptor = file.descriptor
        self.file = file
        // The file stays open as long as this does.
        sealing = try form.writer(name) { try OpenFile.write($0, to: descriptor, path) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        if sealing == nil { try file.write(bytes) } else { try sealing?.write(bytes) }
        hash.update(bytes)
        byteCount += Int64(bytes.count)
    }

    /// Returns when the disk has it.
    func finish() throws -> Manifest.Seal {
        try sealing?.finish()
        try file.sync()
        return Manifest.Seal(name: name, byteCount: byteCount, digest: hash.finish())
    }
}

/// A file given in pieces of the size that is asked for.
private final class SealedSource {
    private let file: OpenFile

    init(_ path: String) throws { file = try OpenFile(reading: path) }

    /// Fewer only at the end.
    func next(_ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            while filled < count {
                let got = try file.read(
                    into: UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(room)[filled...]))
                if got == 0 { return }
                filled += got
            }
        }
    }
}
