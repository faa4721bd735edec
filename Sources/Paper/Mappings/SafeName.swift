/// Makes names of files and folders that every system takes: Windows, macOS, Linux, memory sticks, ZIP archives.
public enum SafeName {
    /// Room is left within 255 bytes for a number and the extension.
    private static let mostBytes = 200
    private static let endBytes = 56

    private static let forbidden = Set("/\\:*?\"<>|".unicodeScalars)
    /// Letters that some systems turn into a stroke, a backslash or a colon behind one's back.
    private static let strokes = Set(
        "\u{2044}\u{2215}\u{29F8}\u{FF0F}\u{FF3C}\u{2216}\u{29F5}\u{FE68}\u{FF1A}\u{FE55}\u{2236}"
            .unicodeScalars)
    private static let reserved: Set<String> = {
        var names: Set<String> = ["con", "prn", "aux", "nul", "conin$", "conout$"]
        for digit in "0123456789¹²³" {
            names.insert("com\(digit)")
            names.insert("lpt\(digit)")
        }
        return names
    }()

    /// One name without strokes, controls, marks that turn the direction of writing, or dots and blanks at its ends;
    /// empty when nothing is left. What is too long loses its middle.
    public static func component(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0...0x20, 0x7F...0x9F, 0xA0, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
                if scalars.last != " " { scalars.append(" ") }
            // Unseen: directions, joiners of words, marks of order. The joiners within words (200C, 200D) stay:
            // Persian, Hindi and families of emoji need them.
            case 0x00AD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF,
                0xFFF0...0xFFFF, 0xE0000...0xE001F:
                break
            case _ where forbidden.contains(scalar) || strokes.contains(scalar): scalars.append("-")
            default:
                switch scalar.properties.generalCategory {
                case .unassigned, .privateUse, .surrogate: break
                default: scalars.append(scalar)
                }
            }
        }
        var name = trimmed(String(scalars))
        if name.utf8.count > mostBytes { name = trimmed(shortened(name)) }
        let stem = name.prefix { $0 != "." }
        if reserved.contains(trimmed(String(stem)).lowercased()) {
            name = stem + "_" + name.dropFirst(stem.count)
        }
        return name
    }

    private static func trimmed(_ name: String) -> String {
        var name = name[...]
        while let first = name.first, first == "." || first == " " { name.removeFirst() }
        while let last = name.last, last == "." || last == " " { name.removeLast() }
        return String(name)
    }

    /// The end is kept: numbers that tell two names apart stand there.
    private static func shortened(_ name: String) -> String {
        var end: [Character] = []
        var endCount = 0
        for character in name.reversed() {
            endCount += character.utf8.count
            if endCount > endBytes { break }
            end.append(character)
        }
        var start = ""
        var count = end.reduce(3) { $0 + $1.utf8.count }
        for character in name {
            count += character.utf8.count
            if count > mostBytes { break }
            start.append(character)
        }
        return start + "…" + String(end.reversed())
    }

    /// What some system holds for the same name: capitals and the way accents are stored do not matter.
    static func folded(_ path: String) -> String { path.uppercased().lowercased() }
}

/// Names that are taken, so that nobody's document is written over by another's, in the same memory however many.
public final class TakenNames {
    private let prints = NamePrints()
    /// How far numbers were counted for names that came before: for some of them, as it can be found out again.
    private var counted: [UInt64: Int] = [:]
    private static let mostCounted = 1 << 12

    public init() {}

    /// The path itself when it is free, else with a number that makes it so: with the first, unless others of that name
    /// had numbers of their own.
    public func unique(_ path: String) -> String {
        // A print may, very rarely, be that of another name: then a number is given that was not needed.
        let print = Self.print(path)
        if prints.insert(print) { return path }
        var number = counted[print] ?? firstFree(path)
        while true {
            let candidate = "\(path)-\(number)"
            number += 1
            if prints.insert(Self.print(candidate)) {
                if counted.count == Self.mostCounted { counted.removeAll(keepingCapacity: true) }
                counted[print] = number
                return candidate
            }
        }
    }

    /// Numbers are given one after the other: steps that double find one that is free, halves the first.
    private func firstFree(_ path: String) -> Int {
        func isTaken(_ number: Int) -> Bool { prints.contains(Self.print("\(path)-\(number)")) }
        var (taken, free) = (1, 2)
        while isTaken(free) { (taken, free) = (free, free * 2) }
        while free - taken > 1 {
            let middle = (taken + free) / 2
            if isTaken(middle) { taken = middle } else { free = middle }
        }
        return free
    }

    private static func print(_ path: String) -> UInt64 {
        var hasher = Hasher()
        // Texts that only differ in how accents are stored are equal, and hash alike.
        hasher.combine(SafeName.folded(path))
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
