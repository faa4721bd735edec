import Bytes

/// What a page is made of, and where the rest of it may come from.
public struct PageSource: Sendable {
    /// A file of the job, served by us under an address that cannot exist.
    public struct File: Sendable {
        public var mediaType: String
        public var bytes: [UInt8]

        public init(_ bytes: [UInt8], mediaType: String) {
            self.bytes = bytes
            self.mediaType = mediaType
        }

        /// A page that does not say how it is written is UTF-8 when it can be: browsers take files for that, and what comes
        /// from a server for windows-1252.
        var contentType: String {
            guard mediaType == "text/html", TextDecoding.charset(saidBy: bytes) == nil,
                !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]),
                bytes[...].firstInvalidUTF8 == nil
            else { return mediaType }
            return "text/html; charset=utf-8"
        }
    }

    public enum Start: Sendable, Equatable {
        /// One of the files, by its path.
        case file(String)
        case address(String)
    }

    public var start: Start
    /// What the page is called when it does not say so itself.
    public var title = ""
    /// By path, without a slash in front.
    public var files: [String: File]
    /// Finds a file that is not among `files`, by its path.
    public var find: (@Sendable (String) -> File?)?
    /// Nil for pages that may fetch nothing but their own files.
    public var web: WebAccess?

    public init(_ start: Start, files: [String: File] = [:], web: WebAccess? = nil) {
        self.start = start
        self.files = files
        self.web = web
    }

    /// A page of one file.
    public init(html: String) {
        self.init(
            .file("index.html"),
            files: ["index.html": File(Array(html.utf8), mediaType: "text/html; charset=utf-8")])
    }

    static let origin = "http://document.invalid/"

    var address: String {
        switch start {
        case .file(let path): Self.origin + Self.encoded(path)
        case .address(let address): address
        }
    }

    static func encoded(_ path: String) -> String {
        var text = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return text
    }

    /// The path a request for one of our files means; nil for requests of other places.
    static func path(of address: String) -> String? {
        guard address.hasPrefix(origin) else { return nil }
        return decoded(String(address.dropFirst(origin.count).prefix { $0 != "?" && $0 != "#" }))
    }

    /// A path without its percent signs.
    public static func decoded(_ path: String) -> String {
        String(decoding: PercentCoding.lenient(path), as: UTF8.self)
    }
}
