import Bytes
import Crypto
import HTTP

/// What an iPhone installs: the certificate of the desk's authority, in a profile of Apple's (Configuration Profile
/// Reference, “Certificate Payload”). Unsigned, as nobody stands above that authority.
struct TrustProfile {
    let authority: X509Certificate
    /// What it is for, in the reader's language.
    let description: String

    static let mediaType = MediaType("application/x-apple-aspen-config") ?? .octets

    var text: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
        <key>PayloadType</key><string>Configuration</string>
        <key>PayloadVersion</key><integer>1</integer>
        <key>PayloadIdentifier</key><string>\(identifier)</string>
        <key>PayloadUUID</key><string>\(uuid("profile"))</string>
        <key>PayloadDisplayName</key><string>\(escaped(authority.name))</string>
        <key>PayloadDescription</key><string>\(escaped(description))</string>
        <key>PayloadContent</key><array><dict>
        <key>PayloadType</key><string>com.apple.security.root</string>
        <key>PayloadVersion</key><integer>1</integer>
        <key>PayloadIdentifier</key><string>\(identifier).certificate</string>
        <key>PayloadUUID</key><string>\(uuid("certificate"))</string>
        <key>PayloadDisplayName</key><string>\(escaped(authority.name))</string>
        <key>PayloadCertificateFileName</key><string>quire.crt</string>
        <key>PayloadContent</key><data>\(Base64.encode(authority.der))</data>
        </dict></array>
        </dict></plist>

        """
    }

    /// The same for the same authority, so that a profile that is installed once more takes the place of the first.
    private var identifier: String { "quire." + Hex.encode(Array(authority.fingerprint.prefix(8))) }

    private func uuid(_ part: String) -> String {
        let hex = Hex.encode(Array(SHA256.hash(part + Hex.encode(authority.fingerprint)).prefix(16)))
        return
            "\(hex.prefix(8))-\(hex.dropFirst(8).prefix(4))-4\(hex.dropFirst(13).prefix(3))-8\(hex.dropFirst(17).prefix(3))-\(hex.dropFirst(20))"
            .uppercased()
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
