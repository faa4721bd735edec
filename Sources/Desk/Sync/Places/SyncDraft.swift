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
        case .webdav, .s3:
            do throws(TransferError) { _ = try WebAddress(draft.address) } catch {
                throw Failure(
                    .invalid, "“\(address)” is no web address; write it as https://example.org/folder.",
                    field: "address")
            }
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
        draft.options.isEncrypted = !secrets.passphrase.isEmpty
        let usual = kind == .s3 ? "\(options.bucket)/\(draft.options.prefix)" : draft.address
        draft.name =
            FileName.cleaned(name.map { "/\\".contains($0) ? "-" : String($0) }.joined())
            ?? FileName.cleaned(usual.map { "/\\".contains($0) ? " " : String($0) }.joined()) ?? "Place"
        return draft
    }
}
