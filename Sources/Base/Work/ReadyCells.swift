import Glibc

/// Runs programs in cells whose walls stand before anybody asks for one. Putting them up takes some milliseconds, in most
/// of which the kernel waits; here it is done for the next program while the one before works, and so is clearing away.
/// Each program has a cell of its own, as in `Jail.cell`, and the same limits.
///
/// A program that finds no cell ready, as another was quicker, gets one made there and then.
public final class ReadyCells: Sendable {
    private struct Ready {
        let cell: JailCell
        let child: BegunChild
        /// Where the shell that waits hears what it is to become; closed once it was told.
        var orders: Int32?
        var isReaped = false

        /// Whether it could be told.
        mutating func tell(_ words: [UInt8]) -> Bool {
            guard let orders else { return false }
            defer { Glibc.close(orders) }
            self.orders = nil
            return words.withUnsafeBytes { write(orders, $0.baseAddress, $0.count) } == words.count
        }
    }

    private struct State {
        var ready: Ready?
        var isWanted = false
        var taken = 0
        var over: [Ready] = []
        var isClosing = false
        var thread: Thread?

        mutating func takeReady() -> Ready? {
            defer { ready = nil }
            return ready
        }
    }

    private enum Errand {
        case make
        case clear(Ready)
        case end
    }

    private let maker: Maker
    private let patience: Duration
    private let state = Monitor(State())

    /// A cell that nobody has asked for in so long a time is given up; the next one is ready after the next program.
    public init(
        jail: Jail, limits: Child.Limits = .jailed, outputLimit: Int = 1 << 20,
        folderByteCount: Int64 = 2 << 30, patience: Duration = .seconds(30)
    ) {
        maker = Maker(
            jail: jail, limits: limits, outputLimit: outputLimit, folderByteCount: folderByteCount)
        self.patience = patience
    }

    deinit { close() }

    /// Runs a program in a cell of its own that holds `files`, of which nothing is kept but what it printed. What it
    /// began, and its folder, may be gone a moment after its outcome is known.
    public func run(
        _ program: String, _ arguments: [String] = [], files: [(name: String, bytes: [UInt8])] = [],
        cancellation: Cancellation = Cancellation()
    ) throws -> Child.Outcome {
        guard let found = Child.find(program) else { throw ChildError.programMissing(program) }
        if let orders = Self.orders([found] + arguments), var ready = take() {
            defer { giveBack(ready) }
            for file in files { try ready.cell.put(file.bytes, named: file.name) }
            if ready.tell(orders) {
                let outcome = try ready.child.outcome(cancellation: cancellation)
                ready.isReaped = true
                return ready.cell.seenThrough(outcome)
            }
        }
        return try maker.jail.cell { cell in
            for file in files { try cell.put(file.bytes, named: file.name) }
            return try cell.run(
                found, arguments, output: .captured(limit: maker.outputLimit), limits: maker.limits,
                folderByteCount: maker.folderByteCount, cancellation: cancellation)
        }
    }

    /// Waits for the programs at work, and gives up what is ready. Afterwards every program gets a cell made for it.
    public func close() {
        let thread = state.update { state in
            state.isClosing = true
            defer { state.thread = nil }
            return state.thread
        }
        thread?.join()
    }

    /// The process that waits to be told what to run, for tests.
    package var waiting: Int32? { state.read { $0.ready?.child.process } }

    /// Waits until a cell is ready, for tests.
    package func settle() {
        state.wait(timeout: .seconds(20)) { state in state.ready == nil && state.thread != nil ? nil : () }
    }

    /// One for each line; none when a line would be taken for two, or when they are too long to be told at once.
    private static func orders(_ words: [String]) -> [UInt8]? {
        guard !words.contains(where: { $0.utf8.contains { $0 == UInt8(ascii: "\n") || $0 == 0 } }) else {
            return nil
        }
        let orders = words.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
        return orders.count <= 4096 ? orders : nil
    }

    private func take() -> Ready? {
        let taken = state.update { state -> Ready? in
            guard !state.isClosing else { return nil }
            state.isWanted = true
            if state.thread == nil {
                // Its children die with it, so that nothing of ours outlives us.
                state.thread = Thread(name: "cells", stackByteCount: 256 << 10) {
                    [state = self.state, maker, patience] in Self.attend(state, maker, patience)
                }
            }
            guard let ready = state.takeReady() else { return nil }
            state.taken += 1
            return ready
        }
        guard let taken else { return nil }
        // The machine may have been short of memory meanwhile.
        guard !taken.child.hasEnded else {
            giveBack(taken)
            return nil
        }
        return taken
    }

    private func giveBack(_ ready: Ready) {
        state.update { state in
            state.taken -= 1
            state.over.append(ready)
        }
    }

    private static func attend(_ state: Monitor<State>, _ maker: Maker, _ patience: Duration) {
        while true {
            let rest = state.read { $0.ready == nil } ? nil : patience
            let errand = state.wait(timeout: rest) { state -> Errand? in
                if let over = state.over.popLast() { return .clear(over) }
                if state.isClosing {
                    guard state.taken == 0 else { return nil }
                    return state.takeReady().map { .clear($0) } ?? .end
                }
                guard state.isWanted else { return nil }
                state.isWanted = false
                return state.ready == nil ? .make : nil
            }
            switch errand {
            case .make:
                let made = maker.make()
                state.update { $0.ready = made }
            case .clear(let ready): maker.clear(ready)
            case .end: return
            case nil:
                if let ready = state.update({ $0.takeReady() }) { maker.clear(ready) }
            }
        }
    }

    private struct Maker: Sendable {
        let jail: Jail
        let limits: Child.Limits
        let outputLimit: Int
        let folderByteCount: Int64

        /// Nothing when it cannot be made; whoever needs a cell then is told why.
        func make() -> Ready? {
            LiveChild.ignoresBrokenPipes
            guard let cell = try? jail.makeCell() else { return nil }
            var ends: (Int32, Int32) = (-1, -1)
            do {
                try LiveChild.pipe(&ends)
                defer { Glibc.close(ends.0) }
                let child = try cell.waiting(
                    for: ends.0, outputLimit: outputLimit, limits: limits, folderByteCount: folderByteCount
                )
                return Ready(cell: cell, child: child, orders: ends.1)
            } catch {
                if ends.1 >= 0 { Glibc.close(ends.1) }
                cell.remove()
                return nil
            }
        }

        func clear(_ ready: Ready) {
            if let orders = ready.orders { Glibc.close(orders) }
            if !ready.isReaped { ready.child.stop() }
            Child.awaitEnd(ofGroup: ready.child.process)
            ready.child.close()
            ready.cell.remove()
        }
    }
}
