import Testing
import Work

@Suite("Moments")
struct MomentTests {
    @Test("a moment is written as UTC with milliseconds and read back")
    func roundTrip() throws {
        let moment = try #require(Moment(iso8601: "2026-11-21T11:35:00.000Z"))
        #expect(moment.milliseconds == 1_795_260_900_000)
        #expect(moment.iso8601 == "2026-11-21T11:35:00.000Z")
        #expect(Moment(milliseconds: 0).iso8601 == "1970-01-01T00:00:00.000Z")
        #expect(Moment(milliseconds: -1).iso8601 == "1969-12-31T23:59:59.999Z")
    }

    @Test("an offset and a short fraction are understood")
    func offsets() {
        #expect(Moment(iso8601: "2026-11-21T13:35:00.5+02:00")?.iso8601 == "2026-11-21T11:35:00.500Z")
        #expect(Moment(iso8601: "2026-11-20T23:35:00-12:00")?.iso8601 == "2026-11-21T11:35:00.000Z")
    }

    @Test(
        "what is no date is refused",
        arguments: [
            "", "2026", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z",
            "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zx",
            "2026-01-01T00:00:00+2:00",
            "٢٠٢٦-01-01T00:00:00Z",
        ])
    func refused(text: String) {
        #expect(Moment(iso8601: text) == nil)
    }

    @Test("every day of 800 years has the number after the day before")
    func calendar() {
        var day = WallTime(year: 1600, month: 1, day: 1)
        var count = 0
        while let today = day, today.year < 2400 {
            let tomorrow = today.adding(days: 1)
            if tomorrow.dayNumber != today.dayNumber + 1
                || tomorrow.weekday != today.weekday % 7 + 1
            {
                Issue.record("after \(today.text) comes \(tomorrow.text)")
            }
            day = tomorrow
            count += 1
        }
        #expect(count == 292_194)
        #expect(WallTime(year: 2026, month: 11, day: 21)?.weekday == 6)
    }

    @Test("arithmetic at the ends of time does not trap")
    func saturation() {
        let end = Moment(milliseconds: .max)
        #expect(end + .seconds(10) == end)
        #expect(Moment(milliseconds: .min) - .seconds(Int64.max) == Moment(milliseconds: .min))
        #expect((end - Moment(milliseconds: .min)) == .milliseconds(Int64.max))
        #expect(end.iso8601 == "9999-12-31T23:59:59.999Z")
        #expect(Moment(milliseconds: .min).iso8601 == "-9999-01-01T00:00:00.000Z")
    }
}
