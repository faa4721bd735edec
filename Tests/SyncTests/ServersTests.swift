import Access
import Glibc
import Library
import Storage
@testable import Sync
import TestSupport
import Testing
import Transfer
import Work

/// The servers are other people's programs: rclone's WebDAV, moto's S3.
@Suite("Two desks and a server", .serialized)
struct ServersTests {
    static let hasWebDAV = system("rclone version >/dev/null 2>&1") == 0
    static let hasS3 = Peer.has("moto.server")

    @Test(
        "Over a WebDAV server that fails in every way at any request nothing is lost and nothing comes back",
        .enabled(if: hasWebDAV, "rclone is not installed (bin/setup --check)"))
    func webdav() throws {
        try withScratchFolder { folder in
            let server = try Peer("served.py", ["webdav", folder])
            let moody = try Peer("faulty.py", [String(server.port), "11", "8"])
            for seed in 0..<6 {
                let draft = SyncDraft(
                    .webdav, address: "", options: .init(user: "ana"),
                    secrets: .init(
                        password: "geheim", passphrase: seed % 3 == 2 ? "four plain words here" : ""))
                // The folder of each history is made by the desk that comes first.
                try History(
                    seed: UInt64(70_000 + seed),
                    over: .server(draft, moody: "\(moody.url)/h\(seed)", calm: "\(server.url)/h\(seed)"),
                    mostSteps: 16
                ).run()
            }
        }
    }

    @Test(
        "Over an S3 store that fails in every way at any request nothing is lost and nothing comes back",
        .enabled(if: hasS3, "the Python package moto is not installed (bin/setup --check)"))
    func bucket() throws {
        let server = try Peer("served.py", ["s3"])
        let moody = try Peer("faulty.py", [String(server.port), "12", "8"])
        #expect(system("curl -fsS -X PUT '\(server.url)/papers' >/dev/null") == 0)
        for seed in 0..<6 {
            let draft = SyncDraft(
                .s3, address: "",
                options: .init(user: "key", bucket: "papers", prefix: "h\(seed)"),
                secrets: .init(password: "secret", passphrase: seed % 3 == 2 ? "four plain words here" : ""))
            try History(
                seed: UInt64(80_000 + seed), over: .server(draft, moody: moody.url, calm: server.url),
                mostSteps: 16
            ).run()
        }
    }

    @Test(
        "A server that asks for a password says so in words that help",
        .enabled(if: hasWebDAV, "rclone is not installed (bin/setup --check)"))
    func wrongPassword() throws {
        try withScratchFolder { folder in
            let server = try Peer("served.py", ["webdav", folder])
            try withQuickFolder { home in
                let desk = try TestDesk("home", in: home, seed: 1)
                try desk.keepInStep(
                    SyncDraft(
                        .webdav, address: server.url, options: .init(user: "ana"),
                        secrets: .init(password: "wrong")))
                let place = try desk.visit()
                #expect(place.state == .refused)
                #expect(place.sentence.contains("Are user name and password right?"))
            }
        }
    }

    @Test("A server that is not there is unavailable")
    func nobodyThere() throws {
        try withQuickFolder { home in
            let desk = try TestDesk("home", in: home, seed: 1)
            try desk.keepInStep(SyncDraft(.webdav, address: "http://127.0.0.1:9/quire"))
            #expect(try desk.visit().state == .unavailable)
        }
    }

    @Test(
        "What a machine of the own network says is not told to everybody on the desk",
        arguments: [200, 207, 302, 400, 401, 403, 404, 405, 409, 413, 418, 421, 500, 503])
    func innerWords(status: Int) throws {
        let machine = try Peer("web.py")
        let address = "\(machine.url)/says/\(status)"
        for draft in [
            SyncDraft(
                .webdav, address: address, options: .init(user: "ana"), secrets: .init(password: "geheim")),
            SyncDraft(
                .s3, address: address, options: .init(user: "key", bucket: "papers"),
                secrets: .init(password: "secret")), SyncDraft(.quire, address: "\(address)#quire_api_x"),
        ] {
            try withQuickFolder { home in
                let desk = try TestDesk("home", in: home, seed: 1)
                try desk.keepInStep(draft)
                try desk.add("Lease.txt", "two years")
                let place = try desk.visit()
                #expect(!place.sentence.isEmpty || place.state == .synced)
                let states = try desk.places.states(of: desk.all().map(\.id), by: .local)
                let told = place.sentence + states.values.joined().map(\.sentence).joined()
                for word in ["psst", "safe"] { #expect(!told.contains(word), "\(told)") }
            }
        }
    }

    @Test("What cannot be a place is refused with the field that is wrong")
    func drafts() throws {
        try withQuickFolder { home in
            let desk = try TestDesk("home", in: home, seed: 1)
            func field(_ draft: SyncDraft) -> String? {
                do {
                    try desk.keepInStep(draft)
                    return nil
                } catch { return (error as? Failure)?.field }
            }
            #expect(field(SyncDraft(.folder, address: "papers")) == "address")
            #expect(field(SyncDraft(.folder, address: "/papers/../etc")) == "address")
            #expect(field(SyncDraft(.webdav, address: "cloud")) == "address")
            #expect(field(SyncDraft(.s3, address: "https://s3.example.org")) == "bucket")
            #expect(
                field(SyncDraft(.s3, address: "https://s3.example.org", options: .init(bucket: "papers")))
                    == "user")
            #expect(
                field(SyncDraft(.folder, address: "/papers", secrets: .init(passphrase: "short")))
                    == "passphrase")
            #expect(field(SyncDraft(.folder, address: "/papers")) == nil)
            #expect(field(SyncDraft(.folder, address: "/papers/")) == "address")
        }
    }
}
