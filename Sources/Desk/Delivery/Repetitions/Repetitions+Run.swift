import Access
import Bytes
import Filling
import Glibc
import Jobs
import People
import SQL
import Storage
import Work

// One time. What is being made stands in the repetition's own row, so that whoever goes on after a crash goes on with
// the same batch, and a letter that is out stays the only one.
extension Repetitions {
    private static let moment = Duration.seconds(2)
    private static let largest = 256 << 20
    private static let unchanged = "The file has not changed."
    private static let mostRuns = 50

    func go(_ run: JobRun) throws {
        guard let id = run.payload["repetition"]?.string.flatMap(ID<Repetition>.init) else { return }
        guard let repetition = try? store.read({ desk in try find(id, in: desk) }) else { return }
        do {
            let outcome = try step(repetition)
            run.answer(["outcome": .string(outcome)])
        } catch let failure as Failure where failure.code != .cancelled {
            try end(repetition, failure.message, newest: nil)
            throw failure
        }
    }

    /// As far as it goes now. Throws `Postponed` while packets are being made.
    private func step(_ repetition: Repetition) throws -> String {
        guard let current = repetition.current else { return try begin(repetition) }
        let batch = try batches.get(current, by: .local)
        switch batch.state {
        case .draft, .planned, .approved: return try plan(batch, of: repetition)
        case .filling: throw Postponed(until: store.clock.now() + Self.moment)
        case .paused:
            return try end(
                repetition, "It stands still: \(batch.trouble ?? "the batch was paused.")", newest: nil)
        case .cancelled: return try end(repetition, "The batch was cancelled.", newest: nil)
        case .done: return try send(batch, of: repetition)
        }
    }

    private func begin(_ repetition: Repetition) throws -> String {
        if !repetition.file.isEmpty {
            guard let bytes = try settled(repetition.file) else {
                return try end(repetition, Self.unchanged, newest: nil)
            }
            let digest = Digest(of: bytes).hex
            guard digest != repetition.fileDigest else {
                return try end(repetition, Self.unchanged, newest: nil)
            }
            try bringIn(bytes, repetition)
            try store.write { tx in
                try tx.run("UPDATE repetition SET file_digest = \(digest) WHERE id = \(repetition.id)")
            }
        }
        let batch = try drafted(repetition, by: .local)
        try store.write { tx in
            try tx.run("UPDATE repetition SET current = \(batch.id) WHERE id = \(repetition.id)")
        }
        return try plan(batch, of: repetition)
    }

    private func drafted(_ repetition: Repetition, by caller: Caller) throws -> Batch {
        let copy = try batches.duplicate(repetition.newest, by: caller)
        var draft = copy.draft
        draft.options.onlyChanged = true
        // Nobody is there to say yes.
        draft.options.needsSecondMember = false
        return try batches.change(copy.id, to: draft, by: caller)
    }

    func planned(_ repetition: Repetition, by caller: Caller) throws -> Batch {
        try batches.plan(drafted(repetition, by: caller).id, by: caller)
    }

    /// Nil while somebody is still writing it.
    private func settled(_ path: String) throws -> [UInt8]? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.unavailable, "There is no file “\(path)”.")
        }
        guard status.st_size <= Self.largest else {
            throw Failure(.tooLarge, "“\(path)” is too large to be watched.")
        }
        let age = store.clock.now().milliseconds / 1000 - Int64(status.st_mtim.tv_sec)
        guard !(0..<2).contains(age), let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = fread(&bytes, 1, bytes.count, file)
        return count == bytes.count ? bytes : nil
    }

    private func bringIn(_ bytes: [UInt8], _ repetition: Repetition) throws {
        let batch = try batches.get(repetition.batch, by: .local)
        guard let list = batch.draft.list.flatMap({ ID<RecipientList>($0) }) else {
            throw Failure(.conflict, "The batch has no list of recipients any more.")
        }
        let name = repetition.file.split(separator: "/").last.map(String.init) ?? "list"
        // The same name as before: what came from it is replaced.
        let pending = try recipients.take(.bytes(bytes), named: name, into: list, by: .local)
        try recipients.apply(pending.id, by: .local)
    }

    private func plan(_ batch: Batch, of repetition: Repetition) throws -> String {
        let planned = batch.state == .draft ? try batches.plan(batch.id, by: .local) : batch
        guard let summary = planned.summary, summary.planned > 0 else {
            // A batch in which nothing is to be made is in nobody's interest.
            try batches.discard(batch.id, by: .local)
            return try end(repetition, "Nothing is new or changed.", newest: nil)
        }
        if batch.state != .filling { try batches.fill(batch.id, by: .local) }
        throw Postponed(until: store.clock.now())
    }

    private func send(_ batch: Batch, of repetition: Repetition) throws -> String {
        let made = try batches.counts(of: batch.id, by: .local)[.made] ?? 0
        guard repetition.sends else {
            return try end(repetition, "Made \(made).", newest: batch.id)
        }
        if try sendings.sending(batch.id, by: .local) == nil {
            try sendings.copyLetter(from: repetition.newest, to: batch.id, by: .local)
            let check = try sendings.check(batch.id, by: .local)
            guard check.canStart else {
                return try end(
                    repetition,
                    "Made \(made); none was sent: \(check.reason ?? "there is nobody to send to.")",
                    newest: batch.id)
            }
            try sendings.start(batch.id, confirming: check.ready, by: .local)
            return try end(
                repetition, "Made \(made), sending \(check.ready).", newest: batch.id)
        }
        return try end(repetition, "Made \(made), sending them.", newest: batch.id)
    }

    @discardableResult
    private func end(_ repetition: Repetition, _ outcome: String, newest: ID<Batch>?) throws -> String {
        try store.write { tx in
            try tx.run(
                """
                UPDATE repetition SET current = NULL, outcome = \(outcome), ran_at = \(tx.now),
                    newest = \(newest ?? repetition.newest)
                WHERE id = \(repetition.id)
                """)
            // A file that is looked at every five minutes and stays as it is has no story.
            guard outcome != Self.unchanged else { return }
            let id: ID<RepetitionRun> = tx.newID()
            try tx.run(
                """
                INSERT INTO repetition_run (id, repetition, at, outcome, batch)
                VALUES (\(id), \(repetition.id), \(tx.now), \(outcome), \(newest))
                """)
            try tx.run(
                """
                DELETE FROM repetition_run WHERE repetition = \(repetition.id) AND id NOT IN (
                    SELECT id FROM repetition_run WHERE repetition = \(repetition.id)
                    ORDER BY id DESC LIMIT \(Self.mostRuns))
                """)
        }
        return outcome
    }
}

extension Sendings {
    /// The letter of one batch becomes that of another, with its files.
    func copyLetter(from old: ID<Batch>, to new: ID<Batch>, by caller: Caller) throws {
        let letter = try letter(of: old, by: caller)
        guard letter.version > 0, try self.letter(of: new, by: caller).version == 0 else { return }
        var copy = letter
        copy.version = 0
        try save(copy, of: new, by: caller)
        for file in letter.files { try attach(file, to: new, by: caller) }
    }
}
