public import Mappings
public import PDFForms

/// A paper thought through for one row: what it is made of, what it is called, what went wrong on the way. It is no paper
/// yet, so that thousands can be looked at; what is made is made of just this.
public struct Thought: Sendable {
    public struct Piece: Sendable {
        public enum Content: Sendable {
            case form(CompiledMapping.Row)
            case paper(key: String, pageCount: Int)
            /// A paper of the person's own that is still to be found.
            case own(name: String)
        }

        /// The place of its part in the recipe.
        public var part: Int
        public var content: Content
    }

    /// Something that could not be worked out.
    public struct Remark: Sendable {
        public enum About: Sendable { case part(Int), password }
        public var about: About
        public var problem: MappingProblem
    }

    /// Counted from 1.
    public var number: Int
    public var pieces: [Piece] = []
    public var remarks: [Remark] = []
    /// What the paper says about itself.
    public var info = DocumentInfo()
    /// Nil where there is to be none. One that is empty locks nothing: no paper is made then.
    public var password: String?
}

/// What would be said of a form if it were filled, and how many pages it would get behind it.
public struct Looked: Sendable {
    public var findings: [Finding]
    public var addedPages: Int
}

/// Why a paper could not be made, in words.
public struct MakingTrouble: Error, Sendable, CustomStringConvertible {
    public var reason: String
    public init(_ reason: String) { self.reason = reason }
    public var description: String { reason }
}
