/// A CBOR value (RFC 8949) in the narrow form that authenticators write (CTAP2 canonical CBOR).
///
/// Indefinite lengths and repeated keys are refused: the canonical form has neither.
public enum CBOR: Sendable, Equatable {
    case unsigned(UInt64)
    /// Stands for -1 - n, as in the encoding; every n is allowed.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBOR])
    case map([Entry])
    indirect case tagged(UInt64, CBOR)
    case bool(Bool)
    case null
    case undefined
    case simple(UInt8)
    case float(Double)

    public struct Entry: Sendable, Equatable {
        public var key: CBOR
        public var value: CBOR

        public init(_ key: CBOR, _ value: CBOR) {
            self.key = key
            self.value = value
        }
    }

    public init(_ value: Int64) {
        self = value < 0 ? .negative(UInt64(bitPattern: ~value)) : .unsigned(UInt64(value))
    }

    /// The whole number, when it fits.
    public var integer: Int64? {
        switch self {
        case .unsigned(let value): Int64(exactly: value)
        case .negative(let value): Int64(exactly: value).map { ~$0 }
        default: nil
        }
    }

    public var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
    public var text: String? { if case .text(let value) = self { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var array: [CBOR]? { if case .array(let value) = self { value } else { nil } }
    public var map: [Entry]? { if case .map(let value) = self { value } else { nil } }

    public subscript(key: CBOR) -> CBOR? { map?.first { $0.key == key }?.value }
    public subscript(key: String) -> CBOR? { self[.text(key)] }
    public subscript(key: Int64) -> CBOR? { self[CBOR(key)] }
}
