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
        eachField { field, kind in
            if kind == "Sig", let signature = dictionary(field["V"]) {
                found.append(
                    PDFSignature(
                        name: resolve(signature["Name"]).text ?? "",
                        date: resolve(signature["M"]).text ?? "",
                        reason: resolve(signature["Reason"]).text ?? ""))
            }
            return true
        }
        return found
    }

    /// True when somebody can write or choose something in its form.
    public var isFillable: Bool {
        var isFillable = false
        let (readOnly, pushButton) = (1, 1 << 16)
        eachField { field, kind in
            let flags = resolve(field["Ff"]).integer ?? 0
            isFillable =
                kind == "Tx" && flags & readOnly == 0 || kind == "Ch" && flags & readOnly == 0
                || kind == "Btn" && flags & (readOnly | pushButton) == 0
            return !isFillable
        }
        return isFillable
    }

    /// Goes through the tree of fields, with the kind each has from itself or from those above it, until told to stop.
    private func eachField(_ body: (PDFDictionary, PDFName?) -> Bool) {
        var looked = 0
        func look(_ fields: [PDFObject], kind: PDFName?, depth: Int) -> Bool {
            for object in fields where depth < Self.deepest && looked < Self.mostFields {
                looked += 1
                guard let field = dictionary(object) else { continue }
                let kind = resolve(field["FT"]).name ?? kind
                guard body(field, kind), look(array(field["Kids"]), kind: kind, depth: depth + 1) else {
                    return false
                }
            }
            return true
        }
        _ = look(array(dictionary(catalog["AcroForm"])?["Fields"]), kind: nil, depth: 0)
    }
}
