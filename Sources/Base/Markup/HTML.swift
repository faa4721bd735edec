/// A piece of HTML. Text put into it by interpolation is escaped, so a name such as `<b>` stays a name.
///
/// ```swift
/// let row: HTML = "<li title=\"\(document.name)\">\(document.name)</li>"
/// let list: HTML = "<ul>\(documents.map(row))</ul>"
/// ```
///
/// The same escaping serves text and quoted attributes; attribute values must therefore stand in quotes.
/// Addresses go in with `\(url: …)`, which lets through only schemes that cannot run script.
/// Only `HTML.raw` and `\(raw: …)` skip the escaping: for texts written by us, never for what was read.
public struct HTML: Sendable, Hashable {
    public private(set) var text: String

    private init(unescaped text: String) {
        self.text = text
    }

    /// Nothing at all: what a page shows where a part is left out.
    public static let empty = HTML(unescaped: "")

    /// Text that already is HTML.
    public static func raw(_ text: String) -> HTML {
        HTML(unescaped: text)
    }

    /// Plain text, made safe. The label is needed: Swift reads `HTML("…")` as a literal, which is trusted.
    public init(plain: some StringProtocol) {
        self.text = ""
        Escaping.append(plain, to: &text)
    }

    public var isEmpty: Bool { text.isEmpty }

    public static func + (left: HTML, right: HTML) -> HTML {
        HTML(unescaped: left.text + right.text)
    }

    public static func += (left: inout HTML, right: HTML) {
        left.text += right.text
    }
}

extension HTML: CustomStringConvertible {
    public var description: String { text }
}

extension Sequence where Element == HTML {
    public func joined(separator: HTML = .empty) -> HTML {
        HTML.raw(map(\.text).joined(separator: separator.text))
    }
}

extension HTML: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {
        self.init(unescaped: value)
    }

    public init(stringInterpolation: Pieces) {
        self.init(unescaped: stringInterpolation.text)
    }

    /// What may stand between `\(` and `)`.
    public struct Pieces: StringInterpolationProtocol {
        fileprivate(set) var text: String

        public init(literalCapacity: Int, interpolationCount: Int) {
            text = ""
            text.reserveCapacity(literalCapacity + interpolationCount * 24)
        }

        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        public mutating func appendInterpolation(_ html: HTML) {
            text += html.text
        }

        public mutating func appendInterpolation(_ html: HTML?) {
            if let html { text += html.text }
        }

        public mutating func appendInterpolation(_ items: [HTML]) {
            for item in items { text += item.text }
        }

        public mutating func appendInterpolation(_ plain: String) {
            Escaping.append(plain, to: &text)
        }

        public mutating func appendInterpolation(_ plain: Substring) {
            Escaping.append(plain, to: &text)
        }

        public mutating func appendInterpolation(_ number: some BinaryInteger) {
            text += String(number)
        }

        public mutating func appendInterpolation(raw trusted: String) {
            text += trusted
        }

        /// An address for `href`, `src` or `action`; one that could run script becomes `about:blank#blocked`.
        public mutating func appendInterpolation(url address: String) {
            Escaping.append(Address.safe(address), to: &text)
        }

        /// A whole attribute with a leading space, or nothing when there is no value.
        public mutating func appendInterpolation(attribute name: StaticString, _ value: String?) {
            guard let value else { return }
            text += " \(name)=\""
            Escaping.append(value, to: &text)
            text += "\""
        }

        /// A bare attribute such as `hidden` or `checked`, with a leading space, when it holds.
        public mutating func appendInterpolation(attribute name: StaticString, if holds: Bool) {
            if holds { text += " \(name)" }
        }

        /// JSON inside a `<script>` block, where entities are not read: `<` must not begin a tag there.
        public mutating func appendInterpolation(script json: String) {
            for scalar in json.unicodeScalars {
                switch scalar {
                case "<": text += "\\u003c"
                case ">": text += "\\u003e"
                case "&": text += "\\u0026"
                case "\u{2028}": text += "\\u2028"
                case "\u{2029}": text += "\\u2029"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
    }
}
