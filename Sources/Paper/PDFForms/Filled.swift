/// One filled document.
public struct Filled: Sendable {
    /// The template's bytes, shared by all copies, and what this copy adds behind them.
    public package(set) var base: [UInt8]
    public package(set) var added: [UInt8]
    public var findings: [Finding]
    /// Opens the document when it is locked.
    public internal(set) var password: String?
    /// Pages of continuation behind those of the form, and the row as it was then written into the fields.
    public internal(set) var addedPages = 0
    var row: [FieldValue?]?

    package init(base: [UInt8], added: [UInt8], findings: [Finding], password: String? = nil) {
        self.base = base
        self.added = added
        self.findings = findings
        self.password = password
    }

    public var bytes: [UInt8] { base + added }
    public var byteCount: Int { base.count + added.count }
}
