import Bytes
import Crypto
import Glibc
import Transfer
import Work

/// A place that sees nothing of what lies there: contents, names and who wrote what are encrypted before they leave this
/// desk. What shows is how many files there are, about how large, and when which of the desks came by.
struct SealedShelf: SyncShelf {
    let inner: any SyncShelf
    let keys: SyncKeys
    /// Where drafts are made, on the disk of this desk.
    let folder: String
    let chance: Chance

    private static let mark: [UInt8] = Array("QUIRES1\n".utf8)

    func names(in folder: String) throws -> [String] { try inner.names(in: folder) }

    func remove(_ name: String) throws { try inner.remove(keys.hidden(name)) }

    /// Sealed into a file first: whoever has to send it twice sends the same bytes.
    func lay(_ name: String, _ body: Upload) throws -> Bool {
        let draft = path()
        defer { unlink(draft) }
        let hidden = keys.hidden(name)
        let source = try Source(body)
        let file = try made(draft)
        do {
            defer { close(file) }
            var writer = try SealedFileWriter(key: keys.content, for: hidden, lead: Self.mark) {
                try put($0, file)
            }
            while case let piece = try source.next(SealingStream.pieceCount), !piece.isEmpty {
                try writer.write(piece)
            }
            try writer.finish()
        }
        return try inner.lay(hidden, .file(path: draft))
    }

    func fetch(_ name: String, into destination: Destination) throws {
        guard case .file(let target, let limit) = destination else {
            throw SyncTrouble.damaged("What is fetched goes into a file.")
        }
        let hidden = keys.hidden(name)
        let draft = path()
        defer { unlink(draft) }
        // A sealed file is a little longer than what is in it.
        try inner.fetch(hidden, into: .file(path: draft, limit: limit + limit / 1000 + 4096))
        let source = try Source(.file(path: draft))
        let file = try made(target)
        defer { close(file) }
        let isWhole = try SealedFile.open(
            key: keys.content, for: hidden, lead: Self.mark, next: source.next
        ) { try put($0, file) }
        guard isWhole else {
            throw SyncTrouble.damaged("What lies at the other side was changed, or is not whole.")
        }
    }

    private func path() -> String { "\(folder)/sync-\(Hex.encode(chance.bytes(12)))" }

    private func made(_ path: String) throws -> Int32 {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.trouble(errno) }
        return file
    }

    private func put(_ bytes: [UInt8], _ file: Int32) throws {
        try FolderShelf.write(.bytes(bytes), to: file, Self.trouble)
    }

    fileprivate static func trouble(_ code: Int32) -> SyncTrouble {
        .away("This desk has trouble with its own disk: \(systemMessage(code)).")
    }
}

/// What is to be sealed or opened, in pieces of the size that is asked for.
private final class Source {
    private var bytes: [UInt8] = []
    private var place = 0
    private var file: Int32 = -1

    init(_ body: Upload) throws {
        switch body {
        case .bytes(let bytes): self.bytes = bytes
        case .file(let path):
            file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { throw SealedShelf.trouble(errno) }
        case .none, .stream: break
        }
    }

    deinit { if file >= 0 { close(file) } }

    /// Fewer only at the end.
    func next(_ count: Int) throws -> [UInt8] {
        guard file >= 0 else {
            defer { place = min(bytes.count, place + count) }
            return Array(bytes[place..<min(bytes.count, place + count)])
        }
        var filled = 0
        var piece = [UInt8](repeating: 0, count: count)
        while filled < count {
            let got = piece.withUnsafeMutableBytes { room in
                Glibc.read(file, room.baseAddress?.advanced(by: filled), count - filled)
            }
            if got < 0 {
                if errno == EINTR { continue }
                throw SealedShelf.trouble(errno)
            }
            if got == 0 { break }
            filled += got
        }
        return Array(piece.prefix(filled))
    }
}
