public import Storage
internal import Synchronization
public import Work

/// How often something may be done, per address or account. Kept in memory: a restart forgives, and the lock-out
/// after failed sign-ins, which must not, is in the database (`LockOut`).
public final class RateLimits: Sendable {
    /// A bucket that holds `burst` and fills up evenly in `refill`.
    public struct Rule: Sendable, Hashable {
        public let name: String
        public let burst: Int
        public let refill: Duration

        public init(_ name: String, burst: Int, refill: Duration) {
            self.name = name
            self.burst = max(1, burst)
            self.refill = refill
        }

        /// Everything that costs a password check. Wide enough for a whole office behind one address: stopping
        /// guesses is the lock-out's work.
        public static let signIn = Rule("sign-in", burst: 100, refill: .seconds(300))
        /// Asking for a passkey question costs a little memory here.
        public static let ceremony = Rule("ceremony", burst: 60, refill: .seconds(60))
        /// By whichever way it is typed.
        public static let setUpCode = Rule("set-up-code", burst: 100, refill: .seconds(300))
        public static let openLink = Rule("open-link", burst: 60, refill: .seconds(60))
        /// A program with a token, by whichever door: one that brings a library, file after file, is no nuisance.
        public static let token = Rule("token", burst: 6_000, refill: .seconds(60))
        /// Whoever tries tokens that are none.
        public static let strangers = Rule("strangers", burst: 600, refill: .seconds(60))
    }

    private struct Bucket {
        /// The moment at which the bucket is full again, the only thing one has to remember.
        var fullAt: Moment
    }

    private struct Key: Hashable {
        let rule: Rule
        let subject: String
    }

    private let clock: Clock
    private let buckets = Mutex<[Key: Bucket]>([:])

    public init(clock: Clock) {
        self.clock = clock
    }

    /// Takes one out of the bucket.
    public func take(_ rule: Rule, for subject: String) throws(Failure) {
        let now = clock.now()
        let each = Int64(clamping: max(1, rule.refill.wholeMilliseconds / Int64(rule.burst)))
        let key = Key(rule: rule, subject: subject)
        let wait: Int64 = buckets.withLock { buckets in
            if buckets[key] == nil, buckets.count >= Self.capacity { forgetFull(&buckets, now) }
            let start = max(buckets[key]?.fullAt ?? now, now)
            // A clock set back would otherwise keep a bucket empty for as long as it was wrong.
            let kept = min(start, now + rule.refill)
            let after = kept + .milliseconds(each)
            let late = (after - (now + rule.refill)).wholeMilliseconds
            buckets[key] = Bucket(fullAt: late <= 0 ? after : kept)
            return late
        }
        guard wait > 0 else { return }
        throw Failure(
            .tooMany, "Too many tries in a short time. Wait a moment and try again.",
            retryAfter: .milliseconds(wait))
    }

    public var subjectCount: Int { buckets.withLock { $0.count } }

    /// A bucket that is full again says the same as none. When all are in use (somebody comes from very many
    /// addresses), the fullest half goes: those who tried least.
    private func forgetFull(_ buckets: inout [Key: Bucket], _ now: Moment) {
        buckets = buckets.filter { $0.value.fullAt > now }
        guard buckets.count >= Self.capacity else { return }
        let middle = buckets.values.map(\.fullAt).sorted()[buckets.count / 2]
        buckets = buckets.filter { $0.value.fullAt > middle }
    }

    private static let capacity = 20_000

    /// The part of an address one person can be held to: an IPv6 customer has a whole /64 to choose from.
    public static func subject(ofAddress address: String) -> String {
        guard address.contains(":"), !address.hasPrefix("::ffff:") else { return address }
        let groups = address.split(separator: ":", omittingEmptySubsequences: false)
        guard !address.hasPrefix("::"), groups.count >= 4 else { return address }
        // Groups left out ("2001:db8::1") begin the zeros, so what stands before them is the network's part.
        let network = groups.prefix(4).prefix { !$0.isEmpty }
        return network.joined(separator: ":") + "::/64"
    }
}
