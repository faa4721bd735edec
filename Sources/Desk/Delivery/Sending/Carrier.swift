public import Transfer

/// Takes a message out of the house. One thread uses it at a time.
public protocol Carrier: AnyObject {
    func carry(
        _ message: MailMessage, to recipients: [MailAddress], watch: SMTPWatch
    ) throws(SMTPError) -> SMTPReceipt
}

/// Hands messages to a mail server over one connection that stays open.
public final class SMTPCarrier: Carrier {
    private let client: SMTPClient
    private let connection: SMTPConnection

    public init(_ account: SMTPAccount) throws(SMTPError) {
        client = SMTPClient(account)
        connection = try SMTPConnection()
    }

    public func carry(
        _ message: MailMessage, to recipients: [MailAddress], watch: SMTPWatch
    ) throws(SMTPError) -> SMTPReceipt {
        try client.send(message, to: recipients, over: connection, watch: watch)
    }
}
