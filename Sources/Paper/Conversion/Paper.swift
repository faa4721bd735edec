public import Kinds
public import Scanning

/// A paper on its way from one kind to another: its bytes, what they are, and what it is called.
public struct Paper: Sendable {
    /// A file's name, with its ending.
    public var name: String
    public var kind: PaperKind
    public var bytes: [UInt8]
    /// Its pages are to be turned clockwise by so many degrees when it becomes PDF.
    var turn = 0
    /// Where the sheet lies in a photo; nil where it is looked for.
    var corners: Corners?
    /// Of this photo alone.
    var look: Look?

    public init(name: String, kind: PaperKind, bytes: [UInt8]) {
        self.name = name
        self.kind = kind
        self.bytes = bytes
    }

    /// The name without its ending.
    public var title: String {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return last }
        return String(last[..<dot])
    }
}

/// Something to be converted, as it was handed in.
public struct ConversionInput: Sendable {
    public enum Source: Sendable {
        case file(String)
        case bytes([UInt8])
        /// A web page.
        case address(String)
    }

    public var name: String
    public var source: Source
    /// Files that belong to it and are found by its own names for them: the pictures of a web page.
    public var companions: [String: [UInt8]] = [:]
    /// A folder in which more such files lie. Read only when the paper asks for them.
    public var folder: String?
    /// Its pages are turned clockwise by 90, 180 or 270 degrees.
    public var turn = 0
    /// Where the sheet lies in a photo, which is not turned then but as said; nil where it is looked for.
    public var corners: Corners?
    /// How the page of this photo looks, where photos of papers become pages at all; nil: as the others do.
    public var look: Look?

    public init(name: String, _ source: Source) {
        self.name = name
        self.source = source
    }
}
