import Bytes
import HTTP
import Storage
import Synchronization
import Work

/// Who holds which place for writing (RFC 4918 §6). Locks are promises between programs that run at the same time, so
/// they are kept in memory: after a restart nobody holds anything.
final class DAVLocks: Sendable {
    struct Lock: Sendable {
        var token: String
        var path: [String]
        var isDeep: Bool
        var isShared: Bool
        /// What the program says of its user, as XML.
        var owner: String
        /// Who may use it.
        var holder: String
        var seconds: Int
        var end: Moment

        func covers(_ other: [String]) -> Bool { path == other || isDeep && other.starts(with: path) }
    }

    static let mostSeconds = 3600
    static let mostLocks = 10_000

    private let locks = Mutex<[Lock]>([])
    private let clock: Clock
    private let chance: @Sendable () -> [UInt8]

    init(clock: Clock, chance: @escaping @Sendable () -> [UInt8]) {
        self.clock = clock
        self.chance = chance
    }

    /// All that hold this place, from above or itself.
    func covering(_ path: [String]) -> [Lock] { current { $0.covers(path) } }

    private func current(_ isMeant: (Lock) -> Bool) -> [Lock] {
        let now = clock.now()
        return locks.withLock { locks in
            locks.removeAll { $0.end <= now }
            return locks.filter(isMeant)
        }
    }

    /// Nil when somebody else holds it, or something in it.
    func take(
        _ path: [String], isDeep: Bool, isShared: Bool, owner: String, holder: String, seconds: Int
    ) throws(Refusal) -> Lock? {
        let now = clock.now()
        let lock = Lock(
            token: "urn:uuid:\(Hex.grouped(chance()))", path: path, isDeep: isDeep, isShared: isShared,
            owner: owner, holder: holder, seconds: seconds, end: now + .seconds(seconds))
        return try locks.withLock { locks throws(Refusal) in
            guard locks.count < Self.mostLocks else {
                throw Refusal(.unavailable, "There are too many locks already.")
            }
            locks.removeAll { $0.end <= now }
            let clash = locks.contains { other in
                (other.covers(path) || isDeep && other.path.starts(with: path))
                    && !(isShared && other.isShared)
            }
            guard !clash else { return nil }
            locks.append(lock)
            return lock
        }
    }

    /// Nil when there is no such lock on this place.
    func refresh(_ tokens: Set<String>, on path: [String], seconds: Int?) -> Lock? {
        let now = clock.now()
        return locks.withLock { locks in
            locks.removeAll { $0.end <= now }
            guard let place = locks.firstIndex(where: { tokens.contains($0.token) && $0.covers(path) }) else {
                return nil
            }
            locks[place].seconds = seconds ?? locks[place].seconds
            locks[place].end = now + .seconds(locks[place].seconds)
            return locks[place]
        }
    }

    func release(_ token: String, on path: [String], by holder: String) -> Bool {
        locks.withLock { locks in
            guard
                let place = locks.firstIndex(where: {
                    $0.token == token && $0.covers(path) && $0.holder == holder
                })
            else { return false }
            locks.remove(at: place)
            return true
        }
    }

    /// What lay there is gone, and with it the locks on it.
    func forget(_ path: [String]) { locks.withLock { $0.removeAll { $0.path.starts(with: path) } } }

    /// Refuses unless the request holds every lock in the way of changing these places; `below` too where they are
    /// changed with all that is in them.
    func check(
        _ paths: [[String]], below: Bool = false, tokens: Set<String>, by holder: String
    ) throws(Refusal) {
        for path in paths {
            let inTheWay = current { $0.covers(path) || below && $0.path.starts(with: path) }
            let isHeld = { (lock: Lock) in tokens.contains(lock.token) && lock.holder == holder }
            // Of those who share a place each may write.
            let shared = inTheWay.filter(\.isShared)
            let isFree =
                inTheWay.filter { !$0.isShared }.allSatisfy(isHeld)
                && (shared.isEmpty || shared.contains(where: isHeld))
            guard isFree else {
                throw Refusal(.locked, "Somebody else holds this for writing. Try again later.")
            }
        }
    }
}

/// What the `If` header asks to hold before anything is done (RFC 4918 §10.4).
struct DAVConditions {
    private struct Condition {
        var isNegated: Bool
        var token: String?
        var tag: String?
    }

    private var lists: [(resource: [String]?, conditions: [Condition])] = []

    /// All lock tokens that are named, wherever.
    var tokens: Set<String> { Set(lists.flatMap { $0.conditions.compactMap(\.token) }) }

    /// `path` makes an address into the parts of its path.
    init(_ header: String?, path: (String) -> [String]?) throws(Refusal) {
        guard let header else { return }
        var rest = header[...]
        var resource: [String]?
        func skip() { rest = rest.drop(while: \.isWhitespace) }
        func until(_ end: Character) throws(Refusal) -> String {
            guard let place = rest.firstIndex(of: end) else { throw Self.broken }
            defer { rest = rest[place...].dropFirst() }
            return String(rest[..<place].dropFirst())
        }
        skip()
        while let first = rest.first {
            switch first {
            case "<":
                let address = try until(">")
                guard let found = path(address) else { throw Self.broken }
                resource = found
            case "(":
                rest = rest.dropFirst()
                var conditions: [Condition] = []
                skip()
                while let next = rest.first, next != ")" {
                    var isNegated = false
                    if rest.lowercased().hasPrefix("not") {
                        isNegated = true
                        rest = rest.dropFirst(3)
                        skip()
                    }
                    switch rest.first {
                    case "<":
                        conditions.append(Condition(isNegated: isNegated, token: try until(">"), tag: nil))
                    case "[":
                        conditions.append(Condition(isNegated: isNegated, token: nil, tag: try until("]")))
                    default: throw Self.broken
                    }
                    skip()
                }
                guard rest.first == ")", !conditions.isEmpty else { throw Self.broken }
                rest = rest.dropFirst()
                lists.append((resource, conditions))
            default: throw Self.broken
            }
            skip()
        }
    }

    /// Whether one of the lists holds.
    func hold(for path: [String], locks: DAVLocks, tag: ([String]) throws -> String?) throws -> Bool {
        guard !lists.isEmpty else { return true }
        for list in lists {
            let resource = list.resource ?? path
            let held = Set(locks.covering(resource).map(\.token))
            let tag = try tag(resource)
            let holds = list.conditions.allSatisfy { condition in
                let isMet = condition.token.map(held.contains) ?? (condition.tag == tag && tag != nil)
                return isMet != condition.isNegated
            }
            if holds { return true }
        }
        return false
    }

    private static var broken: Refusal { Refusal(.badRequest, "The If header cannot be read.") }
}
