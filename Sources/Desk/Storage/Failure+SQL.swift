import SQL

extension Store {
    /// Turns what a person can understand and mend into a `Failure`. The rest stays as it is: a broken rule of the
    /// schema means something only to the part that wrote it.
    static func explained<R>(_ home: DataDirectory, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as SQLError {
            throw Failure(error, home) ?? error
        }
    }

    /// What went wrong, in words for a person where there are any.
    public func sentence(of error: any Error) -> String {
        let failure = error as? Failure ?? (error as? SQLError).flatMap { Failure($0, home) }
        return failure?.message ?? "\(error)"
    }
}

extension Failure {
    init?(_ error: SQLError, _ home: DataDirectory) {
        switch error.code {
        case .full:
            self.init(
                .full, "The disk is full: nothing was saved. Make room and try again.",
                cause: error.description)
        case .readOnly:
            self.init(
                .unavailable,
                "Quire may not write to its database in \(home.path). Make the data directory writable for the user that runs Quire.",
                cause: error.description)
        case .damaged:
            self.init(
                .damaged,
                "The database in \(home.path) is damaged. “quire verify” says what is affected; “quire restore” brings back the latest backup.",
                cause: error.description)
        case .busy:
            self.init(
                .unavailable, "The database is busy. Try again in a moment.", cause: error.description,
                retryAfter: .seconds(1))
        case .unreachable:
            self.init(
                .unavailable, "The database does not answer. Check that it is running and can be reached.",
                cause: error.description, retryAfter: .seconds(5))
        case .newerSchema:
            self.init(
                .unsupported,
                "The data in \(home.path) was written by a newer version of Quire. Install that version or a later one.",
                cause: error.description)
        case .changedHistory:
            self.init(
                .unsupported, "The data in \(home.path) was written by a different build of Quire.",
                cause: error.description)
        case .cancelled:
            self.init(.cancelled, "The work was stopped.", cause: error.description)
        case .unique, .foreignKey, .check, .notNull, .wrongType, .unsupported, .misuse, .other: return nil
        }
    }
}
