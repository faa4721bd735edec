import Glibc
import Synchronization
import Testing

func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

func writeFile(_ path: String, _ text: String) throws { try writeFile(path, Array(text.utf8)) }

func writeFile(_ path: String, _ bytes: [UInt8]) throws {
    let file = try #require(fopen(path, "we"))
    defer { fclose(file) }
    fwrite(bytes, 1, bytes.count, file)
}

/// What was told, in order.
final class Told: Sendable {
    private let kept = Mutex<[String]>([])

    var acts: [String] { kept.withLock { $0 } }

    func note(_ act: String) { kept.withLock { $0.append(act) } }
}
