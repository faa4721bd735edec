import Glibc

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

    static func standard(_ environment: [String: String]) -> Terminal {
        let isOutput = isatty(1) == 1
        let isError = isatty(2) == 1
        let wantsColor = environment["NO_COLOR"].map(\.isEmpty) ?? true && environment["TERM"] != "dumb"
        let width = isOutput ? Self.columns(1) : isError ? Self.columns(2) : 80
        return Terminal(
            write: { Self.put($0, 1) },
            writeError: { Self.put($0, 2) },
            ask: { question, isSecret in Self.ask(question, isSecret: isSecret) },
            isOutputTerminal: isOutput, isErrorTerminal: isError, isInputTerminal: isatty(0) == 1,
            width: width,
            outputStyle: Style(isOn: isOutput && wantsColor, width: isOutput ? width : nil),
            errorStyle: Style(isOn: isError && wantsColor, width: isError ? width : nil))
    }

    private static func put(_ text: String, _ file: Int32) {
        var left = Array(text.utf8)[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                // Somebody piped us into `head` and has seen enough.
                if errno == EPIPE, file == 1 { _exit(ExitCode.nobodyReads.rawValue) }
                return
            }
            left = left.dropFirst(count)
        }
    }

    private static func columns(_ file: Int32) -> Int {
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 40 else { return 80 }
        return min(Int(size.ws_col), 120)
    }

    private static func ask(_ question: String, isSecret: Bool) -> String? {
        if isatty(0) == 1 { put(question, 2) }
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
                put("\n", 2)
            }
        }
        return readLine(strippingNewline: true)
    }
}
