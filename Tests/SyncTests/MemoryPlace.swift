import Glibc
@testable import Sync
import Synchronization
import TestSupport
import Transfer

/// What lies at a place that is nothing but memory.
final class MemoryPlace: Sendable {
    let things = Mutex<[String: [UInt8]]>([:])
}

/// Thrown where a desk is killed: nothing in it may catch this and go on.
struct Killed: Error {}

/// The way to such a place, on which everything that can go wrong does.
final class MoodyShelf: SyncShelf, @unchecked Sendable {
    // Used by one thread, that of its history.
    private let place: MemoryPlace
    private var dice: Dice
    /// Of a hundred requests, so many go wrong.
    private let moodiness: Int
    private(set) var faults = 0

    init(_ place: MemoryPlace, seed: UInt64, moodiness: Int) {
        self.place = place
        dice = Dice(seed)
        self.moodiness = moodiness
    }

    private enum Fault: CaseIterable {
        case timeout, refusedBefore, doneAndLost, killedBefore, killedAfter, half
    }

    private func fault() -> Fault? {
        guard dice.below(100) < moodiness else { return nil }
        faults += 1
        return Fault.allCases[dice.below(Fault.allCases.count)]
    }

    private func perform<R>(_ act: () throws -> R, half: () throws -> Void = {}) throws -> R {
        switch fault() {
        case nil: return try act()
        case .timeout: throw SyncTrouble.away("It took too long.")
        case .refusedBefore: throw SyncTrouble.away("The answer was 500.")
        case .doneAndLost:
            _ = try act()
            throw SyncTrouble.away("The connection broke.")
        case .killedBefore: throw Killed()
        case .killedAfter:
            _ = try act()
            throw Killed()
        case .half:
            try half()
            throw SyncTrouble.away("The connection broke in the middle.")
        }
    }

    func names(in folder: String) throws -> [String] {
        try perform { place.things.withLock { $0.keys.filter { $0.hasPrefix(folder + "/") }.sorted() } }
    }

    func fetch(_ name: String, into destination: Destination) throws {
        guard case .file(let path, _) = destination else { fatalError("into a file") }
        guard let bytes = place.things.withLock({ $0[name] }) else {
            return try perform { throw SyncTrouble.missing(name) }
        }
        try perform(
            { try write(bytes, to: path) },
            half: { try write(Array(bytes.prefix(bytes.count / 2)), to: path) })
    }

    func lay(_ name: String, _ body: Upload) throws -> Bool {
        let bytes: [UInt8]
        switch body {
        case .bytes(let given): bytes = given
        case .file(let path): bytes = try contents(of: path)
        default: fatalError("no such body")
        }
        return try perform(
            {
                place.things.withLock { things in
                    guard things[name] == nil else { return false }
                    things[name] = bytes
                    return true
                }
            },
            half: {
                // A server that breaks its word: half a file under the name of the whole.
                place.things.withLock { things in
                    if things[name] == nil { things[name] = Array(bytes.prefix(bytes.count / 2)) }
                }
            })
    }

    func remove(_ name: String) throws {
        try perform { place.things.withLock { _ = $0.removeValue(forKey: name) } }
    }
}
