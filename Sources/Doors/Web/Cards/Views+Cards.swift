import Bytes
import CardCase
import Storage
import Work

extension OwnCard {
    /// As its owner has it.
    func json(at address: String) -> JSON {
        var json = OwnCard.settable.json(of: self)
        json["id"] = .string(id.text)
        json["name"] = .string(shownName())
        json["address"] = .string(address)
        json["slug"] = .string(slug)
        json["default"] = .bool(isDefault)
        for kind in CardPicture.Kind.allCases {
            json[kind.rawValue] = .bool(pictures[kind] != nil)
        }
        json["pictures"] = .array(
            CardPicture.Kind.allCases.compactMap { kind in pictures[kind].map { $0.json(kind) } })
        json["madeAt"] = .moment(madeAt)
        json["changedAt"] = .moment(changedAt)
        json["fields"] = .array(fields.map { $0.view })
        return .object(json)
    }
}

extension CardPicture {
    func json(_ kind: Kind) -> JSON {
        [
            "picture": .string(kind.rawValue), "width": .int(width), "height": .int(height),
            "crop": .object(CardCrop.fields.json(of: crop)),
        ]
    }
}

extension OwnCard.Field {
    var view: JSON {
        var json = json
        json["name"] = .string(title.isEmpty ? kind.name : title)
        json["shown"] = .string(shown)
        json["link"] = .optional(link)
        return json
    }
}

extension FieldKind {
    var json: JSON {
        [
            "id": .string(id), "family": .string(family.rawValue), "name": .string(name),
            "example": .string(example), "inputMode": .string(inputMode),
        ]
    }
}

extension CardLink {
    func json(_ address: String, at now: Moment) -> JSON {
        [
            "id": .string(id.text), "address": .string(address), "note": .string(note),
            "shows": .string(audience.rawValue), "once": .bool(isOnce), "openings": .int(openings),
            "madeAt": .moment(madeAt), "expiresAt": .moment(expiresAt), "openedAt": .moment(openedAt),
            "state": .string(state(at: now).rawValue),
        ]
    }
}

extension CardAnswer {
    var json: JSON {
        [
            "id": .string(id.text), "card": .string(card.text), "cardName": .string(cardName),
            "name": .string(name), "note": .string(note), "message": .string(message), "at": .moment(at),
            "fields": .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] }),
        ]
    }
}
