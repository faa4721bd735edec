import Access
import App
import Glibc
import HTTPServer
import Jobs
import Storage
import Synchronization
import TestSupport
import Testing
import Web
import Work

@testable import Commands

/// What a command wrote, and how it ended.
struct Said {
    var code: ExitCode
    var output: String
    var error: String
}

/// A form to fill, by a path that also holds for programs that begin elsewhere.
let consentForm: String = {
    guard let path = realpath("Examples/02-consent-forms/consent.pdf", nil) else { return "" }
    defer { free(path) }
    return String(cString: path)
}()

func put(_ text: String, _ path: String) throws { try put(Array(text.utf8), path) }

func put(_ bytes: [UInt8], _ path: String) throws {
    let file = try #require(fopen(path, "we"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

/// Runs a command line in this process, as the shell would.
func quire(
    _ words: [String], home: String = "/nonexistent", environment: [String: String] = [:],
    answers: [String] = [], asTerminal: Bool = false, width: Int = 80
) -> Said {
    let paper = Paper(answers: answers)
    let style = Style(isOn: asTerminal)
    let terminal = Terminal(
        write: { text in paper.output.withLock { $0 += text } },
        writeError: { text in paper.error.withLock { $0 += text } },
        ask: { _, _ in paper.answers.withLock { $0.popFirst() } },
        isOutputTerminal: asTerminal, isErrorTerminal: asTerminal, isInputTerminal: asTerminal, width: width,
        outputStyle: style, errorStyle: style)
    var environment = environment
    environment["HOME"] = environment["HOME"] ?? home
    let code = Program(terminal: terminal, environment: environment, folder: home).run(words)
    return Said(code: code, output: paper.output.withLock { $0 }, error: paper.error.withLock { $0 })
}

private final class Paper: Sendable {
    let output = Mutex("")
    let error = Mutex("")
    let answers: Mutex<ArraySlice<String>>

    init(answers: [String]) {
        self.answers = Mutex(answers[...])
    }
}

/// Every test runs twice: on a desk in this process, and on the same desk behind a socket.
enum Way: String, CaseIterable, Sendable { case here, remote }

/// Gives a function that runs commands on a new desk, and a folder to put files in.
func withDesk(
    _ way: Way, locale: String = "",
    _ body: (_ folder: String, _ run: @escaping ([String]) -> Said) throws -> Void
) throws {
    try withScratchFolder { folder in
        let home = folder + "/desk"
        guard way == .remote else {
            return try body(folder) {
                quire($0, home: folder, environment: ["QUIRE_HOME": home, "LANG": locale])
            }
        }
        let desk = try ServedDesk(home: home)
        defer { desk.close() }
        try body(folder) {
            quire(
                $0, home: folder,
                environment: [
                    "QUIRE_SERVER": "http://127.0.0.1:\(desk.port)", "QUIRE_TOKEN": desk.token,
                    "LANG": locale,
                ])
        }
    }
}

/// A desk with an owner and a token, behind a socket.
final class ServedDesk {
    let port: Int
    let token: String
    private let site: Site
    private let server: Server
    private let workers = Workers(name: "web", threads: 2)
    private let desk: Quire

    init(home: String) throws {
        let around = String(home.prefix(through: home.lastIndex(of: "/") ?? home.startIndex))
        let flags = ["home": home, "reachable-folders": around]
        desk = try Quire.open(.load(flags: flags, environment: [:]), log: .silent)
        site = Site(quire: desk)
        var settings = ServerSettings()
        settings.spoolDirectory = desk.store.home.temporary
        server = Server(settings, router: site.router, workers: workers, log: .silent)
        port = try server.start()
        let environment = ["QUIRE_HOME": home]
        _ = quire(
            ["users", "add", "Ana Ruiz", "--sign-in", "ana@example.org"], home: home,
            environment: environment,
            answers: ["correct horse battery"])
        let made = quire(["tokens", "add", "test", "--scope", "admin"], home: home, environment: environment)
        token = String(made.output.dropLast())
    }

    /// As after thousands of requests: the token has to wait for the next one.
    func isAskedTooOften() throws {
        let token = try desk.access.tokens.list(by: .local)[0].id.text
        while (try? desk.access.limits.take(.token, for: token)) != nil {}
    }

    /// As when it is served for good: jobs are done by themselves.
    func whileWorking(_ body: () throws -> Void) throws {
        let isOver = Mutex(false)
        let worker = Thread(name: "jobs") { [desk] in
            while !isOver.withLock({ $0 }) {
                desk.runner.runUntilIdle()
                usleep(20_000)
            }
        }
        defer {
            isOver.withLock { $0 = true }
            worker.join()
        }
        try body()
    }

    func close() {
        site.close()
        server.stop(grace: .seconds(1))
        workers.stop()
        desk.stop()
    }
}
