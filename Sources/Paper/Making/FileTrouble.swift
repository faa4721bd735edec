import Glibc
import Work

/// A file that could not be read or written, and why.
public struct FileTrouble: Error, Sendable, Equatable, CustomStringConvertible {
    public var path: String
    public var reason: String

    public static let thereAlready = "the file is there already"

    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// With the reason the system gives for what failed last.
    init(_ path: String) { self.init(path: path, reason: systemMessage(errno)) }

    public var description: String { "\(path): \(reason)" }
}
