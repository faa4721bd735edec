import PDF
import PDFForms
import PDFReading
import Synchronization
import Work

/// Looks at the one file of all documents before it takes its name. What each row looks like by itself says nothing about
/// how it was drawn among the others, and the writer of the file cannot be asked whether it wrote right: its pages are drawn
/// and read by poppler, and held against the form and the row.
final class MergedProof: Sendable {
    struct Doubt: Error {
        var sentence: String
    }

    private struct Record: Sendable {
        var name: String
        var first: Int
        var values: [FieldValue?]
        var findings: [Finding]
    }

    private let pictures: PictureProof
    private let columns: FormColumns
    private let threads: Int
    private let records = Mutex<[Record]>([])

    /// Each look copies what it looks at; of a file with thousands of pages these few.
    private static let recordsAtOnce = 12

    init(_ form: PreparedForm, columns: FormColumns, reader: PageReader, threads: Int) throws(ReadingError) {
        pictures = try PictureProof(form, reader: reader)
        self.columns = columns
        self.threads = threads
    }

    func expect(_ values: [FieldValue?], of name: String, from page: Int, _ findings: [Finding]) {
        records.withLock {
            $0.append(Record(name: name, first: page, values: values, findings: findings))
        }
    }

    /// Throws at the first doubt; a file that is wrong at one place is not to be printed.
    func look(at bytes: [UInt8], isWhole: Bool) throws {
        let file = try PDFFile(bytes: bytes)
        let count = file.pages.count
        let records = records.withLock { $0 }
        let workers = Workers(name: "proof", threads: threads)
        defer { workers.stop() }
        for start in stride(from: 0, to: records.count, by: Self.recordsAtOnce) {
            let some = records[start..<min(start + Self.recordsAtOnce, records.count)]
            let first = some[start].first
            let end = some.endIndex < records.count ? records[some.endIndex].first : count
            guard first < end, end <= count else {
                throw Doubt(sentence: "pages of its last rows are missing")
            }
            // Put together anew by others than those who wrote it, which reads every page on the way.
            let sheets = try Sheets(bytes: PDFAssembly([.init(file, pages: Array(first..<end))]).bytes)
            let doubts = try workers.map(Array(some)) { [pictures, columns] record in
                try pictures.doubts(
                    sheets, from: record.first - first, record.findings, columns: columns, row: record.values,
                    isWhole: isWhole)
            }
            for (record, doubts) in zip(some, doubts) {
                guard let doubt = doubts.first else { continue }
                let field = doubt.field.isEmpty ? "" : ", field “\(doubt.field)”"
                throw Doubt(
                    sentence:
                        "“\(record.name)” does not look in it as it should (from its page \(record.first + 1) on\(field)): \(doubt.message) It was not kept"
                )
            }
        }
    }
}
