import Access
import Bytes
import Conversion
import Converting
import Delivery
import Filling
import Jobs
import Library
import People
import Storage
import Transfer
public import Work

/// What keeps a desk well: backups, verification, clearing away. Each can be done now, on the calling thread, or
/// promised as a job; the schedule promises them at night.
public struct Maintenance: Sendable {
    let conversions: Conversions
    let outbox: Outbox
    let harvests: Harvests
    let replies: FormReplies
    let bundles: Bundles
    let sendings: Sendings
    let store: Store
    let settings: Settings
    let access: Gate
    let queue: JobQueue
    let documents: Documents
    let templates: Templates
    let recipients: Recipients
    let batches: Batches
    let engines: @Sendable () -> Engines

    public var reports: Reports { Reports(store) }

    /// Into the given folder, or the one in the settings. Encrypted or not, if nobody says: as those in that folder are;
    /// in a new one, and in that of the settings, as the settings want it.
    @discardableResult
    public func backUp(
        to given: String? = nil, encrypted: Bool? = nil, by actor: String, progress: Progress = Progress()
    ) throws -> Report {
        let decided = try settings.backups()
        let folder = given ?? decided.folder
        guard folder.hasPrefix("/") else {
            throw Failure(
                .conflict, "There is no folder for backups yet. Choose one under Settings › Storage.",
                field: "folder")
        }
        return try reporting(.backup, by: actor) {
            let usual =
                switch try Backups.kind(of: folder) {
                case .sealed: true
                case .plain: given == nil && decided.encrypted
                case nil: decided.encrypted
                }
            let isEncrypted = encrypted ?? usual
            let made = try Backups(store).make(
                to: folder, madeBy: Version.number, keeping: decided.keeping,
                sealedWith: isEncrypted ? settings.recoveryKey() : nil, progress: progress)
            let detail: JSON = [
                "path": .string(made.path), "rows": .int(made.rowCount), "newFiles": .int(made.newFileCount),
                "newBytes": .integer(made.newByteCount), "knownFiles": .int(made.knownFileCount),
                "folder": .string(folder), "encrypted": .bool(isEncrypted),
                "problems": .array(made.problems.map(JSON.string)),
            ]
            let sentence =
                "The backup is in \(made.path): \(Quantity.count(made.newFileCount, "new file")), \(Quantity.bytes(made.newByteCount))."
            return (made.problems.isEmpty, made.problems.first ?? sentence, detail)
        }
    }

    /// Where encrypted backups go by themselves or went lately, as far as anybody remembers.
    public func encryptedFolders() throws -> [String] {
        let decided = try settings.backups()
        var folders = decided.encrypted && !decided.folder.isEmpty ? [decided.folder] : []
        for report in try reports.list(.backup) where report.detail["encrypted"]?.bool == true {
            if let folder = report.detail["folder"]?.string, !folders.contains(folder) {
                folders.append(folder)
            }
        }
        return Array(folders.prefix(3))
    }

    /// Reads everything once and compares it with what it should be; slowly when it `rests`, as it does by plan.
    @discardableResult
    public func verify(
        by actor: String, rests: Bool = false, progress: Progress = Progress()
    ) throws -> Report {
        try reporting(.verification, by: actor) {
            let found = try store.verify(rests: rests, progress: progress)
            progress.phase("the lists")
            var problems = found.problems
            do {
                problems += try recipients.verify()
            } catch let failure as Failure where failure.code == .damaged {
                problems.append(failure.message)
            }
            progress.phase("the ledger")
            problems += try outbox.ledger.verify()
            let detail: JSON = [
                "files": .int(found.filesChecked), "bytes": .integer(found.byteCount),
                "problems": .array(problems.map(JSON.string)),
                // A person knows papers and not digests.
                "papers": .array(
                    try documents.names(of: Array(found.blobs.compactMap(\.digest).prefix(100))).map(
                        JSON.string)),
            ]
            if !problems.isEmpty {
                store.log.error(
                    "a check found damage", ["problems": "\(problems.count)", "first": problems[0]])
            }
            let sentence =
                problems.isEmpty
                ? "Everything is as it should be: \(Quantity.count(found.filesChecked, "file")), \(Quantity.bytes(found.byteCount))."
                : "\(Quantity.count(problems.count, "problem")): \(problems.first ?? "")"
            return (problems.isEmpty, sentence, detail)
        }
    }

    /// Takes files off the shelf that nothing refers to any more; they are gone when they have waited as long as backups
    /// are kept. What would take much of the shelf is only done with `all`, and told until somebody has decided.
    @discardableResult
    public func sweep(
        by actor: String, all: Bool = false, forGood: Bool = false, progress: Progress = Progress()
    ) throws -> Report {
        try reporting(.sweep, by: actor) {
            // A backup a day, if nobody has chosen another rhythm.
            let days = forGood ? -1 : max(30, try settings.backups().keeping)
            do {
                let swept = try store.sweep(
                    waiting: .seconds(days * 86_400), all: all, progress: progress)
                return (
                    true,
                    "Took \(Quantity.count(swept.count, "unused file")), \(Quantity.bytes(swept.byteCount)), off the shelf; \(Quantity.count(swept.goneCount, "file")) from earlier \(swept.goneCount == 1 ? "is" : "are") gone for good.",
                    [
                        "files": .int(swept.count), "bytes": .integer(swept.byteCount),
                        "gone": .int(swept.goneCount),
                    ]
                )
            } catch let failure as Failure where failure.field == "all" {
                store.log.warning("unused files are not cleared away", ["reason": failure.message])
                return (false, failure.message, [:])
            }
        }
    }

    /// Removes papers, templates and batches that have been in the bin for thirty days.
    @discardableResult
    public func purge(by actor: String, progress: Progress = Progress()) throws -> Report {
        try reporting(.purge, by: actor) {
            _ = try documents.endRetention()
            let count = try documents.purgeTrash() + templates.purgeTrash() + batches.purgeTrash()
            return (
                true, "Removed \(Quantity.count(count, "paper")) from the bin.", ["documents": .int(count)]
            )
        }
    }

    /// Forgets finished jobs after thirty days, what ended long ago at the door, and old reports. The journal
    /// stays whole.
    @discardableResult
    public func prune(by actor: String, progress: Progress = Progress()) throws -> Report {
        try reporting(.prune, by: actor) {
            let month = Duration.seconds(30 * 86_400)
            var count = 0
            var step = 0
            repeat {
                try progress.check()
                step = try queue.prune(finishedBefore: store.clock.now() - month)
                count += step
            } while step > 0
            try conversions.forget()
            try access.sweep()
            try recipients.sweep()
            try recipients.purge(trashedBefore: store.clock.now() - month)
            try store.write { tx in try reports.prune(in: tx) }
            try harvests.sweep()
            try replies.sweep()
            try bundles.sweep()
            try sendings.readAccounts()
            try forget()
            return (true, "Forgot \(Quantity.count(count, "finished job")).", ["jobs": .int(count)])
        }
    }

    /// Forgets what the ledger and the outbox hold longer than the desk's rule, or its plan, allows. What was forgotten
    /// is still not sent a second time.
    func forget() throws {
        var days = try settings.ledger().keepDays
        let decision = try access.entitlements.decide(.retentionDays(days ?? .max))
        if !decision.allowed { days = decision.limit ?? days }
        guard let days else { return }
        let moment = store.clock.now() - .seconds(days * 86_400)
        try outbox.ledger.forget(before: moment)
        try outbox.forget(before: moment)
        try sendings.forgetElsewhere(before: moment)
    }

    /// Has each engine convert a page in this very process and its surroundings, which may be others than those of
    /// whoever asks.
    @discardableResult
    public func tryEngines(by actor: String, progress: Progress = Progress()) throws -> Report {
        try reporting(.engineTrial, by: actor) {
            let lines = engines().trials(progress: progress).map(EngineTrials.Line.init)
            try progress.check()
            let failed = lines.first { $0.trouble != nil }?.finding
            return (
                failed == nil,
                failed.map { "\($0.name): \($0.sentence)" }
                    ?? "\(Quantity.count(lines.count, "engine")) converted a page.",
                ["engines": .array(lines.map(\.json))]
            )
        }
    }

    /// Sends a real mail through the account in the settings, to its own sender unless told otherwise.
    @discardableResult
    public func sendTestMail(
        to address: String? = nil, by actor: String, progress: Progress = Progress()
    ) throws -> Report {
        let (account, sender) = try settings.mailAccount()
        guard let recipient = address.map({ MailAddress($0) }) ?? sender else {
            throw Failure.notAnAddress(address ?? "", field: "to")
        }
        return try reporting(.mailTest, by: actor) {
            let unique = Array(store.chance.bytes(16)).map { String($0, radix: 16) }.joined()
            guard let id = MessageID(unique: unique, host: sender.domain) else {
                throw Failure(.invalid, "“\(sender.address)” cannot send mail.", field: "fromAddress")
            }
            var message = MailMessage(
                id: id, date: store.clock.now(), from: sender, to: [recipient],
                subject: "Quire can send mail",
                text:
                    "This is the test mail you asked for.\n\nIf you read it, the mail account of your desk works.\n"
            )
            message.isAutomatic = true
            do throws(SMTPError) {
                let receipt = try SMTPClient(account).send(message, to: [recipient], progress: progress)
                let words = receipt.reply.description
                return (
                    true, "\(account.host) accepted a mail to \(recipient.address).",
                    ["answer": .string(words)]
                )
            } catch {
                throw Failure(.unavailable, "\(error).", cause: "\(account.host):\(account.port)")
            }
        }
    }

    /// Puts the outcome on record, good or bad.
    func reporting(
        _ kind: Report.Kind, by actor: String,
        _ work: () throws -> (isGood: Bool, sentence: String, detail: JSON)
    ) throws -> Report {
        let outcome: (isGood: Bool, sentence: String, detail: JSON)
        do {
            outcome = try work()
            if kind == .backup { store.troubles.isOver("backup") }
        } catch let failure as Failure where failure.code != .cancelled {
            if kind == .backup {
                store.troubles.happened(
                    "backup", "The backup failed. \(failure.message)", reason: failure.cause ?? "")
            }
            // Where nothing can be written any more, the failure itself is what counts.
            _ = try? record(
                kind, by: actor, (false, failure.message, ["code": .string(failure.code.rawValue)]))
            throw failure
        }
        do {
            return try record(kind, by: actor, outcome)
        } catch let failure as Failure where [.unavailable, .full].contains(failure.code) {
            // It was done all the same, as a backup of a desk on a disk that cannot be written.
            store.log.warning("what was done could not be put on record", ["reason": failure.message])
            guard let none = ID<Report>("00000000-0000-7000-8000-000000000000") else { throw failure }
            return Report(
                id: none, kind: kind, at: store.clock.now(), isGood: outcome.isGood,
                sentence: outcome.sentence, detail: outcome.detail)
        }
    }

    private func record(
        _ kind: Report.Kind, by actor: String, _ outcome: (isGood: Bool, sentence: String, detail: JSON)
    ) throws -> Report {
        try store.write { tx in
            let id = try reports.add(kind, isGood: outcome.isGood, outcome.sentence, outcome.detail, in: tx)
            tx.record(
                JournalEntry(
                    actor: actor, verb: "maintenance.\(kind.rawValue)", subject: "report/\(id)",
                    detail: ["good": .bool(outcome.isGood)]))
            if [.backup, .verification].contains(kind) {
                if outcome.isGood {
                    try access.notices.settle([.backupFailed], "report/\(kind.rawValue)", in: tx)
                } else {
                    try access.notices.tell(
                        .backupFailed, "report/\(kind.rawValue)", outcome.sentence, in: tx)
                }
            }
            return Report(
                id: id, kind: kind, at: tx.now, isGood: outcome.isGood, sentence: outcome.sentence,
                detail: outcome.detail)
        }
    }
}

extension Quantity {
    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
