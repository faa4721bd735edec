/// Somebody's signature on a file, as it says of itself (ISO 32000-2 §12.8.1). Nothing is checked here: it is there to be
/// told before a change would end it.
public struct PDFSignature: Sendable, Equatable {
    /// Who signed, when the signature names them.
    public var name: String
    /// `D:20261121113500Z`
    public var date: String
    public var reason: String
}

extension PDFFile {
    private static let mostFields = 5_000
    private static let deepest = 30

    /// The signatures in its form, without those that wait to be signed.
    public var signatures: [PDFSignature] {
        var found: [PDFSignature] = []
        var looked = 0
        func look(_ fields: [PDFObject], kind: PDFName?, depth: Int) {
            for object in fields where depth < Self.deepest && looked < Self.mostFields {
                looked += 1
                guard let field = dictionary(object) else { continue }
                let kind = resolve(field["FT"]).name ?? kind
                if kind == "Sig", let signature = dictionary(field["V"]) {
                    found.append(
                        PDFSignature(
                            name: resolve(signature["Name"]).text ?? "",
                            date: resolve(signature["M"]).text ?? "",
                            reason: resolve(signature["Reason"]).text ?? ""))
                }
                look(array(field["Kids"]), kind: kind, depth: depth + 1)
            }
        }
        look(array(dictionary(catalog["AcroForm"])?["Fields"]), kind: nil, depth: 0)
        return found
    }
}
