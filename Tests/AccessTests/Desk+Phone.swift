import Access
import TestSupport

extension Desk {
    /// Registers the phone for Ada, counting up once.
    @discardableResult
    func register(_ phone: inout Phone, name: String = "") throws -> Passkey {
        let options = try access.passkeys.registrationOptions(for: ada.caller, at: Desk.party)
        return try access.passkeys.register(
            phone.create(options), name: name, by: ada.caller, from: Desk.home)
    }

    func signIn(_ phone: inout Phone) throws -> SignedIn {
        let options = try access.passkeys.signInOptions(at: Desk.party, from: Desk.home)
        return try access.signIn.withPasskey(phone.get(options), from: Desk.home)
    }
}
