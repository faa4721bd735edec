import Testing
import Work

@Suite("Time zones")
struct TimeZoneTests {
    private static let hasZones = TimeZoneRules.names().count > 100

    private func moment(_ text: String) throws -> Moment { try #require(Moment(iso8601: text)) }

    @Test("clocks in Berlin", .enabled(if: hasZones, "the package tzdata is not installed"))
    func berlin() throws {
        let zone = try TimeZoneRules(name: "Europe/Berlin")
        #expect(try zone.offset(at: moment("2026-01-15T12:00:00Z")).abbreviation == "CET")
        #expect(try zone.utcOffset(at: moment("2026-07-15T12:00:00Z")) == .seconds(7200))
        // The last transition listed in the file lies long before: the rule of its last line counts.
        #expect(try zone.utcOffset(at: moment("2099-07-15T12:00:00Z")) == .seconds(7200))
        #expect(try zone.utcOffset(at: moment("2099-12-15T12:00:00Z")) == .seconds(3600))
        #expect(try zone.utcOffset(at: moment("1880-01-01T00:00:00Z")) == .seconds(3208))
        #expect(try zone.wallTime(at: moment("2026-03-29T00:59:59Z")).text == "2026-03-29T01:59:59.000")
        #expect(try zone.wallTime(at: moment("2026-03-29T01:00:00Z")).text == "2026-03-29T03:00:00.000")
    }

    @Test("a skipped time is counted from before, a doubled one is the first", .enabled(if: hasZones))
    func gapsAndOverlaps() throws {
        let zone = try TimeZoneRules(name: "Europe/Berlin")
        let skipped = try #require(WallTime(year: 2026, month: 3, day: 29, hour: 2, minute: 30))
        #expect(zone.moment(of: skipped).iso8601 == "2026-03-29T01:30:00.000Z")
        let doubled = try #require(WallTime(year: 2026, month: 10, day: 25, hour: 2, minute: 30))
        #expect(zone.moment(of: doubled).iso8601 == "2026-10-25T00:30:00.000Z")
        let apia = try TimeZoneRules(name: "Pacific/Apia")
        let missingDay = try #require(WallTime(year: 2011, month: 12, day: 30, hour: 12))
        #expect(apia.wallTime(at: apia.moment(of: missingDay)).text == "2011-12-31T12:00:00.000")
    }

    @Test("every hour of two years in every zone comes back from its wall time", .enabled(if: hasZones))
    func roundTrip() throws {
        let start = try moment("2026-01-01T00:00:00Z")
        for name in [
            "America/St_Johns", "Australia/Lord_Howe", "Asia/Gaza", "America/Nuuk", "Africa/Casablanca",
        ] {
            let zone = try TimeZoneRules(name: name)
            for hour in 0..<(2 * 365 * 24) {
                let moment = start + .seconds(hour * 3600)
                let back = zone.moment(of: zone.wallTime(at: moment))
                if back != moment, zone.wallTime(at: back) != zone.wallTime(at: moment) || back > moment {
                    Issue.record("\(name) \(moment) comes back as \(back)")
                }
            }
        }
    }

    @Test("every zone of this machine can be read", .enabled(if: hasZones))
    func everyZone() throws {
        for name in TimeZoneRules.names() {
            let zone = try TimeZoneRules(name: name)
            _ = zone.offset(at: Moment(milliseconds: 4_000_000_000_000))
        }
    }

    @Test(
        "a name that is no zone is refused, wherever it points",
        arguments: [
            "", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "Europe", "posixrules\0", "tzdata.zi",
        ])
    func names(name: String) {
        #expect(throws: TimeZoneError.self) { try TimeZoneRules(name: name) }
    }

    @Test("rules for the future: southern summers, odd hours, summer all year")
    func futureRules() throws {
        func zone(_ rule: String) throws -> TimeZoneRules {
            try TimeZoneRules(name: "made", bytes: ZoneFile.version2(rule: rule))
        }
        let sydney = try zone("AEST-10AEDT,M10.1.0,M4.1.0/3")
        #expect(try sydney.utcOffset(at: moment("2030-01-01T00:00:00Z")) == .seconds(39_600))
        #expect(try sydney.utcOffset(at: moment("2030-07-01T00:00:00Z")) == .seconds(36_000))
        let always = try zone("XXX3EST,0/0,J365/25")
        for day in 0..<1000 {
            #expect(
                try always.offset(at: moment("2030-01-01T00:00:00Z") + .seconds(day * 86_400))
                    .isDaylightSaving)
        }
        let nuuk = try zone("<-02>2<-01>,M3.5.0/-1,M10.5.0/0")
        #expect(try nuuk.offset(at: moment("2030-06-01T00:00:00Z")).abbreviation == "-01")
        #expect(try zone("<+0530>-5:30").utcOffset(at: moment("2030-06-01T00:00:00Z")) == .seconds(19_800))
        for bad in [
            "C-1", "CET", "CET-25", "CET-1CEST", "CET-1CEST,M13.1.0,M1.1.0", "CET-1CEST,M3.5.0", "<CE",
        ] {
            #expect(throws: TimeZoneError.self, "\(bad)") { try zone(bad) }
        }
    }

    @Test("ten thousand damaged files are refused or read, never a crash")
    func fuzz() throws {
        let chance = Chance.seeded(42)
        let whole = ZoneFile.version2(rule: "CET-1CEST,M3.5.0,M10.5.0/3")
        for _ in 0..<10_000 {
            var bytes = whole
            for _ in 0...chance.integer(below: 4) {
                bytes[chance.integer(below: bytes.count)] = UInt8(chance.integer(below: 256))
            }
            if chance.integer(below: 3) == 0 { bytes.removeLast(chance.integer(below: bytes.count)) }
            if let zone = try? TimeZoneRules(name: "fuzz", bytes: bytes) {
                for milliseconds in [Int64.min, -1, 0, 1_795_260_900_000, .max] {
                    let wall = zone.wallTime(at: Moment(milliseconds: milliseconds))
                    _ = zone.moment(of: wall)
                }
            }
        }
    }
}

/// The smallest file of version 2 with one transition and a rule.
private enum ZoneFile {
    static func version2(rule: String) -> [UInt8] {
        header(times: 0, types: 1, letters: 4) + [0, 0, 0, 0, 0, 0] + Array("UTC\0".utf8)
            + header(times: 1, types: 2, letters: 8)
            + [0, 0, 0, 0, 0x40, 0, 0, 0] + [1]
            + [0, 0, 0, 0, 0, 0] + [0, 0, 0x0E, 0x10, 0, 4]
            + Array("UTC\0CET\0".utf8) + Array("\n\(rule)\n".utf8)
    }

    private static func header(times: UInt8, types: UInt8, letters: UInt8) -> [UInt8] {
        Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
            + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, times, 0, 0, 0, types, 0, 0, 0, letters]
    }
}
