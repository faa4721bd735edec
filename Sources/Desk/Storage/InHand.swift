import Bytes
import Work

// What ends the process leaves no word behind. So whoever takes up something that might says before on the disk what it
// is; the kernel lets go of the file's lock when the process ends, however it ends, and the next one finds it.
extension Store {
    /// Does something with a thing whose name is found by `leftInHand` of another process when this one ends in between.
    public func holding<R>(_ thing: String, _ body: () throws -> R) throws -> R {
        let path = "\(home.temporary)/\(Self.inHand)\(Hex.encode(Chance.system.bytes(12)))"
        // A note that cannot be written is no reason to leave the work.
        guard let file = try? OpenFile(creating: path) else { return try body() }
        defer { try? Disk.remove(path) }
        _ = try? file.lock(.exclusive, waiting: false)
        try? file.write(Array(thing.utf8))
        return try body()
    }

    /// What processes had in hand when they ended; each is told once. Before `lockForServing`, which empties the folder.
    public func leftInHand() throws -> [String] {
        var things: [String] = []
        for name in try Disk.names(in: home.temporary) where name.hasPrefix(Self.inHand) {
            let path = "\(home.temporary)/\(name)"
            guard let file = try? OpenFile(reading: path), try file.lock(.exclusive, waiting: false) else {
                continue
            }
            things.append(String(decoding: try Disk.read(path, atMost: 4096), as: UTF8.self))
            try Disk.remove(path)
        }
        return things
    }

    private static let inHand = "in-hand-"
}
