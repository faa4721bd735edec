import Bytes
import Library
import Storage
import Transfer

/// A place as somebody describes it.
public struct SyncDraft: Sendable {
    /// What opens it; kept sealed.
    public struct Secrets: Sendable {
        /// The password of a WebDAV server, the secret key of a bucket.
        public var password: String
        /// What everything is encrypted with before it leaves this desk; empty for nothing.
        public var passphrase: String

        public init(password: String = "", passphrase: String = "") {
            self.password = password
            self.passphrase = passphrase
        }

        var bytes: [UInt8] {
            (["password": .string(password), "passphrase": .string(passphrase)] as JSON).bytes
        }

        init?(_ bytes: [UInt8]) {
            guard let json = try? JSON(parsing: bytes) else { return nil }
            self.init(
                password: json["password"]?.string ?? "", passphrase: json["passphrase"]?.string ?? "")
        }
    }

    public var kind: SyncPlace.Kind
    public var name: String
    public var address: String
    public var options: SyncPlace.Options
    public var secrets: Secrets
    public var choice: SyncPlace.Choice

    public init(
        _ kind: SyncPlace.Kind, address: String, name: String = "", options: SyncPlace.Options = .init(),
        secrets: Secrets = .init(), choice: SyncPlace.Choice = .init()
    ) {
        self.kind = kind
        self.name = name
        self.address = address
        self.options = options
        self.secrets = secrets
        self.choice = choice
    }

    static let shortestPassphrase = 8

    func checked() throws -> SyncDraft {
        var draft = self
        draft.address = address.split(separator: "\0").joined().filter { !$0.isNewline }
        while draft.address.count > 1, draft.address.hasSuffix("/") { draft.address.removeLast() }
        guard draft.address.utf8.count <= 2000 else {
            throw Failure(.invalid, "The address is too long.", field: "address")
        }
        switch kind {
        case .folder:
            guard draft.address.hasPrefix("/"), !draft.address.split(separator: "/").contains("..") else {
                throw Failure(.invalid, "Write the whole path of the folder, from / on.", field: "address")
            }
        case .here:
            draft.address = "here"
        case .webdav, .s3, .quire:
            do throws(TransferError) { _ = try WebAddress(draft.address) } catch {
                throw Failure(
                    .invalid, "“\(address)” is no web address; write it as https://example.org/folder.",
                    field: "address")
            }
        }
        if kind == .quire { try draft.checkQuire() }
        if [.quire, .here].contains(kind), !secrets.passphrase.isEmpty {
            throw Failure(
                .invalid,
                "Another Quire has the papers itself, so a passphrase would hide nothing from it. Leave it out.",
                field: "passphrase")
        }
        if kind == .s3 {
            guard !options.bucket.isEmpty else {
                throw Failure(.invalid, "Say which bucket.", field: "bucket")
            }
            guard !options.user.isEmpty, !secrets.password.isEmpty else {
                throw Failure(.invalid, "A bucket needs an access key and its secret.", field: "user")
            }
            if options.region.isEmpty { draft.options.region = "us-east-1" }
            let prefix = options.prefix.split(separator: "/").joined(separator: "/")
            draft.options.prefix = prefix.isEmpty ? "" : prefix + "/"
        }
        if !secrets.passphrase.isEmpty, secrets.passphrase.count < Self.shortestPassphrase {
            throw Failure(
                .invalid,
                "A passphrase has at least \(Self.shortestPassphrase) characters; a few words are best.",
                field: "passphrase")
        }
        try choice.check()
        draft.options.isEncrypted = !secrets.passphrase.isEmpty
        if kind == .here, draft.name.isEmpty { draft.name = Self.nameOfHere }
        draft.name =
            FileName.cleaned(draft.name.map { "/\\".contains($0) ? "-" : String($0) }.joined())
            ?? FileName.cleaned(draft.usualName) ?? "Place"
        return draft
    }

    /// What people would call it: the folder, the bucket, the machine.
    private var usualName: String {
        switch kind {
        case .folder, .here: address.split(separator: "/").last.map(String.init) ?? ""
        case .s3: "\(options.bucket) \(options.prefix.split(separator: "/").joined(separator: " "))"
        case .webdav, .quire: (try? WebAddress(address))?.host ?? ""
        }
    }

    static let nameOfHere = "This desk"

    /// A code is an address with the key behind it. The key would lie open to everybody on the way where nothing
    /// encrypts it, so that is for the network one stands in.
    private mutating func checkQuire() throws {
        if let mark = address.firstIndex(of: "#") {
            if secrets.password.isEmpty { secrets.password = String(address[address.index(after: mark)...]) }
            address = String(address[..<mark])
            while address.count > 1, address.hasSuffix("/") { address.removeLast() }
        }
        guard !secrets.password.isEmpty else {
            throw Failure(
                .invalid, "Another Quire asks for a key. Make a code there: quire sync invite",
                field: "address"
            )
        }
        guard let parsed = try? WebAddress(address), !address.contains("?") else {
            throw Failure(
                .invalid, "“\(address)” is no address of a Quire; write it as https://desk.example.org.",
                field: "address")
        }
        guard parsed.isSecure || Self.isNear(parsed.host) else {
            throw Failure(
                .invalid,
                "Over http:// the key and the papers would be open to everybody on the way. Write the address with https://.",
                field: "address")
        }
    }

    /// Whether this is a machine of the network one stands in, as far as its name tells.
    private static func isNear(_ host: String) -> Bool {
        let name = host.lowercased()
        if let address = IPAddress(name.filter { !"[]".contains($0) }) {
            return AddressGuard.publicOnly.objection(to: address, host: name) != nil
        }
        return !name.contains(".")
            || [".local", ".lan", ".internal", ".home.arpa"].contains { name.hasSuffix($0) }
    }
}

extension SyncPlace.Choice {
    func check() throws {
        guard !things.isEmpty else {
            throw Failure(.invalid, "Choose at least one thing to keep in step.", field: "what")
        }
    }
}
