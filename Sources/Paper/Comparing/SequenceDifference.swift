/// Which items of one sequence are which of another, with as few left over as can be found in good time.
///
/// What stands once in both is found first, several in a row, in the longest common order; between those the fewest changes are
/// looked for. So a whole book in which a page was put in costs hardly more than reading it.
struct SequenceDifference {
    /// For each item of the first its number in the second, or -1.
    private(set) var partners: [Int32]
    private let a: [Int32]
    private let b: [Int32]

    init(_ a: [Int32], _ b: [Int32]) {
        self.a = a
        self.b = b
        partners = [Int32](repeating: -1, count: a.count)
        var open = [(0..<a.count, 0..<b.count)]
        // Not by calls into each other: strangers' words decide how often.
        while let (left, right) = open.popLast() { match(left, right, &open) }
    }

    /// So many are looked through for the fewest changes at once.
    private static let few = 600
    private static let mostWork = 60_000_000

    private mutating func match(
        _ left: Range<Int>, _ right: Range<Int>, _ open: inout [(Range<Int>, Range<Int>)]
    ) {
        var (from, to) = (left.lowerBound, left.upperBound)
        var (start, end) = (right.lowerBound, right.upperBound)
        while from < to, start < end, a[from] == b[start] {
            partners[from] = Int32(start)
            from += 1
            start += 1
        }
        while from < to, start < end, a[to - 1] == b[end - 1] {
            to -= 1
            end -= 1
            partners[to] = Int32(end)
        }
        guard from < to, start < end else { return }
        let (left, right) = (from..<to, start..<end)
        if left.count + right.count > Self.few {
            for length in [6, 3, 1] {
                let anchors = anchors(left, right, length)
                guard !anchors.isEmpty else { continue }
                var (from, start) = (left.lowerBound, right.lowerBound)
                for anchor in anchors where anchor.left >= from && anchor.right >= start {
                    open.append((from..<anchor.left, start..<anchor.right))
                    for step in 0..<length { partners[anchor.left + step] = Int32(anchor.right + step) }
                    (from, start) = (anchor.left + length, anchor.right + length)
                }
                open.append((from..<left.upperBound, start..<right.upperBound))
                return
            }
        }
        fewestChanges(left, right)
    }

    /// Runs of so many items that stand once in each, in the longest order that both have.
    private func anchors(
        _ left: Range<Int>, _ right: Range<Int>, _ length: Int
    ) -> [(left: Int, right: Int)] {
        guard left.count >= length, right.count >= length else { return [] }
        func hash(_ items: [Int32], _ at: Int) -> UInt64 {
            var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
            for step in 0..<length {
                hash = (hash ^ UInt64(UInt32(bitPattern: items[at + step]))) &* 0xD6E8_FEB8_6659_FD93
                hash ^= hash >> 32
            }
            return hash
        }
        /// The place, or -1 for what stands there twice.
        func once(_ items: [Int32], _ range: Range<Int>) -> [UInt64: Int32] {
            var places: [UInt64: Int32] = [:]
            places.reserveCapacity(range.count)
            for at in range.lowerBound...(range.upperBound - length) {
                let key = hash(items, at)
                if places.updateValue(Int32(at), forKey: key) != nil { places[key] = -1 }
            }
            return places
        }
        let there = once(b, right)
        var pairs: [(left: Int, right: Int)] = []
        for (key, place) in once(a, left) where place >= 0 {
            guard let other = there[key], other >= 0 else { continue }
            let (x, y) = (Int(place), Int(other))
            guard (0..<length).allSatisfy({ a[x + $0] == b[y + $0] }) else { continue }
            pairs.append((x, y))
        }
        pairs.sort { $0.left < $1.left }
        return Self.longestOrder(pairs.map(\.right)).map { pairs[$0] }
    }

    /// The numbers of the items that make the longest ascending row.
    static func longestOrder(_ items: [Int]) -> [Int] {
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: items.count)
        for (number, item) in items.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if items[ends[middle]] < item { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[number] = ends[low - 1] }
            if low == ends.count { ends.append(number) } else { ends[low] = number }
        }
        var order: [Int] = []
        var at = ends.last ?? -1
        while at >= 0 {
            order.append(at)
            at = before[at]
        }
        return order.reversed()
    }

    /// Myers' way, given up for what has hardly anything in common: then nothing of it is the same.
    private mutating func fewestChanges(_ left: Range<Int>, _ right: Range<Int>) {
        let (n, m) = (left.count, right.count)
        let most = min(n + m, max(64, min(2_000, Self.mostWork / (n + m))))
        let width = 2 * most + 1
        var reach = [Int32](repeating: 0, count: width + 2)
        var trail: [[Int32]] = []
        func at(_ k: Int) -> Int { k + most + 1 }
        var found = -1
        search: for d in 0...most {
            var k = -d
            while k <= d {
                defer { k += 2 }
                var x: Int
                if d == 0 {
                    x = 0
                } else if k == -d || (k != d && reach[at(k - 1)] < reach[at(k + 1)]) {
                    x = Int(reach[at(k + 1)])
                } else {
                    x = Int(reach[at(k - 1)]) + 1
                }
                var y = x - k
                while x < n, y < m, a[left.lowerBound + x] == b[right.lowerBound + y] {
                    x += 1
                    y += 1
                }
                reach[at(k)] = Int32(x)
                if x == n, y == m {
                    found = d
                    break search
                }
            }
            trail.append(Array(reach[at(-d)...at(d)]))
        }
        guard found >= 0 else { return }
        var (x, y) = (n, m)
        var d = found
        while d > 0 {
            let row = trail[d - 1]
            func reached(_ k: Int) -> Int {
                let place = k + d - 1
                return row.indices.contains(place) ? Int(row[place]) : -1
            }
            let k = x - y
            let isDown = k == -d || (k != d && reached(k - 1) < reached(k + 1))
            let previous = isDown ? k + 1 : k - 1
            let (px, py) = (reached(previous), reached(previous) - previous)
            let (sx, sy) = isDown ? (px, py + 1) : (px + 1, py)
            while x > sx, y > sy {
                x -= 1
                y -= 1
                partners[left.lowerBound + x] = Int32(right.lowerBound + y)
            }
            (x, y) = (px, py)
            d -= 1
        }
        while x > 0, y > 0 {
            x -= 1
            y -= 1
            partners[left.lowerBound + x] = Int32(right.lowerBound + y)
        }
    }
}
