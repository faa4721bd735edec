import SQL
import Storage
import Transfer
import Work

// What became of letters whose answer nobody heard: looked up before a person is asked to.
extension Bounces {
    /// A server that has not kept a copy of a letter by then will not keep one any more.
    private static let longestLook = Duration.seconds(3 * 24 * 3600)
    private static let mostLookedFor = 50

    /// Many servers lay a copy of what they have taken over among what their account has sent, and a letter to the office
    /// itself lies in its mailbox: a letter that is found there has been taken over. That one is missing proves nothing.
    func lookForUncertain(
        in account: IMAPAccount, by client: IMAPClient, _ progress: Progress
    ) throws(TransferError) -> Int {
        let letters = try told { try uncertain() }
        guard !letters.isEmpty else { return 0 }
        var places = [client]
        let folders = try heard([]) { () throws(TransferError) in try client.sentFolders(progress: progress) }
        for folder in folders where folder != account.folder {
            var sent = account
            sent.folder = folder
            places.append(try IMAPClient(sent))
        }
        var count = 0
        for letter in letters {
            for place in places {
                let isThere = try heard(false) { () throws(TransferError) in
                    try place.holds(letter.messageID, progress: progress)
                }
                guard isThere else { continue }
                let words = "A copy of it lies in the mailbox: the mail server had taken it over."
                let isNews = try told {
                    try store.write { tx in
                        try confirm(letter, Outbox.mailing(letter.mailing, in: tx), words, in: tx)
                    }
                }
                if isNews { count += 1 }
                break
            }
        }
        return count
    }

    /// A server that does not understand the question has answered nothing, and its reports have been read all the same.
    private func heard<Answer>(
        _ nothing: Answer, _ ask: () throws(TransferError) -> Answer
    ) throws(TransferError) -> Answer {
        do throws(TransferError) {
            return try ask()
        } catch {
            if case .cancelled = error { throw error }
            return nothing
        }
    }

    private func uncertain() throws -> [OutboxMessage] {
        try store.read { desk in
            try desk.rows(
                """
                SELECT * FROM outbox_message
                WHERE state = 'uncertain' AND changed_at > \(store.clock.now() - Self.longestLook)
                ORDER BY id DESC LIMIT \(Self.mostLookedFor)
                """
            ).map(OutboxMessage.init)
        }
    }

    /// Writes down that a letter of an uncertain fate had been taken over; false when that was known.
    func confirm(
        _ letter: OutboxMessage, _ mailing: Mailing, _ words: String, in tx: borrowing Transaction
    ) throws -> Bool {
        let changed = try tx.run(
            """
            UPDATE outbox_message SET state = 'accepted', reason = NULL, changed_at = \(tx.now)
            WHERE id = \(letter.id) AND state = 'uncertain'
            """)
        guard changed == 1 else { return false }
        try tx.run(
            """
            INSERT INTO outbox_attempt (id, message, at, outcome, words)
            VALUES (\(tx.newID(of: DeliveryAttempt.self)), \(letter.id), \(tx.now), 'accepted', \(words))
            """)
        try outbox.write([letter.note(.accepted, mailing, by: "quire/bounces", words)], of: mailing, in: tx)
        return true
    }
}
