/// A JSON value (RFC 8259) that keeps what was written: members in their order, whole numbers exact.
///
/// ```swift
/// let card: JSON = ["name": "Ada", "born": 1815, "tags": ["analyst"]]
/// let name = try JSON(parsing: body)["name"]?.string
/// ```
///
/// Views of our types are written by hand as such literals; that is quicker to compile and to run than `Codable`
/// and shows the answer in the form it will have.
public enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number written without fraction and exponent that fits; all others are `number`.
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)

    public var isNull: Bool { self == .null }

    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// Only what was written as a whole number: 3 but not 3.0.
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

    public var int: Int? { integer.flatMap { Int(exactly: $0) } }

    /// Any number; whole ones above 2^53 are rounded.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// The member of an object; nil when there is none or this is no object. Setting makes an object of `null`
    /// and is ignored by other values.
    public subscript(key: String) -> JSON? {
        get { object?[key] }
        set {
            switch self {
            case .object(var members):
                // Let go before the change, or setting one member would copy all others.
                self = .null
                members[key] = newValue
                self = .object(members)
            case .null: self = .object(newValue.map { [key: $0] } ?? [:])
            default: break
            }
        }
    }

    /// The element of an array; nil when there is none or this is no array.
    public subscript(index: Int) -> JSON? {
        guard let elements = array, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    public static func int(_ value: Int) -> JSON { .integer(Int64(value)) }

    public static func optional(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
    public static func optional(_ value: Bool?) -> JSON { value.map(JSON.bool) ?? .null }
    public static func optional(_ value: Int?) -> JSON { value.map(JSON.int) ?? .null }
    public static func optional(_ value: Int64?) -> JSON { value.map(JSON.integer) ?? .null }
    public static func optional(_ value: Double?) -> JSON { value.map(JSON.number) ?? .null }
    public static func optional(_ value: JSON?) -> JSON { value ?? .null }
}
