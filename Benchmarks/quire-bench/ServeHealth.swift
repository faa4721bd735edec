import Glibc
import HTTP
import HTTPServer
import Storage
import Work

/// A bare server for `Benchmarks/http`, `streams` and `upload`: says its port and serves until it is killed.
///
///     quire-bench serve-health SPOOL [THREADS]
enum ServeHealth {
    static func run(_ arguments: [String]) throws {
        guard let spool = arguments.first else { throw Failure(.invalid, "serve-health SPOOL [THREADS]") }
        let workers = Workers(name: "handlers", threads: 2)
        var settings = ServerSettings()
        settings.spoolDirectory = spool
        settings.threads = arguments.count > 1 ? Int(arguments[1]) ?? 2 : 2
        let text = Response.text("{\"status\":\"ok\"}\n", .json)
        let router = Router([
            .constant("/health", text),
            Route(.get, "/quick", mode: .quick) { _ in text },
            Route(.get, "/work") { _ in text },
            Route(.get, "/events", mode: .quick) { _ in .events(EventStream()) },
            Route(.post, "/upload", body: .upload(limit: 1 << 40)) { request in
                switch request.body {
                case .file(_, let byteCount): .text("\(byteCount)\n")
                case .form(let form): .text("\(form.files.first?.byteCount ?? -1)\n")
                case .none, .bytes: .text("no file\n")
                }
            },
        ])
        let server = Server(settings, router: router, workers: workers, log: .standardError())
        let port = try server.start()
        Bench.say("http://127.0.0.1:\(port)")
        while true { pause() }
    }
}
