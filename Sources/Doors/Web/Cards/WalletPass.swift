import App
import Archives
import Bytes
import CardCase
import Crypto
import HTTP
import Markup
import SigningKeys
import Storage
import Synchronization
import WebAssets
import Work

/// A card for Apple Wallet (PassKit's package format): what it says, its pictures, the digest of each part, and the signature
/// over those. Wallet asks by itself what has changed of it, see `Site.walletActions`.
struct WalletPass {
    /// As everybody may see it.
    var card: OwnCard
    var address: String
    var certificate: PassCertificate
    /// Where a telephone asks for changes, and the secret it shows there; nil where it could not do so in secret.
    var service: (address: String, secret: String)?
    /// In each language of the desk.
    var texts: [Texts]
    private(set) var files: [(name: String, bytes: [UInt8])] = []

    init(
        of card: OwnCard, at address: String, _ certificate: PassCertificate,
        service: (address: String, secret: String)?, texts: [Texts], icon: [UInt8],
        cards: OwnCards
    ) throws {
        self.card = card
        self.address = address
        self.certificate = certificate
        self.service = service
        self.texts = texts
        let photo = try cards.picture(.photo, of: card)
        let pictures: [(name: String, picture: [UInt8]?, width: Int, height: Int)] = [
            ("icon", photo ?? icon, 29, 29), ("logo", try cards.picture(.logo, of: card), 160, 50),
            ("thumbnail", photo, 90, 90),
        ]
        files.append(("pass.json", Array(JSON.object(content).text.utf8)))
        for (name, picture, width, height) in pictures {
            guard let picture else { continue }
            for scale in 1...3 {
                let file = scale == 1 ? "\(name).png" : "\(name)@\(scale)x.png"
                files.append((file, try cards.png(of: picture, within: (width * scale, height * scale))))
            }
        }
        for each in texts {
            let language = each.language.tag.prefix { $0 != "-" }
            files.append(("\(language).lproj/pass.strings", Array(strings(each).utf8)))
        }
    }

    /// Signed and packed.
    func archive(at now: Moment, sign: ([UInt8]) throws -> [UInt8]) throws -> [UInt8] {
        var digests: JSON = [:]
        for file in files {
            digests[file.name] = .string(Hex.encode(file.bytes.withUnsafeBytes { SHA1.hash([$0]) }))
        }
        let manifest = Array(digests.text.utf8)
        var bytes: [UInt8] = []
        var zip = ZIPWriter { bytes += $0 }
        let all = files + [("manifest.json", manifest), ("signature", try sign(manifest))]
        for file in all { try zip.add(file.name, file.bytes, modified: now) }
        try zip.finish()
        return bytes
    }

    // MARK: What it says

    private var content: JSONObject {
        let name = card.shownName(for: card.language.rawValue)
        let colours = card.theme.light
        let code: JSON = [
            "format": "PKBarcodeFormatQR", "message": .string(address), "messageEncoding": "iso-8859-1",
            "altText": .string(
                address.split(separator: "://", maxSplits: 1).last.map(String.init) ?? address),
        ]
        var said: JSONObject = [
            "formatVersion": 1, "passTypeIdentifier": .string(certificate.passType),
            "teamIdentifier": .string(certificate.team), "serialNumber": .string(card.id.text),
            "organizationName": .string(card.organization.isEmpty ? name : card.organization),
            "description": .string(name), "backgroundColor": .string(Self.colour(colours.card)),
            "foregroundColor": .string(Self.colour(colours.text)),
            "labelColor": .string(Self.colour(colours.soft)), "barcodes": .array([code]), "barcode": code,
            "generic": .object(parts(name)),
        ]
        if let service {
            said["webServiceURL"] = .string(service.address)
            said["authenticationToken"] = .string(service.secret)
        }
        if card.pictures[.logo] == nil, !card.organization.isEmpty {
            said["logoText"] = .string(card.organization)
        }
        return said
    }

    private func parts(_ name: String) -> JSONObject {
        func field(_ key: String, _ label: String?, _ value: String) -> JSON {
            var said: JSON = ["key": .string(key), "value": .string(value)]
            if let label { said["label"] = .string(label) }
            return said
        }
        func lines(_ all: [(key: String, value: String)]) -> JSON {
            .array(all.filter { !$0.value.isEmpty }.map { field($0.key, "label.\($0.key)", $0.value) })
        }
        let fields = card.fields.enumerated().map { place, one in
            field(
                "field\(place)", one.title.isEmpty ? "kind.\(one.kind.id)" : one.title,
                one.shown)
        }
        let back =
            (card.note.isEmpty ? [] : [field("note", "label.note", card.note)]) + fields
            + [field("address", "label.address", address)]
        // Wallet shows the name large, two lines below it, and the rest on the back.
        return [
            "primaryFields": .array([field("name", nil, name)]),
            "secondaryFields": lines([("title", card.title), ("organization", card.organization)]),
            "auxiliaryFields": .array(Array(fields.prefix(2))), "backFields": .array(back),
        ]
    }

    private static func colour(_ value: UInt32) -> String {
        "rgb(\(value >> 16 & 255), \(value >> 8 & 255), \(value & 255))"
    }

    /// What labels are called in one language; those that somebody wrote stay as they are.
    private func strings(_ texts: Texts) -> String {
        var names = [
            ("label.title", texts("cards.title")), ("label.organization", texts("cards.organization")),
            ("label.note", texts("cards.note")), ("label.address", texts("cards.address")),
        ]
        for kind in Set(card.fields.filter { $0.title.isEmpty }.map(\.kind.id)).sorted() {
            guard let known = FieldKind.named(kind) else { continue }
            names.append(("kind.\(kind)", texts.name(of: known)))
        }
        return names.map { key, text in
            "\"\(key)\" = \"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\";\n"
        }.joined()
    }
}

/// Passes that were made already: visitors cause no work twice.
final class PassShelf: Sendable {
    private static let most = 32
    private let made = Mutex<[String: [UInt8]]>([:])

    func pass(_ key: String, make: () throws -> [UInt8]) rethrows -> [UInt8] {
        if let known = made.withLock({ $0[key] }) { return known }
        let fresh = try make()
        made.withLock { made in
            if made.count >= Self.most { made.removeAll() }
            made[key] = fresh
        }
        return fresh
    }
}

extension Visit {
    /// Nil where nobody could sign one, or where its code would lead nowhere.
    func passCertificate(for card: OwnCard) throws -> PassCertificate? {
        isReachable ? try quire.identities.passCertificate(of: card.member) : nil
    }

    func pass(of own: OwnCard) throws -> Response {
        guard isReachable else {
            throw Failure(
                .conflict,
                "This desk has no address that others reach, so the code of a pass would lead nowhere. Set a public address."
            )
        }
        guard let certificate = try passCertificate(for: own) else {
            throw Failure(
                .conflict,
                "There is no certificate from Apple to sign passes with, or it has ended. Settings › Signing says how to get one."
            )
        }
        let card = own.seen(by: .everybody)
        let address = address(of: card)
        let key = "\(card.id) \(card.changedAt.milliseconds) \(certificate.identity.id) \(address)"
        let bytes = try site.passes.pass(key) {
            let pass = try WalletPass(
                of: card, at: address, certificate,
                service: origin.hasPrefix("https://")
                    ? ("\(origin)\(Site.walletPath)", quire.cards.passSecret(of: card.id)) : nil,
                texts: Language.offered.map { Texts(site.assets.catalog, $0) },
                icon: site.assets.asset(named: "icon-192.png")?.content.bytes ?? [], cards: quire.cards)
            return try pass.archive(at: now) { try quire.identities.sign(pass: $0, with: certificate) }
        }
        return Response(
            headers: ["Content-Type": "application/vnd.apple.pkpass"], body: .bytes(bytes)
        ).with(
            "Content-Disposition", Disposition.text(inline: false, fileName: "\(fileName(of: card)).pkpass"))
    }
}
