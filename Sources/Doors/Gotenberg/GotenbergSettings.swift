public import Browsing
public import Bytes
public import Transfer
import Work

/// How a Quire that answers like Gotenberg is set up. The names are those of its flags.
public struct GotenbergSettings: Sendable {
    /// Whom downloads or webhooks may reach, and how stubbornly.
    public struct Reach: Sendable {
        public var isOff = false
        public var web: WebAccess
        /// After the first.
        public var tries = 4
        public var shortestPause = Duration.seconds(1)
        public var longestPause = Duration.seconds(30)
        public var time = Duration.seconds(30)

        public init(guardian: AddressGuard = .publicOnly) { web = WebAccess(guardian: guardian) }
    }

    /// Groups of routes that can be left out.
    public enum Group: String, Sendable, CaseIterable { case chromium, libreoffice, pdfengines }

    /// In front of every path, with a slash at both ends.
    public var rootPath = "/"
    public var time = Duration.seconds(30)
    public var bodyLimit: Int64 = 2 << 30
    /// The header that names a request, given back with its answer.
    public var traceHeader = "Gotenberg-Trace"
    /// Asked for when both are set.
    public var user: String?
    public var password: String?
    /// Decides, instead of a name and a password, by what stands in `Authorization`.
    public var admits: (@Sendable (String) -> Bool)?
    /// Answers only once the result has been handed to the webhook.
    public var waitsForWebhooks = false
    /// Whom pages may reach.
    public var guardian = AddressGuard.publicOnly
    public var allowed: [String] = []
    public var denied: [String] = []
    public var downloads = Reach()
    public var webhooks = Reach()
    public var errorWebhooks = Reach()
    public var runsScripts = true
    public var left: Set<Group> = []
    /// Nil for no metrics.
    public var metricsPath: String? = "/prometheus/metrics"
    public var metricsNamespace = "gotenberg"
    /// What `/debug` answers; nil for no such route.
    public var debug: JSON?
    public var version = ""

    public init() {}

    /// Pages, downloads and webhooks may all reach the neighbours of this machine.
    public mutating func allowPrivateAddresses() {
        guardian = .anywhere
        downloads.web.guardian = .anywhere
        webhooks.web.guardian = .anywhere
        errorWebhooks.web.guardian = .anywhere
    }

    /// `1s`, `500ms`, `1m30s`, `2.5s`, as in its form fields and flags; nil when it is none.
    public static func duration(_ text: String) -> Duration? {
        let units: [(String, Double)] = [
            ("ms", 1), ("us", 0.001), ("ns", 0.000_001), ("h", 3_600_000), ("m", 60_000), ("s", 1000),
        ]
        var rest = text[...]
        var sum = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            rest = rest.dropFirst(digits.count)
            guard let value = Double(digits), let unit = units.first(where: { rest.hasPrefix($0.0) }) else {
                return nil
            }
            rest = rest.dropFirst(unit.0.count)
            sum += value * unit.1
        }
        guard !text.isEmpty, sum < 1e12 else { return nil }
        return .milliseconds(Int64(sum))
    }

    var prefix: String { rootPath.split(separator: "/").map { "/" + $0 }.joined() }
}

/// What is answered when something cannot be done.
struct GotenbergProblem: Error {
    var status: Int
    var message: String

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }
}
