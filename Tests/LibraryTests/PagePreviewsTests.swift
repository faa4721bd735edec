import Glibc
import Library
import PDF
import PDFReading
import Storage
import Synchronization
import Testing
import Work

@Suite(.enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct PagePreviewsTests {
    private static let jail = Jail.detect()

    /// A page with one black square of this size.
    private static func paper(_ side: Int) -> [UInt8] {
        var draft = PDFDraft()
        let tree = draft.newReference()
        let content = draft.addStream([:], Array("10 10 \(side) \(side) re f".utf8))
        let page = draft.add(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(tree), "Contents": .reference(content),
                "MediaBox": .array([.integer(0), .integer(0), .integer(200), .integer(300)]),
            ]))
        draft.put(
            .dictionary(["Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1)]),
            at: tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        return draft.bytes(root: root)
    }

    private func withPreviews<R>(
        _ limits: PagePreviews.Limits = .init(), _ body: (PagePreviews, String) throws -> R
    ) throws -> R {
        // A cell is a folder that is gone afterwards.
        try Self.jail.cell { cell in
            let folder = "\(cell.path)/previews"
            let clock = Clock(now: { Moment(milliseconds: 1_800_000_000_000) })
            let previews = PagePreviews(in: folder, clock: clock, limits: limits) {
                PageReader(jail: Self.jail)
            }
            return try body(previews, folder)
        }
    }

    @Test func aPageIsDrawnOnceAndThenKept() throws {
        try withPreviews { previews, _ in
            let paper = Self.paper(50)
            let digest = Digest(of: paper)
            var asked = 0
            let first = try previews.picture(of: digest, page: 0, width: 200) {
                asked += 1
                return paper
            }
            #expect(first.starts(with: [0xFF, 0xD8]))
            let watch = Stopwatch()
            for _ in 0..<20 {
                let again = try previews.picture(of: digest, page: 0, width: 230) {
                    asked += 1
                    return paper
                }
                #expect(again == first)
            }
            print("a kept picture takes \(watch.elapsed / 20)")
            #expect(asked == 1)
        }
    }

    @Test func everythingMayBeDeletedAtAnyTime() throws {
        try withPreviews { previews, folder in
            let paper = Self.paper(60)
            let first = try previews.path(of: Digest(of: paper), page: 0, width: 160) { paper }
            #expect(try Child("rm", ["-rf", folder]).run().succeeded)
            let second = try previews.path(of: Digest(of: paper), page: 0, width: 160) { paper }
            #expect(first == second)
            #expect(access(second, R_OK) == 0)
        }
    }

    @Test func whatNobodyLookedAtForLongestGoesFirst() throws {
        var limits = PagePreviews.Limits()
        limits.byteCount = 5_000
        try withPreviews(limits) { previews, folder in
            var paths: [String] = []
            for side in 1...12 {
                let paper = Self.paper(side * 8)
                let path = try previews.path(of: Digest(of: paper), page: 0, width: 160) { paper }
                paths.append(path)
                // As if each had been looked at a while after the one before.
                let times = [
                    timespec(tv_sec: 1_700_000_000 + side, tv_nsec: 0),
                    timespec(tv_sec: 1_700_000_000 + side, tv_nsec: 0),
                ]
                utimensat(AT_FDCWD, path, times, 0)
            }
            previews.clear()
            let kept = paths.filter { access($0, R_OK) == 0 }
            #expect(!kept.isEmpty && kept.count < 12)
            #expect(kept.count == paths.suffix(kept.count).filter { access($0, R_OK) == 0 }.count)
        }
    }

    @Test func onlyAFewAreDrawnAtOnceAndNoPictureTwice() throws {
        try withPreviews { previews, _ in
            let workers = Workers(name: "lookers", threads: 8)
            defer { workers.stop() }
            let state = Mutex((now: 0, most: 0, drawn: 0))
            _ = try workers.map(Array(0..<16)) { number in
                // Four papers, each asked for four times.
                let paper = Self.paper(20 + number % 4 * 10)
                return try previews.path(of: Digest(of: paper), page: 0, width: 160) {
                    state.withLock { state in
                        state.now += 1
                        state.drawn += 1
                        state.most = max(state.most, state.now)
                    }
                    defer { state.withLock { $0.now -= 1 } }
                    return paper
                }
            }
            let seen = state.withLock { $0 }
            #expect(seen.drawn == 4)
            #expect(seen.most <= 2)
        }
    }

    @Test func aPageThatIsNotThereAndAFileThatIsNoPaperAreToldApart() throws {
        try withPreviews { previews, _ in
            let paper = Self.paper(10)
            #expect { try previews.path(of: Digest(of: paper), page: 5, width: 160) { paper } } throws: {
                ($0 as? Failure)?.code == .notFound
            }
            #expect { try previews.path(of: Digest(of: [1]), page: 0, width: 160) { [1] } } throws: {
                ($0 as? Failure)?.code == .unsupported
            }
        }
    }

    @Test("Where a program is missing it is said, and tried again a while later")
    func missingProgram() throws {
        try withLibrary { documents, hand, store in
            let paper = try documents.add(
                .bytes(Array("{\\rtf1 Dear Ada}".utf8)), named: "letter.rtf", by: ada
            ).document
            let previews = PagePreviews(in: store.home.previews, clock: store.clock) {
                PageReader(jail: Self.jail)
            }
            let tries = Mutex(0)
            let copies = ReadingCopies(store, previews: previews) { _, _ in
                let isFirst = tries.withLock { tries in
                    tries += 1
                    return tries == 1
                }
                if isFirst { throw Failure(.unavailable, "LibreOffice is needed and not installed.") }
                return Self.paper(50)
            }
            defer { copies.stop() }
            let pages = PaperPages(documents, previews: previews, copies: copies) {
                PageReader(jail: Self.jail)
            }
            func told() -> String? {
                for _ in 0..<1000 {
                    do {
                        _ = try pages.frames(of: paper)
                        return nil
                    } catch let failure as Failure where failure.isBeingPrepared {
                        usleep(10_000)
                    } catch {
                        return (error as? Failure)?.message
                    }
                }
                return "it never came"
            }
            #expect(told()?.contains("LibreOffice") == true)
            #expect(told()?.contains("LibreOffice") == true && tries.withLock { $0 } == 1)
            hand.advance(.seconds(61))
            #expect(told() == nil)
            #expect(try documents.get(paper.id, by: ada).pageCount == 1)
        }
    }
}
