import Browsing
import Bytes
import Office
import Transfer
import Work

/// A Gotenberg-compatible server that converts office papers and web pages, so that a small machine can lean on a
/// large one.
///
/// Papers leave this machine for it: nobody has one who did not name it.
public struct RemoteEngine: Sendable {
    /// Without a slash at its end.
    public let address: String
    private let authorization: String?
    private let client: HTTPClient
    private let longest: Duration

    /// `http://user:password@host:3000`; a user that is called `bearer` makes a token of the password.
    public init(_ text: String, longest: Duration = .seconds(120)) throws(ConversionError) {
        let parts = text.firstRange(of: "://").map { (text[..<$0.lowerBound], text[$0.upperBound...]) }
        guard let (scheme, rest) = parts, ["http", "https"].contains(scheme.lowercased()) else {
            throw .badOption("“\(Self.shown(text))” is no address of a server, such as http://host:3000.")
        }
        let host = rest.prefix { $0 != "/" }
        var place = String(rest)
        var secret: String?
        if let at = host.lastIndex(of: "@") {
            let pair = String(host[..<at])
            place = String(rest[rest.index(after: at)...])
            let colon = pair.firstIndex(of: ":") ?? pair.endIndex
            let user = PageSource.decoded(String(pair[..<colon]))
            let password = PageSource.decoded(String(pair[colon...].dropFirst()))
            secret =
                user == "bearer"
                ? "Bearer \(password)" : "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
        }
        while place.hasSuffix("/") { place.removeLast() }
        guard !place.isEmpty, (try? WebAddress("\(scheme)://\(place)")) != nil else {
            throw .badOption("“\(Self.shown(text))” is no address of a server, such as http://host:3000.")
        }
        address = "\(scheme)://\(place)"
        authorization = secret
        self.longest = longest
        // Whoever runs Quire chose the server; it stands beside it more often than not.
        client = HTTPClient(guardian: .anywhere)
    }

    /// An address without what is secret in it.
    public static func shown(_ text: String) -> String {
        guard let start = text.firstRange(of: "://"),
            let at = text[start.upperBound...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
        else { return text }
        return text[..<start.upperBound] + "…" + text[at...]
    }

    struct File {
        var name: String
        var bytes: [UInt8]
    }

    private enum Reply {
        case made([UInt8])
        case again(String)
        case refused(ConversionError)
    }

    /// Three more tries, each after a longer wait, when the server is busy or cannot be reached; what it says of the
    /// paper itself is believed the first time.
    func convert(
        _ route: String, _ fields: [(String, String)], _ files: [File], named name: String,
        _ cancellation: Cancellation
    ) throws(ConversionError) -> [UInt8] {
        let boundary = "quire-" + Hex.encode(Chance.system.bytes(16))
        let body = Self.body(fields, files, boundary)
        let watch = Stopwatch()
        var pause = Duration.milliseconds(500)
        var last = "it took too long"
        for attempt in 0..<4 {
            if attempt > 0 {
                guard watch.elapsed + pause < longest else { break }
                Self.wait(pause, cancellation)
                pause = pause * 2
            }
            if cancellation.isCancelled { throw .cancelled(reason: cancellation.reason ?? "cancelled") }
            switch ask(route, body, boundary, name, max(.seconds(1), longest - watch.elapsed), cancellation) {
            case .made(let bytes): return bytes
            case .refused(let error): throw error
            case .again(let why): last = why
            }
        }
        throw .engineFailed("“\(name)”: \(address) did not convert it: \(last).")
    }

    private func ask(
        _ route: String, _ body: [UInt8], _ boundary: String, _ name: String, _ time: Duration,
        _ cancellation: Cancellation
    ) -> Reply {
        var headers = [("Content-Type", "multipart/form-data; boundary=\(boundary)")]
        if let authorization { headers.append(("Authorization", authorization)) }
        let call = HTTPCall(
            "POST", "\(address)/forms/\(route)", headers: headers, body: .bytes(body), timeout: time)
        do throws(TransferError) {
            let answer = try client.send(
                call, into: .memory(limit: 1 << 30), progress: Progress(cancellation: cancellation))
            if answer.isSuccess { return .made(answer.body) }
            let said = String(decoding: answer.body.prefix(500), as: UTF8.self)
            switch answer.status {
            case 401, 403:
                return .refused(
                    .engineFailed("\(address) does not let us in: \(said). Look at its name and password."))
            case 400, 409, 413: return .refused(.damaged(name, reason: said))
            case 429, 500...: return .again("it answered \(answer.status): \(said)")
            default: return .refused(.engineFailed("\(address) answered \(answer.status): \(said)"))
            }
        } catch {
            return .again("\(error)")
        }
    }

    private static func wait(_ time: Duration, _ cancellation: Cancellation) {
        let isCancelled = Monitor(false)
        let subscription = cancellation.whenCancelled { isCancelled.update { $0 = true } }
        defer { subscription.cancel() }
        _ = isCancelled.wait(timeout: time) { $0 ? true : nil }
    }

    private static func body(_ fields: [(String, String)], _ files: [File], _ boundary: String) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(files.reduce(4096) { $0 + $1.bytes.count + 256 })
        for (name, value) in fields {
            body +=
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8
        }
        for file in files {
            let name = file.name.filter { $0 != "\"" && !$0.isNewline }
            body +=
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"files\"; filename=\"\(name)\"\r\n"
                .utf8
            body += "Content-Type: application/octet-stream\r\n\r\n".utf8
            body += file.bytes
            body += "\r\n".utf8
        }
        return body + "--\(boundary)--\r\n".utf8
    }
}
