public import Access
import Bytes
import Cards
import Crypto
public import Jobs
import SQL
public import Storage
public import Transfer
public import Work

extension JobKind {
    public static let contactPull = JobKind("contact-pull", title: "Pull contacts", maximumAttempts: 3)
}

// Address books on servers: only read, or changed from here as well where somebody said so.
extension Contacts {
    /// Books on the server at this address: of an account, or of one book alone.
    public func look(
        _ address: String, userName: String?, password: String?, by caller: Caller
    ) throws -> [CardDAVClient.Book] {
        try caller.require(.administer)
        return try explained { () throws(TransferError) in
            try CardDAVClient(address, userName: userName, password: password, over: http).books()
        }
    }

    /// Remembers an address book; `pull` brings its cards. The password is sealed and never shown again. Without a
    /// choice among several books the first is taken.
    @discardableResult
    public func addBook(
        _ address: String, userName: String? = nil, password: String? = nil, named name: String? = nil,
        bothWays: Bool = false, by caller: Caller
    ) throws -> ContactBook {
        let books = try look(address, userName: userName, password: password, by: caller)
        guard let book = books.first(where: { $0.name == name }) ?? books.first else {
            throw Failure(.notFound, "The server shows no address book there.", field: "address")
        }
        let key = try keys.key()
        return try store.write { tx in
            if try tx.row("SELECT 1 AS one FROM contact_book WHERE address = \(book.url)") != nil {
                throw Failure(.conflict, "This address book is here already.", field: "address")
            }
            let id = tx.newID(of: ContactBook.self)
            let sealed = password.map { key.seal(Array($0.utf8), for: "contact-book/\(id)") }
            try tx.run(
                """
                INSERT INTO contact_book (id, kind, name, address, user_name, sealed, made_at, made_by)
                VALUES (\(id), 'carddav', \(String(book.name.prefix(200))), \(book.url), \(userName), \(sealed),
                    \(tx.now), \(caller.actor))
                """)
            try set(id, bothWays: bothWays, in: tx)
            note("contacts.bookAdded", id, by: Author(caller), ContactCounts(), in: tx)
            return try found(id, in: tx)
        }
    }

    /// Forgets a book and the contacts that came from it; on the server nothing changes.
    public func removeBook(_ id: ID<ContactBook>, by caller: Caller) throws {
        try caller.require(.administer)
        try store.write { tx in
            let book = try found(id, in: tx)
            try set(id, bothWays: false, in: tx)
            try disband("book_id = \(id)", in: tx)
            try tx.run("DELETE FROM contact WHERE book_id = \(id)")
            try tx.run("DELETE FROM contact_book WHERE id = \(id)")
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "contacts.bookRemoved", subject: "contact-book/\(id)",
                    detail: ["name": .string(book.name)]))
        }
    }

    /// Brings a book up to date: fetches the cards whose mark has changed, lets go of those that have gone, and writes what was
    /// changed here where the book goes both ways. Where more than a tenth of it would go, it stops unless `evenMany` is said.
    @discardableResult
    public func pull(
        _ id: ID<ContactBook>, evenMany: Bool = false, by caller: Caller, progress: Progress = Progress()
    ) throws -> ContactCounts {
        try caller.require(.edit)
        return try pull(id, evenMany: evenMany, by: Author(caller), progress: progress)
    }

    @discardableResult
    public func pullLater(
        _ id: ID<ContactBook>, evenMany: Bool = false, by caller: Caller
    ) throws -> ID<Job> {
        try caller.require(.edit)
        return try store.write { tx in
            try pullLater(found(id, in: tx), evenMany: evenMany, by: Author(caller), in: tx)
        }
    }

    @discardableResult
    func pullLater(
        _ book: ContactBook, evenMany: Bool = false, by author: Author, in tx: borrowing Transaction
    ) throws -> ID<Job> {
        try queue.add(
            .contactPull, payload: Self.payload(book.id, author, evenMany: evenMany),
            title: Self.title(of: book), in: tx, unique: evenMany ? "\(book.id) even many" : book.id.text)
    }

    /// Who does what nobody in particular asked for.
    static let own = Author(actor: "quire/contacts", name: "Quire")

    static func payload(_ id: ID<ContactBook>, _ author: Author, evenMany: Bool = false) -> JSON {
        [
            "book": .string(id.text), "actor": .string(author.actor), "name": .string(author.name),
            "evenMany": .bool(evenMany),
        ]
    }

    static func title(of book: ContactBook) -> String { "Pull “\(book.name)”" }

    /// Names who does these jobs.
    public func handle(in runner: JobRunner) {
        runner.handle(.followUps) { _ in try tellDue() }
        runner.handle(.contactPull) { run in
            guard let id = run.payload["book"]?.string.flatMap({ ID<ContactBook>($0) }) else {
                throw Failure(.invalid, "The job names no address book.")
            }
            let author = Author(
                actor: run.payload["actor"]?.string ?? Self.own.actor,
                name: run.payload["name"]?.string ?? Self.own.name)
            let counts: ContactCounts
            do {
                counts = try pull(
                    id, evenMany: run.payload["evenMany"]?.bool ?? false, by: author, progress: run.progress)
            } catch let failure as Failure where failure.field == Self.question {
                throw Undecided(failure)
            }
            run.answer([
                "added": .int(counts.added), "changed": .int(counts.changed), "gone": .int(counts.gone),
                "sent": .int(counts.sent),
            ])
        }
    }

    private func pull(
        _ id: ID<ContactBook>, evenMany: Bool, by author: Author, progress: Progress
    ) throws -> ContactCounts {
        let (book, password) = try secrets(of: id)
        guard book.kind == .carddav, let address = book.address else {
            throw Failure(.unsupported, "These contacts came from a file. Bring a newer one in instead.")
        }
        do {
            progress.phase("Asking \(book.name)")
            let client = try explained { () throws(TransferError) in
                try CardDAVClient(address, userName: book.userName, password: password, over: http)
            }
            var exchange = CardExchange(
                contacts: self, book: book, remote: .init(url: address, name: book.name), client: client,
                evenMany: evenMany)
            try exchange.run(progress)
            let (counts, left) = (exchange.counts, exchange.left)
            return try store.write { tx in
                let trouble = left.isEmpty ? nil : Self.left(left).message
                try tx.run(
                    """
                    UPDATE contact_book SET pulled_at = \(tx.now), trouble = \(trouble), in_question = \(false)
                    WHERE id = \(id)
                    """)
                note("contacts.pulled", id, by: author, counts, ["sent": .int(counts.sent)], in: tx)
                return counts
            }
        } catch let failure as Failure {
            let isInQuestion = failure.field == Self.question
            try store.write { tx in
                try tx.run(
                    """
                    UPDATE contact_book SET trouble = \(failure.message), in_question = \(isInQuestion) WHERE id = \(id)
                    """)
            }
            throw failure
        }
    }

    private func secrets(of id: ID<ContactBook>) throws -> (book: ContactBook, password: String?) {
        let (book, sealed) = try store.read { desk in
            let sealed = try desk.row("SELECT sealed FROM contact_book WHERE id = \(id)")?.optionalBlob(
                "sealed")
            return (try found(id, in: desk), sealed)
        }
        guard let sealed else { return (book, nil) }
        guard let password = try keys.key().open(sealed, for: "contact-book/\(id)") else {
            throw Failure(
                .unavailable,
                "The password of “\(book.name)” was sealed with another key. Add the address book again.")
        }
        return (book, String(decoding: password, as: UTF8.self))
    }

    /// What went wrong on the way, for a person.
    func explained<R>(_ body: () throws(TransferError) -> R) throws(Failure) -> R {
        do {
            return try body()
        } catch {
            switch error {
            case .answer(let status, _) where status == 401 || status == 403:
                throw Failure(
                    .denied,
                    "The server refuses this name and password. Many servers want a password made for apps.",
                    cause: "\(error)")
            case .answer(let status, _) where status == 404:
                throw Failure(
                    .notFound, "The server has nothing at this address.", field: "address", cause: "\(error)")
            case .cancelled: throw Failure(.cancelled, "The pull was stopped.")
            default:
                throw Failure(
                    .unavailable, "The server of the address book cannot be used: \(error.kind).",
                    cause: "\(error)")
            }
        }
    }
}
