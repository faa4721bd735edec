import Access
import App
import Bytes
import CardCase
import HTTP
import SigningKeys
import Storage
import Work

/// What Wallet on telephones asks by itself (Apple's web service for passes): to be told of changes, what has changed, and the
/// pass as it is now. Nobody is signed in there; a telephone shows the secret that is in its pass.
extension Site {
    static let walletPath = "/wallet"

    private static let registration =
        "\(walletPath)/v1/devices/{device}/registrations/{type}/{serial}"

    static let walletActions: [Action] = [
        Action(.post, registration, .anyone, showsItsOwnSecret: true) { visit in
            let card = try visit.cardOfPass()
            let isNew = try visit.quire.cards.register(
                wallet: visit.parameter("device"), push: visit.input.requiredText("pushToken"),
                passType: visit.parameter("type"), for: card, from: visit.visitor)
            return Response(isNew ? .created : .ok)
        },
        Action(.delete, registration, .anyone, showsItsOwnSecret: true) { visit in
            try visit.quire.cards.unregister(
                wallet: visit.parameter("device"), from: visit.cardOfPass().id)
            return Response(.ok)
        },
        Action(
            .get, "\(walletPath)/v1/devices/{device}/registrations/{type}", .anyone, showsItsOwnSecret: true
        ) { visit in
            let changed = try visit.quire.cards.passesChanged(
                on: visit.parameter("device"), of: visit.parameter("type"),
                since: visit.request.query["passesUpdatedSince"], from: visit.visitor)
            guard let changed else { return .noContent }
            return Response.json([
                "serialNumbers": .texts(changed.serials), "lastUpdated": .string(changed.mark),
            ]).kept(false)
        },
        Action(.get, "\(walletPath)/v1/passes/{type}/{serial}", .anyone, showsItsOwnSecret: true) { visit in
            let card = try visit.cardOfPass()
            var second = card.changedAt.milliseconds / 1000
            // It may change once more in this very second.
            if second >= visit.now.milliseconds / 1000 { second -= 1 }
            return try visit.pass(of: card).with("Last-Modified", HTTPDate.text(second))
                .with("Cache-Control", "private, no-cache")
        },
        Action(.post, "\(walletPath)/v1/log", .anyone, showsItsOwnSecret: true) { visit in
            try visit.quire.access.limits.take(
                walletWords, for: RateLimits.subject(ofAddress: visit.visitor.address))
            guard case .bytes(let bytes) = visit.request.body, bytes.count <= 16 << 10,
                let lines = (try? JSON(parsing: bytes))?["logs"]?.array
            else { throw Failure(.invalid, "This is nothing that a wallet says.") }
            for line in lines.prefix(5).compactMap(\.string) {
                visit.quire.log.info("a wallet says", ["words": String(line.prefix(300))])
            }
            return Response(.ok)
        },
    ]

    /// Whoever has something to say says it in a few words.
    private static let walletWords = RateLimits.Rule("wallet-log", burst: 10, refill: .seconds(600))
}

extension Visit {
    /// The card of the pass that is asked about, whose secret is shown.
    fileprivate func cardOfPass() throws -> OwnCard {
        let words = (request.headers["Authorization"] ?? "").split(separator: " ")
        let secret = words.count == 2 && words[0].lowercased() == "applepass" ? String(words[1]) : nil
        let card = try quire.cards.card(ofPass: parameter("serial"), showing: secret)
        guard try passCertificate(for: card)?.passType == parameter("type") else {
            throw Failure(.notFound, "There is no pass of this kind.")
        }
        return card
    }
}
