import Bytes
import SQL
import Storage
import Transfer
import Work

extension SyncRun {
    /// Reads the letters of the other desks that were not read yet, each desk's in their order.
    func hear(_ letters: [SyncLetter.Name]) throws {
        progress.phase("Hearing what changed elsewhere")
        let (device, heard) = try store.read { desk in
            let heard = try desk.rows("SELECT device, number FROM sync_heard WHERE place = \(place)").map {
                (try $0.text("device"), try $0.integer("number"))
            }
            let row = try desk.row("SELECT device FROM sync_place WHERE id = \(place)")
            return (try row?.text("device") ?? "", Dictionary(heard, uniquingKeysWith: max))
        }
        for (other, theirs) in Dictionary(grouping: letters, by: \.device).sorted(by: { $0.key < $1.key })
        where other != device {
            try hear(from: other, theirs, after: heard[other] ?? 0)
        }
    }

    private func hear(from other: String, _ letters: [SyncLetter.Name], after number: Int64) throws {
        var number = number
        let single = Set(letters.filter { !$0.isSum }.map(\.number))
        while true {
            try progress.check()
            let sum = letters.filter { $0.isSum && $0.number > number }.max { $0.number < $1.number }
            let name: SyncLetter.Name
            if single.contains(number + 1) {
                name = SyncLetter.Name(other, number + 1)
            } else if let sum {
                name = sum
            } else {
                return
            }
            do {
                try read(name)
                number = name.number
            } catch SyncTrouble.missing {
                // Summed up and cleared away since it was listed; the next visit finds the sum.
                return
            } catch SyncTrouble.damaged {
                // Not whole yet, as when a program that copies files is still at it. What that desk says later waits for
                // it, so that its acts come in their order.
                tally.troubled += 1
                return
            }
        }
    }

    /// Takes a letter in, some of its records at a time.
    private func read(_ name: SyncLetter.Name) throws {
        let path = try temporary()
        defer { Self.remove(path) }
        try shelf.fetch(name.text, into: .file(path: path, limit: 1 << 36))
        let letter = try LetterReader(path, name)
        repeat {
            try progress.check()
            let records = try letter.next(Self.portion)
            try write { tx, ledger in
                for record in records {
                    // What is not kept in step here is still remembered: it may be chosen one day.
                    try ledger.hear(record, in: tx)
                }
                if letter.isAtEnd {
                    try tx.run(
                        """
                        INSERT INTO sync_heard (place, device, number) VALUES (\(place), \(name.device), \(name.number))
                        ON CONFLICT (place, device) DO UPDATE SET number = excluded.number
                        """)
                }
            }
            tally.heard += records.count
        } while !letter.isAtEnd
    }
}
