import Archives

/// The objects of revisions of ours by their numbers, those in object streams too. Of two with one number the later
/// counts.
public struct RevisionObjects {
    public struct Object {
        public var value: PDFObject
        /// What a stream holds, as it is stored.
        public var data: [UInt8]?
    }

    /// Packs that were read before: copies of one form most often carry the same.
    public struct Packs {
        fileprivate var known: [[UInt8]: [(PDFReference, PDFObject)]] = [:]
        fileprivate static let most = 64
        public init() {}
    }

    private var objects: [PDFReference: Object] = [:]

    /// `added` is what stands behind a file: one revision or several.
    public init(_ added: [UInt8], _ packs: inout Packs) throws(PDFError) {
        guard !added.isEmpty else { return }
        for object in try RevisionReader(added).objects {
            if object.value.dictionary?["Type"]?.name == "ObjStm" {
                for (reference, value) in try Self.unpacked(object, &packs) {
                    objects[reference] = Object(value: value)
                }
            } else {
                objects[object.reference] = Object(value: object.value, data: object.data)
            }
        }
    }

    public subscript(reference: PDFReference) -> Object? { objects[reference] }

    private static func unpacked(
        _ pack: RevisionReader.Object, _ packs: inout Packs
    ) throws(PDFError) -> [(PDFReference, PDFObject)] {
        guard let data = pack.data else { return [] }
        if let known = packs.known[data] { return known }
        let dictionary = pack.value.dictionary ?? [:]
        let isPacked = dictionary["Filter"]?.name == "FlateDecode"
        guard let plain = isPacked ? inflated(data, limit: 64 << 20) : data,
            let first = dictionary["First"]?.integer, (0...plain.count).contains(first)
        else { throw .damaged("objects of a revision cannot be unpacked") }
        var head = PDFObjectReader(Array(plain[..<first]))
        var found: [(PDFReference, PDFObject)] = []
        for member in pack.members {
            guard head.object().integer == member, let place = head.object().integer,
                (0..<plain.count - first).contains(place)
            else { throw .damaged("objects of a revision cannot be unpacked") }
            var body = PDFObjectReader(plain, at: first + place)
            found.append((PDFReference(member), body.object()))
        }
        if packs.known.count >= Packs.most { packs.known.removeAll() }
        packs.known[data] = found
        return found
    }
}
