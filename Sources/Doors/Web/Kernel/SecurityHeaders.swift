import HTTP

/// What every answer tells the browser not to do.
enum SecurityHeaders {
    /// For pages. Scripts run only from our own files and from the inline blocks that carry this answer's nonce; text
    /// becomes markup only through our own Trusted Types policy.
    static func policy(nonce: String) -> String {
        "default-src 'none'; script-src 'self' 'nonce-\(nonce)'; style-src 'self'; img-src 'self' blob: data:; "
            + "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
            + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types quire"
    }

    /// For files people brought: whatever is in them, it stays a picture of it, on a page that belongs to nobody.
    static let fileContents = pdfContents + "; sandbox"
    /// A PDF that is looked at: browsers open their own viewer in no sandbox, and it runs nothing of ours.
    static let pdfContents =
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'"
    /// For the scanner's worker: it fetches the module and runs it, and that is all.
    static let scanner = "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'"
    /// What of the device a page may ask for: nothing, but the camera where papers are photographed.
    static func permissions(camera: Bool = false) -> String {
        "camera=(\(camera ? "self" : "")), geolocation=(), microphone=(), payment=(), usb=()"
    }

    private static let nothing = "default-src 'none'; frame-ancestors 'none'"

    static func add(to response: inout Response, isSecure: Bool) {
        let type = response.headers["Content-Type"]?.lowercased() ?? ""
        // What is given out is somebody's, even when it was made here of what people typed.
        let isGivenOut = response.headers["Content-Disposition"] != nil || type.hasPrefix("image/")
        response.headers.setDefault("Content-Security-Policy", isGivenOut ? fileContents : nothing)
        response.headers.setDefault("X-Content-Type-Options", "nosniff")
        response.headers.setDefault("Cross-Origin-Resource-Policy", "same-origin")
        // A page asks for many of these, and none of them is ever a page itself.
        if !type.hasPrefix("text/javascript"), !type.hasPrefix("text/css") {
            response.headers.setDefault("X-Frame-Options", "DENY")
            response.headers.setDefault("Referrer-Policy", "same-origin")
            response.headers.setDefault("Cross-Origin-Opener-Policy", "same-origin")
            response.headers.setDefault("Permissions-Policy", permissions())
        }
        if isSecure { response.headers.setDefault("Strict-Transport-Security", "max-age=31536000") }
        response.headers.setDefault("Cache-Control", "no-store")
    }
}
