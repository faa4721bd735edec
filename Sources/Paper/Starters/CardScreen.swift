import Codes
import PDF
import PDFDrawing

/// A card for a screen, drawn as a page so that each letter is there whatever its script.
public struct CardScreen {
    public enum Kind: String, Sendable, CaseIterable {
        /// Behind the clock of a telephone: the code stands where nothing else does.
        case wallpaper
        /// Behind somebody who speaks: words and code above, in the corners.
        case call
        /// For a watch: nothing but the code and the name.
        case glance

        /// In pixels.
        public var size: (width: Int, height: Int) {
            switch self {
            case .wallpaper: (1170, 2532)
            case .call: (1920, 1080)
            case .glance: (396, 484)
            }
        }
    }

    private let content: CardSheet.Content
    private let kind: Kind
    /// Behind it all.
    private let ground: UInt32
    private let plain: TemplateFont
    private let bold: TemplateFont
    private var out: [UInt8] = []
    private var draft = PDFDraft()
    private var fonts = FallbackFonts()
    private var used = PDFDictionary()

    public init(_ content: CardSheet.Content, _ kind: Kind, ground: UInt32) throws {
        self.content = content
        self.kind = kind
        self.ground = ground
        (plain, bold) = try TemplateFont.ofThisMachine()
    }

    private var size: (width: Double, height: Double) { (Double(kind.size.width), Double(kind.size.height)) }

    /// A page of as many points as the picture has pixels.
    public func bytes() -> [UInt8] {
        var screen = self
        screen.box(0, 0, size.width, size.height, ground)
        switch kind {
        case .wallpaper:
            // Below the clock, above what the thumb presses.
            screen.code(x: 225, y: 960, side: 720)
            screen.words(x: 105, y: 1740, width: 960, height: 420, name: 76, about: 44, isMiddle: true)
        case .call:
            // Nobody sits in the corners.
            screen.words(x: 80, y: 72, width: 1200, height: 260, name: 64, about: 36, isMiddle: false)
            screen.code(x: 1440, y: 72, side: 400)
        case .glance:
            screen.code(x: 18, y: 18, side: 360)
            screen.words(x: 12, y: 386, width: 372, height: 88, name: 40, about: 0, isMiddle: true)
        }
        screen.draft.add(screen.fonts)
        let face = screen.draft.face(size, ["Font": .dictionary(screen.used)], screen.out)
        // Programs that draw pages round their sides up.
        return screen.draft.paper(of: face, (size.width, size.height - 0.01))
    }

    private mutating func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ colour: UInt32) {
        out.append(text: "q ")
        out.append(colour: colour)
        out.append(rectangle: (x, size.height - y - height, width, height))
        out.append(text: "f Q\n")
    }

    /// White around it whatever is behind, as readers need it.
    private mutating func code(x: Double, y: Double, side: Double) {
        box(x, y, side, side, 0xFFFFFF)
        let quiet = side * 4 / Double(content.code.size + 8)
        content.code.draw(
            left: x + quiet, bottom: size.height - y - side + quiet, side: side - 2 * quiet, into: &out)
    }

    /// The name, and below it what somebody does where there is room for that.
    private mutating func words(
        x: Double, y: Double, width: Double, height: Double, name: Double, about: Double, isMiddle: Bool
    ) {
        let lines = TextLines(
            [content.name], font: bold, width: width, height: about > 0 ? height * 0.6 : height,
            sizes: name * 0.1...name)
        let share = isMiddle ? 0.5 : lines.runsLeft ? 1 : 0
        put(lines, content.text, x: x, y: y, width: width, share: share)
        let what = content.about.prefix(2).joined(separator: " · ")
        guard about > 0, !what.isEmpty else { return }
        let below = TextLines(
            [what], font: plain, width: width, height: height - lines.height, sizes: about * 0.1...about)
        put(below, content.soft, x: x, y: y + lines.height + about * 0.2, width: width, share: share)
    }

    private mutating func put(
        _ lines: TextLines, _ colour: UInt32, x: Double, y: Double, width: Double, share: Double
    ) {
        out.append(text: "BT ")
        out.append(colour: colour)
        let named = lines.draw(
            left: x, baseline: size.height - y - lines.size * (TextLines.leading - 0.26), room: width,
            share: share, fonts: &fonts, into: &out
        ) { draft.newReference() }
        out.append(text: "ET\n")
        for entry in named.entries where entry.key != lines.font.name { used[entry.key] = entry.value }
    }
}
