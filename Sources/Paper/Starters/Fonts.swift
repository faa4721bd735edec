import PDF
import PDFDrawing

/// The few fonts our own papers are set in.
enum FontKey: String, CaseIterable, Sendable {
    case sans, sansBold, serif, serifItalic, display

    /// Their names inside a document.
    var name: PDFName {
        switch self {
        case .sans: "Text"
        case .sansBold: "Bold"
        case .serif: "Serif"
        case .serifItalic: "Italic"
        case .display: "Display"
        }
    }
}

/// Looked up once: asking the machine for a font takes longer than drawing a page.
struct Fonts: Sendable {
    static let shared = Fonts()

    private let all: [FontKey: PageFont]

    private init() {
        all = [
            .sans: PageFont(.sans), .sansBold: PageFont(.sans, isBold: true), .serif: PageFont(.serif),
            .serifItalic: PageFont(.serif, isItalic: true), .display: PageFont(.display),
        ]
    }

    subscript(key: FontKey) -> PageFont { all[key] ?? Self.plain }

    private static let plain = PageFont(.sans)
}
