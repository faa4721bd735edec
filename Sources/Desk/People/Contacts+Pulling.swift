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

// Address books on servers. They are only read: nothing here ever changes what lies there.
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
        by caller: Caller
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
            note("contacts.bookAdded", id, by: Author(caller), ContactCounts(), in: tx)
            return try found(id, in: tx)
        }
    }

    /// Forgets a book and the contacts that came from it; on the server nothing changes.
    public func removeBook(_ id: ID<ContactBook>, by caller: Caller) throws {
        try caller.require(.administer)
        try store.write { tx in
            let book = try found(id, in: tx)
            try tx.run("DELETE FROM contact WHERE book_id = \(id)")
            try tx.run("DELETE FROM contact_book WHERE id = \(id)")
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "contacts.bookRemoved", subject: "contact-book/\(id)",
                    detail: ["name": .string(book.name)]))
        }
    }

    /// Brings a book up to date: fetches the cards whose mark has changed, and lets go of those that have gone.
    @discardableResult
    public func pull(
        _ id: ID<ContactBook>, by caller: Caller, progress: Progress = Progress()
    ) throws -> ContactCounts {
        try caller.require(.edit)
        return try pull(id, by: Author(caller), progress: progress)
    }

    @discardableResult
    public func pullLater(_ id: ID<ContactBook>, by caller: Caller) throws -> ID<Job> {
        try caller.require(.edit)
        return try store.write { tx in
            let book = try found(id, in: tx)
            return try queue.add(
                .contactPull,
                payload: [
                    "book": .string(id.text), "actor": .string(caller.actor), "name": .string(caller.name),
                ],
                title: "Pull “\(book.name)”", in: tx, unique: id.text)
        }
    }

    /// Names who does these jobs.
    public func handle(in runner: JobRunner) {
        runner.handle(.followUps) { _ in try tellDue() }
        runner.handle(.contactPull) { run in
            guard let id = run.payload["book"]?.string.flatMap({ ID<ContactBook>($0) }) else {
                throw Failure(.invalid, "The job names no address book.")
            }
            let author = Author(
                actor: run.payload["actor"]?.string ?? "quire/contacts",
                name: run.payload["name"]?.string ?? "Quire")
            let counts = try pull(id, by: author, progress: run.progress)
            run.answer([
                "added": .int(counts.added), "changed": .int(counts.changed), "gone": .int(counts.gone),
            ])
        }
    }

    private func pull(_ id: ID<ContactBook>, by author: Author, progress: Progress) throws -> ContactCounts {
        let (book, password, known) = try secrets(of: id)
        guard book.kind == .carddav, let address = book.address else {
            throw Failure(.unsupported, "These contacts came from a file. Bring a newer one in instead.")
        }
        do {
            progress.phase("Asking \(book.name)")
            let remote = CardDAVClient.Book(url: address, name: book.name, tag: nil)
            let client = try explained { () throws(TransferError) in
                try CardDAVClient(address, userName: book.userName, password: password, over: http)
            }
            let tags = try explained { () throws(TransferError) in try client.tags(of: remote) }
            let wanted = tags.filter { known[$0.path] != $0.entityTag }.map(\.path)
            progress.set(done: 0, total: Int64(wanted.count))
            let cards = try explained { () throws(TransferError) in
                try client.cards(wanted, of: remote, progress: progress)
            }
            return try store.write { tx in
                var counts = ContactCounts()
                counts.unchanged = tags.count - wanted.count
                for card in cards {
                    guard let parsed = CardFile(Array(card.text.utf8)).cards.first else { continue }
                    try put(
                        parsed, uid: parsed.uid ?? card.path, path: card.path, tag: card.entityTag, into: id,
                        &counts, in: tx)
                }
                let there = Set(tags.map(\.path))
                for path in known.keys.sorted() where !there.contains(path) {
                    counts.gone += try tx.run("DELETE FROM contact WHERE book_id = \(id) AND path = \(path)")
                }
                try tx.run("UPDATE contact_book SET pulled_at = \(tx.now), trouble = NULL WHERE id = \(id)")
                note("contacts.pulled", id, by: author, counts, in: tx)
                return counts
            }
        } catch let failure as Failure {
            try store.write { tx in
                try tx.run("UPDATE contact_book SET trouble = \(failure.message) WHERE id = \(id)")
            }
            throw failure
        }
    }

    private func secrets(
        of id: ID<ContactBook>
    ) throws -> (book: ContactBook, password: String?, known: [String: String]) {
        let (book, sealed, known) = try store.read { desk in
            let book = try found(id, in: desk)
            let sealed = try desk.row("SELECT sealed FROM contact_book WHERE id = \(id)")?.optionalBlob(
                "sealed")
            var known: [String: String] = [:]
            for row in try desk.rows(
                "SELECT path, tag FROM contact WHERE book_id = \(id) AND path IS NOT NULL")
            {
                known[try row.text("path")] = try row.optionalText("tag") ?? ""
            }
            return (book, sealed, known)
        }
        guard let sealed else { return (book, nil, known) }
        guard let password = try keys.key().open(sealed, for: "contact-book/\(id)") else {
            throw Failure(
                .unavailable,
                "The password of “\(book.name)” was sealed with another key. Add the address book again.")
        }
        return (book, String(decoding: password, as: UTF8.self), known)
    }

    /// What went wrong on the way, for a person.
    private func explained<R>(_ body: () throws(TransferError) -> R) throws(Failure) -> R {
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
