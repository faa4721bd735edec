import Glibc
import Synchronization

/// What the program says about itself, for the person who runs it. One line per entry, to standard error
/// unless told otherwise. Secrets and the contents of documents never belong here.
public struct Log: Sendable {
    public enum Level: Int, Sendable, Comparable, CaseIterable {
        case debug, info, warning, error

        public var name: String {
            switch self {
            case .debug: "debug"
            case .info: "info"
            case .warning: "warning"
            case .error: "error"
            }
        }

        public init?(name: String) {
            guard let level = Level.allCases.first(where: { $0.name == name }) else { return nil }
            self = level
        }

        public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    public enum Format: String, Sendable {
        case text
        /// One JSON object per line.
        case json
    }

    public struct Entry: Sendable {
        public let moment: Moment
        public let level: Level
        public let message: String
        public let fields: Fields
    }

    /// Names and values beside the message, in the order they were given.
    public struct Fields: Sendable, ExpressibleByDictionaryLiteral {
        public private(set) var list: [(name: String, value: String)]

        public init(dictionaryLiteral elements: (String, String)...) {
            list = elements.map { ($0, $1) }
        }

        public mutating func add(_ name: String, _ value: String) {
            list.append((name, value))
        }

        public subscript(name: String) -> String? {
            list.last { $0.name == name }?.value
        }
    }

    private let level: Level
    private let clock: Clock
    private let context: Fields
    private let write: @Sendable (Entry) -> Void

    public init(
        level: Level = .info, clock: Clock = .system, writing write: @escaping @Sendable (Entry) -> Void
    ) {
        self.init(level: level, clock: clock, context: [:], write: write)
    }

    private init(level: Level, clock: Clock, context: Fields, write: @escaping @Sendable (Entry) -> Void) {
        self.level = level
        self.clock = clock
        self.context = context
        self.write = write
    }

    /// Lines on standard error.
    public static func standardError(
        level: Level = .info, format: Format = .text, clock: Clock = .system
    ) -> Log {
        Log(level: level, clock: clock) { entry in
            writeWhole(format == .json ? entry.jsonLine : entry.textLine)
        }
    }

    public static let silent = Log(level: .error) { _ in }

    /// A log that keeps its entries, for tests.
    public static func recording(level: Level = .debug) -> (log: Log, recording: Recording) {
        let recording = Recording()
        return (Log(level: level) { recording.add($0) }, recording)
    }

    /// The same log with fields that every entry will carry.
    public func with(_ fields: Fields) -> Log {
        var context = context
        for (name, value) in fields.list { context.add(name, value) }
        return Log(level: level, clock: clock, context: context, write: write)
    }

    public func debug(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        entry(.debug, message, fields)
    }

    public func info(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        entry(.info, message, fields)
    }

    public func warning(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        entry(.warning, message, fields)
    }

    public func error(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        entry(.error, message, fields)
    }

    public func isEnabled(_ level: Level) -> Bool { level >= self.level }

    private func entry(_ level: Level, _ message: () -> String, _ fields: () -> Fields) {
        guard isEnabled(level) else { return }
        var all = context
        for (name, value) in fields().list { all.add(name, value) }
        write(Entry(moment: clock.now(), level: level, message: message(), fields: all))
    }

    /// What a recording log has heard.
    public final class Recording: Sendable {
        private let kept = Mutex<[Entry]>([])

        fileprivate func add(_ entry: Entry) { kept.withLock { $0.append(entry) } }

        public var entries: [Entry] { kept.withLock { $0 } }
        public var messages: [String] { entries.map(\.message) }
    }
}

extension Log.Entry {
    public var textLine: String {
        var line = "\(moment.iso8601) \(level.name) \(Self.visible(message))"
        for (name, value) in fields.list {
            let plain = Self.visible(value)
            let isQuoted = plain.isEmpty || plain.utf8.contains { $0 == 0x20 || $0 == 0x22 || $0 == 0x3D }
            line += " \(name)=" + (isQuoted ? Self.quoted(plain) : plain)
        }
        return line + "\n"
    }

    public var jsonLine: String {
        var line =
            "{\"time\":\"\(moment.iso8601)\",\"level\":\"\(level.name)\",\"message\":\(Self.quoted(message))"
        for (name, value) in fields.list { line += ",\(Self.quoted(name)):\(Self.quoted(value))" }
        return line + "}\n"
    }

    /// Whoever chooses a file's name must not be able to write a second line, or colours, into the log, nor make it read
    /// otherwise than it was written: signs of direction turn what follows them around, and others show nothing at all.
    private static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isTreacherous) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isTreacherous(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isTreacherous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// A JSON string (RFC 8259 §7).
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where isTreacherous(scalar):
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

private func writeWhole(_ line: String) {
    var line = line
    // One `write` per line: lines of several threads, and of several processes, do not mix.
    line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}
