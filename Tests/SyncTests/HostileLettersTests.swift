import Bytes
import Testing
import Work

@testable import Sync

@Suite("Letters that say what no desk would")
struct HostileLettersTests {
    @Test(
        "leave the clock where it can go on",
        arguments: [
            "9223372036854775807.0.one", "1700000000000.9223372036854775807.one", "-1.0.one", "1.-1.one",
            "253402300800000.0.one", "99999999999999999999.0.one",
        ])
    func clock(stamp: String) {
        #expect(Stamp(stamp) == nil)
        #expect(
            SyncRecord(["kind": "paper", "id": "1", "fields": ["name": [.string(stamp), "a.pdf"]]]) == nil)
    }

    @Test("leave acts to be numbered")
    func acts() {
        var seen = Seen(["one": .integer(.max), "two": 7, "three": -4])
        #expect(seen.act(of: "one").number == 1)
        #expect(seen.act(of: "two").number == 8)
        #expect(seen.act(of: "three").number == 1)
        var clock = StampClock(milliseconds: 0, count: 0)
        if let late = Stamp("253402300799999.1099511627776.one") { clock.see(late) }
        let next = clock.next(at: Moment(milliseconds: 1_700_000_000_000), on: "here")
        #expect(next.count == 1_099_511_627_777)
    }
}
