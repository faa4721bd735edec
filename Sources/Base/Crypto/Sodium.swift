internal import CSodium

/// libsodium wants to be started once before it is used from several threads.
enum Sodium {
    private static let started: Bool = sodium_init() >= 0

    static func start() {
        precondition(started, "libsodium found no source of randomness")
    }
}

/// Bytes nobody can guess, from the kernel.
public enum SecureRandom {
    public static func bytes(_ count: Int) -> [UInt8] {
        Sodium.start()
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            if let start = buffer.baseAddress { randombytes_buf(start, count) }
            filled = count
        }
    }
}

/// Compares without telling by its time where the two differ. Lengths are not secret.
public func constantTimeEquals(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    guard !a.isEmpty else { return true }
    return sodium_memcmp(a, b, a.count) == 0
}
