/// Minutes since midnight, as people write them.
public enum TimeOfDay {
    /// `08:30`
    public static func text(_ minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }

    /// Of `08:30` or `8:30`; 24:00 ends the day.
    public static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            text.utf8.allSatisfy({ (0x30...0x3A).contains($0) }), let hour = Int(parts[0]),
            let minute = Int(parts[1]), minute < 60, hour < 24 || hour == 24 && minute == 0
        else { return nil }
        return hour * 60 + minute
    }
}
