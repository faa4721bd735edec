import Access
import Library
import Storage
import Work

/// Looks into the inbox every few seconds, while the desk is being served.
final class InboxWatch: Sendable {
    private let inbox: Inbox
    private let folder: String
    private let log: Log
    private let troubles: Troubles
    private let isStopping = Monitor(false)
    private let pause: Duration

    init(_ inbox: Inbox, folder: String, log: Log, troubles: Troubles, pause: Duration = .seconds(5)) {
        self.inbox = inbox
        self.folder = folder
        self.log = log
        self.troubles = troubles
        self.pause = pause
    }

    /// Looks until `stop`, on a thread of its own.
    func run() {
        while isStopping.wait(timeout: pause, { $0 ? true : nil }) == nil { look() }
    }

    func stop() { isStopping.update { $0 = true } }

    private func look() {
        do {
            let look = try inbox.look(by: .local)
            troubles.isOver("inbox")
            for document in look.taken {
                log.info("a paper came in by the inbox", ["name": document.name, "id": document.id.text])
            }
            for known in look.known { log.info("the inbox brought what was there already", ["file": known]) }
            for left in look.left {
                log.warning(
                    "something stayed in an archive or a mail of the inbox, which is kept as it is",
                    ["file": left.path, "reason": left.message])
            }
            for trouble in look.failed {
                log.warning(
                    "a file in the inbox could not be taken in",
                    ["file": trouble.path, "reason": trouble.message])
            }
        } catch {
            let why = (error as? Failure)?.message ?? "\(error)"
            troubles.happened(
                "inbox", "The inbox \(folder) cannot be looked into. \(why)", reason: "\(error)")
        }
    }
}
