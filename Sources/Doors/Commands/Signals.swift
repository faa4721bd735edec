import Glibc
import Work

/// Turns Ctrl-C and polite requests to end into a cancellation.
///
/// The signals are blocked everywhere and waited for by one thread, so that nothing runs in a signal handler.
/// Must be called before other threads are started, which inherit what is blocked.
enum Signals {
    static func cancel(_ cancellation: Cancellation) {
        var awaited = sigset_t()
        sigemptyset(&awaited)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&awaited, signal) }
        pthread_sigmask(SIG_BLOCK, &awaited, nil)
        let set = awaited
        _ = Thread(name: "signals", stackByteCount: 64 << 10) {
            var awaited = set
            var number: Int32 = 0
            guard sigwait(&awaited, &number) == 0 else { return }
            cancellation.cancel(reason: number == SIGINT ? "Ctrl-C" : "asked to end")
            // Whoever asks twice does not want to wait any longer.
            guard sigwait(&awaited, &number) == 0 else { return }
            _exit(ExitCode.cancelled.rawValue)
        }
    }
}
