/// Why a table could not be read, and where.
public struct TableError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line of a text or the row of a sheet, from 1; 0 when the whole file is to blame.
    public var line: Int
    public var reason: String

    public init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }

    /// About the file as a whole.
    public init(_ reason: String) { self.init(line: 0, reason: reason) }

    public var description: String { line > 0 ? "line \(line): \(reason)" : reason }
}
