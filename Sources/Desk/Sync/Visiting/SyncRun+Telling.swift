import Bytes
import SQL
import Storage
import Transfer
import Work

extension SyncRun {
    /// Tells the other desks what they do not know: first the files, then a letter that speaks of them.
    func tell() throws {
        try send()
        progress.phase("Sending what changed here")
        var last = ("", "")
        while true {
            try progress.check()
            let untold = try store.read { desk in
                try desk.rows(
                    """
                    SELECT * FROM sync_record WHERE place = \(place) AND is_untold <> 0 AND state IS NOT NULL
                        AND (kind, id) > (\(last.0), \(last.1)) ORDER BY kind, id LIMIT \(Self.portion)
                    """
                ).map(SyncLedger.kept)
            }
            guard let end = untold.last else { return }
            last = (end.kind, end.id)
            var ready: [KeptRecord] = []
            for kept in untold {
                do {
                    if let state = kept.state, !state.isGone {
                        for digest in SyncItem(state).blobs where store.blobs.contains(digest) {
                            try lay(digest)
                        }
                    }
                    ready.append(kept)
                } catch let trouble as SyncTrouble where !trouble.isOfThePlace {
                    try note(trouble: trouble.sentence, kept)
                }
            }
            try write(ready)
            try send()
        }
    }

    /// Writes a letter and remembers it before it is sent, so that a visit that ends meanwhile sends the very same one.
    private func write(_ records: [KeptRecord]) throws {
        guard !records.isEmpty else { return }
        try write { tx, ledger in
            var told: [SyncRecord] = []
            for record in records {
                var now = try ledger.get(record.kind, record.id, in: tx)
                // Changed since its files were laid: with the next letter.
                guard now.isUntold, let state = now.state, state == record.state else { continue }
                told.append(state)
                now.isUntold = false
                now.trouble = nil
                try ledger.put(now, in: tx)
            }
            guard !told.isEmpty else { return }
            let last = try tx.row("SELECT MAX(number) AS n FROM sync_letter WHERE place = \(place)")
            let sent = try tx.row("SELECT number FROM sync_place WHERE id = \(place)")
            let number = max(try last?.optionalInteger("n") ?? 0, try sent?.integer("number") ?? 0) + 1
            let body = SyncLetter.write(told, device: ledger.device, desk: ledger.desk, number: number)
            try tx.run("INSERT INTO sync_letter (place, number, body) VALUES (\(place), \(number), \(body))")
        }
    }

    /// Sends the letters that were written, in their order.
    private func send() throws {
        while true {
            let next = try store.read { desk -> (SyncLetter.Name, [UInt8])? in
                let row = try desk.row(
                    "SELECT number, body FROM sync_letter WHERE place = \(place) ORDER BY number LIMIT 1")
                guard let row else { return nil }
                let device = try desk.row("SELECT device FROM sync_place WHERE id = \(place)")
                return (
                    SyncLetter.Name(try device?.text("device") ?? "", try row.integer("number")),
                    try row.blob("body")
                )
            }
            guard let (name, body) = next else { return }
            if try !shelf.lay(name.text, .bytes(body)) {
                // Ours, from a visit that ended before it knew. Anything else was written by a second desk under our
                // name, and the next visit finds out.
                let path = try temporary()
                defer { Self.remove(path) }
                try shelf.fetch(name.text, into: .file(path: path, limit: 1 << 30))
                guard try Self.read(path) == body else {
                    try store.write { tx in try becomeAnother(in: tx) }
                    throw SyncTrouble.away(
                        "Two machines kept this place in step under one name. From now on they are two.")
                }
            }
            try store.write { tx in
                // A line for each record, and one above them.
                tally.told += max(0, body.count { $0 == 0x0A } - 1)
                try tx.run("DELETE FROM sync_letter WHERE place = \(place) AND number = \(name.number)")
                try tx.run("UPDATE sync_place SET number = \(name.number) WHERE id = \(place)")
            }
        }
    }

    func note(trouble sentence: String, _ kept: KeptRecord) throws {
        tally.troubled += 1
        try store.write { tx in
            try tx.run(
                """
                UPDATE sync_record SET trouble = \(sentence)
                WHERE place = \(place) AND kind = \(kept.kind) AND id = \(kept.id)
                """)
        }
    }

    /// After many letters, one that says all of it, so that a new desk has little to read; then those are cleared away.
    func sumUp(_ letters: [SyncLetter.Name]) throws {
        let row = try store.read { desk in
            try desk.row("SELECT device, desk, number, summed_up FROM sync_place WHERE id = \(place)")
        }
        guard let row else { return }
        let device = try row.text("device")
        let (number, summed) = (try row.integer("number"), try row.integer("summed_up"))
        if number - summed >= Self.lettersPerSum {
            let path = try temporary()
            defer { Self.remove(path) }
            let letter = try LetterWriter(path)
            let isAll = try store.read { desk in
                // What was said since the last letter is not in it, or the sum would say more than its number.
                guard
                    try desk.row(
                        "SELECT 1 AS one FROM sync_record WHERE place = \(place) AND is_untold <> 0 LIMIT 1")
                        == nil
                else { return false }
                try desk.each(
                    "SELECT state FROM sync_record WHERE place = \(place) AND state IS NOT NULL ORDER BY kind, id"
                ) { row in
                    if let record = SyncRecord(try JSON(parsing: try row.text("state"))) {
                        try letter.add(record)
                    }
                }
                return true
            }
            guard isAll else { return }
            try letter.finish(device: device, desk: try row.text("desk"), number: number)
            try shelf.lay(SyncLetter.Name(device, number, isSum: true).text, .file(path: path))
            try store.write { tx in
                try tx.run("UPDATE sync_place SET summed_up = \(number) WHERE id = \(place)")
            }
            return
        }
        // Only at a later visit, when others that were just reading the list have had their time.
        for old in letters where old.device == device && old.number <= summed {
            if old.isSum && old.number == summed { continue }
            guard letters.contains(SyncLetter.Name(device, summed, isSum: true)) else { return }
            try shelf.remove(old.text)
        }
    }
}
