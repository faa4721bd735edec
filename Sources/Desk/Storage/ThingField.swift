public import Bytes
import Work

/// One line of what a thing has that people may set.
///
/// ```swift
/// static let fields: [ThingField<Tag>] = [
///     .line("name", \.name, longest: 60, isRequired: true, label: "filing.name", "what it is called"),
///     .choice("colour", \.colour, label: "filing.tag.colour", "what its chip looks like"),
/// ]
/// ```
///
/// From the list come the thing's JSON in and out, its place in the API's description, the commands' options, the pages'
/// fields, what is checked, and what travels to other desks. A new field is a column, a line here, and its use.
public struct ThingField<Thing>: Sendable {
    public enum Kind: Sendable {
        /// One line without control characters.
        case line(longest: Int, isRequired: Bool)
        case text(longest: Int)
        /// Nothing stands for none.
        case whole(ClosedRange<Int>)
        /// `08:30`; nothing stands for none.
        case time
        /// `2026-04-15`; nothing stands for none.
        case day(isRequired: Bool)
        case choice([String])
    }

    /// As JSON and pages have it: `linkOpenings`; commands write `--link-openings`.
    public let name: String
    public let kind: Kind
    /// The key of its label in the catalogs; empty for what stands on no page. What it means in a sentence stands under the same with `.hint`, the words of a
    /// choice with the choice behind it.
    public let label: String
    /// A few words, for the help of commands and the API's description.
    public let summary: String
    /// What commands call the value: `--cc PATTERN`.
    public let placeholder: String
    /// What is said about a number that it cannot be.
    let rule: String?
    let read: @Sendable (Thing) -> JSON
    /// Only given what suits the kind.
    let write: @Sendable (inout Thing, JSON) -> Void

    public func value(of thing: Thing) -> JSON { read(thing) }

    /// As a page shows it.
    public func text(of thing: Thing) -> String {
        switch read(thing) {
        case .string(let text): text
        case .integer(let number): String(number)
        default: ""
        }
    }
}

extension ThingField {
    public typealias Path<Value> = WritableKeyPath<Thing, Value> & Sendable

    public static func line(
        _ name: String, _ path: any Path<String>, longest: Int, isRequired: Bool = false, label: String,
        _ summary: String, called placeholder: String = "TEXT"
    ) -> ThingField {
        text(name, path, .line(longest: longest, isRequired: isRequired), label, placeholder, summary)
    }

    public static func text(
        _ name: String, _ path: any Path<String>, longest: Int, label: String, _ summary: String,
        called placeholder: String = "TEXT"
    ) -> ThingField {
        text(name, path, .text(longest: longest), label, placeholder, summary)
    }

    private static func text(
        _ name: String, _ path: any Path<String>, _ kind: Kind, _ label: String, _ placeholder: String,
        _ summary: String
    ) -> ThingField {
        ThingField(
            name: name, kind: kind, label: label, summary: summary, placeholder: placeholder, rule: nil,
            read: { .string($0[keyPath: path]) },
            write: { thing, value in value.string.map { thing[keyPath: path] = $0 } })
    }

    public static func whole(
        _ name: String, _ path: any Path<Int?>, _ bounds: ClosedRange<Int>, label: String,
        _ summary: String, called placeholder: String = "NUMBER", rule: String
    ) -> ThingField {
        ThingField(
            name: name, kind: .whole(bounds), label: label, summary: summary, placeholder: placeholder,
            rule: rule, read: { .optional($0[keyPath: path]) }, write: { $0[keyPath: path] = $1.int })
    }

    public static func time(
        _ name: String, _ path: any Path<Int?>, label: String, _ summary: String
    ) -> ThingField {
        ThingField(
            name: name, kind: .time, label: label, summary: summary, placeholder: "08:00", rule: nil,
            read: { .optional($0[keyPath: path].map(TimeOfDay.text)) },
            write: { $0[keyPath: path] = $1.string.flatMap(TimeOfDay.minute) })
    }

    public static func day(
        _ name: String, _ path: any Path<String>, isRequired: Bool = false, label: String, _ summary: String
    ) -> ThingField {
        text(name, path, .day(isRequired: isRequired), label, "DAY", summary)
    }

    public static func choice<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, _ path: any Path<Word>, label: String, _ summary: String,
        called placeholder: String = "WORD"
    ) -> ThingField {
        ThingField(
            name: name, kind: .choice(Word.allCases.map(\.rawValue)), label: label, summary: summary,
            placeholder: placeholder, rule: nil, read: { .string($0[keyPath: path].rawValue) },
            write: { thing, value in
                value.string.flatMap(Word.init(rawValue:)).map { thing[keyPath: path] = $0 }
            })
    }
}

extension Array {
    public func json<Thing>(of thing: Thing) -> JSONObject where Element == ThingField<Thing> {
        JSONObject(map { ($0.name, $0.read(thing)) })
    }

    /// Writes what the JSON says into the thing; what it leaves out stays.
    public func take<Thing>(
        _ json: JSON, into thing: inout Thing
    ) throws(Failure) where Element == ThingField<Thing> {
        for field in self {
            guard let value = json[field.name] else { continue }
            if let value = try field.understood(value) { field.write(&thing, value) }
        }
    }

    /// Whether all of it is within its bounds.
    public func check<Thing>(_ thing: Thing) throws(Failure) where Element == ThingField<Thing> {
        for field in self { try field.check(field.read(thing)) }
    }
}

extension ThingField {
    /// Nil for what is left as it is.
    fileprivate func understood(_ value: JSON) throws(Failure) -> JSON? {
        if case .whole = kind {
            guard value.isNull || value.int != nil else {
                throw Failure(.invalid, "“\(name)” must be a whole number.", field: name)
            }
            return value
        }
        if case .time = kind, value.isNull { return value }
        guard !value.isNull else { return nil }
        guard let text = value.string, !text.utf8.contains(0) else {
            throw Failure(.invalid, "“\(name)” must be text.", field: name)
        }
        switch kind {
        case .choice(let words) where !words.contains(text):
            throw Failure(.invalid, "“\(name)” is one of: \(words.joined(separator: ", ")).", field: name)
        case .day where !text.isEmpty && WallTime(day: text) == nil:
            throw Failure(.invalid, "“\(text)” is no day. Write it as 2026-04-15.", field: name)
        case .time where !text.isEmpty && TimeOfDay.minute(text) == nil:
            throw Failure(.invalid, "A time of day is written 08:00, not “\(text)”.", field: name)
        default: return value
        }
    }

    fileprivate func check(_ value: JSON) throws(Failure) {
        switch kind {
        case .line(let longest, let isRequired):
            let line = value.string ?? ""
            guard !isRequired || !line.allSatisfy(\.isWhitespace) else {
                throw Failure(.invalid, "“\(name)” is missing.", field: name)
            }
            guard line.utf8.count <= longest else {
                throw Failure(.tooLarge, "This line is too long.", field: name)
            }
            // A line break in the lines of a mail would begin a header of somebody's own.
            guard !line.contains(where: \.isNewline), line.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
            else {
                throw Failure(.invalid, "This has to be one line, without control characters.", field: name)
            }
        case .text(let longest):
            guard (value.string ?? "").utf8.count <= longest else {
                throw Failure(.tooLarge, "This text is too long.", field: name)
            }
        case .whole(let bounds):
            guard let number = value.int, !bounds.contains(number) else { return }
            throw Failure(
                .invalid, rule ?? "“\(name)” is from \(bounds.lowerBound) to \(bounds.upperBound).",
                field: name)
        case .day(let isRequired):
            guard !isRequired || !(value.string ?? "").isEmpty else {
                throw Failure(.invalid, "“\(name)” is missing.", field: name)
            }
        case .time, .choice: return
        }
    }
}
