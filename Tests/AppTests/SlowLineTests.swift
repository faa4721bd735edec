import App
import Glibc
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("A desk whose PostgreSQL is far away", .enabled(if: PostgresCluster.isInstalled))
struct SlowLineTests {
    private static let leftOver = 640

    @Test(
        "opens without waiting for small files that a power cut left over, and brings them to their place beside"
    )
    func leftOver() throws {
        try withConfig(.postgres) { config in
            guard case .postgres(let address, _) = config.database else {
                Issue.record("this desk is not on PostgreSQL")
                return
            }
            let letters = (0..<Self.leftOver).map { Array("letter \($0)".utf8) }
            let near = try Quire.open(config, log: .silent)
            let digests = try letters.map { letter in
                let digest = try near.store.blobs.put(letter)
                try near.store.write { tx in
                    try tx.keep(digest)
                    try tx.run("INSERT INTO fresh_blob (digest, bytes) VALUES (\(digest), \(letter))")
                }
                unlink(try near.store.blobs.path(of: digest))
                return digest
            }
            near.stop()

            let parts = address.split(separator: " ")
            let socket = try #require(parts.first?.split(separator: "=").last)
            let line = try Peer("slow_line.py", ["\(socket)/.s.PGSQL.5432", "20"])
            let far = try Config.load(
                flags: [
                    "home": config.home,
                    "database": (["host=127.0.0.1", "port=\(line.port)"] + parts.dropFirst()).joined(
                        separator: " "),
                ], environment: [:])
            let desk = try Quire.open(far, role: .server, log: .silent)
            defer { desk.stop() }
            try desk.start()
            // One by one each would be asked for, put down and forgotten.
            let answers = try answers(of: line)
            #expect(answers < Self.leftOver, "\(answers)")
            #expect(try desk.store.blobs.read(digests[Self.leftOver - 1]) == letters[Self.leftOver - 1])
            let watch = Stopwatch()
            func isLeft() throws -> Bool {
                try desk.store.read { try $0.row("SELECT 1 AS one FROM fresh_blob LIMIT 1") != nil }
            }
            while try isLeft(), watch.elapsed < .seconds(60) { usleep(50_000) }
            #expect(try !isLeft())
            #expect(try desk.store.verify().problems == [])
        }
    }

    private func answers(of line: Peer) throws -> Int {
        let end = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(end) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(line.port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(end, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0, write(end, "?", 1) == 1 else { throw PeerError(why: "the line is closed") }
        var said = [UInt8](repeating: 0, count: 32)
        let count = read(end, &said, said.count)
        return try #require(Int(String(decoding: said.prefix(max(0, count)), as: UTF8.self)))
    }
}
