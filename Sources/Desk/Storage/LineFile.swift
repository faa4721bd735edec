import Bytes

/// JSON values, one on each line, on their way into a file of a backup.
final class LineWriter {
    private let file: OpenFile
    private let name: String
    private var waiting: [UInt8] = []
    private var hash = DigestStream()
    private var byteCount: Int64 = 0

    init(_ name: String, in folder: String) throws {
        self.name = name
        file = try OpenFile(creating: "\(folder)/\(name)")
    }

    func write(_ line: JSON) throws {
        waiting += line.bytes
        waiting.append(UInt8(ascii: "\n"))
        if waiting.count > 256 << 10 { try flush() }
    }

    func finish() throws -> Manifest.Seal {
        try flush()
        try file.sync()
        return Manifest.Seal(name: name, byteCount: byteCount, digest: hash.finish())
    }

    private func flush() throws {
        try file.write(waiting)
        waiting.withUnsafeBytes { hash.update($0) }
        byteCount += Int64(waiting.count)
        waiting.removeAll(keepingCapacity: true)
    }
}

enum LineReader {
    /// Goes through a file whose digest has been checked.
    static func each(_ path: String, _ body: (JSON) throws -> Void) throws {
        let file = try OpenFile(reading: path)
        var line: [UInt8] = []
        try file.eachPiece { piece in
            var rest = piece[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                try body(try JSON(parsing: line, maximumBytes: .max))
                line.removeAll(keepingCapacity: true)
                rest = rest[(end + 1)...]
            }
            line += rest
        }
        guard line.isEmpty else { throw Manifest.unreadable("\(path) ends within a line") }
    }
}
