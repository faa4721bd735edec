import App
import HTTPServer
import Storage
import TestSupport
import Web
import Work

/// A Quire behind a socket of this machine.
final class ServedQuire {
    let quire: Quire
    let port: Int
    private let site: Site
    private let server: Server
    private let workers = Workers(name: "web", threads: 2)

    init(home: String, hand: HandClock, seed: UInt64) throws {
        quire = try Quire.open(
            .load(flags: ["home": home], environment: [:]), clock: hand.clock, chance: .seeded(seed),
            log: .silent)
        site = Site(quire: quire)
        var settings = ServerSettings()
        settings.spoolDirectory = quire.store.home.temporary
        server = Server(settings, router: site.router, workers: workers, log: .silent)
        port = try server.start()
    }

    func close() {
        site.close()
        server.stop(grace: .seconds(1))
        workers.stop()
        quire.stop()
    }
}
