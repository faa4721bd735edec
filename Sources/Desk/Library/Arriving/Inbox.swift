public import Access
import Glibc
import Storage
import Synchronization
public import Work

/// A folder of the machine from which papers come in by themselves: where a scanner saves, a phone syncs or a script
/// writes. What has been taken in is removed from it, and not before it is safely in the library.
///
/// Folders in it become folders of the library. What somebody is still writing is left alone: a file counts as finished
/// when it has not changed for a while and no program on this machine holds it open for writing.
public final class Inbox: Sendable {
    public struct Look: Sendable, Equatable {
        public var taken: [Document] = []
        /// The library had these bytes already, under the name behind the arrow.
        public var known: [String] = []
        public var failed: [Trouble] = []
        /// What could not be taken out of an archive or a mail, which is then kept as it is.
        public var left: [Trouble] = []

        public var isEmpty: Bool { taken.isEmpty && known.isEmpty && failed.isEmpty && left.isEmpty }
    }

    public struct Trouble: Sendable, Equatable {
        public var path: String
        public var message: String
    }

    private let documents: Documents
    private let folder: String
    private let quiet: Duration
    /// What was wrong with files that are still there, so that it is said once and not at every look.
    private let told = Mutex<[String: String]>([:])

    private static let deepest = 10
    private static let mostPerLook = 500
    /// `quiet` is how long a file must not have changed.
    public init(_ documents: Documents, folder: String, quiet: Duration = .seconds(5)) {
        self.documents = documents
        self.folder = folder
        self.quiet = quiet
    }

    /// Takes in what is finished. What fails stays where it is, and does not stop the others.
    public func look(by caller: Caller, progress: Progress = Progress()) throws -> Look {
        guard access(folder, R_OK | W_OK | X_OK) == 0 else {
            throw Failure(
                .unavailable,
                "\(systemMessage(errno)). Make the folder, or give the user that runs Quire the right to read it and to remove from it."
            )
        }
        var look = Look()
        var seen: Set<String> = []
        for path in finished(in: folder, below: "", depth: 0).prefix(Self.mostPerLook) {
            try progress.check()
            seen.insert(path)
            do {
                let came = try take(path, by: caller, progress: progress)
                for paper in came.papers {
                    switch paper {
                    case .added(let document): look.taken.append(document)
                    case .alreadyThere(let document): look.known.append("\(path) → \(document.name)")
                    }
                }
                look.left += came.left.map { Trouble(path: "\(path): \($0.name)", message: $0.reason) }
                told.withLock { _ = $0.removeValue(forKey: path) }
            } catch let failure as Failure {
                if failure.code == .cancelled { throw failure }
                let isNews =
                    told.withLock { $0.updateValue(failure.message, forKey: path) } != failure.message
                if isNews { look.failed.append(Trouble(path: path, message: failure.message)) }
            }
        }
        told.withLock { told in told = told.filter { seen.contains($0.key) } }
        return look
    }

    /// Paths below the inbox of what may be taken, in order.
    private func finished(in place: String, below path: String, depth: Int) -> [String] {
        guard depth <= Self.deepest else { return [] }
        let names = FolderNames.visible(in: place).filter { !Settled.isUnfinished($0) }
        return names.sorted().flatMap { name -> [String] in
            let inner = path.isEmpty ? name : "\(path)/\(name)"
            var about = stat()
            // Links are not followed: they lead out of the inbox.
            guard lstat("\(place)/\(name)", &about) == 0 else { return [] }
            switch about.st_mode & S_IFMT {
            case S_IFDIR: return finished(in: "\(place)/\(name)", below: inner, depth: depth + 1)
            case S_IFREG
            where Settled.isQuiet(about, for: quiet, at: documents.store.clock.now())
                && !Settled.isBeingWritten("\(place)/\(name)"):
                return [inner]
            default: return []
            }
        }
    }

    /// As an upload: what archives and mails hold comes along.
    private func take(
        _ path: String, by caller: Caller, progress: Progress
    ) throws -> Documents.Unpacked {
        let whole = "\(folder)/\(path)"
        guard let before = Self.state(of: whole) else { return Documents.Unpacked() }
        guard before.byteCount > 0 else {
            throw Failure(.invalid, "It is empty, so it was left where it is.")
        }
        let parts = path.split(separator: "/").map(String.init)
        let added = try documents.arriving(by: .inbox).bring(
            .file(whole), named: parts.last ?? path, from: parts.dropLast().joined(separator: "/"),
            unpacking: true, by: caller, progress: progress)
        // Written to while we were reading: what is there now is another paper, for the next look.
        guard Self.state(of: whole) == before else { return added }
        guard unlink(whole) == 0 else {
            throw Failure(
                .denied,
                "It is in the library and cannot be removed from the inbox: \(systemMessage(errno))."
            )
        }
        for depth in stride(from: parts.count - 1, to: 0, by: -1) {
            // Only where it is empty now.
            rmdir("\(folder)/\(parts.prefix(depth).joined(separator: "/"))")
        }
        return added
    }

    private struct FileState: Equatable {
        var byteCount: Int64
        var seconds: Int
        var nanoseconds: Int
        var node: UInt64
    }

    private static func state(of path: String) -> FileState? {
        var about = stat()
        guard lstat(path, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileState(
            byteCount: Int64(about.st_size), seconds: Int(about.st_mtim.tv_sec),
            nanoseconds: Int(about.st_mtim.tv_nsec), node: UInt64(about.st_ino))
    }
}
