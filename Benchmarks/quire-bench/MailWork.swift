import Access
import Delivery
import Jobs
import Storage
import Transfer
import Work

/// Sends what is in the outbox until all is sent or it is killed.
///
///     quire-bench mail-work HOME sqlite|CONNINFO PORT [LANES]      with LANES it also asks for a report of each letter
enum MailWork {
    static func run(_ arguments: [String]) throws {
        guard (3...4).contains(arguments.count), let port = Int(arguments[2]) else {
            throw Failure(.invalid, "mail-work HOME sqlite|CONNINFO PORT [LANES]")
        }
        let lanes = arguments.count > 3 ? Int(arguments[3]) : nil
        var account = SMTPAccount(host: "127.0.0.1", port: port, security: .none)
        account.wantsEveryReport = lanes != nil
        let store = try Store.open(
            home: arguments[0], database: arguments[1] == "sqlite" ? .sqlite : .postgres(arguments[1]),
            areas: [Gate.migrations, JobQueue.migrations, Outbox.migrations])
        defer { store.close() }
        Bench.say("open")
        let queue = JobQueue(store)
        let outbox = Outbox(Gate(store), queue)
        let runner = JobRunner(queue, threads: 2)
        Courier(outbox, lanes: lanes ?? 3) { [account] _ in
            TellingCarrier(try SMTPCarrier(account))
        }.handle(in: runner)
        runner.runUntilIdle()
        runner.stop()
    }
}

/// Says a line for each message that the server took, so that whoever kills this does so at a point of its work and not
/// at a time.
private final class TellingCarrier: Carrier {
    private let carrier: SMTPCarrier

    init(_ carrier: SMTPCarrier) { self.carrier = carrier }

    func carry(
        _ message: MailMessage, to recipients: [MailAddress], watch: SMTPWatch
    ) throws(SMTPError) -> SMTPReceipt {
        let receipt = try carrier.carry(message, to: recipients, watch: watch)
        Bench.say("taken")
        return receipt
    }
}
