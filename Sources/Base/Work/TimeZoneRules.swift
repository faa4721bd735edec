import Glibc

/// A time zone's rules as the system's zoneinfo files tell them: when clocks show what.
///
/// Reads TZif versions 1 to 3 (RFC 8536) and the rule for the future in its last line. For times that local
/// clocks skip or show twice it chooses as calendars do (RFC 5545 §3.3.5): a skipped time is counted with the
/// offset before the gap, and of two equal times the first is meant.
public struct TimeZoneRules: Sendable {
    public struct Offset: Sendable, Hashable {
        /// Seconds east of UTC.
        public let seconds: Int
        public let isDaylightSaving: Bool
        /// `CET`, `CEST`; for some places only a number.
        public let abbreviation: String
    }

    /// `Europe/Berlin`
    public let name: String
    /// Ascending seconds since 1970, with the offset that begins there.
    private let transitions: [(second: Int64, offset: Offset)]
    private let earliest: Offset
    private let future: ZoneRule?

    public static let utc = TimeZoneRules(
        name: "UTC", transitions: [],
        earliest: Offset(seconds: 0, isDaylightSaving: false, abbreviation: "UTC"),
        future: nil)

    private init(
        name: String, transitions: [(second: Int64, offset: Offset)], earliest: Offset, future: ZoneRule?
    ) {
        self.name = name
        self.transitions = transitions
        self.earliest = earliest
        self.future = future
    }

    /// Looks the name up in the system's folder. `UTC` works everywhere.
    public init(name: String, folder: String = "/usr/share/zoneinfo") throws(TimeZoneError) {
        guard Self.isPlausible(name) else { throw .unknownName(name) }
        guard name != "UTC" else {
            self = .utc
            return
        }
        let file = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .unknownName(name) }
        defer { close(file) }
        var about = stat()
        guard fstat(file, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { throw .unknownName(name) }
        var bytes = [UInt8](repeating: 0, count: Self.byteLimit + 1)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0, count <= Self.byteLimit else { throw .damaged(offset: 0, reason: "too long") }
        try self.init(name: name, bytes: Array(bytes[..<count]))
    }

    /// Reads a TZif file's bytes.
    public init(name: String, bytes: [UInt8]) throws(TimeZoneError) {
        guard bytes.count <= Self.byteLimit else { throw .damaged(offset: 0, reason: "too long") }
        var reader = ZoneReader(bytes)
        let contents = try reader.contents()
        self.init(
            name: name, transitions: contents.transitions, earliest: contents.earliest,
            future: contents.footer)
    }

    /// The zone this machine is set to; `UTC` if nothing is said.
    public static var systemName: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/etc/localtime", &buffer, buffer.count)
        if count > 0 {
            let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let place = path.utf8Range(of: "zoneinfo/") {
                let name = String(path[place...])
                if isPlausible(name) { return name }
            }
        }
        return "UTC"
    }

    /// The names of all zones this machine knows, sorted; only `UTC` where the package `tzdata` is missing.
    public static func names(folder: String = "/usr/share/zoneinfo") -> [String] {
        guard let file = fopen("\(folder)/tzdata.zi", "re") else { return ["UTC"] }
        defer { fclose(file) }
        var names: Set<String> = ["UTC"]
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        while getline(&line, &room, file) > 0, let text = line.map({ String(cString: $0) }) {
            // "Z Europe/Berlin …" is a zone, "L Europe/Berlin Europe/Copenhagen" another name for one.
            let words = text.split(whereSeparator: { $0 == " " || $0 == "\n" })
            let name = words.first == "Z" ? words.dropFirst().first : words.first == "L" ? words.last : nil
            if let name, name.utf8.contains(UInt8(ascii: "/")), !name.hasPrefix("Etc/") {
                names.insert(String(name))
            }
        }
        return names.sorted()
    }

    public func offset(at moment: Moment) -> Offset {
        let second = moment.milliseconds.dividedFlooring(by: 1000).quotient
        guard let first = transitions.first, second >= first.second else {
            return transitions.isEmpty ? future?.offset(at: second) ?? earliest : earliest
        }
        if let future, let last = transitions.last, second >= last.second { return future.offset(at: second) }
        var low = 0
        var high = transitions.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if transitions[middle].second <= second { low = middle } else { high = middle }
        }
        return transitions[low].offset
    }

    public func utcOffset(at moment: Moment) -> Duration { .seconds(offset(at: moment).seconds) }

    public func wallTime(at moment: Moment) -> WallTime {
        WallTime(
            millisecondsAsUTC: moment.milliseconds.addingSaturating(Int64(offset(at: moment).seconds) * 1000))
    }

    /// The moment at which clocks here show this.
    public func moment(of wall: WallTime) -> Moment {
        let asUTC = wall.millisecondsAsUTC
        let day: Int64 = 86_400_000
        let before = offset(at: Moment(milliseconds: asUTC - day)).seconds
        let after = offset(at: Moment(milliseconds: asUTC + day)).seconds
        let candidates = Set([before, after]).map { Moment(milliseconds: asUTC - Int64($0) * 1000) }
        let shown = candidates.filter { wallTime(at: $0) == wall }
        return shown.min() ?? Moment(milliseconds: asUTC - Int64(before) * 1000)
    }

    /// The longest real file has about 4 kB.
    private static let byteLimit = 1 << 17

    private static func isPlausible(_ name: String) -> Bool {
        let allowed = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "+")
        }
        return allowed && !name.isEmpty && name.utf8.count <= 64 && !name.hasPrefix("/")
    }
}

public enum TimeZoneError: Error, Sendable, Equatable {
    case unknownName(String)
    case damaged(offset: Int, reason: String)
}

extension String {
    /// Where the text after `part` begins.
    fileprivate func utf8Range(of part: String) -> String.Index? {
        let length = part.utf8.count
        guard utf8.count >= length else { return nil }
        var start = utf8.startIndex
        while let end = utf8.index(start, offsetBy: length, limitedBy: utf8.endIndex) {
            if utf8[start..<end].elementsEqual(part.utf8) { return end }
            start = utf8.index(after: start)
        }
        return nil
    }
}
