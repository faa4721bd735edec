internal import Crypto
internal import Storage
internal import Synchronization
internal import Work

/// The questions that are open: each random, for one purpose, answered at most once and within minutes.
///
/// Kept in memory. Anybody may ask for one, so they must not fill the disk; and a question lost in a restart is
/// simply asked again.
final class Challenges: Sendable {
    enum Purpose: Sendable, Hashable {
        case registration(ID<Member>)
        /// For somebody who is no member yet, by the handle they will have.
        case newcomer([UInt8])
        case signIn
        case unlock(ID<Session>)
    }

    private struct Question {
        let purpose: Purpose
        let party: RelyingParty
        let expiresAt: Moment
        let number: Int
    }

    private struct Open {
        var questions: [[UInt8]: Question] = [:]
        var count = 0
    }

    private let open = Mutex(Open())
    private let clock: Clock
    private let chance: Chance

    init(clock: Clock, chance: Chance) {
        self.clock = clock
        self.chance = chance
    }

    func ask(_ purpose: Purpose, for party: RelyingParty, life: Duration) -> [UInt8] {
        let challenge = chance.bytes(32)
        let now = clock.now()
        open.withLock { open in
            if open.questions.count >= Self.capacity { makeRoom(&open, now) }
            open.count += 1
            open.questions[challenge] = Question(
                purpose: purpose, party: party, expiresAt: now + life, number: open.count)
        }
        return challenge
    }

    /// The site the question was asked for; nil when it was not asked, not for this, or too long ago. Whatever
    /// the answer, the question is gone.
    func take(_ challenge: [UInt8], for purpose: Purpose) -> RelyingParty? {
        guard let question = open.withLock({ $0.questions.removeValue(forKey: challenge) }),
            question.purpose == purpose, clock.now() < question.expiresAt
        else { return nil }
        return question.party
    }

    private func makeRoom(_ open: inout Open, _ now: Moment) {
        open.questions = open.questions.filter { $0.value.expiresAt > now }
        guard open.questions.count >= Self.capacity else { return }
        let oldest = open.count - Self.capacity / 2
        open.questions = open.questions.filter { $0.value.number > oldest }
    }

    private static let capacity = 10_000
}
