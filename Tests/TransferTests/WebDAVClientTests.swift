import Glibc
import TestSupport
import Testing
import Transfer

@Suite(.enabled(if: Peer.has("wsgidav"), "the Python package WsgiDAV is not installed (bin/setup --check)"))
struct WebDAVClientTests {
    @discardableResult
    private func withServer<R>(
        _ body: (WebDAVClient, _ folder: String, _ root: String) throws -> R
    ) throws -> R {
        try withScratchFolder { folder in
            let peer = try Peer("dav.py", [folder])
            let root = peer.url + "/files%20of%20ana"
            let client = try WebDAVClient(
                root: root, userName: "ana", password: "geheim", over: HTTPClient(guardian: .anywhere))
            return try withExtendedLifetime(peer) { try body(client, folder, root) }
        }
    }

    @Test("files and folders can be made, listed, fetched, moved and removed, whatever their names")
    func roundTrip() throws {
        try withServer { client, folder, _ in
            let body = noise(500_000)
            let name = "letters/Grüße & more #1 100% <a>.pdf"
            try client.makeFolder("letters")
            try client.makeFolder("letters")
            try client.put(name, .bytes(body), mediaType: "application/pdf")
            #expect(try contents(of: "\(folder)/\(name)") == body)

            let list = try client.list("letters")
            #expect(list.map(\.path) == [name])
            #expect(list.first?.byteCount == 500_000 && list.first?.isFolder == false)
            #expect(list.first?.name == "Grüße & more #1 100% <a>.pdf")
            #expect(try client.list().map { [$0.path, "\($0.isFolder)"] } == [["letters", "true"]])

            #expect(try client.get(name, into: .memory(limit: 1_000_000)).body == body)
            try client.move(name, to: "letters/b.pdf")
            #expect(throws: TransferError.self) { try client.get(name, into: .memory(limit: 1_000_000)) }
            try client.put("c.pdf", .bytes([1]))
            #expect(throws: TransferError.self) { try client.move("c.pdf", to: "letters/b.pdf") }
            try client.delete("letters/b.pdf")
            try client.delete("letters/b.pdf")
            #expect(try client.list("letters") == [])
        }
    }

    @Test("a file is not written over unless it is the version we know")
    func conditions() throws {
        try withServer { client, folder, _ in
            try client.put("a.txt", .bytes([1]), replacing: "")
            #expect(throws: TransferError.self) { try client.put("a.txt", .bytes([2]), replacing: "") }
            let tag = try #require(try client.list().first?.entityTag)
            #expect(throws: TransferError.self) {
                try client.put("a.txt", .bytes([3]), replacing: "\"other\"")
            }
            try client.put("a.txt", .bytes([4, 4]), replacing: tag)
            #expect(try contents(of: folder + "/a.txt") == [4, 4])
        }
    }

    @Test("a wrong password is an answer with its number")
    func wrongPassword() throws {
        try withServer { _, _, root in
            let client = try WebDAVClient(
                root: root, userName: "ana", password: "no", over: HTTPClient(guardian: .anywhere))
            let error = #expect(throws: TransferError.self) { try client.list() }
            guard case .answer(401, _) = error else {
                Issue.record("it gave \(String(describing: error))")
                return
            }
        }
    }
}
