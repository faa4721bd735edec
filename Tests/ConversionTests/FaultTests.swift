import Archives
import Browsing
import Bytes
import Conversion
import Glibc
import Kinds
import Office
import PDF
import PDFReading
import Synchronization
import Testing
import TestSupport
import Work

/// What strangers send on purpose, and engines that end in the middle of their work. `QUIRE_KILLS` says how many
/// conversions are disturbed; a few when it is not set.
@Suite(.serialized) struct FaultTests {
    /// Engines of their own, whose cells and processes can be told from those of other tests.
    private func withEngines<R>(_ body: (Engines, String) throws -> R) throws -> R {
        // As all our programs do: an engine that is killed closes its pipe under whoever writes to it.
        signal(SIGPIPE, SIG_IGN)
        return try withScratchFolder { folder in
            // Jailed programs run as other users, who have to get in here.
            chmod(folder, 0o1777)
            let engines = Engines(jail: Jail.detect(folder: folder))
            defer { engines.stop() }
            return try body(engines, folder)
        }
    }

    /// Apart, so that whoever judges is not killed as well.
    private static let readers = Jail.detect()

    private struct Trial: Sendable {
        var input: ConversionInput
        var goal: PaperKind
        /// What must be read in the result; nil for pictures, which have to be pictures.
        var words: String?
    }

    private func trial(_ number: Int) -> Trial {
        let mark = "sheet \(number) of the trial"
        var trials = [
            Trial(
                input: .init(name: "\(number).bmp", .bytes(Self.bitmap)), goal: .pdf, words: nil),
            Trial(
                input: .init(name: "\(number).pdf", .bytes(Self.page(mark))), goal: .png, words: nil),
            Trial(
                input: .init(name: "\(number).pdf", .bytes(Self.page(mark))), goal: .text, words: mark),
        ]
        if Browsers.isInstalled {
            trials.append(
                Trial(
                    input: .init(name: "\(number).html", .bytes(Array("<p>\(mark)</p>".utf8))), goal: .pdf,
                    words: mark))
        }
        if Offices.isInstalled {
            trials.append(
                Trial(
                    input: .init(name: "\(number).rtf", .bytes(Array("{\\rtf1 \(mark)\\par}".utf8))),
                    goal: .pdf, words: mark))
        }
        return trials[number % trials.count]
    }

    /// Nil when the result is what it has to be.
    private func fault(of papers: [Paper], _ trial: Trial, _ jail: Jail) -> String? {
        guard let paper = papers.first, papers.count == 1, paper.kind == trial.goal else {
            return "\(papers.count) papers"
        }
        guard let words = trial.words else {
            let isWhole =
                trial.goal == .pdf
                ? (try? PDFFile(bytes: paper.bytes))?.pages.count == 1
                : PaperKind.detect(paper.bytes) == trial.goal
            return isWhole ? nil : "it is no whole \(trial.goal)"
        }
        if trial.goal == .text {
            return String(decoding: paper.bytes, as: UTF8.self).contains(words) ? nil : "its words are gone"
        }
        let text = (try? PageReader(jail: jail).text(of: Sheets(bytes: paper.bytes)))?.map(\.text).joined()
        return text?.contains(words) == true ? nil : "“\(text ?? "no text")”"
    }

    @Test func enginesKilledAtRandomLeaveRightResultsOrClearFailuresAndNothingElse() throws {
        let count = getenv("QUIRE_KILLS").flatMap { Int(String(cString: $0)) } ?? 12
        try withEngines { engines, folder throws -> Void in
            let converter = Converter(engines)
            let before = Inmates.memoryByteCount(of: getpid())
            let outcome = Mutex((right: 0, failed: 0, faults: [String]()))
            let isDone = Monitor(false)
            let killer = Thread(name: "killer") {
                var dice = Dice(7)
                // As many kills as conversions that have ended, whatever time these take: a busy machine would have each
                // of them disturbed twice, and none would succeed.
                var kills = 0
                while isDone.wait(timeout: .milliseconds(Int64(50 + dice.below(400))), { $0 ? true : nil })
                    == nil
                {
                    let ended = outcome.withLock { $0.right + $0.failed + $0.faults.count }
                    let processes = Inmates.of(folder)
                    guard kills <= ended, !processes.isEmpty else { continue }
                    kill(processes[dice.below(processes.count)], SIGKILL)
                    kills += 1
                }
            }
            let hands = Workers(name: "trial", threads: 4)
            _ = try hands.map(Array(0..<count)) { number in
                let trial = self.trial(number)
                do throws(ConversionError) {
                    let made = try converter.convert([trial.input], to: trial.goal).papers
                    let fault = self.fault(of: made, trial, Self.readers)
                    outcome.withLock {
                        if let fault {
                            $0.faults.append("\(trial.input.name) to \(trial.goal): \(fault)")
                        } else {
                            $0.right += 1
                        }
                    }
                } catch {
                    outcome.withLock {
                        $0.failed += 1
                        if error.description.isEmpty { $0.faults.append("a failure without a word") }
                    }
                }
            }
            isDone.update { $0 = true }
            killer.join()
            hands.stop()
            let end = outcome.withLock { $0 }
            #expect(end.faults == [])
            #expect(end.right + end.failed == count)
            #expect(end.right > count / 4)
            // Left in peace, everything works again.
            for number in 0..<5 {
                let trial = trial(number)
                #expect(
                    fault(
                        of: try converter.convert([trial.input], to: trial.goal).papers, trial, engines.jail)
                        == nil)
            }
            engines.stop()
            #expect(Inmates.of(folder).isEmpty)
            #expect(Inmates.names(in: folder) == [])
            // Those of other tests may have ended just now; what stays is ours.
            var unburied = Inmates.unburied
            for _ in 0..<600 where !unburied.isEmpty {
                usleep(50_000)
                let now = Inmates.unburied
                unburied = unburied.filter { now.keys.contains($0.key) }
            }
            #expect(unburied == [:])
            // Alone in this process: what other tests hold is not ours to judge.
            guard getenv("QUIRE_KILLS") != nil else { return }
            let grown = Inmates.memoryByteCount(of: getpid()) - before
            print("\(end.right) right, \(end.failed) failed, \(grown >> 20) MB more than before")
            #expect(grown < 100 << 20)
        }
    }

    @Test func bombsEndInAClearFailureAndTheNextPaperIsConverted() throws {
        try withEngines { engines, folder throws -> Void in
            let converter = Converter(engines)
            func refusal(_ name: String, _ bytes: [UInt8], to goal: PaperKind = .pdf) -> ConversionError? {
                var options = ConversionOptions()
                options.load.time = .seconds(4)
                options.office.time = .seconds(4)
                do throws(ConversionError) {
                    _ = try converter.convert(
                        [ConversionInput(name: name, .bytes(bytes))], to: goal, options)
                    return nil
                } catch {
                    return error
                }
            }
            // A picture that says it has ten thousand million pixels.
            #expect(refusal("huge.png", Self.hugePNG) != nil)
            #expect(refusal("huge.tiff", Self.hugeTIFF) != nil)
            #expect(refusal("book.epub", try Self.bomb()) != nil)
            // A sheet of five kilometres to be drawn: refused, and not drawn as one dot.
            #expect(refusal("sheet.pdf", Self.page("far", side: 144_000), to: .png) != nil)
            if Browsers.isInstalled {
                // Entities in entities: the browser gives up on them, and whatever it shows it shows in the end.
                _ = refusal(
                    "laughs.svg",
                    Array(
                        Self.laughs("svg", "<svg xmlns='http://www.w3.org/2000/svg'><text>&i;</text></svg>")
                            .utf8))
                #expect(refusal("endless.html", Array("<script>for(;;);</script>".utf8)) != nil)
            }
            if Offices.isInstalled {
                #expect(refusal("laughs.fodt", Array(Self.flat("&i;", entities: true).utf8)) != nil)
                #expect(refusal("broken.docx", [0x50, 0x4B, 3, 4] + Array(repeating: 7, count: 500)) != nil)
                let sheet = (1...600_000).map { "\($0),a line of a table that never ends" }.joined(
                    separator: "\n")
                #expect(refusal("long.csv", Array(sheet.utf8)) != nil)
            }
            for number in 0..<5 {
                let trial = trial(number)
                #expect(
                    fault(
                        of: try converter.convert([trial.input], to: trial.goal).papers, trial, engines.jail)
                        == nil)
            }
            engines.stop()
            #expect(Inmates.names(in: folder) == [])
        }
    }

    /// Not by the clock, which a busy machine holds up: what worked on the paper is gone when the caller hears of it.
    @Test(
        .enabled(if: Offices.isInstalled, "LibreOffice is not installed"),
        .enabled(if: Browsers.isInstalled, "Chromium is not installed"))
    func whatIsCancelledHasEndedWhenItIsTold() throws {
        let sheet = (1...60_000).map { "\($0),a line of a table that never ends" }.joined(separator: "\n")
        for (name, text) in [("long.csv", sheet), ("endless.html", "<script>for(;;);</script>")] {
            try withEngines { engines, folder throws -> Void in
                // A browser with one tab, so that it can be seen to go.
                if name.hasSuffix("html") { try engines.browsers.warm() }
                func tabs() -> Int {
                    Inmates.of(folder).count { Inmates.name($0).contains("type=renderer") }
                }
                let before = tabs()
                let cancellation = Cancellation()
                let canceller = Thread(name: "canceller") {
                    // Once an engine has begun, and a moment later, when it is in the middle of its work.
                    while Inmates.of(folder).isEmpty { usleep(20_000) }
                    while engines.offices.status.working + engines.browsers.status.working == 0 {
                        usleep(20_000)
                    }
                    usleep(500_000)
                    cancellation.cancel(reason: "enough")
                }
                do throws(ConversionError) {
                    _ = try Converter(engines).convert(
                        [ConversionInput(name: name, .bytes(Array(text.utf8)))], to: .pdf,
                        progress: Progress(cancellation: cancellation))
                    Issue.record("\(name) was converted")
                } catch {
                    guard case .cancelled(reason: "enough") = error else {
                        Issue.record("\(name): \(error)")
                        return
                    }
                }
                canceller.join()
                #expect(engines.offices.status.running == 0 && engines.browsers.status.working == 0)
                #expect(!Inmates.of(folder).contains { Inmates.name($0).contains("quire-engine") })
                // The browser says that its tab is gone; the kernel may need a moment more.
                for _ in 0..<1200 where before > 0 && tabs() >= before { usleep(50_000) }
                #expect(before == 0 || tabs() < before)
            }
        }
    }

    /// A pool that nobody needs any more ends its processes by itself.
    @Test(
        .enabled(if: Offices.isInstalled, "LibreOffice is not installed"),
        .enabled(if: Browsers.isInstalled, "Chromium is not installed"))
    func memoryReturnsWhenNobodyConvertsAnything() throws {
        try withScratchFolder { folder throws -> Void in
            chmod(folder, 0o1777)
            var settings = Engines.Settings.ofThisMachine
            settings.offices.idleTime = .milliseconds(1)
            settings.browsers.idleTime = .milliseconds(1)
            let engines = Engines(jail: Jail.detect(folder: folder), settings: settings)
            defer { engines.stop() }
            let papers = [
                ("a.rtf", "{\\rtf1 Dear Ada\\par}"), ("a.html", "<p>Dear Ada</p>"),
            ].map { ConversionInput(name: $0, .bytes(Array($1.utf8))) }
            #expect(try Converter(engines).convert(papers, to: .pdf).papers.count == 2)
            // As long as it takes on a busy machine; a pool that never ended would be waited for in vain.
            for _ in 0..<1200 where !Inmates.of(folder).isEmpty { usleep(50_000) }
            #expect(Inmates.of(folder).isEmpty && Inmates.names(in: folder).isEmpty)
            #expect(engines.offices.status.running == 0 && !engines.browsers.status.isRunning)
        }
    }

    @Test(.enabled(if: Offices.isInstalled, "LibreOffice is not installed"))
    func macrosOfAPaperDoNotRun() throws {
        try withEngines { engines, folder throws -> Void in
            let macro = """
                <office:scripts><office:script script:language="ooo:Basic"><ooo:libraries xmlns:ooo="http://openoffice.org/2004/office">\
                <ooo:library-embedded ooo:name="Standard"><ooo:module ooo:name="M"><ooo:source-code>Sub Hello
                ThisComponent.Text.String = "the macro was here"
                End Sub</ooo:source-code></ooo:module></ooo:library-embedded></ooo:libraries></office:script>
                <office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" \
                xlink:href="vnd.sun.star.script:Standard.M.Hello?language=Basic&amp;location=document" xlink:type="simple"/>\
                </office:event-listeners></office:scripts>
                """
            let paper = Self.flat("Dear Ada", more: macro)
            let made = try Converter(engines).convert(
                [ConversionInput(name: "macro.fodt", .bytes(Array(paper.utf8)))], to: .pdf
            ).papers[0]
            let text = try PageReader(jail: engines.jail).text(of: Sheets(bytes: made.bytes)).map(\.text)
                .joined()
            #expect(text.contains("Dear Ada") && !text.contains("macro"))
        }
    }

    // MARK: Papers

    private static let bitmap: [UInt8] = [
        0x42, 0x4D, 58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 24, 0, 0,
        0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 20, 30, 0,
    ]

    private static let hugePNG: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + [
            0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0, 8, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ] + Array("IEND".utf8) + [0, 0, 0, 0]

    /// 100,000 pixels wide and high, packed, with hardly any data behind it.
    private static let hugeTIFF: [UInt8] = {
        func entry(_ tag: UInt16, _ kind: UInt16, _ value: UInt32) -> [UInt8] {
            [UInt8(tag & 255), UInt8(tag >> 8), UInt8(kind), 0, 1, 0, 0, 0]
                + [0, 8, 16, 24].map { UInt8(value >> $0 & 255) }
        }
        let entries =
            entry(256, 4, 100_000) + entry(257, 4, 100_000) + entry(258, 3, 8) + entry(259, 3, 5)
            + entry(262, 3, 1) + entry(273, 4, 8) + entry(277, 3, 1) + entry(278, 4, 100_000)
            + entry(279, 4, 4)
        return Array("II".utf8) + [42, 0, 8, 0, 0, 0, 9, 0] + entries + [0, 0, 0, 0]
    }()

    /// A book of half a megabyte that unpacks to six hundred.
    private static func bomb() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var zip = ZIPWriter { bytes += $0 }
        let when = Moment(milliseconds: 1_795_260_900_000)
        try zip.add("mimetype", Array("application/epub+zip".utf8), modified: when)
        try zip.add(
            "META-INF/container.xml",
            Array("<container><rootfiles><rootfile full-path=\"a.opf\"/></rootfiles></container>".utf8),
            modified: when)
        try zip.add(
            "a.opf",
            Array(
                "<package><manifest><item id=\"a\" href=\"a.xhtml\" media-type=\"application/xhtml+xml\"/></manifest><spine><itemref idref=\"a\"/></spine></package>"
                    .utf8), modified: when)
        try zip.add("a.xhtml", modified: when, level: 1) { put in
            let piece = [UInt8](repeating: 32, count: 1 << 22)
            for _ in 0..<132 { try put(piece) }
        }
        try zip.finish()
        return bytes
    }

    private static func laughs(_ root: String, _ body: String) -> String {
        var text = "<?xml version=\"1.0\"?><!DOCTYPE \(root) [<!ENTITY a \"ha ha ha ha ha ha ha ha ha ha\">"
        for (name, inner) in zip("bcdefghi", "abcdefgh") {
            text += "<!ENTITY \(name) \"" + String(repeating: "&\(inner);", count: 10) + "\">"
        }
        return text + "]>" + body
    }

    private static func flat(_ words: String, entities: Bool = false, more: String = "") -> String {
        let body = """
            <office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" \
            xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" \
            xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" \
            office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">\(more)
            <office:body><office:text><text:p>\(words)</text:p></office:text></office:body></office:document>
            """
        return entities ? laughs("office:document", body) : "<?xml version=\"1.0\"?>" + body
    }

    private static func page(_ words: String, side: Int = 612) -> [UInt8] {
        var draft = PDFDraft()
        let font = draft.add(
            .dictionary(["Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica")]))
        let tree = draft.newReference()
        let content = draft.addStream([:], Array("BT /F 20 Tf 72 700 Td (\(words)) Tj ET".utf8))
        let page = draft.add(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(tree),
                "MediaBox": .array([.integer(0), .integer(0), .integer(side), .integer(max(side, 792))]),
                "Contents": .reference(content),
                "Resources": .dictionary(["Font": .dictionary(["F": .reference(font)])]),
            ]))
        draft.put(
            .dictionary(["Type": .name("Pages"), "Count": .integer(1), "Kids": .array([.reference(page)])]),
            at: tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        return draft.bytes(root: root)
    }
}
