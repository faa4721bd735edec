public import Access
public import Bytes
import Library
import Making
import PDFForms
import SQL
public import Storage
public import Tables

/// A packet with all that is known about it.
public struct PacketDetails: Sendable {
    public struct Part: Sendable, Equatable {
        /// The part of the batch it is, from 0.
        public var index: Int
        public var name: String
        /// Nil for a paper that is put in as it is.
        public var template: ID<Template>?
        public var edition: Int?
    }

    public struct NamedCell: Sendable, Equatable {
        public var column: String
        public var cell: Cell
    }

    public var packet: Packet
    public var parts: [Part]
    public var problems: [PacketProblem]
    /// The recipient's row, as it was when the batch was planned.
    public var cells: [NamedCell]
    /// The file or hand the row came from, and its place there.
    public var source: String
    public var place: Int?

    public var json: JSON {
        var view = packet.json
        view["parts"] = .array(
            parts.map {
                [
                    "part": .int($0.index), "name": .string($0.name),
                    "template": .optional($0.template?.text),
                    "edition": .optional($0.edition),
                ]
            })
        view["problems"] = .array(problems.map(\.json))
        view["cells"] = .array(
            cells.map {
                var cell = $0.cell.json
                cell["column"] = .string($0.column)
                return cell
            })
        view["source"] = ["name": .string(source), "place": .optional(place)]
        return view
    }
}

extension Batches {
    public func packet(_ id: ID<Packet>, by caller: Caller) throws -> PacketDetails {
        try caller.require(.view)
        let kept = try kept(id)
        return PacketDetails(
            packet: kept.packet, parts: Self.parts(of: kept), problems: kept.problems,
            cells: kept.maker.pins.columns.enumerated().map { index, column in
                .init(
                    column: column.name,
                    cell: kept.row.cells.indices.contains(index) ? kept.row.cells[index] : .empty)
            }, source: kept.row.source, place: kept.row.place)
    }

    /// The packet's file, made from what was held fast; before the batch is filled this shows what will be made.
    /// `isAsMade` is false when a packet that was made comes out differently now, as another version of Quire may set
    /// text otherwise.
    public func file(
        of id: ID<Packet>, by caller: Caller
    ) throws -> (packet: Packet, file: PacketFile, isAsMade: Bool) {
        try caller.require(.view)
        let kept = try kept(id)
        let file = try Self.told { try kept.file() }
        return (kept.packet, file, kept.packet.digest.map { $0 == file.digest } ?? true)
    }

    /// A page as a small picture (JPEG), for a sheet of all packets. Pages are counted from 1.
    ///
    /// The picture is kept among the previews, except of a packet that asks for a password: what is locked when it is
    /// handed out does not lie about in the open here.
    public func picture(
        of id: ID<Packet>, page: Int = 1, width: Int = 240, by caller: Caller
    ) throws -> [UInt8] {
        try caller.require(.view)
        guard let previews else { throw Failure(.unsupported, "Pages are not shown here.") }
        let kept = try kept(id)
        if kept.isLocked {
            let file = try Self.told { try kept.file(opened: true) }
            return try previews.passingPicture(of: file.bytes, page: page - 1, width: width)
        }
        // What was made is known by its digest, so a picture that is kept needs no second making.
        if let digest = kept.packet.digest {
            return try previews.picture(of: digest, page: page - 1, width: width) {
                try Self.told { try kept.file() }.bytes
            }
        }
        let file = try Self.told { try kept.file() }
        return try previews.picture(of: file.digest, page: page - 1, width: width) { file.bytes }
    }

    /// A packet with all it is made from.
    struct Kept: Sendable {
        var packet: Packet
        var row: PacketRow
        var problems: [PacketProblem]
        var attachments: [PacketThought.Attachment]
        var firstPage: Int
        var maker: PacketMaker

        init(
            _ content: Row, _ packet: Packet, _ attachments: [PacketThought.Attachment], _ maker: PacketMaker
        ) throws {
            self.packet = packet
            self.attachments = attachments
            self.maker = maker
            row = PacketRow(
                recipient: packet.recipient, name: packet.name, email: packet.email,
                cells: try PacketRow.cells(kept: content.text("cells")))
            try row.read(source: content.text("source"))
            problems = try content.json("problems").array?.compactMap(PacketProblem.init(kept:)) ?? []
            firstPage = try content.int("first_page")
        }

        var thought: Thought { maker.thought(row, number: packet.place) }

        var isLocked: Bool { maker.maker.recipe.password != nil }

        /// Signed ones are the same each time they are asked for: as they were kept.
        func file(opened: Bool = false) throws -> PacketFile {
            if maker.pins.options.signer != nil, let digest = packet.digest {
                let bytes = try maker.store.blobs.read(digest, atMost: Int(clamping: packet.byteCount))
                return PacketFile(
                    pieces: [bytes], byteCount: bytes.count, pageCount: packet.pageCount, digest: digest)
            }
            return try maker.file(thought, firstPage: firstPage, attachments: attachments, opened: opened)
                .file
        }
    }

    func kept(_ id: ID<Packet>) throws -> Kept {
        let found = try store.read { desk in try kept(id, in: desk) }
        guard let (content, attachments) = found else {
            throw Failure(.notFound, "There is no such packet. The batch may have been planned anew.")
        }
        let packet = try Packet(content)
        return try Kept(content, packet, attachments, maker(of: packet.batch, plan: content.int("plan")))
    }

    private func kept(
        _ id: ID<Packet>, in desk: borrowing Reading
    ) throws -> (Row, [PacketThought.Attachment])? {
        let row = try desk.row(
            """
            SELECT p.*, c.source, c.cells, c.problems FROM packet p JOIN packet_content c ON c.packet = p.id
            WHERE p.id = \(id)
            """)
        guard let row else { return nil }
        return (row, try attachments(of: [id.text], in: desk)[id.text] ?? [])
    }

    static func told<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let trouble as MakingTrouble {
            throw Failure(.conflict, "This packet cannot be made. \(trouble.reason)")
        }
    }

    private static func parts(of kept: Kept) -> [PacketDetails.Part] {
        kept.thought.pieces.flatMap { piece -> [PacketDetails.Part] in
            let part = kept.maker.parts[piece.part]
            guard case .own = piece.content else {
                guard
                    case .form(let template, let edition, _, _, _) = kept.maker.pins.parts[piece.part].content
                else { return [.init(index: piece.part, name: part.name)] }
                return [.init(index: piece.part, name: part.name, template: template, edition: edition)]
            }
            return kept.attachments.filter { $0.part == piece.part }.map {
                .init(index: $0.part, name: $0.name)
            }
        }
    }
}
