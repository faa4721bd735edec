import Access
import Cards
import Codes
import Glibc
import Jobs
import People
import Storage
import Tables
import Work

/// How fast cards are read, brought into a desk, listed and looked for.
///
///     quire-bench contacts make COUNT FILE     cards as a telephone writes them, always the same
///     quire-bench contacts read FILE           cards a second, without a desk
///     quire-bench contacts import FILE         into a desk on SQLite, the same once more, pages and searches of it
///     quire-bench contacts codes FILE          square codes of the file's lines, drawn a hundred times each
enum ContactsBench {
    static func run(_ arguments: [String]) throws {
        guard arguments.count >= 2 else { throw usage }
        switch (arguments[0], arguments.count) {
        case ("make", 3): try make(Int(arguments[1]) ?? 0, arguments[2])
        case ("read", 2): try read(arguments[1])
        case ("import", 2): try bring(arguments[1])
        case ("codes", 2): try draw(arguments[1])
        default: throw usage
        }
    }

    private static let usage = Failure(.invalid, "contacts make COUNT FILE|read FILE|import FILE|codes FILE")

    private static let given = ["Ana", "Žofie", "José", "Mwajuma", "Łukasz", "Björk", "Amélie", "Kenji"]
    private static let family = ["Ruiz", "Ångström", "Núñez", "Tremblay", "Okafor", "D'Angelo", "Müller"]
    private static let towns = ["Québec", "Bern", "Madison", "Puebla", "Gdańsk", "Nairobi"]

    private static func make(_ count: Int, _ path: String) throws {
        var text = ""
        for number in 0..<count {
            let (given, family) = (given[number % given.count], family[number / 3 % family.count])
            let town = towns[number / 5 % towns.count]
            text += """
                BEGIN:VCARD\r
                VERSION:3.0\r
                PRODID:-//Apple Inc.//iPhone OS 18.1//EN\r
                N:\(family)\(number);\(given);;;\r
                FN:\(given) \(family)\(number)\r
                ORG:The Mill \(number % 997);Office\r
                EMAIL;type=INTERNET;type=HOME;type=pref:\(given.count)\(number)@example.org\r
                EMAIL;type=INTERNET;type=WORK:office\(number)@mill.example.com\r
                TEL;type=CELL;type=VOICE;type=pref:+1 (555) \(100_0000 + number)\r
                item1.ADR;type=HOME;type=pref:;;\(number % 400) Rue de l'Église;\(town);;\(10_000 + number % 9_000);CA\r
                item1.X-ABADR:ca\r
                NOTE:Met at the fair in \(town)\\, hall \(number % 12)\r
                BDAY:19\(40 + number % 60)-0\(1 + number % 9)-1\(number % 10)\r
                CATEGORIES:volunteer,\(town)\r
                UID:6f1c2d3e-0000-4000-8000-\(100_000_000_000 + number)\r
                REV:2026-03-01T10:00:00Z\r
                END:VCARD\r

                """
        }
        guard let file = fopen(path, "wb") else { throw Failure(.unavailable, "\(path) cannot be written.") }
        defer { fclose(file) }
        let bytes = Array(text.utf8)
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
            throw Failure(.unavailable, "\(path) cannot be written.")
        }
    }

    private static func read(_ path: String) throws {
        let bytes = try contents(path)
        let watch = Stopwatch()
        var count = 0
        CardFile.each(bytes, letters: CardFile.letters(of: bytes)) { found in
            if case .card = found { count += 1 }
        }
        Bench.say("read: \(count) cards, \(rate(count, watch)) cards/s")
    }

    private static func bring(_ path: String) throws {
        let bytes = try contents(path)
        let home = "/tmp/quire-bench-contacts-\(getpid())"
        defer { _ = system("rm -rf '\(home)'") }
        let store = try Store.open(home: home, areas: PeopleWork.areas)
        defer { store.close() }
        let contacts = Contacts(Recipients(Gate(store), queue: JobQueue(store)))
        var watch = Stopwatch()
        try contacts.bring(cards: bytes, named: "people.vcf", by: .local)
        let count = try contacts.page(limit: 1, by: .local).matchCount
        Bench.say("import: \(count) cards, \(rate(count, watch)) cards/s, saved; budget 20000 cards/s")
        watch = Stopwatch()
        try contacts.bring(cards: bytes, named: "people.vcf", by: .local)
        Bench.say("the same file again: \(rate(count, watch)) cards/s")
        try pages("page of the list", of: 200) {
            _ = try contacts.page(offset: $0 * 97 % max(1, count), by: .local)
        }
        let words = given + family + towns + ["hall 7", "office41", "5551000", "fair québec"]
        try pages("search", of: 200) {
            _ = try contacts.page(search: "\(words[$0 % words.count]) \($0 % 50)", by: .local)
        }
        try pages("search for one person", of: 200) {
            _ = try contacts.page(
                search: "\(family[$0 % family.count])\($0 * 331 % max(1, count))", by: .local)
        }
    }

    private static func draw(_ path: String) throws {
        let texts = String(decoding: try contents(path), as: UTF8.self).split(separator: "\n").map {
            String($0).replacing("\\n", with: "\r\n")
        }
        let watch = Stopwatch()
        var versions: [Int] = []
        for _ in 0..<100 { versions = texts.compactMap { QRCode($0)?.version } }
        let said = versions.map { "\($0)" }.joined(separator: ", ")
        Bench.say("codes of versions \(said): \(rate(100 * texts.count, watch)) codes/s")
    }

    private static func pages(_ what: String, of count: Int, _ body: (Int) throws -> Void) throws {
        var times: [Double] = []
        for number in 0..<count {
            let watch = Stopwatch()
            try body(number)
            times.append(watch.elapsed / .milliseconds(1))
        }
        times.sort()
        func at(_ share: Double) -> Double { (times[Int(Double(count - 1) * share)] * 10).rounded() / 10 }
        Bench.say("\(what): p50 \(at(0.5)) ms, p95 \(at(0.95)) ms; budget p95 50 ms")
    }

    private static func contents(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw Failure(.notFound, "\(path) is not there.") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    private static func rate(_ count: Int, _ watch: Stopwatch) -> Int {
        Int(Double(count) / (watch.elapsed / .seconds(1)))
    }
}
