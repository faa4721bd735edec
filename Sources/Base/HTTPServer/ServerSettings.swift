/// How the server listens, and what it puts up with.
public struct ServerSettings: Sendable {
    /// Certificate chain and key, both as PEM text.
    public struct TLS: Sendable {
        public var certificate: String
        public var key: String

        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// An address or a name that stands for one of this machine's addresses.
    public var host = "127.0.0.1"
    /// 0 lets the system choose.
    public var port = 0
    /// Threads that read and write; handlers do not run on them, except quick ones.
    public var threads = 2
    public var tls: TLS?
    /// Where uploads wait until they are dealt with.
    public var spoolDirectory = "/tmp"

    public var connectionLimit = 20_000
    /// 0 sets no limit: behind a proxy all connections come from one address.
    public var connectionLimitPerAddress = 0
    /// For one connection: the head of a request must fit into it, and it is all a connection holds on to.
    public var connectionMemory = 24_576
    /// How long a connection may say nothing between two requests, or stall inside one.
    public var idleTimeout = Duration.seconds(60)
    /// How long the head of a request may take, however busily its sender dribbles.
    public var headTimeout = Duration.seconds(20)
    /// A body that comes more slowly than this, after a first grace of `headTimeout`, is given up.
    public var bodyBytesPerSecond: Int64 = 1_024
    /// How much may be written ahead of a listener who reads a streamed answer slowly.
    public var streamBuffer = 262_144
    /// How long a streamed answer waits for its reader before it gives up the worker it runs on.
    public var streamTimeout = Duration.seconds(60)
    public var heartbeat = Duration.seconds(15)
    /// More requests than this waiting for a worker are answered 503 at once.
    public var backlogLimit = 2_000
    /// One line per request in the log. It names the route, not the address: addresses hold people's search words
    /// and the secrets of share links.
    public var accessLog = false

    public init() {}
}

/// Why the server could not start.
public struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Reason: Sendable, Equatable {
        case addressInUse
        case addressNotOurs
        case notAllowed
        case badCertificate
        case other
    }

    public var reason: Reason
    /// A sentence for the person who tried.
    public var description: String

    public init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}
