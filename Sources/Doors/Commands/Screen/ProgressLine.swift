import Synchronization
import Work

/// Shows how far some work is: a bar that moves on a terminal; in a pipe a line per tenth, if it takes a while.
final class ProgressLine: Sendable {
    private struct State {
        var lastDrawn: ContinuousClock.Instant?
        var lastTenth = -1
        var lastPhase = ""
        var isDrawn = false
    }

    private let title: String
    private let terminal: Terminal
    private let isQuiet: Bool
    private let unit: Unit
    /// How long work may take before a pipe hears of it.
    private let patience: Duration
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    enum Unit: Sendable { case things, bytes }

    init(
        _ title: String, unit: Unit = .things, terminal: Terminal, isQuiet: Bool,
        patience: Duration = .seconds(1)
    ) {
        self.title = title
        self.unit = unit
        self.terminal = terminal
        self.isQuiet = isQuiet
        self.patience = patience
    }

    func show(_ now: Progress.Snapshot) {
        guard !isQuiet else { return }
        let text = state.withLock { state in
            terminal.isErrorTerminal ? bar(now, &state) : line(now, &state)
        }
        if let text { terminal.writeError(text) }
    }

    /// Takes the bar away.
    func clear() {
        let wasDrawn = state.withLock { state in
            defer { state.isDrawn = false }
            return state.isDrawn
        }
        if wasDrawn { terminal.writeError("\r\u{1B}[K") }
    }

    private func bar(_ now: Progress.Snapshot, _ state: inout State) -> String? {
        let instant = ContinuousClock.now
        if let last = state.lastDrawn, instant - last < .milliseconds(100), now.phase == state.lastPhase {
            return nil
        }
        state.lastDrawn = instant
        state.lastPhase = now.phase
        state.isDrawn = true
        var text = "\r\u{1B}[K\(title) "
        if let fraction = now.fraction {
            let cells = 24
            let full = Int(fraction * Double(cells))
            text += String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
            text += " \(Int(fraction * 100)) %"
        }
        let words = " \(count(now)) \(now.phase)"
        return text + String(words.prefix(max(0, terminal.width - title.count - 34)))
    }

    private func line(_ now: Progress.Snapshot, _ state: inout State) -> String? {
        let tenth = now.fraction.map { Int($0 * 10) } ?? -1
        let isNews = tenth > state.lastTenth || now.phase != state.lastPhase && !now.phase.isEmpty
        guard isNews, tenth >= 0 || !now.phase.isEmpty, ContinuousClock.now - start >= patience else {
            return nil
        }
        state.lastTenth = tenth
        state.lastPhase = now.phase
        let percent = tenth >= 0 ? " \(tenth * 10) %" : ""
        return "\(title)\(percent)\(now.phase.isEmpty ? "" : " – \(now.phase)")\n"
    }

    private func count(_ now: Progress.Snapshot) -> String {
        let write: (Int64) -> String = { [unit] in unit == .bytes ? Words.size($0) : String($0) }
        return now.total.map { "\(write(now.done)) of \(write($0))" } ?? write(now.done)
    }
}
