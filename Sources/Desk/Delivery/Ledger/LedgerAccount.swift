public import Access
import Bytes
import Filling
import SQL
import Storage

/// What a packet or message in the ledger is about, for people: read where it stands now, and empty where that is gone
/// or closed to whoever asks. It is no part of what the seals cover.
public struct LedgerAccount: Sendable, Equatable {
    /// How it went out.
    public enum Method: String, Sendable, CaseIterable { case mail, link, share, hand }

    /// The send-out, or the mail with its subject.
    public var title = ""
    /// The names of its forms, in their order.
    public var forms: [String] = []
    public var fileName = ""
    public var method: Method?
    /// What was said with the event that tells its state: by the server, or by somebody's hand.
    public var note = ""

    public init() {}
}

extension Sendings {
    /// One for each of the items.
    public func accounts(of items: [Ledger.Item], by caller: Caller) throws -> [LedgerAccount] {
        try caller.require(.view)
        var runs: [String: (title: String, forms: [String])] = [:]
        for run in Set(items.map(\.run)) { runs[run] = try about(run, by: caller) }
        let ids = items.compactMap { $0.subject.split(separator: "/").last.map(String.init) }
        let subjects = items.map(\.subject)
        let (files, lines) = try store.read { desk in
            let files = try desk.rows(
                "SELECT id, file_name FROM packet WHERE \(Query.column("id", in: ids))"
            ).map { ("packet/" + (try $0.text("id")), try $0.text("file_name")) }
            let lines = try desk.rows(
                """
                SELECT number, at, event, subject, run, recipient, address, actor, detail FROM ledger
                WHERE \(Query.column("subject", in: subjects)) ORDER BY number
                """
            ).map(Ledger.Line.init)
            return (Dictionary(files, uniquingKeysWith: { first, _ in first }), lines)
        }
        let bySubject = Dictionary(grouping: lines, by: \.note.subject)
        return items.map { item in
            var account = LedgerAccount()
            if let run = runs[item.run] {
                (account.title, account.forms) = run
                account.fileName = files[item.subject].map { $0 + ".pdf" } ?? ""
            }
            let events = bySubject[item.subject] ?? []
            account.method = events.last { $0.note.event.method != nil }?.note.event.method
            account.note = events.last { $0.note.event == item.state }?.note.detail ?? ""
            return account
        }
    }

    /// Nil when it is gone, or closed to this caller.
    private func about(_ run: String, by caller: Caller) throws -> (title: String, forms: [String])? {
        let parts = run.split(separator: "/").map(String.init)
        guard parts.count == 2 else { return nil }
        if parts[0] == "batch", let id = ID<Batch>(parts[1]) {
            guard let batch = try? batches.get(id, by: caller) else { return nil }
            return (batch.name, batches.forms(of: batch, by: caller))
        }
        guard parts[0] == "mailing" else { return nil }
        return try store.read { desk in
            try desk.row("SELECT title FROM mailing WHERE id = \(parts[1])").map {
                (try $0.text("title"), [])
            }
        }
    }
}

extension LedgerEvent {
    /// By which way it went, where the event tells.
    fileprivate var method: LedgerAccount.Method? {
        switch self {
        case .posted, .accepted, .bounced, .refused, .uncertain, .suppressed: .mail
        case .opened: .link
        case .handedOver: .hand
        case .shared: .share
        case .made, .cancelled, .returned, .corrected: nil
        }
    }
}
