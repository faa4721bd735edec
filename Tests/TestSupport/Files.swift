import Glibc

public func contents(of path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw PeerError(why: "cannot read \(path)") }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = read(file, &piece, piece.count)
        guard count > 0 else { return bytes }
        bytes += piece.prefix(count)
    }
}

public func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw PeerError(why: "cannot write \(path)") }
    defer { letGo(of: path) }
    defer { close(file) }
    var left = bytes[...]
    while !left.isEmpty {
        let count = left.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        guard count > 0 else { throw PeerError(why: "cannot write \(path)") }
        left = left.dropFirst(count)
    }
}

/// A program that another test starts holds what is open here too, for the moment until it is its own; and who waits for
/// files to be finished would leave this one for later.
private func letGo(of path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    // `F_SETSIG` and `F_SETLEASE`, which Swift does not see: who wants to write meanwhile sends a signal that ends nobody.
    _ = fcntl(file, 10, SIGURG)
    while fcntl(file, 1024, Int32(F_RDLCK)) == -1, errno == EAGAIN { sched_yield() }
    _ = fcntl(file, 1024, Int32(F_UNLCK))
}

/// Bytes that look random and are always the same.
public func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
    }
}
