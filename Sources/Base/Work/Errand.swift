/// Something done on another thread meanwhile, to be waited for. It begins at once.
public final class Errand<Value: Sendable>: Sendable {
    private let outcome = Monitor<Result<Value, any Error>?>(nil)

    public init(on desk: Workers, _ body: @escaping @Sendable () throws -> Value) {
        desk.submit { [outcome] in
            let result = Result { try body() }
            outcome.update { $0 = result }
        }
    }

    @discardableResult
    public func finish() throws -> Value {
        // Without a limit of time there is an outcome in the end.
        guard let result = outcome.wait({ $0 }) else { throw Cancelled(reason: "The work was stopped.") }
        return try result.get()
    }
}
