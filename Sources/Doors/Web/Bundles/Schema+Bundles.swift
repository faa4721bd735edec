import Bytes
import Delivery

/// Send-outs in one file.
extension Schema {
    static let bundles: [(String, JSON)] = [
        ("Bundle", object(bundle)),
        ("BundleList", object([("bundles", list(of: ref("Bundle")))])),
        ("BundleWithContent", with([("content", ref("BundleContent")), ("known", boolean)], bundle)),
        ("BundleOfBatch", object([("content", ref("BundleContent")), ("heldBack", list(of: string))])),
        (
            "BundleContent",
            object([
                ("name", string),
                (
                    "parts",
                    list(
                        of: object([
                            ("kind", choice(BundleView.Part.Kind.allCases.map(\.rawValue))),
                            ("name", string), ("condition", string), ("pageCount", whole),
                            ("fieldCount", whole), ("keepsOthers", boolean), ("mapping", orNull(string)),
                            ("lines", list(of: object([("field", string), ("source", string)]))),
                            ("problems", list(of: string)),
                        ]))
                ), ("naming", string), ("options", ref("BatchOptions")),
                ("letter", orNull(object([("subject", string), ("body", string)]))),
                ("files", list(of: string)), ("columns", list(of: string)),
                ("rows", list(of: list(of: string))), ("realRows", boolean),
                ("leftOut", list(of: string)), ("notTaken", list(of: string)),
            ])
        ),
        ("BundleRemoval", object([("removed", whole), ("stays", list(of: string))])),
    ]

    private static let bundle: [(String, JSON)] = [
        ("id", id), ("name", string), ("byteCount", whole), ("digest", string), ("example", boolean),
        ("kept", boolean), ("takenAt", moment), ("takenBy", string), ("batches", list(of: id)),
    ]
}
