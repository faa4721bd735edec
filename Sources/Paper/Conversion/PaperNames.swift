/// Orders files as people do: numbers count as numbers, so that `scan10` comes behind `scan9`.
public enum PaperNames {
    public static func areInOrder(_ a: String, _ b: String) -> Bool {
        var left = Array(a.lowercased().unicodeScalars)[...]
        var right = Array(b.lowercased().unicodeScalars)[...]
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
        while let x = left.first, let y = right.first {
            if isDigit(x), isDigit(y) {
                let (m, n) = (left.prefix(while: isDigit), right.prefix(while: isDigit))
                left = left.dropFirst(m.count)
                right = right.dropFirst(n.count)
                let (p, q) = (m.drop { $0 == "0" }, n.drop { $0 == "0" })
                if p.count != q.count { return p.count < q.count }
                for (one, other) in zip(p, q) where one != other { return one < other }
            } else {
                if x != y { return x < y }
                left = left.dropFirst()
                right = right.dropFirst()
            }
        }
        if left.isEmpty != right.isEmpty { return left.isEmpty }
        return a < b
    }
}
