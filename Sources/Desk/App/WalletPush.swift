import Bytes
public import CardCase
public import Jobs
public import SigningKeys
import Storage
import Synchronization
public import Transfer
import Work

/// Tells Apple that the pass of a card has changed; the telephone then fetches it here. Nothing goes there but by which mark Apple
/// finds the telephone, with the certificate of whose passes they are.
public final class WalletPush: Sendable {
    private let cards: OwnCards
    private let identities: Identities
    private let way: Mutex<(settings: HTTPClient.Settings, service: String)>

    public static let service = "https://api.push.apple.com"
    private static let patience = Duration.seconds(20)

    public init(_ cards: OwnCards, identities: Identities) {
        self.cards = cards
        self.identities = identities
        way = Mutex((HTTPClient.Settings(guardian: .publicOnly), Self.service))
    }

    public func handle(in runner: JobRunner) {
        runner.handle(.walletPush) { [self] _ in try send() }
    }

    /// By another way than to Apple: for a service that stands on this very machine.
    public func reach(_ service: String, through settings: HTTPClient.Settings) {
        way.withLock { $0 = (settings, service) }
    }

    /// Whoever could not be told is told with the next attempt, and the others are not told again.
    private func send() throws {
        var clients: [ID<KeptIdentity>: HTTPClient] = [:]
        var failure: Failure?
        for wallet in try cards.walletsToTell() {
            // Without a certificate for it nobody can be told; who looks finds that there is no such pass.
            guard let certificate = try identities.passCertificate(of: wallet.member),
                certificate.passType == wallet.passType
            else { continue }
            let id = certificate.identity.id
            let client = try clients[id] ?? client(with: certificate)
            clients[id] = client
            do { try tell(wallet, through: client) } catch let trouble as Failure { failure = trouble }
        }
        if let failure { throw failure }
    }

    private func client(with certificate: PassCertificate) throws -> HTTPClient {
        var settings = way.withLock { $0.settings }
        settings.identity = try identities.visitor(with: certificate)
        return HTTPClient(settings)
    }

    private func tell(_ wallet: CardWallet, through client: HTTPClient) throws {
        let service = way.withLock { $0.service }
        var call = HTTPCall(
            "POST", "\(service)/3/device/\(wallet.pushToken)",
            headers: [("apns-topic", wallet.passType), ("Content-Type", "application/json")],
            body: .bytes(Array("{}".utf8)), timeout: Self.patience)
        call.followsRedirects = false
        let answer: HTTPAnswer
        do throws(TransferError) {
            answer = try client.send(call, into: .memory(limit: 64 << 10))
        } catch {
            throw Self.failed(error.kind)
        }
        let reason = (try? JSON(parsing: answer.body))?["reason"]?.string ?? ""
        switch answer.status {
        case 200...299: try cards.told(wallet)
        // Its wallet is gone, or never was one.
        case 410: try cards.unregister(wallet: wallet.device, from: wallet.card)
        case 400 where ["BadDeviceToken", "DeviceTokenNotForTopic"].contains(reason):
            try cards.unregister(wallet: wallet.device, from: wallet.card)
        default: throw Self.failed("it answered \(answer.status)")
        }
    }

    private static func failed(_ why: String) -> Failure {
        Failure(.unavailable, "Apple could not be told that a card has changed: \(why). Quire tries again.")
    }
}
