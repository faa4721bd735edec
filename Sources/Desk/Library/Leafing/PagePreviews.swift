import Glibc
public import PDF
public import PDFReading
public import Storage
public import Work

/// Pictures of pages, drawn when somebody first looks and kept under `previews/`, with the copies they are drawn of where
/// a paper is no PDF. Whoever needs room may delete that folder at any time; the pictures are drawn again.
///
/// Only a few are drawn at once, however many are asked for, and no picture is drawn twice at the same time.
public final class PagePreviews: Sendable {
    /// Widths are rounded up to one of these, so that a page is kept a few times and not a hundred.
    public static let widths = [160, 240, 480, 900, 1600]

    /// Letters stay sharp, and a page is a quarter of what a PNG would be.
    public static let usualFormat = PageReader.Format.jpeg(quality: 86)

    public struct Limits: Sendable {
        /// Programs that draw at the same time.
        public var drawingsAtOnce = 2
        /// What is kept altogether; beyond it the pictures that nobody has looked at for longest go.
        public var byteCount: Int64 = 512 << 20
        /// How long somebody waits for a turn before being told to come back.
        public var patience = Duration.seconds(30)

        public init() {}
    }

    private struct State {
        var drawing: Set<String> = []
        var passing = 0
        var byteCount: Int64?
        var isClearing = false
    }

    private let folder: String
    private let limits: Limits
    private let clock: Clock
    private let reader: @Sendable () -> PageReader
    private let state = Monitor(State())

    /// `reader` is asked when the first picture is drawn: finding out what the jail can do takes a moment.
    public init(
        in folder: String, clock: Clock, limits: Limits = Limits(),
        reader: @escaping @Sendable () -> PageReader
    ) {
        self.folder = folder
        self.clock = clock
        self.limits = limits
        self.reader = reader
    }

    /// Where one page lies as a picture at least so many pixels wide. `digest` names the bytes; `document` gives them
    /// when the picture has to be drawn, without encryption. Pages count from 0.
    public func path(
        of digest: Digest, page: Int, width: Int, format: PageReader.Format = usualFormat,
        cancellation: Cancellation = Cancellation(), document: () throws -> [UInt8]
    ) throws -> String {
        try path(
            ofPage: page, of: digest, width: width, format: format, cancellation: cancellation
        ) { try sheets(document()) }
    }

    /// The same, for whoever has its sheets.
    public func path(
        ofPage page: Int, of digest: Digest, width: Int, format: PageReader.Format = usualFormat,
        cancellation: Cancellation = Cancellation(), sheets: () throws -> Sheets
    ) throws -> String {
        let name = try name(digest, page, width, format)
        let path = "\(folder)/\(name)"
        if isKept(path) { return path }
        return try inTurn(name) {
            // Somebody else may have drawn it while we waited for our turn.
            if isKept(path) { return path }
            try keep(draw(sheets(), page, width, format, cancellation), path)
            return path
        }
    }

    /// Where it lies when it has been drawn.
    func kept(
        _ page: Int, of digest: Digest, width: Int, format: PageReader.Format = usualFormat
    ) throws -> String? {
        let path = "\(folder)/\(try name(digest, page, width, format))"
        return isKept(path) ? path : nil
    }

    /// Where the copy lies that stands for these bytes; nil when there is none.
    func copy(of digest: Digest) -> String? {
        let path = copyPath(digest)
        return isKept(path) ? path : nil
    }

    func keep(copy bytes: [UInt8], of digest: Digest) throws { try keep(bytes, copyPath(digest)) }

    private func copyPath(_ digest: Digest) -> String {
        "\(folder)/\(digest.hex.prefix(2))/\(digest.hex).pdf"
    }

    /// The same, as bytes.
    public func picture(
        of digest: Digest, page: Int, width: Int, format: PageReader.Format = usualFormat,
        cancellation: Cancellation = Cancellation(), document: () throws -> [UInt8]
    ) throws -> [UInt8] {
        // Between being drawn and being read it may have been thrown away; drawn again, it will be there.
        for _ in 0..<2 {
            let path = try path(
                of: digest, page: page, width: width, format: format, cancellation: cancellation,
                document: document)
            if let bytes = Self.read(path, atMost: 64 << 20) { return bytes }
        }
        throw Failure(.unavailable, "The picture of the page cannot be read. Try again in a moment.")
    }

    /// A picture that is not kept: of a form filled just to look at it, or of a paper whose file asks for a password
    /// and must not lie about in the open.
    public func passingPicture(
        of document: [UInt8], page: Int, width: Int, format: PageReader.Format = usualFormat,
        cancellation: Cancellation = Cancellation()
    ) throws -> [UInt8] {
        guard page >= 0, width > 0 else { throw Failure(.notFound, "There is no such page.") }
        let turn = state.update(waking: .nobody) { state -> Int in
            state.passing += 1
            return state.passing
        }
        return try inTurn("passing \(turn)") {
            try draw(sheets(document), page, width, format, cancellation)
        }
    }

    /// Throws away what is kept of these bytes.
    public func forget(_ digest: Digest) {
        let shelf = "\(folder)/\(digest.hex.prefix(2))"
        for file in Self.files(in: shelf) where file.name.hasPrefix(digest.hex) {
            unlink("\(shelf)/\(file.name)")
        }
    }

    /// Makes room when more is kept than allowed, those first that nobody has looked at for longest. Quire does this
    /// by itself while it draws.
    public func clear() {
        guard
            state.update(
                waking: .nobody,
                { state in
                    defer { state.isClearing = true }
                    return !state.isClearing
                })
        else { return }
        var files: [(path: String, byteCount: Int64, seen: Int)] = []
        for shelf in Self.folders(in: folder) {
            for file in Self.files(in: "\(folder)/\(shelf)") {
                files.append(("\(folder)/\(shelf)/\(file.name)", file.byteCount, file.seen))
            }
        }
        var sum = files.reduce(0) { $0 + $1.byteCount }
        if sum > limits.byteCount {
            for file in files.sorted(by: { $0.seen < $1.seen }) where sum > limits.byteCount / 10 * 8 {
                if unlink(file.path) == 0 { sum -= file.byteCount }
            }
        }
        let kept = sum
        state.update(waking: .nobody) { state in
            state.byteCount = kept
            state.isClearing = false
        }
    }

    func sheets(_ document: [UInt8]) throws -> Sheets { try Self.sheets(document, reader) }

    static func sheets(_ document: [UInt8], _ reader: () -> PageReader) throws -> Sheets {
        do throws(ReadingError) {
            return try Sheets(damaged: document, reader: reader)
        } catch {
            throw Failure(error)
        }
    }

    private func draw(
        _ sheets: Sheets, _ page: Int, _ width: Int, _ format: PageReader.Format,
        _ cancellation: Cancellation
    ) throws -> [UInt8] {
        do throws(ReadingError) {
            return try reader().picture(
                of: sheets, page: page, width: Self.rounded(width), format: format,
                cancellation: cancellation)
        } catch {
            throw Failure(error)
        }
    }

    // MARK: Turns

    private func inTurn<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        guard begin(name) else {
            throw Failure(
                .unavailable, "Many pages are being drawn right now. Try again in a moment.",
                retryAfter: .seconds(5))
        }
        defer { end(name) }
        return try body()
    }

    private func begin(_ name: String) -> Bool {
        state.wait(timeout: limits.patience) { state -> Bool? in
            guard !state.drawing.contains(name), state.drawing.count < limits.drawingsAtOnce else {
                return nil
            }
            state.drawing.insert(name)
            return true
        } ?? false
    }

    private func end(_ name: String) {
        state.update { state in _ = state.drawing.remove(name) }
    }

    // MARK: Files

    public static func rounded(_ width: Int) -> Int {
        widths.first { $0 >= width } ?? widths.last ?? width
    }

    private func name(
        _ digest: Digest, _ page: Int, _ width: Int, _ format: PageReader.Format
    ) throws(Failure) -> String {
        guard (0..<1_000_000).contains(page), width > 0 else {
            throw Failure(.notFound, "There is no such page.")
        }
        let ending =
            switch format {
            case .png: "png"
            case .jpeg(let quality): format == Self.usualFormat ? "jpg" : "\(quality).jpg"
            }
        return "\(digest.hex.prefix(2))/\(digest.hex)-\(page + 1)-\(Self.rounded(width)).\(ending)"
    }

    private func isKept(_ path: String) -> Bool {
        var about = stat()
        guard lstat(path, &about) == 0, about.st_mode & S_IFMT == S_IFREG, about.st_size > 0 else {
            return false
        }
        // Once an hour is enough to know what was looked at last.
        let now = Int(clock.now().milliseconds / 1000)
        if now - Int(about.st_mtim.tv_sec) > 3600 {
            let times = [timespec(tv_sec: now, tv_nsec: 0), timespec(tv_sec: now, tv_nsec: 0)]
            utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW)
        }
        return true
    }

    static func read(_ path: String, atMost limit: Int64) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var about = stat()
        guard fstat(file, &about) == 0, about.st_size > 0, about.st_size <= limit else { return nil }
        let count = Int(about.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let step = Glibc.read(file, start + filled, count - filled)
                if step < 0, errno == EINTR { continue }
                if step <= 0 { break }
                filled += step
            }
        }
        return bytes.count == count ? bytes : nil
    }

    /// Whole or not at all: written beside its place and moved there.
    private func keep(_ picture: [UInt8], _ path: String) throws {
        let shelf = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        mkdir(folder, 0o700)
        mkdir(shelf, 0o700)
        guard let beside = DraftFile(beside: path, mode: 0o600) else { throw Self.full }
        let (file, draft) = (beside.descriptor, beside.path)
        var written = 0
        while written < picture.count {
            let step = picture.withUnsafeBytes {
                write(file, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if step < 0, errno == EINTR { continue }
            if step <= 0 { break }
            written += step
        }
        close(file)
        guard written == picture.count, rename(draft, path) == 0 else {
            unlink(draft)
            throw Self.full
        }
        let isFull = state.update(waking: .nobody) { state -> Bool in
            guard let before = state.byteCount else { return true }
            state.byteCount = before + Int64(picture.count)
            return before + Int64(picture.count) > limits.byteCount
        }
        if isFull { clear() }
    }

    private static var full: Failure {
        Failure(.full, "The picture of a page cannot be kept. Make room on the disk.")
    }

    private static func folders(in path: String) -> [String] {
        FolderNames.visible(in: path).filter { $0.utf8.count == 2 }
    }

    private static func files(in path: String) -> [(name: String, byteCount: Int64, seen: Int)] {
        FolderNames.visible(in: path).compactMap { name in
            var about = stat()
            guard lstat("\(path)/\(name)", &about) == 0, about.st_mode & S_IFMT == S_IFREG else { return nil }
            return (name, Int64(about.st_size), Int(about.st_mtim.tv_sec))
        }
    }
}

extension Failure {
    /// What a person is told when a page could not be looked at.
    public init(_ error: ReadingError) {
        let code: Code =
            switch error {
            case .noPage: .notFound
            // A file that came broken is no damage of the desk.
            case .unreadable, .tooSlow, .tooLarge, .failed: .unsupported
            case .popplerMissing, .machine, .tooLittleMemory: .unavailable
            case .cancelled: .cancelled
            }
        let isLocked = error == .unreadable("\(PDFError.passwordNeeded)")
        self.init(code, error.description, field: isLocked ? Self.lockField : nil)
    }

    /// What the PDF rooms found, in the desk's words.
    public init(_ error: PDFError) {
        switch error {
        case .passwordNeeded, .wrongPassword, .unusablePassword:
            self.init(.invalid, "\(error)", field: Self.lockField)
        case .tooLarge: self.init(.tooLarge, "\(error)")
        case .tooLittleMemory: self = .tooLittleMemory
        case .notReadable, .damaged, .noPages, .certificateNeeded, .unknownLock:
            self.init(.unsupported, "\(error)", field: "file")
        }
    }

    /// To blame for a paper that is locked with a password; pages lead from there to where it is taken off.
    public static let lockField = "password"
}
