import Bytes
import SQL
import Storage
import Transfer
import Work

extension SyncRun {
    /// How often a desk looks for what nobody needs there, and how long something must have been unneeded. A desk that laid
    /// a file has said by then what for; and a file that was taken away too soon is wished for and laid again.
    static let clearingPause = Duration.seconds(7 * 24 * 3600)

    /// Clears away files that no paper, no version and nothing else needs any more, at this desk or another.
    func clearAway() throws {
        let now = store.clock.now()
        let clearedAt = try store.read { desk in
            try desk.row("SELECT cleared_at FROM sync_place WHERE id = \(place)")?.moment("cleared_at")
        }
        guard let clearedAt, now - clearedAt >= Self.clearingPause || now < clearedAt else { return }
        progress.phase("Clearing away what nobody needs")
        let needed = try neededFiles()
        let known = try store.read { desk in
            try desk.rows("SELECT name, since FROM sync_unneeded WHERE place = \(place)").map {
                (try $0.text("name"), try $0.moment("since"))
            }
        }
        let since = Dictionary(known, uniquingKeysWith: min)
        var waiting: [String: Moment] = [:]
        for name in try bare.names(in: Self.files) where !needed.names.contains(name) {
            try progress.check()
            let began = min(since[name] ?? now, now)
            if now - began >= Self.clearingPause {
                try bare.remove(name)
            } else {
                waiting[name] = began
            }
        }
        // Who still misses something says so again.
        for wish in try bare.names(in: Self.wanted) where !wishes.contains(wish) { try bare.remove(wish) }
        try store.write { tx in
            try tx.run("DELETE FROM sync_unneeded WHERE place = \(place)")
            for (name, began) in waiting.sorted(by: { $0.key < $1.key }) {
                try tx.run(
                    "INSERT INTO sync_unneeded (place, name, since) VALUES (\(place), \(name), \(began))")
            }
            let laid = try tx.rows("SELECT digest FROM sync_laid WHERE place = \(place)").map {
                try $0.text("digest")
            }
            for digest in laid where !needed.digests.contains(digest) {
                try tx.run("DELETE FROM sync_laid WHERE place = \(place) AND digest = \(digest)")
            }
            try tx.run("UPDATE sync_place SET cleared_at = \(now) WHERE id = \(place)")
        }
    }

    /// What any record speaks of, put into effect here or not.
    private func neededFiles() throws -> (digests: Set<String>, names: Set<String>) {
        var digests: Set<String> = []
        try store.read { desk in
            try desk.each("SELECT state, incoming FROM sync_record WHERE place = \(place)") { row in
                for column in ["state", "incoming"] {
                    guard let text = try row.optionalText(column),
                        let record = SyncRecord(try JSON(parsing: text)),
                        !record.isGone
                    else { continue }
                    for digest in SyncItem(record).blobs { digests.insert(digest.hex) }
                }
            }
        }
        let names = digests.compactMap { Digest($0) }.map { digest in
            keys?.hidden(Self.name(of: digest)) ?? Self.name(of: digest)
        }
        return (digests, Set(names))
    }
}
