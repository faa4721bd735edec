public import Access
import Bytes
import Crypto
public import Jobs
import SQL
public import Storage
import Work

extension JobKind {
    public static let walletPush = JobKind(
        "wallet-push", title: "Tell wallets that a card has changed", maximumAttempts: 8)
}

/// A telephone that keeps the pass of a card in its wallet, and what it was told last.
public struct CardWallet: Sendable {
    public let card: ID<OwnCard>
    public let member: ID<Member>?
    public let device: String
    public let passType: String
    /// By which Apple finds it.
    public let pushToken: String
    /// The state of the card that it is to be told of.
    let changedAt: Moment
}

/// Wallets ask by themselves what has changed of the passes that they keep (Apple's web service for passes). Whoever has the
/// pass of a card knows its secret, and can do no more with it than that.
extension OwnCards {
    private static let perAddress = RateLimits.Rule("wallet", burst: 120, refill: .seconds(600))
    /// More telephones keep no card of a person up to date; those that Apple does not know go with the next change.
    public static let mostWallets = 500
    /// What is typed within so many seconds is told at once.
    private static let gathering = Duration.seconds(10)

    // MARK: The secret of a pass

    /// What is in the passes of a card, for the telephone to show; made when it is first asked for.
    public func passSecret(of id: ID<OwnCard>) throws -> String {
        let known = try store.read { desk in
            try desk.row("SELECT pass_secret FROM own_card WHERE id = \(id)")?.optionalText("pass_secret")
        }
        if let known { return known }
        let fresh = Base64.urlEncode(store.chance.bytes(24))
        return try store.write { tx in
            try tx.run(
                "UPDATE own_card SET pass_secret = \(fresh) WHERE id = \(id) AND pass_secret IS NULL")
            let row = try tx.row("SELECT pass_secret FROM own_card WHERE id = \(id)")
            guard let secret = try row?.optionalText("pass_secret") else { throw Self.gone }
            return secret
        }
    }

    /// The card that a pass is of. Without its secret, there is none.
    public func card(ofPass serial: String, showing secret: String?) throws -> OwnCard {
        let found = try store.read { desk in
            try desk.row("SELECT * FROM own_card WHERE id = \(serial)").map { row in
                (try OwnCard(row, in: desk), try row.optionalText("pass_secret"))
            }
        }
        guard let secret, let (card, kept) = found, let kept,
            constantTimeEquals(Array(secret.utf8), Array(kept.utf8))
        else { throw Failure(.signInNeeded, "This pass is not of a card of this desk any more.") }
        return card
    }

    // MARK: For telephones

    /// - Returns: whether it was not here before.
    public func register(
        wallet device: String, push token: String, passType: String, for card: OwnCard, from visitor: Visitor
    ) throws -> Bool {
        try access.limits.take(Self.perAddress, for: RateLimits.subject(ofAddress: visitor.address))
        let letters = { (text: String, most: Int) in
            (1...most).contains(text.utf8.count)
                && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isLetterOrDigit }
        }
        // The token becomes a part of an address at Apple's.
        guard letters(device, 100), letters(token, 200) else {
            throw Failure(
                .invalid, "This is no telephone that can be told of a change.", field: "pushToken")
        }
        return try store.write { tx in
            let before = try tx.row(
                "SELECT device FROM own_card_wallet WHERE card_id = \(card.id) AND device = \(device)")
            if before == nil {
                let count =
                    try tx.row("SELECT count(*) AS n FROM own_card_wallet WHERE card_id = \(card.id)")?
                    .int("n") ?? 0
                guard count < Self.mostWallets else {
                    throw Failure(.tooMany, "As many telephones as can be told keep this card up to date.")
                }
            }
            try tx.run(
                """
                INSERT INTO own_card_wallet (card_id, device, pass_type, push_token, registered_at, told)
                VALUES (\(card.id), \(device), \(passType), \(token), \(tx.now), \(card.changedAt))
                ON CONFLICT (card_id, device) DO UPDATE SET
                    pass_type = excluded.pass_type, push_token = excluded.push_token
                """)
            return before == nil
        }
    }

    public func unregister(wallet device: String, from card: ID<OwnCard>) throws {
        try store.write { tx in
            try tx.run("DELETE FROM own_card_wallet WHERE card_id = \(card) AND device = \(device)")
        }
    }

    /// Which passes on a telephone are older than its mark says, and the mark for the next time; nil when there are none.
    public func passesChanged(
        on device: String, of passType: String, since mark: String?, from visitor: Visitor
    ) throws -> (serials: [String], mark: String)? {
        try access.limits.take(Self.perAddress, for: RateLimits.subject(ofAddress: visitor.address))
        let now = store.clock.now()
        // A mark from when the clock was ahead would hide what has changed since.
        let since = mark.flatMap { Int64($0) }.flatMap { $0 > now.milliseconds ? nil : $0 } ?? -1
        let rows = try store.read { desk in
            try desk.rows(
                """
                SELECT own_card.id, own_card.changed_at FROM own_card_wallet
                JOIN own_card ON own_card.id = own_card_wallet.card_id
                WHERE own_card_wallet.device = \(device) AND own_card_wallet.pass_type = \(passType)
                    AND own_card.changed_at > \(Moment(milliseconds: since)) ORDER BY own_card.id
                """
            ).map { (try $0.text("id"), try $0.moment("changed_at")) }
        }
        guard let newest = rows.map(\.1).max() else { return nil }
        return (rows.map(\.0), String(newest.milliseconds))
    }

    // MARK: For the owner

    /// How many telephones keep a card up to date.
    public func walletCount(of id: ID<OwnCard>, by caller: Caller) throws -> Int {
        try caller.require(.view)
        return try store.read { desk in
            let card = try Self.found(id, by: caller, in: desk)
            return Int(
                try desk.row("SELECT count(*) AS n FROM own_card_wallet WHERE card_id = \(card.id)")?.int("n")
                    ?? 0)
        }
    }

    // MARK: Telling them

    func promiseWallets(of id: ID<OwnCard>, in tx: borrowing Transaction) throws {
        guard try tx.row("SELECT device FROM own_card_wallet WHERE card_id = \(id) LIMIT 1") != nil else {
            return
        }
        try queue.add(.walletPush, in: tx, unique: "wallets", runAt: tx.now + Self.gathering)
    }

    /// Those that have not been told of the last change.
    public func walletsToTell() throws -> [CardWallet] {
        try store.read { desk in
            try desk.rows(
                """
                SELECT own_card_wallet.*, own_card.member_id, own_card.changed_at FROM own_card_wallet
                JOIN own_card ON own_card.id = own_card_wallet.card_id
                WHERE own_card_wallet.told <> own_card.changed_at ORDER BY own_card_wallet.card_id, device
                """
            ).map { row in
                CardWallet(
                    card: try row.id("card_id"), member: try row.optionalID("member_id"),
                    device: try row.text("device"), passType: try row.text("pass_type"),
                    pushToken: try row.text("push_token"), changedAt: try row.moment("changed_at"))
            }
        }
    }

    public func told(_ wallet: CardWallet) throws {
        try store.write { tx in
            try tx.run(
                """
                UPDATE own_card_wallet SET told = \(wallet.changedAt)
                WHERE card_id = \(wallet.card) AND device = \(wallet.device)
                """)
        }
    }

    public func hasWallets() throws -> Bool {
        try store.read { desk in try desk.row("SELECT device FROM own_card_wallet LIMIT 1") != nil }
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
