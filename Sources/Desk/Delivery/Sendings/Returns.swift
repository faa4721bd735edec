public import Access
public import Bytes
public import Filling
public import Making
import SQL
public import Storage

/// A filled form that came back, as harvesting read it.
public struct ReturnedForm: Sendable, Equatable {
    public var file: String
    public var fields: [String: String]

    public init(file: String, fields: [String: String]) {
        self.file = file
        self.fields = fields
    }
}

/// Whose form it is, and what somebody has written into it.
public struct ReturnMatch: Sendable, Equatable {
    public enum How: String, Sendable, CaseIterable {
        /// By the name of the file, as it was sent.
        case name
        /// By the texts it was sent with.
        case texts
        /// As many texts fit another recipient.
        case unclear
        case unknown
    }

    public struct Change: Sendable, Equatable {
        public var field: String
        public var sent: String
        public var returned: String
    }

    public var file: String
    public var packet: ID<Packet>?
    public var name: String
    public var how: How
    /// Fields that were sent with a text and came back with another.
    public var changed: [Change]
    /// Fields that were empty and are no longer.
    public var added: [String]

    public var json: JSON {
        [
            "file": .string(file), "packet": .optional(packet?.text), "name": .string(name),
            "how": .string(how.rawValue),
            "changed": .array(
                changed.map {
                    ["field": .string($0.field), "sent": .string($0.sent), "returned": .string($0.returned)]
                }), "added": .array(added.map(JSON.string)),
        ]
    }
}

extension ReturnMatch {
    /// What comparing found, for a table of the forms: whose each is, how that was told, and what is different in it.
    public static func columns(_ matches: [JSON]) -> [Harvest.Column] {
        guard !matches.isEmpty else { return [] }
        func column(_ name: String, _ text: (JSON) -> String) -> Harvest.Column {
            Harvest.Column(name: name, texts: matches.map(text))
        }
        return [
            column("recipient") { $0["name"]?.string ?? "" }, column("found by") { $0["how"]?.string ?? "" },
            column("changed") { match in
                (match["changed"]?.array ?? []).map {
                    "\($0["field"]?.string ?? ""): \($0["sent"]?.string ?? "") → \($0["returned"]?.string ?? "")"
                }.joined(separator: "; ")
            },
            column("added") { ($0["added"]?.array ?? []).compactMap(\.string).joined(separator: "; ") },
        ]
    }
}

extension Sendings {
    /// Finds out whose forms came back, and what is different in them. With `marks`, the ledger says that they came back.
    public func compare(
        _ forms: [ReturnedForm], with id: ID<Batch>, marks: Bool = false, by caller: Caller
    ) throws -> [ReturnMatch] {
        try caller.require(marks ? .edit : .view)
        let shelf = try ReturnShelf(batches, id, by: caller)
        let found = forms.map(shelf.match)
        guard marks else { return found }
        let ids = Array(Set(found.compactMap(\.packet)))
        let known = try lines(of: ids, by: caller).filter { $0.state != .returned }
        let files = Dictionary(
            found.compactMap { match in match.packet.map { ($0, match.file) } },
            uniquingKeysWith: { first, _ in first })
        try store.write { tx in
            try ledger.write(
                known.map { Self.note(.returned, $0.packet, id, files[$0.packet.id] ?? "", by: caller) },
                in: tx)
        }
        return found
    }
}

/// What was sent to everybody, ordered for finding whose a form is.
private struct ReturnShelf {
    private struct Key: Hashable {
        var field: String
        var text: String
    }

    private var packets: [(packet: Packet, texts: [String: String])] = []
    private var byText: [Key: [Int]] = [:]
    private var byName: [String: Int] = [:]

    init(_ batches: Batches, _ id: ID<Batch>, by caller: Caller) throws {
        var place = 0
        while true {
            let page = try batches.texts(of: id, after: place, by: caller)
            guard let last = page.last else { break }
            place = last.packet.place
            for (packet, texts) in page {
                for (field, text) in texts where !Self.tidy(text).isEmpty {
                    byText[Key(field: field, text: Self.tidy(text)), default: []].append(packets.count)
                }
                byName[LetterMaker.fileName(packet).lowercased()] = packets.count
                packets.append((packet, texts))
            }
        }
    }

    func match(_ form: ReturnedForm) -> ReturnMatch {
        let name = form.file.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if let place = byName[name] { return told(form, place, .name) }
        // A text that many have in common says little, and counts as little.
        var points: [Int: Double] = [:]
        for (field, text) in form.fields {
            guard let places = byText[Key(field: field, text: Self.tidy(text))] else { continue }
            for place in places { points[place, default: 0] += 1 / Double(places.count) }
        }
        let best = points.max { ($0.value, $1.key) < ($1.value, $0.key) }
        guard let best else {
            return ReturnMatch(file: form.file, packet: nil, name: "", how: .unknown, changed: [], added: [])
        }
        let rivals = points.count { $0.value >= best.value - 1e-9 }
        guard rivals == 1 else {
            return ReturnMatch(file: form.file, packet: nil, name: "", how: .unclear, changed: [], added: [])
        }
        return told(form, best.key, .texts)
    }

    private func told(_ form: ReturnedForm, _ place: Int, _ how: ReturnMatch.How) -> ReturnMatch {
        let (packet, texts) = packets[place]
        var match = ReturnMatch(
            file: form.file, packet: packet.id, name: packet.name, how: how, changed: [], added: [])
        for (field, returned) in form.fields.sorted(by: { $0.key < $1.key }) {
            let sent = texts[field] ?? ""
            guard Self.tidy(sent) != Self.tidy(returned) else { continue }
            if Self.tidy(sent).isEmpty {
                match.added.append(field)
            } else {
                match.changed.append(.init(field: field, sent: sent, returned: returned))
            }
        }
        return match
    }

    /// Programs put line ends and blanks as they like.
    private static func tidy(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
