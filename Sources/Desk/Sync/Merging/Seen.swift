import Bytes

/// Which acts of which desks are known: of each desk, all up to a number (a version vector).
struct Seen: Sendable, Equatable {
    private(set) var counts: [String: Int64] = [:]

    var isEmpty: Bool { counts.isEmpty }

    subscript(device: String) -> Int64 { counts[device] ?? 0 }

    func contains(_ act: Act) -> Bool { self[act.device] >= act.number }

    func covers(_ other: Seen) -> Bool { other.counts.allSatisfy { self[$0.key] >= $0.value } }

    mutating func join(_ other: Seen) {
        counts.merge(other.counts) { max($0, $1) }
    }

    /// A new act of this desk.
    mutating func act(of device: String) -> Act {
        let number = self[device] + 1
        counts[device] = number
        return Act(device: device, number: number)
    }

    mutating func add(_ act: Act) { counts[act.device] = max(self[act.device], act.number) }

    var json: JSON {
        .object(JSONObject(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) }))
    }

    init() {}

    /// More acts than any desk does in its life; beyond it the next could not be numbered.
    private static let mostActs: Int64 = 1 << 53

    init(_ json: JSON?) {
        for (device, number) in json?.object ?? [:] {
            if let number = number.integer, (1...Self.mostActs).contains(number) { counts[device] = number }
        }
    }
}

/// One act of one desk.
struct Act: Sendable, Hashable {
    var device: String
    var number: Int64
}
