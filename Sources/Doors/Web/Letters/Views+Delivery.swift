import App
import Bytes
import Delivery
import Filling
import Storage
import Transfer
import Work

extension LetterToken {
    var json: JSON {
        ["name": .string(name), "column": .optional(column), "example": .string(example)]
    }
}

extension LetterPreview {
    var json: JSON {
        var json: JSON = [
            "packet": packet.json, "from": .optional(from?.description),
            "replyTo": .optional(replyTo?.description),
            "subject": .string(subject), "text": .string(text), "html": .optional(html),
            "byteCount": .integer(byteCount), "unknown": .texts(unknown), "empty": .texts(empty),
            "problems": .array(problems.map(\.json)),
            "attachments": .array(
                attachments.map {
                    [
                        "name": .string($0.name), "mediaType": .string($0.mediaType),
                        "byteCount": .integer($0.byteCount),
                    ]
                }),
        ]
        json.put(addresses)
        return json
    }
}

extension JSON {
    mutating func put(_ addresses: OutboxMessage.Addresses) {
        self["to"] = .texts(addresses.to.map(\.description))
        self["cc"] = .texts(addresses.copies.map(\.description))
        self["bcc"] = .texts(addresses.blindCopies.map(\.description))
    }
}

extension SendingCheck {
    var json: JSON {
        [
            "total": .int(total), "ready": .int(ready), "leftOut": .int(leftOut),
            "byteCount": .integer(byteCount), "canStart": .bool(canStart), "reason": .optional(reason),
            "groups": .array(
                groups.map {
                    [
                        "kind": .string($0.kind.rawValue), "token": .optional($0.token),
                        "stops": .bool($0.kind.stops),
                        "count": .int($0.count),
                        "examples": .array($0.examples.map(\.json)),
                    ]
                }),
        ]
    }
}

extension PacketDelivery {
    func json(_ now: Moment) -> JSON {
        [
            "delivery": line.json, "history": .array(history.map(\.json)),
            "messages": .array(messages.map(\.json)), "links": .array(links.map { $0.json(now) }),
        ]
    }
}

extension OutboxMessage {
    var json: JSON {
        var json: JSON = [
            "id": .string(id.text), "mailing": .string(mailing.text), "about": .string(subject),
            "recipient": .string(recipientName), "messageId": .string(messageID), "subject": .string(title),
            "text": .string(text), "html": .optional(html), "state": .string(state.rawValue),
            "dueAt": .moment(dueAt), "tries": .int(tries), "reason": .optional(reason),
            "postedAt": .moment(postedAt), "changedAt": .moment(changedAt),
        ]
        json.put(addresses)
        return json
    }
}

extension OutboxMessage.Attachment {
    var json: JSON {
        ["name": .string(fileName), "mediaType": .string(mediaType), "digest": .string(digest.hex)]
    }
}

extension DeliveryAttempt {
    var json: JSON {
        [
            "at": .moment(at), "outcome": .string(outcome), "code": .optional(code), "words": .string(words),
            "refused": .optional(refused), "sentDigest": .optional(sentDigest),
        ]
    }
}

extension Mailing {
    var json: JSON {
        [
            "id": .string(id.text), "title": .string(title), "about": .string(subject),
            "kind": .string(kind.rawValue), "state": .string(state.rawValue),
            "from": .string(sender.description),
            "replyTo": .optional(replyTo?.description), "perMinute": .optional(pace.perMinute),
            "opens": .optional(pace.opens.map(TimeOfDay.text)),
            "closes": .optional(pace.closes.map(TimeOfDay.text)),
            "zone": .string(pace.zone), "reason": .optional(reason), "isPrepared": .bool(isPrepared),
            "madeAt": .moment(madeAt), "madeBy": .string(madeByName),
        ]
    }
}

extension Suppressions.Entry {
    var json: JSON { ["address": .string(address), "reason": .string(reason), "at": .moment(at)] }
}

extension Ledger.Item {
    var json: JSON {
        [
            "subject": .string(subject), "run": .string(run), "recipient": .string(recipient),
            "address": .string(address), "state": .string(state.rawValue), "isSent": .bool(state.isSent),
            "at": .moment(at), "line": .integer(newest),
        ]
    }

    /// With what it is about.
    func json(_ account: LedgerAccount) -> JSON {
        var view = json
        view["title"] = .string(account.title)
        view["forms"] = .array(account.forms.map(JSON.string))
        view["method"] = .optional(account.method?.rawValue)
        view["file"] = .string(account.fileName)
        view["note"] = .string(account.note)
        return view
    }
}

extension Ledger.Line {
    var json: JSON {
        [
            "number": .integer(number), "at": .moment(at), "event": .string(note.event.rawValue),
            "subject": .string(note.subject), "run": .string(note.run), "recipient": .string(note.recipient),
            "address": .string(note.address), "actor": .string(note.actor), "detail": .string(note.detail),
        ]
    }
}

extension Ledger.Tally {
    var json: JSON {
        [
            "sent": .int(sent), "total": .int(total), "unmade": .int(unmade),
            "states": .object(JSONObject(LedgerEvent.allCases.map { ($0.rawValue, .int(states[$0] ?? 0)) })),
        ]
    }
}

extension ActivityFigures {
    /// With what the desk counts of itself.
    func json(_ own: DeskFigures) -> JSON {
        [
            "papers": .int(own.papers), "inStep": .optional(own.inStep),
            "firstPaperSeconds": .optional(own.untilFirstPaper.map { Int($0.wholeMilliseconds / 1000) }),
            "tools": .optional(
                own.tools.map { .array($0.map { ["name": .string($0.name), "uses": .int($0.uses)] }) }),
            "weeks": .array(
                zip(weeks, zip(own.kept, own.searches)).map {
                    [
                        "begins": .moment($0.begins), "kept": .int($1.0), "searches": .int($1.1),
                        "made": .int($0.made),
                        "sent": .int($0.sent),
                        "delivered": .int($0.delivered), "bounced": .int($0.bounced),
                        "opened": .int($0.opened),
                        "returned": .int($0.returned), "refused": .int($0.refused),
                    ]
                }), "tally": states.json, "lines": .integer(lineCount), "oldestAt": .moment(oldestAt),
        ]
    }
}
