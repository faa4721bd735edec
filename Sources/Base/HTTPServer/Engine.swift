import CMicroHTTPD
import Glibc
import HTTP
import Synchronization
import Work

/// What all connections share. libmicrohttpd's callbacks arrive here (Callbacks.swift) and leave with an answer.
final class Engine: Sendable {
    let settings: ServerSettings
    let router: Router
    let workers: Workers
    let log: Log
    let exchanges = ExchangeSet()
    let streams = EventStreamSet()
    let connections = ConnectionSet()
    let isStopping = Atomic(false)
    /// From now on no handler is begun: nobody would wait for it.
    let isOver = Atomic(false)
    let constants: [Constant]

    init(_ settings: ServerSettings, router: Router, workers: Workers, log: Log) {
        self.settings = settings
        self.router = router
        self.workers = workers
        self.log = log
        constants = router.routes.compactMap { Constant($0, router) }
    }

    /// The number of the constant answer for exactly this target.
    func constant(at target: UnsafePointer<CChar>) -> Int? {
        constants.firstIndex { strcmp($0.target, target) == 0 }
    }
}

/// An answer that was made ready when the server was: the whole work of a request for it is to queue it once more.
final class Constant: @unchecked Sendable {
    // Neither pointer changes, what they point to neither; libmicrohttpd counts the uses of a response itself.
    let target: UnsafeMutablePointer<CChar>
    let response: OpaquePointer
    let status: UInt32

    init?(_ route: Route, _ router: Router) {
        guard case .constant = route.answer, route.pattern.parameterNames.isEmpty,
            let request = try? Request(.get, route.pattern.description)
        else { return nil }
        let answer = router.response(to: request)
        guard let response = Reply.simple(answer), let target = strdup(request.target) else { return nil }
        self.target = target
        self.response = response
        status = UInt32(answer.status.code)
    }

    deinit {
        free(target)
        MHD_destroy_response(response)
    }
}
