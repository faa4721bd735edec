import Glibc
import Office
import PDF
import PDFReading
import Synchronization
import Testing
import TestSupport
import Work

/// Skipped, and said so, where LibreOffice is not installed.
@Suite(.enabled(if: Offices.isInstalled, "LibreOffice is not installed"), .serialized)
struct OfficeTests {
    static let jail = Jail.detect()
    static let offices = Offices(jail: jail)

    private func withFile(_ text: String, _ body: ([UInt8]) throws -> Void) throws {
        try body(Array(text.utf8))
    }

    private func words(_ pdf: [UInt8]) throws -> String {
        let sheets = try Sheets(bytes: pdf)
        return try PageReader(jail: Self.jail).text(of: sheets).map(\.text)
            .joined(separator: "\n")
    }

    /// A whole text document in one file, so that no zip is needed.
    private func letter(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
        <office:automatic-styles><style:style style:name="Next" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style></office:automatic-styles>
        <office:body><office:text>\(body)</office:text></office:body></office:document>
        """
    }

    private var threePages: String {
        letter(
            "<text:p>First</text:p><text:p text:style-name=\"Next\">Second</text:p>"
                + "<text:p text:style-name=\"Next\">Third</text:p>")
    }

    @Test func aLetterBecomesPDFAndTheWorkerStaysForTheNext() throws {
        try withFile(letter("<text:p>Dear Ada</text:p>")) { paper throws -> Void in
            #expect(try words(Self.offices.convert(paper, suffix: "fodt")).contains("Dear Ada"))
            let before = Self.offices.status
            #expect(try words(Self.offices.convert(paper, suffix: "fodt")).contains("Dear Ada"))
            #expect(Self.offices.status.restarts == before.restarts)
            #expect(Self.offices.status.running == 1)
        }
    }

    @Test func pagesAndSidesAreThoseAskedFor() throws {
        try withFile(threePages) { paper throws -> Void in
            var options = OfficeOptions()
            options.export["PageRange"] = .text("2-3")
            options.isLandscape = true
            let pdf = try Self.offices.convert(paper, suffix: "fodt", options)
            let text = try words(pdf)
            #expect(text.contains("Second") && !text.contains("First"))
            let file = try PDFFile(bytes: pdf)
            let box = file.numbers(file.dictionary(.reference(file.pages[0]))?["MediaBox"])
            #expect(file.pages.count == 2)
            #expect(box.count == 4 && box[2] > box[3])
        }
    }

    @Test func archivesGetTheirKindOfPDF() throws {
        try withFile(threePages) { paper throws -> Void in
            for (part, said) in [(1, "part=\"1\""), (2, "part>2<"), (3, "part>3<")] {
                var options = OfficeOptions()
                options.setArchive(part: part)
                let file = try PDFFile(bytes: try Self.offices.convert(paper, suffix: "fodt", options))
                let metadata = try #require(file.catalog["Metadata"]?.reference)
                let text = String(decoding: try #require(file.stream(metadata)), as: UTF8.self)
                #expect(text.contains("pdfaid:part>\(part)<"), "\(said) is missing")
            }
        }
    }

    @Test func officePapersBecomeOtherOfficePapers() throws {
        try withFile(letter("<text:p>Dear Ada</text:p>")) { paper throws -> Void in
            var options = OfficeOptions()
            options.format = "docx"
            let docx = try Self.offices.convert(paper, suffix: "fodt", options)
            #expect(docx.starts(with: [0x50, 0x4B, 3, 4]))
        }
    }

    @Test func whatIsNoDocumentIsRefusedAndTheWorkerStays() throws {
        try withFile("PK\u{3}\u{4} this is no zip") { paper throws -> Void in
            #expect(throws: OfficeError.self) { _ = try Self.offices.convert(paper, suffix: "docx") }
        }
        try withFile(letter("<text:p>Still here</text:p>")) { paper throws -> Void in
            #expect(try words(Self.offices.convert(paper, suffix: "fodt")).contains("Still here"))
        }
    }

    @Test(.enabled(if: CorpusFiles.has("office/005-protected_page_1.docx"), "there is no corpus"))
    func aLockedDocumentSaysSo() throws {
        let paper = try CorpusFiles.bytes("office/005-protected_page_1.docx")
        #expect(throws: OfficeError.passwordNeeded) {
            _ = try Self.offices.convert(paper, suffix: "docx")
        }
        var options = OfficeOptions()
        options.password = "surely wrong"
        #expect(throws: OfficeError.wrongPassword) {
            _ = try Self.offices.convert(paper, suffix: "docx", options)
        }
    }

    @Test func killedWorkersAreReplacedAndTheirPapersTriedAgain() throws {
        // As all our programs do: whoever is killed closes its pipe under the one who writes to it.
        signal(SIGPIPE, SIG_IGN)
        try withScratchFolder { folder throws -> Void in
            // Jailed programs run as other users, who have to get in here. Other tests' engines live elsewhere.
            chmod(folder, 0o1777)
            let offices = Offices(jail: Jail.detect(folder: folder))
            defer { offices.stop() }
            let paper = Array(threePages.utf8)
            let isDone = Mutex(false)
            let killer = Thread(name: "killer") {
                for _ in 0..<3 {
                    _ = Monitor(false).wait(timeout: .milliseconds(400)) { $0 ? true : nil }
                    if isDone.withLock({ $0 }) { return }
                    for process in Inmates.of(folder) { kill(process, SIGKILL) }
                }
            }
            for _ in 0..<8 {
                do {
                    let text = try words(offices.convert(paper, suffix: "fodt"))
                    #expect(text.contains("Third"))
                } catch OfficeError.lost {
                    // Killed twice over: a clear failure.
                } catch OfficeError.machine {
                    // And one of its own where it was killed before it could begin.
                }
            }
            isDone.withLock { $0 = true }
            killer.join()
            #expect(try words(offices.convert(paper, suffix: "fodt")).contains("First"))
        }
    }

    @Test func cancellingEndsADocumentWithinASecond() throws {
        try withFile(threePages) { paper throws -> Void in
            let cancellation = Cancellation()
            cancellation.cancel(reason: "enough")
            #expect(throws: OfficeError.cancelled(reason: "enough")) {
                _ = try Self.offices.convert(paper, suffix: "fodt", cancellation: cancellation)
            }
        }
    }

    /// Workers of their own, however many and however soon they are replaced.
    private func withOffices(
        _ change: (inout Offices.Settings) -> Void, _ body: (Offices, String) throws -> Void
    ) throws {
        try withScratchFolder { folder throws -> Void in
            chmod(folder, 0o1777)
            var settings = Offices.Settings()
            change(&settings)
            let offices = Offices(jail: Jail.detect(folder: folder), settings: settings)
            defer { offices.stop() }
            try body(offices, folder)
        }
    }

    @Test func workersAreReplacedAfterSoManyPapersAndWhenTheyGrewTooLarge() throws {
        let paper = Array(letter("<text:p>Dear Ada</text:p>").utf8)
        try withOffices {
            $0.workerCount = 1
            $0.papersBeforeRestart = 2
        } _: { offices, _ throws -> Void in
            for _ in 0..<5 {
                #expect(try words(offices.convert(paper, suffix: "fodt")).contains("Dear Ada"))
            }
            #expect(offices.status.restarts == 2)
        }
        try withOffices {
            $0.workerCount = 1
            $0.restMemoryByteCount = 1 << 20
        } _: { offices, _ throws -> Void in
            // How large it is is looked at after every fourth.
            for _ in 0..<5 { _ = try offices.convert(paper, suffix: "fodt") }
            #expect(offices.status.restarts == 1)
        }
    }

    @Test func severalPapersAreConvertedSideBySideAndNoMoreThanThereAreWorkers() throws {
        let paper = Array(threePages.utf8)
        try withOffices {
            $0.workerCount = 2
        } _: { offices, folder throws -> Void in
            let most = Mutex(0)
            let isDone = Mutex(false)
            let watcher = Thread(name: "watcher") {
                while !isDone.withLock({ $0 }) {
                    let working = offices.status.working
                    most.withLock { $0 = max($0, working) }
                    usleep(2000)
                }
            }
            let hands = Workers(name: "hands", threads: 4)
            let made = try hands.map(Array(0..<8)) { _ in try offices.convert(paper, suffix: "fodt") }
            hands.stop()
            isDone.withLock { $0 = true }
            watcher.join()
            #expect(most.withLock { $0 } == 2)
            #expect(Inmates.of(folder).count { Inmates.name($0).contains("quire-engine") } >= 2)
            for pdf in made { #expect(try words(pdf).contains("Third")) }
        }
    }

    @Test func whoStopsLetsBegunPapersComeToTheirEnd() throws {
        let paper = Array(threePages.utf8)
        try withOffices {
            $0.workerCount = 1
        } _: { offices, folder throws -> Void in
            let outcome = Mutex<Result<[UInt8], any Error>?>(nil)
            let worker = Thread(name: "begun") {
                let made = Result<[UInt8], any Error> { try offices.convert(paper, suffix: "fodt") }
                outcome.withLock { $0 = made }
            }
            while offices.status.working == 0 { usleep(1000) }
            offices.stop()
            worker.join()
            #expect(try words(#require(outcome.withLock { $0 }).get()).contains("Third"))
            #expect(throws: OfficeError.busy) { _ = try offices.convert(paper, suffix: "fodt") }
            #expect(Inmates.of(folder).isEmpty)
        }
    }
}
