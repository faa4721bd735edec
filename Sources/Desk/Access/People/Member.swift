internal import SQL
public import Storage
public import Work

/// Somebody who signs in to this desk.
public struct Member: Sendable, Equatable {
    public let id: ID<Member>
    /// How others see them.
    public let name: String
    /// What they type to sign in: an e-mail address or a short name, in lower case.
    public let signInName: String
    public let role: Role
    public let joinedAt: Moment
    public let hasPassword: Bool
    public let passkeyCount: Int

    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("name")
        signInName = try row.text("sign_in_name")
        role = try row.choice("role")
        joinedAt = try row.moment("joined_at")
        hasPassword = try row.optionalText("password_hash") != nil
        passkeyCount = try row.int("passkeys")
    }
}

/// A name as it is typed to sign in, in the one spelling we keep.
struct SignInName {
    let text: String

    init(_ typed: String) throws(Failure) {
        guard let name = SignInName(lenient: typed) else {
            throw Failure(
                .invalid, "Choose a name to sign in with: an e-mail address or a short name without spaces.",
                field: "signInName")
        }
        self = name
    }

    /// Nil for what nobody can be called; signing in with it fails like any wrong name.
    init?(lenient typed: String) {
        let text = typed.trimmed.lowercased()
        guard (1...254).contains(text.utf8.count),
            !text.unicodeScalars.contains(where: {
                $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7F
            })
        else { return nil }
        self.text = text
    }
}

/// A name for people to read.
struct DisplayName {
    let text: String

    init(_ typed: String, field: String = "name", of what: String = "a name") throws(Failure) {
        let text = typed.trimmed
        guard (1...100).contains(text.count), text.utf8.count <= 400,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { throw Failure(.invalid, "Give \(what) of 1 to 100 letters.", field: field) }
        self.text = text
    }
}

extension String {
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
