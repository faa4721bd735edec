public import Bytes
import Conversion
import Storage

/// An address outside this process that Quire may call, and why.
public struct OutgoingAddress: Sendable, Equatable {
    public let address: String
    public let purpose: String
    /// When it happens.
    public let occasion: String

    public var json: JSON {
        ["address": .string(address), "purpose": .string(purpose), "occasion": .string(occasion)]
    }
}

extension Doctor {
    /// Every address Quire may call with these settings. There is no other: no telemetry, no check for updates,
    /// nothing loaded from elsewhere by its pages.
    public static func network(
        _ config: Config, mail: MailSettings?, bounces: BounceSettings? = nil
    ) -> [OutgoingAddress] {
        var result: [OutgoingAddress] = []
        if case .postgres(let connection, _) = config.database {
            result.append(
                OutgoingAddress(
                    address: DatabaseAddress.shown(connection),
                    purpose: "the PostgreSQL database of this desk",
                    occasion: "always, while Quire runs"))
        }
        if let engine = config.engine {
            result.append(
                OutgoingAddress(
                    address: engine.address, purpose: "the server that converts papers for this desk",
                    occasion: "when office papers and web pages are converted"))
        }
        if let mail, mail.isComplete {
            result.append(
                OutgoingAddress(
                    address: "\(mail.host):\(mail.port)", purpose: "the mail server you entered",
                    occasion: "when somebody sends mail, or presses the test button"))
        }
        if let bounces, !bounces.host.isEmpty {
            result.append(
                OutgoingAddress(
                    address: "\(bounces.host):\(bounces.port)",
                    purpose: "the mailbox into which mail comes back",
                    occasion: "every quarter of an hour, while Quire runs"))
        }
        return result
    }
}

enum DatabaseAddress {
    /// Host and port of a connection, whichever way it is written; never a user or a password.
    static func shown(_ connection: String) -> String {
        for scheme in ["postgresql://", "postgres://"] where connection.hasPrefix(scheme) {
            let authority = connection.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
            let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            return host.isEmpty ? "a local socket" : host.contains(":") ? String(host) : "\(host):5432"
        }
        var values: [Substring: Substring] = [:]
        for word in connection.split(separator: " ") {
            let pair = word.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { values[pair[0]] = pair[1] }
        }
        guard let host = values["host"] ?? values["hostaddr"], !host.hasPrefix("/") else {
            return "a local socket"
        }
        return "\(host):\(values["port"] ?? "5432")"
    }
}
