internal import Bytes
internal import SQL
internal import Storage

extension ID {
    /// How the journal names it: `member/018f…`.
    func path(_ kind: String) -> String { "\(kind)/\(text)" }
}

extension Visitor {
    /// What the journal keeps about where somebody came from.
    func detail(_ more: JSONObject = [:]) -> JSON {
        var members: [(String, JSON)] = more.map { ($0.key, $0.value) }
        members.append(("address", .string(address.asPlainLine(limit: 64))))
        members.append(("device", .string(Device.name(fromUserAgent: userAgent))))
        return .object(JSONObject(members))
    }
}

extension String {
    /// Safe to keep and show: one line, no control characters, not longer than said.
    func asPlainLine(limit: Int) -> String {
        let kept = unicodeScalars.lazy.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        return String(String.UnicodeScalarView(kept.prefix(limit)))
    }
}
