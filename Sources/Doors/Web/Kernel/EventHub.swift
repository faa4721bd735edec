import Access
import App
import Bytes
import Delivery
import Glibc
import HTTP
import Jobs
import Library
import Storage
import Synchronization
import Work

/// Tells everybody who listens what has changed: jobs and documents, by id, and that anything was done at all; the pages then
/// ask for what they show.
final class EventHub: Sendable {
    private struct Listener {
        let stream: EventStream
        let caller: Caller
        let since: Moment
    }

    private struct State {
        var listeners: [ObjectIdentifier: Listener] = [:]
        var subscriptions: [Subscription] = []
        var isClosed = false
        /// What acts were about that nobody was told of yet.
        var untold: Set<String> = []
    }

    /// Listeners have to come again, and show who they are, at least so often.
    private static let life = Duration.seconds(900)
    private static let limitPerCaller = 32

    /// A thousand acts of a moment are told at once.
    private static let pause = Duration.milliseconds(150)

    private let quire: Quire
    private let teller = Workers(name: "events", threads: 1)
    private let state = Mutex(State())

    init(_ quire: Quire) {
        self.quire = quire
    }

    func stream(for caller: Caller) throws -> EventStream {
        let stream = EventStream()
        let key = ObjectIdentifier(stream)
        let listener = Listener(stream: stream, caller: caller, since: quire.store.clock.now())
        try state.withLock { state in
            guard !state.isClosed else { throw Failure(.unavailable, "The desk is closing.") }
            guard
                state.listeners.values.count(where: { $0.caller.actor == caller.actor }) < Self.limitPerCaller
            else {
                throw Failure(
                    .tooMany, "You have this desk open very often. Close some of its windows.",
                    retryAfter: .seconds(30))
            }
            state.listeners[key] = listener
            if state.subscriptions.isEmpty { state.subscriptions = subscribe() }
        }
        stream.onClose { [weak self] in self?.state.withLock { $0.listeners[key] = nil } }
        stream.retry(afterMilliseconds: 2_000)
        return stream
    }

    func close() {
        let (streams, subscriptions) = state.withLock { state in
            defer {
                state.subscriptions = []
                state.isClosed = true
            }
            return (state.listeners.values.map(\.stream), state.subscriptions)
        }
        for subscription in subscriptions { subscription.cancel() }
        teller.stop()
        for stream in streams { stream.close() }
    }

    private func subscribe() -> [Subscription] {
        [
            quire.store.acts.subscribe { [weak self] subjects in self?.note(subjects) },
            quire.queue.changes.subscribe { [weak self] change in
                self?.send(
                    "job", ["id": .string(change.id.text), "state": .string(change.state.rawValue)],
                    about: { hub in try hub.subjects(ofJob: change.id) })
            },
            quire.outbox.changes.subscribe { [weak self] change in
                let batch = change.subject.hasPrefix("batch/") ? String(change.subject.dropFirst(6)) : nil
                self?.send(
                    "sending",
                    [
                        "mailing": .string(change.mailing.text), "batch": .optional(batch),
                        "state": .string(change.state.rawValue),
                    ], about: { _ in [change.subject] })
            },
            quire.documents.changes.subscribe { [weak self] change in
                self?.send(
                    "document",
                    ["id": .string(change.document.id.text), "act": .string(change.act.rawValue)],
                    // One that is gone for good is known by where it lay.
                    about: { _ in
                        ["document/\(change.document.id)"]
                            + (change.document.folder.map { ["folder/\($0)"] } ?? [])
                    })
            },
        ]
    }

    private func note(_ subjects: [String]) {
        let begins = state.withLock { state in
            defer { state.untold.formUnion(subjects) }
            return !state.isClosed && !state.listeners.isEmpty && state.untold.isEmpty
        }
        if begins { teller.submit { [weak self] in self?.tellOfActs() } }
    }

    /// That something was done, and no word of what: who may see it finds it on the page.
    private func tellOfActs() {
        usleep(UInt32(Self.pause.wholeMilliseconds * 1000))
        let subjects = state.withLock { state in
            defer { state.untold = [] }
            return state.untold
        }
        send("act", [:], isHidden: { self.areAllHidden(subjects) })
    }

    /// - Parameter about: what it is about, as the journal names it; asked only while somebody may not see all.
    private func send(_ event: String, _ data: JSON, about: (EventHub) throws -> [String]) {
        send(event, data, isHidden: { isHidden { try about(self) } })
    }

    private func send(_ event: String, _ data: JSON, isHidden: () -> Bool) {
        let now = quire.store.clock.now()
        let listeners = state.withLock { Array($0.listeners.values) }
        guard !listeners.isEmpty else { return }
        // Whoever signed out, locked the desk or lost their token meanwhile hears nothing more.
        let standing = (try? quire.access.standing(listeners.map(\.caller))) ?? []
        let isHidden = isHidden()
        for (place, listener) in listeners.enumerated() {
            guard standing.contains(place) else {
                listener.stream.close()
                continue
            }
            if !isHidden || seesPrivate(listener.caller) {
                listener.stream.send(event: event, data: data.text)
            }
            if now - listener.since > Self.life { listener.stream.close() }
        }
    }

    /// Whether it is about what lies in private folders. What cannot be found out is told to nobody for whom they are closed.
    private func isHidden(_ subjects: () throws -> [String]) -> Bool {
        do {
            guard try quire.documents.hasPrivateFolders() else { return false }
            return try !quire.hidden(among: subjects(), from: .local.withoutPrivate).isEmpty
        } catch {
            return true
        }
    }

    private func areAllHidden(_ subjects: Set<String>) -> Bool {
        do {
            guard try quire.documents.hasPrivateFolders() else { return false }
            return try quire.hidden(among: Array(subjects), from: .local.withoutPrivate).isSuperset(
                of: subjects)
        } catch {
            return true
        }
    }

    private func seesPrivate(_ caller: Caller) -> Bool {
        guard case .session(let id) = caller.via else { return caller.seesPrivate }
        return quire.access.privateOpenings.end(for: id) != nil
    }

    private func subjects(ofJob id: ID<Job>) throws -> [String] {
        try quire.queue.get(id).map(Quire.subjects) ?? []
    }
}
