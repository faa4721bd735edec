import Access
import Delivery
import Jobs
import Storage
import Transfer
import Work

/// Sends what is in the outbox until all is sent or it is killed.
///
///     quire-bench mail-work HOME sqlite|CONNINFO PORT
enum MailWork {
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 3, let port = Int(arguments[2]) else {
            throw Failure(.invalid, "mail-work HOME sqlite|CONNINFO PORT")
        }
        let store = try Store.open(
            home: arguments[0], database: arguments[1] == "sqlite" ? .sqlite : .postgres(arguments[1]),
            areas: [Gate.migrations, JobQueue.migrations, Outbox.migrations])
        defer { store.close() }
        Bench.say("open")
        let queue = JobQueue(store)
        let outbox = Outbox(Gate(store), queue)
        let runner = JobRunner(queue, threads: 2)
        Courier(outbox) { _ in
            TellingCarrier(
                try SMTPCarrier(SMTPAccount(host: "127.0.0.1", port: port, security: .none)))
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
