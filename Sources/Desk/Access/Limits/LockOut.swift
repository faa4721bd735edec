internal import Crypto
internal import Bytes
internal import SQL
internal import Storage
internal import Work

/// Slows down guessing at sign-in, across restarts.
///
/// Three counts, from narrow to wide: one account from one address (strict, so that a guesser is stopped early
/// and the owner, elsewhere, is not), one account from everywhere, one address at all accounts. Names that do not
/// exist count alike, so the lock-out does not tell who is a member. Passkeys are not guessed and go around it.
///
/// Many people may share an address: an office, a school, everybody behind a proxy. So the last count holds up nobody who
/// has signed in from there before, and one stranger does not lock the door for all.
struct LockOut {
    let store: Store

    private struct Rule {
        let key: String
        var isOfAll = false
        /// So many failures are free.
        let free: Int
        let first: Duration
        let longest: Duration
    }

    static let memory = Duration.hours(24)
    /// How long somebody is known at an address where they signed in.
    static let acquaintance = Duration.days(90)

    private func rules(_ name: String, _ visitor: Visitor) -> [Rule] {
        // A digest, as people type their password into the name's field now and then.
        let account = Hex.encode(SHA256.hash(name).prefix(16))
        let address = RateLimits.subject(ofAddress: visitor.address)
        return [
            Rule(key: "\(account)@\(address)", free: 5, first: .seconds(30), longest: .hours(1)),
            Rule(key: account, free: 50, first: .minutes(1), longest: .minutes(15)),
            Rule(key: "@\(address)", isOfAll: true, free: 30, first: .minutes(1), longest: .hours(1)),
        ]
    }

    func check(_ name: String, from visitor: Visitor) throws {
        let rules = rules(name, visitor)
        let now = store.clock.now()
        let (until, isKnown) = try store.read { read in
            let until = try read.rows(
                "SELECT key, blocked_until FROM sign_in_failure WHERE \(Query.column("key", in: rules.map(\.key)))"
            ).map { (try $0.text("key"), try $0.moment("blocked_until")) }
            let place = try read.row("SELECT last_at FROM sign_in_place WHERE key = \(rules[0].key)")
            return (until, try place.map { try $0.moment("last_at") > now - Self.acquaintance } ?? false)
        }
        let waits = until.compactMap { key, until -> Duration? in
            guard let rule = rules.first(where: { $0.key == key }), until > now, !(rule.isOfAll && isKnown)
            else { return nil }
            // Further away than we ever block: the clock was wrong then or is now. Nobody shall wait for that.
            let wait = until - now
            return wait <= rule.longest ? wait : nil
        }
        guard let longest = waits.max() else { return }
        throw Failure(
            .tooMany,
            "Too many failed tries. Wait \(longest.inWords) and try again, or sign in with a passkey.",
            retryAfter: longest)
    }

    func failed(_ name: String, from visitor: Visitor, in tx: borrowing Transaction) throws {
        try tx.run("DELETE FROM sign_in_failure WHERE last_at < \(tx.now - Self.memory)")
        for rule in rules(name, visitor) {
            let before = try tx.row("SELECT count, last_at FROM sign_in_failure WHERE key = \(rule.key)")
            let count = min((try before?.int("count") ?? 0) + 1, 1_000_000)
            let over = count - rule.free
            // Doubles with each further failure.
            let pause = over < 0 ? .zero : min(rule.longest, rule.first * (1 << min(over, 20)))
            try tx.run(
                """
                INSERT INTO sign_in_failure (key, count, last_at, blocked_until)
                VALUES (\(rule.key), \(count), \(tx.now), \(tx.now + pause))
                ON CONFLICT (key) DO UPDATE SET
                    count = excluded.count, last_at = excluded.last_at, blocked_until = excluded.blocked_until
                """)
        }
    }

    /// Whoever knows the password was no guesser: what they mistyped counts no longer, and they are known at their
    /// address. What others failed at stays, as signing in to one account must not buy guesses at others.
    func succeeded(_ name: String, from visitor: Visitor, in tx: borrowing Transaction) throws {
        let rules = rules(name, visitor)
        let own = rules[0].key
        let mistyped = try tx.row("SELECT count FROM sign_in_failure WHERE key = \(own)")?.int("count") ?? 0
        try tx.run("DELETE FROM sign_in_failure WHERE key = \(own)")
        for rule in rules.dropFirst() where mistyped > 0 {
            try tx.run("DELETE FROM sign_in_failure WHERE key = \(rule.key) AND count <= \(mistyped)")
            try tx.run("UPDATE sign_in_failure SET count = count - \(mistyped) WHERE key = \(rule.key)")
            try tx.run(
                "UPDATE sign_in_failure SET blocked_until = \(tx.now) WHERE key = \(rule.key) AND count < \(rule.free)"
            )
        }
        try meet(name, at: visitor, in: tx)
    }

    /// Somebody is known from now on where they came in, whichever way they did.
    func meet(_ name: String, at visitor: Visitor, in tx: borrowing Transaction) throws {
        try tx.run(
            """
            INSERT INTO sign_in_place (key, last_at) VALUES (\(rules(name, visitor)[0].key), \(tx.now))
            ON CONFLICT (key) DO UPDATE SET last_at = excluded.last_at
            """)
    }

    /// After a recovery on the machine itself nobody should have to wait.
    func forget(_ name: String, in tx: borrowing Transaction) throws {
        let account = Hex.encode(SHA256.hash(name).prefix(16))
        try tx.run(
            """
            DELETE FROM sign_in_failure
            WHERE key = \(account) OR substr(key, 1, 33) = \(account + "@")
            """)
    }
}

extension Duration {
    /// "40 seconds", "3 minutes": rounded up.
    var inWords: String {
        let seconds = max(1, (wholeMilliseconds + 999) / 1000)
        if seconds < 90 { return seconds == 1 ? "a second" : "\(seconds) seconds" }
        return "\((seconds + 59) / 60) minutes"
    }
}
