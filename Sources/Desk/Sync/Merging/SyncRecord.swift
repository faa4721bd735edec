import Bytes
import Storage

/// What all desks together know of one thing: a paper, a folder, a contact.
///
/// Two records of the same thing can always be joined, in any order and any number of times, with the same result. Each
/// field is what was said last. Whether the thing is there is told by the acts upon it: it is gone when every act that
/// wanted it (making it, other bytes, bringing it back) was known to somebody who threw it away. So who throws away an
/// old state does not throw away what somebody else wrote meanwhile, and nothing comes back by itself.
struct SyncRecord: Sendable, Equatable {
    struct Held: Sendable, Equatable {
        var stamp: Stamp
        var value: JSON

        /// Equal stamps with other values happen when two desks draw the same conclusion from different views.
        func yields(to other: Held) -> Bool {
            stamp == other.stamp ? value.text < other.value.text : stamp < other.stamp
        }
    }

    /// The bytes of a paper, who put them there and what that one knew.
    struct Content: Sendable, Equatable {
        var stamp: Stamp
        var act: Act
        var base: Seen
        /// What the desk is called, for the name of a copy.
        var desk: String
        var blob: Blob

        func knew(_ other: Content) -> Bool { base.contains(other.act) }
    }

    let kind: String
    let id: String
    var fields: [String: Held] = [:]
    var wanted = Seen()
    var trashed = Seen()
    var gone = Seen()
    var content: Content?
    /// Earlier bytes, under names that are the same on every desk.
    var states: [String: JSON] = [:]

    init(kind: String, id: String) {
        self.kind = kind
        self.id = id
    }

    var isGone: Bool { !wanted.isEmpty && gone.covers(wanted) }

    var isTrashed: Bool {
        var away = trashed
        away.join(gone)
        return !wanted.isEmpty && away.covers(wanted)
    }

    /// The latest that anybody said here.
    var latest: Stamp? {
        let stamps = fields.values.map(\.stamp)
        return (stamps + (content.map { [$0.stamp] } ?? [])).max()
    }

    subscript(field: String) -> JSON? { fields[field]?.value }

    mutating func set(_ field: String, _ value: JSON, _ stamp: Stamp) {
        let held = Held(stamp: stamp, value: value)
        if let old = fields[field], !old.yields(to: held) { return }
        fields[field] = held
    }

    /// Takes in what another record of the same thing says. Bytes of which neither writer knew the other's are both
    /// wanted: those that do not stay are given back.
    mutating func join(_ other: SyncRecord) -> Content? {
        for (field, held) in other.fields { set(field, held.value, held.stamp) }
        wanted.join(other.wanted)
        trashed.join(other.trashed)
        gone.join(other.gone)
        states.merge(other.states) { $0.text < $1.text ? $1 : $0 }
        guard let theirs = other.content else { return nil }
        guard let ours = content else {
            content = theirs
            return nil
        }
        guard ours != theirs, !ours.knew(theirs) else { return nil }
        if theirs.knew(ours) || ours.blob.digest == theirs.blob.digest {
            // Of the same bytes the later telling is kept, so that every desk keeps the same one.
            if theirs.knew(ours) || ours.stamp < theirs.stamp { content = theirs }
            return nil
        }
        guard ours.stamp < theirs.stamp else { return theirs }
        content = theirs
        return ours
    }
}

extension SyncRecord {
    var json: JSON {
        var json: JSONObject = ["kind": .string(kind), "id": .string(id)]
        json["fields"] = .object(
            JSONObject(
                fields.sorted { $0.key < $1.key }.map {
                    ($0.key, [.string($0.value.stamp.text), $0.value.value])
                }))
        json["wanted"] = wanted.json
        if !trashed.isEmpty { json["trashed"] = trashed.json }
        if !gone.isEmpty { json["gone"] = gone.json }
        if let content { json["content"] = content.json }
        if !states.isEmpty {
            json["states"] = .object(JSONObject(states.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
        }
        return .object(json)
    }

    /// Nil for what no desk of ours would write.
    init?(_ json: JSON) {
        guard let kind = json["kind"]?.string, let id = json["id"]?.string, !kind.isEmpty, !id.isEmpty else {
            return nil
        }
        self.init(kind: kind, id: id)
        for (name, held) in json["fields"]?.object ?? [:] {
            guard let stamp = held[0]?.string.flatMap(Stamp.init), let value = held[1] else { return nil }
            fields[name] = Held(stamp: stamp, value: value)
        }
        wanted = Seen(json["wanted"])
        trashed = Seen(json["trashed"])
        gone = Seen(json["gone"])
        if let content = json["content"] {
            guard let content = Content(content) else { return nil }
            self.content = content
        }
        for (key, state) in json["states"]?.object ?? [:] { states[key] = state }
    }
}

extension SyncRecord.Content {
    var json: JSON {
        [
            "stamp": .string(stamp.text), "device": .string(act.device), "number": .integer(act.number),
            "base": base.json, "desk": .string(desk), "digest": .string(blob.digest.hex),
            "size": .integer(blob.byteCount), "type": .string(blob.mediaType),
        ]
    }

    init?(_ json: JSON) {
        guard let stamp = json["stamp"]?.string.flatMap(Stamp.init), let device = json["device"]?.string,
            let number = json["number"]?.integer, let blob = Blob(json), let desk = json["desk"]?.string
        else { return nil }
        self.init(
            stamp: stamp, act: Act(device: device, number: number), base: Seen(json["base"]), desk: desk,
            blob: blob)
    }
}

extension Blob {
    init?(_ json: JSON) {
        guard let digest = json["digest"]?.string.flatMap(Digest.init), let size = json["size"]?.integer,
            size >= 0, let type = json["type"]?.string, !type.isEmpty
        else { return nil }
        self.init(digest: digest, byteCount: size, mediaType: type)
    }
}
