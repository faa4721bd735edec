import Access
import App
import Bytes
import Crypto
import Glibc
import HTTP
import Storage

/// `Idempotency-Key`: a request that is sent again, because its answer got lost, is not done again.
extension KeptAnswers {
    static func once(_ key: String, _ visit: Visit, _ answer: () throws -> Response) throws -> Response {
        guard let actor = visit.caller?.actor else { return try answer() }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(
                .invalid, "An idempotency key has 1 to 255 visible characters.", field: "Idempotency-Key")
        }
        let kept = KeptAnswers(visit.quire.store)
        switch try kept.claim(key, by: actor, fingerprint: try fingerprint(visit.request)) {
        case .first: break
        case .again(let answer): return answer.response
        case .different:
            throw Failure(
                .conflict, "This idempotency key was used for another request. Use a new one.",
                field: "Idempotency-Key")
        case .underWay:
            throw Failure(
                .conflict, "The same request is being answered at this moment.", field: "Idempotency-Key",
                retryAfter: .seconds(1))
        }
        do {
            let response = try answer()
            if response.headers["Cache-Control"] == "no-store" {
                // Tokens, links and codes are told once and kept nowhere, not even here.
                if let told = Answer(toldOnce) { try kept.keep(told, for: key, by: actor) }
            } else if let lasting = Answer(response), response.status.code < 500 {
                try kept.keep(lasting, for: key, by: actor)
            } else {
                try kept.release(key, by: actor)
            }
            return response
        } catch {
            // Nothing was done, so it may be tried again.
            try kept.release(key, by: actor)
            throw error
        }
    }

    private static let toldOnce = Response.problem(
        .conflict, detail: "This was done already, and what it made is told only once.")

    private static func fingerprint(_ request: Request) throws -> [UInt8] {
        var sum = SHA256Stream()
        func add(_ text: String) { sum.update(Array("\(text.utf8.count):\(text)".utf8)) }
        add(request.method.name)
        add(request.target)
        switch request.body {
        case .none: break
        case .bytes(let bytes): sum.update(bytes)
        case .file(let path, _): try hash(file: path, into: &sum)
        case .form(let form):
            // The token against forgery differs from page to page; the rest is the request.
            for field in form.fields where field.name != "_csrf" {
                add(field.name)
                add(field.value)
            }
            for file in form.files {
                add(file.name)
                add(file.fileName)
                try hash(file: file.path, into: &sum)
            }
        }
        return sum.finish()
    }

    private static func hash(file path: String, into sum: inout SHA256Stream) throws {
        guard let file = fopen(path, "r") else {
            throw Failure(.unavailable, "The upload is no longer there.")
        }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return }
            sum.update(Array(buffer[..<count]))
        }
    }
}

extension KeptAnswers.Answer {
    init?(_ response: Response) {
        let body: [UInt8]
        switch response.body {
        case .none: body = []
        case .bytes(let bytes): body = bytes
        case .fixed, .file, .stream, .events: return nil
        }
        guard body.count <= 1 << 20 else { return nil }
        self.init(
            status: response.status.code,
            headers: .array(response.headers.map { [.string($0.name), .string($0.value)] }), body: body)
    }

    var response: Response {
        var response = Response(Status(min(max(status, 200), 599)), body: body.isEmpty ? .none : .bytes(body))
        for pair in headers.array ?? [] {
            if let name = pair[0]?.string, let value = pair[1]?.string { response.headers.add(name, value) }
        }
        return response.with("Idempotency-Replayed", "true")
    }
}
