import Bytes

/// Gives a message's bytes out in the order they are sent, coding files on the way.
final class MailReader {
    enum Piece: Sendable {
        case bytes([UInt8])
        /// In base64, lines of 76.
        case coded(Upload)
    }

    /// 57 bytes make a line of 76 characters; a thousand lines at a time.
    private static let stride = 57 * 1000

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
            let bytes = try Self.stretch(of: source)
            if bytes.isEmpty { self.source = nil } else { ready = Self.lines(bytes)[...] }
            return true
        }
        guard let piece = pieces.popFirst() else { return false }
        switch piece {
        case .bytes(let bytes): ready = bytes[...]
        case .coded(let upload): source = try UploadReader(upload)
        }
        return true
    }

    /// A full stride, or less only at the end: a short line may only be the last one.
    private static func stretch(of source: UploadReader) throws(TransferError) -> [UInt8] {
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
        return Array(room[..<filled])
    }

    private static func lines(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count / 57 * 78 + 80)
        var index = 0
        while index < bytes.count {
            let end = min(index + 57, bytes.count)
            output += Base64.encode(bytes[index..<end]).utf8
            output += [0x0D, 0x0A]
            index = end
        }
        return output
    }
}
