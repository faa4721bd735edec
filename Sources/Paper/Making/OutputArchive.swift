import Archives
import Glibc
import PDFForms
import Synchronization
import Work

/// A ZIP archive of all documents, written as they are made. It appears under its name only when it is whole.
final class OutputArchive: Outlet {
    private let draft: OutputFile
    private let modified: Moment
    private let level = 6
    // Only the thread that runs the whole adds to it, one after the other; the lock says so to the compiler.
    private let writer: Mutex<ZIPState>
    /// The template, packed once for all documents that begin with it.
    private let base = Mutex<(bytes: [UInt8], content: ZIPContent)?>(nil)

    init(_ path: String, overwrites: Bool, modified: Moment) throws(FileTrouble) {
        let draft = try OutputFile(path, overwrites: overwrites)
        self.draft = draft
        self.modified = modified
        writer = Mutex(ZIPState { try draft.write($0) })
    }

    func take(_ filled: Filled, _ name: String, _ receipt: String?) -> Parcel? {
        let own = ZIPContent(filled.added, level: level)
        return .entry(
            filled.base.isEmpty ? own : shared(filled.base) + own,
            receipt: receipt.map { ZIPContent(Array($0.utf8), level: level) })
    }

    func add(_ parcel: Parcel, _ name: String) throws(FileTrouble) -> [Finding] {
        guard case .entry(let document, let receipt) = parcel else { return [] }
        let result = writer.withLock { state in
            Result {
                try state.writer.add(name, document, modified: modified)
                if let receipt {
                    try state.writer.add(name.receiptName, receipt, modified: modified)
                }
            }
        }
        if case .failure(let error) = result {
            throw (error as? FileTrouble) ?? FileTrouble(path: name, reason: "\(error)")
        }
        return []
    }

    var byteCount: Int? { writer.withLock { $0.writer.byteCount } }

    func finish() throws {
        try writer.withLock { state in try state.writer.finish() }
        try draft.finish()
    }

    func abandon() { draft.abandon() }

    private func shared(_ bytes: [UInt8]) -> ZIPContent {
        base.withLock { known in
            // All copies hold on to the same array: comparing its place is enough.
            if let known, known.bytes.count == bytes.count,
                known.bytes.withUnsafeBufferPointer({ a in
                    bytes.withUnsafeBufferPointer { a.baseAddress == $0.baseAddress }
                })
            {
                return known.content
            }
            let content = ZIPContent(bytes, level: level)
            known = (bytes, content)
            return content
        }
    }
}

private struct ZIPState: ~Copyable {
    var writer: ZIPWriter
    init(_ sink: sending @escaping ([UInt8]) throws -> Void) { writer = ZIPWriter(sink: sink) }
}
