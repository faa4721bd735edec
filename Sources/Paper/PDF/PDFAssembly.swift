import CQPDF
import Glibc

/// A new file made of pages of others. What belongs to the pages comes along: fields, bookmarks, links, layers, labels,
/// attachments. Nothing else does, so a page that was left out is really gone.
public struct PDFAssembly {
    public struct Part {
        public var file: PDFFile
        /// Counted from 0, none twice.
        public var pages: [Int]
        /// A bookmark for the part, with the file's own below it.
        public var bookmark: String?

        public init(_ file: PDFFile, pages: [Int]? = nil, bookmark: String? = nil) {
            self.file = file
            self.pages = pages ?? Array(file.pages.indices)
            self.bookmark = bookmark
        }
    }

    /// What had to be changed on the way.
    public enum Remark: Sendable, Equatable {
        /// The name was taken by a field of another file.
        case renamed(String, to: String)
        case signatureDropped
        case xfaDropped
        case tagsDropped
    }

    public let bytes: [UInt8]
    public let remarks: [Remark]

    /// A file may stand in one part only; open it again to use it again.
    public init(_ parts: [Part]) throws(PDFError) {
        var titles: [UnsafeMutablePointer<CChar>?] = []
        var numbers: [UnsafeMutableBufferPointer<Int32>] = []
        defer {
            for title in titles { free(title) }
            for buffer in numbers { buffer.deallocate() }
        }
        var list: [quire_qpdf_part] = []
        for part in parts {
            let count = part.file.pages.count
            try part.file.requirePages()
            guard Set(part.pages).count == part.pages.count, part.pages.allSatisfy({ $0 >= 0 && $0 < count })
            else { throw .damaged("a page is asked for that is not there") }
            let buffer = UnsafeMutableBufferPointer<Int32>.allocate(capacity: part.pages.count)
            _ = buffer.initialize(from: part.pages.map { Int32(truncatingIfNeeded: $0) })
            numbers.append(buffer)
            titles.append(part.bookmark.flatMap { strdup($0) })
            list.append(
                quire_qpdf_part(
                    file: part.file.handle, pages: UnsafePointer(buffer.baseAddress), count: buffer.count,
                    title: UnsafePointer(titles[titles.count - 1])))
        }
        guard let assembled = quire_qpdf_assemble(list, list.count) else { throw .tooLittleMemory }
        defer { quire_qpdf_close(assembled) }
        guard quire_qpdf_status(assembled) == QUIRE_QPDF_OK else {
            throw .of(String(cString: quire_qpdf_message(assembled)))
        }
        let said = String(decoding: Self.copy(quire_qpdf_remarks(assembled)), as: UTF8.self)
        var remarks: [Remark] = []
        for line in said.split(separator: "\n") {
            let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let remark: Remark? =
                switch words[0] {
                case "renamed" where words.count > 2: .renamed(words[1], to: words[2])
                case "signature": .signatureDropped
                case "xfa": .xfaDropped
                case "tags": .tagsDropped
                default: nil
                }
            if let remark, !remarks.contains(remark) { remarks.append(remark) }
        }
        self.remarks = remarks
        var how = quire_qpdf_writing()
        how.object_streams = 1
        how.deterministic = 1
        let written = quire_qpdf_write(assembled, &how)
        guard written.start != nil else {
            throw .of(String(cString: quire_qpdf_message(assembled)))
        }
        bytes = Self.copy(written)
        withExtendedLifetime(parts) {}
    }

    private static func copy(_ bytes: quire_bytes) -> [UInt8] {
        guard let start = bytes.start else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: bytes.count))
    }
}

extension PDFFile {
    /// Turns a page clockwise by 90, 180 or 270 degrees.
    public func rotate(page: Int, by angle: Int) throws(PDFError) {
        guard quire_qpdf_rotate(handle, Int32(truncatingIfNeeded: page), Int32(angle), 1) != 0 else {
            throw .damaged("page \(page + 1) cannot be turned")
        }
        forget()
    }

    /// Draws a page of another file over one of this file, or under it, in the middle and no larger than it.
    public func draw(
        _ stamp: PDFFile, page: Int = 0, on target: Int, under: Bool = false
    ) throws(PDFError) {
        guard pages.indices.contains(target), stamp.pages.indices.contains(page),
            quire_qpdf_overlay(
                handle, Int32(truncatingIfNeeded: target), stamp.handle, Int32(truncatingIfNeeded: page),
                under ? 1 : 0) != 0
        else { throw .damaged("page \(target + 1) cannot be drawn on") }
        if !stamps.contains(where: { $0 === stamp }) { stamps.append(stamp) }
        forget()
    }

    /// Draws what is seen of a page of another file in the middle of a place of one of this file, as large as fits there.
    public func draw(
        _ stamp: PDFFile, page: Int, on target: Int, in place: PDFRectangle
    ) throws(PDFError) {
        guard pages.indices.contains(target), stamp.pages.indices.contains(page),
            quire_qpdf_place(
                handle, Int32(truncatingIfNeeded: target), stamp.handle, Int32(truncatingIfNeeded: page),
                place.numbers) != 0
        else { throw .damaged("page \(page + 1) cannot be drawn") }
        if !stamps.contains(where: { $0 === stamp }) { stamps.append(stamp) }
        forget()
    }

    /// Keeps what is seen of a page of another file in the catalog of this one, for who draws it, until it is written anew.
    public func adopt(_ stamp: PDFFile, page: Int, as key: String) throws(PDFError) {
        guard stamp.pages.indices.contains(page),
            quire_qpdf_adopt(handle, stamp.handle, Int32(truncatingIfNeeded: page), "/" + key) != 0
        else { throw .damaged("page \(page + 1) cannot be drawn") }
        if !stamps.contains(where: { $0 === stamp }) { stamps.append(stamp) }
        forget()
    }

    /// What notes and fields look like becomes part of their pages; those that look like nothing stay.
    public func flattenNotes() throws(PDFError) {
        guard quire_qpdf_flatten(handle) != 0 else { throw .damaged("its notes cannot be drawn") }
        forget()
    }

    /// All its pages in another order; everything else stays.
    public func reorder(_ pages: [Int]) throws(PDFError) {
        guard pages.sorted() == Array(self.pages.indices) else {
            throw .damaged("a page is asked for that is not there")
        }
        guard quire_qpdf_reorder(handle, pages.map { Int32(truncatingIfNeeded: $0) }, pages.count) != 0 else {
            throw .damaged("the pages cannot be put into this order")
        }
        forget()
    }

    /// Reads everything there is, for at most so many seconds of the processor. Gives what is wrong with it, nothing when
    /// all is well.
    public func flaws(within seconds: Double = 10) -> [PDFFlaw] {
        let isWhole = quire_qpdf_check(handle, seconds) != 0
        var said = repairs
        if !isWhole { said.append(String(cString: quire_qpdf_message(handle))) }
        return PDFFlaw.of(said)
    }
}
