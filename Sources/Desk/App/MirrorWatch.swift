import Library
import Storage
import Work

/// Keeps the mirror of the configuration, while the desk is being served.
final class MirrorWatch: Sendable {
    private let documents: Documents
    private let folder: String
    private let log: Log
    private let troubles: Troubles
    private let cancellation = Cancellation()
    private let isStopping = Monitor(false)

    init(_ documents: Documents, folder: String, log: Log, troubles: Troubles) {
        self.documents = documents
        self.folder = folder
        self.log = log
        self.troubles = troubles
    }

    /// Looks until `stop`, on a thread of its own.
    func run() {
        var mirror: Mirror?
        var pause = Mirror.leastPause
        while isStopping.wait(timeout: pause, { $0 ? true : nil }) == nil {
            do {
                let entered = try mirror ?? Mirror(documents, folder: folder)
                mirror = entered
                let round = try entered.round(progress: Progress(cancellation: cancellation))
                tell(round)
                pause = round.pause
                troubles.isOver("mirror")
            } catch is Cancelled {
                return
            } catch {
                // Its disk may come back.
                mirror = nil
                pause = .seconds(30)
                let why = (error as? Failure)?.message ?? "\(error)"
                troubles.happened("mirror", "The mirror \(folder) cannot be kept. \(why)", reason: "\(error)")
            }
        }
    }

    func stop() {
        isStopping.update { $0 = true }
        cancellation.cancel(reason: "the desk is closed")
    }

    private func tell(_ round: Mirror.Round) {
        for event in round.events {
            let facts: Log.Fields = ["path": event.path, "what": event.act.rawValue, "remark": event.remark]
            switch event.act {
            case .trouble: log.warning("something in the mirror could not be carried over", facts)
            case .takenIn, .revised, .renamed, .trashed, .keptTwice:
                log.info("a change in the mirror was taken in", facts)
            case .written, .moved, .removed: log.debug("the mirror was changed", facts)
            }
        }
    }
}
