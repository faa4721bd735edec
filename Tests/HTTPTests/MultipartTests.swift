import HTTP
import TestSupport
import Testing

@Suite("A multipart form")
struct MultipartTests {
    /// A part as it came out, its pieces put together.
    struct Received: Equatable {
        var part: MultipartParser.Part
        var bytes: [UInt8] = []
        var isComplete = false
    }

    private let usual =
        "--xyz\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nHello\r\n"
        + "--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"C:\\\\letters\\\\a.pdf\"\r\n"
        + "Content-Type: application/pdf\r\n\r\n%PDF\r\n\r--xyz\r\n-\r\n--xy\r\r\n\r\n--xyz--\r\nepilogue"

    private func parse(
        _ body: [UInt8], boundary: String = "xyz", limits: MultipartParser.Limits = .init(), cuts: [Int] = []
    ) throws -> [Received] {
        let type = try #require(MediaType("multipart/form-data; boundary=\(boundary)"))
        var parser = try #require(MultipartParser(type, limits: limits))
        var received: [Received] = []
        var start = 0
        for end in cuts + [body.count] {
            try body[start..<end].withUnsafeBytes { piece in
                try parser.push(piece) { event in
                    switch event {
                    case .part(let part): received.append(Received(part: part))
                    case .data(let bytes): received[received.count - 1].bytes += bytes
                    case .endOfPart: received[received.count - 1].isComplete = true
                    }
                }
            }
            start = end
        }
        try parser.finish()
        return received
    }

    private func status(_ body: String, limits: MultipartParser.Limits = .init()) -> Status? {
        do {
            _ = try parse(Array(body.utf8), limits: limits)
            return nil
        } catch {
            return (error as? Refusal)?.status
        }
    }

    @Test("is taken apart into fields and files")
    func parts() throws {
        let parts = try parse(Array(usual.utf8))
        #expect(parts.count == 2)
        #expect(parts[0].part == .init(name: "title"))
        #expect(String(decoding: parts[0].bytes, as: UTF8.self) == "Hello")
        #expect(parts[1].part == .init(name: "file", fileName: "a.pdf", mediaType: .pdf))
        #expect(String(decoding: parts[1].bytes, as: UTF8.self) == "%PDF\r\n\r--xyz\r\n-\r\n--xy\r\r\n")
        #expect(parts.map(\.isComplete) == [true, true])
    }

    @Test("comes out the same wherever the pieces are cut")
    func everyCut() throws {
        let body = Array(usual.utf8)
        let whole = try parse(body)
        for cut in 0...body.count { #expect(try parse(body, cuts: [cut]) == whole) }
        #expect(try parse(body, cuts: Array(0..<body.count)) == whole)
    }

    @Test("comes out as it went in, for random contents full of near misses, in random pieces")
    func roundTrips() throws {
        var dice = Dice(5)
        let crumbs = [
            "\r\n--xy", "\r\n--xyy", "\r", "\n", "\r\n", "--xyz", "-", "xyz", "\r\n--", "z", "\r\r\n--xy",
        ]
        for _ in 0..<1_500 {
            let contents: [[UInt8]] = (0..<dice.below(5)).map { _ in
                (0..<dice.below(12)).flatMap { _ in
                    dice.below(3) == 0 ? dice.bytes(upTo: 3) : Array(crumbs[dice.below(crumbs.count)].utf8)
                }
            }.filter { !String(decoding: [13, 10] + $0, as: UTF8.self).contains("\r\n--xyz") }
            var body: [UInt8] = []
            for (number, content) in contents.enumerated() {
                body += Array("--xyz\r\nContent-Disposition: form-data; name=\"\(number)\"\r\n\r\n".utf8)
                body += content + [13, 10]
            }
            body += Array("--xyz--\r\n".utf8)
            let cuts = (0..<dice.below(10)).map { _ in dice.below(body.count) }.sorted()
            #expect(try parse(body, cuts: cuts).map(\.bytes) == contents)
        }
    }

    @Test("says the same about spoilt bodies wherever the pieces are cut, and never traps")
    func fuzzed() {
        var dice = Dice(6)
        for _ in 0..<5_000 {
            let body = Array(dice.spoil(usual).utf8)
            let cuts = (0..<dice.below(20)).map { _ in dice.below(body.count + 1) }.sorted()
            let whole = Result { try parse(body) }
            let pieces = Result { try parse(body, cuts: cuts) }
            switch (whole, pieces) {
            case (.success(let a), .success(let b)): #expect(a == b)
            case (.failure(let a), .failure(let b)): #expect(a as? Refusal == b as? Refusal)
            default: Issue.record("cut at \(cuts), \(body) comes out differently")
            }
        }
    }

    @Test("may have empty parts, spaces after a boundary, and text before the first")
    func oddities() throws {
        let body =
            "preamble\r\n--xyz \t\r\ncontent-disposition:form-data;name=a\r\n\r\n\r\n--xyz--"
        let parts = try parse(Array(body.utf8))
        #expect(parts == [Received(part: .init(name: "a"), bytes: [], isComplete: true)])
        #expect(try parse(Array("--xyz--".utf8)).isEmpty)
    }

    @Test("knows names with quotes, umlauts and paths in them")
    func names() throws {
        let body =
            "--xyz\r\nContent-Disposition: form-data; name=\"a%22b\"; filename=\"../../etc/pass;wörd\"\r\n\r\n\r\n--xyz--"
        let parts = try parse(Array(body.utf8))
        #expect(parts.first?.part == .init(name: "a\"b", fileName: "pass;wörd"))
    }

    @Test("is refused when it breaks its own grammar")
    func broken() {
        #expect(status("") == .badRequest)
        #expect(status("--xyz\r\n") == .badRequest)
        #expect(status("--xyz\r\nContent-Disposition: form-data; name=a\r\n\r\nbody") == .badRequest)
        #expect(status("--xyz\r\n\r\nno headers\r\n--xyz--") == .badRequest)
        #expect(status("--xyz\r\nContent-Type: text/plain\r\n\r\nno name\r\n--xyz--") == .badRequest)
        #expect(status("--xyz\r\nContent-Disposition: attachment; name=a\r\n\r\n\r\n--xyz--") == .badRequest)
        #expect(status("--xyzzy\r\n\r\n--xyz--") == .badRequest)
        #expect(status("--xyz\r\nbad header\r\n\r\n\r\n--xyz--") == .badRequest)
    }

    @Test("is refused when it swells")
    func limits() {
        let part = "--xyz\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n"
        #expect(
            status(String(repeating: part, count: 4) + "--xyz--", limits: .init(partCount: 3))
                == .contentTooLarge)
        #expect(
            status("--xyz\r\nX: \(String(repeating: "a", count: 9_000))\r\n\r\n", limits: .init())
                == .headersTooLarge)
        #expect(status(String(repeating: "preamble ", count: 1_000)) == .badRequest)
    }

    @Test("needs a boundary that can be found again")
    func boundaries() throws {
        for bad in [
            "", "; boundary=\"\"", "; boundary=\(String(repeating: "a", count: 71))", "; boundary=\"a \"",
        ] {
            let type = MediaType("multipart/form-data\(bad)")
            #expect(type.flatMap { MultipartParser($0) } == nil)
        }
        #expect(MultipartParser(.urlEncoded) == nil)
    }
}
