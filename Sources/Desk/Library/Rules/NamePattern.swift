/// `Scan*.pdf`: a star for anything, a question mark for one sign, without regard to case.
struct NamePattern {
    private let pattern: [Character]

    init(_ text: String) { pattern = Array(text.lowercased()) }

    func fits(_ name: String) -> Bool {
        let name = Array(name.lowercased())
        // Where the last star stood, and how far it reached: going back there is all a wrong guess costs.
        var (place, at) = (0, 0)
        var star: (place: Int, at: Int)?
        while at < name.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (place, at)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == name[at] {
                place += 1
                at += 1
            } else if let last = star {
                star = (last.place, last.at + 1)
                (place, at) = (last.place + 1, last.at + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
