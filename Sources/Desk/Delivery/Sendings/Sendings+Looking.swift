public import Access
public import Filling
import SQL
public import Storage
public import Transfer

/// A name one may put into a letter.
public struct LetterToken: Sendable, Equatable {
    public var name: String
    /// The column it stands for; nil for what the desk knows itself.
    public var column: String?
    /// What it says for the first recipient.
    public var example: String
}

/// What one recipient would get.
public struct LetterPreview: Sendable {
    public struct Attachment: Sendable, Equatable {
        public var name: String
        public var mediaType: String
        public var byteCount: Int64
    }

    public var packet: Packet
    public var from: MailAddress?
    public var replyTo: MailAddress?
    public var addresses: OutboxMessage.Addresses
    public var subject: String
    public var text: String
    /// The whole page, with its head; nothing in it is anybody's own HTML.
    public var html: String?
    public var attachments: [Attachment]
    /// Of the whole mail, about.
    public var byteCount: Int64
    public var unknown: [String]
    public var empty: [String]
    public var problems: [SendingProblem]
}

/// What a look at all letters found.
public struct SendingCheck: Sendable, Equatable {
    public struct Group: Sendable, Equatable {
        public var kind: SendingProblem.Kind
        /// The name in the letter that is unknown, or empty for some: each such name is a group of its own.
        public var token: String?
        /// Whom it concerns, each once.
        public var count: Int
        /// The first of them.
        public var examples: [SendingProblem]
    }

    /// All packets of the batch.
    public var total = 0
    /// Those whose letters would go out.
    public var ready = 0
    public var leftOut: Int { total - ready }
    /// Of all mails together, about.
    public var byteCount: Int64 = 0
    public var groups: [Group] = []
    public var canStart: Bool { ready > 0 && reason == nil }
    /// Why nothing can be sent at all.
    public var reason: String?

    fileprivate mutating func add(_ problem: SendingProblem) {
        let place =
            groups.firstIndex { $0.kind == problem.kind && $0.token == problem.token }
            ?? {
                groups.append(Group(kind: problem.kind, token: problem.token, count: 0, examples: []))
                return groups.count - 1
            }()
        groups[place].count += 1
        if groups[place].examples.count < 20 { groups[place].examples.append(problem) }
        if problem.kind.stopsAll, reason == nil { reason = problem.message }
    }
}

extension Sendings {
    /// The names one may put into the letter, with what they say for the first recipient.
    public func tokens(of id: ID<Batch>, by caller: Caller) throws -> [LetterToken] {
        let batch = try batches.get(id, by: caller)
        let maker = try maker(batch, letter(of: id, by: caller), by: caller)
        let first = try batches.addressees(of: id, in: Packet.State.allCases, limit: 1, by: caller).first
        let words = first.map { maker.words(for: $0, link: "") }
        return maker.names.map { name, column in
            LetterToken(name: name, column: column, example: words?[name] ?? "")
        }
    }

    /// What one recipient would get: of the letter given or the one saved, the packet named or the first.
    public func preview(
        _ letter: BatchLetter? = nil, of id: ID<Batch>, for packet: ID<Packet>? = nil, by caller: Caller
    ) throws -> LetterPreview {
        let batch = try batches.get(id, by: caller)
        let saved = try self.letter(of: id, by: caller)
        var letter = try letter?.checked() ?? saved
        letter.files = saved.files
        let maker = try maker(batch, letter, by: caller)
        let found: Addressee? =
            if let packet {
                try batches.addressees([packet], by: caller).first { $0.packet.batch == id }
            } else {
                try batches.addressees(of: id, limit: 1, by: caller).first
                    ?? batches.addressees(of: id, in: Packet.State.allCases, limit: 1, by: caller).first
            }
        guard let addressee = found else {
            throw Failure(.notFound, "There is no such packet. Plan the batch first.")
        }
        let made = maker.letter(for: addressee, link: exampleLink)
        var preview = LetterPreview(
            packet: addressee.packet, from: maker.sender, replyTo: maker.replyTo, addresses: made.addresses,
            subject: made.written.subject, text: made.written.text, html: made.written.html,
            attachments: [],
            byteCount: 0, unknown: made.written.unknown, empty: made.written.empty,
            problems: maker.problems + made.problems)
        if letter.attaches == .packet {
            preview.attachments.append(
                .init(
                    name: LetterMaker.fileName(addressee.packet), mediaType: "application/pdf",
                    byteCount: addressee.packet.byteCount))
        }
        preview.attachments += letter.files.map {
            .init(name: $0.name, mediaType: $0.mediaType, byteCount: $0.byteCount)
        }
        preview.byteCount = weight(addressee.packet, letter)
        if let problem = try accountProblem(letter) { preview.problems.append(problem) }
        if let problem = originProblem(letter) { preview.problems.append(problem) }
        let others = try store.read { desk in try standing([addressee], made: [made], in: desk) }
        preview.problems += others[0]
        return preview
    }

    /// Looks at everybody's letter: of the one given, or the one saved. Nothing is sent.
    public func check(
        _ id: ID<Batch>, _ letter: BatchLetter? = nil, by caller: Caller
    ) throws -> SendingCheck {
        try caller.require(.view)
        let batch = try batches.get(id, by: caller)
        let letter = try letter?.checked() ?? self.letter(of: id, by: caller)
        return try check(batch, letter, by: caller).check
    }

    /// The check, and the packets whose letters would go out, in the list's order.
    func check(
        _ batch: Batch, _ letter: BatchLetter, by caller: Caller
    ) throws -> (check: SendingCheck, ready: [ID<Packet>]) {
        let maker = try maker(batch, letter, by: caller)
        var check = SendingCheck()
        var ready: [ID<Packet>] = []
        for problem in maker.problems { check.add(problem) }
        if let problem = try accountProblem(letter) { check.add(problem) }
        if let problem = originProblem(letter) { check.add(problem) }
        if try isUnderWay(batch.id) {
            check.add(SendingProblem(.underWay, nil, "This batch is being sent already."))
        }
        if try store.read({ desk in try isForNobody(batch, in: desk) }) {
            check.add(SendingProblem(.example, nil, Self.exampleRefused.message))
        }
        var seen: [String: Packet] = [:]
        var place = 0
        while true {
            let page = try batches.addressees(
                of: batch.id, in: Packet.State.allCases, after: place, limit: 500, by: caller)
            guard let last = page.last else { break }
            place = last.packet.place
            let made = page.map { maker.letter(for: $0, link: exampleLink) }
            let more = try store.read { desk in try standing(page, made: made, in: desk) }
            for (index, addressee) in page.enumerated() {
                let packet = addressee.packet
                check.total += 1
                var problems = made[index].problems + more[index]
                let weight = weight(packet, letter)
                if weight > circumstances.largestMail {
                    problems.append(
                        SendingProblem(
                            .tooLarge, packet,
                            "This mail would have \(weight >> 20) MB; most servers take no more than \(circumstances.largestMail >> 20). Send a link instead."
                        ))
                }
                if !problems.contains(where: { $0.stops }) {
                    if let address = made[index].addresses.to.first?.address.lowercased() {
                        if let other = seen[address] {
                            problems.append(
                                SendingProblem(
                                    .duplicateAddress, packet,
                                    "\(other.name) has the same address, \(address)."))
                        } else {
                            seen[address] = packet
                        }
                    }
                    check.ready += 1
                    check.byteCount += weight
                    ready.append(packet.id)
                }
                for problem in problems { check.add(problem) }
            }
        }
        if ready.isEmpty, check.reason == nil {
            check.add(
                SendingProblem(
                    .notFilled, nil,
                    check.total == 0
                        ? "There are no packets yet. Make them first."
                        : "There is nobody to send to: see why each is left out."))
        }
        check.groups.sort { a, b in
            a.kind.stops != b.kind.stops ? a.kind.stops : a.count > b.count
        }
        return (check, ready)
    }

    private func accountProblem(_ letter: BatchLetter) throws -> SendingProblem? {
        do {
            _ = try circumstances.sender()
            return nil
        } catch let failure as Failure {
            return SendingProblem(.noAccount, nil, failure.message)
        }
    }

    private func originProblem(_ letter: BatchLetter) -> SendingProblem? {
        guard letter.attaches == .link, circumstances.origin == nil else { return nil }
        return SendingProblem(
            .noOrigin, nil,
            "Links need the address under which others reach this desk. Set public-origin, or attach the packets."
        )
    }

    /// What the desk knows about each packet and its addresses already.
    private func standing(
        _ addressees: [Addressee], made: [LetterMaker.Made], in desk: borrowing Reading
    ) throws -> [[SendingProblem]] {
        var sent: [String: String] = [:]
        let subjects = addressees.map { Self.subject($0.packet.id) }
        for row in try desk.rows(
            """
            SELECT subject, state FROM outbox_message WHERE \(Query.column("subject", in: subjects))
                AND state IN ('waiting', 'sending', 'ending', 'accepted', 'uncertain')
            """)
        {
            sent[try row.text("subject")] = try row.text("state")
        }
        let unwanted = Unwanted(
            reasons: try outbox.suppressions.find(
                made.flatMap { $0.addresses.all.map(\.address) }, in: desk))
        return zip(addressees, made).map { addressee, letter in
            let packet = addressee.packet
            var problems: [SendingProblem] = []
            if packet.state != .made {
                problems.append(
                    SendingProblem(.notMade, packet, packet.reason ?? "This packet has not been made."))
            }
            if let state = sent[Self.subject(packet.id)].flatMap(OutboxMessage.State.init) {
                problems.append(
                    SendingProblem(.sentAlready, packet, "A letter with this packet is \(state.words)."))
            }
            if let words = unwanted.words(for: letter.addresses) {
                let kind: SendingProblem.Kind =
                    unwanted.holdsBack(letter.addresses) ? .suppressed : .heldBack
                problems.append(SendingProblem(kind, packet, words))
            }
            return problems
        }
    }

    /// As base64 a file takes a third more, and its line ends.
    private func weight(_ packet: Packet, _ letter: BatchLetter) -> Int64 {
        let files =
            letter.files.reduce(0) { $0 + $1.byteCount } + (letter.attaches == .packet ? packet.byteCount : 0)
        return files / 57 * 78 + Int64(letter.body.utf8.count) * 3 + 2_000
    }

    /// What stands for a link that is not made yet.
    var exampleLink: String { "\(circumstances.origin ?? "https://desk.example")/s/…" }
}
