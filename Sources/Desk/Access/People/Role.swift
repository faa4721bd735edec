/// What a member may do on this desk.
public enum Role: String, Sendable, CaseIterable {
    case viewer, editor, owner

    public var rights: Set<Right> {
        switch self {
        case .viewer: [.view]
        case .editor: [.view, .edit, .contacts]
        case .owner: [.view, .edit, .administer, .keepInStep, .contacts]
        }
    }
}

/// What somebody wants to do.
public enum Right: String, Sendable, CaseIterable {
    case view, edit
    /// Members, settings, backups: what concerns everybody.
    case administer
    /// Everything on the desk, private folders too, as another Quire that keeps in step with it.
    case keepInStep
    /// The contacts alone, to look at and to change.
    case contacts
}

/// What an API token was made for. A token never does more than the member who made it.
public enum Scope: String, Sendable, CaseIterable {
    case read, write, contacts, admin, sync

    public var rights: Set<Right> {
        switch self {
        case .read: [.view]
        case .write: [.view, .edit]
        case .admin: [.view, .edit, .administer]
        case .contacts: [.contacts]
        case .sync: [.keepInStep]
        }
    }
}
