/// A file whose kind has been recognised.
struct OpenedTable {
    var shape: TableShape
    var rows: any RowSource
    /// Of formats that name their columns themselves.
    var columnNames: [String]?
    /// What is said when there is nothing in it.
    var emptySentence = "The table is empty: there is no row in it."
    /// What a query answers is held against a limit of its own.
    var fileByteCount: () -> Int = { .max }

    private static let headByteCount = 256 << 10

    init(path: String, name: String?, options: TableOptions) throws(TableError) {
        let file = try FileBytes(path)
        try self.init(file, name: name ?? path, options, whole: .file(path))
        let count = file.byteCount
        fileByteCount = { count }
    }

    init(bytes: [UInt8], name: String?, options: TableOptions) throws(TableError) {
        try self.init(HeldBytes(bytes), name: name ?? "", options, whole: .bytes(bytes))
        fileByteCount = { bytes.count }
    }

    init(stream: StreamBytes, name: String?, options: TableOptions) throws(TableError) {
        try self.init(stream, name: name ?? "", options, whole: .stream)
        fileByteCount = { stream.byteCount }
    }

    /// For formats that are read from their end.
    enum Whole {
        case file(String)
        case bytes([UInt8])
        case stream
    }

    private init(
        _ source: ByteSource, name: String, _ options: TableOptions, whole: Whole
    ) throws(TableError) {
        let head = try source.read(atMost: Self.headByteCount)
        guard !head.isEmpty else { throw TableError("The file is empty.") }
        let all = ReplayedBytes(head[...], then: source)
        let isWhole = head.count < Self.headByteCount
        let format: TableFormat
        if let given = options.format {
            format = given
        } else {
            format = try TableSniffer.format(of: head, named: name)
        }
        switch format {
        case .csv: self = try CSVTable.open(all, head: head, isWhole: isWhole, options)
        case .xlsx, .ods:
            let archive = try WorkbookArchive(whole, all, limits: options.limits)
            // An OpenDocument file says what it is in a file of its own; Excel's have a list of types.
            let isOpenDocument = archive.contains("content.xml") && !archive.contains("[Content_Types].xml")
            self = isOpenDocument ? try ODSTable.open(archive, options) : try XLSXTable.open(archive, options)
        case .json, .ndjson: self = try JSONTable.open(whole, all, format, options)
        case .vcard: self = try VCardTable.open(all, options)
        case .sql: throw TableError("A query is asked of a database, not of a file.")
        }
        if options.format == nil, let why = TableSniffer.why(format, named: name) {
            shape.choices.insert(TableChoice(.format, format.rawValue, why), at: 0)
        }
    }

    init(shape: TableShape, rows: any RowSource, columnNames: [String]? = nil) {
        self.shape = shape
        self.rows = rows
        self.columnNames = columnNames
    }
}
