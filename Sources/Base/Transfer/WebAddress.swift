import CCurl

/// An `http` or `https` address, read by the same parser that later connects, so that what we checked and
/// what curl understands can never be two things.
public struct WebAddress: Sendable, Hashable, CustomStringConvertible {
    public let text: String
    public let scheme: String
    public let host: String
    public let port: Int
    public let path: String

    public init(_ text: String) throws(TransferError) {
        // The path stays as written: an S3 key may hold `..`, and its signature covers every byte.
        try self.init(text, relativeTo: nil, flags: UInt32(CURLU_PATH_AS_IS))
    }

    /// Where a `Location` header leads, seen from this address.
    func following(_ reference: String) throws(TransferError) -> WebAddress {
        try WebAddress(reference, relativeTo: text, flags: UInt32(CURLU_URLENCODE))
    }

    private init(_ reference: String, relativeTo base: String?, flags: UInt32) throws(TransferError) {
        guard let url = curl_url() else { throw .invalidAddress(reference) }
        defer { curl_url_cleanup(url) }
        if let base, curl_url_set(url, CURLUPART_URL, base, UInt32(CURLU_PATH_AS_IS)) != CURLUE_OK {
            throw .invalidAddress(base)
        }
        guard !reference.utf8.contains(0), reference.utf8.count <= 8192,
            curl_url_set(url, CURLUPART_URL, reference, flags) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: url)?.lowercased(),
            ["http", "https"].contains(scheme),
            let host = Self.part(CURLUPART_HOST, of: url), !host.isEmpty,
            let port = Self.part(CURLUPART_PORT, of: url, UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) }),
            let whole = Self.part(CURLUPART_URL, of: url)
        else { throw .invalidAddress(reference) }
        // A password in an address ends up in logs and histories; credentials travel as a header.
        guard Self.part(CURLUPART_USER, of: url) == nil, Self.part(CURLUPART_PASSWORD, of: url) == nil else {
            throw .invalidAddress("An address with a password inside")
        }
        self.text = whole
        self.scheme = scheme
        self.host = host
        self.port = port
        path = Self.part(CURLUPART_PATH, of: url) ?? "/"
    }

    public var isSecure: Bool { scheme == "https" }

    /// The host as the `Host` header names it: with the port when it is not the scheme's own.
    public var authority: String {
        (isSecure && port == 443) || (!isSecure && port == 80) ? host : "\(host):\(port)"
    }

    public var description: String { text }

    func sharesOrigin(with other: WebAddress) -> Bool {
        scheme == other.scheme && host.lowercased() == other.host.lowercased() && port == other.port
    }

    /// A host's name in ASCII letters: `xn--…`; nil when it has none.
    static func plainHost(_ name: String) -> String? {
        guard let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, "http://\(name)/", 0) == CURLUE_OK else { return nil }
        return part(CURLUPART_HOST, of: url, UInt32(CURLU_PUNYCODE))
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
