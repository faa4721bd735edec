import Storage
import Transfer
import Work

/// What `quire` tells the shell when it ends.
enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    case mistakeOfOurs = 1
    case usage = 2
    case notFound = 3
    case conflict = 4
    case denied = 5
    case unavailable = 6
    case damaged = 7
    case full = 8
    case tooLarge = 9
    case tooMany = 10
    case unsupported = 11
    case invalid = 12
    case cancelled = 130
    case nobodyReads = 141

    /// Never renumbered: scripts depend on it. The manual page prints it.
    static let table: [(code: ExitCode, meaning: String)] = [
        (.done, "everything was done"),
        (
            .mistakeOfOurs,
            "a mistake in Quire itself; the message has a number to report it with. Of quire compare: something differs"
        ),
        (.usage, "the command was not typed as it should be"),
        (.notFound, "something named does not exist"),
        (.conflict, "it does not fit what is there now, such as a name that is taken"),
        (.denied, "you may not do this, or must sign in first"),
        (.unavailable, "something needed does not answer: a server, a database, a disk"),
        (.damaged, "stored bytes are not what was once written; quire verify tells more"),
        (.full, "the disk is full"),
        (.tooLarge, "something is larger than allowed"),
        (.tooMany, "too often; wait a little"),
        (.unsupported, "Quire cannot do this here"),
        (.invalid, "something given cannot be right"),
        (.cancelled, "cancelled with Ctrl-C or by a signal"),
        (.nobodyReads, "the program that read the output went away"),
    ]

    /// What `compare` ends with where something differs, as programs that compare files do.
    static let differs = ExitCode.mistakeOfOurs

    init(_ failure: Failure.Code) {
        self =
            switch failure {
            case .invalid: .invalid
            case .notFound: .notFound
            case .conflict: .conflict
            case .denied, .signInNeeded: .denied
            case .tooLarge: .tooLarge
            case .tooMany: .tooMany
            case .unavailable: .unavailable
            case .unsupported: .unsupported
            case .damaged: .damaged
            case .cancelled: .cancelled
            case .full: .full
            }
    }
}
