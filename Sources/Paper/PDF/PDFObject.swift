/// Where an object lives: its number and generation.
public struct PDFReference: Hashable, Sendable, Comparable {
    public var number: Int
    public var generation: Int

    public init(_ number: Int, generation: Int = 0) {
        self.number = number
        self.generation = generation
    }

    public static func < (a: PDFReference, b: PDFReference) -> Bool {
        (a.number, a.generation) < (b.number, b.generation)
    }
}

/// A value as ISO 32000-2 §7.3 knows it. Streams are not values here: they live in a file, under a reference.
public enum PDFObject: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    case real(Double)
    case string([UInt8])
    case name(PDFName)
    case array([PDFObject])
    case dictionary(PDFDictionary)
    case reference(PDFReference)
}

extension PDFObject {
    public var integer: Int? {
        switch self {
        case .integer(let value): value
        case .real(let value): Int(exactly: value.rounded())
        default: nil
        }
    }

    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    public var name: PDFName? { if case .name(let value) = self { value } else { nil } }
    public var bytes: [UInt8]? { if case .string(let value) = self { value } else { nil } }
    public var array: [PDFObject]? { if case .array(let value) = self { value } else { nil } }
    public var dictionary: PDFDictionary? { if case .dictionary(let value) = self { value } else { nil } }
    public var reference: PDFReference? { if case .reference(let value) = self { value } else { nil } }
    public var isNull: Bool { self == .null }

    /// A text string (§7.9.2.2) as text.
    public var text: String? { bytes.map(PDFText.decode) }

    public static func text(_ text: String) -> PDFObject { .string(PDFText.encode(text)) }
}

/// Keys in the order of the file. Dictionaries in forms are small, so looking through them beats hashing.
public struct PDFDictionary: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    public private(set) var entries: [(key: PDFName, value: PDFObject)]

    public init(dictionaryLiteral elements: (PDFName, PDFObject)...) {
        entries = elements.map { (key: $0.0, value: $0.1) }
    }

    public init(_ entries: [(key: PDFName, value: PDFObject)] = []) { self.entries = entries }

    public subscript(key: PDFName) -> PDFObject? {
        get { entries.first { $0.key == key }?.value }
        set {
            guard let index = entries.firstIndex(where: { $0.key == key }) else {
                if let newValue { entries.append((key, newValue)) }
                return
            }
            if let newValue { entries[index].value = newValue } else { entries.remove(at: index) }
        }
    }

    public var keys: [PDFName] { entries.map(\.key) }
    public var isEmpty: Bool { entries.isEmpty }

    public func without(_ keys: PDFName...) -> PDFDictionary {
        PDFDictionary(entries.filter { !keys.contains($0.key) })
    }

    public static func == (a: PDFDictionary, b: PDFDictionary) -> Bool {
        a.entries.count == b.entries.count
            && zip(a.entries, b.entries).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    }

    public func hash(into hasher: inout Hasher) {
        for entry in entries {
            hasher.combine(entry.key)
            hasher.combine(entry.value)
        }
    }
}

/// A rectangle with its corners put in order, in points.
public struct PDFRectangle: Hashable, Sendable {
    public var left: Double
    public var bottom: Double
    public var right: Double
    public var top: Double

    public init(left: Double, bottom: Double, right: Double, top: Double) {
        self.left = min(left, right)
        self.bottom = min(bottom, top)
        self.right = max(left, right)
        self.top = max(bottom, top)
    }

    public init?(_ numbers: [Double]) {
        guard numbers.count == 4, numbers.allSatisfy({ $0.isFinite && abs($0) < 1e7 }) else { return nil }
        self.init(left: numbers[0], bottom: numbers[1], right: numbers[2], top: numbers[3])
    }

    public var width: Double { right - left }
    public var height: Double { top - bottom }
    public var numbers: [Double] { [left, bottom, right, top] }
}
