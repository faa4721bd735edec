import App
import Bytes
import Glibc
import Testing

@Suite("The page about the configuration")
struct ConfigurationPageTests {
    @Test("docs/configuration.md names every value as the program does")
    func everyValue() throws {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let file = try #require(fopen("/\(root)/docs/configuration.md", "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        let page = String(decoding: bytes[..<count], as: UTF8.self)
        for key in ConfigKey.all {
            let standard = key.standard.isEmpty ? "" : "`\(key.standard)`"
            let line = "| `\(key.name)` | \(standard) | \(key.summary) |"
            #expect(page.contains(line), "\(line)")
        }
    }
}
