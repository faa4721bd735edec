import Work

/// Something done on another thread meanwhile, to be waited for.
final class Errand: Sendable {
    private let outcome = Monitor<Result<Void, any Error>?>(nil)

    init(on desk: Workers, _ body: @escaping @Sendable () throws -> Void) {
        desk.submit { [outcome] in
            let result = Result { try body() }
            outcome.update { $0 = result }
        }
    }

    func finish() throws { try outcome.wait { $0 }?.get() }
}
