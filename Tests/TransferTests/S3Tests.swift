import Bytes
import Crypto
import Synchronization
import TestSupport
import Testing
import Work

@testable import Transfer

@Suite struct S3SignerTests {
    static let nothing = Hex.encode(SHA256.hash([]))

    /// The worked examples of "Authenticating Requests: Using the Authorization Header" in the S3 API reference.
    private func example(
        _ method: String, _ path: String, query: [(String, String)] = [], headers: [(String, String)] = [],
        digest: String = Self.nothing
    ) -> String {
        let signer = S3Signer(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            region: "us-east-1")
        let made = signer.headers(
            method: method, host: "examplebucket.s3.amazonaws.com", path: path, query: query,
            headers: headers,
            bodyDigest: digest, at: Moment(milliseconds: 1_369_353_600_000))
        return made.last.map { String($0.1.suffix(64)) } ?? ""
    }

    @Test("the signatures are those of Amazon's own examples")
    func published() {
        #expect(
            example("GET", "/test.txt", headers: [("Range", "bytes=0-9")])
                == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
        #expect(
            example(
                "PUT", "/test%24file.text",
                headers: [
                    ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
                ],
                digest: Hex.encode(SHA256.hash("Welcome to Amazon S3.")))
                == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
        #expect(
            example("GET", "/", query: [("lifecycle", "")])
                == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
        #expect(
            example("GET", "/", query: [("prefix", "J"), ("max-keys", "2")])
                == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test("the plainest request of the general test suite agrees too")
    func vanilla() {
        let signer = S3Signer(
            accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
            region: "us-east-1",
            service: "service")
        let made = signer.sign(
            method: "GET", path: "/", query: [],
            headers: [("Host", "example.amazonaws.com"), ("X-Amz-Date", "20150830T123600Z")],
            bodyDigest: Self.nothing, stamp: "20150830T123600Z")
        #expect(made.names == "host;x-amz-date")
        #expect(made.signature == "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
    }

    @Test("queries are sorted by their coded bytes")
    func queries() {
        #expect(
            S3Signer.canonicalQuery([("b", ""), ("a", "z"), ("a", "A"), ("ü", "x y"), ("B", "+=&/~")])
                == "%C3%BC=x%20y&B=%2B%3D%26%2F~&a=A&a=z&b=")
    }
}

@Suite(.enabled(if: Peer.has("moto.server"), "the Python package moto is not installed (bin/setup --check)"))
struct S3ClientTests {
    /// One store for all; each test has a bucket of its own.
    private static let peer = Result { try Peer("store.py") }
    private static let made = Atomic(0)

    let peer: Peer
    let bucket: String
    let client: S3Client
    private let http = HTTPClient(guardian: .anywhere)
    private let signer = S3Signer(
        accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", region: "us-east-1")

    init() throws {
        peer = try Self.peer.get()
        bucket = "papers-\(Self.made.add(1, ordering: .relaxed).newValue)"
        client = try S3Client(S3Account(endpoint: peer.url, bucket: bucket, signer: signer), over: http)
        let headers = signer.headers(
            method: "PUT", host: "127.0.0.1:\(peer.port)", path: "/\(bucket)",
            bodyDigest: Hex.encode(SHA256.hash([])), at: Clock.system.now())
        let answer = try http.send(HTTPCall("PUT", "\(peer.url)/\(bucket)", headers: headers))
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    @Test(
        "an object comes back as it was, whatever its key",
        arguments: [
            "plain", "a b/grüße +=&.pdf", "x//y", "per%cent", "semi;colon?query#hash", "ends with space ",
            "~-._", "..//..",
        ])
    func roundTrip(_ key: String) throws {
        let body = noise(70_000)
        try client.put(key, .bytes(body), mediaType: "application/pdf")
        #expect(try client.get(key, into: .memory(limit: 100_000)).body == body)
        #expect(try client.head(key)?.byteCount == 70_000)
        var listed: [S3Object] = []
        try client.list { listed += $0 }
        #expect(listed.map(\.key) == [key] && listed.first?.byteCount == 70_000)
        try client.delete(key)
        try client.delete(key)
        #expect(try client.head(key) == nil)
    }

    @Test("files stream both ways")
    func files() throws {
        try withScratchFolder { folder in
            let body = noise(3_000_000)
            try write(body, to: folder + "/up")
            try client.put("big", .file(path: folder + "/up"))
            try client.put("known", .file(path: folder + "/up"), digest: Hex.encode(SHA256.hash(body)))
            _ = try client.get("known", into: .file(path: folder + "/down", limit: 4_000_000))
            #expect(try contents(of: folder + "/down") == body)
        }
    }

    @Test("a long list comes in pages, and a prefix keeps to itself")
    func pages() throws {
        let workers = Workers(name: "test", threads: 4)
        defer { workers.stop() }
        _ = try workers.map(Array(0..<1100)) { try client.put("many/\($0)", .bytes([])) }
        try client.put("other", .bytes([1]))
        var sizes: [Int] = []
        try client.list(prefix: "many/") { sizes.append($0.count) }
        #expect(sizes == [1000, 100])
    }

    @Test("a wrong key is refused in the store's words")
    func wrongKey() throws {
        var bad = signer
        bad.secretKey = "wrong"
        let stranger = try S3Client(S3Account(endpoint: peer.url, bucket: bucket, signer: bad), over: http)
        #expect(
            throws: TransferError.answer(
                status: 403, words: "SignatureDoesNotMatch: the signature does not hold")
        ) { try stranger.put("a", .bytes([1])) }
        #expect(
            throws: TransferError.answer(
                status: 403, words: "SignatureDoesNotMatch: the digest is not the body's")
        ) {
            try client.put("a", .bytes([1]), digest: Hex.encode(SHA256.hash([2])))
        }
    }

    @Test("a bucket's name cannot leave its place", arguments: ["", "a/b", "a b", "a?b", "é"])
    func buckets(_ name: String) {
        #expect(throws: TransferError.self) {
            try S3Client(S3Account(endpoint: peer.url, bucket: name, signer: signer), over: http)
        }
    }
}
