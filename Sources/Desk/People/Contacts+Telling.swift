import Access
public import Jobs
import SQL
import Storage
import Work

extension JobKind {
    public static let followUps = JobKind("follow-ups", title: "Tell whom to get back to", maximumAttempts: 3)
}

// Members are told of people to get back to: one notice a day, and each person once for each day that was named.
extension Contacts {
    func tellDue() throws {
        try store.write { tx in
            try settleDue(in: tx)
            let count = try tx.run(
                """
                UPDATE contact SET follow_told = follow_on WHERE follow_on <= \(today.dayText)
                    AND (follow_told IS NULL OR follow_told <> follow_on)
                """)
            guard count > 0 else { return }
            try recipients.access.notices.tell(
                .followUpsDue, Self.subject(of: today.dayText), count: count, in: tx)
        }
    }

    /// A day's notice needs nobody any more when all who were due by then are done or moved.
    func settleDue(in tx: borrowing Transaction) throws {
        let first = try tx.row("SELECT min(follow_on) AS day FROM contact WHERE follow_on IS NOT NULL")?
            .optionalText("day")
        try recipients.access.notices.settle(.followUpsDue, before: first.map(Self.subject(of:)), in: tx)
    }

    private static func subject(of day: String) -> String { "follow-ups/\(day)" }
}
