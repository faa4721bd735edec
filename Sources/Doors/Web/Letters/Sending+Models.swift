import Access
import App
import Bytes
import Codes
import Delivery
import Filling
import HTTP
import Jobs
import Markup
import Storage
import Transfer
import Work

// What the desk knows of sending, as the pages show it.

extension Visit {
    /// Whether there is a mail account to send with.
    var hasMailAccount: Bool { (try? quire.settings.mailAccount()) != nil }

    /// Nobody's papers are known before they are planned: whoever asks for their letter is led to where that happens.
    func stepBeforeGiving() throws -> Response? {
        let batch = try batch()
        guard wantsPage, batch.state == .draft else { return nil }
        return goes(
            to: "/batches/\(batch.id)/\(batch.step == .people ? "people" : "plan")",
            notice: texts("notice.planFirst"))
    }

    // MARK: The message

    func letterPage(typed: BatchLetter? = nil, failure: Failure? = nil) throws -> HTML {
        let caller = try member()
        let batch = try batch()
        let saved = try shownLetter(of: batch.id)
        var model = LetterPage(
            batch: try line(of: batch), draft: .init(typed ?? saved),
            tokens: try quire.sendings.tokens(of: batch.id, by: caller).map {
                .init(name: $0.name, example: $0.example, isColumn: $0.column != nil)
            })
        // Saving again keeps what was typed here over what somebody else saved meanwhile.
        model.draft.version = saved.version
        model.draft.files = saved.files.map {
            .init(name: $0.name, mediaType: $0.mediaType, byteCount: $0.byteCount)
        }
        do {
            var packet = try wantedPacket()
            if packet == nil, let words = request.query["person"], words.contains(where: { !$0.isWhitespace })
            {
                let found = try quire.batches.packets(
                    of: batch.id, .init(filter: words, limit: 1), by: caller)
                packet = found.packets.first?.id
                model.wanted = words
                model.isWantedFound = packet != nil
            }
            // What cannot be saved cannot be shown either: then the saved one is.
            let shown =
                (try? quire.sendings.preview(typed ?? saved, of: batch.id, for: packet, by: caller))
            model.preview = try preview(
                shown ?? quire.sendings.preview(saved, of: batch.id, for: packet, by: caller), batch)
        } catch let problem as Failure {
            model.previewError = said(problem)
        }
        model.hasAccount = hasMailAccount
        if let sending = try quire.sendings.sending(batch.id, by: caller) {
            model.postedCount = sending.total
        }
        model.error = failure.map(said)
        model.errorField = failure?.field
        if failure?.code == .conflict { model.error = texts("letter.conflict") }
        return Pages.letter(frameAt("/batches/\(batch.id)/letter"), model)
    }

    private func preview(_ preview: LetterPreview, _ batch: Batch) throws -> LetterPage.Preview {
        let packet = preview.packet
        let around = try quire.batches.packets(
            of: batch.id, .init(limit: 3, after: max(0, packet.place - 2)), by: member())
        return LetterPage.Preview(
            number: packet.place, count: around.matchCount, name: packet.name,
            previous: around.packets.first { $0.place == packet.place - 1 }?.id.text,
            next: around.packets.first { $0.place == packet.place + 1 }?.id.text, packet: packet.id.text,
            from: preview.from?.description ?? "–", replyTo: preview.replyTo?.description,
            to: preview.addresses.to.map(\.description),
            copies: preview.addresses.copies.map(\.description),
            blindCopies: preview.addresses.blindCopies.map(\.description), subject: preview.subject,
            text: preview.text, html: preview.html.map(Visit.inside),
            files: preview.attachments.map {
                .init(name: $0.name, mediaType: $0.mediaType, byteCount: $0.byteCount)
            }, byteCount: preview.byteCount, unknown: preview.unknown, empty: preview.empty,
            problems: preview.problems.filter { ![.unknownToken, .emptyToken, .noAccount].contains($0.kind) }
                .map {
                    .init(mood: $0.stops ? .bad : .warn, sentence: texts.said($0.message))
                })
    }

    /// What stands in the body of a page: it is shown inside one of ours.
    static func inside(_ page: String) -> String {
        let page = MailHead.without(page)
        guard let open = page.firstRange(of: "<body"), let close = page.firstRange(of: "</body>"),
            let end = page[open.upperBound...].firstIndex(of: ">"), end < close.lowerBound
        else { return page }
        return String(page[page.index(after: end)..<close.lowerBound])
    }

    // MARK: Check and send

    func sendingPage(failure: Failure? = nil, testFailure: Failure? = nil) throws -> HTML {
        let caller = try member()
        let batch = try batch()
        var model = SendingPage(batch: try line(of: batch))
        model.hasAccount = hasMailAccount
        let sending = try quire.sendings.sending(batch.id, by: caller)
        if let sending { model.progress = try progress(sending) }
        if sending?.isFinished ?? true {
            let letter = try quire.sendings.letter(of: batch.id, by: caller)
            model.check = check(try quire.sendings.check(batch.id, by: caller), letter)
        }
        model.ownAddress = (try? ownAddress()) ?? ""
        model.error = failure.map(said)
        model.testError = testFailure.map(said)
        return Pages.sending(frameAt("/batches/\(batch.id)/sending"), model)
    }

    /// Where a test goes unless somebody says otherwise.
    private func ownAddress() throws -> String {
        let identity = try quire.settings.identity().email
        return identity.isEmpty ? try quire.settings.mail().senderAddress : identity
    }

    private func check(_ check: SendingCheck, _ letter: BatchLetter) -> SendingPage.Check {
        var sender = letter.sender
        if sender.isEmpty { sender = (try? quire.settings.mailAccount().sender.description) ?? "" }
        var model = SendingPage.Check(
            total: check.total, ready: check.ready, byteCount: check.byteCount, sender: sender,
            groups: check.groups.map { group in
                .init(
                    kind: group.kind.rawValue, token: group.token, count: group.count,
                    stops: group.kind.stops,
                    examples: group.examples.map { ($0.name, texts.said($0.message), $0.packet?.text) })
            })
        model.canStart = check.canStart
        model.reason = check.reason.map(texts.said)
        var pace: [String] = []
        if let perMinute = letter.pace.perMinute {
            pace.append(texts("sending.check.pace", ["count": .number(perMinute)]))
        }
        if let opens = letter.pace.opens, let closes = letter.pace.closes {
            pace.append(
                texts(
                    "sending.check.hours",
                    [
                        "opens": .text(TimeOfDay.text(opens)), "closes": .text(TimeOfDay.text(closes)),
                        "zone": .text(letter.pace.zone),
                    ]))
        }
        model.pace = pace.isEmpty ? nil : pace.joined(separator: " ")
        return model
    }

    private func progress(_ sending: Sending) throws -> SendingPage.Progress {
        let state: SendingPage.Progress.State =
            sending.mailing.state == .cancelled
            ? .cancelled
            : sending.isFinished
                ? .done
                : sending.mailing.state == .paused ? .paused : sending.isPreparing ? .preparing : .running
        var model = SendingPage.Progress(
            state: state, job: sending.job?.text, mailing: sending.mailing.id.text, total: sending.total,
            sent: sending.sent,
            waiting: [OutboxMessage.State.waiting, .sending, .ending].reduce(0) {
                $0 + (sending.counts[$1] ?? 0)
            }, failed: sending.failed, uncertain: sending.uncertain)
        model.trouble = sending.trouble
        model.nextAt = sending.nextAt
        for part in [Outbox.Part.failed, .uncertain] where sending.failed + sending.uncertain > 0 {
            let page = try quire.outbox.list(
                .init(part, mailing: sending.mailing.id), limit: 50, by: member())
            model.troubles += page.messages.map { message in
                .init(
                    message: message.id.text, packet: Visit.packet(of: message.subject),
                    name: message.recipientName, address: Visit.shown(message.addresses),
                    state: message.state.rawValue, reason: message.reason ?? "")
            }
        }
        return model
    }

    static func packet(of subject: String) -> String? {
        subject.hasPrefix("packet/") ? String(subject.dropFirst(7)) : nil
    }

    static func shown(_ addresses: OutboxMessage.Addresses) -> String {
        addresses.all.map(\.address).joined(separator: ", ")
    }

    // MARK: Who has it

    func deliveriesPage(_ page: DeliveryPage) throws -> HTML {
        let batch = try batch()
        var model = DeliveriesPage(
            batch: try line(of: batch), lines: page.lines.map(DeliveryItem.init), next: page.next,
            matchCount: page.matchCount, sent: page.tally.sent, total: page.tally.total)
        model.part = request.query["show"] ?? ""
        if model.part == "all" { model.part = "" }
        model.parts = Visit.parts(page.tally)
        model.filter = request.query["q"] ?? ""
        model.repetitions = try repetitions(of: batch)
        return Pages.deliveries(frame, model)
    }

    /// What a list can be narrowed to. A state that is all there is of a part would say the same twice.
    static func parts(_ tally: Ledger.Tally) -> [(key: String, count: Int)] {
        let parts = [
            ("unsent", tally.total - tally.sent), ("sent", tally.sent), ("failed", tally.failed),
        ]
        let states = LedgerEvent.allCases.map { ($0.rawValue, tally.states[$0] ?? 0) }.filter { state in
            !parts.contains { $0.1 == state.1 }
        }
        return [("", tally.total)] + parts + states
    }

    func deliveryPage(
        of id: ID<Packet>, newLink: (address: String, hasPassword: Bool)? = nil,
        failure: Failure? = nil, linkFailure: Failure? = nil
    ) throws -> HTML {
        let caller = try member()
        let delivery = try quire.sendings.delivery(of: id, by: caller)
        let packet = delivery.line.packet
        let batch = try quire.batches.get(packet.batch, by: caller)
        var model = PacketWayPage(
            batch: try line(of: batch), line: DeliveryItem(delivery.line),
            fileName: (packet.fileName.split(separator: "/").last.map(String.init) ?? "packet") + ".pdf",
            history: delivery.history.map { line in
                .init(
                    at: line.at, state: line.note.event.rawValue, actor: name(ofActor: line.note.actor),
                    address: line.note.address, detail: line.note.detail)
            }, messages: delivery.messages.map(OutboxLine.init),
            links: delivery.links.map { ShareLine($0, name: packet.name, self) })
        model.isMade = packet.state == .made
        model.hasAccount = hasMailAccount
        model.mailAddress =
            model.isMade ? try? quire.sendings.mailAddress(for: id, by: caller) : nil
        var said = 0
        for line in delivery.history {
            if line.note.event.isSaid { said += 1 }
            if line.note.event == .corrected { said -= 1 }
        }
        model.canRevert = said > 0
        if let newLink {
            model.newLink = .init(
                address: newLink.address,
                code: QRCode(newLink.address)?.svg(
                    label: texts("delivery.qr.of", ["name": .text(packet.name)])),
                hasPassword: newLink.hasPassword)
        }
        if failure?.field == "to" {
            model.addressError = failure.map(self.said)
        } else {
            model.error = failure.map(self.said)
        }
        model.linkError = linkFailure.map(self.said)
        return Pages.delivery(frameAt("/packets/\(id)/delivery"), model)
    }

    /// Parts of Quire say who they are in the ledger; people are known by their names.
    func name(ofActor actor: String) -> String {
        if actor.hasPrefix("quire/") { return "Quire" }
        if actor.hasPrefix("share/") { return texts("delivery.visitor") }
        if let id = Members.id(ofActor: actor), let member = try? access.members.get(id) {
            return member.name
        }
        return actor == Caller.local.actor ? texts.said(Caller.local.name) : actor
    }

    // MARK: Outbox

    /// The letters of one mailing.
    func outboxPage(
        _ page: Outbox.Page, of mailing: ID<Mailing>, _ search: String, _ tally: [Outbox.Part: Int]
    ) throws -> HTML {
        var model = OutboxPage(
            lines: page.messages.map(OutboxLine.init),
            mailing: try mailingLine(quire.outbox.mailing(mailing, by: member())))
        model.part = request.query["show"] ?? ""
        if model.part == "all" { model.part = "" }
        model.parts = Outbox.Part.allCases.map { ($0 == .all ? "" : $0.word, tally[$0] ?? 0) }
        model.filter = search
        model.next = page.next?.text
        model.hasAccount = hasMailAccount
        return Pages.outbox(frame, model)
    }

    func mailingLine(_ mailing: Mailing) throws -> MailingLine {
        let counts = try quire.outbox.counts(of: mailing.id, by: member())
        let open = [OutboxMessage.State.waiting, .sending, .ending].reduce(0) { $0 + (counts[$1] ?? 0) }
        let state: MailingLine.State =
            mailing.state == .cancelled
            ? .cancelled
            : mailing.isPrepared && open == 0 ? .done : mailing.state == .paused ? .paused : .running
        return MailingLine(
            id: mailing.id.text, title: mailing.title,
            batch: mailing.kind == .batch && mailing.subject.hasPrefix("batch/")
                ? String(mailing.subject.dropFirst(6)) : nil, state: state, sent: counts[.accepted] ?? 0,
            total: counts.values.reduce(0, +), reason: mailing.reason, at: mailing.madeAt,
            madeBy: mailing.madeByName)
    }

    func messagePage(failure: Failure? = nil) throws -> HTML {
        let id: ID<OutboxMessage> = try id(of: "letter")
        let caller = try member()
        let message = try quire.outbox.get(id, by: caller)
        let mailing = try quire.outbox.mailing(message.mailing, by: caller)
        var heads = [
            (name: texts("letter.from"), value: mailing.sender.description),
            (
                name: texts("letter.to"),
                value: message.addresses.to.map(\.description).joined(separator: ", ")
            ),
        ]
        if !message.addresses.copies.isEmpty {
            heads.append(
                (texts("letter.copies"), message.addresses.copies.map(\.description).joined(separator: ", ")))
        }
        if !message.addresses.blindCopies.isEmpty {
            heads.append(
                (
                    texts("letter.blindCopies"),
                    message.addresses.blindCopies.map(\.description).joined(separator: ", ")
                ))
        }
        if let replyTo = mailing.replyTo { heads.append((texts("letter.replyTo"), replyTo.description)) }
        var model = MessagePage(
            line: OutboxLine(message), heads: heads, text: message.text,
            html: message.html.map(Visit.inside),
            files: try quire.outbox.attachments(of: id, by: caller).map { file in
                .init(
                    name: file.fileName, mediaType: file.mediaType,
                    byteCount: (try? quire.store.blobs.byteCount(of: file.digest)) ?? 0)
            },
            attempts: try quire.outbox.attempts(of: id, by: caller).map { attempt in
                .init(
                    at: attempt.at, outcome: attempt.outcome, words: attempt.words, refused: attempt.refused,
                    digest: attempt.sentDigest)
            })
        model.tries = message.tries
        model.dueAt = message.dueAt
        model.packet = Visit.packet(of: message.subject)
        if failure?.field == "to" {
            model.addressError = failure.map(said)
        } else {
            model.error = failure.map(said)
        }
        return Pages.message(frameAt("/outbox/\(id)"), model)
    }

    func suppressionsPage(failure: Failure? = nil, typed: String = "") throws -> HTML {
        let entries = try quire.outbox.suppressions.list(by: member())
        var model = SuppressionsPage(entries: entries.map { ($0.address, $0.reason, $0.at) })
        model.error = failure.map(said)
        model.typed = typed
        return Pages.suppressions(frameAt("/suppressions"), model)
    }

    // MARK: Ledger

    func ledgerPage(
        _ page: Ledger.Page, _ tally: Ledger.Tally, run: String?,
        _ change: (inout LedgerPage) -> Void = { _ in }
    ) throws -> HTML {
        let accounts = try quire.sendings.accounts(of: page.items, by: member())
        var model = LedgerPage(
            items: zip(page.items, accounts).map(LedgerPage.Item.init), sent: tally.sent,
            total: tally.total)
        model.part = request.query["show"] ?? ""
        if model.part == "all" { model.part = "" }
        model.parts = Visit.parts(tally)
        model.filter = request.query["q"] ?? ""
        model.run = run ?? ""
        if let run, run.hasPrefix("batch/"), let id = ID<Batch>(String(run.dropFirst(6))) {
            model.runTitle = try? quire.batches.get(id, by: member()).name
        }
        model.next = page.next.map { "\($0)" }
        model.hasAccount = hasMailAccount
        if model.run.isEmpty {
            model.mailings = try quire.outbox.mailings(limit: 12, by: member()).map(mailingLine).filter {
                $0.state == .running || $0.state == .paused
            }
            model.failedLetters = try quire.outbox.tally(by: member())[.failed] ?? 0
        }
        change(&model)
        if try member().may(.administer) {
            model.keepDays = try quire.settings.ledger().keepDays.map(String.init) ?? ""
        }
        return Pages.ledger(frameAt("/ledger"), model)
    }

    /// The ledger under what was found when its seals were looked at.
    func ledgerVerdict(kept: String, problems: [String]? = nil, failure: Failure? = nil) throws -> HTML {
        let caller = try member()
        let head = try quire.ledger.head(by: caller)?.text
        return try ledgerPage(
            quire.ledger.list(limit: 60, by: caller), quire.ledger.tally(by: caller), run: nil
        ) { model in
            model.verdict = problems.map { .init(problems: $0, at: now, head: head) }
            model.kept = kept
            model.keptProblem = failure.map(said)
        }
    }

    func ledgerLinesPage(_ subject: String, _ lines: [Ledger.Line]) throws -> HTML {
        guard let item = try quire.ledger.item(subject, by: member()) else {
            throw Failure(.notFound, "The ledger says nothing about that.")
        }
        return Pages.ledgerLines(
            frame,
            LedgerLinesPage(
                item: .init(item),
                lines: lines.map { line in
                    .init(
                        number: line.number, at: line.at, state: line.note.event.rawValue,
                        address: line.note.address, actor: name(ofActor: line.note.actor),
                        detail: line.note.detail)
                }))
    }

    func figuresModel() throws -> FiguresPage {
        let figures = try quire.ledger.figures(weeks: 26, by: member())
        let own = try quire.figures(weeks: figures.weeks.count, by: member())
        var page = FiguresPage(
            weeks: zip(figures.weeks, own.kept).map { week, kept in
                .init(
                    begins: week.begins, kept: kept, made: week.made, delivered: week.delivered,
                    bounced: week.bounced,
                    opened: week.opened, returned: week.returned)
            })
        page.papers = own.papers
        page.searches = own.searches.reduce(0, +)
        page.inStep = own.inStep
        page.untilFirstPaper = own.untilFirstPaper
        page.tools = (own.tools ?? []).prefix(10).map { tool in
            (
                texts.find("tool.\(tool.name)") ?? texts.find("convert.step.\(tool.name)") ?? tool.name,
                tool.uses
            )
        }
        page.made = figures.states.total
        page.sent = figures.states.sent
        page.bounced = figures.states.states[.bounced] ?? 0
        page.returned = figures.states.states[.returned] ?? 0
        page.ledgerLines = Int(clamping: figures.lineCount)
        let usage = try quire.usage(for: member())
        let storage: [(name: String, byteCount: Int64?)] = [
            (texts("figures.storage.files"), usage.fileByteCount),
            (texts("storage.database"), usage.databaseByteCount),
            (texts("figures.storage.pictures"), usage.previewByteCount),
        ]
        page.storage = storage.compactMap { line in line.byteCount.map { (line.name, $0) } }
        return page
    }
}

extension LetterPage.Draft {
    init(_ letter: BatchLetter) {
        self.init(
            lines: Dictionary(
                uniqueKeysWithValues: BatchLetter.fields.map { ($0.name, SettableLine($0, of: letter)) }),
            version: letter.version)
    }
}

extension DeliveryItem {
    init(_ line: DeliveryLine) {
        self.init(
            packet: line.packet.id.text, number: line.packet.place, name: line.packet.name,
            address: line.address, state: line.state?.rawValue ?? "unmade", at: line.at, reason: line.reason)
        links = line.links
        openings = line.openings
    }
}

extension OutboxLine {
    init(_ message: OutboxMessage) {
        self.init(
            id: message.id.text, name: message.recipientName, address: Visit.shown(message.addresses),
            title: message.title, state: message.state.rawValue, at: message.changedAt,
            reason: message.reason)
    }
}

extension LedgerPage.Item {
    init(_ item: Ledger.Item, _ account: LedgerAccount = LedgerAccount()) {
        self.init(
            subject: item.subject, recipient: item.recipient, address: item.address,
            state: item.state.rawValue, at: item.at, title: account.title,
            form: account.forms.joined(separator: ", "), fileName: account.fileName,
            method: account.method?.rawValue ?? "", note: account.note)
    }
}
