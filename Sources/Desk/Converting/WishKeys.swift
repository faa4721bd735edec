import Bytes
import Crypto
import Storage
import Synchronization

/// Keeps the passwords among wishes unreadable in the database and its backups.
final class WishKeys: Sendable {
    private let store: Store
    private let held = Mutex<SealingKey?>(nil)

    init(_ store: Store) { self.store = store }

    func sealed(_ wishes: ConversionWishes, of id: ID<Conversion>) throws -> [UInt8]? {
        try wishes.secrets.map { try key().seal($0.bytes, for: "conversion/\(id)") }
    }

    /// What was sealed with another key is forgotten; the papers ask for it again.
    func open(_ sealed: [UInt8]?, of id: ID<Conversion>, into wishes: inout ConversionWishes) throws {
        guard let sealed, let bytes = try key().open(sealed, for: "conversion/\(id)") else { return }
        wishes.take(secrets: try JSON(parsing: bytes))
    }

    private func key() throws -> SealingKey {
        try held.withLock { held in
            if let held { return held }
            do throws(CryptoError) {
                let key = try SealingKey.kept(at: store.home.keys + "/conversions.key")
                held = key
                return key
            } catch {
                throw Failure(.unavailable, "Quire cannot seal secrets: \(error).", cause: "\(error)")
            }
        }
    }
}
