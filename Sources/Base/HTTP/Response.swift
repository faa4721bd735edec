/// An answer before it is sent.
public struct Response: Sendable {
    public var status: Status
    public var headers: Headers
    public var body: Body

    public enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Bytes that stay the same for as long as the program runs; compressed once.
        case fixed(FixedBytes)
        /// A file, or a part of one; sent by the kernel where it can.
        case file(path: String, part: Range<Int64>? = nil)
        /// Made while it is sent, on a worker thread. Throwing breaks the connection off, so that nobody takes half an
        /// answer for a whole one.
        case stream(@Sendable (ByteSink) throws -> Void)
        /// Server-sent events: stays open until one side ends it.
        case events(EventStream)
    }

    public init(_ status: Status = .ok, headers: Headers = [:], body: Body = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public static func bytes(_ bytes: [UInt8], _ type: MediaType, status: Status = .ok) -> Response {
        Response(status, headers: ["Content-Type": type.description], body: .bytes(bytes))
    }

    public static func text(_ text: String, _ type: MediaType = .plain, status: Status = .ok) -> Response {
        bytes(Array(text.utf8), type, status: status)
    }

    public static func html(_ text: String, status: Status = .ok) -> Response {
        self.text(text, .html, status: status)
    }

    public static func fixed(_ fixed: FixedBytes) -> Response {
        Response(
            headers: ["Content-Type": fixed.mediaType.description, "ETag": fixed.tag.description],
            body: .fixed(fixed))
    }

    /// A file with the name a browser should save it under; `inline` shows it instead.
    public static func file(
        at path: String, _ type: MediaType, tag: ETag? = nil, saveAs name: String? = nil, inline: Bool = false
    ) -> Response {
        file(.file(path: path), type, tag: tag, saveAs: name, inline: inline)
    }

    /// The same of contents that may be at hand.
    public static func file(
        _ contents: Body, _ type: MediaType, tag: ETag? = nil, saveAs name: String? = nil,
        inline: Bool = false
    ) -> Response {
        var response = Response(headers: ["Content-Type": type.description], body: contents)
        if let tag { response.headers.add("ETag", tag.description) }
        if name != nil || !inline {
            response.headers.add("Content-Disposition", Disposition.text(inline: inline, fileName: name))
        }
        return response
    }

    /// After a form was posted: look at this page next, with GET.
    public static func redirect(to address: String, _ status: Status = .seeOther) -> Response {
        Response(status, headers: ["Location": address])
    }

    public static let noContent = Response(.noContent)

    public static func events(_ stream: EventStream) -> Response {
        Response(
            headers: [
                "Content-Type": MediaType.eventStream.description, "Cache-Control": "no-store",
                // A proxy that collects answers before passing them on would hold the events back.
                "X-Accel-Buffering": "no",
            ], body: .events(stream))
    }

    public var mediaType: MediaType? { headers.first("Content-Type").flatMap { MediaType($0) } }

    public func with(_ name: String, _ value: String) -> Response {
        var copy = self
        copy.headers.set(name, value)
        return copy
    }

    public mutating func set(_ cookie: Cookie) { headers.add("Set-Cookie", cookie.headerValue) }
}

/// Where a streamed answer goes.
public struct ByteSink: Sendable {
    private let take: @Sendable ([UInt8]) throws -> Void

    public init(_ take: @escaping @Sendable ([UInt8]) throws -> Void) { self.take = take }

    /// Waits while the receiver is busy; throws once it is gone.
    public func write(_ bytes: [UInt8]) throws { try take(bytes) }
    public func write(_ text: String) throws { try take(Array(text.utf8)) }
}
