/// Red, green and blue, from 0 to 1.
struct Colour: Sendable, Equatable {
    var red: Double
    var green: Double
    var blue: Double

    init(_ red: Double, _ green: Double, _ blue: Double) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    static let white = Colour(1, 1, 1)
    static let black = Colour(0, 0, 0)
    static let ink = Colour(0.11, 0.13, 0.16)
    static let muted = Colour(0.40, 0.43, 0.47)
    static let hair = Colour(0.80, 0.82, 0.84)
    /// Under fields: light enough to print as nothing, dark enough to show where to write.
    static let tint = Colour(0.948, 0.957, 0.965)
    static let accent = Colour(0.055, 0.33, 0.36)
    /// For what is wrong.
    static let alarm = Colour(0.76, 0.11, 0.13)
    static let gold = Colour(0.66, 0.50, 0.22)
    static let paleGold = Colour(0.90, 0.84, 0.70)
}
