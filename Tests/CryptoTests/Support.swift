import Crypto
import Glibc

func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}

func bytes(hex text: String) -> [UInt8] {
    let digits = text.compactMap { $0.hexDigitValue.map(UInt8.init) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// A folder for one test, gone afterwards.
func withFolder<R>(_ body: (String) throws -> R) throws -> R {
    var template = Array("/tmp/quire-crypto-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CryptoError.refused("no temporary folder") }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { system("rm -rf '\(folder)'") }
    return try body(folder)
}

func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    _ = write(file, bytes, bytes.count)
    close(file)
    chmod(path, mode)
}

func read(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(file, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
}

/// What a command printed (both outputs) and whether it was content.
func shell(_ command: String) -> (output: String, succeeded: Bool) {
    guard let pipe = popen(command + " 2>&1", "r") else { return ("", false) }
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = fread(&piece, 1, piece.count, pipe)
        if count == 0 { break }
        output += piece.prefix(count)
    }
    return (String(decoding: output, as: UTF8.self), pclose(pipe) == 0)
}
