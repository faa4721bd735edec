import Bytes

/// Names with values, in order, as they come in a query or a form. A name may come more than once.
public struct Fields: Sendable, Equatable, Sequence, ExpressibleByDictionaryLiteral {
    public struct Field: Sendable, Equatable {
        public let name: String
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public private(set) var list: [Field]

    public init(_ list: [Field] = []) { self.list = list }

    public init(dictionaryLiteral elements: (String, String)...) {
        list = elements.map { Field(name: $0.0, value: $0.1) }
    }

    public var count: Int { list.count }
    public var isEmpty: Bool { list.isEmpty }

    public func makeIterator() -> some IteratorProtocol<Field> { list.makeIterator() }

    public func first(_ name: String) -> String? { list.first { $0.name == name }?.value }
    public func all(_ name: String) -> [String] { list.filter { $0.name == name }.map(\.value) }
    public subscript(name: String) -> String? { first(name) }
    public mutating func add(_ name: String, _ value: String) { list.append(Field(name: name, value: value)) }

    /// Reads `a=1&b=two+words` (application/x-www-form-urlencoded). Bad escapes, NUL and text that is not UTF-8 are
    /// refused, and so is a flood of names.
    public init(urlEncoded text: some StringProtocol, maximumCount: Int = 1_000) throws(Refusal) {
        list = []
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            guard list.count < maximumCount else {
                throw Refusal(.badRequest, "The request carries more than \(maximumCount) fields.")
            }
            let halves = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decode(halves[0], plusIsSpace: true),
                let value = halves.count == 2 ? PercentCoding.decode(halves[1], plusIsSpace: true) : ""
            else {
                throw Refusal(.badRequest, "A query or form field is not well-formed text.")
            }
            list.append(Field(name: name, value: value))
        }
    }

    /// The other way round.
    public var urlEncoded: String {
        list.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined(
            separator: "&")
    }
}
