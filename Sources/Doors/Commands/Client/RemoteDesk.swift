import Bytes
import HTTP
import Storage
import Synchronization
import Transfer
import Work

/// A desk behind an address.
struct RemoteDesk: DeskConnection {
    private let http: HTTPClient
    private let base: String
    private let token: String

    /// The address was typed by the person at this machine: whatever it leads to may be reached.
    init(_ address: String, token: String, certificate: String? = nil) throws {
        var settings = HTTPClient.Settings(guardian: .anywhere, userAgent: "quire")
        settings.maximumRedirects = 0
        settings.certificateAuthorities = certificate
        http = HTTPClient(settings)
        let url = try WebAddress(address.contains("://") ? address : "https://\(address)")
        guard url.isSecure || ["localhost", "127.0.0.1", "[::1]"].contains(url.host) else {
            throw Failure(
                .denied,
                "\(address) is not encrypted, and the token would be readable on the way. Use an https address."
            )
        }
        base = url.text.hasSuffix("/") ? String(url.text.dropLast()) : url.text
        self.token = token
    }

    var name: String { base }

    func send(_ request: DeskRequest, into file: String?, _ progress: Progress) throws -> DeskAnswer {
        let destination: Destination = file.map { .file(path: $0, limit: .max) } ?? .memory(limit: 64 << 20)
        let answer = try http.send(call(request), into: destination, progress: progress)
        return DeskAnswer(status: answer.status, headers: answer.headers, body: answer.body)
    }

    func events(
        _ path: String, _ cancellation: Cancellation, _ each: @escaping @Sendable (String, String) -> Void
    ) throws {
        let reader = Mutex(EventReader())
        let call = call(DeskRequest("GET", path, accept: "text/event-stream"))
        let answer = try http.send(
            call,
            into: .pieces { piece in
                for (event, data) in reader.withLock({ $0.take(piece) }) { each(event, data) }
            },
            progress: Progress(cancellation: cancellation))
        guard answer.isSuccess else {
            throw Failure(.unavailable, "The desk does not tell what happens (\(answer.status)).")
        }
    }

    private func call(_ request: DeskRequest) -> HTTPCall {
        var call = HTTPCall(
            request.method, base + request.target,
            headers: [("Authorization", "Bearer \(token)"), ("Accept", request.accept)])
        call.followsRedirects = false
        switch request.body {
        case .none: break
        case .json(let json):
            call.headers.append((name: "Content-Type", value: "application/json"))
            call.body = .bytes(json.bytes)
        case .file(let file):
            let form = FileForm(file)
            call.headers.append((name: "Content-Type", value: form.mediaType))
            call.body = form.upload
        }
        return call
    }
}

/// Takes server-sent events out of a stream of bytes.
struct EventReader {
    private var half: [UInt8] = []
    private var event = ""
    private var data: [String] = []

    mutating func take(_ piece: UnsafeRawBufferPointer) -> [(event: String, data: String)] {
        var found: [(event: String, data: String)] = []
        for byte in piece {
            guard byte == 0x0A else {
                if half.count < 1 << 20 { half.append(byte) }
                continue
            }
            if half.last == 0x0D { half.removeLast() }
            let line = String(decoding: half, as: UTF8.self)
            half = []
            if line.isEmpty {
                if !data.isEmpty {
                    found.append((event.isEmpty ? "message" : event, data.joined(separator: "\n")))
                }
                (event, data) = ("", [])
            } else if line.hasPrefix("event:") {
                event = String(line.dropFirst(6).drop { $0 == " " })
            } else if line.hasPrefix("data:") {
                data.append(String(line.dropFirst(5).drop { $0 == " " }))
            }
        }
        return found
    }
}
