import CCurl
import Synchronization
public import Work

/// Fetches from and sends to the web. Calls block; many threads may share one client, and connections are
/// kept for the next call.
///
///     let client = HTTPClient()
///     let answer = try client.get("https://example.org/list.csv")
///
/// Redirects are followed here, one at a time, and never by curl: each new address passes the guard, loses
/// credentials when it leads to another origin, and may not fall from `https` to `http`.
public final class HTTPClient: Sendable {
    public struct Settings: Sendable {
        public var guardian: AddressGuard
        public var userAgent: String
        public var connectTimeout: Duration = .seconds(15)
        /// How long nothing at all may arrive or leave before the transfer is given up.
        public var idleTimeout: Duration = .seconds(60)
        public var maximumRedirects = 5
        /// A file of certificates to trust instead of the system's.
        public var certificateAuthorities: String?
        /// Who we are, for servers that want to see a certificate.
        public var identity: ClientIdentity?

        public init(guardian: AddressGuard = .publicOnly, userAgent: String = "Quire") {
            self.guardian = guardian
            self.userAgent = userAgent
        }
    }

    public let settings: Settings
    private let handles = Mutex<[Resting]>([])

    public init(_ settings: Settings = Settings()) {
        self.settings = settings
    }

    public convenience init(guardian: AddressGuard) {
        self.init(Settings(guardian: guardian))
    }

    public func get(_ url: String, limit: Int = 8 << 20) throws(TransferError) -> HTTPAnswer {
        try send(HTTPCall("GET", url), into: .memory(limit: limit))
    }

    public func put(
        _ url: String, _ body: Upload, mediaType: String? = nil
    ) throws(TransferError) -> HTTPAnswer {
        try send(HTTPCall("PUT", url, headers: mediaType.map { [("Content-Type", $0)] } ?? [], body: body))
    }

    public func post(_ url: String, _ body: Upload, mediaType: String) throws(TransferError) -> HTTPAnswer {
        try send(HTTPCall("POST", url, headers: [("Content-Type", mediaType)], body: body))
    }

    /// Sends `call` and waits for the whole answer. Any status is an answer; only a transfer that did not
    /// come to its end throws. Of an answer outside 200...299 at most 64 KiB are kept, in memory, whatever
    /// the destination. Progress counts bytes, up and down.
    public func send(
        _ call: HTTPCall, into destination: Destination = .memory(limit: 8 << 20), progress: Progress? = nil
    ) throws(TransferError) -> HTTPAnswer {
        let handle = try take()
        defer { giveBack(handle) }
        var call = call
        var address = try WebAddress(call.url)
        for _ in 0...settings.maximumRedirects {
            let answer = try HTTPExchange(call, to: address, over: handle, settings)
                .perform(into: destination, progress)
            guard call.followsRedirects, let location = answer.redirection else { return answer }
            let next = try address.following(location)
            if address.isSecure && !next.isSecure {
                throw .redirectRefused(to: next.text, why: "it is not encrypted any more")
            }
            call.forward(status: answer.status, sameOrigin: next.sharesOrigin(with: address))
            address = next
        }
        throw .tooManyRedirects(limit: settings.maximumRedirects)
    }

    private func take() throws(TransferError) -> CurlHandle {
        if let resting = handles.withLock({ $0.popLast() }) { return resting.handle }
        return try CurlHandle()
    }

    private func giveBack(_ handle: CurlHandle) {
        let resting = Resting(handle: handle)
        handles.withLock { if $0.count < 8 { $0.append(resting) } }
    }
}

/// A certificate and its key to come with, both as PEM; the certificate with those above it.
public struct ClientIdentity: Sendable {
    let certificate: [UInt8]
    let key: [UInt8]

    public init(certificate: String, key: String) {
        self.certificate = Array(certificate.utf8)
        self.key = Array(key.utf8)
    }
}

/// A handle nobody uses. `@unchecked`: it is in the pool under the pool's lock, or with the one thread that
/// took it out.
private struct Resting: @unchecked Sendable {
    let handle: CurlHandle
}

/// One thing to ask of a web server.
public struct HTTPCall: Sendable {
    public var method: String
    public var url: String
    public var headers: [(name: String, value: String)]
    public var body: Upload
    /// For the whole exchange; nil waits as long as bytes keep moving.
    public var timeout: Duration?
    public var followsRedirects = true

    public init(
        _ method: String, _ url: String, headers: [(String, String)] = [], body: Upload = .none,
        timeout: Duration? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers.map { (name: $0.0, value: $0.1) }
        self.body = body
        self.timeout = timeout
    }

    /// What browsers do, and RFC 9110 §15.4 allows: 303 asks for a page, 301 and 302 turn a POST into a GET,
    /// 307 and 308 repeat the same call.
    mutating func forward(status: Int, sameOrigin: Bool) {
        if (status == 303 && method != "HEAD") || ((status == 301 || status == 302) && method == "POST") {
            method = "GET"
            body = .none
            headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
        }
        if !sameOrigin {
            let secrets = ["authorization", "cookie", "proxy-authorization"]
            headers.removeAll {
                secrets.contains($0.name.lowercased()) || $0.name.lowercased().hasPrefix("x-")
            }
        }
    }
}

/// What a web server said.
public struct HTTPAnswer: Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    public var byteCount: Int64
    /// Where the answer came from in the end.
    public var url: String

    public var isSuccess: Bool { (200...299).contains(status) }

    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var redirection: String? { [301, 302, 303, 307, 308].contains(status) ? header("Location") : nil }
}
