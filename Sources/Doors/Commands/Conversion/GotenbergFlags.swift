import Browsing
import Bytes
import Conversion
import Gotenberg
import HTTPServer
import Office
import Transfer
import Work

/// Everything `quire gotenberg` is set up with.
struct GotenbergPlan {
    var site = GotenbergSettings()
    var engines = Engines.Settings.ofThisMachine
    var listening = ServerSettings()
    var isWarm = false
    var asksForPassword = false
    /// Of flags that were given and mean nothing here, and why.
    var ignored: [String] = []
    /// What was said, for `/debug`.
    var said: [(flag: String, value: String)] = []
}

/// Gotenberg's own flags, so that whoever started it with them starts Quire with them: `--api-timeout=60s`, or
/// `API_TIMEOUT=60s` in the environment. Those that mean nothing here are named when they are given.
struct GotenbergFlag: Sendable {
    let name: String
    /// May stand alone, and then means true.
    let isSwitch: Bool
    let take: @Sendable (String, inout GotenbergPlan, [String: String]) throws -> Void

    var variable: String { name.uppercased().replacing("-", with: "_") }
    var option: Option {
        var option = Option(name, isSwitch ? nil : "VALUE", "as Gotenberg's", isHidden: true)
        option.takesTruth = isSwitch
        return option
    }

    /// What was typed wins over what stands in the environment.
    static func take(_ call: Invocation, _ plan: inout GotenbergPlan) throws {
        for flag in all {
            let typed = call.options[flag.name].map { $0.last ?? "true" }
            guard let value = typed ?? call.environment[flag.variable], !value.isEmpty else { continue }
            try flag.take(value, &plan, call.environment)
            plan.said.append((flag.name, value))
        }
        guard plan.asksForPassword else { return }
        guard let user = call.environment["GOTENBERG_API_BASIC_AUTH_USERNAME"], !user.isEmpty,
            let password = call.environment["GOTENBERG_API_BASIC_AUTH_PASSWORD"], !password.isEmpty
        else {
            throw UsageError(
                message: "--api-enable-basic-auth needs a name and a password",
                hint: "Put them into GOTENBERG_API_BASIC_AUTH_USERNAME and GOTENBERG_API_BASIC_AUTH_PASSWORD."
            )
        }
        plan.site.user = user
        plan.site.password = password
    }

    static let all: [GotenbergFlag] =
        api + chromium + libreoffice + webhook + prometheus
        + ignored(
            "log-level log-std-level log-format log-std-format log-fields-prefix", "the log is Quire's own")
        + ignored(
            "pdfengines-engines pdfengines-merge-engines pdfengines-split-engines pdfengines-flatten-engines"
                + " pdfengines-convert-engines pdfengines-read-metadata-engines pdfengines-write-metadata-engines"
                + " pdfengines-encrypt-engines pdfengines-embed-engines pdfengines-watermark-engines"
                + " pdfengines-stamp-engines pdfengines-rotate-engines pdfengines-optimize-engines"
                + " pdfengines-read-bookmarks-engines pdfengines-write-bookmarks-engines",
            "Quire works on PDF files itself")
        + [
            leaveOut("pdfengines-disable-routes", .pdfengines),
            value("gotenberg-graceful-shutdown-duration") { _, _, _ in },
        ]
        + switches("gotenberg-hide-banner gotenberg-build-debug-data log-enable-gcp-fields") { _, _ in }

    private static let api: [GotenbergFlag] =
        [
            value("api-port") { text, plan, _ in
                plan.listening.port = try number(text, 0...65_535, "api-port")
            },
            value("api-port-from-env") { text, plan, environment in
                guard let port = environment[text] else { return }
                plan.listening.port = try number(port, 0...65_535, text)
            },
            value("api-bind-ip") { text, plan, _ in plan.listening.host = text },
            value("api-timeout") { text, plan, _ in plan.site.time = try duration(text, "api-timeout") },
            value("api-body-limit") { text, plan, _ in plan.site.bodyLimit = try byteCount(text) },
            value("api-root-path") { text, plan, _ in plan.site.rootPath = text },
            value("api-trace-header") { text, plan, _ in plan.site.traceHeader = try header(text) },
            value("api-correlation-id-header") { text, plan, _ in plan.site.traceHeader = try header(text) },
            toggle("api-enable-basic-auth") { isOn, plan in plan.asksForPassword = isOn },
            toggle("api-disable-download-from") { isOn, plan in plan.site.downloads.isOff = isOn },
            value("api-download-from-allow-list") { text, plan, _ in
                plan.site.downloads.web.allowed = try expressions(text, "api-download-from-allow-list")
            },
            value("api-download-from-deny-list") { text, plan, _ in
                plan.site.downloads.web.denied = try expressions(text, "api-download-from-deny-list")
            },
            toggle("api-download-from-deny-private-ips") { isOn, plan in
                plan.site.downloads.web.guardian = isOn ? .publicOnly : .anywhere
            },
            toggle("api-enable-debug-route") { isOn, plan in plan.site.debug = isOn ? [:] : nil },
            value("api-tls-cert-file") { text, plan, _ in
                plan.listening.tls = .init(
                    certificate: try file(text), key: plan.listening.tls?.key ?? "")
            },
            value("api-tls-key-file") { text, plan, _ in
                plan.listening.tls = .init(
                    certificate: plan.listening.tls?.certificate ?? "", key: try file(text))
            },
        ] + ignored("api-start-timeout", "Quire listens at once")
        + ignored("api-download-from-max-retry", "what cannot be fetched is told at once")
        + switches("api-disable-health-check-logging api-disable-health-route-telemetry") { _, _ in }

    private static let chromium: [GotenbergFlag] =
        [
            value("chromium-restart-after") { text, plan, _ in
                let count = try number(text, 0...1_000_000, "chromium-restart-after")
                plan.engines.browsers.pagesBeforeRestart = count == 0 ? .max : count
            },
            value("chromium-max-queue-size") { text, plan, _ in
                let count = try number(text, 0...1_000_000, "chromium-max-queue-size")
                plan.engines.browsers.longestQueue = count == 0 ? nil : count
            },
            value("chromium-max-concurrency") { text, plan, _ in
                plan.engines.browsers.pagesAtOnce = try number(text, 1...64, "chromium-max-concurrency")
            },
            value("chromium-idle-shutdown-timeout") { text, plan, _ in
                plan.engines.browsers.idleTime = try rest(text, "chromium-idle-shutdown-timeout")
            },
            toggle("chromium-auto-start") { isOn, plan in plan.isWarm = plan.isWarm || isOn },
            value("chromium-allow-list") { text, plan, _ in
                plan.site.allowed = try expressions(text, "chromium-allow-list")
            },
            value("chromium-deny-list") { text, plan, _ in
                plan.site.denied = try expressions(text, "chromium-deny-list")
            },
            toggle("chromium-deny-private-ips") { isOn, plan in
                plan.site.guardian = isOn ? .publicOnly : .anywhere
            },
            toggle("chromium-disable-javascript") { isOn, plan in plan.site.runsScripts = !isOn },
            leaveOut("chromium-disable-routes", .chromium),
        ]
        // Each page has a browser context of its own, so there is nothing left to clear.
        + switches("chromium-clear-cache chromium-clear-cookies") { _, _ in }
        + ignored("chromium-start-timeout", "the browser has a minute to begin")
        + ignored(
            "chromium-host-resolver-rules chromium-proxy-server",
            "Quire itself fetches what pages ask for")
        + ignoredSwitches(
            "chromium-ignore-certificate-errors chromium-allow-insecure-localhost",
            "certificates are always checked")
        + ignoredSwitches("chromium-disable-web-security", "pages keep their rules")
        + ignoredSwitches(
            "chromium-allow-file-access-from-files chromium-incognito",
            "pages see nothing but the files of their request")

    private static let libreoffice: [GotenbergFlag] =
        [
            value("libreoffice-restart-after") { text, plan, _ in
                let count = try number(text, 0...1_000_000, "libreoffice-restart-after")
                plan.engines.offices.papersBeforeRestart = count == 0 ? .max : count
            },
            value("libreoffice-max-queue-size") { text, plan, _ in
                let count = try number(text, 0...1_000_000, "libreoffice-max-queue-size")
                plan.engines.offices.longestQueue = count == 0 ? nil : count
            },
            value("libreoffice-idle-shutdown-timeout") { text, plan, _ in
                plan.engines.offices.idleTime = try rest(text, "libreoffice-idle-shutdown-timeout")
            },
            toggle("libreoffice-auto-start") { isOn, plan in plan.isWarm = plan.isWarm || isOn },
            leaveOut("libreoffice-disable-routes", .libreoffice),
        ] + ignored("libreoffice-start-timeout", "LibreOffice has a minute and a half to begin")
        + ignored("libreoffice-allow-list libreoffice-deny-list", "LibreOffice has no network here")
        + ignoredSwitches("libreoffice-deny-private-ips", "LibreOffice has no network here")

    private static let webhook: [GotenbergFlag] = [
        toggle("webhook-enable-sync-mode") { isOn, plan in plan.site.waitsForWebhooks = isOn },
        toggle("webhook-disable") { isOn, plan in plan.site.webhooks.isOff = isOn },
        value("webhook-allow-list") { text, plan, _ in
            plan.site.webhooks.web.allowed = try expressions(text, "webhook-allow-list")
        },
        value("webhook-deny-list") { text, plan, _ in
            plan.site.webhooks.web.denied = try expressions(text, "webhook-deny-list")
        },
        value("webhook-error-allow-list") { text, plan, _ in
            plan.site.errorWebhooks.web.allowed = try expressions(text, "webhook-error-allow-list")
        },
        value("webhook-error-deny-list") { text, plan, _ in
            plan.site.errorWebhooks.web.denied = try expressions(text, "webhook-error-deny-list")
        },
        toggle("webhook-deny-private-ips") { isOn, plan in
            plan.site.webhooks.web.guardian = isOn ? .publicOnly : .anywhere
            plan.site.errorWebhooks.web.guardian = plan.site.webhooks.web.guardian
        },
        value("webhook-max-retry") { text, plan, _ in
            plan.site.webhooks.tries = try number(text, 0...100, "webhook-max-retry")
        },
        value("webhook-retry-min-wait") { text, plan, _ in
            plan.site.webhooks.shortestPause = try duration(text, "webhook-retry-min-wait")
        },
        value("webhook-retry-max-wait") { text, plan, _ in
            plan.site.webhooks.longestPause = try duration(text, "webhook-retry-max-wait")
        },
        value("webhook-client-timeout") { text, plan, _ in
            plan.site.webhooks.time = try duration(text, "webhook-client-timeout")
        },
    ]

    private static let prometheus: [GotenbergFlag] =
        [
            value("prometheus-namespace") { text, plan, _ in
                guard text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }) else {
                    throw UsageError(
                        message: "“\(text)” is no name for metrics", hint: "For example gotenberg.")
                }
                plan.site.metricsNamespace = text
            },
            value("prometheus-metrics-path") { text, plan, _ in plan.site.metricsPath = text },
            toggle("prometheus-disable-collect") { isOn, plan in if isOn { plan.site.metricsPath = nil } },
        ] + ignored("prometheus-collect-interval", "metrics are counted when they are asked for")
        + switches("prometheus-disable-route-logging prometheus-disable-route-telemetry") { _, _ in }
}

// How the table above is written.
extension GotenbergFlag {
    private static func value(
        _ name: String,
        _ take: @escaping @Sendable (String, inout GotenbergPlan, [String: String]) throws -> Void
    ) -> GotenbergFlag { GotenbergFlag(name: name, isSwitch: false, take: take) }

    private static func toggle(
        _ name: String, _ take: @escaping @Sendable (Bool, inout GotenbergPlan) -> Void
    ) -> GotenbergFlag {
        GotenbergFlag(name: name, isSwitch: true) { text, plan, _ in
            guard let isOn = truth(text) else {
                throw UsageError(message: "--\(name) is true or false, not “\(text)”", hint: "--\(name)=true")
            }
            take(isOn, &plan)
        }
    }

    private static func switches(
        _ names: String, _ take: @escaping @Sendable (Bool, inout GotenbergPlan) -> Void
    ) -> [GotenbergFlag] { names.split(separator: " ").map { toggle(String($0), take) } }

    private static func leaveOut(_ name: String, _ group: GotenbergSettings.Group) -> GotenbergFlag {
        toggle(name) { isOn, plan in if isOn { plan.site.left.insert(group) } }
    }

    private static func ignored(_ names: String, _ why: String) -> [GotenbergFlag] {
        names.split(separator: " ").map { name in
            value(String(name)) { _, plan, _ in plan.ignored.append("--\(name) is not heeded: \(why).") }
        }
    }

    private static func ignoredSwitches(_ names: String, _ why: String) -> [GotenbergFlag] {
        names.split(separator: " ").map { name in
            toggle(String(name)) { isOn, plan in
                if isOn { plan.ignored.append("--\(name) is not heeded: \(why).") }
            }
        }
    }

    static func truth(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "1", "t": true
        case "false", "0", "f": false
        default: nil
        }
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>, _ name: String) throws -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw UsageError(
                message:
                    "--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”",
                hint: "For example --\(name)=\(max(range.lowerBound, min(range.upperBound, 10))).")
        }
        return value
    }

    private static func duration(_ text: String, _ name: String) throws -> Duration {
        guard let value = GotenbergSettings.duration(text), value > .zero else {
            throw UsageError(
                message: "--\(name) takes a duration, not “\(text)”", hint: "For example --\(name)=30s.")
        }
        return value
    }

    /// Nothing, as Gotenberg has it, is for ever.
    private static func rest(_ text: String, _ name: String) throws -> Duration {
        text == "0" || text == "0s" ? Engines.Settings.always : try duration(text, name)
    }

    private static func byteCount(_ text: String) throws -> Int64 {
        guard !text.contains(where: \.isWhitespace), let count = ByteSize.whole(text, ByteSize.short) else {
            throw UsageError(
                message: "--api-body-limit takes a size, not “\(text)”", hint: "For example 100MB.")
        }
        return count
    }

    /// One expression, or several between commas, as Gotenberg takes them.
    private static func expressions(_ text: String, _ name: String) throws -> [String] {
        let list = (try? Regex(text)) == nil ? text.split(separator: ",").map(String.init) : [text]
        for expression in list where (try? Regex(expression)) == nil {
            throw UsageError(
                message: "--\(name) takes a regular expression, not “\(expression)”",
                hint: "For example '^https://example\\.org/'.")
        }
        return list
    }

    private static func header(_ text: String) throws -> String {
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else {
            throw UsageError(
                message: "“\(text)” is no name of a header", hint: "For example Gotenberg-Trace.")
        }
        return text
    }

    private static func file(_ path: String) throws -> String {
        String(decoding: try Files.read(path, atMost: 1 << 20), as: UTF8.self)
    }
}
