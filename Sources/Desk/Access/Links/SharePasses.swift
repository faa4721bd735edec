internal import Bytes
internal import Crypto
internal import Storage
internal import Work

/// What a visitor carries (in a cookie) after opening a link, so that the pages and files behind it do not count
/// as further openings and the password is asked once. Good for an hour and until the next start of the server,
/// which makes a new key.
struct SharePasses: Sendable {
    let key: [UInt8]

    static let life = Duration.hours(1)

    func make(for id: ID<ShareLink>, at now: Moment) -> String {
        let until = (now + Self.life).milliseconds
        return "\(until).\(Base64.urlEncode(seal(id, until)))"
    }

    func opens(_ id: ID<ShareLink>, _ pass: String, at now: Moment) -> Bool {
        let parts = pass.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard pass.utf8.count < 100, parts.count == 2, let until = Int64(parts[0]), until > now.milliseconds,
            let sent = Base64.urlDecode(String(parts[1]))
        else { return false }
        return constantTimeEquals(sent, seal(id, until))
    }

    private func seal(_ id: ID<ShareLink>, _ until: Int64) -> [UInt8] {
        HMAC.sha256(key: key, message: Array("share pass \(id.text) \(until)".utf8))
    }
}
