import Bytes
import Crypto
import Work

/// Takes the bytes of one blob. What is not finished leaves nothing behind.
public final class BlobWriter {
    let file: OpenFile
    var isPlaced = false
    public private(set) var byteCount: Int64 = 0
    private var hash = DigestStream()

    init(in folder: String, chance: Chance) throws {
        file = try OpenFile(creating: "\(folder)/blob-\(Hex.encode(chance.bytes(12)))")
        // Whoever empties the temporary directory leaves what is locked.
        _ = try file.lock(.shared, waiting: false)
    }

    deinit {
        if !isPlaced { try? Disk.remove(file.path) }
    }

    public func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0) }
    }

    public func write(_ bytes: UnsafeRawBufferPointer) throws {
        try file.write(bytes)
        hash.update(bytes)
        byteCount += Int64(bytes.count)
    }

    func finish() throws -> Digest { hash.finish() }
}

/// A digest of bytes that come in pieces.
struct DigestStream: ~Copyable {
    private var hash = SHA256Stream()

    mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bytes) }

    mutating func finish() -> Digest {
        // A SHA-256 is always 32 bytes long.
        Digest(bytes: hash.finish())!
    }
}
