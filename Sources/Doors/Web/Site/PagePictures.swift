import App
import Bytes
import Glibc
import PDF
import PDFReading
import Storage
import Synchronization
import Work

/// Pictures of pages. Bytes under a digest never change, so each is drawn once and kept under `previews/`, where
/// everything may be deleted at any time.
final class PagePictures: Sendable {
    /// Only these widths are drawn, so that nobody can fill the disk with all the others.
    static let widths = [240, 900, 1600]
    private static let mostKept = 128

    private let quire: Quire
    /// The one used last stands at the end.
    private let frames = Mutex<[(key: Digest, frames: [PageFrame])]>([])

    init(_ quire: Quire) {
        self.quire = quire
    }

    /// Where the picture of a page lies, drawn if need be. Pages are counted from 1.
    func path(of page: Int, in digest: Digest, atLeast width: Int) throws -> String {
        let width = Self.widths.first { $0 >= width } ?? Self.widths[Self.widths.count - 1]
        let folder = "\(quire.store.home.previews)/\(digest.hex.prefix(2))"
        let path = "\(folder)/\(digest.hex)-\(page)-\(width).jpg"
        guard access(path, R_OK) != 0 else { return path }
        let bytes = try quire.store.blobs.read(digest)
        let picture = try draw(bytes, page: page, width: width)
        mkdir(folder, 0o700)
        try Self.write(picture, to: path, through: quire.store.home.temporary)
        return path
    }

    /// A picture that is made only once, by the name it is kept under.
    func kept(_ name: String, _ make: () throws -> [UInt8]) throws -> [UInt8] {
        let word = String(name.filter { $0.isLetter || $0.isNumber || $0 == "-" }.prefix(80))
        let path = "\(quire.store.home.previews)/\(word).jpg"
        if let file = fopen(path, "rb") {
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 4 << 20)
            let count = fread(&bytes, 1, bytes.count, file)
            if count > 0 { return Array(bytes.prefix(count)) }
        }
        let made = try make()
        try Self.write(made, to: path, through: quire.store.home.temporary)
        return made
    }

    /// Pictures of what is not kept as a file: a packet, or a form filled to look at.
    func draw(_ bytes: [UInt8], page: Int, width: Int) throws -> [UInt8] {
        do {
            let sheets = try Sheets(bytes: bytes)
            guard (1...max(1, sheets.count)).contains(page) else {
                throw Failure(.notFound, "There is no such page.")
            }
            return try PageReader(jail: quire.jail).picture(
                of: sheets, page: page - 1, width: min(width, 1600), format: .jpeg(quality: 86))
        } catch let error as ReadingError {
            throw Failure(.unsupported, "The page cannot be drawn: \(error)")
        }
    }

    /// The sheets of all pages.
    func frames(of digest: Digest) throws -> [PageFrame] {
        let kept = frames.withLock { all -> [PageFrame]? in
            guard let place = all.firstIndex(where: { $0.key == digest }) else { return nil }
            let found = all.remove(at: place)
            all.append(found)
            return found.frames
        }
        if let kept { return kept }
        let found = try Self.frames(of: quire.store.blobs.read(digest))
        frames.withLock { all in
            all.append((digest, found))
            if all.count > Self.mostKept { all.removeFirst() }
        }
        return found
    }

    static func frames(of bytes: [UInt8]) throws -> [PageFrame] {
        do {
            return try Sheets(bytes: bytes).frames
        } catch {
            throw Failure(.unsupported, "The pages cannot be read: \(error)")
        }
    }

    /// Written beside and moved into place, so that nobody is sent half a picture.
    private static func write(_ bytes: [UInt8], to path: String, through folder: String) throws {
        let scratch = "\(folder)/picture-\(getpid())-\(pthread_self())"
        guard let file = fopen(scratch, "wb") else {
            throw Failure(.full, "The picture of a page cannot be kept.")
        }
        let written = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, written == bytes.count, rename(scratch, path) == 0 else {
            unlink(scratch)
            throw Failure(.full, "The picture of a page cannot be kept: the disk may be full.")
        }
    }
}
