import PDFForms
import Synchronization

/// One PDF of all documents: what they have in common is in it once. It appears under its name only when it is whole.
final class OutputMerged: Outlet {
    private let draft: OutputFile
    private let form: PreparedForm
    private let columns: FormColumns
    private let path: String
    private let overwrites: Bool
    // Only the thread that runs the whole adds to it, one after the other; the lock says so to the compiler.
    private let merged: Mutex<MergedForms>
    private let receipts = Mutex<OutputFolder?>(nil)
    private let proof: MergedProof?

    init(
        _ path: String, overwrites: Bool, form: PreparedForm, columns: FormColumns,
        _ options: MergedForms.Options, proof: MergedProof? = nil
    ) throws {
        self.proof = proof
        self.path = path
        self.overwrites = overwrites
        self.form = form
        self.columns = columns
        let draft = try OutputFile(path, overwrites: overwrites)
        self.draft = draft
        merged = Mutex(try MergedForms(options) { try draft.write($0) })
    }

    func record(_ values: [FieldValue?], receipt: String?) -> Parcel { .record(values, receipt: receipt) }

    func take(_ filled: Filled, _ name: String, _ receipt: String?) -> Parcel? { nil }

    func add(_ parcel: Parcel, _ name: String) throws(FileTrouble) -> [Finding] {
        guard case .record(let values, let receipt) = parcel else { return [] }
        let result = merged.withLock { merged in
            Result {
                let title = name.split(separator: "/").last.map { String($0.dropLast(4)) } ?? name
                let page = merged.pageCount
                let findings = try merged.add([.row(form, columns: columns, values: values)], title: title)
                proof?.expect(values, of: title, from: page, findings)
                return findings
            }
        }
        if let receipt { try keep(receipt, name) }
        switch result {
        case .success(let findings): return findings
        case .failure(let error): throw (error as? FileTrouble) ?? FileTrouble(path: name, reason: "\(error)")
        }
    }

    var byteCount: Int? { merged.withLock { $0.byteCount } }
    var remarks: [String] { merged.withLock { $0.remarks } }

    func finish() throws {
        try merged.withLock { merged in try merged.finish() }
        if let proof {
            do {
                try proof.look(at: draft.contents(), isWhole: remarks.isEmpty)
            } catch let doubt as MergedProof.Doubt {
                throw FileTrouble(path: path, reason: doubt.sentence)
            }
        }
        try draft.finish()
    }

    func abandon() { draft.abandon() }

    /// Receipts of a merged file stand in a folder beside it.
    private func keep(_ receipt: String, _ name: String) throws(FileTrouble) {
        let folder: OutputFolder
        if let known = receipts.withLock({ $0 }) {
            folder = known
        } else {
            let stem = path.hasSuffix(".pdf") ? String(path.dropLast(4)) : path
            folder = try OutputFolder("\(stem)-receipts", overwrites: overwrites)
            receipts.withLock { $0 = folder }
        }
        try folder.write(name.receiptName, Array(receipt.utf8), [])
    }
}
