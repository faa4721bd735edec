import Glibc
import HTTP
import HTTPServer
import Testing
import Work

@Suite("Uploads")
struct UploadTests {
    /// Tells what arrived: how many bytes, and their sum.
    private let upload = Route(.post, "/upload", body: .upload(limit: 4_000_000)) { request in
        switch request.body {
        case .none: return .text("none")
        case .bytes(let bytes): return .text("bytes \(bytes.count)")
        case .file(let path, let count): return .text("file \(count) \(sum(try read(path)))")
        case .form(let form):
            let files = try form.files.map { file in
                "\(file.name)/\(file.fileName)/\(file.mediaType)/\(file.byteCount)/\(sum(try read(file.path)))"
            }
            return .text((form.fields.map { "\($0.name)=\($0.value)" } + files).joined(separator: " "))
        }
    }
    private let note = Route(.post, "/note", body: .bytes(limit: 1_000)) { request in
        guard case .bytes(let bytes) = request.body else { return .text("nothing") }
        return .text("bytes \(bytes.count)")
    }

    private func post(
        _ live: LiveServer, _ target: String, _ headers: String, _ body: [UInt8], chunk: Int? = nil
    ) throws -> [Reply] {
        let client = try live.connect()
        try client.send("POST \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(headers)")
        if let chunk {
            try client.send("Transfer-Encoding: chunked\r\n\r\n")
            for start in stride(from: 0, to: body.count, by: chunk) {
                let piece = body[start..<min(start + chunk, body.count)]
                try client.send(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10])
            }
            try client.send("0\r\n\r\n")
        } else {
            try client.send("Content-Length: \(body.count)\r\n\r\n")
            try client.send(body)
        }
        return Reply.all(in: client.readToEnd())
    }

    @Test("go to a file while they come in, with a length or in chunks, and the file is gone afterwards")
    func file() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try withServer([upload]) { live throws in
            #expect(try post(live, "/upload", "", bytes).first?.text == "file 3000000 \(sum(bytes))")
            #expect(
                try post(live, "/upload", "", bytes, chunk: 777_777).first?.text
                    == "file 3000000 \(sum(bytes))")
            #expect(live.spooled.isEmpty)
        }
    }

    @Test("are taken apart while they come in when they are forms")
    func form() throws {
        let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        let body =
            Array("--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nBrief für Ada\r\n".utf8)
            + Array("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n\r\n".utf8)
            + content
            + Array(
                "\r\n--b\r\nContent-Disposition: form-data; name=\"empty\"; filename=\"\"\r\n\r\n\r\n--b--"
                    .utf8)
        let type = "Content-Type: multipart/form-data; boundary=b\r\n"
        let expected = "title=Brief für Ada file/a.bin/application/octet-stream/200000/\(sum(content))"
        try withServer([upload]) { live throws in
            #expect(try post(live, "/upload", type, body).first?.text == expected)
            #expect(try post(live, "/upload", type, body, chunk: 99).first?.text == expected)
            #expect(live.spooled.isEmpty)
        }
    }

    @Test("that break their form are refused, and leave nothing behind")
    func brokenForm() throws {
        let type = "Content-Type: multipart/form-data; boundary=b\r\n"
        let half = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nhalf"
        try withServer([upload]) { live throws in
            #expect(try post(live, "/upload", type, Array(half.utf8)).first?.status == 400)
            #expect(try post(live, "/upload", type, Array("no boundary".utf8)).first?.status == 400)
            #expect(
                try post(live, "/upload", "Content-Type: multipart/form-data\r\n", [1]).first?.status == 400)
            #expect(live.spooled.isEmpty)
            #expect(live.isHealthy)
        }
    }

    @Test("that are announced as too large are refused before they are sent")
    func tooLargeEarly() throws {
        try withServer([upload]) { live throws in
            let client = try live.connect()
            try client.send("POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000000\r\n\r\n")
            let reply = Reply.all(in: client.readToEnd()).first
            #expect(reply?.status == 413)
            #expect(reply?.headers["connection"]?.lowercased() == "close")
        }
    }

    @Test("that turn out too large are refused although nobody said so")
    func tooLargeLate() throws {
        try withServer([upload, note]) { live throws in
            let bytes = [UInt8](repeating: 1, count: 4_500_000)
            #expect(try post(live, "/upload", "", bytes, chunk: 100_000).first?.status == 413)
            #expect(try post(live, "/note", "", Array(bytes.prefix(1_001)), chunk: 100).first?.status == 413)
            #expect(
                try post(live, "/note", "", Array(bytes.prefix(1_000)), chunk: 100).first?.text
                    == "bytes 1000")
            #expect(live.spooled.isEmpty)
        }
    }

    @Test("that never end are cut off")
    func endless() throws {
        try withServer([note]) { live throws in
            let bytes = [UInt8](repeating: 1, count: 40_000_000)
            let replies = try post(live, "/note", "", bytes, chunk: 1_000_000)
            #expect(replies.isEmpty)
            #expect(live.isHealthy)
        }
    }

    @Test("that are refused and short do not cost the connection")
    func keepAlive() throws {
        try withServer([note]) { live throws in
            let client = try live.connect()
            let body = String(repeating: "a", count: 2_000)
            try client.send("POST /note HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n\(body)")
            #expect(try client.read(until: "\"detail\"").contains("413"))
            try client.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try client.read(until: "ok\n").contains("200"))
        }
    }

    @Test("wait for our word when they ask for it, and are refused without being sent")
    func expectations() throws {
        try withServer([upload, note]) { live throws in
            let patient = try live.connect()
            try patient.send(
                "POST /upload HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
            #expect(try patient.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100"))
            try patient.send("hello")
            #expect(try patient.read(until: "file 5").contains("200"))

            let large = try live.connect()
            try large.send(
                "POST /note HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n")
            #expect(Reply.all(in: large.readToEnd()).first?.status == 413)

            let odd = try live.connect()
            try odd.send(
                "POST /note HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\nContent-Length: 5\r\n\r\nhello")
            #expect(Reply.all(in: odd.readToEnd()).first?.status == 417)
        }
    }

    @Test("of strangers are refused before the first byte is stored")
    func admission() throws {
        try withServer(
            [upload], admission: { _, _ in throw Refusal(.unauthorized, "Who are you?") },
            { live throws in
                let client = try live.connect()
                try client.send("POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n")
                let reply = Reply.all(in: client.readToEnd()).first
                #expect(reply?.status == 401)
                #expect(live.spooled.isEmpty)
            })
    }

    @Test("that fill the disk are answered with 507")
    func fullDisk() throws {
        try withServer([upload], settings: { $0.spoolDirectory = "/proc/nowhere" }) { live throws in
            #expect(try post(live, "/upload", "", [1, 2, 3]).first?.status == 503)
            #expect(live.isHealthy)
        }
    }

    @Test("whose client goes away leave nothing behind")
    func abandoned() throws {
        try withServer([upload]) { live throws in
            var client: Client? = try live.connect()
            try client?.send("POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf")
            client = nil
            #expect(live.isHealthy)
            var left = live.spooled
            for _ in 0..<500 where !left.isEmpty {
                usleep(10_000)
                left = live.spooled
            }
            #expect(left.isEmpty)
        }
    }
}

private func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw Client.Trouble(what: "cannot read \(path)") }
    defer { fclose(file) }
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&buffer, 1, buffer.count, file)
        if count == 0 { return all }
        all += buffer[..<count]
    }
}

private func sum(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(7) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
