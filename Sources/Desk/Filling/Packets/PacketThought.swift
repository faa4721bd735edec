import Bytes
import Storage

/// A packet thought through: what it would be made of, how it would be called, what would go wrong.
struct PacketThought: Sendable {
    struct Attachment: Sendable, Equatable {
        var part: Int
        var name: String
        var digest: Digest
    }

    var number: Int
    var row: PacketRow
    /// Which of the batch's parts it has.
    var parts: [Int] = []
    /// Names of papers that are still to be found in the library.
    var wanted: [(part: Int, name: String)] = []
    var attachments: [Attachment] = []
    var problems: [PacketProblem] = []
    var pageCount = 0
    /// How many pages the packets before it have.
    var firstPage = 0
    var fileName = ""
    /// A digest over everything the packet says: two packets of one content differ in nothing a reader could see.
    var content = ""
    var change = Packet.Change.new
    /// The packet that the recipient has from before.
    var earlier: ID<Packet>?
    var state = Packet.State.planned

    var isSerious: Bool { problems.contains(where: \.isSerious) }

    /// It can be made, but not be sent by mail.
    var isUnreachable: Bool { problems.contains { [.noAddress, .badAddress].contains($0.kind) } }

    /// Why it is held back, for the list.
    var reason: String {
        guard state == .held, let first = problems.first(where: \.isSerious) else { return "" }
        let more = problems.count(where: \.isSerious) - 1
        return more > 0 ? "\(first.message) And \(more) more." : first.message
    }

    var keptProblems: String { problems.isEmpty ? "[]" : JSON.array(problems.map(\.json)).text }
}
