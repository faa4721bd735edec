import App
import Bytes
import Crypto
import HTTP
import SQL
import Storage
import Synchronization
import Work

extension Site {
    /// For those who watch the desk from outside and are no members. Nobody's names and paths are told to strangers.
    static func watching(_ reference: SiteReference) -> [Route] {
        [
            Route(.get, "/health") { _ in reference.site.health },
            Route(.get, "/health/ready") { _ in reference.site.ready },
            Route(.get, "/metrics") { request in try reference.site.metrics(for: request) },
        ]
    }

    /// Whether the desk is alive: one whose database does not answer can do nothing.
    private var health: Response {
        do {
            _ = try quire.store.read { desk in try desk.row("SELECT 1 AS one") }
            var view = JSONObject([("status", "ok")])
            let troubles = quire.store.troubles.all
            if !troubles.isEmpty { view["troubles"] = .array(troubles.map { .string($0.name) }) }
            return .json(.object(view)).with("Cache-Control", "no-store")
        } catch {
            return .json(
                ["status": "unavailable", "reason": "The database does not answer."], .unavailable
            ).with("Cache-Control", "no-store").with("Retry-After", "5")
        }
    }

    /// Whether it can take work and keep it.
    private var ready: Response {
        let findings = quire.readiness()
        let isReady = !findings.contains { $0.state == .bad }
        var checks = JSONObject()
        for finding in findings { checks[finding.name] = .string(finding.state.rawValue) }
        let answer = Response.json(
            ["status": isReady ? "ready" : "unavailable", "checks": .object(checks)],
            isReady ? .ok : .unavailable
        ).with("Cache-Control", "no-store")
        return isReady ? answer : answer.with("Retry-After", "10")
    }

    /// In the text format of Prometheus. Its token stands in the configuration and not among those of members, as it has
    /// to hold while the database does not answer.
    private func metrics(for request: Request) throws -> Response {
        guard let wanted = settings.metricsToken,
            let shown = request.headers["Authorization"].flatMap(Authorization.token),
            constantTimeEquals(SHA256.hash(shown), SHA256.hash(wanted))
        else {
            throw Refusal(
                .unauthorized, "Show the token that metrics-token names in the configuration of this desk.",
                headers: ["WWW-Authenticate": "Bearer realm=\"metrics\""])
        }
        let answers = Measure(
            "quire_http_answers_total", "Answers given, by the first digit of their status", isCounter: true,
            answers.list.map { .init(labels: [("status", "\($0.0)xx")], value: Double($0.1)) })
        let text = (quire.measures() + [answers]).map(\.lines).joined()
        return .text(text, MediaType("text/plain; version=0.0.4; charset=utf-8") ?? .plain)
            .with("Cache-Control", "no-store")
    }
}

/// How many answers of which kind were given since the start.
final class AnswerCounts: Sendable {
    private let counts = Mutex([0, 0, 0, 0, 0, 0])

    func add(_ status: Status) {
        let kind = Int(status.code) / 100
        counts.withLock { if $0.indices.contains(kind) { $0[kind] += 1 } }
    }

    /// `(2, 17)`: seventeen of those that went well.
    var list: [(Int, Int)] { counts.withLock { $0 }.enumerated().dropFirst().map { ($0, $1) } }
}

extension Measure {
    fileprivate var lines: String {
        var text = "# HELP \(name) \(meaning)\n# TYPE \(name) \(isCounter ? "counter" : "gauge")\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
            text += name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}")
            // Whole numbers as such: a byte count must not be rounded.
            let isWhole = sample.value.rounded() == sample.value && abs(sample.value) < 1e15
            text += " " + (isWhole ? String(Int64(sample.value)) : String(sample.value)) + "\n"
        }
        return text
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { text, letter in
            switch letter {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.append(letter)
            }
        }
    }
}
