import App
import Storage

extension Command {
    static let sweep = Command(
        name: "sweep", summary: "clear away files that nothing on the desk refers to any more",
        discussion: """
            A server does this every night. What is taken off the shelf waits for as many days as backups are kept, at \
            least thirty, and comes back by itself when it turns out to be needed. A sweep that would take a good part of \
            the shelf stops, takes nothing and says so: that is more often a wrong or an older database than remains.
            """,
        options: [
            .database,
            Option(
                "all", nil,
                "go on although much would be taken; look first whether the database is the right one"),
            Option("for-good", nil, "let go of what waits already, for room on the disk"),
        ],
        examples: [
            Example("quire sweep", "what the server does at night, now"),
            Example("quire sweep --all", "after looking, although much would be taken"),
        ],
        run: { call in
            let quire = try call.existingDesk(try call.config())
            defer { quire.stop() }
            let report = try call.withProgress("Clearing away") {
                try quire.maintenance.sweep(
                    by: "local", all: call.has("all"), forGood: call.has("for-good"), progress: $0)
            }
            if !report.isGood { call.hint("To go on all the same: \(call.again("sweep --all"))") }
            try call.tell(report)
        })
}
