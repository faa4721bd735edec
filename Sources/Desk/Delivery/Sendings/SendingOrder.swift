import Bytes
import Storage

/// A letter as it was when sending began, with what the day brought: changing the letter afterwards changes no mail that
/// is on its way.
struct SendingOrder: Sendable, Equatable {
    var letter: BatchLetter
    /// Where people reach this desk, for links.
    var origin: String?

    var json: JSON { ["letter": letter.json, "origin": .optional(origin)] }

    init(_ letter: BatchLetter, origin: String?) {
        self.letter = letter
        self.origin = origin
    }

    init(kept json: JSON) throws {
        letter = try BatchLetter(kept: json["letter"] ?? [:])
        origin = json["origin"]?.string
    }
}
