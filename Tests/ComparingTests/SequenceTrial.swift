@testable import Comparing

/// Two rows of words, matched, and whether what came of it can be right.
struct SequenceTrial {
    let isSound: Bool
    let kept: Int

    init(_ left: [String], _ right: [String]) {
        var numbers: [String: Int32] = [:]
        func number(_ text: String) -> Int32 {
            if let known = numbers[text] { return known }
            numbers[text] = Int32(numbers.count)
            return Int32(numbers.count - 1)
        }
        let (a, b) = (left.map(number), right.map(number))
        let partners = SequenceDifference(a, b).partners
        var last: Int32 = -1
        var isSound = true
        for (place, partner) in partners.enumerated() where partner >= 0 {
            if partner <= last || a[place] != b[Int(partner)] { isSound = false }
            last = partner
        }
        self.isSound = isSound
        kept = partners.count { $0 >= 0 }
    }
}
