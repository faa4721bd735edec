import Bytes
import Glibc
import Transfer
import Work

/// A file as a browser's form would send it (RFC 7578), read while it is sent.
struct FileForm {
    let mediaType: String
    let upload: Upload

    init(_ file: DeskRequest.File) {
        var random = SystemRandomNumberGenerator()
        let boundary = "quire-" + Hex.encode((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
        mediaType = "multipart/form-data; boundary=\(boundary)"
        let start =
            Array(
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(Self.quoted(file.name))\"\r\n"
                    .utf8) + Array("Content-Type: application/octet-stream\r\n\r\n".utf8)
        let end = Array("\r\n--\(boundary)--\r\n".utf8)
        upload = .stream(byteCount: Int64(start.count) + file.byteCount + Int64(end.count)) {
            let reader = try FormReader(start: start, path: file.path, byteCount: file.byteCount, end: end)
            return { try reader.read(into: $0) }
        }
    }

    /// As browsers do it (WHATWG HTML, "multipart/form-data encoding algorithm").
    private static func quoted(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

private final class FormReader {
    private let path: String
    private let file: Int32
    private var before: ArraySlice<UInt8>
    private var left: Int64
    private var after: ArraySlice<UInt8>

    init(start: [UInt8], path: String, byteCount: Int64, end: [UInt8]) throws {
        self.path = path
        before = start[...]
        after = end[...]
        left = byteCount
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw TransferError.local(path: path, why: systemMessage(errno)) }
    }

    deinit { close(file) }

    func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
        if !before.isEmpty { return Self.give(&before, room) }
        if left > 0 {
            let count = Glibc.read(file, room.baseAddress, min(room.count, Int(clamping: left)))
            guard count > 0 else {
                // What was promised in Content-Length can no longer be kept.
                throw TransferError.local(
                    path: path,
                    why: count == 0 ? "it became shorter while it was read" : systemMessage(errno)
                )
            }
            left -= Int64(count)
            return count
        }
        return Self.give(&after, room)
    }

    private static func give(_ bytes: inout ArraySlice<UInt8>, _ room: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(room.count, bytes.count)
        room.copyBytes(from: bytes.prefix(count))
        bytes = bytes.dropFirst(count)
        return count
    }
}
