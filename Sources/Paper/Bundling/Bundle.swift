public import Bytes

/// A send-out to give away in one file: its papers with what fills them, the letter, the choices, and which columns a
/// list needs. Of people it knows only examples.
///
/// ```swift
/// let bytes = try bundle.bytes()          // the same bundle gives the same bytes
/// let (bundle, remarks) = try Bundle.read(bytes)
/// ```
public struct Bundle: Sendable, Equatable {
    public struct Part: Sendable, Equatable {
        public enum Content: Sendable, Equatable {
            /// A form, and the text of the mapping that fills it. Without one, what is certain is filled in.
            case form([UInt8], mapping: String?)
            /// The same paper for everybody.
            case paper([UInt8])
            /// A paper of each person's own, found by its name.
            case attachment(pattern: String)
        }

        public var name: String
        public var content: Content
        /// A formula; the part is left out where it says no.
        public var condition: String

        public init(_ name: String, _ content: Content, condition: String = "") {
            self.name = name
            self.content = content
            self.condition = condition
        }
    }

    public struct Column: Sendable, Equatable {
        public var name: String
        /// What it is for, in the desk's words: `email`, `firstName`, …
        public var role: String?

        public init(_ name: String, role: String? = nil) {
            self.name = name
            self.role = role
        }
    }

    /// A file that goes to everybody with the letter.
    public struct File: Sendable, Equatable {
        public var name: String
        public var bytes: [UInt8]

        public init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    public var name: String
    public var parts: [Part] = []
    /// A pattern for the names of the packets; empty for the usual one.
    public var naming = ""
    /// The choices of the send-out and the letter, as the API of the desk takes them.
    public var options: JSONObject = [:]
    public var letter: JSONObject?
    public var files: [File] = []
    public var columns: [Column] = []
    /// As many cells in each as there are columns.
    public var rows: [[String]] = []
    /// Somebody has said that rows of their own list go along.
    public var hasRealRows = false

    public init(name: String) {
        self.name = name
    }

    /// How files of this kind are called: every program opens them as the archives they are.
    public static let ending = ".quire-bundle.zip"
    public static let longestFile = 128 << 20
    public static let mostRows = 20
    static let mostParts = 64
    static let mostColumns = 1_000
    static let longestText = 1 << 20
    static let format = "quire-bundle"
    static let version = 1

    /// What a stranger's file is called, as much of it as a sentence bears.
    static func short(_ text: String) -> String {
        text.unicodeScalars.count <= 60
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(60))) + "…"
    }
}

/// Why a file is no bundle, or none that can be taken.
public enum BundleError: Error, Sendable, Equatable {
    case notABundle
    case newer(version: Int)
    case damaged(what: String)
    case tooLarge
}
