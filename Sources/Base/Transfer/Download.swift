import Glibc

/// Where an answer's body goes.
public enum Destination: Sendable {
    case memory(limit: Int)
    /// Written next to nothing else: the file is made new, and taken away again if the transfer fails.
    case file(path: String, limit: Int64)
    /// Handed over piece by piece as it arrives; for streams without an end. Throwing ends the transfer.
    case pieces(@Sendable (UnsafeRawBufferPointer) throws -> Void)
}

/// A body on its way in.
final class DownloadWriter {
    /// Error pages and forwarded answers are kept in memory only this far, whatever the destination.
    static let asideLimit = 64 * 1024

    private let destination: Destination
    private var file: Int32 = -1
    private var finished = false
    private(set) var bytes: [UInt8] = []
    private(set) var received: Int64 = 0
    private(set) var failure: TransferError?
    /// Set when the answer is not the one the destination is meant for.
    var isAside = false

    init(_ destination: Destination) {
        self.destination = destination
    }

    deinit { discard() }

    func write(_ piece: UnsafeRawBufferPointer) -> Bool {
        do {
            try take(piece)
            return true
        } catch {
            failure = error as? TransferError ?? .broken(host: "", why: String(describing: error))
            return false
        }
    }

    /// Refuses early what has announced itself as too large.
    func expect(byteCount: Int64) -> Bool {
        let limit: Int64? =
            switch destination {
            case _ where isAside: nil
            case .memory(let limit): Int64(limit)
            case .file(_, let limit): limit
            case .pieces: nil
            }
        guard let limit, byteCount > limit else { return true }
        failure = .tooLarge(limit: limit)
        return false
    }

    func finish() throws(TransferError) {
        guard case .file(let path, _) = destination, !isAside else { return }
        try openFile(path)
        let closed = close(file)
        file = -1
        guard closed == 0 else {
            unlink(path)
            throw .local(path: path, why: reason())
        }
        finished = true
    }

    private func take(_ piece: UnsafeRawBufferPointer) throws {
        received += Int64(piece.count)
        if isAside {
            bytes.append(contentsOf: piece.prefix(max(0, Self.asideLimit - bytes.count)))
            return
        }
        switch destination {
        case .memory(let limit):
            guard received <= Int64(limit) else { throw TransferError.tooLarge(limit: Int64(limit)) }
            bytes.append(contentsOf: piece)
        case .file(let path, let limit):
            guard received <= limit else { throw TransferError.tooLarge(limit: limit) }
            try openFile(path)
            try store(piece, path)
        case .pieces(let give): try give(piece)
        }
    }

    private func openFile(_ path: String) throws(TransferError) {
        guard file < 0 else { return }
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .local(path: path, why: reason()) }
    }

    private func store(_ piece: UnsafeRawBufferPointer, _ path: String) throws(TransferError) {
        var left = piece[...]
        while !left.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: left)
            let count = Glibc.write(file, part.baseAddress, part.count)
            if count < 0 {
                guard errno == EINTR else { throw .local(path: path, why: reason()) }
            } else {
                left = left.dropFirst(count)
            }
        }
    }

    private func discard() {
        guard case .file(let path, _) = destination, file >= 0, !finished else { return }
        close(file)
        unlink(path)
    }
}
