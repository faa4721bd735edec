/// The fields of a request or an answer, in order; names are compared without regard to case.
///
/// A value that could break out of its line (CR, LF, NUL) never enters: it is refused where it is added, because the
/// only way it gets there is text from outside that was pasted into a header.
public struct Headers: Sendable, Equatable, Sequence, ExpressibleByDictionaryLiteral {
    public struct Field: Sendable, Equatable {
        public let name: String
        public let value: String
    }

    public private(set) var fields: [Field] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    public var count: Int { fields.count }
    public var isEmpty: Bool { fields.isEmpty }

    public func makeIterator() -> some IteratorProtocol<Field> { fields.makeIterator() }

    public func first(_ name: String) -> String? {
        fields.first { Token.same($0.name, name) }?.value
    }

    public func all(_ name: String) -> [String] {
        fields.filter { Token.same($0.name, name) }.map(\.value)
    }

    public func contains(_ name: String) -> Bool { first(name) != nil }

    public subscript(name: String) -> String? { first(name) }

    /// Adds a field after those that are there; returns whether name and value are allowed in a header.
    @discardableResult
    public mutating func add(_ name: String, _ value: String) -> Bool {
        guard Token.isToken(name), Headers.isValue(value) else { return false }
        fields.append(Field(name: name, value: value))
        return true
    }

    /// Adds a field as it came over the wire: the white space around its value is not part of it (RFC 9112 §5.1).
    @discardableResult
    package mutating func addReceived(_ name: String, _ value: String) -> Bool {
        add(name, Token.trimmed(value))
    }

    /// Replaces every field of that name by one.
    @discardableResult
    public mutating func set(_ name: String, _ value: String) -> Bool {
        guard Token.isToken(name), Headers.isValue(value) else { return false }
        if let place = fields.firstIndex(where: { Token.same($0.name, name) }) {
            fields[place] = Field(name: fields[place].name, value: value)
            let after = place + 1
            if fields[after...].contains(where: { Token.same($0.name, name) }) {
                fields = fields[..<after] + fields[after...].filter { !Token.same($0.name, name) }
            }
        } else {
            fields.append(Field(name: name, value: value))
        }
        return true
    }

    /// Sets the field unless the answer already says something about it.
    public mutating func setDefault(_ name: String, _ value: String) {
        if !contains(name) { add(name, value) }
    }

    public mutating func remove(_ name: String) {
        fields.removeAll { Token.same($0.name, name) }
    }

    /// Adds a name to a comma-separated field such as `Vary`, once.
    public mutating func include(_ item: String, in name: String) {
        let present = all(name).flatMap { Token.list($0) }
        guard !present.contains(where: { Token.same($0, item) }) else { return }
        set(name, (present + [item]).joined(separator: ", "))
    }

    /// RFC 9110 §5.5: visible characters, spaces and tabs; no line ends, no NUL, no other control characters.
    static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
    }
}
