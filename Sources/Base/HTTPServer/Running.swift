import CMicroHTTPD
import Glibc
import Synchronization
import Work

/// The daemon while it runs: started by `init`, ended by `stop`.
final class Running: Sendable {
    private let engine: Engine
    private let daemon: Pointer
    private let watch: Watch

    /// - Parameter socket: nil when clients are brought by `take`.
    init(_ engine: Engine, _ socket: ListeningSocket?) throws(ServerError) {
        Running.ignoreBrokenPipes
        Running.raiseFileLimit()
        let settings = engine.settings
        self.engine = engine
        let context = Unmanaged.passUnretained(engine).toOpaque()
        var flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
            | MHD_USE_TURBO.rawValue

        var options = [
            option(.URI_LOG_CALLBACK, unsafeBitCast(uriArrived, to: Int.self), context),
            option(.NOTIFY_COMPLETED, unsafeBitCast(requestCompleted, to: Int.self), context),
            option(.NOTIFY_CONNECTION, unsafeBitCast(connectionChanged, to: Int.self), context),
            // Paths are decoded by us: the library would cut them at %00 and turn %2F into a slash.
            option(.UNESCAPE_CALLBACK, unsafeBitCast(leaveEscaped, to: Int.self)),
            // What the library would refuse in its strict mode is refused by `HeadFacts` and `Framing`: version 0.9.75
            // writes the head of such a refusal twice.
            option(.STRICT_FOR_CLIENT, 0),
            option(.CONNECTION_LIMIT, settings.connectionLimit),
            option(.PER_IP_CONNECTION_LIMIT, settings.connectionLimitPerAddress),
            option(.CONNECTION_MEMORY_LIMIT, settings.connectionMemory),
            option(.CONNECTION_TIMEOUT, max(1, Int(settings.idleTimeout.components.seconds))),
            option(.SIGPIPE_HANDLED_BY_APP, 1),
        ]
        if let socket {
            options.append(option(.LISTEN_SOCKET, Int(socket.descriptor)))
            // Clients that are brought are served by one thread: the library knows no pool for them.
            if settings.threads > 1 { options.append(option(.THREAD_POOL_SIZE, settings.threads)) }
        } else {
            flags |= MHD_USE_NO_LISTEN_SOCKET.rawValue
        }
        var texts: [UnsafeMutablePointer<CChar>] = []
        // The library reads the PEM texts while it starts and does not keep them.
        defer { for text in texts { free(text) } }
        if let tls = settings.tls {
            flags |= MHD_USE_TLS.rawValue
            let words: [(MHD_OPTION, String)] = [
                (.HTTPS_MEM_KEY, tls.key), (.HTTPS_MEM_CERT, tls.certificate),
                // With TLS 1.2 only what encrypts and proves in one (AEAD), under keys that are thrown away afterwards.
                (
                    .HTTPS_PRIORITIES,
                    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-RSA"
                ),
            ]
            for (name, text) in words {
                guard let copy = strdup(text) else { continue }
                texts.append(copy)
                options.append(option(name, 0, copy))
            }
        }
        options.append(option(.END, 0))
        guard let daemon = quire_mhd_start(flags, connectionArrived, answer, context, options) else {
            if let socket { close(socket.descriptor) }
            throw settings.tls == nil
                ? ServerError(
                    .other, "The server did not start; the system may have run out of threads or memory.")
                : ServerError(.badCertificate, "The certificate or its key cannot be used.")
        }
        self.daemon = Pointer(daemon)
        watch = Watch(engine)
    }

    /// A client who has come by another way than the socket of this daemon's own; closed where it is not wanted.
    func take(_ client: Doorstep.Client) {
        var client = client
        withUnsafePointer(to: &client.address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = MHD_add_connection(daemon.raw, client.socket, $0, client.addressSize)
            }
        }
    }

    var connectionCount: Int { Int(quire_mhd_connection_count(daemon.raw)) }

    /// The same where others go on: each connection ends after its answer, and those who have only just come get theirs.
    func retire(grace: Duration) {
        engine.isStopping.store(true, ordering: .sequentiallyConsistent)
        engine.streams.closeAll()
        let patience = Monitor(false)
        let end = Seconds.now + grace.components.seconds
        while connectionCount > 0, Seconds.now < end {
            _ = patience.wait(timeout: .milliseconds(50)) { $0 ? true : nil }
        }
        stop(grace: .zero)
    }

    func stop(grace: Duration) {
        engine.isStopping.store(true, ordering: .sequentiallyConsistent)
        // From now on `connectionArrived` turns new clients away. `MHD_quiesce_daemon` is not used: it and a worker
        // may both take the socket from the same epoll set, and then the library aborts the process.
        engine.streams.closeAll()
        _ = engine.exchanges.waitUntilEmpty(timeout: grace)
        engine.isOver.store(true, ordering: .sequentiallyConsistent)
        engine.exchanges.giveUpAll()
        // Whoever was given up gets a moment to hear of it.
        _ = engine.exchanges.waitUntilEmpty(timeout: .seconds(1))
        watch.stop()
        MHD_stop_daemon(daemon.raw)
    }

    /// A client that hangs up must not end the program.
    private static let ignoreBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()

    /// Every connection is a file to the kernel, and the usual 1,024 are soon used up by idle event streams.
    private static func raiseFileLimit() {
        var limit = rlimit()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(files, &limit) == 0 else { return }
        let wanted = min(limit.rlim_max, 65_536)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = wanted
        setrlimit(files, &limit)
    }
}

private func option(
    _ name: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil
) -> MHD_OptionItem {
    MHD_OptionItem(option: name, value: value, ptr_value: pointer)
}

/// A pointer of libmicrohttpd's that threads pass to each other. Which thread may use it when is said where it is
/// used: a connection only between the request's first callback and its completion.
struct Pointer: @unchecked Sendable {
    let raw: OpaquePointer

    init(_ raw: OpaquePointer) { self.raw = raw }
}
