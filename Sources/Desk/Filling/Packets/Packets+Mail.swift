public import Access
public import Formulas
import Making
import Mappings
import PDFForms
import SQL
public import Storage
public import Tables
import Work

/// A packet with what a letter to its recipient can speak of.
public struct Addressee: Sendable, Equatable {
    public var packet: Packet
    /// The recipient's row as it was planned, in the order of the columns.
    public var cells: [Cell]
}

// What whoever sends packets needs of them, for many at a time.
extension Batches {
    /// What formulas know beside the row: the columns of the list, the day, the name of the form.
    public func wording(of id: ID<Batch>, by caller: Caller) throws -> FormulaContext {
        try caller.require(.view)
        let batch = try get(id, by: caller)
        var context = try maker(of: batch).pins.context()
        context.today = circumstances.today(store.clock.now())
        return context
    }

    /// Packets of the current plan in the list's order, behind the one of this place.
    public func addressees(
        of id: ID<Batch>, in states: [Packet.State] = [.made], after place: Int = 0, limit: Int = 200,
        by caller: Caller
    ) throws -> [Addressee] {
        try addressees(
            """
            p.batch = \(id) AND p.plan = (SELECT plan FROM batch WHERE id = \(id))
                AND \(Query.column("p.state", in: states.map(\.rawValue))) AND p.place > \(place)
            ORDER BY p.place LIMIT \(limit)
            """, by: caller)
    }

    /// These packets, in no special order; those that are gone are left out.
    public func addressees(_ ids: [ID<Packet>], by caller: Caller) throws -> [Addressee] {
        try addressees(Query.column("p.id", in: ids), by: caller)
    }

    private func addressees(_ condition: Query, by caller: Caller) throws -> [Addressee] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows(
                "SELECT p.*, c.cells FROM packet p JOIN packet_content c ON c.packet = p.id WHERE \(condition)"
            ).map { Addressee(packet: try Packet($0), cells: try PacketRow.cells(kept: $0.text("cells"))) }
        }
    }

    /// The files of packets of one batch, made at the same time by several threads. A packet that cannot be made says
    /// why; one that would come out differently than it was made is refused too, for nobody has looked at that.
    public func files(
        of packets: [ID<Packet>], in id: ID<Batch>, by caller: Caller
    ) throws -> [ID<Packet>: Result<PacketFile, any Error>] {
        let batch = try get(id, by: caller)
        let kept = try kept(packets, maker: maker(of: batch))
        let files = try workers.map(kept) { packet in
            Result { () throws -> PacketFile in
                let file = try Self.told { try packet.file() }
                guard packet.packet.digest.map({ $0 == file.digest }) ?? true else { throw Self.otherwise }
                return file
            }
        }
        return Dictionary(
            zip(kept.map(\.packet.id), files).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    }

    /// The texts that went into the fields of packets, behind the one of this place: what a copy that comes back is
    /// compared with. Boxes are left out, for each form has words of its own for them.
    public func texts(
        of id: ID<Batch>, after place: Int = 0, limit: Int = 500, by caller: Caller
    ) throws -> [(packet: Packet, texts: [String: String])] {
        let batch = try get(id, by: caller)
        let maker = try maker(of: batch)
        return try addressees(of: id, after: place, limit: limit, by: caller).map { addressee in
            var texts: [String: String] = [:]
            for piece in maker.maker.think(addressee.cells, number: addressee.packet.place).pieces {
                guard case .form(let row) = piece.content,
                    case .form(let form) = maker.parts[piece.part].content
                else { continue }
                for (field, value) in zip(form.mapping.fields, row.values) {
                    if case .text(let text)? = value, texts[field] == nil { texts[field] = text }
                }
            }
            return (addressee.packet, texts)
        }
    }

    /// What opens the packets of a batch, with the names of their files; nothing where they have no passwords.
    public func passwords(
        of id: ID<Batch>, by caller: Caller
    ) throws -> [(fileName: String, password: String)] {
        try caller.require(.edit)
        let batch = try get(id, by: caller)
        guard !batch.draft.options.password.isEmpty else { return [] }
        let maker = try maker(of: batch)
        var passwords: [(fileName: String, password: String)] = []
        var place = 0
        while true {
            let page = try addressees(of: id, after: place, limit: 500, by: caller)
            guard let last = page.last else { return passwords }
            place = last.packet.place
            for addressee in page {
                let packet = addressee.packet
                let thought = maker.maker.think(addressee.cells, number: packet.place)
                if let password = thought.password, !password.isEmpty {
                    passwords.append((packet.fileName, password))
                }
            }
        }
    }

    private static let otherwise = Failure(
        .conflict,
        "This packet would come out differently than it was made, because Quire has changed since. Make a copy of the batch and make it anew."
    )
}
