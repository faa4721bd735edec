import Bytes
import Making
import PDFForms
public import Storage

/// A packet's papers in their order, before they are put together.
struct PacketParts {
    enum Paper {
        case filled(part: Int, FormPart, Filled, [FieldValue?])
        /// A paper of the library, as it is.
        case whole(part: Int, name: String, Digest, pageCount: Int?)
    }

    var papers: [Paper] = []
    var problems: [PacketProblem] = []
}

/// A finished packet's file. What all copies share is not copied.
public struct PacketFile: Sendable {
    /// One after the other they are the file.
    public let pieces: [[UInt8]]
    public let byteCount: Int
    public let pageCount: Int
    public let digest: Digest

    public var bytes: [UInt8] { pieces.count == 1 ? pieces[0] : Array(pieces.joined()) }
}

/// What is written down about a packet that was made.
struct MadePacket: Sendable {
    var digest: String
    var byteCount: Int
    var pageCount: Int
    var problems: [PacketProblem]
    var isSigned = false

    var keptProblems: String { problems.isEmpty ? "[]" : JSON.array(problems.map(\.json)).text }
}
