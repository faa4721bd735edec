import Bytes

/// Gives a message's bytes out in the order they are sent, coding files on the way.
final class MailReader {
    enum Piece: Sendable {
        case bytes([UInt8])
        /// In base64, lines of 76.
        case coded(Upload)
    }

    /// A thousand lines at a time.
    private static let stride = Base64.bytesPerLine * 1000

    private var pieces: ArraySlice<Piece>
    private var ready: ArraySlice<UInt8> = []
    private var source: UploadReader?

    init(_ pieces: [Piece]) {
        self.pieces = pieces[...]
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(TransferError) -> Int {
        while ready.isEmpty {
            guard try refill() else { return 0 }
        }
        let count = min(room.count, ready.count)
        room.copyBytes(from: ready.prefix(count))
        ready = ready.dropFirst(count)
        return count
    }

    private func refill() throws(TransferError) -> Bool {
        if let source {
            let lines = try Self.lines(of: source)
            if lines.isEmpty { self.source = nil } else { ready = lines[...] }
            return true
        }
        guard let piece = pieces.popFirst() else { return false }
        switch piece {
        case .bytes(let bytes): ready = bytes[...]
        case .coded(let upload): source = try UploadReader(upload)
        }
        return true
    }

    /// Of a full stride, or of less only at the end: a short line may only be the last one.
    private static func lines(of source: UploadReader) throws(TransferError) -> [UInt8] {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: stride, alignment: 1)
        defer { room.deallocate() }
        var filled = 0
        while filled < stride {
            guard let count = source.read(into: .init(rebasing: room[filled...])) else {
                throw source.failure ?? .invalidRequest("an attachment cannot be read")
            }
            if count == 0 { break }
            filled += count
        }
        return Base64.lines(.init(rebasing: room[..<filled]))
    }
}
