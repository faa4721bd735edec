import Storage
import Synchronization

/// What was looked for last in the lists, and where it was found: who turns the pages of a search, or looks at a list
/// with its saved groups again, need not wait for all rows to be read once more. An edition of a list never changes, so
/// nothing here can be out of date.
final class FoundShelf: Sendable {
    struct Key: Hashable {
        var list: ID<RecipientList>
        var edition: Int
        var filter: RecipientFilter
        var sort: String?
        var isDescending = false
    }

    /// Where a row lies, without what it was sorted by.
    struct Place {
        var chunk: Int32
        var offset: Int32
    }

    private struct State {
        /// The one used last stands at the end.
        var found: [(key: Key, places: [Place])] = []
        var counts: [Key: Int] = [:]
    }

    private static let mostFound = 8
    /// Eight bytes each.
    private static let mostPlaces = 2_000_000
    private static let mostCounts = 512

    private let state = Mutex(State())

    func places(_ key: Key) -> [Place]? {
        state.withLock { state in
            guard let index = state.found.firstIndex(where: { $0.key == key }) else { return nil }
            let known = state.found.remove(at: index)
            state.found.append(known)
            return known.places
        }
    }

    func keep(_ places: [Place], for key: Key) {
        keep(places.count, for: key)
        guard places.count <= Self.mostPlaces else { return }
        state.withLock { state in
            state.found.removeAll { $0.key == key }
            state.found.append((key, places))
            while state.found.count > Self.mostFound
                || state.found.reduce(0, { $0 + $1.places.count }) > Self.mostPlaces
            {
                state.found.removeFirst()
            }
        }
    }

    /// How many there are does not depend on their order.
    func count(_ key: Key) -> Int? { state.withLock { $0.counts[Self.unordered(key)] } }

    func keep(_ count: Int, for key: Key) {
        state.withLock { state in
            if state.counts.count >= Self.mostCounts { state.counts.removeAll() }
            state.counts[Self.unordered(key)] = count
        }
    }

    private static func unordered(_ key: Key) -> Key {
        Key(list: key.list, edition: key.edition, filter: key.filter)
    }
}
