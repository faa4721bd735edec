import Bytes
import HTTP
import WebAssets

/// `/sw.js`: the worker's source with the addresses of this version filled in, so that a new version is a new worker.
enum ServiceWorker {
    static func script(_ assets: Assets) -> String? {
        guard let bytes = assets.asset(named: "sw.js")?.content.bytes else { return nil }
        let addresses = JSON.array(assets.shellAddresses.map { .string($0) }).text
        return filled(
            String(decoding: bytes, as: UTF8.self), ["__SHELL__": addresses, "__VERSION__": assets.version])
    }

    private static func filled(_ source: String, _ values: [String: String]) -> String {
        var text = ""
        for (place, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if place > 0 { text += "\n" }
            guard let value = values.first(where: { line.contains($0.key) }),
                let mark = line.ranges(of: value.key).first
            else {
                text += line
                continue
            }
            text += line[..<mark.lowerBound] + value.value + line[mark.upperBound...]
        }
        return text
    }
}
