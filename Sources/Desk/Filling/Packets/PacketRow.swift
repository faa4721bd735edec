public import Bytes
public import Tables

/// A recipient as a packet is made from them. It is kept with the packet when the batch is planned, so that the
/// list may change afterwards without changing anybody's papers.
public struct PacketRow: Sendable, Equatable {
    /// The recipient on the list, by id.
    public var recipient: String
    public var name: String
    public var email: String
    /// The file or hand the row came from, and where it stood there, from 1.
    public var source: String
    public var place: Int?
    /// In the order of the list's columns.
    public var cells: [Cell]

    public init(
        recipient: String, name: String, email: String = "", source: String = "", place: Int? = nil,
        cells: [Cell]
    ) {
        self.recipient = recipient
        self.name = name.withoutZeros
        self.email = email.withoutZeros
        self.source = source
        self.place = place
        self.cells = cells
        for index in cells.indices
        where cells[index].raw.holdsNUL || cells[index].shown.holdsNUL {
            self.cells[index].raw = cells[index].raw.withoutZeros
            self.cells[index].shown = cells[index].shown.withoutZeros
        }
    }
}

extension String {
    /// Without U+0000, which no page shows and no database keeps.
    fileprivate var withoutZeros: String {
        holdsNUL ? String(unicodeScalars.filter { $0 != "\0" }.map(Character.init)) : self
    }
}

extension PacketRow {
    /// The cells as one text. Most are plain, and then their text alone is kept.
    var keptCells: String { JSON.array(cells.map(\.kept)).text }

    var keptSource: String {
        JSON.array([.string(source), .optional(place)]).text
    }

    static func cells(kept text: String) throws -> [Cell] {
        if let cells = text.utf8.withContiguousStorageIfAvailable(plainCells), let cells { return cells }
        return (try JSON(parsing: text).array ?? []).map(Cell.init(kept:))
    }

    /// Most rows are plain texts without a sign that has to be escaped; those are read without making JSON of them
    /// first, which took longer than filling a form with them. Nil for all others.
    private static func plainCells(_ bytes: UnsafeBufferPointer<UInt8>) -> [Cell]? {
        guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") else { return nil }
        var cells: [Cell] = []
        var at = 1
        while at < bytes.count - 1 {
            if bytes[at] == UInt8(ascii: "\"") {
                let start = at + 1
                at = start
                while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
                    guard bytes[at] != UInt8(ascii: "\\") else { return nil }
                    at += 1
                }
                guard at < bytes.count - 1 else { return nil }
                let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<at]), as: UTF8.self)
                cells.append(Cell(kind: .text, raw: text, shown: text))
                at += 1
            } else if bytes[at...].starts(with: "null".utf8) {
                cells.append(.empty)
                at += 4
            } else {
                return nil
            }
            guard at == bytes.count - 1 || bytes[at] == UInt8(ascii: ",") else { return nil }
            if at < bytes.count - 1 { at += 1 }
        }
        return cells
    }

    /// What was kept has no U+0000 in it any more.
    init(
        kept cells: [Cell], recipient: String, name: String, email: String, source: String = "",
        place: Int? = nil
    ) {
        self.recipient = recipient
        self.name = name
        self.email = email
        self.source = source
        self.place = place
        self.cells = cells
    }

    mutating func read(source text: String) throws {
        let json = try JSON(parsing: text)
        source = json[0]?.string ?? ""
        place = json[1]?.int
    }
}

extension Cell {
    /// Nothing for an empty cell, the text for a plain one, a text to be judged by its looks between brackets; for the rest
    /// all that is known of it.
    fileprivate var kept: JSON {
        if self == .empty { return .null }
        if raw == shown, !isEdited {
            if kind == .text, date == nil { return .string(shown) }
            if !isTyped, self == Cell(shown) { return [.string(shown)] }
        }
        return [
            .string(kind.rawValue), .string(raw), .string(shown), .optional(date), .bool(isEdited),
            .bool(isTyped),
        ]
    }

    fileprivate init(kept json: JSON) {
        switch json {
        case .string(let text): self.init(kind: .text, raw: text, shown: text)
        case .array(let known) where known.count == 1: self.init(known[0].string ?? "")
        case .array:
            self.init(
                kind: json[0]?.string.flatMap(Kind.init) ?? .text, raw: json[1]?.string ?? "",
                shown: json[2]?.string ?? "", date: json[3]?.string)
            isEdited = json[4]?.bool ?? false
            // What was kept before cells knew it was read as a text where it looked like one.
            isTyped = json[5]?.bool ?? (raw != shown && isTyped)
        default: self = .empty
        }
    }

    public var json: JSON {
        [
            "kind": .string(kind.rawValue), "raw": .string(raw), "shown": .string(shown),
            "date": .optional(date), "edited": .bool(isEdited),
        ]
    }
}
