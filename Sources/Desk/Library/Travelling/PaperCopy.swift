public import Storage
public import Work

/// All that one desk tells another about a paper, so that the other has it too.
public struct PaperCopy: Sendable, Equatable {
    public var name: String
    public var folder: ID<Folder>?
    public var note = ""
    public var date = ""
    public var tags: [String] = []
    public var people: [PaperPerson] = []
    public var values: [Value] = []
    public var addedAt: Moment
    public var addedByName: String
    public var changedAt: Moment
    public var hold: String?
    public var heldBy: String?
    public var origin: ID<Document>?
    public var arrival: PaperArrival?
    public var trashedAt: Moment?
    /// The folder it went into the trash with.
    public var trashedWith: ID<Folder>?
    public var blob: Blob
    /// All its states, the oldest first and what it is now last.
    public var states: [DocumentVersion]

    /// What is written in a field, with the kind the field has, as the other desk may not know it.
    public struct Value: Sendable, Equatable {
        public var field: String
        public var kind: PaperField.Kind
        public var value: String

        public init(field: String, kind: PaperField.Kind, value: String) {
            self.field = field
            self.kind = kind
            self.value = value
        }
    }

    public init(
        name: String, addedAt: Moment, addedByName: String, changedAt: Moment, blob: Blob,
        states: [DocumentVersion]
    ) {
        self.name = name
        self.addedAt = addedAt
        self.addedByName = addedByName
        self.changedAt = changedAt
        self.blob = blob
        self.states = states
    }
}

/// The same of a folder.
public struct FolderCopy: Sendable, Equatable {
    public var name: String
    public var parent: ID<Folder>?
    public var madeAt: Moment
    public var trashedAt: Moment?
    public var trashedWith: ID<Folder>?
    public var isPrivate: Bool

    public init(
        name: String, parent: ID<Folder>?, madeAt: Moment, trashedAt: Moment? = nil,
        trashedWith: ID<Folder>? = nil, isPrivate: Bool = false
    ) {
        self.isPrivate = isPrivate
        self.name = name
        self.parent = parent
        self.madeAt = madeAt
        self.trashedAt = trashedAt
        self.trashedWith = trashedWith
    }
}
