public import Access
import Bytes
import Crypto
public import Library
import PDF
public import Signing
public import Storage
import Work

extension Identities {
    /// Who else is asked about a signature when it is given; nobody unless told.
    public struct Witnesses: Sendable {
        /// The address of a time stamp authority.
        private(set) var clock: String?
        /// Whether those who vouch are asked for what later checks need.
        private(set) var proves = false

        public static let nobody = Witnesses()

        private init() {}

        public init(timestamp address: String? = nil, proofs: Bool = false) throws(Failure) {
            proves = proofs
            guard let address, !address.isEmpty else { return }
            guard address.hasPrefix("http://") || address.hasPrefix("https://"), address.utf8.count <= 2_000
            else {
                throw Failure(
                    .invalid, "A time stamp authority has an address that begins with http:// or https://.",
                    field: "timestamp")
            }
            clock = address
        }
    }

    /// The signature over a digest, as it is put into a paper: who wants to sign a paper that lies elsewhere sends its digest
    /// alone.
    public func sign(
        digest: [UInt8], with id: ID<KeptIdentity>, asking witnesses: Witnesses = .nobody, by caller: Caller
    ) throws -> SignedDigest {
        let signed = try sign([digest], "digest", with: id, asking: witnesses, by: caller)
        guard let signed = signed.first else { throw Failure(.damaged, "The key gave no signature.") }
        return signed
    }

    /// The most that are signed at once.
    public static let mostDigests = 200

    /// The same for several papers; the key is opened once.
    public func sign(
        digests: [[UInt8]], with id: ID<KeptIdentity>, by caller: Caller
    ) throws -> [SignedDigest] {
        guard (1...Self.mostDigests).contains(digests.count) else {
            throw Failure(
                .invalid, "Between 1 and \(Self.mostDigests) digests are signed at once.", field: "digests")
        }
        return try sign(digests, "digests", with: id, asking: .nobody, by: caller)
    }

    private func sign(
        _ digests: [[UInt8]], _ field: String, with id: ID<KeptIdentity>, asking witnesses: Witnesses,
        by caller: Caller
    ) throws -> [SignedDigest] {
        try caller.require(.edit)
        let identity = try opened(id, by: caller)
        guard digests.allSatisfy({ $0.count == identity.writer.digestByteCount }) else {
            throw Failure(
                .invalid, "The digest for this key has \(identity.writer.digestByteCount) bytes.",
                field: field)
        }
        let signatory = signatory(identity, witnesses, by: caller)
        let signed = try digests.map { try signatory.sign($0) }
        try note(id, identity.certificate.name, digests.map { _ in "" }, by: caller)
        return signed
    }

    /// A paper of the desk, signed: its new version. What it was is kept as it is.
    public func sign(
        _ document: Document, with id: ID<KeptIdentity>, _ wish: SigningWish,
        asking witnesses: Witnesses = .nobody,
        documents: Documents, by caller: Caller
    ) throws -> Document {
        try caller.require(.edit)
        guard document.blob.mediaType == "application/pdf" else {
            throw Failure(.unsupported, "Only PDFs can be signed. Convert “\(document.name)” to PDF first.")
        }
        let identity = try opened(id, by: caller)
        let bytes = try store.blobs.read(document.blob.digest, atMost: Self.largest)
        var wish = wish
        wish.time = store.clock.now().milliseconds / 1000
        let signed = try Self.explained {
            try PaperSigner(bytes, now: wish.time).sign(
                with: signatory(identity, witnesses, by: caller), wish)
        }
        let revised = try documents.revise(
            document.id, with: .bytes(signed), note: Self.note(of: identity.certificate),
            ifVersion: document.version, by: caller)
        try note(id, identity.certificate.name, [document.name], by: caller)
        switch revised {
        case .same(let document), .revised(let document): return document
        }
    }

    /// The signatures of a paper of the desk, each checked.
    public func signatures(of document: Document, by caller: Caller) throws -> SignedPaper? {
        try caller.require(.view)
        guard document.blob.mediaType == "application/pdf", document.blob.byteCount <= Int64(Self.largest)
        else {
            return nil
        }
        let bytes = try store.blobs.read(document.blob.digest, atMost: Self.largest)
        return try Self.explained {
            try SignedPaper(bytes, trusting: anchors(), now: store.clock.now().milliseconds / 1000)
        }
    }

    private static let largest = 256 << 20

    /// What the version of a paper says that somebody signed.
    static func note(of signer: X509Certificate) -> String { "Signed by \(signer.name)" }

    private func note(
        _ id: ID<KeptIdentity>, _ name: String, _ papers: [String], by caller: Caller
    ) throws {
        try store.write { tx in
            for paper in papers {
                tx.note(
                    "identity.used", "identity/\(id)", by: caller.actor,
                    ["name": .string(name), "paper": .string(paper)])
            }
        }
    }

    // MARK: -

    static func explained<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let trouble as SigningTrouble {
            throw Failure(trouble)
        } catch PDFError.tooLittleMemory {
            throw Failure.tooLittleMemory
        } catch PDFError.passwordNeeded {
            throw Failure(SigningTrouble.locked)
        } catch let error as PDFError {
            throw Failure(.invalid, "The file is no PDF, or too damaged to be read.", cause: "\(error)")
        }
    }
}

extension Failure {
    /// Why a paper cannot be signed, for whoever wanted to sign it.
    public init(_ trouble: SigningTrouble) {
        self =
            switch trouble {
            case .locked:
                Failure(
                    .unsupported,
                    "The paper is locked with a password. Take the password off first, then sign it.",
                    field: Failure.lockField)
            case .damaged:
                Failure(.invalid, "The paper is damaged, and mending it would end the signatures on it.")
            case .noPages: Failure(.invalid, "The paper has no page that could be signed.")
            case .noSuchPage(let page, let count):
                Failure(.invalid, "There is no page \(page): the paper has \(count).", field: "page")
            case .placeTooSmall:
                Failure(
                    .invalid,
                    "The place for the signature is too small to be read: at least 40 by 16 points.",
                    field: "place")
            case .placeOffPage:
                Failure(.invalid, "The place for the signature is not on the page.", field: "place")
            case .nothingToLock(let name):
                Failure(
                    .invalid, "The paper has no field “\(name)” that could be locked. Nothing was signed.",
                    field: "lock")
            case .noSuchField(let name):
                Failure(.notFound, "The paper has no field “\(name)” to be signed.", field: "field")
            case .signedAlready(let name):
                Failure(.conflict, "The field “\(name)” is signed already.", field: "field")
            case .notASignatureField(let name):
                Failure(.invalid, "The field “\(name)” is not for signatures.", field: "field")
            case .forbidden(let name):
                Failure(
                    .conflict,
                    "The paper was certified so that nothing may be changed, not even by signing. It was certified by: \(name)."
                )
            case .noNewPlace(let name):
                Failure(
                    .conflict,
                    "The paper was certified so that nothing may be put on its pages. Sign in a field that it has, or without a picture. It was certified by: \(name)."
                )
            case .tooLateToCertify:
                Failure(
                    .conflict, "The paper is signed already; only who signs first can certify it.",
                    field: "certify")
            case .tooLong:
                Failure(
                    .unsupported, "The certificates and the time stamp take more room than was left for them."
                )
            }
    }
}
