import Glibc
import Work

/// A program of this package, built beside the tests.
public func builtProgram(_ name: String) -> String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    let program = String(cString: path).split(separator: "/").dropLast().joined(separator: "/")
    return access("/\(program)/\(name)", X_OK) == 0 ? "/\(program)/\(name)" : nil
}

/// What a few lines of Python print, with the packages that tests use.
public func python(_ code: String, _ arguments: [String] = []) throws -> String {
    var environment = Child.usualEnvironment
    if let home = getenv("HOME") { environment["HOME"] = String(cString: home) }
    if let path = getenv("PATH") { environment["PATH"] = String(cString: path) }
    let outcome = try Child(
        "/usr/bin/env", [Peer.python, "-B", "-c", code] + arguments, environment: environment
    ).run()
    guard outcome.succeeded else { throw PeerError(why: outcome.errorText) }
    return outcome.outputText
}

/// How long this thread works at something: whatever else the machine does meanwhile does not count.
public func workTime<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let before = now()
    try body()
    return now() - before
}
