public import Transfer

/// A place away from this desk where things can be laid and taken from: a folder, a WebDAV server, a bucket.
///
/// Nothing more is asked of it than this, and nothing that lies there is ever written over: so it does not matter which
/// desk comes first, whose clock is wrong or where a line breaks.
public protocol SyncShelf: Sendable {
    /// The whole names of all that lies in this folder or below it; none when there is no such folder.
    func names(in folder: String) throws -> [String]
    /// All of it or, with an error, nothing.
    func fetch(_ name: String, into destination: Destination) throws
    /// Lies there whole afterwards or not at all. False when something lies under that name already, which then stays.
    @discardableResult func lay(_ name: String, _ body: Upload) throws -> Bool
    /// That it was not there is no error.
    func remove(_ name: String) throws
}

/// Why something could not be laid or taken.
public enum SyncTrouble: Error, Sendable, Equatable {
    /// It does not answer, or not now. Trying again later is all there is to do.
    case away(String)
    /// It answers and does not let us. A person has to do something.
    case refused(String)
    /// It answers, and this is not there.
    case missing(String)
    /// It has no room.
    case full(String)
    /// What lies there is not what was laid.
    case damaged(String)

    public var sentence: String {
        switch self {
        case .away(let why), .refused(let why), .full(let why), .damaged(let why): why
        case .missing(let name): "“\(name)” is missing at the other side."
        }
    }

    /// Whether it says something about the place as a whole and not about one thing in it.
    var isOfThePlace: Bool {
        switch self {
        case .away, .refused, .full: true
        case .missing, .damaged: false
        }
    }
}
