/// The colours of a card: one set for light and one for dark screens, in which everything can be read.
public enum CardTheme: String, Sendable, CaseIterable {
    case paper, ink, moss, clay, plum, slate

    public struct Colours: Sendable, Equatable {
        /// Behind the card, and the card itself.
        public var ground: UInt32
        public var card: UInt32
        public var text: UInt32
        /// What matters less.
        public var soft: UInt32
        /// Buttons and links, and what stands on buttons.
        public var accent: UInt32
        public var onAccent: UInt32
    }

    public var light: Colours {
        switch self {
        case .paper: Colours(0xF4F1EA, 0xFFFFFF, 0x1E1C18, 0x5E5A50, 0x7A4B12, 0xFFFFFF)
        case .ink: Colours(0xE9EEF6, 0xFFFFFF, 0x131A2A, 0x4E5870, 0x1E4BA8, 0xFFFFFF)
        case .moss: Colours(0xEAF2EB, 0xFFFFFF, 0x14211A, 0x4B5E52, 0x1F6B43, 0xFFFFFF)
        case .clay: Colours(0xF9EDE8, 0xFFFFFF, 0x2A1712, 0x6B534B, 0xA23B1D, 0xFFFFFF)
        case .plum: Colours(0xF4ECF5, 0xFFFFFF, 0x23152A, 0x60506A, 0x7A2C8C, 0xFFFFFF)
        case .slate: Colours(0xE9ECEE, 0xFFFFFF, 0x171B1E, 0x535C63, 0x37474F, 0xFFFFFF)
        }
    }

    public var dark: Colours {
        switch self {
        case .paper: Colours(0x14130F, 0x211F1A, 0xF2EFE6, 0xB7B1A2, 0xE3B26B, 0x201505)
        case .ink: Colours(0x0B101B, 0x151C2C, 0xE9EEFA, 0xA6B2CC, 0x8FB4FF, 0x08142E)
        case .moss: Colours(0x0B130E, 0x15201A, 0xE8F3EB, 0xA5BAAC, 0x7FD3A2, 0x06200F)
        case .clay: Colours(0x170D0A, 0x261814, 0xFAECE7, 0xCBB0A7, 0xF39B7C, 0x2C0D03)
        case .plum: Colours(0x130C17, 0x211727, 0xF6EBFA, 0xC0AEC9, 0xDE9CEF, 0x280633)
        case .slate: Colours(0x0E1113, 0x1B2023, 0xECF0F2, 0xADB7BD, 0xAEC6D1, 0x0F1A20)
        }
    }

    /// `#1e4ba8`
    public static func css(_ colour: UInt32) -> String {
        let digits = Array("0123456789abcdef")
        return "#" + (0..<6).reversed().map { String(digits[Int(colour >> UInt32($0 * 4) & 15)]) }.joined()
    }
}

extension CardTheme.Colours {
    fileprivate init(
        _ ground: UInt32, _ card: UInt32, _ text: UInt32, _ soft: UInt32, _ accent: UInt32, _ onAccent: UInt32
    ) {
        self.init(
            ground: ground, card: card, text: text, soft: soft, accent: accent, onAccent: onAccent)
    }
}

/// How the parts of a card stand.
public enum CardLayout: String, Sendable, CaseIterable {
    /// One below the other, in the middle.
    case stacked
    /// The picture beside the name.
    case split
    /// The picture over the whole width.
    case photo
}
