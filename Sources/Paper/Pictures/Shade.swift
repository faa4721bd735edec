import Glibc

/// A colour of a screen, and how well letters of it are read on another (WCAG 2.2).
public struct Shade: Sendable, Hashable {
    public let red: UInt8
    public let green: UInt8
    public let blue: UInt8

    /// `0x1E4BA8`
    public init(_ value: UInt32) {
        self.init(UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255))
    }

    /// `#1e4ba8` or `#14a`, also without the `#`; nil for anything else.
    public init?(_ text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        // UInt32 would take a sign as well.
        guard [3, 6].contains(digits.utf8.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let value = UInt32(
                digits.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits), radix: 16)
        else { return nil }
        self.init(value)
    }

    private init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    public static let white = Shade(0xFFFFFF)
    public static let black = Shade(0x000000)

    /// What text of usual size needs.
    public static let readable = 4.5

    /// `1e4ba8`
    public var hex: String {
        [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// `#1e4ba8`
    public var css: String { "#" + hex }

    /// From 1, where nothing is to be seen, to 21.
    public func contrast(with other: Shade) -> Double {
        let (a, b) = (luminance, other.luminance)
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    /// This one where letters of it can be read on all of these; else the nearest that can be, darker on light grounds and
    /// lighter on dark ones.
    public func read(on grounds: [Shade], contrast wanted: Double = Shade.readable) -> Shade {
        let brightness = grounds.map(\.luminance).reduce(0, +) / Double(max(1, grounds.count))
        let end = brightness > 0.18 ? Shade.black : .white
        for step in 0..<64 {
            let shade = mixed(with: end, Double(step) / 64)
            if grounds.allSatisfy({ shade.contrast(with: $0) >= wanted }) { return shade }
        }
        return end
    }

    /// Black or white, whichever is read better on this. One of them always can be.
    public var onTop: Shade {
        contrast(with: .white) >= contrast(with: .black) ? .white : .black
    }

    public func mixed(with other: Shade, _ share: Double) -> Shade {
        func part(_ a: UInt8, _ b: UInt8) -> UInt8 {
            UInt8((Double(a) + (Double(b) - Double(a)) * min(max(share, 0), 1)).rounded())
        }
        return Shade(part(red, other.red), part(green, other.green), part(blue, other.blue))
    }

    private var luminance: Double {
        func part(_ value: UInt8) -> Double {
            let share = Double(value) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
    }
}
