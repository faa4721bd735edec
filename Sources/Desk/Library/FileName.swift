import Kinds

/// Names of documents: made from what somebody's file was called, and made back into one.
public enum FileName {
    public static let longest = 200
    public static let unnamed = "Untitled"

    /// What somebody's file is called: the last part of a path, as a title. Nil when nothing is left.
    public static func cleaned(_ text: String) -> String? {
        text.unicodeScalars.prefix(100_000).split { $0 == "/" || $0 == "\\" }.last.flatMap {
            title(String($0))
        }
    }

    /// What somebody typed, strokes and all: “Invoice 2024/05”. One line, nothing that hides or turns around what stands
    /// beside it. Nil when nothing is left.
    public static func title(_ text: String) -> String? {
        let last = text.unicodeScalars.prefix(100_000)
        var kept = String.UnicodeScalarView()
        var isSpaceWaiting = false
        for scalar in last {
            if scalar.properties.isWhitespace || scalar.value < 0x20 {
                isSpaceWaiting = !kept.isEmpty
                continue
            }
            switch scalar.properties.generalCategory {
            // Format characters are needed between letters of some scripts and emoji, but not those that change
            // the direction of what follows: they make "invoice‮fdp.exe" look like a PDF.
            case .format where scalar != "\u{200C}" && scalar != "\u{200D}": continue
            case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: continue
            default: break
            }
            if isSpaceWaiting { kept.append(" ") }
            isSpaceWaiting = false
            kept.append(scalar)
        }
        let name = shortened(String(kept))
        return name.allSatisfy({ "./\\ ".contains($0) }) ? nil : name
    }

    /// Cut in the middle, as the ending says what opens it.
    private static func shortened(_ name: String) -> String {
        guard name.unicodeScalars.count > longest else { return name }
        let ending = name.unicodeScalars.suffix(12).drop { $0 != "." }
        return String(String.UnicodeScalarView(name.unicodeScalars.prefix(longest - ending.count)))
            + String(ending)
    }

    /// For a disk or an archive, where a stroke would begin a folder.
    public static func safe(_ name: String) -> String {
        String(name.map { $0 == "/" || $0 == "\\" ? "-" : $0 })
    }

    public static func completed(_ name: String, for mediaType: String) -> String {
        guard let endings = Self.endings(of: mediaType), let first = endings.first else { return name }
        let lower = name.lowercased()
        return endings.contains { lower.hasSuffix("." + $0) } ? name : "\(name).\(first)"
    }

    /// Without the ending that programs expect of such bytes; any other belongs to the name.
    public static func withoutEnding(_ name: String, of mediaType: String) -> String {
        let ending = ending(of: name)
        let usual = Self.endings(of: mediaType) ?? ["txt"]
        return usual.contains(ending) ? String(name.dropLast(ending.count + 1)) : name
    }

    /// With the ending of the new kind, where it had that of the old one.
    public static func changed(_ name: String, from before: String, to after: String) -> String {
        // Plain text may have any ending; this is the one that says nothing else.
        let old = Self.endings(of: before) ?? ["txt"]
        guard before != after, let new = Self.endings(of: after), old.contains(ending(of: name)),
            !new.contains(ending(of: name)), let first = new.first
        else { return name }
        return shortened(name.dropLast(ending(of: name).count) + first)
    }

    /// The ending without its point, in lower case; empty when there is none.
    public static func ending(of name: String) -> String { PaperKind.ending(of: name) }

    /// The usual one first; nil when any ending will do.
    private static func endings(of mediaType: String) -> [String]? {
        guard let kind = PaperKind(mediaType: mediaType), kind != .text else { return nil }
        return kind.endings
    }

    /// What is compared to sort names as people do: without regard to case, and "Scan 2" before "Scan 10".
    ///
    /// A run of digits becomes its length and then the digits, so that comparing bytes compares numbers.
    public static func order(_ name: String) -> String {
        var order = ""
        var digits = ""
        func closeRun() {
            guard !digits.isEmpty else { return }
            let number = digits.drop { $0 == "0" }
            let length = String(number.count)
            order += (number.count < 10 ? "00" : number.count < 100 ? "0" : "") + length + number
            digits = ""
        }
        for character in name.lowercased() {
            if let byte = character.asciiValue, (0x30...0x39).contains(byte) {
                digits.append(character)
            } else {
                closeRun()
                order.append(character)
            }
        }
        closeRun()
        return order
    }

    /// What a filter looks in.
    public static func search(_ name: String) -> String { name.lowercased() }
}
