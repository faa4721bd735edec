/// One page as it is to be from now on: gathered, and then written once.
public struct PageEdit {
    public let page: PDFReference
    /// What lies on it.
    public var annotations: [PDFObject]
    private let file: PDFFile
    private var dictionary: PDFDictionary
    private let list: PDFReference?
    private var drawing: [UInt8] = []
    private var ground: [UInt8] = []
    private var frame: [UInt8] = []
    private var pictures: PDFDictionary = [:]
    private var isChanged = false

    public init(_ page: PDFReference, of file: PDFFile) {
        self.page = page
        self.file = file
        dictionary = file.dictionary(.reference(page)) ?? [:]
        annotations = file.array(dictionary["Annots"])
        list = dictionary["Annots"]?.reference.flatMap { file.object($0).array == nil ? nil : $0 }
    }

    /// Draws a picture over all that the page shows; `operators` name it by what this gives.
    public mutating func name(_ picture: PDFReference) -> PDFName {
        let taken = file.dictionary(file.dictionary(resources)?["XObject"]) ?? [:]
        var number = 1
        while taken[PDFName("Quire\(number)")] != nil || pictures[PDFName("Quire\(number)")] != nil {
            number += 1
        }
        let name = PDFName("Quire\(number)")
        pictures[name] = .reference(picture)
        return name
    }

    public mutating func draw(_ operators: [UInt8]) { drawing += operators }

    /// Draws below all that the page shows.
    public mutating func drawBelow(_ operators: [UInt8]) { ground += operators }

    /// Moves or cuts all that the page shows by itself; what is drawn by this edit stays where it is.
    public mutating func move(_ operators: [UInt8]) { frame += operators }

    /// What the page says itself; what it takes from its ancestors is not seen here.
    public subscript(key: PDFName) -> PDFObject? {
        get { dictionary[key] }
        set {
            dictionary[key] = newValue
            isChanged = true
        }
    }

    public var resources: PDFObject? { file.inherited("Resources", by: dictionary) }

    public mutating func put(into revision: inout PDFRevision) {
        let isDrawn = !drawing.isEmpty || !ground.isEmpty || !frame.isEmpty
        if isDrawn {
            // What the page leaves turned or clipped is not to turn or clip this.
            let content = PageContent(of: dictionary, file)
            let before = revision.newReference()
            revision.putStream([:], ground + Array("q\n".utf8) + frame, at: before)
            var streams = content.streams.filter { $0 != .null }
            if content.isMended {
                let mended = revision.newReference()
                revision.putStream([:], content.bytes, at: mended)
                streams = [.reference(mended)]
            }
            let after = revision.newReference()
            revision.putStream([:], [10] + content.closing + Array("Q\n".utf8) + drawing, at: after)
            dictionary["Contents"] = .array([.reference(before)] + streams + [.reference(after)])
            if !pictures.isEmpty {
                var resources = file.dictionary(resources) ?? [:]
                var named = file.dictionary(resources["XObject"]) ?? [:]
                for (name, picture) in pictures.entries { named[name] = picture }
                resources["XObject"] = .dictionary(named)
                dictionary["Resources"] = .dictionary(resources)
            }
        }
        guard annotations != file.array(dictionary["Annots"]) else {
            if isDrawn || isChanged { revision.put(.dictionary(dictionary), at: page) }
            return
        }
        if let list {
            revision.put(.array(annotations), at: list)
        } else {
            dictionary["Annots"] = .array(annotations)
        }
        if list == nil || isDrawn || isChanged { revision.put(.dictionary(dictionary), at: page) }
    }
}

extension PDFFile {
    /// A page takes from its ancestors what it does not say itself (§7.7.3.4).
    public func inherited(_ key: PDFName, by page: PDFReference) -> PDFObject? {
        dictionary(.reference(page)).flatMap { inherited(key, by: $0) }
    }

    public func inherited(_ key: PDFName, by page: PDFDictionary) -> PDFObject? {
        var node = page
        for _ in 0..<64 {
            if let found = node[key], !resolve(found).isNull { return found }
            guard let parent = dictionary(node["Parent"]) else { return nil }
            node = parent
        }
        return nil
    }
}
