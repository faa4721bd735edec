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
            // What is being made stays in hand: the next time goes on with it.
            try tell(repetition, failure.message, as: .repetitionFailed)
            throw failure
        }
    }

    /// As far as it goes now. Throws `Postponed` while packets are being made.
    private func step(_ repetition: Repetition) throws -> String {
        guard let current = repetition.current else { return try begin(repetition) }
        guard let batch = try? batches.get(current, by: .local), !batch.isTrashed else {
            return try begin(repetition)
        }
        switch batch.state {
        case .draft, .planned, .approved: return try plan(batch, of: repetition)
        case .filling: throw Postponed(until: store.clock.now() + Self.moment)
        case .paused:
            return try wait(repetition, "It stands still: \(batch.trouble ?? "the batch was paused.")")
        case .elsewhere:
            return try wait(repetition, "Another desk makes this batch, and sends it from there.")
        case .cancelled: return try end(repetition, "The batch was cancelled.", newest: nil)
        case .done: return try send(batch, of: repetition)
        }
    }

    private func begin(_ repetition: Repetition) throws -> String {
        var digest = repetition.fileDigest
        if !repetition.file.isEmpty {
            guard let bytes = try settled(repetition.file) else {
                throw Postponed(until: store.clock.now() + Self.moment)
            }
            digest = Digest(of: bytes).hex
            guard digest != repetition.fileDigest else {
                return try end(repetition, Self.unchanged, newest: nil)
            }
            try bringIn(bytes, repetition)
        }
        let batch = try drafted(repetition, by: .local)
        // Together: whoever ends in between brings the file in once more.
        try store.write { tx in
            try tx.run(
                """
                UPDATE repetition SET current = \(batch.id), waits = 0, file_digest = \(digest)
                WHERE id = \(repetition.id)
                """)
        }
        return try plan(batch, of: repetition)
    }

    /// What the first batch demands, each of its copies does: where a second member has to approve, it waits for them.
    func drafted(_ repetition: Repetition, by caller: Caller) throws -> Batch {
        let copy = try batches.duplicate(repetition.newest, by: caller)
        var draft = copy.draft
        draft.options.onlyChanged = true
        return try batches.change(copy.id, to: draft, by: caller)
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
        let source = try source(
            repetition.source, of: recipients.get(list, by: .local), for: repetition.file)
        let pending =
            if let source {
                try recipients.take(bytes, inPlaceOf: source, of: list, by: .local)
            } else {
                try recipients.take(.bytes(bytes), named: name, into: list, by: .local)
            }
        try recipients.apply(pending.id, by: .local)
    }

    private func plan(_ batch: Batch, of repetition: Repetition) throws -> String {
        if batch.state == .planned, try isOutdated(batch, repetition) { return try drop(batch, repetition) }
        let planned =
            batch.state == .draft
            ? try batches.plan(batch.id, reached: reached(repetition), by: .local) : batch
        guard let summary = planned.summary, summary.planned > 0 else {
            // A batch in which nothing is to be made is in nobody's interest.
            try batches.discard(batch.id, by: .local)
            return try end(repetition, "Nothing is new or changed.", newest: nil)
        }
        if planned.state == .planned, planned.draft.options.needsSecondMember {
            return try wait(
                repetition,
                "Planned \(summary.planned): somebody has to approve “\(planned.name)” before it is made and sent."
            )
        }
        try Self.requireNoSigner(of: batch)
        try batches.fill(batch.id, by: .local)
        throw Postponed(until: store.clock.now())
    }

    private func send(_ batch: Batch, of repetition: Repetition) throws -> String {
        let made = try batches.counts(of: batch.id, by: .local)[.made] ?? 0
        guard repetition.sends else {
            return try end(repetition, "Made \(made).", newest: batch.id)
        }
        guard try sendings.sending(batch.id, by: .local) == nil else {
            return try end(repetition, "Made \(made), sending them.", newest: batch.id)
        }
        if repetition.waits, try isOutdated(batch, repetition), try !hasLetters(batch) {
            return try drop(batch, repetition)
        }
        try sendings.copyLetter(from: repetition.newest, to: batch.id, by: .local)
        let check = try sendings.check(batch.id, by: .local)
        if check.canStart {
            try sendings.start(batch.id, confirming: check.ready, by: .local)
            return try end(repetition, "Made \(made), sending \(check.ready).", newest: batch.id)
        }
        let outcome = "Made \(made); none was sent: \(check.reason ?? "there is nobody to send to.")"
        // Whoever cannot be reached is looked at again when their row changes; what keeps everybody's letter waits.
        let isForAll = check.groups.contains { $0.kind.stopsAll && $0.kind != .notFilled }
        return try isForAll
            ? wait(repetition, outcome) : end(repetition, outcome, newest: batch.id)
    }

    /// Papers that waited are not sent when there are newer ones.
    private func isOutdated(_ batch: Batch, _ repetition: Repetition) throws -> Bool {
        guard repetition.waits else { return false }
        if !repetition.file.isEmpty, let bytes = try? settled(repetition.file),
            Digest(of: bytes).hex != repetition.fileDigest
        {
            return true
        }
        guard let list = batch.draft.list.flatMap({ ID<RecipientList>($0) }), let planned = batch.plannedAt
        else { return false }
        return try recipients.get(list, by: .local).changedAt > planned
    }

    /// Somebody has sent one of its packets by hand; then nobody else may get theirs from another batch.
    private func hasLetters(_ batch: Batch) throws -> Bool {
        try store.read { desk in
            try desk.row(
                """
                SELECT 1 AS there FROM mailing WHERE subject = \("batch/\(batch.id)") AND kind <> 'test' LIMIT 1
                """) != nil
        }
    }

    /// Begins anew, from what was sent last.
    private func drop(_ batch: Batch, _ repetition: Repetition) throws -> String {
        if batch.state.isBegun {
            try batches.trash(batch.id, by: .local)
        } else {
            try batches.discard(batch.id, by: .local)
        }
        let now = try store.write { tx in
            try tx.run(
                """
                UPDATE repetition SET current = NULL, waits = 0, file_digest = '' WHERE id = \(repetition.id)
                """)
            return try find(repetition.id, in: tx)
        }
        return try begin(now)
    }

    private static let patience = Duration.seconds(300)

    /// Keeps what is in hand, and looks again in a while, whatever the rule says, unless it is held.
    private func wait(_ repetition: Repetition, _ outcome: String) throws -> String {
        try tell(repetition, outcome, as: .repetitionWaits)
        guard try next(repetition)?.isPaused == false else { return outcome }
        try store.write { tx in
            _ = try queue.add(
                .repetition, payload: ["repetition": .string(repetition.id.text)],
                title: "Make “\(repetition.name)” again", in: tx, unique: repetition.jobKey,
                runAt: tx.now + Self.patience)
        }
        return outcome
    }

    func stopWaiting(_ repetition: Repetition) throws {
        guard let job = try queue.active(.repetition, unique: repetition.jobKey),
            try queue.get(job)?.state == .waiting
        else { return }
        try queue.cancel(job, reason: "The repetition was held or ended.")
    }

    private func tell(_ repetition: Repetition, _ outcome: String, as kind: Notice.Kind) throws {
        let waits = kind == .repetitionWaits
        try store.write { tx in
            try tx.run(
                """
                UPDATE repetition SET outcome = \(outcome), ran_at = \(tx.now), waits = \(waits || repetition.waits)
                WHERE id = \(repetition.id)
                """)
            // The same trouble every five minutes is told once.
            guard outcome != repetition.outcome else { return }
            try note(outcome, of: repetition, nil, in: tx)
            try notify(kind, repetition, outcome, in: tx)
        }
    }

    @discardableResult
    private func end(_ repetition: Repetition, _ outcome: String, newest: ID<Batch>?) throws -> String {
        try store.write { tx in
            try tx.run(
                """
                UPDATE repetition SET current = NULL, waits = 0, outcome = \(outcome), ran_at = \(tx.now),
                    newest = \(newest ?? repetition.newest)
                WHERE id = \(repetition.id)
                """)
            // A file that is looked at every five minutes and stays as it is has no story.
            guard outcome != Self.unchanged else { return }
            try note(outcome, of: repetition, newest, in: tx)
            try sendings.outbox.access.notices.settle(
                [.repetitionWaits, .repetitionFailed], "repetition/\(repetition.id)", in: tx)
            // Where nothing was to be made, nobody need know.
            if newest != nil { try notify(.repetitionRan, repetition, outcome, in: tx) }
        }
        return outcome
    }

    private func notify(
        _ kind: Notice.Kind, _ repetition: Repetition, _ outcome: String, in tx: borrowing Transaction
    ) throws {
        try sendings.outbox.access.notices.tell(
            kind, "repetition/\(repetition.id)", about: "batch/\(repetition.batch)", outcome, in: tx)
    }

    private func note(
        _ outcome: String, of repetition: Repetition, _ batch: ID<Batch>?, in tx: borrowing Transaction
    ) throws {
        let id: ID<RepetitionRun> = tx.newID()
        try tx.run(
            """
            INSERT INTO repetition_run (id, repetition, at, outcome, batch)
            VALUES (\(id), \(repetition.id), \(tx.now), \(outcome), \(batch))
            """)
        try tx.run(
            """
            DELETE FROM repetition_run WHERE repetition = \(repetition.id) AND id NOT IN (
                SELECT id FROM repetition_run WHERE repetition = \(repetition.id)
                ORDER BY id DESC LIMIT \(Self.mostRuns))
            """)
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
