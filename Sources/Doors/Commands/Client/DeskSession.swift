import App
import Markup
import Storage

/// A desk opened for one command.
struct DeskSession: Sendable {
    let client: DeskClient
    /// Where it is, for messages.
    let place: String
    /// The desk itself, when it lies here.
    let local: Quire?

    init(_ quire: Quire, showsPrivate: Bool = false, in language: Language) {
        client = DeskClient(LocalDesk(quire, showsPrivate: showsPrivate), in: language)
        place = quire.config.home
        local = quire
    }

    init(_ remote: RemoteDesk, in language: Language) {
        client = DeskClient(remote, in: language)
        place = remote.name
        local = nil
    }

    /// Under which address the desk here is served when it is.
    var origin: String? {
        guard let config = local?.config else { return nil }
        let scheme = config.tls == .off ? "http" : "https"
        return config.publicOrigin ?? "\(scheme)://localhost:\(config.port)"
    }

    var isRemote: Bool { local == nil }

    func close() { local?.stop() }
}

extension Invocation {
    /// The server that this call or the environment names.
    var server: String? { value("server") ?? environment["QUIRE_SERVER"].flatMap { $0.isEmpty ? nil : $0 } }

    /// For what can be done on the machine of a desk alone: who names another one is told so, instead of being told how
    /// the desk here is. `--home` says that the one here is meant.
    func configHere(_ what: String) throws -> Config {
        guard let server, has("server") || !has("home") else { return try config() }
        throw Failure(
            .unsupported,
            "\(what) works on the machine of the desk itself, and \(has("server") ? "--server" : "QUIRE_SERVER") names the desk on \(server). Run it there, or name the desk here with --home."
        )
    }

    /// The desk this call is about: the one of `--server`, or the one here. With `making`, one that is not there
    /// yet is made.
    func desk(making: Bool = false) throws -> DeskSession {
        if let server {
            guard !has("home") else {
                throw UsageError(
                    message: "--home and --server exclude each other", hint: "Leave one of them out.")
            }
            guard let token = value("token") ?? environment["QUIRE_TOKEN"], !token.isEmpty else {
                throw Failure(
                    .signInNeeded,
                    "The desk on \(server) wants a token. Make one there with “quire tokens add NAME --scope write” and put it into QUIRE_TOKEN."
                )
            }
            guard !has("private") else {
                throw UsageError(
                    message: "--private works on the machine that holds the desk alone",
                    hint: "A token never opens private folders; open them in the browser.")
            }
            let certificate = value("server-certificate").map(absolute)
            return DeskSession(
                try RemoteDesk(server, token: token, certificate: certificate), in: environment.language)
        }
        let config = try config()
        return DeskSession(
            making ? try Quire.open(config, log: log(config)) : try existingDesk(config),
            showsPrivate: has("private"), in: environment.language)
    }
}
