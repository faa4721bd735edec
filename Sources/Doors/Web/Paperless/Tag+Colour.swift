import Bytes
import Library
import Storage

/// Its clients write colours as `#a6cee3`, any of them; a tag here has one of a few.
extension Tag.Colour {
    /// What they show; the first is what tags without a colour have there.
    var hex: String {
        switch self {
        case .none: "#a6cee3"
        case .red: "#ef9a9a"
        case .orange: "#ffcc80"
        case .yellow: "#fff176"
        case .green: "#a5d6a7"
        case .teal: "#80cbc4"
        case .blue: "#90caf9"
        case .purple: "#ce93d8"
        case .pink: "#f48fb1"
        }
    }

    init(nearest text: String) throws(Failure) {
        guard let wanted = Self.parts(text) else {
            throw Failure(.invalid, "“\(text)” is no colour; write it as #a6cee3.", field: "color")
        }
        func distance(_ colour: Tag.Colour) -> Int {
            zip(Self.parts(colour.hex) ?? [], wanted).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        }
        self = Self.allCases.min { distance($0) < distance($1) } ?? .none
    }

    /// Red, green and blue of `#a6cee3`.
    private static func parts(_ text: String) -> [Int]? {
        guard text.hasPrefix("#"), text.utf8.count == 7, let bytes = Hex.decode(String(text.dropFirst()))
        else {
            return nil
        }
        return bytes.map(Int.init)
    }
}
