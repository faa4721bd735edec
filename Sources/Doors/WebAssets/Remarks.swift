/// What scripts and stylesheets say to those who change them, and browsers need not fetch.
///
/// Only lines that are nothing else are known, so that no text in a script has to be understood.
enum Remarks {
    static func leftOut(of source: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(source.count)
        var isWithin = false
        for line in source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let words = line.drop { $0 == UInt8(ascii: " ") }
            if isWithin || words.starts(with: "/*".utf8) {
                guard let end = end(of: words) else {
                    isWithin = true
                    continue
                }
                isWithin = false
                if end == words.endIndex { continue }
            } else if words.isEmpty || words.starts(with: "//".utf8) {
                continue
            }
            kept += line
            kept.append(UInt8(ascii: "\n"))
        }
        return kept
    }

    /// Behind the first `*/`.
    private static func end(of line: ArraySlice<UInt8>) -> Int? {
        let star = line.indices.dropLast().first {
            line[$0] == UInt8(ascii: "*") && line[$0 + 1] == UInt8(ascii: "/")
        }
        return star.map { $0 + 2 }
    }
}
