public import PDF

/// What one document gets besides its values.
public struct DocumentExtras: Sendable, Equatable {
    public var info = DocumentInfo()
    /// Encrypts the document under passwords of its own. `PreparedForm.Options.locks` makes this fast.
    public var lock: PDFLock?
    /// Where text goes that is too long for its place; nil leaves it cut off, and said.
    public var continuation: Continuation?

    public init(
        info: DocumentInfo = DocumentInfo(), lock: PDFLock? = nil, continuation: Continuation? = nil
    ) {
        self.info = info
        self.lock = lock
        self.continuation = continuation
    }
}

extension PreparedForm {
    /// Fills one row and gives the document its extras; see `fill(columns:row:)`.
    public func fill(
        columns: FormColumns, row: [FieldValue?], extras: DocumentExtras
    ) throws(PDFError) -> Filled {
        var filled = fill(columns: columns, row: row)
        if let rule = extras.continuation,
            let long = continued(columns: columns, row: row, filled, rule)
        {
            filled = try continuing(fill(columns: columns, row: long.row), long.texts, long.names, rule)
            filled.row = long.row
        }
        return try finished(filled, extras)
    }

    public func fill(_ values: [String: FieldValue], extras: DocumentExtras) throws(PDFError) -> Filled {
        let names = values.keys.sorted()
        var filled = try fill(columns: columns(names), row: names.map { values[$0] }, extras: extras)
        for name in names where plansByName[name] == nil {
            filled.findings.append(
                Finding(field: name, kind: .unknownField, message: "The form has no field of this name."))
        }
        return filled
    }

    private func finished(_ filled: Filled, _ extras: DocumentExtras) throws(PDFError) -> Filled {
        var filled = filled
        if !extras.info.isEmpty { filled = try adding(filled, extras.info) }
        if let lock = extras.lock { filled = try locked(filled, lock) }
        return filled
    }

    /// The document with what it says about itself in a revision of its own.
    private func adding(_ filled: Filled, _ info: DocumentInfo) throws(PDFError) -> Filled {
        var ending = self.ending
        var trailer = self.trailer
        var firstFree = size
        if !filled.added.isEmpty {
            guard let later = PDFEnding(ending, behind: base.count, adding: filled.added),
                let laterTrailer = later.trailer(behind: base.count, in: filled.added),
                let laterSize = laterTrailer["Size"]?.integer
            else { throw .damaged("the filled document has no end") }
            (ending, trailer, firstFree) = (later, laterTrailer, max(size, laterSize))
        }
        let place = template.place ?? PDFReference(firstFree)
        trailer["Info"] = .reference(place)
        var revision = PDFRevision(
            behind: base.count + filled.added.count, ending: ending, trailer: trailer,
            firstFree: firstFree)
        template.write(info, into: &revision, at: place)
        let identity = Fingerprint.of(revision.out)
        var result = filled
        result.added += revision.finish(identity: identity)
        return result
    }

    private func locked(_ filled: Filled, _ lock: PDFLock) throws(PDFError) -> Filled {
        if form.protection != .none { throw .damaged(FormError.signedAndLocked.description) }
        let bytes: [UInt8]
        if let lockable {
            bytes = try lockable.locked(lock, adding: filled.added)
        } else {
            bytes = try LockableFile(PDFFile(bytes: filled.bytes).rewritten()).locked(lock)
        }
        var result = filled
        (result.base, result.added, result.password) = ([], bytes, lock.userPassword)
        return result
    }
}
