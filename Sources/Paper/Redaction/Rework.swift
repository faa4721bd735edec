import PDF

/// A file that is written anew with some of its objects changed: nothing but what its root leads to goes along, so that what was
/// left out, and what earlier revisions held, is gone.
final class Rework {
    let file: PDFFile
    private var changed: [PDFReference: PDFObject] = [:]
    private var data: [PDFReference: [UInt8]] = [:]
    private var removed: Set<PDFReference> = []
    private var next: Int

    init(_ file: PDFFile) {
        self.file = file
        next = file.highestObject + 1
    }

    func object(_ reference: PDFReference) -> PDFObject {
        if removed.contains(reference) { return .null }
        return changed[reference] ?? file.object(reference)
    }

    func dictionary(_ object: PDFObject?) -> PDFDictionary? {
        var object = object ?? .null
        for _ in 0..<20 {
            guard case .reference(let reference) = object else { return object.dictionary }
            object = self.object(reference)
        }
        return nil
    }

    func isRemoved(_ reference: PDFReference) -> Bool { removed.contains(reference) }

    func put(_ object: PDFObject, at reference: PDFReference) { changed[reference] = object }

    /// Whoever leads to it leads to nothing.
    func remove(_ reference: PDFReference) { removed.insert(reference) }

    func add(_ object: PDFObject) -> PDFReference {
        defer { next += 1 }
        changed[PDFReference(next)] = object
        return PDFReference(next)
    }

    /// Data that are not packed are packed when they are written.
    func add(_ dictionary: PDFDictionary, _ bytes: [UInt8]) -> PDFReference {
        let reference = add(.dictionary(dictionary))
        data[reference] = bytes
        return reference
    }

    func isStream(_ reference: PDFReference) -> Bool { data[reference] != nil || file.isStream(reference) }

    /// Every object that the root leads to, once.
    func eachObject(
        from root: PDFReference, _ body: (PDFReference, PDFObject) throws(RedactionError) -> Void
    ) throws(RedactionError) {
        var seen: Set<PDFReference> = [root]
        var waiting = [root]
        while let reference = waiting.popLast() {
            let object = object(reference)
            try body(reference, object)
            Self.references(in: object) { if seen.insert($0).inserted { waiting.append($0) } }
        }
    }

    /// `clean` gives each object as it is to be written.
    func written(
        from root: PDFReference, clean: (PDFReference, PDFObject) -> PDFObject
    ) throws(RedactionError) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            let out = try PDFStream { bytes += $0 }
            var numbers: [PDFReference: PDFReference] = [root: out.root]
            var waiting = [root]
            var at = 0
            func renumbered(_ reference: PDFReference) -> PDFReference {
                if let known = numbers[reference] { return known }
                let new = out.newReference()
                numbers[reference] = new
                waiting.append(reference)
                return new
            }
            func renumbered(_ object: PDFObject) -> PDFObject {
                switch object {
                case .reference(let reference):
                    if removed.contains(reference) { return .null }
                    // What leads nowhere leads nowhere in the new file as well.
                    if self.object(reference) == .null { return .null }
                    return .reference(renumbered(reference))
                case .array(let items): return .array(items.map { renumbered($0) })
                case .dictionary(let dictionary):
                    return .dictionary(
                        PDFDictionary(dictionary.entries.map { ($0.key, renumbered($0.value)) }))
                default: return object
                }
            }
            while at < waiting.count {
                let reference = waiting[at]
                at += 1
                guard let place = numbers[reference] else { continue }
                var object = clean(reference, object(reference))
                if isStream(reference), let dictionary = object.dictionary {
                    object = .dictionary(dictionary.without("Length"))
                }
                object = renumbered(object)
                if let own = data[reference], let dictionary = object.dictionary {
                    if dictionary["Filter"] == nil {
                        try out.putPacked(dictionary, own, at: place)
                    } else {
                        try out.putStream(dictionary, own, at: place)
                    }
                } else if file.isStream(reference), let dictionary = object.dictionary {
                    guard let stored = file.storedStream(reference) else {
                        throw RedactionError.unreadable(
                            "A part of the file is damaged. Save it once more in the program it comes from.")
                    }
                    try out.putStream(dictionary, stored, at: place)
                } else {
                    try out.put(object, at: place)
                }
            }
            // Without an identity: one reckoned from what was there would let somebody try what it may have been.
            try out.finish()
        } catch let error as RedactionError {
            throw error
        } catch {
            throw .unreadable("\(error)")
        }
        return bytes
    }

    private static func references(in object: PDFObject, _ found: (PDFReference) -> Void) {
        switch object {
        case .reference(let reference): found(reference)
        case .array(let items): for item in items { references(in: item, found) }
        case .dictionary(let dictionary):
            for entry in dictionary.entries { references(in: entry.value, found) }
        default: break
        }
    }
}
