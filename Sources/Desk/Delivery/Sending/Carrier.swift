import Glibc
public import Transfer
import Work

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

/// Puts messages as `.eml` files into a folder, for another program to send.
public final class FolderCarrier: Carrier {
    private let folder: String

    public init(_ folder: String) {
        self.folder = folder
    }

    public func carry(
        _ message: MailMessage, to recipients: [MailAddress], watch: SMTPWatch
    ) throws(SMTPError) -> SMTPReceipt {
        do {
            let bytes = try message.bytes()
            bytes.withUnsafeBytes { watch.onBytes?($0) }
            try watch.beforeEnd?()
            let name = message.id.text.filter {
                $0.isASCII && ($0.isLetter || $0.isNumber || "-.@".contains($0))
            }
            try write(bytes, named: "\(name).eml")
            return SMTPReceipt(reply: SMTPReply(code: 250, words: "written to \(name).eml"), refused: [])
        } catch {
            throw .transfer(error as? TransferError ?? .invalidRequest("\(error)"))
        }
    }

    private func write(_ bytes: [UInt8], named name: String) throws(TransferError) {
        let path = "\(folder)/\(name)"
        guard let beside = DraftFile(beside: path, mode: 0o600) else {
            throw .local(path: path, why: String(cString: strerror(errno)))
        }
        let (file, draft) = (beside.descriptor, beside.path)
        var left = bytes[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let why = String(cString: strerror(errno))
                close(file)
                unlink(draft)
                throw .local(path: path, why: why)
            }
            left = left.dropFirst(count)
        }
        guard fsync(file) == 0, close(file) == 0, rename(draft, path) == 0 else {
            unlink(draft)
            throw .local(path: path, why: String(cString: strerror(errno)))
        }
    }
}
