import Bytes
import Crypto
import Glibc
import Storage
import Transfer
import Work

/// A letter that is written record by record, so that one which sums up a whole library takes no more memory than another.
final class LetterWriter {
    private let path: String
    private let file: Int32
    private var waiting: [UInt8] = []
    private var count = 0

    init(_ path: String) throws {
        self.path = path
        file = open(path + ".body", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.trouble }
    }

    deinit {
        close(file)
        unlink(path + ".body")
    }

    func add(_ record: SyncRecord) throws {
        waiting += record.json.bytes
        waiting.append(0x0A)
        count += 1
        if waiting.count >= 1 << 18 { try flush() }
    }

    /// The line that says what follows comes first and is known last.
    func finish(device: String, desk: String, number: Int64) throws {
        try flush()
        let head = SyncLetter.head(
            device: device, desk: desk, number: number, digest: try Digest(ofFile: path + ".body"),
            count: count)
        let whole = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard whole >= 0 else { throw Self.trouble }
        defer { close(whole) }
        try FolderShelf.write(.bytes(head.bytes + [0x0A]), to: whole) { _ in Self.trouble }
        try FolderShelf.write(.file(path: path + ".body"), to: whole) { _ in Self.trouble }
    }

    private func flush() throws {
        try FolderShelf.write(.bytes(waiting), to: file) { _ in Self.trouble }
        waiting.removeAll(keepingCapacity: true)
    }

    static var trouble: SyncTrouble {
        .away("This desk has trouble with its own disk: \(systemMessage(errno)).")
    }
}

/// A letter that is read record by record. It is known to be whole before the first is given.
final class LetterReader {
    private let name: SyncLetter.Name
    private let file: Int32
    private var waiting: [UInt8] = []
    private var left = 0

    var isAtEnd: Bool { left == 0 }

    private static let longestHead = 1 << 16

    /// Throws for what is not whole or not what it says it is.
    init(_ path: String, _ name: SyncLetter.Name) throws {
        self.name = name
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw LetterWriter.trouble }
        guard let line = try nextLine(atMost: Self.longestHead), let head = try? JSON(parsing: line),
            head["quire"]?.string == "letter"
        else { throw damaged }
        guard head["format"]?.integer == 1 else {
            throw SyncTrouble.refused(
                "Another desk uses a newer Quire, whose letters this one cannot read. Update this one.")
        }
        guard head["device"]?.string == name.device, head["number"]?.integer == name.number,
            let count = head["records"]?.int, count >= 0,
            try head["sha256"]?.string == bodyDigest(after: line.count + 1)
        else { throw damaged }
        left = count
        waiting = []
        lseek(file, off_t(line.count + 1), SEEK_SET)
        if left == 0, try nextLine(atMost: 1) != nil { throw damaged }
    }

    deinit { close(file) }

    func next(_ most: Int) throws -> [SyncRecord] {
        var records: [SyncRecord] = []
        while records.count < most, left > 0 {
            guard let line = try nextLine(atMost: 64 << 20), let json = try? JSON(parsing: line),
                let record = SyncRecord(json)
            else { throw damaged }
            records.append(record)
            left -= 1
        }
        if left == 0, try nextLine(atMost: 64 << 20) != nil { throw damaged }
        return records
    }

    private var damaged: SyncTrouble {
        .damaged("What another desk left (\(name.text)) is not whole.")
    }

    private func bodyDigest(after start: Int) throws -> String {
        var hash = SHA256Stream()
        lseek(file, off_t(start), SEEK_SET)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { room.deallocate() }
        while case let count = read(file, room.baseAddress, room.count), count != 0 {
            guard count > 0 else { throw LetterWriter.trouble }
            hash.update(UnsafeRawBufferPointer(rebasing: room[..<count]))
        }
        return Hex.encode(hash.finish())
    }

    /// Nil at the end. Lines are as long as somebody else made them.
    private func nextLine(atMost limit: Int) throws -> [UInt8]? {
        var searched = 0
        while true {
            if let end = waiting[searched...].firstIndex(of: 0x0A) {
                let line = Array(waiting[..<end])
                waiting.removeSubrange(...end)
                return line
            }
            searched = waiting.count
            guard searched <= limit else { throw damaged }
            let more = try [UInt8](unsafeUninitializedCapacity: 1 << 18) { room, count in
                let got = read(file, room.baseAddress, room.count)
                guard got >= 0 else { throw LetterWriter.trouble }
                count = got
            }
            if more.isEmpty {
                guard waiting.isEmpty else { throw damaged }
                return nil
            }
            waiting += more
        }
    }
}
