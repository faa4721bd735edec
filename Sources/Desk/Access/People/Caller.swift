public import Storage

/// Who is asking, and how they came in.
///
///     try caller.require(.edit)
public struct Caller: Sendable, Equatable {
    public enum Way: Sendable, Equatable {
        case session(ID<Session>)
        case token(ID<APIToken>)
        /// Somebody at the machine itself, who could read the database anyway.
        case local
        case share(ID<ShareLink>, Subject)
    }

    /// Nil for somebody at the machine itself and for visitors with a link.
    public let memberID: ID<Member>?
    public let name: String
    public let role: Role
    /// Nil when they may do all their role allows.
    public let scopes: Set<Scope>?
    public let via: Way
    /// Whether what lies in private folders is shown. Work of the desk itself sees all; people who came in by themselves,
    /// only after they proved again who they are.
    public private(set) var seesPrivate: Bool

    init(
        memberID: ID<Member>?, name: String, role: Role, scopes: Set<Scope>? = nil, via: Way,
        seesPrivate: Bool? = nil
    ) {
        self.seesPrivate = seesPrivate ?? (via == .local)
        self.memberID = memberID
        self.name = name
        self.role = role
        self.scopes = scopes
        self.via = via
    }

    /// The command line on the machine that holds the desk.
    public static let local = Caller(memberID: nil, name: "this machine", role: .owner, via: .local)

    /// The same, for whom private folders stay closed.
    public var withoutPrivate: Caller {
        var caller = self
        caller.seesPrivate = false
        return caller
    }

    /// The same where nothing but contacts can be reached, and whoever may reach them may change them.
    public var amongContacts: Caller {
        guard may(.contacts), let scopes else { return self }
        return Caller(
            memberID: memberID, name: name, role: role, scopes: scopes.union([.write]), via: via,
            seesPrivate: seesPrivate)
    }

    /// Whom the work counts for that they ask for; nobody for somebody at the machine itself.
    public var member: String? { memberID?.path("member") }

    public var rights: Set<Right> {
        if case .share = via { return [] }
        guard let scopes else { return role.rights }
        return role.rights.intersection(scopes.reduce(into: []) { $0.formUnion($1.rights) })
    }

    /// A visitor with a link may look at the one thing it leads to.
    public func may(_ right: Right, on subject: Subject? = nil) -> Bool {
        if case .share(_, let shared) = via { return right == .view && subject == shared }
        return rights.contains(right)
    }

    public func require(_ right: Right, on subject: Subject? = nil) throws(Failure) {
        guard !may(right, on: subject) else { return }
        if case .share = via {
            throw Failure(.denied, "This link does not lead there. Ask whoever sent it for another one.")
        }
        guard role.rights.contains(right) else {
            let needed = [.administer, .keepInStep].contains(right) ? "an owner" : "an editor or an owner"
            throw Failure(
                .denied, "You are \(role.article) here, and this needs \(needed). Ask an owner of this desk.")
        }
        throw Failure(
            .denied, "This token may not do that. Make one with more scopes under Settings › Access tokens.")
    }

    /// How the journal names them: `member/018f…`, or what stands in a member's place.
    public var actor: String {
        if let memberID { return memberID.path("member") }
        return switch via {
        case .share(let id, _): id.path("share")
        case .token(let id): id.path("token")
        default: "local"
        }
    }
}

extension Role {
    /// As sentences use it: "You are an editor here."
    public var article: String {
        switch self {
        case .viewer: "a viewer"
        case .editor: "an editor"
        case .owner: "an owner"
        }
    }
}

/// Something on the desk that can be shared or written about: a document, a folder.
public struct Subject: Sendable, Hashable {
    public let kind: String
    public let id: String

    public init(kind: String, id: String) {
        self.kind = kind
        self.id = id
    }
}

/// Where a request comes from.
public struct Visitor: Sendable, Equatable {
    /// An address as text, as the server saw it (or a trusted proxy told).
    public let address: String
    public let userAgent: String
    /// Whether somebody at this machine is asking. Never for a request that a proxy passed on, whatever its
    /// address: a proxy on the same machine would turn the whole world into the owner of a new desk.
    public let isLoopback: Bool

    public init(address: String, userAgent: String = "", isLoopback: Bool = false) {
        self.address = address
        self.userAgent = userAgent
        self.isLoopback = isLoopback
    }
}
