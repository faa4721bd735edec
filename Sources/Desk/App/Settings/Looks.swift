public import Bytes
public import Pictures
public import Storage

/// The desk in its office's own clothes: what those outside see of it on pages, mails and papers.
public struct Looks: Sendable, Equatable, SettingGroup {
    /// Empty: the organization of the identity.
    public var name: String
    /// As pages write it, `#1e4ba8`; empty for the desk's own green.
    public var colour: String
    /// What stands under the name on papers, line by line. Empty: the address, telephone and mail address of the identity.
    public var letterhead: String
    public internal(set) var logo: Digest?

    public static let fields: [ThingField<Looks>] = [
        .line(
            "name", \.name, longest: 200, label: "looks.name",
            "what those outside are told the desk is called",
            called: "NAME"),
        .line(
            "colour", \.colour, longest: 20, label: "looks.colour", "its colour, such as #1e4ba8",
            called: "COLOUR"),
        .text(
            "letterhead", \.letterhead, longest: 1000, label: "looks.letterhead",
            "what stands under the name on papers, up to six lines"),
    ]

    public init(name: String = "", colour: String = "", letterhead: String = "") {
        self.name = name
        self.colour = colour
        self.letterhead = letterhead
    }

    static let name = "looks"
    static let mostLines = 6

    init() { self.init(name: "") }

    init(_ json: JSON) {
        self.init()
        try? Self.fields.take(json, into: &self)
        logo = json["logo"]?["blob"]?.string.flatMap(Digest.init)
    }

    /// A file among the values travels to other desks with them.
    public var json: JSON {
        var json = Self.fields.json(of: self)
        json["logo"] = logo.map { ["blob": .string($0.hex)] } ?? ""
        return .object(json)
    }

    func checked() throws(Failure) -> Looks {
        var tidied = Looks(
            name: try SettingCheck.line(name, "name", limit: 100), colour: colour.trimmed,
            letterhead: try SettingCheck.lines(letterhead, "letterhead", limit: 500))
        if !tidied.colour.isEmpty {
            guard let shade = Shade(tidied.colour) else {
                throw Failure(
                    .invalid, "“\(tidied.colour.prefix(40))” is no colour. Write it as #1e4ba8.",
                    field: "colour")
            }
            tidied.colour = shade.css
        }
        guard
            tidied.letterhead.split(separator: "\n", omittingEmptySubsequences: false).count <= Self.mostLines
        else {
            throw Failure(
                .invalid, "A letterhead has at most \(Self.mostLines) lines below the name.",
                field: "letterhead")
        }
        tidied.logo = logo
        return tidied
    }

    /// Somebody has said how the desk is to look.
    public var isWorn: Bool { self != Looks() }
}

/// A colour and those made of it, so that everything can be read by day and by night.
public struct Dye: Sendable, Equatable {
    public var chosen: Shade

    public init(_ chosen: Shade) { self.chosen = chosen }

    /// The grounds of our pages that letters stand on: tokens.css has them.
    private static let light = [0xF8F7F2, 0xFFFEFD, 0xFFFFFF, 0xF1EFE9, 0xEDEDE6].map(Shade.init)
    private static let dark = [0x0E1412, 0x161E1B, 0x1F2725, 0x090F0D, 0x242E2B].map(Shade.init)

    /// Links and buttons, and what stands on them.
    public struct Shades: Sendable, Equatable {
        public var accent: Shade
        public var strong: Shade
        public var onAccent: Shade
        public var tint: Shade
    }

    public var byDay: Shades { shades(on: Self.light, tint: 0.88, of: .white, towards: .black) }
    public var byNight: Shades { shades(on: Self.dark, tint: 0.75, of: Self.dark[1], towards: .white) }
    /// For those who ask for more contrast (WCAG 1.4.6).
    public var clearByDay: Shade { chosen.read(on: Self.light, contrast: 7) }
    public var clearByNight: Shade { chosen.read(on: Self.dark, contrast: 7) }

    /// What letters are set in on light pages and on paper, where the colour itself is too pale for it; nil where it is not.
    /// By night every colour is made lighter.
    public var nearest: Shade? {
        let read = byDay.accent
        return read == chosen ? nil : read
    }

    /// What is tinted is as pale as it has to be for the accent to be read on it.
    private func shades(
        on grounds: [Shade], tint share: Double, of paper: Shade, towards end: Shade
    ) -> Shades {
        let accent = chosen.read(on: grounds)
        let tint = stride(from: share, to: 1, by: 0.02).map { accent.mixed(with: paper, $0) }.first {
            accent.contrast(with: $0) >= Shade.readable
        }
        return Shades(
            accent: accent, strong: accent.mixed(with: end, 0.2), onAccent: accent.onTop, tint: tint ?? paper)
    }
}

extension Looks {
    public var dye: Dye? { Shade(colour).map(Dye.init) }
}
