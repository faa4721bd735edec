import Bytes
import Conversion
import Converting
import Storage
import Work

extension Conversion {
    var json: JSON {
        var members: JSONObject = [
            "id": .string(id.text), "name": .string(name), "version": .int(version),
            "state": .string(state.rawValue), "job": .optional(job?.text), "done": .integer(progress.done),
            "total": .optional(progress.total), "phase": .string(progress.phase),
            "reason": .optional(reason), "papers": .array(papers.map(\.json)),
            "results": .array(results.map(\.json)), "report": report ?? .null,
            "addedAt": .moment(addedAt), "addedBy": .string(addedByName), "changedAt": .moment(changedAt),
        ]
        for member in wishes.json.object ?? [:] { members[member.key] = member.value }
        return .object(members)
    }
}

extension ConversionPaper {
    var json: JSON {
        var address: String?
        if case .address(let text) = content { address = text }
        return [
            "id": .string(id.text), "name": .string(name), "kind": .string(kind),
            "address": .optional(address), "byteCount": .integer(byteCount), "turn": .int(turn),
            "corners": sheet.corners?.json ?? .null, "scan": .optional(sheet.look),
        ]
    }
}

extension ConversionResult {
    var json: JSON {
        [
            "number": .int(place), "name": .string(name), "mediaType": .string(blob.mediaType),
            "byteCount": .integer(blob.byteCount), "digest": .string(blob.digest.hex),
            "pages": .optional(pageCount), "document": .optional(document?.text),
        ]
    }
}
