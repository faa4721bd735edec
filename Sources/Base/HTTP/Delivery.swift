import Glibc

/// The last step of every answer: what the client already has is not sent again, parts are cut, text is compressed.
///
/// It stands in one place so that no handler has to think about it. Handlers say what the resource is (status, type,
/// `ETag` or `Last-Modified`, body); the headers of the request decide what of it travels.
public enum Delivery {
    public static func finish(_ response: Response, for request: Request) -> Response {
        var response = response
        describeFile(&response)
        if let early = condition(response, request) {
            return early
        }
        if request.method == .get || request.method == .head {
            switch response.body {
            case .file, .bytes, .fixed: cut(&response, request)
            case .none, .stream, .events: break
            }
        }
        compress(&response, request)
        return response
    }

    /// A file that is gone by now is a plain 404, and one that is there has a length and a date.
    private static func describeFile(_ response: inout Response) {
        guard case .file(let path, nil) = response.body else { return }
        guard let file = FileFacts(path) else {
            response = Response.refusal(Refusal(.notFound, "The file is no longer there."))
            return
        }
        response.headers.setDefault("Last-Modified", HTTPDate.text(file.modified))
        response.headers.setDefault("Accept-Ranges", "bytes")
    }

    // MARK: Conditions (RFC 9110 §13.2.2, in the order it gives)

    private static func condition(_ response: Response, _ request: Request) -> Response? {
        guard response.status == .ok else { return nil }
        let tag = response.headers.first("ETag").flatMap { ETag(parsing: $0) }
        let modified = response.headers.first("Last-Modified").flatMap { HTTPDate.parse($0) }
        let isReading = request.method == .get || request.method == .head

        if let wanted = ETagCondition(request.headers.all("If-Match")) {
            if !wanted.isMetStrongly(by: tag, isThere: true) {
                return Response.refusal(Refusal(.preconditionFailed, "It has changed since you last saw it."))
            }
        } else if let since = request.headers.first("If-Unmodified-Since").flatMap({ HTTPDate.parse($0) }),
            let modified, modified > since
        {
            return Response.refusal(Refusal(.preconditionFailed, "It has changed since you last saw it."))
        }

        if let known = ETagCondition(request.headers.all("If-None-Match")) {
            guard known.isMetWeakly(by: tag, isThere: true) else {
                return nil
            }
            return isReading
                ? unchanged(response)
                : Response.refusal(Refusal(.preconditionFailed, "It is there already."))
        }
        if isReading, let since = request.headers.first("If-Modified-Since").flatMap({ HTTPDate.parse($0) }),
            let modified, modified <= since
        {
            return unchanged(response)
        }
        return nil
    }

    /// 304 with what a 200 would have said, less what describes the body (RFC 9110 §15.4.5).
    private static func unchanged(_ response: Response) -> Response {
        var short = Response(.notModified, headers: response.headers)
        for name in ["Content-Type", "Content-Length", "Content-Disposition", "Content-Encoding"] {
            short.headers.remove(name)
        }
        return short
    }

    // MARK: Parts

    private static func cut(_ response: inout Response, _ request: Request) {
        guard response.status == .ok, request.method == .get, let byteCount = byteCount(of: response.body),
            isStillTheSame(response, request.headers.first("If-Range"))
        else { return }
        // Several Range lines would be several ranges.
        let lines = request.headers.all("Range")
        switch ByteRange(lines.count == 1 ? lines[0] : nil, byteCount: byteCount) {
        case .whole: break
        case .unsatisfiable:
            response = Response.refusal(
                Refusal(
                    .rangeNotSatisfiable, "The part asked for lies outside of it.",
                    headers: ["Content-Range": "bytes */\(byteCount)"]))
        case .part(let part):
            response.status = .partialContent
            response.headers.set(
                "Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(byteCount)")
            switch response.body {
            case .file(let path, _): response.body = .file(path: path, part: part)
            case .bytes(let bytes):
                response.body = .bytes(Array(bytes[Int(part.lowerBound)..<Int(part.upperBound)]))
            case .fixed(let fixed):
                response.body = .bytes(Array(fixed.bytes[Int(part.lowerBound)..<Int(part.upperBound)]))
            case .none, .stream, .events: break
            }
        }
    }

    /// `If-Range`: the part is wanted only if the rest that the client holds still fits (RFC 9110 §13.1.5).
    private static func isStillTheSame(_ response: Response, _ condition: String?) -> Bool {
        guard let condition else { return true }
        if let wanted = ETag(parsing: condition) {
            return response.headers.first("ETag").flatMap { ETag(parsing: $0) }?.matchesStrongly(wanted)
                ?? false
        }
        guard let date = HTTPDate.parse(condition) else { return false }
        return response.headers.first("Last-Modified").flatMap { HTTPDate.parse($0) } == date
    }

    // MARK: Compression

    private static func compress(_ response: inout Response, _ request: Request) {
        guard !response.status.forbidsBody, let type = response.mediaType, type.isText,
            !response.headers.contains("Content-Encoding"),
            !(response.headers.first("Cache-Control")?.contains("no-transform") ?? false)
        else { return }
        let coding: ContentCoding
        switch response.body {
        case .bytes(let bytes) where bytes.count >= Gzip.worthwhile && response.status != .partialContent:
            response.headers.include("Accept-Encoding", in: "Vary")
            guard taken(request).contains(.gzip) else { return }
            coding = .gzip
            response.body = .bytes(Gzip.compress(bytes))
        case .fixed(let fixed):
            response.headers.include("Accept-Encoding", in: "Vary")
            guard let small = fixed.packed(taken(request)) else { return }
            coding = small.coding
            response.body = .fixed(small.bytes)
        default: return
        }
        response.headers.set("Content-Encoding", coding.rawValue)
        if let tag = response.headers.first("ETag").flatMap({ ETag(parsing: $0) }) {
            response.headers.set("ETag", tag.packed(coding).description)
        }
    }

    private static func taken(_ request: Request) -> Set<ContentCoding> {
        let lines = request.headers.all("Accept-Encoding")
        guard !lines.isEmpty else { return [] }
        let wanted = AcceptList(lines.joined(separator: ","))
        return Set(ContentCoding.allCases.filter { wanted.weight(of: $0.rawValue) ?? 0 > 0 })
    }

    private static func byteCount(of body: Response.Body) -> Int64? {
        switch body {
        case .none, .stream, .events: nil
        case .bytes(let bytes): Int64(bytes.count)
        case .fixed(let fixed): Int64(fixed.bytes.count)
        case .file(let path, let part): part.map { Int64($0.count) } ?? FileFacts(path)?.byteCount
        }
    }
}

/// What the file system says about a plain file.
public struct FileFacts: Sendable, Equatable {
    public let byteCount: Int64
    /// Seconds since 1970.
    public let modified: Int64

    /// `nil` when there is no plain file.
    public init?(_ path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        byteCount = Int64(facts.st_size)
        modified = Int64(facts.st_mtim.tv_sec)
    }
}
