public import Crypto
public import HTTP
import HTTPServer
import Testing
import Work

/// A time stamp authority on this machine: `openssl ts` behind a door.
public func withStamps<R>(
    unless isSilent: @escaping @Sendable () -> Bool = { false },
    _ body: (_ address: String, _ root: X509Certificate) throws -> R
) throws -> R {
    try withScratchFolder { folder in
        let made = try Child(
            "/bin/sh",
            [
                "-c",
                """
                cd \(folder) && openssl req -x509 -newkey rsa:2048 -nodes -subj '/CN=Clock' -days 3650 -keyout k.pem \
                -out c.pem -addext 'extendedKeyUsage=critical,timeStamping' && echo 01 > serial && cat > ts.cnf <<'END'
                [tsa]
                default_tsa = one
                [one]
                serial = \(folder)/serial
                crypto_device = builtin
                signer_cert = \(folder)/c.pem
                signer_key = \(folder)/k.pem
                signer_digest = sha256
                default_policy = 1.2.3.4.1
                digests = sha256
                ess_cert_id_alg = sha256
                END
                """,
            ], environment: Child.usualEnvironment
        ).run()
        guard made.succeeded else { throw PeerError(why: made.errorText) }
        let route = Route(.post, "/stamp") { request in
            if isSilent() { return Response(.unavailable) }
            return try answer(request, in: folder, "openssl ts -reply -config ts.cnf -queryfile q -out a")
        }
        let root = try #require(X509Certificate.all(pem: try contents(of: folder + "/c.pem")).first)
        return try withDoor([route]) { address in try body(address + "/stamp", root) }
    }
}

public func answer(_ request: Request, in folder: String, _ command: String) throws -> Response {
    guard case .bytes(let question) = request.body else { return Response(.badRequest) }
    try write(question, to: folder + "/q")
    let outcome = try Child(
        "/bin/sh", ["-c", "cd \(folder) && \(command)"], environment: Child.usualEnvironment
    ).run()
    guard outcome.succeeded else { throw PeerError(why: outcome.errorText) }
    return Response(body: .bytes(try contents(of: folder + "/a")))
}

/// One question after another, as all are answered through the same files.
public func withDoor<R>(_ routes: [Route], _ body: (_ address: String) throws -> R) throws -> R {
    let workers = Workers(name: "authorities", threads: 1)
    let server = Server(ServerSettings(), router: Router(routes), workers: workers, log: .silent)
    let port = try server.start()
    defer {
        server.stop(grace: .seconds(2))
        workers.stop()
    }
    return try body("http://127.0.0.1:\(port)")
}
