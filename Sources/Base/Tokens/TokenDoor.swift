internal import CTokens
public import Crypto

/// The tokens of a machine: cards, sticks and programs that keep keys and let them be used, but not taken (PKCS #11).
public struct TokenDoor {
    /// A certificate in a token, with whose key it can be signed there.
    public struct Holder {
        /// What the token calls it.
        public let label: String
        /// What the token is called.
        public let token: String
        public let certificate: X509Certificate
        /// Other certificates in the same token that stand above it.
        public let chain: [X509Certificate]
        let module: TokenModule
        let slot: CK_SLOT_ID
        let key: [UInt8]
    }

    private let modules: [TokenModule]

    /// - Parameter module: a library that speaks to tokens; all that the system knows of when left out.
    public init(module: String? = nil) throws(TokenTrouble) {
        var found = [UnsafeMutablePointer<CK_FUNCTION_LIST>?](repeating: nil, count: 32)
        let count = tokens_open(module, &found, Int32(found.count))
        guard count >= 0 else { throw .noModule(module ?? "p11-kit") }
        modules = found.prefix(Int(count)).compactMap { $0.map { TokenModule($0.pointee) } }
    }

    /// Everybody who could sign, as far as it shows without a PIN. A module that fails is passed over where others are there.
    public func holders() throws(TokenTrouble) -> [Holder] {
        var found: [Holder] = []
        for module in modules {
            do throws(TokenTrouble) {
                found += try module.holders()
            } catch {
                if modules.count == 1 { throw error }
            }
        }
        return found
    }

    /// Signs as often as it is asked, with the key of this certificate.
    /// - Parameter pin: what opens the token; nil where the token asks on a keyboard of its own.
    public func writer(for holder: Holder, pin: String?) throws -> SignatureWriter {
        try holder.module.writer(for: holder, pin: pin)
    }
}

/// Why nothing can be signed with a token.
public enum TokenTrouble: Error, Sendable, Equatable {
    /// There is no library of that name that speaks to tokens.
    case noModule(String)
    case pinNeeded
    case wrongPIN
    case lockedPIN
    /// The certificate is there, and its key is not.
    case noKey(String)
    /// What the token answered, and to what.
    case refused(UInt, String)
}
