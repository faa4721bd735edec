import Bytes
import Kinds
import PDF
import PDFReading
import Storage
import Transfer
import Work
import Writings

/// What a paper says, page by page.
struct PaperText: Equatable {
    /// Why nothing can be looked for in a paper, or that it can.
    enum State: String {
        case read
        /// It has pages and no words on them: a scan.
        case wordless
        /// Nothing that Quire can read words from.
        case unreadable
    }

    var state: State
    var reason: String?
    var pages: [String] = []
    /// Nil for what has no pages.
    var pageCount: Int?
    /// Pages that may be pictures of words.
    var bareCount = 0
    /// Who signed it, as its signatures say.
    var signers: [String] = []
    /// Whether a form can be filled in.
    var isFillable = false

    /// No page of words is longer, and no more pages are read; books are shorter.
    static let longestPage = 200_000
    static let mostPages = 5_000
}

extension PaperText {
    /// Reads one; throws what another try might mend, as a missing program.
    init(
        _ mediaType: String, byteCount: Int64, reader: () -> PageReader, cancellation: Cancellation,
        bytes: () throws -> [UInt8]
    ) throws {
        let essence = mediaType.prefix { $0 != ";" }
        let kind = PaperKind(mediaType: essence)
        switch kind {
        case .pdf where byteCount <= 256 << 20:
            try self.init(pdf: bytes(), reader(), cancellation)
        case .pdf:
            self.init(
                state: .unreadable,
                reason: "It is larger than 256 MB, so the words on its pages are not read.")
        case _ where Self.isText(kind, essence) && byteCount <= 16 << 20:
            let held = try bytes()
            self.init(
                text: kind?.family == .web
                    ? WrittenWords.text(ofPage: TextDecoding.text(ofPage: held)) : TextDecoding.text(held))
        case .mail where byteCount <= 64 << 20:
            let mail = MailFile(try bytes())
            let heads = [mail.subject, mail.from, mail.to, mail.date] + mail.attachments.map(\.name)
            let words = mail.plain ?? mail.html.map(WrittenWords.text(ofPage:)) ?? ""
            self.init(text: (heads.filter { !$0.isEmpty } + [words]).joined(separator: "\n"))
        // A picture may be one of a page.
        case let kind? where kind.family == .picture:
            self.init(state: .wordless, pageCount: PageOrigin.pictures.contains(kind) ? 1 : nil, bareCount: 1)
        case _ where WrittenWords.areReadable(in: essence) && byteCount <= 64 << 20:
            let held = try bytes()
            do throws(WrittenWords.Unreadable) {
                self.init(text: try WrittenWords.text(essence, held))
            } catch {
                self.init(state: .unreadable, reason: error.sentence)
            }
        default:
            self.init(state: .unreadable)
        }
    }

    private static func isText(_ kind: PaperKind?, _ mediaType: Substring) -> Bool {
        mediaType.hasPrefix("text/") || kind == .svg || kind?.convertible == .text
    }

    init(pdf bytes: [UInt8], _ reader: PageReader, _ cancellation: Cancellation) throws {
        do throws(ReadingError) {
            let sheets = try Sheets(damaged: bytes, reader: { reader }, cancellation: cancellation)
            let texts = try reader.text(
                of: sheets, pages: 0..<min(sheets.count, Self.mostPages), cancellation: cancellation)
            let pages = texts.map { String($0.text.prefix(Self.longestPage)) }
            let signers = Documents.signers(inPDF: bytes)
            let bareCount = pages.count { $0.allSatisfy(\.isWhitespace) }
            self.init(
                state: bareCount == pages.count ? .wordless : .read, pages: pages, pageCount: sheets.count,
                bareCount: bareCount, signers: signers)
            isFillable = Documents.isFillable(pdf: bytes)
        } catch {
            switch error {
            case .popplerMissing, .machine, .tooLittleMemory, .cancelled: throw Failure(error)
            case .unreadable, .tooSlow, .tooLarge, .failed, .noPage:
                self.init(state: .unreadable, reason: error.description)
            }
        }
    }

    private init(text: String) {
        var pages: [String] = []
        var rest = Substring(text)
        while !rest.isEmpty, pages.count < Self.mostPages {
            let page = rest.prefix(Self.longestPage)
            pages.append(String(page))
            rest = rest[page.endIndex...]
        }
        self.init(
            state: text.allSatisfy(\.isWhitespace) ? .wordless : .read, pages: pages, pageCount: nil)
    }
}
