import Glibc

/// A program of this package, built beside the tests.
public func builtProgram(_ name: String) -> String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    let program = String(cString: path).split(separator: "/").dropLast().joined(separator: "/")
    return access("/\(program)/\(name)", X_OK) == 0 ? "/\(program)/\(name)" : nil
}
