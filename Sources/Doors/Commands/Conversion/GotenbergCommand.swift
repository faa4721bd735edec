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
            Option("warm", nil, "begin the engines now, not with the first conversion"),
        ],
        examples: [
            Example("quire gotenberg", "on this machine, port 3000"),
            Example("quire gotenberg --host 0.0.0.0 --user office --warm", "for a network, with a password"),
        ],
        run: { call in
            var settings = GotenbergSettings()
            settings.version = "Quire " + Version.number
            settings.rootPath = call.value("root-path") ?? "/"
            settings.runsScripts = !call.has("no-scripts")
            settings.allowed = call.options["allow"] ?? []
            settings.waitsForWebhooks = call.has("webhook-sync")
            settings.denied = call.options["deny"] ?? []
            if call.has("allow-private") { settings.guardian = .anywhere }
            if let text = call.value("time") {
                guard let seconds = Int64(text), (1...3600).contains(seconds) else {
                    throw UsageError(
                        message: "--time takes seconds from 1 to 3600, not “\(text)”", hint: "For example 60."
                    )
                }
                settings.time = .seconds(seconds)
            }
            if let user = call.value("user") {
                guard let password = call.environment["QUIRE_GOTENBERG_PASSWORD"], !password.isEmpty else {
                    throw UsageError(
                        message: "--user needs a password", hint: "Put it into QUIRE_GOTENBERG_PASSWORD.")
                }
                settings.user = user
                settings.password = password
            }
            var listening = ServerSettings()
            listening.host = call.value("host") ?? "127.0.0.1"
            listening.port = 3000
            if let text = call.value("port") {
                guard let port = Int(text), (0...65_535).contains(port) else {
                    throw UsageError(
                        message: "--port takes a number up to 65535, not “\(text)”", hint: "For example 3000."
                    )
                }
                listening.port = port
            }
            let engines = Engines(jail: Jail.detect())
            let log = Log.standardError()
            let site = GotenbergSite(settings, engines: engines, log: log)
            // Most of their time they wait for an engine.
            let workers = Workers(name: "gotenberg", threads: 24)
            let server = Server(listening, router: site.router, workers: workers, log: log)
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
            if call.has("warm") { engines.warm() }
            call.answer(["address": .string("http://\(listening.host):\(port)"), "port": .int(port)]) {
                "Gotenberg's routes are answered at http://\(listening.host):\(port)\n"
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
}
