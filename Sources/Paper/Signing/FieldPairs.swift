import PDF

/// The fields of a form as it was signed and as it is, each with its counterpart.
struct FieldPairs {
    struct Field {
        var object: PDFObject
        var name: String
        var isSignature: Bool
        var isButton: Bool
        /// Nil for a field that waits to be signed.
        var signature: PDFDictionary?
        var isTimeStamp = false
    }

    struct Both {
        var before: PDFObject
        var after: PDFObject
        var name: String
        var isSignature: Bool
        var isTimeStamp: Bool
        var isButton: Bool
        var becomesSigned: Bool
    }

    private(set) var both: [Both] = []
    private(set) var added: [Field] = []
    private(set) var removed: [Field] = []
    private var newPlaces: Set<PDFReference> = []

    init(_ before: PDFFile, _ after: PDFFile) {
        let (old, new) = (Self.fields(of: before), Self.fields(of: after))
        var twins: [PDFReference: Field] = [:]
        for field in new { if let reference = field.object.reference { twins[reference] = field } }
        var met: Set<PDFReference> = []
        var bare = new.filter { $0.object.reference == nil }[...]
        for field in old {
            let twin: Field?
            if let reference = field.object.reference {
                met.insert(reference)
                twin = twins[reference]
            } else {
                twin = bare.popFirst()
            }
            guard let twin, twin.name == field.name, twin.isSignature == field.isSignature else {
                removed.append(field)
                continue
            }
            both.append(
                Both(
                    before: field.object, after: twin.object, name: field.name,
                    isSignature: field.isSignature, isTimeStamp: twin.isTimeStamp, isButton: field.isButton,
                    becomesSigned: field.isSignature && field.signature == nil && twin.signature != nil))
        }
        added = new.filter { field in field.object.reference.map { !met.contains($0) } ?? false } + bare
        newPlaces = Set(added.filter(\.isSignature).compactMap(\.object.reference))
    }

    func isNewSignature(_ place: PDFObject) -> Bool {
        place.reference.map(newPlaces.contains) ?? false
    }

    private static let mostFields = 50_000
    private static let deepest = 30

    /// All nodes of the tree, the places of fields too, in the order of the file.
    static func fields(of file: PDFFile) -> [Field] {
        struct Above {
            var name = ""
            var kind: PDFName?
            var flags = 0
            var value: PDFObject?
        }
        var found: [Field] = []
        var seen: Set<PDFReference> = []
        var work: [(PDFObject, Above, Int)] = file.array(file.form?["Fields"]).reversed().map {
            ($0, Above(), 0)
        }
        while let (object, above, depth) = work.popLast() {
            guard found.count < mostFields, depth < deepest, let field = file.dictionary(object) else {
                continue
            }
            if let reference = object.reference, !seen.insert(reference).inserted { continue }
            var own = above
            if let part = file.resolve(field["T"]).text {
                own.name = above.name.isEmpty ? part : above.name + "." + part
            }
            own.kind = file.resolve(field["FT"]).name ?? above.kind
            own.flags = file.resolve(field["Ff"]).integer ?? above.flags
            own.value = field["V"] ?? above.value
            let signature = own.kind == "Sig" ? file.dictionary(own.value) : nil
            found.append(
                Field(
                    object: object, name: own.name, isSignature: own.kind == "Sig",
                    isButton: own.kind == "Btn" && own.flags & 1 << 16 != 0, signature: signature,
                    isTimeStamp: file.resolve(signature?["Type"]).name == "DocTimeStamp"
                        || file.resolve(signature?["SubFilter"]).name == "ETSI.RFC3161"))
            for kid in file.array(field["Kids"]).reversed() { work.append((kid, own, depth + 1)) }
        }
        return found
    }
}
