import Crypto

/// What a locked document asks for and allows: AES-256 (ISO 32000-2 §7.6, revision 6).
public struct PDFLock: Sendable, Equatable {
    /// What may be done by whoever opened the document with the user's password. Programs hold to it by courtesy; only
    /// the password itself is enforced by mathematics.
    public struct Permissions: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let print = Permissions(rawValue: 1 << 2 | 1 << 11)
        public static let change = Permissions(rawValue: 1 << 3)
        public static let copy = Permissions(rawValue: 1 << 4)
        public static let annotate = Permissions(rawValue: 1 << 5)
        public static let fill = Permissions(rawValue: 1 << 8)
        public static let assemble = Permissions(rawValue: 1 << 10)
        public static let all: Permissions = [.print, .change, .copy, .annotate, .fill, .assemble]
        /// Looking and printing, nothing else.
        public static let reading: Permissions = [.print]

        /// The words people write them with.
        public static let words: [(word: String, permission: Permissions)] = [
            ("print", .print), ("change", .change), ("copy", .copy), ("annotate", .annotate), ("fill", .fill),
            ("assemble", .assemble),
        ]
    }

    /// Opens the document; empty when it opens for everybody.
    public let userPassword: String
    /// Opens it without limits. Nil when nobody shall be able to.
    public let ownerPassword: String?
    public let permissions: Permissions

    public init(
        userPassword: String, ownerPassword: String? = nil, permissions: Permissions = .all
    ) throws(PDFError) {
        for password in [userPassword, ownerPassword ?? "owner"] {
            if password.utf8.count > DocumentPassword.longestByteCount {
                throw .unusablePassword("It is longer than 127 bytes, which is as much as a PDF looks at.")
            }
            if password.unicodeScalars.contains(where: { $0.value < 32 || (0x7F..<0xA0).contains($0.value) })
            {
                throw .unusablePassword("It has characters that nobody can type.")
            }
        }
        if ownerPassword?.isEmpty == true { throw .unusablePassword("The owner's password is empty.") }
        if userPassword.isEmpty, ownerPassword == nil {
            throw .unusablePassword("It is empty, and anybody could open the document.")
        }
        self.userPassword = userPassword
        self.ownerPassword = ownerPassword
        self.permissions = permissions
    }
}

/// The keys of one document. Everything by chance in it is drawn from the document and its passwords, through the same
/// slow digest that guards the password: the same input gives the same bytes, two documents never share a key, and
/// nobody can try passwords faster than at the document itself.
struct PDFLockKeys {
    let fileKey: [UInt8]
    let dictionary: PDFDictionary
    private let vectorKey: [UInt8]

    init(_ lock: PDFLock, content: [UInt8]) {
        let user = Array(lock.userPassword.utf8)
        let owner = lock.ownerPassword.map { Array($0.utf8) }
        let seed = DocumentPassword.digest(
            password: user, salt: content, more: SHA256.hash(owner ?? []))
        func draw(_ what: String, _ count: Int) -> [UInt8] {
            HMAC.derive(secret: seed, salt: content, info: what, count: count)
        }
        fileKey = draw("file key", 32)
        vectorKey = draw("vectors", 32)
        let salts = draw("salts", 32)
        let (userCheck, userKey) = (Array(salts[0..<8]), Array(salts[8..<16]))
        let (ownerCheck, ownerKey) = (Array(salts[16..<24]), Array(salts[24..<32]))

        let u = DocumentPassword.digest(password: user, salt: userCheck) + userCheck + userKey
        var userLock = AES256(key: DocumentPassword.digest(password: user, salt: userKey))
        let ue = userLock.encryptBlocks(fileKey)
        let o: [UInt8]
        let oe: [UInt8]
        if let owner {
            o = DocumentPassword.digest(password: owner, salt: ownerCheck, more: u) + ownerCheck + ownerKey
            var ownerLock = AES256(
                key: DocumentPassword.digest(password: owner, salt: ownerKey, more: u))
            oe = ownerLock.encryptBlocks(fileKey)
        } else {
            // No password has these digests, so nobody is the owner.
            o = draw("no owner", 32) + ownerCheck + ownerKey
            oe = draw("no owner's key", 32)
        }
        // Bits 7, 8, 13-32 are set by decree; bit 10, reading aloud, is nothing one may take away any more.
        let permissions = UInt32(0xFFFF_F2C0) | UInt32(lock.permissions.rawValue)
        var proof: [UInt8] = (0..<4).map { UInt8(truncatingIfNeeded: permissions >> ($0 * 8)) }
        proof += [0xFF, 0xFF, 0xFF, 0xFF]
        proof += Array("Tadb".utf8) + draw("permissions", 4)
        var cipher = AES256(key: fileKey)
        dictionary = [
            "Filter": .name("Standard"), "V": .integer(5), "R": .integer(6), "Length": .integer(256),
            "P": .integer(Int(Int32(bitPattern: permissions))), "U": .string(u), "UE": .string(ue),
            "O": .string(o), "OE": .string(oe), "Perms": .string(cipher.encryptBlocks(proof)),
            "EncryptMetadata": .boolean(true), "StmF": .name("StdCF"), "StrF": .name("StdCF"),
            "CF": .dictionary([
                "StdCF": .dictionary([
                    "Type": .name("CryptFilter"), "CFM": .name("AESV3"), "AuthEvent": .name("DocOpen"),
                    "Length": .integer(32),
                ])
            ]),
        ]
    }

    /// A vector for each thing that is hidden: a key of their own makes them look like chance.
    func vectors(_ count: Int) -> [UInt8] {
        var cipher = AES256(key: vectorKey)
        return cipher.encryptBlocks([UInt8](repeating: 0, count: count * AES256.blockByteCount))
    }
}
