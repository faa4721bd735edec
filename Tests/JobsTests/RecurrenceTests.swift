import Jobs
import Testing
import Work

@Suite("Recurrences")
struct RecurrenceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var rule: String
        var zone = "UTC"
        var start = "2026-11-21T11:35:20Z"
        var moments: [String]
        var testDescription: String { "\(rule) in \(zone)" }
    }

    static let cases = [
        Case(rule: "FREQ=DAILY", moments: ["2026-11-22T11:35:20Z", "2026-11-23T11:35:20Z"]),
        Case(
            rule: "FREQ=DAILY;BYHOUR=3;BYMINUTE=30",
            moments: ["2026-11-22T03:30:00Z", "2026-11-23T03:30:00Z"]),
        Case(
            rule: "FREQ=DAILY;INTERVAL=3;BYHOUR=9,17;BYMINUTE=0",
            moments: ["2026-11-21T17:00:00Z", "2026-11-24T09:00:00Z", "2026-11-24T17:00:00Z"]),
        Case(
            rule: "FREQ=MINUTELY;INTERVAL=15", moments: ["2026-11-21T11:50:20Z", "2026-11-21T12:05:20Z"]),
        Case(
            rule: "FREQ=HOURLY;BYMINUTE=0,30;BYHOUR=9,10",
            moments: ["2026-11-22T09:00:00Z", "2026-11-22T09:30:00Z", "2026-11-22T10:00:00Z"]),
        Case(
            rule: "FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=8;BYMINUTE=0",
            moments: ["2026-11-23T08:00:00Z", "2026-11-27T08:00:00Z", "2026-11-30T08:00:00Z"]),
        Case(
            rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;BYHOUR=8;BYMINUTE=0",
            moments: ["2026-11-22T08:00:00Z", "2026-12-05T08:00:00Z", "2026-12-06T08:00:00Z"]),
        Case(
            rule: "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=7;BYMINUTE=0",
            moments: ["2026-11-23T07:00:00Z", "2026-11-24T07:00:00Z"]),
        Case(
            rule: "FREQ=MONTHLY;BYMONTHDAY=31;BYHOUR=0;BYMINUTE=0",
            moments: ["2026-12-31T00:00:00Z", "2027-01-31T00:00:00Z", "2027-03-31T00:00:00Z"]),
        Case(
            rule: "FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=0;BYMINUTE=0",
            moments: [
                "2026-11-30T00:00:00Z", "2026-12-31T00:00:00Z", "2027-01-31T00:00:00Z",
                "2027-02-28T00:00:00Z",
            ]),
        Case(
            rule: "FREQ=MONTHLY;BYDAY=2TU,-1FR;BYHOUR=6;BYMINUTE=0",
            moments: ["2026-11-27T06:00:00Z", "2026-12-08T06:00:00Z", "2026-12-25T06:00:00Z"]),
        Case(
            rule: "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;BYHOUR=0;BYMINUTE=0",
            moments: ["2027-08-13T00:00:00Z", "2028-10-13T00:00:00Z"]),
        Case(
            rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=12;BYMINUTE=0",
            moments: ["2028-02-29T12:00:00Z", "2032-02-29T12:00:00Z"]),
        Case(rule: "FREQ=YEARLY", moments: ["2027-11-21T11:35:20Z"]),
        Case(
            rule: "FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=1;BYHOUR=0;BYMINUTE=0",
            moments: ["2027-01-01T00:00:00Z", "2027-07-01T00:00:00Z"]),
        Case(
            rule: "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;BYHOUR=1;BYMINUTE=0",
            moments: ["2027-03-28T01:00:00Z", "2028-03-26T01:00:00Z"]),
        Case(
            rule: "FREQ=DAILY;COUNT=2;BYHOUR=3;BYMINUTE=0",
            moments: ["2026-11-22T03:00:00Z", "2026-11-23T03:00:00Z", "never"]),
        Case(
            rule: "FREQ=DAILY;UNTIL=20261123T000000Z;BYHOUR=3;BYMINUTE=0",
            moments: ["2026-11-22T03:00:00Z", "never"]),
        Case(rule: "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30", moments: ["never"]),
        // Clocks go from 2:00 to 3:00 on 29 March 2026 and from 3:00 back to 2:00 on 25 October.
        Case(
            rule: "FREQ=DAILY;BYHOUR=3;BYMINUTE=30", zone: "Europe/Berlin", start: "2026-03-28T00:00:00Z",
            moments: ["2026-03-28T02:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T01:30:00Z"]),
        Case(
            rule: "FREQ=DAILY;BYHOUR=2;BYMINUTE=30", zone: "Europe/Berlin", start: "2026-03-28T00:00:00Z",
            moments: ["2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"]),
        Case(
            rule: "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=30", zone: "Europe/Berlin", start: "2026-03-29T00:00:00Z",
            moments: ["2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"]),
        Case(
            rule: "FREQ=DAILY;BYHOUR=2;BYMINUTE=30", zone: "Europe/Berlin", start: "2026-10-24T12:00:00Z",
            moments: ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]),
        Case(
            rule: "FREQ=HOURLY;BYMINUTE=0", zone: "Europe/Berlin", start: "2026-10-24T23:10:00Z",
            moments: ["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z"]),
    ]

    @Test("Happen when the calendar says", arguments: cases)
    func moments(example: Case) throws {
        let recurrence = try Recurrence(example.rule)
        let zone = try TimeZoneRules(name: example.zone)
        let start = try #require(Moment(iso8601: example.start))
        var now = start
        for expected in example.moments {
            let next = recurrence.next(after: now, from: start, zone: zone)
            #expect(next == Moment(iso8601: expected), "\(next?.iso8601 ?? "never")")
            now = next ?? now
        }
    }

    @Test("Years later the answer is the same as step by step")
    func farAway() throws {
        let start = try #require(Moment(iso8601: "2020-01-31T08:00:00Z"))
        let zone = try TimeZoneRules(name: "America/New_York")
        for rule in [
            "FREQ=MINUTELY;INTERVAL=7", "FREQ=HOURLY;INTERVAL=5", "FREQ=DAILY;INTERVAL=3",
            "FREQ=WEEKLY;INTERVAL=3;BYDAY=TU", "FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=-2",
            "FREQ=YEARLY;INTERVAL=2",
        ] {
            let recurrence = try Recurrence(rule)
            var step = start
            for _ in 0..<60 { step = try #require(recurrence.next(after: step, from: start, zone: zone)) }
            #expect(
                recurrence.next(after: step - .milliseconds(1), from: start, zone: zone) == step, "\(rule)")
        }
    }

    @Test("Are written as they are read")
    func text() throws {
        for rule in Self.cases.map(\.rule) {
            let recurrence = try Recurrence(rule)
            #expect(try Recurrence(recurrence.text) == recurrence)
        }
        #expect(try Recurrence("byhour=3;freq=daily;interval=1").text == "FREQ=DAILY;BYHOUR=3")
    }

    @Test(
        "What is no rule is refused with the part that is wrong",
        arguments: [
            ("", ""), ("DAILY", "DAILY"), ("FREQ=SOMETIMES", "FREQ"), ("INTERVAL=2", "FREQ"),
            ("FREQ=DAILY;BYHOUR=24", "BYHOUR=24"), ("FREQ=DAILY;BYHOUR=", "BYHOUR="),
            ("FREQ=DAILY;INTERVAL=0", "INTERVAL=0"),
            ("FREQ=DAILY;INTERVAL=99999999999999999999", "INTERVAL=99999999999999999999"),
            ("FREQ=DAILY;FREQ=DAILY", "FREQ=DAILY"), ("FREQ=WEEKLY;BYDAY=2MO", "BYDAY"),
            ("FREQ=WEEKLY;BYDAY=XX", "BYDAY=XX"), ("FREQ=DAILY;UNTIL=tomorrow", "UNTIL=TOMORROW"),
            ("FREQ=DAILY;COUNT=3;UNTIL=20261231T000000Z", "COUNT"), ("FREQ=SECONDLY", "FREQ"),
            ("FREQ=DAILY;BYSETPOS=1", "BYSETPOS=1"), ("FREQ=YEARLY;BYDAY=MO", "BYDAY"),
        ])
    func refused(rule: String, part: String) {
        do {
            _ = try Recurrence(rule)
            Issue.record("accepted")
        } catch {
            #expect(error.part == part)
        }
    }

    @Test("Any text is read or refused, and any rule answers")
    func fuzz() throws {
        let chance = Chance.seeded(7)
        let scraps = [
            "FREQ=", "DAILY", "WEEKLY", "MONTHLY", "YEARLY", "HOURLY", "MINUTELY", ";", ";", "BYDAY=", "MO",
            "-1SU",
            ",", "BYHOUR=", "3", "23", "INTERVAL=", "9999", "BYMONTHDAY=", "-31", "BYMONTH=", "2", "COUNT=",
            "=", "é",
            "UNTIL=20300101T000000Z", "BYMINUTE=0",
        ]
        let zone = try TimeZoneRules(name: "Europe/Berlin")
        var read = 0
        for _ in 0..<20_000 {
            var rule = chance.integer(below: 4) == 0 ? "" : "FREQ=\(scraps[1 + chance.integer(below: 6)])"
            for _ in 0..<chance.integer(below: 8) { rule += scraps[chance.integer(below: scraps.count)] }
            guard let recurrence = try? Recurrence(rule) else { continue }
            read += 1
            guard read < 400 else { continue }
            let start = Moment(milliseconds: Int64(chance.integer(below: 4_000_000)) * 1_000_000)
            let from = start + .seconds(chance.integer(below: 100_000_000))
            if let next = recurrence.next(after: from, from: start, zone: zone) { #expect(next > from) }
        }
        #expect(read > 300)
        let extreme = try Recurrence("FREQ=YEARLY;INTERVAL=10000")
        #expect(
            extreme.next(after: Moment(milliseconds: .max), from: Moment(milliseconds: .min), zone: zone)
                == nil)
    }
}
