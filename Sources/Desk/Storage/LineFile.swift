import Bytes

/// JSON values, one on each line, on their way into a file of a backup.
final class LineWriter {
    private let file: BackupFileWriter
    private var waiting: [UInt8] = []

    init(_ name: String, in snapshot: String, _ form: BackupForm) throws {
        file = try BackupFileWriter(name, at: form.path(name, in: snapshot), form)
    }

    func write(_ line: JSON) throws {
        waiting += line.bytes
        waiting.append(UInt8(ascii: "\n"))
        if waiting.count > 256 << 10 { try flush() }
    }

    func finish() throws -> Manifest.Seal {
        try flush()
        return try file.finish()
    }

    private func flush() throws {
        try waiting.withUnsafeBytes { try file.write($0) }
        waiting.removeAll(keepingCapacity: true)
    }
}

enum LineReader {
    /// Goes through a file whose digest has been checked.
    static func each(
        _ name: String, in snapshot: String, _ form: BackupForm, _ body: (JSON) throws -> Void
    ) throws {
        var line: [UInt8] = []
        try form.each(name, in: snapshot) { piece in
            var rest = piece[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                try body(try JSON(parsing: line, maximumBytes: .max))
                line.removeAll(keepingCapacity: true)
                rest = rest[(end + 1)...]
            }
            line += rest
        }
        guard line.isEmpty else { throw Manifest.unreadable("\(name) ends within a line") }
    }
}
