public import Bytes

/// One thing the doctor has looked at.
public struct Finding: Sendable, Equatable {
    public enum Part: String, Sendable, CaseIterable {
        case desk, database, door, machine, jail, engines, mail, backups
    }

    public enum State: String, Sendable, Comparable {
        case good
        /// Works, but less well or less safely than it could.
        case limited
        /// Keeps Quire from working.
        case bad

        public static func < (a: State, b: State) -> Bool { a.rank < b.rank }

        private var rank: Int {
            switch self {
            case .good: 0
            case .limited: 1
            case .bad: 2
            }
        }
    }

    public let part: Part
    public let name: String
    public let state: State
    public let sentence: String
    /// What to do about it, such as a command or a package to install.
    public let remedy: String?

    init(_ part: Part, _ name: String, _ state: State, _ sentence: String, remedy: String? = nil) {
        self.part = part
        self.name = name
        self.state = state
        self.sentence = sentence
        self.remedy = remedy
    }

    public var json: JSON {
        [
            "part": .string(part.rawValue), "name": .string(name), "state": .string(state.rawValue),
            "sentence": .string(sentence), "remedy": .optional(remedy),
        ]
    }
}
