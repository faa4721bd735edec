import Browsing
import Bytes
import Glibc
import HTTP
import HTTPServer
import PDF
import PDFReading
import Synchronization
import Testing
import TestSupport
import Transfer
import Work

/// Skipped, and said so, where Chromium is not installed.
@Suite(.enabled(if: Browsers.isInstalled, "Chromium is not installed"), .serialized)
struct PrintingTests {
    static let jail = Jail.detect()
    static let browsers = Browsers(jail: jail)

    private func words(_ pdf: [UInt8]) throws -> String {
        let sheets = try Sheets(bytes: pdf)
        return try PageReader(jail: Self.jail).text(of: sheets).map(\.text)
            .joined(separator: "\n")
    }

    @Test func aPageIsPrintedWithItsOwnFilesAndNothingElse() throws {
        let html = """
            <!doctype html><title>Letter</title><link rel=stylesheet href="style.css">
            <p>Dear Ada, <img src="missing.png"><img src="http://192.168.1.1/router.png"></p>
            <iframe src="file:///etc/passwd"></iframe>
            """
        let source = PageSource(
            .file("index.html"),
            files: [
                "index.html": .init(Array(html.utf8), mediaType: "text/html"),
                "style.css": .init(
                    Array("p::after { content: 'and dear Charles' }".utf8), mediaType: "text/css"),
            ])
        let result = try Self.browsers.print(source)
        let text = try words(result.bytes)
        #expect(text.contains("Dear Ada"))
        #expect(text.contains("and dear Charles"))
        #expect(!text.contains("root:"))
        #expect(result.report.title == "Letter")
        #expect(result.report.failed.map(\.address) == ["missing.png"])
        #expect(result.report.blocked.contains { $0.address == "http://192.168.1.1/router.png" })
    }

    @Test func aPageThatDoesNotSayHowItIsWrittenIsReadAsBrowsersDo() throws {
        let pages: [[UInt8]] = [
            Array("<p>la canción está aquí".utf8),
            Array("<p>la canci".utf8) + [0xF3] + Array("n est".utf8) + [0xE1] + Array(" aqu".utf8) + [0xED],
            Array("<meta charset=windows-1251><p>".utf8) + [0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0],
        ]
        let wanted = ["la canción está aquí", "la canción está aquí", "Москва"]
        for (page, wanted) in zip(pages, wanted) {
            let source = PageSource(
                .file("index.html"), files: ["index.html": .init(page, mediaType: "text/html")])
            #expect(try words(Self.browsers.print(source).bytes).contains(wanted))
        }
    }

    @Test func paperMarginsAndRangesAreThoseAskedFor() throws {
        var settings = PrintSettings()
        settings.paperWidth = 8.27
        settings.paperHeight = 11.69
        settings.isLandscape = true
        settings.pageRanges = "2-3"
        let html = (1...5).map { "<h1 style='break-after: page'>Sheet \($0)</h1>" }.joined()
        let result = try Self.browsers.print(PageSource(html: html), settings)
        let file = try PDFFile(bytes: result.bytes)
        #expect(file.pages.count == 2)
        let text = try words(result.bytes)
        #expect(text.contains("Sheet 2") && text.contains("Sheet 3") && !text.contains("Sheet 1"))
        let box = file.numbers(file.dictionary(.reference(file.pages[0]))?["MediaBox"])
        #expect(box.count == 4 && box[2] > box[3])
    }

    @Test func aLongPageCanBeOneSheet() throws {
        var settings = PrintSettings()
        settings.isOnePage = true
        let html = (1...200).map { "<p>Line \($0)</p>" }.joined()
        let file = try PDFFile(bytes: Self.browsers.print(PageSource(html: html), settings).bytes)
        #expect(file.pages.count == 1)
        let box = file.numbers(file.dictionary(.reference(file.pages[0]))?["MediaBox"])
        #expect(box.count == 4 && box[3] > 3000)
    }

    @Test func aPageLongerThanASheetCanBeGoesOnOnTheNextAndSaysSo() throws {
        var settings = PrintSettings()
        settings.isOnePage = true
        let html = "<p>Top</p><div style='height: 25000px'></div><p>Bottom</p>"
        let result = try Self.browsers.print(PageSource(html: html), settings)
        #expect(try PDFFile(bytes: result.bytes).pages.count == 2)
        #expect(try words(result.bytes).contains("Bottom"))
        #expect(result.report.remarks.count == 1)
        #expect(result.report.remarks.first?.contains("200") == true)
    }

    @Test func headingsBecomeAnOutline() throws {
        var settings = PrintSettings()
        settings.outlines = true
        let result = try Self.browsers.print(PageSource(html: "<h1>One</h1><h2>Two</h2>"), settings)
        let file = try PDFFile(bytes: result.bytes)
        #expect(file.dictionary(file.catalog["Outlines"]) != nil)
    }

    @Test func whatScriptsComplainOfIsReported() throws {
        let html = "<script>console.error('bad', 7); throw new Error('worse')</script><p>Still here</p>"
        let result = try Self.browsers.print(PageSource(html: html))
        #expect(result.report.consoleErrors == ["bad 7"])
        #expect(result.report.exceptions.count == 1)
        #expect(result.report.exceptions.first?.contains("worse") == true)
        #expect(throws: BrowserError.self) {
            var load = LoadSettings()
            load.failsOnExceptions = true
            _ = try Self.browsers.print(PageSource(html: html), load: load)
        }
    }

    @Test func scriptsCanBeForbidden() throws {
        var load = LoadSettings()
        load.runsScripts = false
        // The picture far below loads late, and without scripts nothing on the page tells when.
        let html = """
            <p id=a>quiet</p><script>document.getElementById('a').textContent = 'loud'</script>
            <img loading=lazy src=late.svg style='margin-top: 9000px'>
            """
        var source = PageSource(html: html)
        let drawing =
            "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='20'><text y='15'>drawn</text></svg>"
        source.files["late.svg"] = .init(Array(drawing.utf8), mediaType: "image/svg+xml")
        let text = try words(Self.browsers.print(source, load: load).bytes)
        #expect(text.contains("quiet") && text.contains("drawn") && !text.contains("loud"))
    }

    @Test func lateContentsAreWaitedFor() throws {
        let html = """
            <p id=a>early</p>
            <script>setTimeout(() => { document.getElementById('a').outerHTML = '<p id=b>late</p>' }, 600)</script>
            """
        var load = LoadSettings()
        load.selector = "#b"
        #expect(try words(Self.browsers.print(PageSource(html: html), load: load).bytes).contains("late"))
        load.selector = nil
        load.expression = "document.getElementById('b')"
        #expect(try words(Self.browsers.print(PageSource(html: html), load: load).bytes).contains("late"))
    }

    @Test func aPageThatNeverEndsRunsIntoItsTimeLimitAndOthersDoNotNotice() throws {
        var load = LoadSettings()
        try Self.browsers.warm()
        load.time = .seconds(3)
        #expect(throws: BrowserError.timedOut) {
            _ = try Self.browsers.print(PageSource(html: "<script>for (;;) {}</script>"), load: load)
        }
        #expect(try words(Self.browsers.print(PageSource(html: "<p>Next</p>")).bytes).contains("Next"))
    }

    @Test func cancellingEndsAPageThatWouldTakeForHours() throws {
        let cancellation = Cancellation()
        var load = LoadSettings()
        load.delay = .seconds(10 * 3600)
        load.time = .seconds(11 * 3600)
        _ = Thread(name: "canceller") {
            _ = Monitor(false).wait(timeout: .milliseconds(1500)) { $0 ? true : nil }
            cancellation.cancel(reason: "enough")
        }
        #expect(throws: BrowserError.cancelled(reason: "enough")) {
            _ = try Self.browsers.print(
                PageSource(html: "<p>slow</p>"), load: load, cancellation: cancellation)
        }
    }

    @Test func readerViewKeepsWhatThePageIsAbout() throws {
        let paragraph = String(repeating: "The engine weaves algebraic patterns. ", count: 12)
        let html = """
            <title>Engines</title><nav><a href=#>Home of all links</a></nav>
            <article><h2>Weaving</h2><p>\(paragraph)</p><p>\(paragraph)</p></article>
            <aside>Buy our looms</aside><footer>All rights reserved</footer>
            """
        var load = LoadSettings()
        load.isReaderView = true
        let text = try words(Self.browsers.print(PageSource(html: html), load: load).bytes)
        #expect(text.contains("Weaving") && text.contains("algebraic"))
        #expect(!text.contains("Home of all") && !text.contains("looms") && !text.contains("reserved"))
    }

    @Test func picturesOfPagesComeInThreeFormats() throws {
        for (format, start) in [
            (ScreenshotSettings.Format.png, [0x89, 0x50] as [UInt8]), (.jpeg, [0xFF, 0xD8]),
            (.webp, Array("RIFF".utf8)),
        ] {
            var settings = ScreenshotSettings()
            settings.format = format
            let result = try Self.browsers.picture(PageSource(html: "<h1>Hello</h1>"), settings)
            #expect(result.bytes.starts(with: start))
        }
    }

    @Test func aPageHigherThanOnePictureIsPutTogether() throws {
        // A stripe of another colour every thousand pixels; the last one ends the page.
        let stripes = (0..<20).map { number in
            "<div style='height: 1000px; background: rgb(\(number * 7), 100, \(255 - number * 7))'></div>"
        }
        let html = "<style>body { margin: 0 }</style>" + stripes.joined()
        var load = LoadSettings()
        load.windowWidth = 60
        let result = try Self.browsers.picture(PageSource(html: html), load: load)
        #expect(result.report.remarks.isEmpty)
        let (height, wrong) = try Self.stripes(of: result.bytes)
        #expect(height == 20_000)
        #expect(wrong == [])

        var settings = ScreenshotSettings()
        settings.format = .jpeg
        let cut = try Self.browsers.picture(PageSource(html: html), settings, load: load)
        #expect(cut.report.remarks.first?.contains("20000 pixels high") == true)
    }

    /// Its height, and the lines that do not have the colour of their stripe, as MuPDF sees them.
    private static func stripes(of picture: [UInt8]) throws -> (height: Int, wrong: [Int]) {
        try withScratchFolder { folder in
            try write(picture, to: "\(folder)/page.png")
            let said = try python(
                """
                import json, subprocess, sys
                drawn = subprocess.run(["mutool", "draw", "-q", "-r", "96", "-F", "ppm", "-o", "-", sys.argv[1]], capture_output=True).stdout
                kind, size, most, pixels = drawn.split(b"\\n", 3)
                width, height = map(int, size.split())
                rows = [pixels[y * width * 3 + 30:y * width * 3 + 33] for y in range(height)]
                wrong = [y for y, row in enumerate(rows) if tuple(row) != (y // 1000 * 7, 100, 255 - y // 1000 * 7)]
                print(json.dumps([height] + wrong[:5]))
                """, ["\(folder)/page.png"])
            let numbers = try JSON(parsing: Array(said.utf8)).array?.compactMap(\.int) ?? []
            return (numbers.first ?? 0, Array(numbers.dropFirst()))
        }
    }

    @Test func pagesReachNobodyOverConnectionsThatStay() throws {
        let ear = try Ear()
        let addresses = ["ws://127.0.0.1:\(ear.port)/page", "ws://localhost:\(ear.port)/worker"]
        let html = """
            <script>
                const said = []
                const tell = who => {
                    said.push(who)
                    if (said.length === 2) document.body.insertAdjacentHTML('beforeend', '<p id=refused>refused</p>')
                }
                addEventListener('load', () => {
                    new WebSocket('\(addresses[0])').onclose = () => tell('page')
                    const work = `new WebSocket('\(addresses[1])').onclose = () => postMessage('closed')`
                    const worker = new Worker(URL.createObjectURL(new Blob([work])))
                    worker.onmessage = () => tell('worker')
                })
            </script><p>A page</p>
            """
        var load = LoadSettings()
        load.selector = "#refused"
        var source = PageSource(html: html)
        // Not even where whoever asks may fetch from this machine.
        source.web = WebAccess(guardian: .anywhere)
        let result = try Self.browsers.print(source, load: load)
        #expect(!ear.hasHeardAnybody)
        #expect(Set(result.report.blocked.map(\.address)) == Set(addresses))
        #expect(result.report.blocked.allSatisfy { $0.reason.contains("stay") })
    }

    @Test func aPageWhosePictureNeverComesIsPrintedAsItIsAndOneThatNeverAnswersEndsInItsTime() throws {
        // Takes everybody in and says nothing.
        let ear = try Ear()
        let picture = "http://127.0.0.1:\(ear.port)/picture.png"
        var source = PageSource(html: "<p>Dear Ada</p><img src='\(picture)'>")
        source.web = WebAccess(guardian: .anywhere)
        var load = LoadSettings()
        load.time = .seconds(8)
        load.takesUnfinished = true
        let result = try Self.browsers.print(source, load: load)
        #expect(try words(result.bytes).contains("Dear Ada"))
        #expect(result.report.failed.map(\.address) == [picture])
        #expect(result.report.failed.map(\.reason) == ["it did not come in time"])
        #expect(result.report.remarks.contains { $0.hasPrefix("Not everything on the page came in time.") })

        load.time = .seconds(3)
        let silent = PageSource(.address("http://127.0.0.1:\(ear.port)/"), web: source.web)
        #expect(throws: BrowserError.timedOut) { _ = try Self.browsers.print(silent, load: load) }
    }

    @Test func whatAnOverloadedServerRefusesIsAskedForOnceMore() throws {
        let asked = Mutex(0)
        let route = Route(.get, "/news") { _ in
            let turn = asked.withLock { count in
                count += 1
                return count
            }
            return turn.isMultiple(of: 2)
                ? Response(headers: ["Content-Type": "text/html"], body: .bytes(Array("<p>News".utf8)))
                : Response(.unavailable)
        }
        let workers = Workers(name: "news", threads: 2)
        let server = Server(ServerSettings(), router: Router([route]), workers: workers, log: .silent)
        let port = try server.start()
        defer {
            server.stop(grace: .seconds(2))
            workers.stop()
        }
        var source = PageSource(
            .address("http://127.0.0.1:\(port)/news"), web: WebAccess(guardian: .anywhere))
        #expect(try words(Self.browsers.print(source).bytes).contains("News"))
        #expect(asked.withLock { $0 } == 2)
        source.web?.asksAgain = false
        #expect(throws: BrowserError.answered(status: 503, address: "http://127.0.0.1:\(port)/news")) {
            _ = try Self.browsers.print(source)
        }
        #expect(asked.withLock { $0 } == 3)
    }

    /// A browser of its own, however soon it is replaced.
    private func withBrowsers(
        _ change: (inout Browsers.Settings) -> Void, _ body: (Browsers, String) throws -> Void
    ) throws {
        signal(SIGPIPE, SIG_IGN)
        try withScratchFolder { folder throws -> Void in
            // Jailed programs run as other users, who have to get in here.
            chmod(folder, 0o1777)
            var settings = Browsers.Settings()
            change(&settings)
            let browsers = Browsers(jail: Jail.detect(folder: folder), settings: settings)
            defer { browsers.stop() }
            try body(browsers, folder)
        }
    }

    @Test func theBrowserIsReplacedAfterSoManyPages() throws {
        try withBrowsers {
            $0.pagesBeforeRestart = 2
        } _: { browsers, _ throws -> Void in
            for number in 0..<5 {
                let made = try browsers.print(PageSource(html: "<p>Page \(number)</p>"))
                #expect(try words(made.bytes).contains("Page \(number)"))
            }
            browsers.stop()
            #expect(browsers.status.restarts == 2)
        }
    }

    @Test func theBrowserIsReplacedWhenItGrewTooLarge() throws {
        try withBrowsers {
            $0.memoryByteCount = 1 << 20
        } _: { browsers, _ throws -> Void in
            // How large it is is looked at after every tenth.
            for _ in 0..<11 { _ = try browsers.print(PageSource(html: "<p>Page</p>")) }
            browsers.stop()
            #expect(browsers.status.restarts == 1)
        }
    }

    @Test func severalPagesArePrintedSideBySideAndNoMoreThanItMay() throws {
        try withBrowsers {
            $0.pagesAtOnce = 3
        } _: { browsers, _ throws -> Void in
            let most = Mutex(0)
            let isDone = Mutex(false)
            let watcher = Thread(name: "watcher") {
                while !isDone.withLock({ $0 }) {
                    let working = browsers.status.working
                    most.withLock { $0 = max($0, working) }
                    usleep(2000)
                }
            }
            var load = LoadSettings()
            load.delay = .milliseconds(300)
            let hands = Workers(name: "hands", threads: 5)
            let settings = load
            let made = try hands.map(Array(0..<7)) { number in
                try browsers.print(PageSource(html: "<p>Page \(number)</p>"), load: settings).bytes
            }
            hands.stop()
            isDone.withLock { $0 = true }
            watcher.join()
            #expect(most.withLock { $0 } == 3)
            for (number, pdf) in made.enumerated() { #expect(try words(pdf).contains("Page \(number)")) }
        }
    }

    @Test func theBrowserIsSpokenToThroughPipesAndListensNowhere() throws {
        try withBrowsers { _ in
        } _: { browsers, folder throws -> Void in
            try browsers.warm()
            let all = Inmates.of(folder)
            #expect(all.contains { Inmates.name($0).contains("--remote-debugging-pipe") })
            #expect(!all.contains { Inmates.name($0).contains("--remote-debugging-port") })
            // Behind a wall of its own even what listens would be heard by nobody; where there is none, nothing may.
            for process in all where Inmates.network(of: process) != Inmates.network(of: getpid()) {
                let lines = try String(decoding: contents(of: "/proc/\(process)/net/tcp"), as: UTF8.self)
                // The fourth word of a line is the state; 0A is one that listens (proc(5), /proc/net/tcp).
                let listening = lines.split(separator: "\n").dropFirst()
                    .filter { $0.split(separator: " ").dropFirst(3).first == "0A" }
                #expect(listening.isEmpty)
            }
        }
    }
}

/// Listens on this machine, and knows whether anybody came.
private final class Ear {
    private let socket: Int32
    let port: Int

    init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = self.socket
        let bound = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && listen(socket, 8) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: place.sin_port))
        try #require(bound)
    }

    deinit { close(socket) }

    var hasHeardAnybody: Bool { accept(socket, nil, nil) >= 0 }
}
