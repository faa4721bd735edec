import Glibc
public import PDFForms
public import Work

/// Makes one document for each record of a table, in a folder, on several threads. A record that cannot be used is
/// told and left out; the others are made all the same. Memory stays the same however long the table is.
public struct FormRun: Sendable {
    public struct Settings: Sendable {
        public var folder: String
        /// See `DocumentName`.
        public var namePattern: String
        /// Replaces files that are there already; otherwise such a record fails.
        public var overwrites = false
        /// Reads every document again before it is kept, not only the first.
        public var provesAll = false
        public var threads: Int

        public init(folder: String, namePattern: String = "{row}", threads: Int = 2) {
            self.folder = folder
            self.namePattern = namePattern
            self.threads = threads
        }
    }

    /// What became of one record.
    public struct Outcome: Sendable {
        public var place: Int
        /// Nil when no file was made.
        public var fileName: String?
        public var failure: String?
        public var findings: [Finding]
        public var byteCount: Int
    }

    public struct Report: Sendable, Equatable {
        public var made = 0
        public var failed = 0
        public var findings = 0
        public var seriousFindings = 0
        public var byteCount = 0
    }

    /// Which column fills which field.
    public struct Column: Sendable, Equatable {
        public var name: String
        public var field: String?
    }

    public let form: PreparedForm
    public let settings: Settings

    public init(form: PreparedForm, settings: Settings) {
        self.form = form
        self.settings = settings
    }

    /// The columns with the fields they fill; `mapping` says what their names do not.
    public func match(_ columns: [String], mapping: [String: String] = [:]) -> [Column] {
        columns.map {
            Column(
                name: $0, field: mapping[$0].map { form.field(meantBy: $0) ?? $0 } ?? form.field(meantBy: $0))
        }
    }

    /// Fills the form for every record; `each` hears of every outcome, in the table's order.
    public func run(
        _ records: inout Records, columns: [Column], progress: Progress,
        each: (Outcome) throws -> Void = { _ in }
    ) throws -> Report {
        let naming = try DocumentName(
            settings.namePattern, columns: records.columns, count: records.count ?? 0)
        let places = form.columns(columns.map { $0.field ?? "" })
        let folder = try OutputFolder(settings.folder, overwrites: settings.overwrites)
        let workers = Workers(name: "forms", threads: settings.threads)
        defer { workers.stop() }
        var report = Report()
        var taken: [String: Int] = [:]
        var row = 0
        progress.set(done: 0, total: records.count.map(Int64.init))
        var isAtEnd = false
        while !isAtEnd {
            try progress.check()
            // A piece at a time: enough for all threads to be busy, few enough to stay small.
            var piece: [Job] = []
            while piece.count < 64 * max(1, settings.threads) {
                guard let record = try records.record() else {
                    isAtEnd = true
                    break
                }
                row += 1
                // Names are remembered only when they might meet: a table may have a million rows.
                let proposed = naming.name(row: row, values: record.values)
                let name = naming.tellsRowsApart ? proposed : unique(proposed, &taken)
                piece.append(
                    Job(
                        record: record, proves: settings.provesAll || row == 1,
                        name: name))
            }
            let form = form
            let outcomes = try workers.map(piece) { job in job.outcome(form, places, folder) }
            for outcome in outcomes {
                if outcome.fileName == nil { report.failed += 1 } else { report.made += 1 }
                report.findings += outcome.findings.count
                report.seriousFindings += outcome.findings.count(where: \.isSerious)
                report.byteCount += outcome.byteCount
                try each(outcome)
            }
            progress.set(done: Int64(row), total: records.count.map(Int64.init))
        }
        return report
    }

    /// Two rows of one name get numbers: nobody's document is written over by another's. Letters that some file
    /// systems hold for equal count as equal.
    private func unique(_ name: String, _ taken: inout [String: Int]) -> String {
        let key = name.lowercased()
        guard let before = taken[key] else {
            taken[key] = 1
            return name
        }
        var number = before + 1
        while taken["\(key)-\(number)"] != nil { number += 1 }
        taken[key] = number
        taken["\(key)-\(number)"] = 1
        return "\(name)-\(number)"
    }

    private struct Job: Sendable {
        var record: Records.Record
        var proves: Bool
        var name: String

        func outcome(_ form: PreparedForm, _ places: [[Int]?], _ folder: OutputFolder) -> Outcome {
            var outcome = Outcome(place: record.place, findings: [], byteCount: 0)
            if let flaw = record.flaw {
                outcome.failure = flaw
                return outcome
            }
            let filled = form.fill(columns: places, row: record.values)
            outcome.findings = filled.findings
            if proves, let doubt = form.prove(filled, columns: places, row: record.values).first {
                outcome.failure = "\(doubt.message) It was not kept."
                return outcome
            }
            do throws(FileTrouble) {
                try folder.write("\(name).pdf", filled.base, filled.added)
                outcome.fileName = "\(name).pdf"
                outcome.byteCount = filled.byteCount
            } catch {
                outcome.failure = "\(error)."
            }
            return outcome
        }
    }
}

/// The folder results go to. A file appears under its name only when it is whole.
private final class OutputFolder: Sendable {
    private let descriptor: Int32
    private let path: String
    private let overwrites: Bool

    init(_ path: String, overwrites: Bool) throws(FileTrouble) {
        self.path = path
        self.overwrites = overwrites
        var status = stat()
        if stat(path, &status) != 0, mkdir(path, 0o755) != 0 {
            throw FileTrouble(path: path, reason: String(cString: strerror(errno)))
        }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileTrouble(path: path, reason: String(cString: strerror(errno))) }
    }

    deinit { close(descriptor) }

    func write(_ name: String, _ base: [UInt8], _ added: [UInt8]) throws(FileTrouble) {
        let draft = ".\(name).part"
        let file = openat(descriptor, draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw trouble(name) }
        var problem = put(base, added, file)
        if close(file) != 0, problem == 0 { problem = errno }
        if problem == 0 {
            if overwrites {
                if renameat(descriptor, draft, descriptor, name) != 0 { problem = errno }
            } else {
                // A link never replaces what is there, unlike a rename.
                if linkat(descriptor, draft, descriptor, name, 0) != 0 { problem = errno }
                unlinkat(descriptor, draft, 0)
            }
        }
        guard problem == 0 else {
            unlinkat(descriptor, draft, 0)
            if problem == EEXIST {
                throw FileTrouble(path: "\(path)/\(name)", reason: "the file is there already")
            }
            throw FileTrouble(path: "\(path)/\(name)", reason: String(cString: strerror(problem)))
        }
    }

    private func trouble(_ name: String) -> FileTrouble {
        FileTrouble(path: "\(path)/\(name)", reason: String(cString: strerror(errno)))
    }

    /// Both parts in one call where the system takes them; gives the error number, or 0.
    private func put(_ base: [UInt8], _ added: [UInt8], _ file: Int32) -> Int32 {
        base.withUnsafeBytes { base in
            added.withUnsafeBytes { added in
                var parts = [
                    iovec(iov_base: UnsafeMutableRawPointer(mutating: base.baseAddress), iov_len: base.count),
                    iovec(
                        iov_base: UnsafeMutableRawPointer(mutating: added.baseAddress), iov_len: added.count),
                ]
                var left = base.count + added.count
                while left > 0 {
                    var wrote = writev(file, &parts, 2)
                    if wrote < 0 {
                        if errno == EINTR { continue }
                        return errno
                    }
                    left -= wrote
                    for index in parts.indices {
                        let step = min(wrote, parts[index].iov_len)
                        parts[index].iov_base = parts[index].iov_base.map { $0 + step }
                        parts[index].iov_len -= step
                        wrote -= step
                    }
                }
                return 0
            }
        }
    }
}
