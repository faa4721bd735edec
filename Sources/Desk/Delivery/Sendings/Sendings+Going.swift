public import Access
import Bytes
import Crypto
public import Filling
import Jobs
import SQL
public import Storage
import Transfer
import Work

// Starting, pausing, going on.
extension Sendings {
    /// Sends everybody's letter who is `ready`. `confirming` is the number somebody was shown and said yes to; when it is
    /// no longer right, nothing happens.
    @discardableResult
    public func start(_ id: ID<Batch>, confirming count: Int, by caller: Caller) throws -> Sending {
        try caller.require(.edit)
        try access.entitlements.require(.share)
        let batch = try batches.get(id, by: caller)
        let letter = try self.letter(of: id, by: caller)
        let (check, ready) = try check(batch, letter, by: caller)
        if let reason = check.reason { throw Failure(.conflict, reason) }
        guard ready.count == count else {
            throw Failure(
                .conflict,
                "Meanwhile \(ready.count) letters are ready to go out, not \(count). Look at them once more.",
                field: "count")
        }
        return try store.write { tx in
            // Whoever else had the same idea waits for this row.
            guard try !isUnderWay(id, in: tx) else { throw Self.underWay }
            let mailing = try open(batch, letter, .batch, isPrepared: false, by: caller, in: tx)
            let job = try outbox.promise(mailing, in: tx)
            return Sending(mailing: mailing, job: job, counts: [:])
        }
    }

    private static let underWay = Failure(.conflict, "This batch is being sent already.")

    /// The newest sending of the batch; nil when there was none.
    public func sending(_ id: ID<Batch>, by caller: Caller) throws -> Sending? {
        try caller.require(.view)
        let found = try store.read { desk in
            try desk.row(
                """
                SELECT * FROM mailing WHERE subject = \(Self.subject(id)) AND kind = 'batch'
                ORDER BY id DESC LIMIT 1
                """
            ).map(Mailing.init)
        }
        return try found.map { try sending($0) }
    }

    func sending(_ mailing: Mailing) throws -> Sending {
        let kind: JobKind = mailing.isPrepared ? .delivery : .letters
        var sending = Sending(
            mailing: mailing, job: try outbox.queue.active(kind, unique: mailing.id.text),
            counts: try outbox.counts(of: mailing.id))
        let next = try outbox.nextTurn(of: mailing.id)
        sending.nextAt = next.flatMap { $0 > store.clock.now() ? $0 : nil }
        return sending
    }

    /// Holds the batch's mail; a letter in the server's hands at this moment still ends there.
    @discardableResult
    public func pause(_ id: ID<Batch>, by caller: Caller) throws -> Sending {
        try change(id, by: caller) { try outbox.pause($0, by: caller) }
    }

    @discardableResult
    public func resume(_ id: ID<Batch>, by caller: Caller) throws -> Sending {
        try change(id, by: caller) { try outbox.release($0, by: caller) }
    }

    /// Ends it: what has not gone out stays here, and may be sent anew.
    @discardableResult
    public func cancel(_ id: ID<Batch>, by caller: Caller) throws -> Sending {
        try change(id, by: caller) { try outbox.cancel($0, by: caller) }
    }

    private func change(
        _ id: ID<Batch>, by caller: Caller, _ body: (ID<Mailing>) throws -> Void
    ) throws -> Sending {
        try caller.require(.edit)
        guard let sending = try sending(id, by: caller) else {
            throw Failure(.conflict, "Nothing of this batch has been sent yet.")
        }
        try body(sending.mailing.id)
        return try self.sending(outbox.mailing(sending.mailing.id, by: caller))
    }

    /// Sends one recipient's letter to oneself: to the sender's own address, unless told otherwise. It counts as nobody's
    /// mail.
    @discardableResult
    public func test(
        _ id: ID<Batch>, for packet: ID<Packet>? = nil, to address: String? = nil, by caller: Caller
    ) throws -> ID<OutboxMessage> {
        try caller.require(.edit)
        let batch = try batches.get(id, by: caller)
        let letter = try self.letter(of: id, by: caller)
        let maker = try maker(batch, letter, by: caller)
        let own = try circumstances.sender()
        let typed = address?.trimmingSpaces ?? ""
        guard let recipient = typed.isEmpty ? own : MailAddress(typed: typed) else {
            throw Failure.notAnAddress(typed.onOneLine, field: "to")
        }
        let found =
            try packet.map { try batches.addressees([$0], by: caller) }
            ?? batches.addressees(of: id, in: Packet.State.allCases, limit: 1, by: caller)
        guard let addressee = found.first(where: { $0.packet.batch == id }) else {
            throw Failure(.conflict, "There are no packets yet. Plan the batch first.")
        }
        let made = maker.letter(for: addressee, link: exampleLink)
        var draft = try draft(
            addressee.packet, made, letter, files(of: [addressee.packet], batch, letter, by: caller))
        draft.subject = ""
        draft.addresses = .init(to: [recipient])
        if let refusal = draft.refusal { throw Failure(.conflict, refusal) }
        return try post(draft, batch, letter, .test, by: caller)
    }

    /// Sends one recipient's letter alone, perhaps to another address than the one on the list.
    @discardableResult
    public func send(
        _ id: ID<Packet>, to address: String? = nil, by caller: Caller
    ) throws -> ID<OutboxMessage> {
        try caller.require(.edit)
        try access.entitlements.require(.share)
        let (addressee, batch) = try addressee(id, by: caller)
        let letter = try self.letter(of: batch.id, by: caller)
        let maker = try maker(batch, letter, by: caller)
        guard addressee.packet.state == .made else {
            throw Failure(.conflict, "This packet has not been made.")
        }
        if let problem = maker.problems.first { throw Failure(.conflict, problem.message) }
        _ = try circumstances.sender()
        var made = maker.letter(for: addressee, link: exampleLink)
        if let address, !address.trimmingSpaces.isEmpty {
            guard let mailbox = MailAddress(typed: address) else {
                throw Failure.notAnAddress(address.onOneLine, field: "to")
            }
            made.addresses.to = [mailbox]
            made.problems.removeAll { [.noAddress, .badAddress].contains($0.kind) }
        }
        if let problem = made.problems.first(where: { $0.stops }) {
            throw Failure(.invalid, problem.message, field: "to")
        }
        let files = try files(of: [addressee.packet], batch, letter, by: caller)
        let hash = try made.password.map(access.shareLinks.hash)
        return try post(
            draft(addressee.packet, made, letter, files), batch, letter, .single, by: caller
        ) { draft, tx in
            guard letter.attaches == .link else { return }
            let link = try link(
                for: addressee.packet, letter, hash, origin: circumstances.origin, actor: caller.actor,
                name: caller.name, in: tx)
            write(maker.letter(for: addressee, link: link).written, into: &draft)
        }
    }

    func addressee(_ id: ID<Packet>, by caller: Caller) throws -> (Addressee, Batch) {
        guard let addressee = try batches.addressees([id], by: caller).first else {
            throw Failure(.notFound, "There is no such packet.")
        }
        return (addressee, try batches.get(addressee.packet.batch, by: caller))
    }

    private func post(
        _ draft: OutboxMessage.Draft, _ batch: Batch, _ letter: BatchLetter, _ kind: Mailing.Kind,
        by caller: Caller,
        _ complete: (inout OutboxMessage.Draft, borrowing Transaction) throws -> Void = { _, _ in }
    ) throws -> ID<OutboxMessage> {
        try store.write { tx in
            var draft = draft
            try complete(&draft, tx)
            var letter = letter
            letter.pace = Pace(zone: letter.pace.zone)
            let mailing = try open(batch, letter, kind, isPrepared: true, by: caller, in: tx)
            guard try outbox.post([draft], to: mailing.id, by: caller.actor, in: tx) == 1,
                let row = try tx.row("SELECT id FROM outbox_message WHERE mailing = \(mailing.id)")
            else {
                throw Failure(.conflict, "A letter with this packet has gone out already, or is about to.")
            }
            try outbox.promise(mailing, in: tx)
            return try row.id("id")
        }
    }

    private func open(
        _ batch: Batch, _ letter: BatchLetter, _ kind: Mailing.Kind, isPrepared: Bool, by caller: Caller,
        in tx: borrowing Transaction
    ) throws -> Mailing {
        // A test goes to whoever tries it out.
        guard try kind == .test || !isForNobody(batch, in: tx) else { throw Self.exampleRefused }
        let sender = try MailAddress(parsing: letter.sender) ?? circumstances.sender()
        var draft = Mailing.Draft(
            title: batch.name, subject: Self.subject(batch.id), sender: sender,
            replyTo: MailAddress(parsing: letter.replyTo), pace: letter.pace)
        draft.kind = kind
        draft.order = SendingOrder(letter, origin: circumstances.origin)
        let mailing = try outbox.open(draft, state: .running, isPrepared: isPrepared, by: caller, in: tx)
        for digest in Set(letter.files.map(\.digest)) {
            try tx.keep(digest)
            try tx.run("INSERT INTO mailing_file (mailing, digest) VALUES (\(mailing.id), \(digest))")
        }
        return mailing
    }

    func isUnderWay(_ id: ID<Batch>) throws -> Bool {
        try store.read { desk in try isUnderWay(id, in: desk) }
    }

    private func isUnderWay(_ id: ID<Batch>, in desk: borrowing some Readable & ~Copyable) throws -> Bool {
        try desk.row(
            """
            SELECT m.id FROM mailing m WHERE m.subject = \(Self.subject(id)) AND m.kind = 'batch'
                AND m.state <> 'cancelled' AND (m.prepared = 0 OR EXISTS (
                    SELECT 1 FROM outbox_message o
                    WHERE o.mailing = m.id AND o.state IN ('waiting', 'sending', 'ending')))
            LIMIT 1
            """) != nil
    }
}

// Writing the letters.
extension Sendings {
    /// So many letters share one wait for the disk.
    private static let portion = 64

    /// Puts everybody's letter into the outbox, portion by portion; what is there already is not put in again, so this
    /// may end anywhere and go on. Then lets them go.
    func write(_ run: JobRun) throws {
        guard let id = run.payload["mailing"]?.string.flatMap(ID<Mailing>.init) else { return }
        let mailing = try store.read { desk in try Outbox.mailing(id, in: desk) }
        guard !mailing.isPrepared, mailing.state != .cancelled, let order = mailing.order,
            let batchID = ID<Batch>(String(mailing.subject.dropFirst("batch/".count)))
        else { return }
        let batch = try batches.get(batchID, by: .local)
        let letter = order.letter
        let maker = try maker(batch, letter, by: .local)
        let made = try batches.counts(of: batchID, by: .local)[.made] ?? 0
        run.progress.set(done: 0, total: Int64(made))
        run.progress.phase("Writing the letters")
        try ledger.settle(run.progress)
        var after = run.checkpoint?["after"]?.int ?? 0
        while true {
            try run.progress.check()
            let page = try batches.addressees(of: batchID, after: after, limit: Self.portion, by: .local)
            guard let last = page.last else { break }
            after = last.packet.place
            let written = page.map { maker.letter(for: $0, link: exampleLink) }
            let ready = zip(page, written).filter { !$0.1.problems.contains { $0.stops } }
            let files = try files(of: ready.map { $0.0.packet }, batch, letter, by: .local)
            let hashes = try passwordHashes(ready)
            try store.write { tx in
                guard try Outbox.mailing(id, in: tx).state != .cancelled else {
                    throw Cancelled(reason: "The mailing was cancelled.")
                }
                let busy = try sentAlready(ready.map { $0.0.packet.id }, in: tx)
                var drafts: [OutboxMessage.Draft] = []
                for (addressee, made) in ready where !busy.contains(addressee.packet.id) {
                    var draft = draft(addressee.packet, made, letter, files)
                    if letter.attaches == .link {
                        let link = try link(
                            for: addressee.packet, letter, hashes[addressee.packet.id], origin: order.origin,
                            actor: mailing.madeBy, name: mailing.madeByName, in: tx)
                        write(maker.letter(for: addressee, link: link).written, into: &draft)
                    }
                    drafts.append(draft)
                }
                try outbox.post(drafts, to: id, by: mailing.madeBy, in: tx)
                try run.save(checkpoint: ["after": .int(after)], in: tx)
            }
            run.progress.advance(Int64(page.count))
        }
        try store.write { tx in
            try tx.run("UPDATE mailing SET prepared = 1 WHERE id = \(id)")
            let ready = try Outbox.mailing(id, in: tx)
            if ready.state == .running { try outbox.promise(ready, in: tx) }
            try outbox.tell(id, in: tx)
            try run.finish(result: ["mailing": .string(id.text)], in: tx)
        }
    }

    /// Packets a letter has gone out with, or is about to: they get no second one, and no second link.
    private func sentAlready(
        _ packets: [ID<Packet>], in tx: borrowing Transaction
    ) throws -> Set<ID<Packet>> {
        let subjects = Dictionary(
            packets.map { (Self.subject($0), $0) }, uniquingKeysWith: { first, _ in first })
        let rows = try tx.rows(
            """
            SELECT subject FROM outbox_message WHERE \(Query.column("subject", in: subjects.keys.sorted()))
                AND state IN ('waiting', 'sending', 'ending', 'accepted', 'uncertain')
            """)
        return Set(try rows.compactMap { subjects[try $0.text("subject")] })
    }

    /// What is attached to each packet's letter, kept as bytes: a copy of exactly what was sent stays here.
    func files(
        of packets: [Packet], _ batch: Batch, _ letter: BatchLetter, by caller: Caller
    ) throws -> [ID<Packet>: Result<Digest, any Error>] {
        guard letter.attaches == .packet, !packets.isEmpty else { return [:] }
        let made = try batches.files(of: packets.map(\.id), in: batch.id, by: caller)
        // Waiting for the disk is most of it, so several wait at once.
        let workers = Workers(name: "letters", threads: 4)
        defer { workers.stop() }
        let digests = try workers.map(packets) { packet -> Result<Digest, any Error> in
            guard let file = made[packet.id] else {
                return .failure(Failure(.notFound, "This packet is gone."))
            }
            switch file {
            case .failure(let error): return .failure(error)
            case .success(let file):
                // A full disk is no fault of the packet: it ends the work, which goes on later.
                return .success(
                    try store.blobs.put { writer in for piece in file.pieces { try writer.write(piece) } })
            }
        }
        return Dictionary(
            zip(packets.map(\.id), digests).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    }

    func draft(
        _ packet: Packet, _ made: LetterMaker.Made, _ letter: BatchLetter,
        _ files: [ID<Packet>: Result<Digest, any Error>]
    ) -> OutboxMessage.Draft {
        var draft = OutboxMessage.Draft(
            subject: Self.subject(packet.id), recipientName: packet.name, addresses: made.addresses,
            title: made.written.subject, text: made.written.text, html: made.written.html)
        if letter.attaches == .packet {
            switch files[packet.id] {
            case .success(let digest)?:
                draft.attachments.append(
                    .init(
                        fileName: LetterMaker.fileName(packet), mediaType: "application/pdf", digest: digest))
            case .failure(let error)?: draft.refusal = (error as? Failure)?.message ?? "\(error)"
            case nil: draft.refusal = "This packet could not be made."
            }
        }
        draft.attachments += letter.files.map {
            .init(fileName: $0.name, mediaType: $0.mediaType, digest: $0.digest)
        }
        return draft
    }

    private func write(_ written: Letter.Written, into draft: inout OutboxMessage.Draft) {
        draft.title = written.subject
        draft.text = written.text
        draft.html = written.html
    }

    /// Made slow on purpose, so not while others wait to write.
    private func passwordHashes(
        _ letters: [(Addressee, LetterMaker.Made)]
    ) throws -> [ID<Packet>: String] {
        let locked = letters.compactMap { addressee, made in
            made.password.map { (addressee.packet.id, $0) }
        }
        guard !locked.isEmpty else { return [:] }
        let workers = Workers(name: "passwords", threads: 2)
        defer { workers.stop() }
        let links = access.shareLinks
        let hashes = try workers.map(locked) { try links.hash($0.1) }
        return Dictionary(
            zip(locked.map(\.0), hashes).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    }

    private func link(
        for packet: Packet, _ letter: BatchLetter, _ hash: String?, origin: String?, actor: String,
        name: String, in tx: borrowing Transaction
    ) throws -> String {
        guard let origin else {
            throw Failure(
                .conflict, "Links need the address under which others reach this desk. Set public-origin.")
        }
        let terms = ShareLinks.Terms(
            note: packet.name, expiresAt: letter.linkDays.map { tx.now + .seconds($0 * 86_400) },
            maximumOpenings: letter.linkOpenings)
        let made = try access.shareLinks.make(
            Subject(kind: "packet", id: packet.id.text), terms, passwordHash: hash, actor: actor, name: name,
            in: tx)
        return "\(origin)/s/\(made.token.text)"
    }
}
