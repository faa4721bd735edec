import Glibc
import Work

/// Something on the shelf that is not as it should be.
public enum BlobProblem: Sendable, Equatable {
    /// The database speaks of it and it is not there.
    case missing(Digest)
    /// Its bytes are not those it is named after; the sizes tell a half file from flipped bits.
    case changed(Digest, byteCount: Int64, expectedByteCount: Int64?)
    case unreadable(Digest, cause: String)
    /// No name that Quire gives.
    case foreign(String)

    /// The file; nil for what is none of Quire's.
    public var digest: Digest? {
        switch self {
        case .missing(let digest), .changed(let digest, _, _), .unreadable(let digest, _): digest
        case .foreign: nil
        }
    }

    public var sentence: String {
        switch self {
        case .missing(let digest): "The file \(digest) is missing."
        case .changed(let digest, let found, let expected?) where found != expected:
            "The file \(digest) has \(found) of \(expected) bytes."
        case .changed(let digest, _, _): "The file \(digest) has other bytes than it was saved with."
        case .unreadable(let digest, let cause): "The file \(digest) cannot be read: \(cause)."
        case .foreign(let name): "blobs/\(name) is not from Quire."
        }
    }
}

extension BlobShelf {
    /// Reads every file and compares it with its name; `expected` are the sizes the database knows. When it `rests`, it
    /// stands still after each file as long as reading took, so that others get to the disk.
    func verify(
        expected: [Digest: Int64], rests: Bool = false, progress: Progress
    ) throws -> (checked: Int, problems: [BlobProblem]) {
        var problems: [BlobProblem] = []
        var seen: Set<Digest> = []
        func check(_ digest: Digest) throws {
            try progress.check()
            seen.insert(digest)
            let watch = Stopwatch()
            defer {
                if rests { usleep(UInt32(clamping: min(watch.elapsed.wholeMilliseconds, 2_000) * 1_000)) }
            }
            do {
                let file = try OpenFile(reading: place(of: digest))
                let byteCount = Int64(try file.status.st_size)
                progress.advance(byteCount)
                if try file.digest() != digest {
                    problems.append(
                        .changed(digest, byteCount: byteCount, expectedByteCount: expected[digest]))
                }
            } catch let failure as Failure where failure.code != .notFound {
                problems.append(.unreadable(digest, cause: failure.cause ?? failure.message))
            } catch is Failure {
                // Swept since its name was listed.
                seen.remove(digest)
            }
        }
        try eachDigest(foreign: { problems.append(.foreign($0)) }, check)
        for digest in expected.keys.sorted() where !seen.contains(digest) {
            if try contains(digest) || bringBack(digest) {
                try check(digest)
            } else {
                problems.append(.missing(digest))
            }
        }
        return (seen.count, problems)
    }
}
