/// Where objects are looked up: a file as qpdf reads it, or such a file and what was appended to it since.
public protocol ObjectSource {
    /// The object, null when there is none. Of a stream: its dictionary.
    func object(_ reference: PDFReference) -> PDFObject
    func isStream(_ reference: PDFReference) -> Bool
    /// The decoded bytes of a stream; nil when it is none, cannot be decoded or is longer than `limit`.
    func stream(_ reference: PDFReference, limit: Int) -> [UInt8]?
}

/// A file whose fields can be read.
public protocol FormSource: ObjectSource {
    var pages: [PDFReference] { get }
    /// The dictionary of its form; nil when it has none.
    var form: PDFDictionary? { get }
}

extension PDFFile: FormSource {}
extension SoundFile: FormSource {}

extension ObjectSource {
    /// Follows a reference, and references to references, to a value. Of a stream: its dictionary.
    public func resolve(_ object: PDFObject?) -> PDFObject {
        var object = object ?? .null
        var steps = 0
        while case .reference(let reference) = object {
            steps += 1
            if steps > 20 { return .null }
            object = self.object(reference)
        }
        return object
    }

    public func dictionary(_ object: PDFObject?) -> PDFDictionary? { resolve(object).dictionary }
    public func array(_ object: PDFObject?) -> [PDFObject] { resolve(object).array ?? [] }

    public func numbers(_ object: PDFObject?) -> [Double] {
        array(object).compactMap { resolve($0).number }
    }
}
