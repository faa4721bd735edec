import Glibc
import Storage
import Synchronization
import Work

/// Where a command writes and reads: a terminal, a pipe, or a test.
struct Terminal: Sendable {
    var write: @Sendable (String) -> Void
    var writeError: @Sendable (String) -> Void
    /// A line typed by a person, nil at the end. What is typed is not shown when asked so.
    var ask: @Sendable (_ question: String, _ isSecret: Bool) -> String?
    var isOutputTerminal: Bool
    var isErrorTerminal: Bool
    var isInputTerminal: Bool
    var width: Int
    var outputStyle: Style
    var errorStyle: Style
    /// What kept the output from being written, as `errno` says it; nil while all of it was.
    var trouble: @Sendable () -> Int32? = { nil }
    /// For what cannot be told a second time: says at once whether it was written. Nil for one that always is.
    var writeOnce: (@Sendable (String) -> Int32?)?

    static func standard(_ environment: [String: String]) -> Terminal {
        let isOutput = isatty(1) == 1
        let isError = isatty(2) == 1
        let wantsColor = environment["NO_COLOR"].map(\.isEmpty) ?? true && environment["TERM"] != "dumb"
        let width = isOutput ? Self.columns(1) : isError ? Self.columns(2) : 80
        let output = Output()
        return Terminal(
            write: { output.write($0) },
            writeError: { _ = Self.put($0, 2) },
            ask: { question, isSecret in Self.ask(question, isSecret: isSecret) },
            isOutputTerminal: isOutput, isErrorTerminal: isError, isInputTerminal: isatty(0) == 1,
            width: width,
            outputStyle: Style(isOn: isOutput && wantsColor, width: isOutput ? width : nil),
            errorStyle: Style(isOn: isError && wantsColor, width: isError ? width : nil),
            trouble: { output.trouble },
            writeOnce: { Self.put($0, 1) })
    }

    /// Remembers what could not be written: half a table must not end as if it were whole.
    private final class Output: Sendable {
        private let state = Mutex<Int32?>(nil)

        var trouble: Int32? { state.withLock { $0 } }

        func write(_ text: String) {
            state.withLock { trouble in
                guard trouble == nil else { return }
                trouble = Terminal.put(text, 1)
                // Somebody piped us into `head` and has seen enough.
                if trouble == EPIPE { _exit(ExitCode.nobodyReads.rawValue) }
            }
        }
    }

    /// Nil when all of it was written.
    private static func put(_ text: String, _ file: Int32) -> Int32? {
        var left = Array(text.utf8)[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            left = left.dropFirst(count)
        }
        return nil
    }

    private static func columns(_ file: Int32) -> Int {
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 40 else { return 80 }
        return min(Int(size.ws_col), 120)
    }

    private static func ask(_ question: String, isSecret: Bool) -> String? {
        if isatty(0) == 1 { _ = put(question, 2) }
        var before = termios()
        let hides = isSecret && tcgetattr(0, &before) == 0
        if hides {
            var hidden = before
            hidden.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(0, TCSAFLUSH, &hidden)
        }
        defer {
            if hides {
                tcsetattr(0, TCSAFLUSH, &before)
                _ = put("\n", 2)
            }
        }
        return readLine(strippingNewline: true)
    }
}

extension Failure {
    /// Why what was to be told was not.
    init(outputTrouble: Int32) {
        self.init(
            outputTrouble == ENOSPC ? .full : .unavailable,
            "The answer could not be written: \(systemMessage(outputTrouble)).")
    }
}
