/// A new file made of objects: for forms of our own and for the fixtures of the tests.
public struct PDFDraft: Sendable {
    private var bodies: [[UInt8]?] = [nil]

    public init() {}

    public mutating func newReference() -> PDFReference {
        bodies.append(nil)
        return PDFReference(bodies.count - 1)
    }

    @discardableResult
    public mutating func add(_ object: PDFObject) -> PDFReference {
        let reference = newReference()
        put(object, at: reference)
        return reference
    }

    public mutating func put(_ object: PDFObject, at reference: PDFReference) {
        bodies[reference.number] = object.written
    }

    @discardableResult
    public mutating func addStream(_ dictionary: PDFDictionary = [:], _ data: [UInt8]) -> PDFReference {
        let reference = newReference()
        putStream(dictionary, data, at: reference)
        return reference
    }

    public mutating func putStream(_ dictionary: PDFDictionary, _ data: [UInt8], at reference: PDFReference) {
        var body: [UInt8] = []
        var dictionary = dictionary
        dictionary["Length"] = .integer(data.count)
        PDFObject.dictionary(dictionary).write(into: &body)
        body.append(text: "\nstream\n")
        body.append(contentsOf: data)
        body.append(text: "\nendstream")
        bodies[reference.number] = body
    }

    public func bytes(root: PDFReference, extra: PDFDictionary = [:]) -> [UInt8] {
        // The second line tells file transfer programs that this is no text.
        var out: [UInt8] = Array("%PDF-1.7\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 10]
        var offsets: [Int?] = [nil]
        for (number, body) in bodies.enumerated().dropFirst() {
            guard let body else {
                offsets.append(nil)
                continue
            }
            offsets.append(out.count)
            out.append(number: number)
            out.append(text: " 0 obj\n")
            out.append(contentsOf: body)
            out.append(text: "\nendobj\n")
        }
        let section = out.count
        out.append(text: "xref\n0 ")
        out.append(number: offsets.count)
        out.append(10)
        for offset in offsets {
            if let offset {
                out.append(padded: offset, width: 10)
                out.append(text: " 00000 n \n")
            } else {
                out.append(text: "0000000000 65535 f \n")
            }
        }
        var trailer = extra
        trailer["Size"] = .integer(offsets.count)
        trailer["Root"] = .reference(root)
        out.append(text: "trailer\n")
        PDFObject.dictionary(trailer).write(into: &out)
        out.append(text: "\nstartxref\n")
        out.append(number: section)
        out.append(text: "\n%%EOF\n")
        return out
    }
}
