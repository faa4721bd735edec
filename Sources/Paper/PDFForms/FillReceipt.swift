public import Bytes
import Crypto

/// What one document was made of and what came out of it, for the file and for whoever asks later: which template,
/// which values, which field got what and from where, what did not go as wished. The same work gives the same text.
///
///     var receipt = form.receipt(filled, columns: columns, row: row, template: hash)
///     write(receipt.json.pretty)
public struct FillReceipt: Sendable, Equatable {
    public struct Entry: Sendable, Equatable {
        public var field: String
        /// What was given: one text, several for a list, `true` or `false` for a box.
        public var value: FieldValue
        /// Where it came from, in the words of who mapped it; nil when nobody said.
        public var source: String?
        public init(field: String, value: FieldValue, source: String? = nil) {
            self.field = field
            self.value = value
            self.source = source
        }
    }

    /// SHA-256 of the template's bytes, as hexadecimal digits.
    public var templateHash: String
    /// SHA-256 of `valuesText`.
    public var valuesHash: String
    /// SHA-256 of the finished document; nil when it was not asked for.
    public var documentHash: String?
    public var byteCount: Int
    /// In the order the values were given.
    public var entries: [Entry]
    public var findings: [Finding]
    /// True when the finished document was read again and says what it was given; nil when it was not read again.
    public var isProven: Bool?

    public init(
        templateHash: String, entries: [Entry], findings: [Finding], byteCount: Int,
        documentHash: String? = nil,
        isProven: Bool? = nil
    ) {
        self.templateHash = templateHash
        self.entries = entries
        self.findings = findings
        self.byteCount = byteCount
        self.documentHash = documentHash
        self.isProven = isProven
        valuesHash = Hex.encode(SHA256.hash(Self.valuesText(entries)))
    }

    /// The values as a JSON object with its names in order: what the hash of the values is taken of, so that
    /// anybody can take it again.
    public static func valuesText(_ entries: [Entry]) -> String {
        let sorted = entries.sorted { Array($0.field.utf8).lexicographicallyPrecedes(Array($1.field.utf8)) }
        return JSON.object(JSONObject(sorted.map { ($0.field, $0.value.json) })).text
    }

    public static func hash(_ bytes: [UInt8]) -> String { Hex.encode(SHA256.hash(bytes)) }

    public static func hash(_ filled: Filled) -> String {
        var stream = SHA256Stream()
        stream.update(filled.base)
        stream.update(filled.added)
        return Hex.encode(stream.finish())
    }

    public var json: JSON {
        [
            "template": ["sha256": .string(templateHash)],
            "values": ["sha256": .string(valuesHash)],
            "document": ["sha256": .optional(documentHash), "bytes": .int(byteCount)],
            "proven": .optional(isProven),
            "fields": .array(
                entries.map {
                    [
                        "field": .string($0.field), "value": $0.value.json,
                        "source": .optional($0.source),
                    ]
                }),
            "findings": .array(findings.map(\.json)),
        ]
    }
}

extension FieldValue {
    /// A text, a list of texts, or true and false.
    public var json: JSON {
        switch self {
        case .text(let text): .string(text)
        case .texts(let texts): .array(texts.map(JSON.string))
        case .flag(let flag): .bool(flag)
        }
    }
}

extension Finding {
    public var json: JSON {
        [
            "field": .string(field), "kind": .string(kind.rawValue), "serious": .bool(isSerious),
            "message": .string(message),
        ]
    }
}

extension PreparedForm {
    /// The receipt of one filled row. `template` is the hash of the template's bytes, taken once for a run;
    /// `sources` say, in the order of the columns, where each value came from; `doubts` is what `prove` found.
    public func receipt(
        _ filled: Filled, columns: FormColumns, row: [FieldValue?], template: String, sources: [String?] = [],
        doubts: [Finding]? = nil, hashesDocument: Bool = false
    ) -> FillReceipt {
        var entries: [FillReceipt.Entry] = []
        for (index, value) in row.enumerated() {
            guard let value, index < columns.count, let place = columns[index]?.first else { continue }
            entries.append(
                FillReceipt.Entry(
                    field: plans[place].field.name, value: value,
                    source: index < sources.count ? sources[index] : nil))
        }
        return FillReceipt(
            templateHash: template, entries: entries, findings: filled.findings + (doubts ?? []),
            byteCount: filled.byteCount, documentHash: hashesDocument ? FillReceipt.hash(filled) : nil,
            isProven: doubts?.isEmpty)
    }
}
