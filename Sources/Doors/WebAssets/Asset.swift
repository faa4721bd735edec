public import HTTP

/// One file of the web app as browsers get it.
public struct Asset: Sendable {
    public let name: String
    public let mediaType: MediaType
    /// Begins the address, so that a changed file has another address and the old one may be kept for ever.
    public let hash: String
    public let content: FixedBytes

    /// The answer to a request for it. Assets of a checkout change while one works on them.
    public func response(isImmutable: Bool) -> Response {
        Response.fixed(content)
            .with("Cache-Control", isImmutable ? "public, max-age=31536000, immutable" : "no-cache")
    }

    static func mediaType(of name: String) -> MediaType {
        switch name.split(separator: ".").last {
        case "css": .css
        case "js": .script
        case "svg": .svg
        case "png": .png
        case "json": .json
        case "webmanifest": .manifest
        case "txt": .plain
        case "wasm": .webAssembly
        default: .octets
        }
    }
}
