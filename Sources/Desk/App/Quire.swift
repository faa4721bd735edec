public import Access
import Bytes
public import CardCase
public import Conversion
public import Converting
import Crypto
public import Delivery
public import Filling
public import Jobs
public import Library
import PDFReading
public import People
public import SQL
public import SigningKeys
public import Storage
public import Sync
import Synchronization
import Transfer
public import Work

/// A desk, opened: the one place where the parts meet.
///
///     let quire = try Quire.open(.load(), role: .server)
///     try quire.start()
///     …
///     quire.stop()
public final class Quire: Sendable {
    public enum Role: Sendable {
        /// Serves the desk to others and does its jobs; one per data directory.
        case server
        /// Does one thing and goes, perhaps beside a server.
        case command
    }

    public let config: Config
    public let role: Role
    public let log: Log
    public let store: Store
    public let settings: Settings
    public let access: Gate
    public let queue: JobQueue
    public let runner: JobRunner
    public let documents: Documents
    /// Pictures of pages, for everybody who shows some.
    public let previews: PagePreviews
    public let pages: PaperPages
    private let copies: ReadingCopies
    public let reading: PaperReading
    public let recognition: PaperRecognition
    public let paperlessImports: PaperlessImports
    public let templates: Templates
    public let mappings: SavedMappings
    public let batches: Batches
    public let recipients: Recipients
    public let contacts: Contacts
    /// The cards that members give away of themselves.
    public let cards: OwnCards
    /// In whose name papers are signed, and whom the desk believes.
    public let identities: Identities
    public let outbox: Outbox
    public let sendings: Sendings
    public let bounces: Bounces
    public let repetitions: Repetitions
    public let harvests: Harvests
    public let replies: FormReplies
    public let bundles: Bundles
    public let noticeMail: NoticeMail
    public let noticePush: NoticePush
    public let walletPush: WalletPush
    public let conversions: Conversions
    public let searchable: SearchablePapers
    public let signedPapers: SignedPapers
    public let photographedCards: PhotographedCards
    public let redacted: RedactedPapers
    public let compared: ComparedPapers
    public let marked: MarkedPapers
    public let filled: FilledPapers
    public let arranged: ArrangedPapers
    public let opened: OpenedPapers
    /// The places this desk keeps in step with.
    public let sync: SyncPlaces
    public let maintenance: Maintenance
    public let searches: SearchTally
    public let feedback: FeedbackPrompt
    private let state = Mutex(State())
    private let applying = Mutex(())
    private let kept: KeptJail
    private let keptEngines: KeptEngines

    private struct State {
        var inbox: (watch: InboxWatch, thread: Thread)?
        var mirror: (watch: MirrorWatch, thread: Thread)?
        var isStopped = false
        var toldPlaces: Moment?
        var subscriptions: [Subscription] = []
    }

    /// The jail, found out at the first use: trying the walls takes a moment.
    private final class KeptJail: Sendable {
        private let role: Role
        private let found = Mutex<PageReader?>(nil)

        init(_ role: Role) {
            self.role = role
        }

        var jail: Jail { reader.jail }

        /// At hand in a server, which looks at pages all day.
        var reader: PageReader {
            found.withLock { found in
                let reader = found ?? PageReader(jail: .detect(), isAtHand: role == .server)
                found = reader
                return reader
            }
        }

        func stop() { found.withLock { $0 }?.close() }
    }

    /// LibreOffice, the browser and the others, begun by the first paper that needs them: a desk that converts
    /// nothing pays nothing for them.
    private final class KeptEngines: Sendable {
        private let jail: KeptJail
        private let made = Mutex<Engines?>(nil)

        private let remote: RemoteEngine?

        init(_ jail: KeptJail, _ remote: RemoteEngine?) {
            self.jail = jail
            self.remote = remote
        }

        var engines: Engines { engines(stay: false) }

        func engines(stay: Bool) -> Engines {
            made.withLock { made in
                if let made { return made }
                var settings = Engines.Settings.ofThisMachine
                settings.remote = remote
                if stay { settings.stay() }
                let engines = Engines(jail: jail.jail, settings: settings)
                made = engines
                return engines
            }
        }

        func stop() { made.withLock { $0 }?.stop() }
    }

    /// The tables of every part beyond storage itself.
    public static let areas = [
        Gate.migrations, JobQueue.migrations, Documents.migrations, Settings.migrations,
        KeptAnswers.migrations, FillingTables.migrations, Recipients.migrations,
        Outbox.migrations, Conversions.migrations, SyncTables.migrations, OwnCards.migrations,
        Identities.migrations,
    ]

    /// Opens the desk, and makes it when it is missing. Nothing runs yet.
    public static func open(
        _ config: Config, role: Role = .command, clock: Clock = .system, chance: Chance = .system,
        joining: Store.Joining = .asMarked, log: Log? = nil
    ) throws -> Quire {
        let log = log ?? Log.standardError(level: config.logLevel, format: config.logFormat, clock: clock)
        let store = try Store.open(
            home: config.home, database: config.database, clock: clock, chance: chance, areas: areas,
            joining: joining, log: log)
        do {
            return try Quire(config, role, store, log)
        } catch {
            store.close()
            throw error
        }
    }

    private init(_ config: Config, _ role: Role, _ store: Store, _ log: Log) throws {
        self.config = config
        self.role = role
        self.log = log
        self.store = store
        searches = SearchTally(store)
        feedback = FeedbackPrompt(store)
        let kept = KeptJail(role)
        let keptEngines = KeptEngines(kept, config.engine)
        self.kept = kept
        self.keptEngines = keptEngines
        settings = Settings(store, config: config) { [kept] in PageReader.isReady ? kept.reader : nil }
        access = Gate(store, plans: try Self.plans(config))
        queue = JobQueue(store)
        runner = JobRunner(queue, threads: config.jobThreads, log: log)
        previews = PagePreviews(in: store.home.previews, clock: store.clock) { [kept] in kept.reader }
        documents = Documents(access) { [queue] tx in try queue.add(.readPapers, in: tx, unique: "papers") }
        copies = ReadingCopies(store, previews: previews) { [store] document, cancellation in
            try Converter(keptEngines.engines, clock: store.clock).readingCopy(
                of: document, in: store, cancellation)
        }
        pages = PaperPages(documents, previews: previews, copies: copies) { [kept] in kept.reader }
        reading = PaperReading(documents, copies: copies) { [kept] in kept.reader }
        recognition = PaperRecognition(documents, lanes: Machine.processors, copies: copies) { [kept] in
            kept.reader
        } recognizer: { [kept, settings] in
            Recognizer(jail: kept.jail, languages: (try? settings.recognition().languages) ?? [])
        }
        paperlessImports = PaperlessImports(documents, queue: queue)
        templates = Templates(access, documents: documents) { [kept] in kept.reader }
        mappings = SavedMappings(templates)
        let wall: @Sendable (Moment) -> WallTime = { [settings] moment in
            ((try? settings.zone()) ?? .utc).wallTime(at: moment)
        }
        recipients = Recipients(
            access, queue: queue, reachable: config.reachableFolders, wall: wall
        ) { path, name in
            guard OldTable.mayBe(path, named: name) else { return nil }
            do throws(ConversionError) {
                return try Converter(keptEngines.engines, clock: store.clock).workbook(
                    ofTable: path, named: name)
            } catch {
                throw Failure(error)
            }
        }
        identities = Identities(
            access, desk: { [settings] in Self.name(settings) }, key: { [settings] in try settings.key() })
        let outbox = Outbox(access, queue) { [settings] in (try? settings.worn())?.mailHead }
        self.outbox = outbox
        batches = Batches(
            templates: templates, mappings: mappings, documents: documents, queue: queue,
            rows: RowSource(recipients), previews: previews, identities: identities,
            circumstances: Self.circumstances(config, settings), witness: outbox.ledger.witness(queue))
        contacts = Contacts(recipients)
        cards = OwnCards(access, contacts: contacts) { [kept] in kept.reader }
        walletPush = WalletPush(cards, identities: identities)
        sendings = Sendings(
            outbox, batches: batches, documents: documents,
            circumstances: Self.circumstances(of: config, settings))
        bounces = Bounces(outbox) { [settings] in try settings.bounceAccount() }
        repetitions = Repetitions(sendings, recipients: recipients)
        harvests = Harvests(sendings)
        replies = FormReplies(sendings) { [kept] in PageReader.isReady ? kept.reader : nil }
        bundles = Bundles(
            sendings, templates: templates, mappings: mappings, recipients: recipients)
        noticeMail = NoticeMail(
            outbox, sender: { [settings] in try? settings.mailAccount().sender },
            zone: { [settings] in (try? settings.zone()) ?? .utc })
        noticePush = NoticePush(
            outbox, http: HTTPClient(guardian: .publicOnly), key: { [settings] in try settings.pushKey() },
            contact: { [settings] in
                (try? settings.identity().email).flatMap { $0.isEmpty ? nil : $0 }
            })
        conversions = Conversions(access, documents: documents, queue: queue) { keptEngines.engines }
        let usualLanguages: @Sendable () -> [String] = { [settings] in
            let chosen = (try? settings.recognition().languages) ?? []
            return chosen.isEmpty ? [Recognizer.auto] : chosen
        }
        searchable = SearchablePapers(
            store, documents: documents, queue: queue, usualLanguages: usualLanguages
        ) { keptEngines.engines }
        photographedCards = PhotographedCards(usualLanguages: usualLanguages) { keptEngines.engines }
        signedPapers = SignedPapers(identities, documents: documents, queue: queue)
        redacted = RedactedPapers(store, documents: documents, queue: queue) { [kept] in kept.reader }
        compared = ComparedPapers(pages: pages, clock: store.clock) { [kept] in kept.reader }
        marked = MarkedPapers(store, documents: documents)
        filled = FilledPapers(store, documents: documents) { [kept] in
            PageReader.isReady ? kept.reader : nil
        }
        opened = OpenedPapers(store, documents: documents)
        arranged = ArrangedPapers(store, documents: documents, pages: pages, marked: marked)
        sync = SyncPlaces(
            store, documents: documents, queue: queue,
            others: [
                SyncedTemplates(templates: templates), SyncedMappings(mappings: mappings, store: store),
                SyncedContacts(contacts: contacts, store: store),
                SyncedLists(recipients: recipients, store: store),
                SyncedBatches(batches: batches, sendings: sendings, store: store) { [settings] in
                    Self.name(settings)
                },
                SyncedSettings(settings: settings),
            ],
            reachable: config.reachableFolders,
            circumstances: .init(
                desk: { [settings] in Self.name(settings) }, key: { [settings] in try settings.key() }))
        maintenance = Maintenance(
            conversions: conversions, outbox: outbox, harvests: harvests, replies: replies, bundles: bundles,
            sendings: sendings,
            store: store,
            settings: settings,
            access: access,
            queue: queue,
            documents: documents,
            templates: templates, recipients: recipients, batches: batches
        ) { keptEngines.engines }
        maintenance.handle(in: runner)
        reading.handle(in: runner) { [recognition, queue] in try recognition.promise(in: queue) }
        recognition.handle(in: runner)
        paperlessImports.handle(in: runner)
        conversions.handle(in: runner)
        searchable.handle(in: runner)
        signedPapers.handle(in: runner)
        redacted.handle(in: runner)
        sync.handle(in: runner)
        recipients.handle(in: runner)
        batches.handle(in: runner)
        contacts.handle(in: runner)
        ledger.handle(in: runner)
        sendings.handle(in: runner)
        bounces.handle(in: runner)
        repetitions.handle(in: runner)
        noticeMail.handle(in: runner)
        noticePush.handle(in: runner)
        walletPush.handle(in: runner)
        Courier(outbox, lanes: { [settings] in Self.lanes(settings) }) { [settings] _ in
            try Self.carrier(settings)
        }.handle(in: runner)
        runner.whenClockGoesBack { [access, cards] in
            try access.returnFromFuture()
            try cards.returnFromFuture()
        }
        runner.whenGivenUp { [weak self] job in self?.tellGivenUp(job) }
        try applyPolicy()
        try ledger.prepare()
        let subscription = settings.changes.subscribe { [weak self] name in self?.apply(name) }
        // What nobody has any more is not to be seen among the previews either.
        let removed = documents.changes.subscribe { [previews, replies] change in
            guard change.act == .purged else { return }
            previews.forget(change.document.blob.digest)
            // What is missed here goes with the next night.
            try? replies.forget(change.document.id)
        }
        let told = access.noticesTold.subscribe { [weak self] _ in self?.promiseNotices() }
        state.withLock { $0.subscriptions += [subscription, removed, told] }
    }

    public var deskName: String { Self.name(settings) }

    /// What the desk is called, by others too.
    private static func name(_ settings: Settings) -> String {
        let name = (try? settings.identity().organization) ?? ""
        return name.isEmpty ? Machine.hostName : name
    }

    /// Begins to serve: refuses when another server has this directory, puts the schedule in place and takes up
    /// the jobs.
    public func start() throws {
        MemoryRoom.keepReserve()
        // Before the place where it is written down is emptied.
        try DangerousPapers(store).count()
        try store.lockForServing(isHasty: true)
        try runner.takeOver()
        try maintenance.schedule()
        try reading.promise(in: queue)
        try recognition.promise(in: queue)
        try ledger.promiseAccount(in: queue)
        try sync.promiseAll()
        try noticeMail.promise()
        try noticePush.promise()
        let fromOthers = try store.database.listen(Settings.channel) { [weak self] name in self?.apply(name) }
        state.withLock { $0.subscriptions.append(fromOthers) }
        runner.start()
        tellWrongSettings()
        watchInbox()
        keepMirror()
        let changed = documents.changes.subscribe { [weak self] change in self?.tellPlaces(of: change) }
        state.withLock { $0.subscriptions.append(changed) }
    }

    /// Many changes at once are one reason to go to the places, and what came from them is none.
    private func tellPlaces(of change: DocumentChange) {
        let now = store.clock.now()
        let isFirst = state.withLock { state in
            // Also when the clock was put back since.
            if let told = state.toldPlaces, now >= told, now - told < .seconds(2) { return false }
            state.toldPlaces = now
            return true
        }
        guard isFirst else { return }
        do { try sync.promiseSoon() } catch {
            log.error("the places could not be told of a change", ["error": "\(error)"])
        }
    }

    private func promiseNotices() {
        do {
            try noticeMail.promise()
            try noticePush.promise()
        } catch {
            log.error("notices by mail and on devices could not be promised", ["error": "\(error)"])
        }
    }

    /// Whoever asked for it is told, else all who can do something about it. Repetitions, backups and
    /// sendings tell of themselves, and whoever tries something out is looking at it.
    private func tellGivenUp(_ job: JobChange) {
        let tellThemselves: [JobKind] = [
            .repetition, .backup, .verification, .delivery, .noticeMail, .noticePush, .testMail, .engineTrial,
        ]
        guard !tellThemselves.map(\.name).contains(job.kind) else { return }
        do {
            try store.write { tx in
                let asker = try tx.row("SELECT asked_by FROM job WHERE id = \(job.id)")?.optionalText(
                    "asked_by")
                let member = asker.flatMap(Members.id(ofActor:))
                try access.notices.tell(
                    .jobFailed, "job/\(job.kind)", runner.title(of: job.kind) ?? "",
                    to: member.map { .member($0) } ?? .everybody,
                    in: tx)
            }
        } catch {
            log.error("nobody could be told of a job that failed", ["error": "\(error)"])
        }
    }

    private func tellWrongSettings() {
        let failed = (try? store.database.read { try Doctor.failedBounces(in: $0) }) ?? nil
        for finding in doctor.settings(try? settings.chosenBackups(), bounces: failed) {
            log.warning(finding.sentence, ["setting": finding.name, "to do": finding.remedy ?? ""])
        }
    }

    private func watchInbox() {
        guard let folder = config.inboxFolder else { return }
        let watch = InboxWatch(
            Inbox(documents, folder: folder), folder: folder, log: log, troubles: store.troubles)
        let thread = Thread(name: "inbox") { watch.run() }
        state.withLock { $0.inbox = (watch, thread) }
    }

    private func keepMirror() {
        guard let folder = config.mirrorFolder else { return }
        let watch = MirrorWatch(documents, folder: folder, log: log, troubles: store.troubles)
        let thread = Thread(name: "mirror") { watch.run() }
        state.withLock { $0.mirror = (watch, thread) }
    }

    /// Lets running jobs end within `grace`, then closes the desk. A second call does nothing.
    public func stop(grace: Duration = .seconds(10)) {
        let isFirst = state.withLock { state in
            defer {
                state.isStopped = true
                state.subscriptions = []
            }
            return !state.isStopped
        }
        guard isFirst else { return }
        if let inbox = state.withLock({ $0.inbox }) {
            inbox.watch.stop()
            inbox.thread.join()
        }
        if let mirror = state.withLock({ $0.mirror }) {
            mirror.watch.stop()
            mirror.thread.join()
        }
        copies.stop()
        searches.write()
        runner.stop(grace: grace)
        keptEngines.stop()
        kept.stop()
        store.close()
    }

    /// What became of every packet.
    public var ledger: Ledger { outbox.ledger }

    public var reports: Reports { Reports(store) }

    public var doctor: Doctor { Doctor(config, clock: store.clock) }

    /// What came of the engines when each converted a page here.
    public func lastTrials() throws -> EngineTrials? {
        // What went wrong as a whole has no engines in it.
        try reports.list(.engineTrial).first { $0.detail["engines"] != nil }.map(EngineTrials.init)
    }

    /// Figures tell nothing of private papers to those for whom they are closed.
    public func usage(for caller: Caller = .local) throws -> Usage {
        let shown = try store.read { desk in try documents.shown(to: caller, in: desk) }
        var usage = try Usage.measure(store, shown: shown)
        let jobs = try jobs(for: caller)
        usage.unfinishedJobs = jobs[.waiting, default: 0] + jobs[.running, default: 0]
        return usage
    }

    /// How many jobs are in each state, without those on what this caller may not see: of work that follows on any paper
    /// that comes, only what went wrong.
    func jobs(for caller: Caller) throws -> [Job.State: Int] {
        guard !caller.seesPrivate, try documents.hasPrivateFolders() else { return try queue.counts() }
        let all = try queue.list(limit: .max)
        let hidden = try hidden(among: all.flatMap(Self.subjects), from: caller)
        let following = [JobKind.readPapers, .recognisePapers].map(\.name)
        return all.reduce(into: [:]) { counts, job in
            guard !Self.subjects(job).contains(where: hidden.contains) else { return }
            if following.contains(job.kind), ![.failed, .setAside].contains(job.state) { return }
            counts[job.state, default: 0] += 1
        }
    }

    /// What turns papers into papers of another kind.
    public var engines: Engines { keptEngines.engines }

    /// Begins the engines of conversion now, and lets them stay when nobody needs them.
    public func warmEngines() { keptEngines.engines(stay: true).warm() }

    /// Where papers from strangers are decoded.
    public var jail: Jail { kept.jail }

    /// The papers whose files these are.
    public func paperNames(of digests: [Digest]) throws -> [String] { try documents.names(of: digests) }

    /// Every address this desk may call.
    public func network() throws -> [OutgoingAddress] {
        let places = try sync.list(by: .local).filter { ![.folder, .here].contains($0.kind) }
        let books = try contacts.books(by: .local).compactMap { book in
            book.address.map { (address: $0, name: book.name) }
        }
        return Doctor.network(config, mail: try settings.mail(), bounces: try settings.bounces())
            + places.map {
                OutgoingAddress(
                    address: $0.address, purpose: "“\($0.name)”, which this desk keeps in step with",
                    occasion: "every five minutes and after each change, while Quire runs")
            }
            + books.map {
                OutgoingAddress(
                    address: $0.address, purpose: "the address book “\($0.name)”",
                    occasion: "when somebody brings it up to date")
            }
            + (try access.notices.pushServices()).map {
                OutgoingAddress(
                    address: $0,
                    purpose: "the service of a browser’s maker, which carries notices that it cannot read",
                    occasion: "when a member is told something on their device")
            }
            + (try cards.hasWallets()
                ? [
                    OutgoingAddress(
                        address: WalletPush.service,
                        purpose: "Apple, which tells telephones that a pass in their wallet has changed",
                        occasion: "when a card changes that a wallet keeps up to date")
                ] : [])
    }

    /// A day begins where the desk stands, not in Greenwich.
    private static func circumstances(_ config: Config, _ settings: Settings) -> Batches.Circumstances {
        Batches.Circumstances(
            version: Version.number, threads: Machine.processors,
            today: { moment in
                let zone = (try? settings.region().timeZone).flatMap { try? TimeZoneRules(name: $0) } ?? .utc
                return zone.wallTime(at: moment)
            }, locale: { (try? settings.region().language) ?? "" })
    }

    private static func circumstances(of config: Config, _ settings: Settings) -> Sendings.Circumstances {
        Sendings.Circumstances(
            sender: { try settings.mailAccount().sender },
            organization: { (try? settings.identity().organization) ?? "" },
            zone: { (try? settings.region().timeZone) ?? "UTC" },
            language: { (try? settings.region().language) ?? "" }, origin: config.publicOrigin)
    }

    /// A server on this very machine is ours, and takes as much as it can; others are spoken to politely.
    private static func lanes(_ settings: Settings) -> Int {
        let host = (try? settings.mail().host) ?? ""
        return ["localhost", "127.0.0.1", "::1"].contains(host.lowercased()) ? 8 : 3
    }

    /// A connection to the mail server of the settings as they are now.
    private static func carrier(_ settings: Settings) throws -> any Carrier {
        var account = try settings.mailAccount().account
        let bounces = try settings.bounces()
        account.wantsEveryReport = !bounces.host.isEmpty && bounces.everyReport
        do throws(SMTPError) {
            return try SMTPCarrier(account)
        } catch {
            throw Failure(.unavailable, "No mail can be sent: \(error).")
        }
    }

    private func apply(_ name: String) {
        do {
            // One at a time: whoever read what was said before, on word that came late from the database, must not put that into
            // effect after what was said since.
            try applying.withLock { _ in
                switch name {
                case LockSettings.name: try applyPolicy()
                case BackupSettings.name, BounceSettings.name, Region.name: try maintenance.schedule()
                case MailSettings.name: try noticeMail.promise()
                default: break
                }
            }
        } catch {
            log.error(
                "a changed setting could not be put into effect", ["setting": name, "error": "\(error)"])
        }
    }

    private func applyPolicy() throws {
        var policy = access.policy
        policy.lockAfter = try settings.lock().minutes.map { .seconds($0 * 60) }
        access.policy = policy
    }

    private static func plans(_ config: Config) throws -> PlanBook {
        guard let path = config.planFile else { return .selfHosted }
        let bytes: [UInt8]
        do throws(FileTroubles) {
            bytes = try SmallFile.require(path, limit: 1 << 20)
        } catch {
            throw Failure(.unavailable, "The plan file \(path) cannot be read: \(error.reason).")
        }
        return try PlanBook(file: bytes)
    }
}
