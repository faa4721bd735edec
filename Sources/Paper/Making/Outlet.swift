import Archives
import Glibc
import PDFForms
import Work

/// Where documents go.
protocol Outlet: Sendable {
    /// On any thread: keeps the document, or makes it ready for being added in order.
    func take(_ filled: Filled, _ name: String, _ receipt: String?) throws(FileTrouble) -> Parcel?
    /// One after the other, in the table's order.
    func add(_ parcel: Parcel, _ name: String) throws(FileTrouble) -> [Finding]
    /// Of the one file that all go into, when it is whole.
    var byteCount: Int? { get }
    /// What of the form the one file does not have.
    var remarks: [String] { get }
    func finish() throws
    /// Nothing half-made stays.
    func abandon()
}

extension Outlet {
    var remarks: [String] { [] }
}

/// A document ready to be put behind the others.
enum Parcel: Sendable {
    case entry(ZIPContent, receipt: ZIPContent?)
    case record([FieldValue?], receipt: String?)
}

extension String {
    /// `a/b.pdf` -> `a/b.receipt.json`
    var receiptName: String { (hasSuffix(".pdf") ? String(dropLast(4)) : self) + ".receipt.json" }
}

/// The folder results go to. A file appears under its name only when it is whole.
final class OutputFolder: Outlet {
    private let descriptor: Int32
    private let path: String
    private let overwrites: Bool

    init(_ path: String, overwrites: Bool) throws(FileTrouble) {
        self.path = path
        self.overwrites = overwrites
        var status = stat()
        if stat(path, &status) != 0 { try ResultFolder.make(path) }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileTrouble(path) }
    }

    deinit { close(descriptor) }

    func take(_ filled: Filled, _ name: String, _ receipt: String?) throws(FileTrouble) -> Parcel? {
        try write(name, filled.base, filled.added)
        if let receipt { try write(name.receiptName, Array(receipt.utf8), []) }
        return nil
    }

    var byteCount: Int? { nil }
    func add(_ parcel: Parcel, _ name: String) throws(FileTrouble) -> [Finding] { [] }
    func finish() {}
    func abandon() {}

    func write(_ name: String, _ base: [UInt8], _ added: [UInt8]) throws(FileTrouble) {
        let parts = name.split(separator: "/")
        let folder = parts.dropLast().joined(separator: "/")
        if !folder.isEmpty { try makeFolder(folder) }
        guard let beside = DraftFile(beside: name, in: descriptor) else {
            throw FileTrouble("\(path)/\(name)")
        }
        let (file, draft) = (beside.descriptor, beside.path)
        var problem = put(base, added, file)
        if close(file) != 0, problem == 0 { problem = errno }
        if problem == 0 {
            if overwrites {
                if renameat(descriptor, draft, descriptor, name) != 0 { problem = errno }
            } else {
                // A link never replaces what is there, unlike a rename.
                if linkat(descriptor, draft, descriptor, name, 0) != 0 { problem = errno }
                unlinkat(descriptor, draft, 0)
            }
        }
        guard problem == 0 else {
            unlinkat(descriptor, draft, 0)
            if problem == EEXIST {
                throw FileTrouble(path: "\(path)/\(name)", reason: FileTrouble.thereAlready)
            }
            throw FileTrouble(path: "\(path)/\(name)", reason: systemMessage(problem))
        }
    }

    /// A folder that is there already is as good.
    private func makeFolder(_ folder: String) throws(FileTrouble) {
        var done = ""
        for part in folder.split(separator: "/") {
            done += done.isEmpty ? String(part) : "/\(part)"
            guard mkdirat(descriptor, done, 0o755) != 0, errno != EEXIST else { continue }
            throw FileTrouble("\(path)/\(done)")
        }
    }

    /// Both parts in one call where the system takes them; gives the error number, or 0.
    private func put(_ base: [UInt8], _ added: [UInt8], _ file: Int32) -> Int32 {
        base.withUnsafeBytes { base in
            added.withUnsafeBytes { added in
                var parts = [
                    iovec(iov_base: UnsafeMutableRawPointer(mutating: base.baseAddress), iov_len: base.count),
                    iovec(
                        iov_base: UnsafeMutableRawPointer(mutating: added.baseAddress), iov_len: added.count),
                ]
                var left = base.count + added.count
                while left > 0 {
                    var wrote = writev(file, &parts, 2)
                    if wrote < 0 {
                        if errno == EINTR { continue }
                        return errno
                    }
                    left -= wrote
                    for index in parts.indices {
                        let step = min(wrote, parts[index].iov_len)
                        parts[index].iov_base = parts[index].iov_base.map { $0 + step }
                        parts[index].iov_len -= step
                        wrote -= step
                    }
                }
                return 0
            }
        }
    }
}

/// The folder of results, which may not be there yet.
public enum ResultFolder {
    /// With the folders above it; one that is there already is as good.
    public static func make(_ path: String) throws(FileTrouble) {
        if isThere(path) || mkdir(path, 0o755) == 0 { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw FileTrouble(path)
        }
        try make(String(path[..<slash]))
        // Somebody else may have been quicker.
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw FileTrouble(path) }
    }

    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
