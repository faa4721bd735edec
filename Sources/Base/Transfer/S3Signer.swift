import Bytes
import Crypto
public import Work

/// Signs a request the way S3 stores demand (AWS Signature Version 4).
///
/// Ours, because the signer in the curl of Debian 12 is wrong for unsorted queries, for parameters without a
/// value and for streamed bodies.
public struct S3Signer: Sendable {
    public var accessKey: String
    public var secretKey: String
    public var sessionToken: String?
    public var region: String
    public var service: String

    public init(
        accessKey: String, secretKey: String, sessionToken: String? = nil, region: String,
        service: String = "s3"
    ) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
        self.region = region
        self.service = service
    }

    /// The digest that stands for "the body is not part of the signature"; only safe over an encrypted line.
    public static let unsignedBody = "UNSIGNED-PAYLOAD"

    /// The headers to send, `Authorization` among them. `path` is already percent-coded; `query` is not.
    /// All `headers` given are signed, and `host` must be exactly what the `Host` header will say.
    public func headers(
        method: String, host: String, path: String, query: [(String, String)] = [],
        headers: [(String, String)] = [], bodyDigest: String, at moment: Moment
    ) -> [(String, String)] {
        let stamp = Self.stamp(moment)
        var signed = headers + [("host", host), ("x-amz-content-sha256", bodyDigest), ("x-amz-date", stamp)]
        if let sessionToken { signed.append(("x-amz-security-token", sessionToken)) }
        let (names, signature) = sign(
            method: method, path: path, query: query, headers: signed, bodyDigest: bodyDigest, stamp: stamp)
        let credential = "\(accessKey)/\(scope(stamp))"
        let authorization =
            "AWS4-HMAC-SHA256 Credential=\(credential),SignedHeaders=\(names),Signature=\(signature)"
        return signed.filter { $0.0 != "host" } + [("Authorization", authorization)]
    }

    /// The three steps of the specification: canonical request, string to sign, key made for the day.
    func sign(
        method: String, path: String, query: [(String, String)], headers: [(String, String)],
        bodyDigest: String, stamp: String
    ) -> (names: String, signature: String) {
        let canonical = Self.canonicalHeaders(headers)
        let names = canonical.map(\.name).joined(separator: ";")
        let request = [
            method, path.isEmpty ? "/" : path, Self.canonicalQuery(query),
            canonical.map { "\($0.name):\($0.value)\n" }.joined(), names, bodyDigest,
        ].joined(separator: "\n")
        let digest = Hex.encode(SHA256.hash(Array(request.utf8)))
        let toSign = "AWS4-HMAC-SHA256\n\(stamp)\n\(scope(stamp))\n\(digest)"
        var key = Array("AWS4\(secretKey)".utf8)
        for part in [String(stamp.prefix(8)), region, service, "aws4_request", toSign] {
            key = HMAC.sha256(key: key, message: Array(part.utf8))
        }
        return (names, Hex.encode(key))
    }

    private func scope(_ stamp: String) -> String { "\(stamp.prefix(8))/\(region)/\(service)/aws4_request" }

    /// Lower-case names in byte order; one line for each, several values joined with commas, runs of spaces
    /// made one.
    private static func canonicalHeaders(_ headers: [(String, String)]) -> [(name: String, value: String)] {
        var values: [String: [String]] = [:]
        for (name, value) in headers {
            let words = value.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r\n" })
            values[name.lowercased(), default: []].append(words.joined(separator: " "))
        }
        return values.map { (name: $0.key, value: $0.value.joined(separator: ",")) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Sorted by the coded bytes; a parameter without a value keeps its `=`. The same text goes into the
    /// address, so that no proxy needs to tidy it.
    static func canonicalQuery(_ query: [(String, String)]) -> String {
        query.map { (PercentText.encode($0.0), PercentText.encode($0.1)) }
            .sorted {
                $0.0 == $1.0
                    ? $0.1.utf8.lexicographicallyPrecedes($1.1.utf8)
                    : $0.0.utf8.lexicographicallyPrecedes($1.0.utf8)
            }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    /// `20261121T113500Z`
    static func stamp(_ moment: Moment) -> String {
        String(moment.iso8601.prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
    }
}
