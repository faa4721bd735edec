/// Papers of our own to begin with: drawn here, free to use and to change, each with fields ready to be filled.
public enum StarterTemplates {
    /// In the order they are offered.
    public static let all: [StarterTemplate] = [
        StarterTemplate(
            key: "certificate", name: "Award certificate",
            summary: "A certificate with a name, a reason, a date and a signature, on its side."),
        StarterTemplate(
            key: "consent", name: "Consent form",
            summary: "Participant, parents, activity, health and what is agreed to, to be signed."),
        StarterTemplate(
            key: "invoice", name: "Invoice",
            summary: "Eight lines with quantities and prices; sums and tax are worked out."),
        StarterTemplate(
            key: "letter", name: "Letter",
            summary: "An address that fits the window of an envelope, and a page of text."),
        StarterTemplate(
            key: "badges", name: "Name badges",
            summary: "Eight badges on a sheet, 90 by 60 millimetres, with marks to cut along."),
    ]

    /// The document; nil when there is no such template. The same key, paper and letterhead give the same
    /// bytes on a machine.
    public static func bytes(
        _ key: String, paper: PaperSize = .a4, letterhead: Letterhead? = nil
    ) -> [UInt8]? {
        switch key {
        case "certificate": Certificate(paper, letterhead).bytes()
        case "consent": ConsentForm(paper, letterhead).bytes()
        case "invoice": Invoice(paper, letterhead).bytes()
        case "letter": Letter(paper, letterhead).bytes()
        case "badges": NameBadges(paper).bytes()
        default: nil
        }
    }
}

public struct StarterTemplate: Sendable, Equatable {
    /// How programs call it.
    public let key: String
    public let name: String
    public let summary: String
}

public enum PaperSize: String, Sendable, CaseIterable {
    case a4, letter

    /// In points, upright.
    var size: (width: Double, height: Double) {
        switch self {
        case .a4: (595.276, 841.89)
        case .letter: (612, 792)
        }
    }

    /// As people write dates where this paper is used.
    var datePattern: String {
        switch self {
        case .a4: "d mmmm yyyy"
        case .letter: "mmmm d, yyyy"
        }
    }
}
