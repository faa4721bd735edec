import App
import Browsing
import Bytes
import Conversion
import Gotenberg
import HTTPServer
import Office
import Storage
import Transfer
import Work

extension Command {
    static let gotenberg = Command(
        name: "gotenberg", summary: "convert papers over HTTP, under Gotenberg's paths",
        discussion: """
            Programs made for Gotenberg work with this server unchanged: the same routes, form fields, headers and \
            statuses. It has no desk and no members: whoever reaches it may convert, so it listens on this machine alone \
            until --host says otherwise, and asks for a name and a password when --user and QUIRE_GOTENBERG_PASSWORD are \
            set.

            Unlike the original it fetches nothing from private addresses unless --allow-private says so.

            Gotenberg's own flags and environment variables are understood as well, --api-timeout=60s or API_TIMEOUT=60s: \
            those of its server, of Chromium, of LibreOffice, of webhooks, downloads and metrics. What means nothing here \
            is named at the beginning.
            """,
        options: [
            Option("port", "NUMBER", "where it listens; 3000 if not said"),
            Option("host", "ADDRESS", "on which address; 127.0.0.1 if not said"),
            Option("time", "SECONDS", "after which a conversion is given up; 30 if not said"),
            Option("root-path", "PATH", "in front of every path"),
            Option("user", "NAME", "ask for this name and the password in QUIRE_GOTENBERG_PASSWORD"),
            Option("allow-private", nil, "pages, downloads and webhooks may reach private addresses"),
            Option(
                "allow", "EXPRESSION", "pages may fetch only addresses this is found in", isRepeating: true),
            Option("deny", "EXPRESSION", "pages may not fetch addresses this is found in", isRepeating: true),
            Option("no-scripts", nil, "pages without their scripts"),
            Option("webhook-sync", nil, "answer a request with a webhook once the webhook has its result"),
            Option("warm", nil, "begin the engines now, not with the first conversion, and keep them"),
        ] + GotenbergFlag.all.map(\.option),
        examples: [
            Example("quire gotenberg", "on this machine, port 3000"),
            Example("quire gotenberg --host 0.0.0.0 --user office --warm", "for a network, with a password"),
            Example("quire gotenberg --api-port=3001 --chromium-auto-start", "as Gotenberg is started"),
        ],
        run: { call in
            let plan = try plan(call)
            for remark in plan.ignored { call.hint(remark) }
            let engines = Engines(jail: Jail.detect(), settings: plan.engines)
            let log = Log.standardError()
            let site = GotenbergSite(plan.site, engines: engines, log: log)
            // Most of their time they wait for an engine.
            let workers = Workers(name: "gotenberg", threads: 24)
            let server = Server(plan.listening, router: site.router, workers: workers, log: log)
            let port: Int
            do throws(ServerError) { port = try server.start() } catch {
                throw Failure(.conflict, "\(error.description) Choose another with --port.")
            }
            defer {
                server.stop()
                workers.stop()
                site.close()
                engines.stop()
            }
            if plan.isWarm { engines.warm() }
            let scheme = plan.listening.tls == nil ? "http" : "https"
            let host = plan.listening.host
            let address = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
            call.answer(["address": .string(address), "port": .int(port)]) {
                "Gotenberg's routes are answered at \(address)\n"
            }
            for (name, isThere, package) in [
                ("Chromium", Browsers.isInstalled, "chromium"),
                ("LibreOffice", Offices.isInstalled, Offices.package),
            ] where !isThere { call.hint("\(name) is missing: apt install \(package)") }
            let ended = Monitor(false)
            let subscription = call.cancellation.whenCancelled { ended.update { $0 = true } }
            _ = ended.wait { $0 ? true : nil }
            _ = subscription
            call.hint("Finishing what is under way…")
        })

    /// What Gotenberg's flags and variables say; over it what Quire's own options say.
    private static func plan(_ call: Invocation) throws -> GotenbergPlan {
        var plan = GotenbergPlan()
        plan.listening.host = "127.0.0.1"
        plan.listening.port = 3000
        try GotenbergFlag.take(call, &plan)
        plan.site.version = "Quire " + Version.number
        if let path = call.value("root-path") { plan.site.rootPath = path }
        if call.has("no-scripts") { plan.site.runsScripts = false }
        if call.has("webhook-sync") { plan.site.waitsForWebhooks = true }
        plan.site.allowed += call.options["allow"] ?? []
        plan.site.denied += call.options["deny"] ?? []
        if call.has("allow-private") { plan.site.allowPrivateAddresses() }
        if let text = call.value("time") {
            guard let seconds = Int64(text), (1...3600).contains(seconds) else {
                throw UsageError(
                    message: "--time takes seconds from 1 to 3600, not “\(text)”", hint: "For example 60.")
            }
            plan.site.time = .seconds(seconds)
        }
        if let user = call.value("user") {
            guard let password = call.environment["QUIRE_GOTENBERG_PASSWORD"], !password.isEmpty else {
                throw UsageError(
                    message: "--user needs a password", hint: "Put it into QUIRE_GOTENBERG_PASSWORD.")
            }
            plan.site.user = user
            plan.site.password = password
        }
        if let host = call.value("host") { plan.listening.host = host }
        if let text = call.value("port") {
            guard let port = Int(text), (0...65_535).contains(port) else {
                throw UsageError(
                    message: "--port takes a number up to 65535, not “\(text)”", hint: "For example 3000.")
            }
            plan.listening.port = port
        }
        if let tls = plan.listening.tls, tls.certificate.isEmpty || tls.key.isEmpty {
            throw UsageError(
                message: "A certificate and its key belong together",
                hint: "Give both --api-tls-cert-file and --api-tls-key-file.")
        }
        if call.has("warm") { plan.isWarm = true }
        // Whoever wants them warm wants them to stay so.
        if plan.isWarm {
            let said = Set(plan.said.map(\.flag))
            if !said.contains("chromium-idle-shutdown-timeout") {
                plan.engines.browsers.idleTime = Engines.Settings.always
            }
            if !said.contains("libreoffice-idle-shutdown-timeout") {
                plan.engines.offices.idleTime = Engines.Settings.always
            }
        }
        if plan.site.debug != nil {
            plan.site.debug = [
                "version": .string(plan.site.version),
                "flags": .object(JSONObject(plan.said.map { ($0.flag, JSON.string($0.value)) })),
            ]
        }
        return plan
    }
}
