import Testing
import Work

@Suite("What keeps going wrong")
struct TroublesTests {
    @Test("is told once and then each hour, until it is over")
    func seldom() {
        let hands = HandClock()
        let (log, recording) = Log.recording()
        let troubles = Troubles(clock: hands.clock, log: log)
        let begun = hands.now
        for _ in 0..<7200 {
            troubles.happened("disk", "The disk takes nothing.", reason: "ENOSPC")
            hands.advance(.seconds(1))
        }
        #expect(recording.messages == ["The disk takes nothing.", "The disk takes nothing."])
        #expect(recording.entries[1].fields["since"] == begun.iso8601)
        #expect(troubles.all.map(\.since) == [begun])
        troubles.isOver("disk")
        troubles.isOver("disk")
        #expect(troubles.all.isEmpty)
        #expect(recording.messages.count == 3)
    }

    @Test("is told anew when it has another reason, and when the clock was put back")
    func news() {
        let hands = HandClock()
        let (log, recording) = Log.recording()
        let troubles = Troubles(clock: hands.clock, log: log)
        troubles.happened("inbox", "It is not there.")
        troubles.happened("inbox", "It may not be read.")
        hands.advance(.seconds(-86_400))
        troubles.happened("inbox", "It may not be read.")
        troubles.happened("inbox", "It may not be read.")
        #expect(recording.messages.count == 3)
    }
}
