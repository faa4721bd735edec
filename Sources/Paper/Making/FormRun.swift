import Formulas
import Glibc
public import Mappings
import PDF
public import PDFForms
public import PDFReading
import Tables
public import Work

/// Makes one document for each row of a table, on several threads, into a folder, a ZIP archive or one merged file. A
/// row that cannot be used is told and left out; the others are made all the same. Memory stays the same however long
/// the table is.
public struct FormRun: Sendable {
    public enum Destination: Sendable, Equatable {
        /// Nothing is made; everything is tried.
        case nowhere
        case folder(String)
        case zip(String)
        /// One PDF with all documents, each under a bookmark.
        case merged(String)
    }

    public struct Settings: Sendable {
        public var destination: Destination
        /// Replaces files that are there already; otherwise such a row fails.
        public var overwrites = false
        /// Reads every document again before it is kept, not only the first.
        public var provesAll = false
        /// Also draws every document, and looks whether its values are seen.
        public var looks: PageReader?
        /// Leaves out documents that do not show everything they were given.
        public var isStrict = false
        public var threads: Int
        /// In one file for all, fields stay fields, each record's under names of their own; otherwise values become
        /// part of the pages.
        public var keepsFields = false
        /// Writes for each document what went into it and where from. Holds the hash of the template.
        public var receipts: ReceiptSettings?
        /// Asked for each row before it is made, when only what was planned shall be.
        public var approval: Approval?
        /// The time that files in an archive bear.
        public var modified: Moment

        public init(
            destination: Destination, threads: Int = 2,
            modified: Moment = Moment(milliseconds: 315_532_800_000)
        ) {
            self.destination = destination
            self.threads = threads
            self.modified = modified
        }
    }

    /// Says whether a row, with its number, its document's name and the hash of its cells, may be made; throws when the
    /// row is not the one that was looked at, which ends the run. Asked in order, on the thread that runs the whole.
    public struct Approval: Sendable {
        let allows: @Sendable (Int, String, String) throws -> Bool
        public init(_ allows: @escaping @Sendable (Int, String, String) throws -> Bool) {
            self.allows = allows
        }
    }

    /// What every receipt of a run says.
    public struct ReceiptSettings: Sendable {
        public var templateName: String
        public var templateHash: String
        public var tableName: String

        public init(templateName: String, templateHash: String, tableName: String) {
            self.templateName = templateName
            self.templateHash = templateHash
            self.tableName = tableName
        }
    }

    /// What became of one row.
    public struct Outcome: Sendable {
        /// The number of the row among those that are used, from 1.
        public var number: Int
        /// Where it stands in its file.
        public var place: Int
        /// The path below the folder, with its extension; for a plan, the one it would get. Nil when the row is no use.
        public var fileName: String?
        /// Why no file was made.
        public var failure: String?
        /// What did not go as wished while filling.
        public var findings: [Finding]
        /// What could not be worked out for this row.
        public var problems: [MappingProblem]
        public var byteCount: Int
        /// The hash of the row's cells, when a plan or receipts asked for it.
        public var rowHash: String?

        /// True when the document shows everything it was given.
        public var isClean: Bool {
            failure == nil && !problems.contains { $0.severity > .note }
                && !findings.contains(where: \.isSerious)
        }
    }

    public struct Report: Sendable, Equatable {
        public var made = 0
        public var failed = 0
        /// Rows that `only` left out.
        public var skipped = 0
        public var findings = 0
        public var seriousFindings = 0
        /// Values that could not be worked out.
        public var problems = 0
        public var byteCount = 0
        /// What of the form is not in the one file for all, in sentences.
        public var remarks: [String] = []
    }

    public let maker: Maker
    /// The one form of the recipe.
    public let part: FormPart
    public let settings: Settings
    public var form: PreparedForm { part.form }

    public init(_ recipe: Recipe, of part: FormPart, settings: Settings) {
        maker = Maker(recipe)
        self.part = part
        self.settings = settings
    }

    /// Fills the form for every row; `each` hears of every outcome, in the table's order.
    public func run(
        _ table: inout FormTable, progress: Progress, each: (Outcome) throws -> Void = { _ in }
    ) throws -> Report {
        let outlet = try makeOutlet()
        do {
            let report = try run(&table, outlet, progress, each)
            HeldMemory.letGo()
            try outlet?.finish()
            var whole = report
            if let byteCount = outlet?.byteCount { whole.byteCount = byteCount }
            whole.remarks = outlet?.remarks ?? []
            return whole
        } catch {
            outlet?.abandon()
            throw error
        }
    }

    private func makeOutlet() throws -> (any Outlet)? {
        switch settings.destination {
        case .nowhere: nil
        case .folder(let path): try OutputFolder(path, overwrites: settings.overwrites)
        case .zip(let path):
            try OutputArchive(path, overwrites: settings.overwrites, modified: settings.modified)
        case .merged(let path):
            try makeMerged(path)
        }
    }

    private func makeMerged(_ path: String) throws -> OutputMerged {
        guard maker.recipe.password == nil, maker.recipe.extras.lock == nil else {
            throw FileTrouble(
                path: path,
                reason:
                    "one file for all cannot have a password for each document; take a folder or an archive for that"
            )
        }
        var options = MergedForms.Options()
        options.keepsFields = settings.keepsFields
        options.continuation = maker.recipe.extras.continuation
        options.info = maker.recipe.extras.info
        let proof = try settings.looks.map {
            try MergedProof(form, columns: part.columns, reader: $0, threads: settings.threads)
        }
        return try OutputMerged(
            path, overwrites: settings.overwrites, form: form, columns: part.columns, options, proof: proof)
    }

    private func run(
        _ table: inout FormTable, _ outlet: (any Outlet)?, _ progress: Progress,
        _ each: (Outcome) throws -> Void
    ) throws -> Report {
        HeldMemory.keepForNext()
        let work = try RowWork(self, outlet)
        let workers = Workers(name: "forms", threads: settings.threads)
        defer { workers.stop() }
        var names = RowNames(self)
        var report = Report()
        var done = 0
        let total = Int64(table.count)
        progress.set(done: 0, total: total)
        // A piece at a time: enough for all threads to be busy, few enough to stay small. The first document, which is read
        // again whole, goes alone: what that takes is free again before the others begin.
        var piece = try names.next(1, of: &table, &report)
        while !piece.isEmpty {
            try progress.check()
            // The next rows are read while these are filled.
            let batches = RowWork.batches(of: piece, for: settings.threads)
            let filling = Errand(on: workers) { try workers.map(batches) { work.do($0) } }
            let next = Result { try names.next(64 * settings.threads, of: &table, &report) }
            for result in try filling.finish().joined() {
                var outcome = result.outcome
                if let parcel = result.parcel, outcome.failure == nil, let outlet, let name = outcome.fileName
                {
                    do throws(FileTrouble) {
                        outcome.findings += try outlet.add(parcel, name)
                    } catch {
                        outcome.failure = "\(error)."
                        outcome.fileName = nil
                    }
                }
                if outcome.failure == nil {
                    report.made += 1
                    report.byteCount += outcome.byteCount
                } else {
                    report.failed += 1
                }
                report.findings += outcome.findings.count
                report.seriousFindings += outcome.findings.count(where: \.isSerious)
                report.problems += outcome.problems.count { $0.severity > .note }
                done += 1
                try each(outcome)
            }
            progress.set(done: Int64(done + report.skipped), total: max(total, Int64(done + report.skipped)))
            piece = try next.get()
        }
        return report
    }
}

/// Gives the rows of a table their numbers and their names, in order: names must not meet, so they are given by one.
private struct RowNames {
    private let maker: Maker
    private let approval: FormRun.Approval?
    private let addsHash: Bool
    private let taken = TakenNames()
    private var number = 0

    init(_ run: FormRun) {
        maker = run.maker
        approval = run.settings.approval
        addsHash = run.settings.destination == .nowhere || run.settings.receipts != nil
    }

    mutating func next(
        _ count: Int, of table: inout FormTable, _ report: inout FormRun.Report
    ) throws -> [RowJob] {
        var jobs: [RowJob] = []
        jobs.reserveCapacity(count)
        while jobs.count < count, let row = try table.next() {
            let scope = maker.scope(row.cells, number: number + 1)
            var job = RowJob(row: row, number: number + 1, addsHash: addsHash)
            if row.flaw == nil {
                do throws(FormulaError) {
                    guard try maker.isMeant(scope) else {
                        report.skipped += 1
                        continue
                    }
                } catch {
                    job.flaw = "Whether the row is meant cannot be told: \(error)"
                }
            }
            number += 1
            let path = maker.name(scope, &job.problems)
            // Names are remembered only when they might meet: a table may have a million rows.
            job.name = maker.recipe.naming.tellsRowsApart ? path : taken.unique(path)
            if job.name != path {
                job.problems.append(
                    MappingProblem(
                        "Another document is called “\(path).pdf” too; this one gets a number.",
                        severity: .note,
                        kind: .name))
            }
            if let approval, !(try approval.allows(number, "\(job.name).pdf", RunReceipt.hash(row))) {
                report.skipped += 1
                continue
            }
            jobs.append(job)
        }
        return jobs
    }
}

private struct RowJob: Sendable {
    var row: TableRow
    var number: Int
    var name = ""
    var flaw: String?
    var problems: [MappingProblem] = []
    var addsHash: Bool

    init(row: TableRow, number: Int, addsHash: Bool) {
        self.row = row
        self.number = number
        self.addsHash = addsHash
        flaw = row.flaw
    }
}

/// What is done with each row, on any thread.
private struct RowWork: Sendable {
    private let run: FormRun
    private let part: FormPart
    private let outlet: (any Outlet)?
    private let pictures: PictureProof?

    init(_ run: FormRun, _ outlet: (any Outlet)?) throws(ReadingError) {
        self.run = run
        self.outlet = outlet
        part = run.part
        if let reader = run.settings.looks {
            pictures = try PictureProof(run.form, reader: reader)
        } else {
            pictures = nil
        }
    }

    /// Rows that one thread takes at once; few, while there are few, so that all threads have some.
    static func batches(of jobs: [RowJob], for threads: Int) -> [ArraySlice<RowJob>] {
        let size = max(1, min(16, jobs.count / (4 * threads)))
        return stride(from: 0, to: jobs.count, by: size).map { jobs[$0..<min($0 + size, jobs.count)] }
    }

    /// All are made, then all are kept: making and writing each empty the processor of what the other works with.
    func `do`(_ jobs: ArraySlice<RowJob>) -> [(outcome: FormRun.Outcome, parcel: Parcel?)] {
        jobs.map(make).map(keep)
    }

    private struct Made {
        var outcome: FormRun.Outcome
        var parcel: Parcel?
        /// What is still to be kept.
        var document: (filled: Filled, receipt: String?)?
    }

    private func keep(_ made: Made) -> (outcome: FormRun.Outcome, parcel: Parcel?) {
        guard let outlet, let name = made.outcome.fileName, let (filled, receipt) = made.document else {
            return (made.outcome, made.parcel)
        }
        do throws(FileTrouble) { return (made.outcome, try outlet.take(filled, name, receipt)) } catch {
            var outcome = made.outcome
            outcome.failure = Self.sentence("\(error)")
            return (outcome, nil)
        }
    }

    private func make(_ job: RowJob) -> Made {
        var outcome = FormRun.Outcome(
            number: job.number, place: job.row.place, findings: [], problems: job.problems, byteCount: 0)
        if job.addsHash { outcome.rowHash = RunReceipt.hash(job.row) }
        if let flaw = job.flaw {
            outcome.failure = flaw
            return Made(outcome: outcome)
        }
        let thought = run.maker.think(job.row.cells, number: job.number)
        guard case .form(let row)? = thought.pieces.first?.content else {
            outcome.failure = "Nothing is to be made of this row."
            return Made(outcome: outcome)
        }
        outcome.problems += row.problems
        let fileName = "\(job.name).pdf"
        if let merged = outlet as? OutputMerged, !needsDocument(job) {
            if run.settings.isStrict, !outcome.problems.isEmpty {
                outcome.failure = Self.notKept
                return Made(outcome: outcome)
            }
            outcome.fileName = fileName
            return Made(outcome: outcome, parcel: merged.record(row.values, receipt: nil))
        }
        do {
            let filled = try run.maker.fillAlone(thought, row, of: part)
            outcome.findings = filled.findings
            outcome.byteCount = filled.byteCount
            if run.settings.isStrict, !outcome.isClean {
                outcome.failure = Self.notKept
                return Made(outcome: outcome)
            }
            // What stops a whole run is worth finding at its first document.
            let isFirst = job.number == 1
            let proves = run.settings.provesAll || isFirst
            // It is read by other parts of the program than those that made it, and by them for once.
            if isFirst { HeldMemory.letGo() }
            defer { if isFirst { HeldMemory.letGo() } }
            var doubts =
                proves
                ? run.form.prove(
                    filled, columns: part.columns, row: row.values, deeply: job.number % Self.deepEvery == 1)
                : nil
            if let pictures {
                let unseen = try pictures.doubts(filled, columns: part.columns, row: row.values)
                doubts = (doubts ?? []) + unseen
            }
            if let doubt = doubts?.first {
                outcome.failure = "\(doubt.message) It was not kept."
                return Made(outcome: outcome)
            }
            outcome.fileName = fileName
            guard outlet != nil else { return Made(outcome: outcome) }
            let receipt = run.settings.receipts.map { settings in
                RunReceipt(
                    settings, fileName, job.row, part.mapping.scopes.context, job.number,
                    outcome,
                    part.mapping.origins(job.row.cells, place: job.row.place)
                )
                .text(
                    run.form.receipt(
                        filled, columns: part.columns, row: row.values, template: settings.templateHash,
                        sources: [],
                        doubts: doubts, hashesDocument: true))
            }
            if let merged = outlet as? OutputMerged {
                // It is drawn once more onto the merged pages, which tells the findings.
                outcome.findings = []
                outcome.byteCount = 0
                return Made(outcome: outcome, parcel: merged.record(row.values, receipt: receipt))
            }
            return Made(outcome: outcome, document: (filled, receipt))
        } catch {
            outcome.failure = Self.sentence("\(error)")
            return Made(outcome: outcome)
        }
    }

    /// The first document and some later ones are read whole: what all have in common is seen there.
    private static let deepEvery = 1000
    private static let notKept = "It does not show everything it was given, and was not kept."

    /// A merged file is drawn without making each document, unless something is to be known of it first.
    private func needsDocument(_ job: RowJob) -> Bool {
        run.settings.isStrict || run.settings.provesAll || run.settings.looks != nil
            || run.settings.receipts != nil || job.number == 1
    }

    private static func sentence(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }
}
