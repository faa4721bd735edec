import Bytes
import Glibc
import PDF
import PDFForms
import Synchronization
import Tables
import Work

let arguments = CommandLine.arguments
do {
    switch arguments.dropFirst().first {
    case "fields": try listFields(arguments[2])
    case "all": try fillAll(arguments[2], arguments[3], arguments[4], arguments.count > 5 ? arguments[5] : "")
    case "fill":
        try fillTable(
            arguments[2], arguments[3], arguments[4], Int(arguments[5]) ?? 1,
            arguments.count > 6 ? arguments[6] : "",
            threads: arguments.count > 7 ? Int(arguments[7]) ?? 1 : 1,
            swept: arguments.count > 8 ? Int(arguments[8]) : nil)
    case "merged":
        try mergeTable(arguments[2], arguments[3], arguments[4], Int(arguments[5]) ?? 1)
    case "prove": try proveTable(arguments[2], arguments[3], Int(arguments[4]) ?? 1)
    case "values": try fillValues(arguments[2], arguments[3], arguments[4])
    default:
        print(
            "usage: forms-bench fields FORM; all FORM OUT SAMPLE [rewrite,flatten]; fill FORM TABLE FOLDER|- COPIES [append|rewrite|automatic [THREADS [SWEPT]]]; merged FORM TABLE OUT COPIES; prove FORM TABLE COPIES"
        )
    }
} catch {
    print("error: \(error)")
    exit(1)
}

func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": out += "\\\""
        case "\\": out += "\\\\"
        case _ where scalar.value < 32:
            out += "\\u00" + (scalar.value < 16 ? "0" : "1") + String(scalar.value % 16, radix: 16)
        default: out.unicodeScalars.append(scalar)
        }
    }
    return out + "\""
}

func listFields(_ path: String) throws {
    let form = try Form(path: path)
    print(
        "{\"pages\": \(form.pageCount), \"xfa\": \"\(form.xfa)\", \"protection\": \"\(form.protection)\", \"rights\": \(form.hasUsageRights), \"encrypted\": \(form.isEncrypted), \"repairs\": \(form.repairs.count), \"na\": \(form.asksForAppearances), \"fields\": ["
    )
    print(
        form.fields.map { field in
            let widgets = field.widgets.map {
                "{\"page\": \(($0.page ?? -1) + 1), \"rect\": \($0.rectangle.numbers)}"
            }
            return
                "{\"name\": \(quoted(field.name)), \"type\": \"\(field.kind)\", \"flags\": \(field.flags.rawValue), \"value\": [\(field.value.map(quoted).joined(separator: ","))], \"listed\": \(field.isListed), \"maxlen\": \(field.maximumLength ?? 0), \"states\": [\(field.states.map(quoted).joined(separator: ","))], \"options\": [\(field.options.map { quoted($0.display) }.joined(separator: ","))], \"format\": \"\(field.format?.word ?? "")\", \"widgets\": [\(widgets.joined(separator: ","))]}"
        }.joined(separator: ",\n"))
    print("]}")
}

/// Every field gets a value of its kind: for trying a form out.
func fillAll(_ path: String, _ out: String, _ sample: String, _ mode: String) throws {
    var options = PreparedForm.Options()
    if mode.contains("rewrite") { options.base = .rewrite }
    options.flattens = mode.contains("flatten") ? .all : .none
    let form = try PreparedForm(path: path, options: options)
    var values: [String: FieldValue] = [:]
    for field in form.form.fields {
        switch field.kind {
        case .text:
            values[field.name] = .text(field.maximumLength.map { String(sample.prefix($0)) } ?? sample)
        case .checkBox, .radio: values[field.name] = .text(field.states.last ?? "Yes")
        case .combo, .list:
            if let option = field.options.dropFirst().first ?? field.options.first {
                values[field.name] = .text(option.export)
            }
        default: break
        }
    }
    let filled = form.fill(values)
    try save(filled.bytes, out)
    let names = values.keys.sorted()
    let doubts = form.prove(filled, columns: form.columns(names), row: names.map { values[$0] })
    for finding in filled.findings + doubts { print("finding \(finding.kind.rawValue) \(finding)") }
    for remark in form.remarks { print("remark \(remark)") }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        if case .text(let text) = value {
            print("value {\"name\": \(quoted(name)), \"value\": \(quoted(text))}")
        }
    }
}

struct SaveError: Error { var path: String }

func save(_ bytes: [UInt8], _ path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard file >= 0 else { throw SaveError(path: path) }
    defer { close(file) }
    var done = 0
    while done < bytes.count {
        let wrote = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, bytes.count - done) }
        guard wrote > 0 else { throw SaveError(path: path) }
        done += wrote
    }
}

func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Fills a form from a table and says what a document costs.
/// Rows are taken again from the top when the table is shorter than the copies. Without a folder ("-") only the
/// filling itself is measured. With SWEPT the folder is emptied before each so many copies, which is not counted: a
/// guest that asks its host for gigabytes in a second measures its host.
func fillTable(
    _ path: String, _ table: String, _ folder: String, _ copies: Int, _ mode: String, threads: Int,
    swept: Int?
) throws {
    let startCPU = now(CLOCK_PROCESS_CPUTIME_ID)
    let startWall = now(CLOCK_MONOTONIC)
    var options = PreparedForm.Options()
    options.base = mode == "append" ? .append : mode == "rewrite" ? .rewrite : .automatic(copies: copies)
    let form = try PreparedForm(path: path, options: options)
    let compiled = now(CLOCK_PROCESS_CPUTIME_ID) - startCPU
    var reader = try CSVReader(PDFFile.read(table))
    guard let header = try reader.row() else { return }
    let columns = form.columns(header.cells)
    var rows: [[FieldValue?]] = []
    while let row = try reader.row() { rows.append(row.cells.map(FieldValue.text)) }
    let read = now(CLOCK_PROCESS_CPUTIME_ID) - startCPU - compiled
    if folder != "-" { mkdir(folder, 0o755) }
    // As FormRun does.
    HeldMemory.keepForNext()
    let filledWall = now(CLOCK_MONOTONIC)
    let parts = (0..<threads).map { _ in Part(form: form, columns: columns, rows: rows, folder: folder) }
    var (sweepingCPU, sweepingWall) = (0.0, 0.0)
    for first in stride(from: 0, to: copies, by: swept ?? copies) {
        if first > 0 {
            let (cpu, wall) = (now(CLOCK_PROCESS_CPUTIME_ID), now(CLOCK_MONOTONIC))
            try empty(folder)
            sweepingCPU += now(CLOCK_PROCESS_CPUTIME_ID) - cpu
            sweepingWall += now(CLOCK_MONOTONIC) - wall
        }
        let shared = Copies(first..<min(copies, first + (swept ?? copies)))
        for part in parts { part.copies = shared }
        if threads == 1 { parts[0].run() } else { parts.forEach { $0.start() } }
        if threads > 1 { parts.forEach { $0.join() } }
    }
    if let failed = parts.first(where: \.hasFailed) { throw SaveError(path: failed.folder) }
    // The table is read before, as the rivals have it.
    let cpu = now(CLOCK_PROCESS_CPUTIME_ID) - startCPU - read - sweepingCPU
    let wall = now(CLOCK_MONOTONIC) - filledWall - sweepingWall
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func micro(_ seconds: Double) -> Double { (seconds * 1e7).rounded() / 10 }
    func milli(_ seconds: Double) -> Double { (seconds * 1e5).rounded() / 100 }
    let bytes = parts.reduce(0) { $0 + $1.byteCount }
    let findings = parts.reduce(0) { $0 + $1.findingCount }
    let cells = rows.reduce(0) { $0 + $1.count { $0 != .text("") && $0 != nil } }
    print(
        "cpu_us=\(micro(cpu / Double(copies))) warm_us=\(micro((cpu - compiled) / Double(copies))) wall_s=\((wall * 1000).rounded() / 1000) start_ms=\(milli(filledWall - startWall)) compile_ms=\(milli(compiled)) bytes=\(bytes / copies) filled=\(Double(cells) / Double(max(1, rows.count))) findings=\(findings) peak_mb=\(usage.ru_maxrss / 1024) keeps_original=\(form.keepsOriginal)"
    )
}

func empty(_ folder: String) throws {
    guard let listing = opendir(folder) else { throw SaveError(path: folder) }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
        if entry.pointee.d_name.0 == 46 { continue }
        withUnsafePointer(to: &entry.pointee.d_name) { name in
            name.withMemoryRebound(to: CChar.self, capacity: 256) { _ = unlinkat(dirfd(listing), $0, 0) }
        }
    }
}

/// What the proof costs beside the filling, on either base, and beside reading each whole copy again.
func proveTable(_ path: String, _ table: String, _ copies: Int) throws {
    var reader = try CSVReader(PDFFile.read(table))
    guard let header = try reader.row() else { return }
    var rows: [[FieldValue?]] = []
    while let row = try reader.row() { rows.append(row.cells.map(FieldValue.text)) }
    for (word, base) in [("append", PreparedForm.Base.append), ("rewrite", .rewrite)] {
        var options = PreparedForm.Options()
        options.base = base
        let form = try PreparedForm(path: path, options: options)
        let columns = form.columns(header.cells)
        var doubts: [Finding] = []
        func time(_ copies: Int, _ each: (Filled, [FieldValue?]) -> Void) -> Double {
            let start = now(CLOCK_PROCESS_CPUTIME_ID)
            for copy in 0..<copies {
                let row = rows[copy % rows.count]
                each(form.fill(columns: columns, row: row), row)
            }
            return (now(CLOCK_PROCESS_CPUTIME_ID) - start) * 1e6 / Double(copies)
        }
        _ = time(min(copies, 100)) { filled, row in
            doubts += form.prove(filled, columns: columns, row: row)
        }
        let fill = time(copies) { _, _ in }
        let proven = time(copies) { filled, row in
            doubts += form.prove(filled, columns: columns, row: row)
        }
        let deep = time(min(copies, 50)) { filled, row in
            doubts += form.prove(filled, columns: columns, row: row, deeply: true)
        }
        func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
        print(
            "\(word): fill_us=\(rounded(fill)) with_proof_us=\(rounded(proven)) ratio=\(rounded(proven / fill)) deep_us=\(rounded(deep)) doubts=\(doubts.count)\(doubts.first.map { " first: \($0)" } ?? "")"
        )
    }
}

/// Copies that are still to be made. Threads take a few at a time, as those of FormRun do, so that none waits for another.
final class Copies: Sendable {
    static let together = 16
    private let next: Atomic<Int>
    private let end: Int

    init(_ copies: Range<Int>) {
        next = Atomic(copies.lowerBound)
        end = copies.upperBound
    }

    func take() -> Range<Int>? {
        let first = next.add(Self.together, ordering: .relaxed).oldValue
        return first < end ? first..<min(first + Self.together, end) : nil
    }
}

/// What one thread makes. One thread at a time uses it.
final class Part: @unchecked Sendable {
    let folder: String
    var copies = Copies(0..<0)
    private(set) var byteCount = 0
    private(set) var findingCount = 0
    private(set) var hasFailed = false
    private let form: PreparedForm
    private let columns: FormColumns
    private let rows: [[FieldValue?]]
    private var thread = pthread_t()

    init(form: PreparedForm, columns: FormColumns, rows: [[FieldValue?]], folder: String) {
        (self.form, self.columns, self.rows, self.folder) = (form, columns, rows, folder)
    }

    func start() {
        let own = Unmanaged.passRetained(self).toOpaque()
        pthread_create(
            &thread, nil,
            { own in
                guard let own else { return nil }
                Unmanaged<Part>.fromOpaque(own).takeRetainedValue().run()
                return nil
            }, own)
    }

    func join() { pthread_join(thread, nil) }

    func run() {
        let directory = folder == "-" ? -1 : open(folder, O_RDONLY | O_DIRECTORY)
        defer { if directory >= 0 { close(directory) } }
        // A few are filled, then written, as FormRun does: filling and writing each empty the processor of what the other
        // works with.
        var waiting: [(copy: Int, filled: Filled)] = []
        waiting.reserveCapacity(Copies.together)
        while let some = copies.take() {
            for copy in some {
                let filled = form.fill(columns: columns, row: rows[copy % rows.count])
                findingCount += filled.findings.count
                byteCount += filled.byteCount
                if folder != "-" { waiting.append((copy, filled)) }
            }
            for (copy, filled) in waiting { write(filled, Self.make(copy, in: directory)) }
            waiting.removeAll(keepingCapacity: true)
        }
    }

    private func write(_ filled: Filled, _ file: Int32) {
        let wrote = filled.base.withUnsafeBytes { base in
            filled.added.withUnsafeBytes { added in
                withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { parts in
                    parts[0] = iovec(
                        iov_base: UnsafeMutableRawPointer(mutating: base.baseAddress), iov_len: base.count)
                    parts[1] = iovec(
                        iov_base: UnsafeMutableRawPointer(mutating: added.baseAddress), iov_len: added.count)
                    return writev(file, parts.baseAddress, 2)
                }
            }
        }
        close(file)
        if wrote != filled.byteCount { hasFailed = true }
    }

    /// A new file with the number as its name.
    private static func make(_ number: Int, in directory: Int32) -> Int32 {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { name in
            var digits = 1
            var rest = number
            while rest >= 10 {
                rest /= 10
                digits += 1
            }
            rest = number
            for place in (0..<digits).reversed() {
                name[place] = CChar(48 + rest % 10)
                rest /= 10
            }
            for (place, letter) in ".pdf\0".utf8.enumerated() { name[digits + place] = CChar(letter) }
            guard let start = name.baseAddress else { return -1 }
            return openat(directory, start, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        }
    }
}

/// Merges filled records into one file: `merged FORM TABLE OUT COPIES`.
func mergeTable(_ path: String, _ table: String, _ out: String, _ copies: Int) throws {
    var reader = try CSVReader(PDFFile.read(table))
    guard let header = try reader.row() else { return }
    var rows: [[FieldValue?]] = []
    while let row = try reader.row() { rows.append(row.cells.map(FieldValue.text)) }
    // The table is read before, as the rivals have it.
    let startCPU = now(CLOCK_PROCESS_CPUTIME_ID)
    let form = try PreparedForm(path: path)
    let columns = form.columns(header.cells)
    let file = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard file >= 0 else { throw SaveError(path: out) }
    defer { close(file) }
    let merged = try MergedForms { bytes in
        var done = 0
        while done < bytes.count {
            let wrote = bytes.withUnsafeBytes {
                Glibc.write(file, $0.baseAddress! + done, bytes.count - done)
            }
            guard wrote > 0 else { throw SaveError(path: out) }
            done += wrote
        }
    }
    var first = 0
    var firstCPU = startCPU
    for copy in 0..<copies {
        let row = rows[copy % rows.count]
        try merged.add([.row(form, columns: columns, values: row)], title: "Record \(copy + 1)")
        // What all records share is written with the first: the rest tell what a record costs.
        if copy == min(200, copies / 10) {
            first = merged.byteCount
            firstCPU = now(CLOCK_PROCESS_CPUTIME_ID)
        }
    }
    try merged.finish()
    let end = now(CLOCK_PROCESS_CPUTIME_ID)
    // Of one record alone there is no rest: it is all there is to tell.
    let rest = copies - 1 - min(200, copies / 10)
    if rest == 0 { (first, firstCPU) = (0, startCPU) }
    let counted = Double(max(1, rest))
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func micro(_ seconds: Double) -> Double { (seconds * 1e7).rounded() / 10 }
    print(
        "bytes=\(merged.byteCount) record_bytes=\(Int(Double(merged.byteCount - first) / counted)) record_us=\(micro((end - firstCPU) / counted)) cpu_us=\(micro((end - startCPU) / Double(copies))) peak_mb=\(usage.ru_maxrss / 1024)"
    )
}

/// Fills a form with the values of a JSON object: `values FORM JSON OUT`.
func fillValues(_ path: String, _ json: String, _ out: String) throws {
    let values = try JSON(parsing: PDFFile.read(json))
    var given: [String: FieldValue] = [:]
    for (name, value) in values.object ?? [:] {
        given[name] = value.bool.map(FieldValue.flag) ?? .text(value.string ?? "")
    }
    let filled = try PreparedForm(path: path).fill(given)
    try save(filled.bytes, out)
    for finding in filled.findings { print("finding \(finding.kind.rawValue) \(finding)") }
}
