import Access
import App
import Bytes
import Codes
import Glibc
import Gotenberg
import HTTP
import HTTPServer
import Storage
import Transfer
import Web
import Work

extension Command {
    static let serve = Command(
        name: "serve", summary: "open the desk to your browser, and to your phone",
        discussion: """
            Listens on this machine alone until --lan or --host says otherwise. With --lan the desk is open to the house, \
            encrypted, and vouches for itself: a phone that has been led through http://ADDRESS/trust once shows no warning, \
            and has the live camera and the time without a network. The first time it prints a link that makes you the owner. Where there is a browser, it is opened. Ctrl-C ends it once everything under way is finished, after ten \
            seconds in any case; longer work goes on at the next start.
            """,
        options: Option.configuration + [
            Option("no-open", nil, "open no browser"),
            Option(
                "warm", nil,
                "begin the engines of conversion now, and keep them; otherwise the first paper does"),
            Option(
                "gotenberg", nil,
                "answer programs made for Gotenberg under /forms/ too; they show an access token"),
            Option(
                "same-desk", nil,
                "once: this folder holds the files and keys of the desk in --database, or shares them with its server"
            ),
            Option(
                "begin-anew", nil,
                "once: begin a new desk here, although files of another lie in the folder"),
        ],
        examples: [
            Example("quire serve", "on this machine, port 8484 or the next that is free"),
            Example("quire serve --lan", "to phones and others in the house, encrypted, with a code to scan"),
            Example("quire serve --gotenberg", "with Gotenberg's paths beside the desk's own"),
            Example("quire serve --port 9000 --home /srv/quire", "another port, another desk"),
        ],
        run: { call in
            if call.has("server") { _ = try call.configHere("quire serve") }
            let config = try call.config()
            for remark in config.remarks { call.hint(call.terminal.errorStyle.warning(remark)) }
            guard !(call.has("same-desk") && call.has("begin-anew")) else {
                throw UsageError(
                    message: "--same-desk and --begin-anew exclude each other", hint: "Leave one of them out."
                )
            }
            let joining: Store.Joining =
                call.has("same-desk") ? .sameDesk : call.has("begin-anew") ? .anew : .asMarked
            let unlocked = try call.unlock(config)
            defer { call.lock(unlocked) }
            let quire = try Quire.open(config, role: .server, joining: joining)
            defer { quire.stop(grace: .seconds(4)) }
            try quire.start()
            let desk = try OpenDesk(quire, config, call.environment, gotenberg: call.has("gotenberg"))
            defer { desk.close() }
            let warming = call.has("warm") ? Thread(name: "warm") { quire.warmEngines() } : nil
            defer { warming?.join() }
            try announce(desk, quire, call)
            wait(for: call.cancellation)
            call.hint("Closing the desk…")
            endInAnyCase(after: .seconds(10), quire.log)
        })

    private static func wait(for cancellation: Cancellation) {
        let ended = Monitor(false)
        let subscription = cancellation.whenCancelled { ended.update { $0 = true } }
        _ = ended.wait { $0 ? true : nil }
        _ = subscription
    }

    /// A disk that never answers, or a line that hangs, must not keep the machine from going down. What was acknowledged
    /// is kept, and what was under way goes on at the next start, as after a power cut.
    private static func endInAnyCase(after limit: Duration, _ log: Log) {
        _ = Thread(name: "end", stackByteCount: 64 << 10) {
            _ = Monitor(false).wait(timeout: limit) { $0 ? true : nil }
            log.error(
                "Something did not end in \(limit.components.seconds) seconds. The desk closes without it.")
            _exit(ExitCode.cancelled.rawValue)
        }
    }

    private static func announce(_ desk: OpenDesk, _ quire: Quire, _ call: Invocation) throws {
        let isNew = try quire.access.firstOwner.isMissing()
        let code = isNew && !desk.isLocal ? quire.access.firstOwner.code : nil
        let start = isNew ? "\(desk.address)/welcome" + (code.map { "?code=\($0)" } ?? "") : desk.address
        let view: JSON = [
            "address": .string(desk.address), "port": .int(desk.port), "home": .string(quire.config.home),
            "addresses": .array(desk.addresses.map(JSON.string)), "welcome": .optional(isNew ? start : nil),
            "setUpCode": .optional(code), "fingerprint": .optional(desk.fingerprint),
            "phones": .optional(desk.house?.address), "trust": .optional(desk.house?.trust),
        ]
        call.answer(view) {
            let style = call.terminal.outputStyle
            var text = "Your desk is open at \(style.bold(desk.address))\n"
            for other in desk.addresses where other != desk.address { text += "  also at \(other)\n" }
            if isNew { text += "It has no owner yet. Become it here: \(style.bold(start))\n" }
            if let code { text += "From another device the page asks for this code: \(style.bold(code))\n" }
            if desk.isOwnAuthority { return desk.isLocal ? text : text + lan(desk, style) }
            if let fingerprint = desk.fingerprint {
                text +=
                    "Its certificate vouches for itself; browsers warn once. Fingerprint (SHA-256):\n  \(fingerprint)\n"
            }
            return text
        }
        if let warning = quire.jail.warning { call.hint(call.terminal.errorStyle.warning(warning)) }
        call.hint("Its papers lie in \(quire.config.home). Ctrl-C closes it.")
        if !call.has("no-open"), !call.isJSON, call.terminal.isOutputTerminal {
            Browser.open(start, call.environment)
        }
    }
}

extension Command {
    /// How phones in the house come in.
    private static func lan(_ desk: OpenDesk, _ style: Style) -> String {
        guard let house = desk.house else {
            return
                "This machine has no address in a house or an office (such as 192.168.…), so no phone reaches it there. Connect it to the network, and it is found by itself.\n"
        }
        var text = "\nPhones in your network reach it at \(style.bold(house.address))\n"
        if let code = QRCode(house.address, boosts: true), code.text == house.address {
            text += code.terminal(styled: style.isOn)
        }
        text +=
            "The first time, let a phone trust this desk: open \(style.bold(house.trust)) on it and follow the steps. "
        text += "Then it does not warn, and has the live camera.\n"
        if let fingerprint = desk.fingerprint {
            text += "Compare there the fingerprint of the desk’s authority (SHA-256):\n  \(fingerprint)\n"
        }
        return text
    }
}

extension Invocation {
    /// The desk, if it was encrypted and locked; whoever unlocked it locks it again.
    fileprivate func unlock(_ config: Config) throws -> EncryptedHome? {
        guard let home = try EncryptedHome.at(config.home) else { return nil }
        // After a server that was killed.
        if try !home.isUnlocked { try home.unlock(unlockingSecret(for: home, from: config.unlockWith)) }
        return home
    }

    fileprivate func lock(_ home: EncryptedHome?) {
        guard let home else { return }
        do {
            if try !home.lock() {
                hint(
                    "Other programs still have files of the desk open. Lock it once they ended: \(again("desk lock"))"
                )
            }
        } catch {
            hint("The desk could not be locked: \(error.message)")
        }
    }
}

/// The desk behind a socket.
private final class OpenDesk {
    let port: Int
    let address: String
    let addresses: [String]
    let fingerprint: String?
    /// It vouches for itself, so that phones can trust it.
    let isOwnAuthority: Bool
    /// Where phones in the house find it, and where they learn to trust it; nil where there is no such place.
    let house: (address: String, trust: String)?
    /// Nobody but this machine can reach it.
    let isLocal: Bool
    private let site: Site
    private let gotenberg: GotenbergSite?
    private let server: Server
    private let workers: Workers
    private let renewal: Renewal?

    init(
        _ quire: Quire, _ config: Config, _ environment: [String: String], gotenberg isOpen: Bool
    ) throws {
        let certificate = try quire.certificate()
        var siteSettings = SiteSettings(
            config, assetsFromDisk: environment["QUIRE_ASSETS"].flatMap { $0.isEmpty ? nil : $0 })
        siteSettings.house = certificate?.authority.map {
            HouseDoor(authority: $0, host: Places.house(config))
        }
        site = Site(quire: quire, settings: siteSettings)
        var settings = ServerSettings()
        settings.host = config.host
        settings.port = config.port
        settings.tls = certificate.map { ServerSettings.TLS(certificate: $0.certificate, key: $0.key) }
        settings.spoolDirectory = quire.store.home.temporary
        settings.accessLog = config.logLevel == .debug
        workers = Workers(name: "web", threads: config.workerThreads)
        workers.prepare()
        let converting = isOpen ? Self.gotenberg(quire, config) : nil
        let own = site.router
        let router = converting.map { own.nesting($0.router, under: "forms") } ?? own
        gotenberg = converting
        (server, port) = try Self.listen(
            settings, router, siteSettings.house == nil ? nil : site.plainRouter, workers, quire.log,
            mayMove: !config.isSet(.port))
        fingerprint = certificate?.fingerprint
        isOwnAuthority = siteSettings.house != nil
        renewal = isOwnAuthority ? Renewal(of: server, quire, shown: certificate) : nil
        let places = Places(config, port: port)
        address = places.first
        addresses = places.all
        let port = port
        house =
            places.isLocal
            ? nil
            : siteSettings.house?.host().map { ("https://\($0):\(port)", "http://\($0):\(port)/trust") }
        isLocal = places.isLocal
    }

    func close() {
        renewal?.stop()
        site.close()
        server.stop(grace: .seconds(4))
        workers.stop()
        gotenberg?.close()
    }

    /// Unlike on a port of its own, nobody converts here who cannot show a token of the desk: as `Bearer`, or as the
    /// password of any name, which is what clients without tokens can send.
    private static func gotenberg(_ quire: Quire, _ config: Config) -> GotenbergSite {
        var settings = GotenbergSettings()
        settings.version = "Quire " + Version.number
        settings.bodyLimit = config.uploadLimit
        settings.time = .seconds(120)
        settings.admits = { authorization in
            guard let token = Authorization.token(in: authorization),
                let caller = try? quire.access.tokens.caller(for: token)
            else { return false }
            return caller.may(.edit)
        }
        return GotenbergSite(settings, engines: quire.engines, clock: quire.store.clock, log: quire.log)
    }

    /// The usual port may be taken; one that somebody asked for is the one they get.
    private static func listen(
        _ settings: ServerSettings, _ router: Router, _ plainly: Router?, _ workers: Workers, _ log: Log,
        mayMove: Bool
    ) throws -> (Server, Int) {
        var settings = settings
        for attempt in 0...20 {
            let server = Server(
                settings, router: router, plainRouter: plainly, workers: workers, log: log)
            do throws(ServerError) {
                return (server, try server.start())
            } catch {
                guard error.reason == .addressInUse, mayMove, attempt < 20 else { throw failure(error) }
                settings.port += 1
            }
        }
        throw Failure(.unavailable, "No port from 8484 on is free. Choose one with --port.")
    }

    private static func failure(_ error: ServerError) -> Failure {
        switch error.reason {
        case .addressInUse:
            Failure(
                .conflict, "\(error.description) Choose another with --port, or end what uses it.",
                field: "port")
        case .addressNotOurs: Failure(.invalid, error.description, field: "host")
        case .notAllowed:
            Failure(
                .denied, "\(error.description) Ports below 1024 need root; choose a higher one.",
                field: "port")
        case .badCertificate: Failure(.invalid, error.description, field: "tls-certificate")
        case .other: Failure(.unavailable, error.description)
        }
    }
}

/// Shows another certificate where the machine has come into another network, or before the one that is shown runs out.
private final class Renewal: Sendable {
    private let isOver = Monitor(false)
    private let thread: Thread

    init(of server: Server, _ quire: Quire, shown first: ServerCertificate?) {
        thread = Thread(name: "certificate") { [isOver] in
            var shown = first?.certificate
            while isOver.wait(timeout: .seconds(20), { $0 ? true : nil }) == nil {
                do {
                    guard let next = try quire.certificate(), next.certificate != shown else { continue }
                    try server.renew(ServerSettings.TLS(certificate: next.certificate, key: next.key))
                    shown = next.certificate
                    quire.log.info("The addresses of this machine, or the time, ask for another certificate.")
                } catch {
                    quire.log.error("The certificate was not made anew.", ["error": "\(error)"])
                }
            }
        }
    }

    func stop() {
        isOver.update { $0 = true }
        thread.join()
    }
}

extension SiteSettings {
    init(_ config: Config, assetsFromDisk: String? = nil) {
        self.init(
            publicOrigin: config.publicOrigin, allowedHosts: Places.hosts(config),
            trustedProxies: config.trustedProxies, assetsFromDisk: assetsFromDisk,
            uploadLimit: config.uploadLimit, metricsToken: config.metricsToken)
    }
}

/// Where a served desk can be found.
private struct Places {
    let first: String
    let all: [String]
    let isLocal: Bool

    init(_ config: Config, port: Int) {
        let scheme = config.tls == .off ? "http" : "https"
        let url = { (host: String) in "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
        let isEverybody = ["0.0.0.0", "::"].contains(config.host)
        let hosts =
            isEverybody
            ? ["127.0.0.1"] + Machine.addresses(version6: config.host == "::").map(\.description)
            : [config.host]
        // Passkeys need a name: browsers take `localhost`, but no number, as the place they belong to.
        let isLoopback = { (host: String) in host.hasPrefix("127.") || host == "::1" || host == "localhost" }
        isLocal = hosts.allSatisfy(isLoopback)
        var all = hosts.map { url($0 == "127.0.0.1" || $0 == "::1" ? "localhost" : $0) }
        if let origin = config.publicOrigin { all.insert(origin, at: 0) }
        first = all[0]
        self.all = all
    }

    /// Where phones find it: where it listens, or at the machine's address in its house.
    static func house(_ config: Config) -> @Sendable () -> String? {
        let host = config.host
        if ["0.0.0.0", "::"].contains(host) { return HouseDoor.machine }
        let isHouse = IPAddress(host).map(HouseNetwork.contains) ?? false
        return { isHouse ? host : nil }
    }

    /// Names, beside those the site knows itself, under which this desk may be asked for.
    static func hosts(_ config: Config) -> [String] {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, 255) == 0 else { return [config.host] }
        return [
            config.host,
            String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self),
        ]
    }
}

/// Shows an address to the person at this machine, where there is a screen.
private enum Browser {
    static func open(_ address: String, _ environment: [String: String]) {
        let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        guard hasScreen, let opener = program("xdg-open", environment) else { return }
        // A session of its own: the browser outlives us and does not hear our Ctrl-C.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var nothing = sigset_t()
        sigemptyset(&nothing)
        posix_spawnattr_setsigmask(&attributes, &nothing)
        // POSIX_SPAWN_SETSID, which glibc shows to GNU sources only.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | 0x80))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for file: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_RDWR, 0) }
        let words = [strdup(opener), strdup(address)]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        guard posix_spawn(&child, opener, &actions, &attributes, words + [nil], environ) == 0 else { return }
        let started = child
        _ = Thread(name: "browser", stackByteCount: 64 << 10) { waitpid(started, nil, 0) }
    }

    private static func program(_ name: String, _ environment: [String: String]) -> String? {
        (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }.first {
            access($0, X_OK) == 0
        }
    }
}
