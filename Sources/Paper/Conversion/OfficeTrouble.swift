import Archives
import Bytes
import Kinds
import Office

// What LibreOffice could not read, looked at once more: it says the same of a paper that is locked in a way it does not know
// and of one that is damaged.
extension ConversionRun {
    /// Something else to go on with, or what is really the matter.
    mutating func instead(
        of error: OfficeError, for paper: Paper, to goal: PaperKind
    ) throws(ConversionError) -> [UInt8] {
        switch error {
        case .unreadable, .notWritten, .lost: break
        default: throw ConversionError.of(error, paper.name)
        }
        if paper.isLocked {
            throw options.password == nil
                ? .passwordNeeded(paper.name)
                : .damaged(
                    paper.name,
                    reason:
                        "it is locked, and LibreOffice does not open it with this password. If the password is right, open it in the program it was made with and save it without one."
                )
        }
        guard [.pages, .numbers, .keynote].contains(paper.kind) else {
            throw ConversionError.of(error, paper.name)
        }
        if goal == .pdf, let preview = paper.preview {
            report.remarks.append(
                "LibreOffice cannot read “\(paper.name)”. What was made is the preview that its own program left in it."
            )
            return preview
        }
        throw .damaged(
            paper.name,
            reason:
                "LibreOffice reads only older files of this kind. Open it in the program it was made with and export it as PDF, or to a format of Microsoft Office."
        )
    }
}

extension Paper {
    /// Locked with a password, as far as can be told from outside.
    var isLocked: Bool {
        switch kind {
        case .docx, .xlsx, .pptx: bytes.starts(with: PaperKind.compoundMark)
        case .doc, .xls, .ppt: CompoundFile(bytes)?.isLocked(kind) ?? false
        case .pages, .numbers, .keynote:
            (try? ZIPReader(bytes: bytes)).map { $0[".iwpv2"] != nil || $0[".iwph"] != nil } ?? false
        default: false
        }
    }

    /// Programs of Apple may leave all pages beside the document, as PDF, for those who cannot read it.
    fileprivate var preview: [UInt8]? {
        guard let zip = try? ZIPReader(bytes: bytes), let entry = zip["QuickLook/Preview.pdf"],
            entry.byteCount < Int64(256 << 20), let found = try? zip.bytes(entry),
            PaperKind.detect(found) == .pdf
        else { return nil }
        return found
    }
}

/// The small file system that old office files are (MS-CFB), as far as it has to be looked through to see a lock.
struct CompoundFile {
    private let bytes: [UInt8]
    private let sectorByteCount: Int
    private var table: [Int] = []
    private var entries: [(name: String, start: Int, byteCount: Int)] = []

    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: PaperKind.compoundMark), bytes.count >= 1024 else { return nil }
        self.bytes = bytes
        let shift = Int(bytes[30])
        guard shift == 9 || shift == 12 else { return nil }
        sectorByteCount = 1 << shift
        // The first 109 sectors of the table are named in the head; larger files are not asked about.
        for place in 0..<109 {
            let sector = number(76 + place * 4)
            guard let start = offset(sector) else { break }
            table += (0..<sectorByteCount / 4).map { number(start + $0 * 4) }
        }
        readEntries(from: number(48))
    }

    func isLocked(_ kind: PaperKind) -> Bool {
        switch kind {
        case .doc:
            // MS-DOC 2.5.2: fEncrypted.
            guard let head = start(of: "WordDocument"), head + 12 <= bytes.count else { return false }
            return bytes[head + 11] & 1 != 0
        case .ppt:
            // MS-PPT 2.3.2: the token of encrypted ones.
            if entries.contains(where: { $0.name == "EncryptedSummary" }) { return true }
            return find([0xDF, 0xC4, 0xD1, 0xF3])
        case .xls:
            // MS-XLS 2.4.117: FilePass stands behind the first record, sometimes behind one about writing.
            guard var place = start(of: "Workbook") ?? start(of: "Book") else { return false }
            for _ in 0..<4 where place + 4 <= bytes.count {
                let kind = Int(bytes[place]) | Int(bytes[place + 1]) << 8
                if kind == 0x2F { return true }
                place += 4 + (Int(bytes[place + 2]) | Int(bytes[place + 3]) << 8)
            }
            return false
        default: return false
        }
    }

    /// Short streams lie together in one that the root names, cut into smaller pieces.
    private func start(of name: String) -> Int? {
        guard let entry = entries.first(where: { $0.name == name }) else { return nil }
        guard entry.byteCount < number(56), let root = entries.first else { return offset(entry.start) }
        let place = entry.start * 64
        guard place >= 0, place / sectorByteCount <= table.count else { return nil }
        var sector = root.start
        for _ in 0..<place / sectorByteCount {
            guard table.indices.contains(sector) else { return nil }
            sector = table[sector]
        }
        return offset(sector).map { $0 + place % sectorByteCount }
    }

    private mutating func readEntries(from first: Int) {
        var sector = first
        var seen = 0
        while let start = offset(sector), seen < 1000 {
            for entry in stride(from: start, to: start + sectorByteCount, by: 128) {
                let length = Int(bytes[entry + 64]) / 2
                guard (2...32).contains(length) else { continue }
                let units = (0..<length - 1).map {
                    UInt16(bytes[entry + $0 * 2]) | UInt16(bytes[entry + $0 * 2 + 1]) << 8
                }
                entries.append(
                    (
                        String(decoding: units, as: UTF16.self), number(entry + 116),
                        number(entry + 120)
                    ))
            }
            seen += 1
            sector = table.indices.contains(sector) ? table[sector] : -1
        }
    }

    /// Where a sector lies; nil for what is none, and for one that is not all there.
    private func offset(_ sector: Int) -> Int? {
        guard sector >= 0, sector < bytes.count / sectorByteCount else { return nil }
        let start = (sector + 1) * sectorByteCount
        return start + sectorByteCount <= bytes.count ? start : nil
    }

    private func number(_ place: Int) -> Int {
        guard place >= 0, place + 4 <= bytes.count else { return -1 }
        return (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << ($1 * 8) }
    }

    /// In the stream of the current user, which is short and lies among other short ones.
    private func find(_ wanted: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            (0...(buffer.count - wanted.count)).contains { place in
                buffer[place] == wanted[0]
                    && (1..<wanted.count).allSatisfy { buffer[place + $0] == wanted[$0] }
            }
        }
    }
}
