import App
import Bytes
import CardCase
import Cards
import Codes
import HTTP
import Markup
import Storage
import WebAssets

extension Texts {
    /// What a kind of field is called.
    func name(of kind: FieldKind) -> String {
        kind.isBrand ? kind.name : find("cardfield.\(kind.id)") ?? kind.name
    }

    func name(of field: OwnCard.Field) -> String { field.title.isEmpty ? name(of: field.kind) : field.title }
}

/// What an NFC tag of a card says.
struct MadeTag {
    var content: CodeContent
    var address: String?
    var vCard: String?
    var message: TagMessage
    /// Of its file.
    var name: String

    var json: JSON {
        [
            "holds": .string(content.rawValue), "address": .optional(address), "vcard": .optional(vCard),
            "byteCount": .int(message.bytes.count), "hex": .string(Hex.encode(message.bytes)),
            "tag": .optional(message.tag),
        ]
    }
}

/// A square code that was read again, and what is in it.
struct MadeCode {
    var content: CodeContent
    var text: String
    var leftOut: [String]
    var code: QRCode
    /// For those who cannot see it, and for its file.
    var label: String
    var name: String

    /// On 25 mm a telephone tells its modules apart.
    var isFine: Bool { code.version <= 10 }

    var json: JSON {
        let level =
            switch code.level {
            case .medium: "medium"
            case .quartile: "quartile"
            case .high: "high"
            }
        return [
            "holds": .string(content.rawValue), "text": .string(text), "leftOut": .texts(leftOut),
            "version": .int(code.version), "level": .string(level), "isFine": .bool(isFine),
        ]
    }
}

extension Visit {
    func ownCard() throws -> OwnCard { try quire.cards.get(id(of: "card"), by: member()) }

    /// Where others find a card.
    func address(of card: OwnCard) -> String { address(of: card.slug) }
    func address(of slug: String) -> String { "\(origin)/c/\(slug)" }

    /// A telephone finds nothing at the address of the machine itself.
    var isReachable: Bool { !Guardian.isOnlyHere(origin) }

    /// What was said of a card: JSON, or the fields of a page's form.
    func cardSaid() throws -> JSON {
        let input = try input
        if let whole = input.whole { return whole }
        var json = try input.json(of: OwnCard.settable)
        let values = try input.texts("value")
        if let added = try input.text("newValue") {
            let before = try ownCard().fields.map(\.json)
            json["fields"] = .array(
                before + [
                    [
                        "value": .string(added), "kind": .string(try input.text("newKind") ?? ""),
                        "visibility": .string(
                            try input.text("newVisibility") ?? FieldAudience.everybody.rawValue),
                    ]
                ])
            return json
        }
        guard input.has("hasFields") else { return json }
        let (kinds, titles) = (try input.texts("kind"), try input.texts("fieldTitle"))
        let audiences = try input.texts("visibility")
        var fields: [JSON] = []
        // A row that was emptied is kept in its place until it is known what is to be done with which.
        for (place, value) in values.enumerated() {
            fields.append([
                "value": .string(value), "kind": .string(place < kinds.count ? kinds[place] : ""),
                "title": .string(place < titles.count ? titles[place] : ""),
                "visibility": .string(
                    place < audiences.count ? audiences[place] : FieldAudience.nobody.rawValue),
            ])
        }
        if let act = try input.text("do") { Self.do(act, with: &fields) }
        json["fields"] = .array(
            fields.filter { !($0["value"]?.string ?? "").allSatisfy(\.isWhitespace) })
        return json
    }

    /// `up:3`, `down:3`, `remove:3`
    private static func `do`(_ act: String, with fields: inout [JSON]) {
        let parts = act.split(separator: ":")
        guard parts.count == 2, let place = Int(parts[1]), fields.indices.contains(place) else { return }
        switch parts[0] {
        case "up" where place > 0: fields.swapAt(place, place - 1)
        case "down" where place < fields.count - 1: fields.swapAt(place, place + 1)
        case "remove": fields.remove(at: place)
        default: break
        }
    }

    func surroundings(of card: OwnCard, pictures: Bool, slug: String? = nil) throws -> OwnCard.Surroundings {
        let texts = Texts(site.assets.catalog, Language(tag: card.language.rawValue) ?? language)
        return OwnCard.Surroundings(
            address: isReachable ? address(of: slug ?? card.slug) : nil,
            photo: pictures ? try quire.cards.picture(.photo, of: card) : nil,
            logo: pictures ? try quire.cards.picture(.logo, of: card) : nil
        ) { texts.name(of: $0) }
    }

    /// What is given was taken down to what its reader may see before.
    func cardFile(_ card: OwnCard, inline: Bool, slug: String? = nil) throws -> Response {
        let word = request.query["as"] ?? CardFileForm.vcard3.rawValue
        guard let form = CardFileForm(rawValue: word), let written = CardForm(rawValue: form.rawValue) else {
            throw Failure(.invalid, "A card comes out as vcard3, vcard4, jcard or jscontact.", field: "as")
        }
        let bytes = card.file(as: written, try surroundings(of: card, pictures: true, slug: slug))
        let (type, ending) =
            switch form {
            case .vcard3, .vcard4: ("text/vcard; charset=utf-8", "vcf")
            case .jcard: ("application/vcard+json", "json")
            case .jscontact: ("application/jscontact+json", "json")
            }
        return Response(headers: ["Content-Type": type], body: .bytes(bytes)).with(
            "Content-Disposition",
            Disposition.text(inline: inline, fileName: "\(fileName(of: card)).\(ending)"))
    }

    func fileName(of card: OwnCard) -> String {
        let name = card.name.plain.isEmpty ? card.organization : card.name.plain
        return name.replacing("/", with: "-").replacing("\\", with: "-")
    }

    /// Nothing that is not public goes into a code: whoever sees it can read it. `address` is where a copy of it lies.
    func code(of own: OwnCard, at address: String? = nil) throws -> MadeCode {
        let card = own.seen(by: .everybody)
        var around = try surroundings(of: card, pictures: false)
        around.address = address ?? around.address
        guard let content = wishedContent(around) else {
            throw Failure(.invalid, "A code holds an address, a vcard or a mecard.", field: "holds")
        }
        let (text, leftOut) = try card.codeText(content, around)
        guard let code = QRCode(text, boosts: true) else {
            throw Failure(.tooLarge, "This is too much for a code. Let it hold the address.", field: "holds")
        }
        guard code.text == text else {
            throw Failure(.damaged, "The code could not be read again, so it is not given away.")
        }
        return MadeCode(
            content: content, text: text, leftOut: leftOut, code: code,
            label: texts("cards.code.label", ["name": .text(card.shownName(for: texts.language.tag))]),
            name: fileName(of: card))
    }

    /// Nothing that is not public goes onto a tag: whoever holds a telephone to it can read it.
    func tag(of own: OwnCard) throws -> MadeTag {
        let card = own.seen(by: .everybody)
        let around = try surroundings(of: card, pictures: false)
        let content = wishedContent(around)
        // Where there is no address, that is said.
        let address = content == .address ? try card.codeText(.address, around).text : around.address
        let vCard = content == .vcard ? try card.codeText(.vcard, around).text : nil
        guard let content, content != .mecard,
            let message = TagMessage(address: address, card: vCard.map { Array($0.utf8) })
        else { throw Failure(.invalid, "A tag holds an address or a vcard.", field: "holds") }
        return MadeTag(
            content: content, address: address, vCard: vCard, message: message, name: fileName(of: card))
    }

    /// What is asked for, or is usual; nil for what nothing holds.
    private func wishedContent(_ around: OwnCard.Surroundings) -> CodeContent? {
        guard let word = request.query["holds"], !word.isEmpty else {
            return around.address == nil ? .vcard : .address
        }
        return CodeContent(rawValue: word)
    }
}
