import Access
import App
import Bytes
import Jobs
import Library
import Storage
import Work

// The JSON of each resource, written by hand: this is the public API, and `Schemas.swift` describes it.

extension JSON {
    static func moment(_ moment: Moment) -> JSON { .string(moment.iso8601) }
    static func moment(_ moment: Moment?) -> JSON { .optional(moment?.iso8601) }
    static func texts(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }
}

extension Document {
    var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "mediaType": .string(blob.mediaType),
            "byteCount": .integer(blob.byteCount), "digest": .string(blob.digest.hex),
            "addedAt": .moment(addedAt),
            "addedBy": .string(addedByName), "changedAt": .moment(changedAt), "trashedAt": .moment(trashedAt),
            "folder": .optional(folder?.text), "tags": .texts(tags), "note": .string(note),
            "date": .string(date), "version": .int(version),
            "people": .array(
                people.map {
                    ["name": .string($0.name), "contact": .optional($0.contact.isEmpty ? nil : $0.contact)]
                }),
            "fields": .object(JSONObject(values.map { ($0.field, JSON.string($0.value)) })),
            "hold": .optional(hold), "origin": .optional(origin?.text),
            "arrival": .optional(arrival?.rawValue),
            "pages": .optional(pageCount),
        ]
    }
}

extension DocumentVersion {
    var json: JSON {
        [
            "number": .int(number), "mediaType": .string(blob.mediaType),
            "byteCount": .integer(blob.byteCount), "digest": .string(blob.digest.hex),
            "madeAt": .moment(madeAt), "madeBy": .string(madeByName), "note": .string(note),
        ]
    }
}

extension Documents.Find {
    var json: JSON {
        let pieces = snippet?.pieces.map { piece -> JSON in
            ["text": .string(piece.text), "isHit": .bool(piece.isHit)]
        }
        return [
            "document": document.json, "page": page.map(JSON.int) ?? .null,
            "snippet": pieces.map(JSON.array) ?? .null,
        ]
    }
}

extension Documents.Added {
    var json: JSON {
        var json = document.json.object ?? [:]
        if case .alreadyThere(let document) = self { json["duplicateOf"] = .string(document.id.text) }
        if case .added = self { json["duplicateOf"] = .null }
        return .object(json)
    }
}

extension ShareLink {
    func json(_ now: Moment) -> JSON {
        [
            "id": .string(id.text), "document": .string(subject.id), "kind": .string(subject.kind),
            "note": .string(note),
            "madeBy": .string(madeByName), "madeAt": .moment(madeAt), "expiresAt": .moment(expiresAt),
            "viewOnly": .bool(isViewOnly), "hasPassword": .bool(needsPassword), "openings": .int(openings),
            "limit": .optional(maximumOpenings), "takesReplies": .bool(takesReplies),
            "openedAt": .moment(openedAt),
            "state": .string(isExpired(at: now) ? "expired" : isUsedUp ? "usedUp" : "active"),
        ]
    }
}

extension Job {
    var json: JSON {
        [
            "id": .string(id.text), "kind": .string(kind), "title": .string(title),
            "state": .string(state.rawValue),
            "done": .integer(progress.done), "total": .optional(progress.total),
            "phase": .string(progress.phase),
            "attempts": .int(attempts), "createdAt": .moment(createdAt), "startedAt": .moment(startedAt),
            "finishedAt": .moment(finishedAt), "runAt": .moment(runAt), "reason": .optional(reason),
            "isCancelling": .bool(isCancelling), "result": .optional(result),
        ]
    }
}

extension Schedule {
    var json: JSON {
        [
            "name": .string(name), "kind": .string(kind), "title": .string(title),
            "rule": .string(recurrence.text),
            "zone": .string(zone), "nextAt": .moment(nextAt), "lastAt": .moment(lastAt),
            "isPaused": .bool(isPaused),
        ]
    }
}

extension Member {
    var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "login": .string(signInName),
            "role": .string(role.rawValue),
            "joinedAt": .moment(joinedAt), "hasPassword": .bool(hasPassword), "passkeys": .int(passkeyCount),
        ]
    }
}

extension Invitation {
    var json: JSON {
        [
            "id": .string(id.text), "role": .string(role.rawValue), "note": .string(note),
            "madeBy": .string(madeByName), "madeAt": .moment(madeAt), "expiresAt": .moment(expiresAt),
        ]
    }
}

extension APIToken {
    var json: JSON {
        [
            "id": .string(id.text), "name": .string(name),
            "scope": .texts(Scope.allCases.filter(scopes.contains).map(\.rawValue)),
            "madeAt": .moment(madeAt),
            "expiresAt": .moment(expiresAt), "usedAt": .moment(usedAt),
        ]
    }
}

extension Passkey {
    var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "site": .string(relyingParty),
            "isBackedUp": .bool(isBackedUp), "madeAt": .moment(madeAt), "usedAt": .moment(usedAt),
        ]
    }
}

extension Session {
    func json(current: ID<Session>?) -> JSON {
        [
            "id": .string(id.text), "device": .string(device), "address": .string(address),
            "startedAt": .moment(startedAt), "seenAt": .moment(seenAt), "expiresAt": .moment(expiresAt),
            "isCurrent": .bool(id == current), "onlyCaptures": .bool(onlyCaptures),
        ]
    }
}

extension AuditJournal.Line {
    var json: JSON {
        [
            "number": .integer(number), "at": .moment(at), "actor": .string(actor),
            "actorName": .string(actorName),
            "verb": .string(verb), "subject": .string(subject), "detail": detail,
        ]
    }
}

extension Entitlements.Decision {
    var json: JSON {
        [
            "what": .string(what), "allowed": .bool(allowed), "used": .optional(used),
            "limit": .optional(limit), "reason": .string(reason),
        ]
    }
}

extension Plan {
    var json: JSON {
        [
            "id": .string(id), "name": .string(name), "price": .string(price), "note": .string(note),
            "trialDays": .optional(trialDays), "limits": limitsJSON(limits),
            "without": .array(PlanTool.allCases.filter(without.contains).map { .string($0.rawValue) }),
        ]
    }
}

extension PlanAddOn {
    var json: JSON {
        [
            "id": .string(id), "name": .string(name), "price": .string(price), "note": .string(note),
            "limits": limitsJSON(limits),
            "with": .array(PlanTool.allCases.filter(tools.contains).map { .string($0.rawValue) }),
        ]
    }
}

/// Nil is without one.
private func limitsJSON(_ limits: [Limit: Int]) -> JSON {
    .object(JSONObject(Limit.allCases.map { ($0.rawValue, .optional(limits[$0])) }))
}

extension Licence {
    func json(_ now: Moment) -> JSON {
        [
            "id": .string(id), "plan": .string(plan), "kind": .string(kind.rawValue),
            "holder": .string(holder), "seats": .optional(seats), "startsAt": .moment(startsAt),
            "endsAt": .moment(endsAt), "counts": .bool(counts(at: now)),
        ]
    }
}

extension Report {
    var json: JSON {
        [
            "id": .string(id.text), "kind": .string(kind.rawValue), "at": .moment(at),
            "isGood": .bool(isGood),
            "sentence": .string(sentence), "detail": detail,
        ]
    }
}
