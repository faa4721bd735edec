import Work

/// Work that goes on while something else is done.
struct PendingWork<R: Sendable>: Sendable {
    fileprivate let outcome = Monitor<Result<R, any Error>?>(nil)

    func wait() throws -> R {
        // Without a limit of time there is always an answer.
        while true {
            if let result = outcome.wait({ $0 }) { return try result.get() }
        }
    }
}

extension Workers {
    /// Begins at once; `wait` gives what came of it.
    func later<R: Sendable>(_ body: @escaping @Sendable () throws -> R) -> PendingWork<R> {
        let pending = PendingWork<R>()
        submit {
            let result = Result { try body() }
            pending.outcome.update { $0 = result }
        }
        return pending
    }
}
