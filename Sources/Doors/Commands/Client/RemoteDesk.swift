import Bytes
import HTTP
import Markup
import Storage
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

    private func call(_ request: DeskRequest) -> HTTPCall {
        var call = HTTPCall(
            request.method, base + request.target,
            headers: [
                ("Authorization", "Bearer \(token)"), ("Accept", request.accept),
                ("Accept-Language", request.language.tag),
            ])
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
