public import Access
import Bytes
public import Crypto
public import Jobs
import SQL
public import Storage
import Synchronization
public import Transfer
import Work

extension JobKind {
    public static let noticePush = JobKind(
        "notice-push", title: "Show notices on devices", maximumAttempts: 8)
}

/// Notices on the screens of those who want them there, also while no page of the desk is open (Web Push, RFC 8030). The service of
/// the browser's maker carries them and can read nothing but where they go.
public final class NoticePush: Sendable {
    /// What a device shows, in the language of whoever reads it.
    public struct Words: Sendable {
        public var title: String
        public var text: String
        /// A page of the desk.
        public var link: String

        public init(title: String, text: String, link: String) {
            self.title = title
            self.text = text
            self.link = link
        }
    }

    public typealias Voice = @Sendable (Notices.Push) throws -> Words

    private let outbox: Outbox
    private let key: @Sendable () throws -> PrivateKey
    /// Whom services may ask about what comes from here; nil for the desk's own address.
    private let contact: @Sendable () -> String?
    private let http: Mutex<HTTPClient>
    private let voice = Mutex<Voice?>(nil)
    private var store: Store { outbox.store }
    private var notices: Notices { outbox.access.notices }

    /// What happens in the same moments is told at once.
    private static let gathering = Duration.seconds(5)
    private static let rest = Duration.seconds(60)
    private static let patience = Duration.seconds(20)

    public init(
        _ outbox: Outbox, http: HTTPClient, key: @escaping @Sendable () throws -> PrivateKey,
        contact: @escaping @Sendable () -> String?
    ) {
        self.outbox = outbox
        self.http = Mutex(http)
        self.key = key
        self.contact = contact
    }

    public func handle(in runner: JobRunner) {
        runner.handle(.noticePush) { [self] _ in try send() }
    }

    /// The languages are at the door.
    public func speak(with voice: @escaping Voice) { self.voice.withLock { $0 = voice } }

    /// By another way than to public addresses alone: for services that stand on this very machine.
    public func reach(through http: HTTPClient) { self.http.withLock { $0 = http } }

    /// By which browsers know this desk again.
    public func publicKey() throws -> [UInt8] { try key().publicKey.point }

    /// Makes sure that a job tells what is to be told, when its time comes.
    public func promise() throws {
        let now = store.clock.now()
        let pushes = try store.read { desk in try notices.pushes(in: desk, now: now) }
        guard let next = pushes.map({ due($0, now) }).min() else { return }
        try store.write { tx in
            _ = try outbox.queue.add(.noticePush, in: tx, unique: "notices", runAt: max(next, tx.now))
        }
    }

    private func due(_ push: Notices.Push, _ now: Moment) -> Moment {
        let first = push.notices.map(\.at).min() ?? now
        let gathered = min(first, now) + Self.gathering
        guard let last = push.device.toldAt, last <= now else { return gathered }
        return max(gathered, last + Self.rest)
    }

    /// Nothing is tried twice in vain: whoever could not be told is told with the next attempt, and the others are not told again.
    private func send() throws {
        // A command has no words for them; the desk says them when it serves.
        guard let voice = voice.withLock({ $0 }) else { return }
        let now = store.clock.now()
        var failure: Failure?
        for push in try store.read({ desk in try notices.pushes(in: desk, now: now) })
        where due(push, now) <= now {
            do {
                try tell(push, voice(push))
            } catch let trouble as Failure {
                failure = trouble
            }
        }
        if let failure { throw failure }
        try promise()
    }

    /// Shows a word on one device at once, to see that it arrives.
    public func tryOut(_ id: ID<PushDevice>, by caller: Caller) throws {
        guard let voice = voice.withLock({ $0 }) else { return }
        let trial = try notices.trial(id, by: caller)
        guard try tell(trial, voice(trial)) else {
            throw Notices.noDevice
        }
    }

    /// False when its browser takes nothing any more.
    @discardableResult
    private func tell(_ push: Notices.Push, _ words: Words) throws -> Bool {
        var call = HTTPCall("POST", push.device.endpoint, timeout: Self.patience)
        call.headers = [
            (name: "Content-Encoding", value: "aes128gcm"),
            (name: "Content-Type", value: "application/octet-stream"), (name: "TTL", value: "86400"),
            (name: "Urgency", value: "normal"), (name: "Authorization", value: try authorization(push)),
        ]
        call.body = .bytes(try content(words, push))
        call.followsRedirects = false
        let answer: HTTPAnswer
        do throws(TransferError) {
            answer = try http.withLock({ $0 }).send(call, into: .memory(limit: 64 << 10))
        } catch {
            throw try failed(push, error.kind)
        }
        switch answer.status {
        case 200...299:
            try store.write { tx in try notices.mark(push, trouble: nil, in: tx) }
            return true
        case 404, 410:
            // The browser took its word back, or is gone.
            try store.write { tx in try notices.forget(push, in: tx) }
            return false
        default: throw try failed(push, "it answered \(answer.status)")
        }
    }

    private func failed(_ push: Notices.Push, _ why: String) throws -> Failure {
        try store.write { tx in try notices.mark(push, trouble: why, in: tx) }
        return Failure(
            .unavailable, "“\(push.device.name)” could not be told: \(why). Quire tries again.")
    }

    private func content(_ words: Words, _ push: Notices.Push) throws -> [UInt8] {
        var text = words.text
        while true {
            let json: JSON = [
                "title": .string(words.title), "text": .string(text), "link": .string(words.link),
            ]
            let bytes = Array(json.text.utf8)
            guard bytes.count > PushContent.mostBytes else {
                return try PushContent.sealed(
                    bytes, for: PublicKey(es256Point: push.point), secret: push.secret,
                    salt: store.chance.bytes(16), own: PrivateKey.make(.es256))
            }
            text = String(text.prefix(text.count / 2))
        }
    }

    /// Says that it comes from the desk the browser knows (RFC 8292).
    private func authorization(_ push: Notices.Push) throws -> String {
        let key = try key()
        let service = push.device.endpoint.split(separator: "/", maxSplits: 2).prefix(2)
            .joined(separator: "//")
        let end = (store.clock.now() + .seconds(12 * 3_600)).milliseconds / 1000
        let claims: JSON = [
            "aud": .string(service), "exp": .int(Int(end)),
            "sub": .string(contact().map { "mailto:\($0)" } ?? push.origin),
        ]
        let head = Base64.urlEncode(Array("{\"typ\":\"JWT\",\"alg\":\"ES256\"}".utf8))
        let signed = "\(head).\(Base64.urlEncode(Array(claims.text.utf8)))"
        let signature = try key.webSignature(of: Array(signed.utf8))
        return
            "vapid t=\(signed).\(Base64.urlEncode(signature)), k=\(Base64.urlEncode(key.publicKey.point))"
    }
}
