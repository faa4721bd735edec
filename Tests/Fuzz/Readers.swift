import Archives
import Bundling
import Bytes
import Cards
import Crypto
import Glibc
import HTTP
import HTTPServer
import PDF
import PDFReading
import Redaction
import Signing
import Storage
@testable import Sync
import Tables
import Transfer
import Work

/// Something of ours that reads bytes of strangers.
struct Reader: Sendable {
    let name: String
    /// Gives spoiled files, of these beside our own.
    let spoiler: @Sendable ([[UInt8]]) -> @Sendable (Chance) -> [UInt8]
    /// False when they were refused.
    let read: @Sendable ([UInt8], Chance) -> Bool

    private init(
        _ name: String, _ seeds: [[UInt8]] = [], read: @escaping @Sendable ([UInt8], Chance) throws -> Void
    ) {
        self.name = name
        spoiler = { files in
            let spoiler = Spoiler(files: seeds + files)
            return { spoiler.spoiled($0) }
        }
        self.read = { bytes, chance in
            do {
                try read(bytes, chance)
                return true
            } catch {
                // What a person is told of it must be made without a fall, too.
                _ = "\(error)"
                return false
            }
        }
    }

    private init(
        _ name: String, spoiler: @escaping @Sendable ([[UInt8]]) -> @Sendable (Chance) -> [UInt8],
        read: @escaping @Sendable ([UInt8], Chance) -> Bool
    ) {
        self.name = name
        self.spoiler = spoiler
        self.read = read
    }

    private struct Refused: Error {}

    static let all: [Reader] = [
        forms, pdf, redaction, signatures, tables, workbooks, cards, mails, archives, bundles, requests,
        multipart,
        letters, values,
    ]

    private static let forms = Reader(
        "forms", spoiler: papers, read: { bytes, chance in FormTrial(bytes: bytes).run(chance) })

    /// Papers of the kind that forms are, spoiled with a knowledge of how they are written.
    private static let papers: @Sendable ([[UInt8]]) -> @Sendable (Chance) -> [UInt8] = { files in
        let sources = files.map(FormSource.init)
        guard !sources.isEmpty else { return { chance in chance.bytes(100) } }
        return { chance in sources[chance.integer(below: sources.count)].spoiled(chance) }
    }

    /// What is looked for on pages and beside them; the proof's other half are programs of others.
    private static let redaction = Reader(
        "redaction", spoiler: papers,
        read: { bytes, chance in
            var wish = RedactionWish()
            wish.words = ["name", "date of birth", "a*"]
            wish.patterns = Set(RedactionWish.Pattern.allCases)
            if chance.integer(below: 2) == 0 { wish.expressions = ["[0-9]{2,}"] }
            guard let found = try? Redactor(reader: seeing).find(wish, in: bytes) else { return false }
            _ = found.hits.map(\.json.text)
            return true
        })

    private static let seeing = PageReader(jail: .detect())

    private static let signatures = Reader(
        "signatures", spoiler: papers,
        read: { bytes, _ in
            guard
                let paper = try? SignedPaper(
                    bytes, trusting: TrustAnchors(includesSystem: false), now: 1_795_000_000)
            else { return false }
            _ = paper.signatures.map(\.json.text)
            return true
        })

    private static let pdf = Reader(
        "pdf", spoiler: papers,
        read: { bytes, _ in
            guard let file = try? PDFFile(bytes: bytes) else { return false }
            _ = try? file.requirePages()
            for number in 1...60 {
                let reference = PDFReference(number)
                _ = "\(file.object(reference))"
                _ = file.stream(reference, limit: 1 << 20)
            }
            guard let written = try? file.rewritten() else { return true }
            _ = try? PDFFile(bytes: written)
            return true
        })

    private static let tables = Reader("tables", Seeds.texts) { bytes, chance in
        var options = TableOptions()
        if chance.integer(below: 3) == 0 {
            options.format = [.csv, .json, .ndjson, .vcard][chance.integer(below: 4)]
        }
        try rows(bytes, options)
    }

    /// What is in the archive is spoiled, or the archive itself.
    private static let workbooks = Reader(
        "workbooks",
        spoiler: { files in
            let books = [Seeds.workbook, Seeds.openDocument]
            let whole = Spoiler(files: files + books.map(Seeds.archive))
            return { chance in
                if chance.integer(below: 4) == 0 { return whole.spoiled(chance) }
                let parts = books[chance.integer(below: books.count)]
                let spoiled = chance.integer(below: parts.count)
                return Seeds.archive(
                    parts.enumerated().map { place, part in
                        place == spoiled ? (part.0, Spoiler(files: [part.1]).spoiled(chance)) : part
                    })
            }
        },
        read: { bytes, _ in (try? rows(bytes, TableOptions())) != nil })

    private static func rows(_ bytes: [UInt8], _ options: TableOptions) throws {
        var table = try TableReader(bytes: bytes, options: options)
        _ = table.shape.choices.map(\.why)
        var count = 0
        while count < 3_000, let row = try table.next() {
            _ = row.cells.map(\.shown)
            count += 1
        }
    }

    private static let cards = Reader("vcard", Seeds.cards) { bytes, _ in
        let cards = CardFile(bytes).cards
        guard !cards.isEmpty else { throw Refused() }
        for card in cards {
            guard card.untouched != nil else { throw Refused() }
            for form in CardForm.allCases { _ = CardFile(card.bytes(as: form)).cards.first?.fields }
        }
        try rows(bytes, TableOptions())
    }

    private static let mails = Reader("mail", Seeds.mails) { bytes, _ in
        let mail = MailFile(bytes)
        _ = (mail.subject, mail.from, mail.plain, mail.html, mail.attachments.map(\.name), mail.inline.count)
        _ = DeliveryReport(bytes)
    }

    private static let archives = Reader("zip", Seeds.archives) { bytes, _ in
        var limits = ZIPReader.Limits()
        limits.bytesInEntry = 8 << 20
        limits.bytesInAll = 16 << 20
        let archive = try ZIPReader(bytes: bytes, limits: limits)
        for entry in archive.entries.prefix(100) {
            _ = entry.staysInside
            _ = try? archive.bytes(entry)
        }
    }

    /// The manifest is spoiled, or the archive around it.
    private static let bundles = Reader(
        "bundles",
        spoiler: { files in
            let whole = Spoiler(files: files + [Seeds.bundle])
            guard let zip = try? ZIPReader(bytes: Seeds.bundle) else { return { whole.spoiled($0) } }
            let parts = zip.entries.map { ($0.name, (try? zip.bytes($0)) ?? []) }
            return { chance in
                if chance.integer(below: 4) == 0 { return whole.spoiled(chance) }
                return Seeds.archive(
                    parts.map { name, bytes in
                        name == "manifest.json"
                            ? (name, Spoiler(files: [bytes]).spoiled(chance)) : (name, bytes)
                    })
            }
        },
        read: { bytes, _ in
            do throws(BundleError) {
                let (bundle, _) = try Bundle.read(bytes)
                // What was taken in can be given away again.
                guard let again = try? bundle.bytes(), try Bundle.read(again).bundle == bundle else {
                    fatalError("a bundle that is read is not the one that is written")
                }
                return true
            } catch {
                return false
            }
        })

    private static let requests = Reader("http", Seeds.requests) { bytes, _ in
        try LiveServer.shared.ask(bytes)
    }

    private static let multipart = Reader("multipart", Seeds.forms) { bytes, chance in
        guard let type = MediaType("multipart/form-data; boundary=b"), var parser = MultipartParser(type)
        else {
            throw Refused()
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(1 + chance.integer(below: 60)))
            rest = rest.dropFirst(piece.count)
            try piece.withUnsafeBytes { try parser.push($0) { _ in } }
        }
        try parser.finish()
    }

    /// Letters of other desks. Their head tells the digest of what follows, which is made to agree, as whoever holds the
    /// place could do.
    private static let letters = Reader("letters", letterSeeds) { bytes, chance in
        let name = SyncLetter.Name("one", 1)
        let count = bytes.count { $0 == 0x0A }
        let head = SyncLetter.head(
            device: "one", desk: "Desk", number: 1, digest: Digest(of: bytes), count: count)
        let path = "/dev/shm/quire-fuzz-letter-\(getpid())"
        put(chance.integer(below: 8) == 0 ? bytes : head.bytes + [0x0A] + bytes, path)
        defer { unlink(path) }
        let letter = try LetterReader(path, name)
        var clock = StampClock(milliseconds: 0, count: 0)
        var joined: SyncRecord?
        while !letter.isAtEnd {
            for record in try letter.next(50) {
                _ = record.json.bytes
                // What a desk does with it: its own acts come after all that it has heard of.
                if let latest = record.latest { clock.see(latest) }
                _ = clock.next(at: Moment(milliseconds: 1_700_000_000_000), on: "here")
                var wanted = record.wanted
                _ = wanted.act(of: "one")
                if joined == nil { joined = record } else { _ = joined?.join(record) }
            }
        }
    }

    private static var letterSeeds: [[UInt8]] {
        let digest = String(repeating: "ab", count: 32)
        let folder =
            "{\"kind\":\"folder\",\"id\":\"018f0000-0000-7000-8000-000000000000\",\"fields\":{\"name\":[\"1700000000000.0.one\",\"Bills\"]},\"wanted\":{\"one\":3}}\n"
        let paper =
            "{\"kind\":\"paper\",\"id\":\"018f0000-0000-7000-8000-000000000001\",\"fields\":{\"name\":[\"1700000000000.1.one\",\"a.pdf\"],\"tags\":[\"1700000000000.2.two\",[\"x\",\"y\"]]},\"wanted\":{\"one\":4},\"trashed\":{\"two\":1},\"content\":{\"stamp\":\"1700000000000.0.one\",\"device\":\"one\",\"number\":4,\"base\":{\"one\":3},\"desk\":\"Home\",\"digest\":\"\(digest)\",\"size\":12,\"type\":\"application/pdf\"},\"states\":{\"a\":{\"n\":1}}}\n"
        return [folder + paper, paper].map { Array($0.utf8) }
    }

    private static let values = Reader("values", Seeds.values) { bytes, chance in
        switch chance.integer(below: 3) {
        case 0:
            let value = try JSON(parsing: bytes)
            guard try JSON(parsing: value.bytes) == value else {
                fatalError("JSON is not read as it was written")
            }
        case 1: _ = try CBOR(decoding: bytes)
        default: _ = try XMLNode.root(of: bytes, maximumNodes: 10_000)
        }
    }
}

/// The web server as it runs, asked over sockets.
private final class LiveServer: Sendable {
    static let shared = LiveServer()

    private let server: Server
    private let port: Int

    private init() {
        let routes = [
            Route(.get, "/documents/{id}") { .text("\($0.parameters["id"] ?? "") \($0.cookies.count)") },
            Route(.post, "/documents", mode: .quick, body: .bytes(limit: 10_000)) {
                .text("\(try $0.form.fields.count)")
            },
            Route(.post, "/uploads", body: .upload(limit: 100_000)) {
                .text("\((try? $0.form.files.count) ?? -1)")
            },
            .constant("/health", .text("ok\n")),
        ]
        var settings = ServerSettings()
        settings.threads = 1
        settings.spoolDirectory = "/dev/shm"
        server = Server(
            settings, router: Router(routes), workers: Workers(name: "handlers", threads: 1), log: .silent)
        do { port = try server.start() } catch { fatalError("\(error)") }
    }

    private struct Refused: Error {}

    func ask(_ bytes: [UInt8]) throws {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isThere = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, size) == 0 }
        }
        guard isThere else { fatalError("the server does not answer any more") }
        _ = bytes.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        shutdown(client, Int32(SHUT_WR))
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var waiting = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, 300) > 0 {
            let count = recv(client, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            answer += chunk[..<count]
        }
        // Nothing, or something that is an answer; a fault of our own is none.
        let text = String(decoding: answer.prefix(12), as: UTF8.self)
        if text.hasPrefix("HTTP/1.1 500") { fatalError("it failed inside") }
        guard text.hasPrefix("HTTP/1.1 2") else { throw Refused() }
    }
}
