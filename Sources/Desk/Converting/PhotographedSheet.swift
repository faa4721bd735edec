import Bytes
import Conversion
import SQL
public import Scanning
import Storage

/// What somebody said of the sheet in a photo.
public struct PhotographedSheet: Sendable, Equatable {
    /// Where it lies; nil where that is looked for.
    public var corners: Corners?
    /// One of the words of `Look`; nil: as the others look.
    public var look: String?

    public init(corners: Corners? = nil, look: String? = nil) {
        (self.corners, self.look) = (corners, look)
    }

    init(_ row: Row) throws {
        corners = try row.optionalText("corners").flatMap { Corners(try JSON(parsing: $0)) }
        look = try row.optionalText("look")
    }

    func check() throws(Failure) {
        guard corners?.isConvex ?? true else {
            throw Failure(
                .invalid, "These four corners make no sheet. Give them one after the other around it.",
                field: "corners")
        }
        guard look.map({ word in Look.words.contains { $0.word == word } }) ?? true else {
            let words = Look.words.map(\.word).joined(separator: ", ")
            throw Failure(.invalid, "“scan” is one of these: \(words).", field: "scan")
        }
    }
}
