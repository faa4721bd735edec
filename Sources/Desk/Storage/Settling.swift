import Work

/// A small file that is on its way to its place on the shelf, while whoever brought it goes on.
final class Settling: Sendable {
    let byteCount: Int64
    private let outcome = Monitor<Result<Void, any Error>?>(nil)

    init(byteCount: Int64) { self.byteCount = byteCount }

    func end(_ result: Result<Void, any Error>) { outcome.update { $0 = result } }

    /// Until it is there; what kept it from getting there is thrown.
    func wait() throws { try outcome.wait { $0 }?.get() }
}
