public import PDF

/// A place on a flat page where a form seems to want something, for a person to look at and accept.
public struct FieldProposal: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case text, multiline, comb, checkBox, signature
    }

    public var kind: Kind
    /// Counted from 0.
    public var page: Int
    /// In the page's own coordinates, as a field would state it.
    public var place: PDFRectangle
    /// Unique among the proposals and the fields that are there already; made from the label.
    public var name: String
    public var label: String
    /// Of a comb: how many characters it takes, one in each cell.
    public var cellCount: Int?
    /// From 0 to 1. Below a half it is worth a second look.
    public var confidence: Double

    public init(
        kind: Kind, page: Int, place: PDFRectangle, name: String, label: String = "", cellCount: Int? = nil,
        confidence: Double = 1
    ) {
        self.kind = kind
        self.page = page
        self.place = place
        self.name = name
        self.label = label
        self.cellCount = cellCount
        self.confidence = confidence
    }
}
