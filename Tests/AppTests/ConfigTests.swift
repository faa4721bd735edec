import App
import Glibc
import Storage
import TestSupport
import Testing
import Work

@Suite("Configuration")
struct ConfigTests {
    private func load(
        _ file: String? = nil, _ environment: [String: String] = [:], _ flags: [String: String] = [:]
    ) throws -> Config {
        try withScratchFolder { folder in
            if let file {
                let path = "\(folder)/config.json"
                let handle = try #require(fopen(path, "we"))
                fputs(file, handle)
                fclose(handle)
            }
            var all = ["HOME": "/home/ada", "QUIRE_HOME": folder]
            all.merge(environment) { _, given in given }
            return try Config.load(flags: flags, environment: all)
        }
    }

    @Test("what nobody decided is built in")
    func builtIn() throws {
        let config = try Config.load(environment: ["HOME": "/home/ada"])
        #expect(config.home == "/home/ada/.local/share/quire")
        #expect(config.host == "127.0.0.1")
        #expect(config.port == 8484)
        #expect(config.tls == .off)
        #expect(config.lockAfter == nil)
        #expect(config.uploadLimit == 4_000_000_000)
        #expect(config.entries.allSatisfy { $0.origin == .builtIn })
        #expect(config.entries.map(\.key) == ConfigKey.all)
        #expect(try Config.load(environment: ["XDG_DATA_HOME": "/data"]).home == "/data/quire")
    }

    @Test("lan opens the desk to the house, encrypted, and leaves what else was said")
    func lan() throws {
        func load(_ flags: [String: String]) throws -> Config {
            try Config.load(flags: flags, environment: ["HOME": "/home/ada"])
        }
        let open = try load(["lan": "yes"])
        #expect(open.host == "0.0.0.0")
        #expect(open.tls == .ownAuthority)
        #expect(open.origin(of: .host) == .flag("--lan"))
        #expect(try load(["lan": "yes", "host": "::"]).host == "::")
        #expect(try load(["lan": "yes", "tls": "self-signed"]).tls == .selfSigned)
        let files = try load(["lan": "yes", "tls-certificate": "/c.pem", "tls-key": "/k.pem"])
        #expect(files.tls == .files(certificate: "/c.pem", key: "/k.pem"))
        #expect(try load(["lan": "no"]).tls == .off)
        #expect(throws: Failure.self) { try load(["lan": "yes", "tls": "off"]) }
    }

    @Test("a flag beats the environment, which beats the file, which beats what is built in")
    func precedence() throws {
        let file = #"{"port": 1001, "workers": 3, "log-format": "json", "lock-after": "15m"}"#
        let config = try load(file, ["QUIRE_PORT": "1002", "QUIRE_WORKERS": "4"], ["port": "1003"])
        #expect(config.port == 1003)
        #expect(config.origin(of: .port) == .flag("--port"))
        #expect(config.workers == 4)
        #expect(config.origin(of: .workers) == .environment("QUIRE_WORKERS"))
        #expect(config.logFormat == .json)
        #expect(config.origin(of: .logFormat).description.hasSuffix("/config.json"))
        #expect(config.lockAfter == .seconds(900))
        #expect(config.isSet(.lockAfter))
        #expect(!config.isSet(.host))
    }

    @Test("what means nothing is reported, with a guess at what was meant")
    func unknownKeys() throws {
        let config = try load(#"{"prot": 1, "colour": "red"}"#, ["QUIRE_UPLOAD_LIMITS": "1"])
        #expect(config.remarks.count == 3)
        #expect(config.remarks[0].contains("“prot”") && config.remarks[0].contains("Did you mean “port”?"))
        #expect(config.remarks[1].contains("colour") && !config.remarks[1].contains("mean “"))
        #expect(
            config.remarks[2] == "QUIRE_UPLOAD_LIMITS means nothing to Quire. Did you mean “upload-limit”?")
        #expect(throws: Failure.self) { try load(nil, [:], ["prot": "1"]) }
    }

    @Test(
        "a wrong value is refused with its name, its place and what it should be",
        arguments: [
            ("port", "http"), ("port", "70000"), ("host", "a b"), ("host", ""),
            ("public-origin", "desk.example.org"),
            ("public-origin", "https://desk.example.org/path"), ("database", "mysql"),
            ("upload-limit", "lots"),
            ("upload-limit", "-1"), ("upload-limit", "99999999999TB"), ("log-format", "xml"),
            ("log-level", "loud"),
            ("lock-after", "15"), ("lock-after", "-5m"), ("home", "relative"), ("backup-folder", "relative"),
            ("tls", "maybe"), ("tls-certificate", "/a.pem"), ("tls-key", "/a.pem"), ("workers", "-1"),
        ])
    func wrongValues(name: String, value: String) throws {
        let failure = #expect(throws: Failure.self) { try load(nil, [:], [name: value]) }
        #expect(failure?.code == .invalid)
        #expect(failure?.field != nil)
    }

    @Test("sizes, origins and certificates are read as people write them")
    func values() throws {
        let config = try load(
            #"{"upload-limit": "500 mb", "public-origin": "HTTPS://Desk.Example.org/", "host": "[::1]"}"#,
            [:],
            ["tls-certificate": "/a.pem", "tls-key": "/b.pem"])
        #expect(config.uploadLimit == 500_000_000)
        #expect(config.publicOrigin == "https://desk.example.org")
        #expect(config.host == "::1")
        #expect(config.tls == .files(certificate: "/a.pem", key: "/b.pem"))
    }

    @Test("a database's password is never shown")
    func passwords() throws {
        for connection in ["postgresql://ada:secret@db/quire", "host=db password=secret dbname=quire"] {
            let config = try load(nil, ["QUIRE_DATABASE": connection])
            guard case .postgres(let text, _) = config.database else {
                Issue.record("not PostgreSQL")
                return
            }
            #expect(text == connection)
            #expect(!"\(config.entries)".contains("secret"))
        }
    }

    @Test("a broken file says where; a named file must exist")
    func brokenFiles() throws {
        let failure = #expect(throws: Failure.self) { try load("{\"port\": 1,}") }
        #expect(failure?.message.contains("config.json") == true)
        #expect(throws: Failure.self) { try load("[1]") }
        #expect(throws: Failure.self) { try load(nil, ["QUIRE_CONFIG": "/no/such/file.json"]) }
    }
}
