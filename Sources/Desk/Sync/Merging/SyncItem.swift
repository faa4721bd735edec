public import Bytes
public import Storage

/// One thing as it lies in the library of this desk, in the words in which it travels.
public struct SyncItem: Sendable {
    public var fields: [String: JSON] = [:]
    public var isTrashed = false
    public var blob: Blob?
    public var states: [String: JSON] = [:]
    /// When it last changed here; counts when two desks meet that both have it already.
    public var changedAt: Int64 = 0

    public init() {}

    /// How fields begin that tell of this one thing and hold for no copy of it.
    public static let ofThisOne = "here:"

    /// Every file it is made of.
    var blobs: [Digest] {
        var all = blob.map { [$0.digest] } ?? []
        all += states.keys.sorted().compactMap { states[$0].flatMap(Blob.init)?.digest }
        all += fields.keys.sorted().compactMap { Self.digest(in: fields[$0]) }
        var seen: Set<Digest> = []
        return all.filter { seen.insert($0).inserted }
    }

    /// A field that stands for a file.
    private static func digest(in value: JSON?) -> Digest? { value?["blob"]?.string.flatMap(Digest.init) }
}

extension SyncItem: Equatable {
    /// When it changed is no part of what it is.
    public static func == (a: SyncItem, b: SyncItem) -> Bool {
        a.fields == b.fields && a.isTrashed == b.isTrashed && a.blob == b.blob && a.states == b.states
    }
}

extension SyncItem {
    var json: JSON {
        func object(_ values: [String: JSON]) -> JSON {
            .object(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
        }
        var json: JSONObject = ["fields": object(fields), "trashed": .bool(isTrashed)]
        if let blob {
            json["blob"] = [
                "digest": .string(blob.digest.hex), "size": .integer(blob.byteCount),
                "type": .string(blob.mediaType),
            ]
        }
        if !states.isEmpty { json["states"] = object(states) }
        return .object(json)
    }

    init(_ json: JSON) {
        for (name, value) in json["fields"]?.object ?? [:] { fields[name] = value }
        isTrashed = json["trashed"]?.bool ?? false
        blob = json["blob"].flatMap(Blob.init)
        for (name, value) in json["states"]?.object ?? [:] { states[name] = value }
    }

    /// What a record says, for the library of this desk.
    init(_ record: SyncRecord) {
        for (name, held) in record.fields where !held.value.isNull { fields[name] = held.value }
        isTrashed = record.isTrashed
        blob = record.content?.blob
        states = record.states
    }
}
