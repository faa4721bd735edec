public import Bytes

extension Response {
    public static func json(_ json: JSON, _ status: Status = .ok) -> Response {
        bytes(json.bytes, .json, status: status)
    }

    /// What went wrong, for programs to read (RFC 9457). `more` adds members of one's own.
    public static func problem(
        _ status: Status, title: String? = nil, detail: String, type: String = "about:blank",
        more: [(String, JSON)] = []
    ) -> Response {
        var members: [(String, JSON)] = [
            ("type", .string(type)), ("title", .string(title ?? status.phrase)),
            ("status", .integer(Int64(status.code))), ("detail", .string(detail)),
        ]
        members += more
        return bytes(JSON.object(JSONObject(members)).bytes, .problem, status: status)
    }

    public static func refusal(_ refusal: Refusal) -> Response {
        var response = problem(refusal.status, detail: refusal.detail)
        for header in refusal.headers { response.headers.set(header.name, header.value) }
        return response
    }
}

extension Request {
    /// The JSON in the body.
    public var json: JSON {
        get throws(Refusal) {
            guard case .bytes(let bytes) = body, let mediaType, mediaType.isJSON else {
                throw Refusal(.unsupportedMediaType, "A JSON body was expected here.")
            }
            do {
                return try JSON(parsing: bytes)
            } catch {
                throw Refusal(.badRequest, "The body is not well-formed JSON: \(error).")
            }
        }
    }
}
