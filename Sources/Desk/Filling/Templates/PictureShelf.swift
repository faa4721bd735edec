import Glibc
import PDFReading
import Storage
import Work

/// Pictures of pages, drawn once and kept among the previews, which anybody may delete at any time.
struct PictureShelf: Sendable {
    static let widths = [160, 320, 640, 800, 1200, 1600]

    let store: Store
    let reader: @Sendable () -> PageReader?

    init(_ store: Store, reader: @escaping @Sendable () -> PageReader?) {
        self.store = store
        self.reader = reader
    }

    /// `digest` names what is shown; `document` gives it when it has to be drawn.
    func picture(
        of digest: Digest, page: Int, width: Int, document: () throws -> [UInt8]
    ) throws -> [UInt8] {
        let width = Self.widths.first { $0 >= width } ?? 1600
        let folder = "\(store.home.previews)/\(digest.hex.prefix(2))"
        let path = "\(folder)/\(digest.hex)-\(page + 1)-\(width).png"
        if let kept = Self.read(path) { return kept }
        guard let reader = reader() else {
            throw Failure(
                .unsupported, "Pages cannot be shown on this machine. “quire doctor” says what is missing.")
        }
        let bytes = try document()
        let picture = try Templates.explained {
            try reader.picture(of: Sheets(bytes: bytes), page: page, width: width)
        }
        keep(picture, at: path, in: folder)
        return picture
    }

    private static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var about = stat()
        guard fstat(file, &about) == 0, about.st_size > 0, about.st_size < 64 << 20 else { return nil }
        let count = Int(about.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let step = Glibc.read(file, start + filled, count - filled)
                if step < 0 && errno == EINTR { continue }
                if step <= 0 { break }
                filled += step
            }
        }
        return bytes.count == count ? bytes : nil
    }

    /// Whole or not at all. A preview that could not be kept is drawn again the next time.
    private func keep(_ picture: [UInt8], at path: String, in folder: String) {
        mkdir(folder, 0o700)
        let draft = "\(path).\(getpid()).\(store.chance.integer(below: 1 << 30))"
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let isWritten = write(file, picture, picture.count) == picture.count
        close(file)
        if !isWritten || rename(draft, path) != 0 { unlink(draft) }
    }
}
