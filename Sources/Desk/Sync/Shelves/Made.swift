import Synchronization

/// The folders that are known to be there, so that they are not asked for with every file.
final class Made: Sendable {
    private let paths = Mutex<Set<String>>([])

    func contains(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }
    func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }
    func forget() { paths.withLock { $0 = [] } }
}
