import Archives

/// The files inside a spreadsheet, which is a ZIP archive.
final class WorkbookArchive {
    let zip: ZIPReader

    init(_ whole: OpenedTable.Whole, _ source: ByteSource, limits: TableLimits) throws(TableError) {
        var zipLimits = ZIPReader.Limits()
        zipLimits.entries = 20_000
        zipLimits.bytesInEntry = Int(clamping: limits.unpackedByteCount)
        zipLimits.bytesInAll = Int(clamping: limits.unpackedByteCount)
        do throws(ZIPError) {
            switch whole {
            case .file(let path): zip = try ZIPReader(path: path, limits: zipLimits)
            case .bytes(let bytes): zip = try ZIPReader(bytes: bytes, limits: zipLimits)
            case .stream:
                let bytes: [UInt8]
                do throws(TableError) { bytes = try source.read(whole: limits.heldByteCount) } catch {
                    throw .tooLarge(error.reason)
                }
                zip = try ZIPReader(bytes: bytes, limits: zipLimits)
            }
        } catch {
            throw Self.explained(error)
        }
    }

    func contains(_ name: String) -> Bool { zip[name] != nil }

    /// The bytes of one of them; nil when it is not there.
    func open(_ name: String) throws(TableError) -> ByteSource? {
        // Some writers begin names with a stroke, some use capitals.
        let entry =
            zip[name]
            ?? zip.entries.first {
                $0.name.lowercased() == name.lowercased() || $0.name.lowercased() == "/" + name.lowercased()
            }
        guard let entry else { return nil }
        do throws(ZIPError) {
            return EntryBytes(try zip.open(entry))
        } catch {
            throw Self.explained(error)
        }
    }

    func byteCount(_ name: String) -> Int { zip[name]?.byteCount ?? 0 }

    static func explained(_ error: ZIPError) -> TableError {
        switch error {
        case .notReadable: TableError("\(error)")
        case .notAnArchive, .damaged:
            TableError(
                "The file is damaged or was cut off: it cannot be unpacked. Open it in a spreadsheet and save it again."
            )
        case .tooLarge(let reason):
            TableError("The file would unpack to far more than it should (\(reason)), and is refused.")
        case .unsupported(_, let reason): TableError("The file cannot be unpacked: \(reason).")
        case .badName: TableError("The file is damaged: a name inside it is none.")
        }
    }
}

/// An entry of an archive as a source of bytes.
private final class EntryBytes: ByteSource {
    private var reader: ZIPEntryReader
    private var piece: [UInt8] = []
    private var given = 0

    init(_ reader: consuming ZIPEntryReader) { self.reader = reader }

    override func read(into room: UnsafeMutableRawBufferPointer) throws(TableError) -> Int {
        if given == piece.count {
            do throws(ZIPError) {
                guard let next = try reader.next() else { return 0 }
                piece = next
                given = 0
            } catch {
                throw WorkbookArchive.explained(error)
            }
        }
        let count = min(room.count, piece.count - given)
        piece.withUnsafeBytes {
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[given..<given + count]))
        }
        given += count
        return count
    }
}

extension ByteSource {
    /// All that is left, if it is not more than this.
    func read(whole limit: Int) throws(TableError) -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let piece = try read(atMost: 1 << 20)
            guard !piece.isEmpty else { return all }
            all += piece
            guard all.count <= limit else {
                throw TableError(
                    "The table is larger than \(limit >> 20) MB, too large to be held in memory.")
            }
        }
    }
}
