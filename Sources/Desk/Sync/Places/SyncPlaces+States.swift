public import Access
public import Library
import SQL
public import Storage

/// How a paper stands between this desk and a place.
public struct SyncedState: Sendable, Equatable {
    public enum Word: String, Sendable, CaseIterable {
        case synced
        /// On its way.
        case syncing
        /// It cannot be; the sentence says why. A new visit tries it again.
        case failed
        /// It waits for a place that does not answer, or is paused.
        case unavailable
    }

    public var place: ID<SyncPlace>
    public var placeName: String
    public var word: Word
    public var sentence: String
}

extension SyncPlaces {
    /// How papers stand with each place; nothing where this desk keeps in step with none.
    public func states(
        of ids: [ID<Document>], by caller: Caller
    ) throws -> [ID<Document>: [SyncedState]] {
        try caller.require(.view)
        guard !ids.isEmpty else { return [:] }
        return try store.read { desk in
            var states: [ID<Document>: [SyncedState]] = [:]
            for row in try desk.rows("SELECT * FROM sync_place ORDER BY made_at, id") {
                let place = try SyncPlace(row)
                let scanned = try row.integer("scanned")
                let records = try desk.rows(
                    """
                    SELECT id, trouble, incoming, is_untold FROM sync_record
                    WHERE place = \(place.id) AND kind = \(SyncedPapers.name) AND \(.column("id", in: ids))
                    """)
                var words: [String: (SyncedState.Word, String)] = [:]
                for record in records {
                    let id = try record.text("id")
                    if let trouble = try record.optionalText("trouble") {
                        words[id] = (.failed, trouble)
                    } else {
                        let waits = try record.optionalText("incoming") != nil || record.int("is_untold") != 0
                        words[id] = (waits ? .syncing : .synced, "")
                    }
                }
                let subjects = ids.map { "document/\($0)" }
                let changed = try desk.rows(
                    """
                    SELECT DISTINCT subject FROM journal WHERE number > \(scanned)
                        AND actor <> \(SyncRun.actor(at: place.id.text)) AND \(.column("subject", in: subjects))
                    """
                ).map { String(try $0.text("subject").dropFirst("document/".count)) }
                for id in ids {
                    var (word, sentence) = words[id.text] ?? (.syncing, "")
                    if word == .synced, changed.contains(id.text) { word = .syncing }
                    if word == .syncing,
                        place.isPaused || place.state == .unavailable || place.state == .refused
                    {
                        (word, sentence) = (.unavailable, place.sentence)
                    }
                    states[id, default: []].append(
                        SyncedState(place: place.id, placeName: place.name, word: word, sentence: sentence))
                }
            }
            return states
        }
    }
}

extension [SyncedState] {
    /// What one chip says for all places: the worst of it.
    public var chip: SyncedState? {
        for word in [SyncedState.Word.failed, .unavailable, .syncing, .synced] {
            if let state = first(where: { $0.word == word }) { return state }
        }
        return nil
    }
}
