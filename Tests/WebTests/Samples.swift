import Access
import Library
import Markup
import People
import Storage
import WebAssets
import Work

@testable import Web

/// One desk for all page tests: Ana owns it, Bruno edits, and it is always the same Saturday.
enum Samples {
    static let now = Moment(milliseconds: 1_795_260_900_000)
    static let assets = Assets()

    static func frame(
        _ path: String = "/", language: Language = .english, role: Frame.Role = .owner, signedIn: Bool = true
    ) -> Frame {
        var frame = Frame(
            texts: Texts(assets.catalog, language), assets: assets, path: path, now: now, nonce: "n0nce",
            csrfToken: "c5rf")
        if signedIn { frame.reader = Frame.Reader(id: "m1", name: "Ana Tremblay", role: role) }
        frame.runningJobs = 1
        frame.lockAfterMinutes = 15
        return frame
    }

    static let documents: [DocumentLine] = [
        document(
            "d1", "Contrat de location – rue Sherbrooke.pdf", "application/pdf", 482_113, minutesAgo: 4,
            shares: 1),
        document("d2", "Recibo luz noviembre.jpg", "image/jpeg", 2_310_442, minutesAgo: 130),
        document("d3", "Recipients 2026.csv", "text/csv", 18_204, minutesAgo: 60 * 26, by: "Bruno Díaz"),
        document(
            "d4",
            "A very long name of a scanned letter that somebody gave without thinking of small screens at all.pdf",
            "application/pdf", 13_882_001, minutesAgo: 60 * 24 * 40),
        document("d5", "notes.txt", "text/plain", 932, minutesAgo: 60 * 24 * 200),
    ]

    static func document(
        _ id: String, _ name: String, _ mediaType: String, _ byteCount: Int64, minutesAgo: Int64,
        shares: Int = 0,
        by: String = "Ana Tremblay"
    ) -> DocumentLine {
        DocumentLine(
            id: id, name: name, mediaType: mediaType, byteCount: byteCount, addedAt: ago(minutesAgo),
            addedBy: by,
            shareCount: shares)
    }

    static func ago(_ minutes: Int64) -> Moment { now - .seconds(minutes * 60) }

    static let jobs: [JobLine] = [
        JobLine(
            id: "j1", title: "Back up to /mnt/disk", state: .running, fraction: 0.42, phase: "Copying papers",
            at: ago(2)),
        JobLine(id: "j2", title: "Check everything", state: .waiting, at: ago(1)),
        JobLine(
            id: "j3", title: "Send “Invoice 12”", state: .failed, attempt: 3, at: ago(30),
            note: "The mail server did not take the password. Correct it under Settings, Mail account."),
        JobLine(id: "j4", title: "Sweep the trash", state: .done, at: ago(300)),
    ]

    static let shares: [ShareLine] = [
        ShareLine(
            id: "s1", documentID: "d1", documentName: documents[0].name, createdAt: ago(60),
            expiresAt: now + .seconds(600_000),
            hasPassword: true, openings: 2, openingLimit: 5),
        ShareLine(
            id: "s2", documentID: "d2", documentName: documents[1].name, createdAt: ago(9000), openings: 1,
            state: .revoked),
    ]

    /// Every page once, by the name its picture gets.
    static func pages(language: Language = .english) -> [(name: String, html: HTML)] {
        func f(_ path: String, signedIn: Bool = true) -> Frame {
            frame(path, language: language, signedIn: signedIn)
        }
        var noticed = f("/documents")
        noticed.notice = .init(
            text: noticed.texts("notice.trashed", ["name": "notes.txt"]),
            undo: .init(action: "/documents/d5/restoration"))
        let table = DocumentsPage(
            lines: (0..<20).map { place in
                var line = documents[place % documents.count]
                line.id = "d\(place)"
                return line
            }, page: 2, pageCount: 100, matchCount: 10_000, trashCount: 3)
        return [
            (
                "welcome",
                Pages.welcome(
                    f("/welcome", signedIn: false),
                    WelcomePage(step: .owner(name: "", login: "", error: nil, errorField: nil)))
            ),
            (
                "welcome-codes",
                Pages.welcome(f("/welcome", signedIn: false), WelcomePage(step: .recovery(codes: codes)))
            ),
            (
                "phones",
                Pages.phones(
                    f("/phones"),
                    PhonesPage(
                        address: "https://desk.example.org/phone/quire_phone_abc", isOnlyHere: true,
                        phones: [.init(id: "s1", device: "Safari on iPhone", seenAt: now, until: now)]))
            ),
            (
                "phones-trust",
                Pages.phones(
                    f("/phones"),
                    PhonesPage(
                        trust: .init(
                            address: "http://192.168.1.20:8484/trust",
                            fingerprint: Array(repeating: "A7", count: 32).joined(separator: ":"))))
            ),
            (
                "trust",
                Pages.trust(
                    f("/trust", signedIn: false),
                    TrustPage(
                        name: "Quire of desk",
                        fingerprint: Array(repeating: "A7", count: 32).joined(separator: ":"),
                        address: "https://192.168.1.20:8484"))
            ),
            (
                "phone-let-in",
                Pages.letIn(f("/phone/x"), address: "/phone/x", owner: "Ana Tremblay")
            ),
            (
                "phone-captured",
                Pages.captured(
                    f("/conversions/c1"),
                    ConversionLine(
                        id: "c1", name: "Scan 2026-11-29", state: .failed, paperCount: 1,
                        reason: "No page is in focus.", changedAt: now))
            ),
            ("welcome-paper", Pages.welcome(f("/welcome"), WelcomePage(step: .start(isLast: true)))),
            (
                "sign-in",
                Pages.signIn(
                    f("/sign-in", signedIn: false),
                    SignInPage(
                        login: "ana",
                        error: "Name or password is not right. Try again, or use a recovery code.",
                        next: "/documents"))
            ),
            ("lock", Pages.lock(f("/unlock", signedIn: false), LockPage(name: "Ana", hasPasskey: true))),
            (
                "join",
                Pages.join(
                    f("/join/x", signedIn: false),
                    JoinPage(token: "x", invitedBy: "Ana Tremblay", role: .editor))
            ),
            (
                "desk",
                Pages.desk(
                    f("/"),
                    DeskPage(
                        recent: documents, documentCount: 1284, jobs: Array(jobs.prefix(2)),
                        hints: [.addPasskey, .makeBackup, .inviteMember],
                        followUps: [
                            .init(id: "c1", name: "Ana Pérez", line: promised("2026-11-02", .overdue))
                        ], followUpCount: 1, asksHowItIs: true))
            ),
            (
                "desk-empty",
                Pages.desk(
                    f("/"),
                    DeskPage(
                        recent: [], documentCount: 0, jobs: [], hints: [.makeBackup], offersExample: true))
            ),
            ("documents", Pages.documents(noticed, table)),
            (
                "documents-grid",
                Pages.documents(
                    f("/documents"),
                    DocumentsPage(
                        lines: documents, matchCount: documents.count,
                        isGrid: true))
            ),
            (
                "alike",
                Pages.alike(
                    f("/documents/d1/similar"),
                    AlikePage(line: documents[0], others: [(documents[1], ["bail", "dépôt"])]))
            ),
            (
                "paper-activity",
                Pages.paperActivity(
                    f("/documents/d1/activity"),
                    PaperActivityPage(
                        line: documents[0],
                        lines: [
                            JournalLine(
                                at: ago(3), actor: "Ana", verb: "document.held", subject: documents[0].name)
                        ], older: "/documents/d1/activity?after=3"))
            ),
            (
                "suggestions",
                Pages.suggestions(
                    f("/suggestions"),
                    SuggestionsPage(
                        state: .open,
                        lines: [
                            SuggestionLine(
                                id: "s1", paper: documents[0], rule: "Factures", titleBefore: "Scan 17.pdf",
                                title: "2026-11-03 City Power.pdf", folderBefore: nil,
                                folder: "Factures/2026",
                                tags: ["facture"], madeAt: ago(2))
                        ], ruleCount: 1))
            ),
            (
                "rules",
                Pages.rules(
                    f("/rules"),
                    RulesPage(
                        rules: [
                            RuleLine(
                                id: "r1", name: "Factures", from: nil, pattern: "Scan*.pdf", words: "invoice",
                                sender: "",
                                folder: nil, tags: ["facture"], title: "{date} {line}", actsAtOnce: true)
                        ], folders: []))
            ),
            (
                "retention",
                Pages.retention(
                    f("/retention"),
                    RetentionPage(
                        rules: [
                            .init(
                                id: "k1", name: "Impôts", tag: "impôts", folder: nil, months: 120,
                                trashesAfter: true)
                        ], folders: []))
            ),
            (
                "shared-folder",
                Pages.sharedFolder(
                    f("/s/q9w8", signedIn: false),
                    SharedFolderPage(
                        token: "q9w8", sharedBy: "Ana", name: "Vacances",
                        papers: [(documents[0], ""), (documents[1], "2026")], expiresAt: ago(-90)))
            ),
            (
                "shared-look",
                Pages.sharedLook(
                    f("/s/q9w8", signedIn: false),
                    SharedLookPage(
                        sharedBy: "Ana", name: "Bail.pdf", pictures: "/s/q9w8/pages",
                        sheets: [(595, 842), (842, 595)], back: "/s/q9w8", expiresAt: ago(-90),
                        trouble: "The rest is damaged."))
            ),
            ("share-selection", Pages.shareSelection(f("/documents"), Array(documents.prefix(2)))),
            (
                "paperless",
                Pages.paperless(
                    f("/paperless"),
                    PaperlessPage(
                        imports: [
                            .init(
                                job: jobs[0], isDone: true, added: 120, known: 2, archives: 80,
                                left: [("Facture", "It lay in the trash of Paperless.")],
                                others: [("mail rules", 2)]), .init(job: jobs[1], isDone: false),
                        ], error: "This is no archive."))
            ),
            (
                "request",
                Pages.requestLink(
                    f("/s/q9w8", signedIn: false),
                    RequestLinkPage(token: "q9w8", askedBy: "Ana", note: "Pour les impôts", received: 2))
            ),
            (
                "documents-empty",
                Pages.documents(f("/documents"), DocumentsPage(lines: [], matchCount: 0))
            ),
            (
                "documents-none",
                Pages.documents(
                    f("/documents"), DocumentsPage(lines: [], filter: "zebra", matchCount: 0))
            ),
            (
                "trash",
                Pages.documents(
                    f("/documents"),
                    DocumentsPage(
                        lines: documents.map {
                            var line = $0
                            line.trashedAt = ago(50)
                            return line
                        }, matchCount: 5, showsTrash: true, trashCount: 5))
            ),
            ("upload", Pages.upload(f("/documents/new"), UploadPage())),
            (
                "document",
                Pages.document(
                    f("/documents/d1"),
                    DocumentPage(
                        line: documents[0], digest: String(repeating: "3fa9", count: 16), shares: shares,
                        newShareAddress: "https://desk.example.org/s/q9w8e7r6t5y4", isFillable: true))
            ),
            ("conversions", Pages.conversions(f("/conversions"), ConversionsPage(lines: conversions))),
            (
                "conversions-empty",
                Pages.conversions(f("/conversions"), ConversionsPage(lines: []))
            ),
            (
                "scan",
                Pages.scan(
                    f("/scan"),
                    ScanPage(
                        day: "2026-11-26",
                        folders: [FolderLine(id: "f1", name: "Taxes", path: "Taxes", depth: 0, count: 2)],
                        languages: ["eng", "fra"]))
            ),
            ("marks", Pages.marks(f("/documents/d1/marks"), marks[0])),
            ("marks-discussed", Pages.marks(f("/documents/d1/marks"), marks[1])),
            ("marks-signed", Pages.marks(f("/documents/d1/marks"), marks[2])),
            ("reply", Pages.replying(f("/s/x/form", signedIn: false), replying[0])),
            ("reply-refused", Pages.replying(f("/s/x/form", signedIn: false), replying[1])),
            ("reply-unsigned", Pages.replying(f("/s/x/form", signedIn: false), replying[2])),
            (
                "reply-sent",
                Pages.replied(
                    f("/s/x/form", signedIn: false), name: "Trip <to the lake>", askedBy: "Ana", token: "x",
                    signed: 2)
            ),
            (
                "shared-form",
                Pages.sharedPaper(
                    f("/s/x", signedIn: false),
                    SharedPaperPage(
                        token: "x", sharedBy: "Ana Tremblay",
                        state: .open(
                            name: "Trip.pdf", mediaType: "application/pdf", byteCount: 48_113, expiresAt: nil,
                            reply: .sign)))
            ),
            ("fill-in", Pages.filling(f("/documents/d1/form"), fillingIn[0])),
            ("fill-in-refused", Pages.filling(f("/documents/d1/form"), fillingIn[1])),
            ("fill-in-flat", Pages.filling(f("/documents/d1/form"), fillingIn[2])),
            ("fill-in-forbidden", Pages.filling(f("/documents/d1/form"), fillingIn[3])),
            ("password", Pages.password(f("/documents/d1/password"), locked[0])),
            ("password-wrong", Pages.password(f("/documents/d1/password"), locked[1])),
            ("password-limits", Pages.password(f("/documents/d1/password"), locked[2])),
            ("password-none", Pages.password(f("/documents/d1/password"), locked[3])),
            ("arrange", Pages.arrange(f("/documents/d1/pages"), arranged[0])),
            ("arrange-signed", Pages.arrange(f("/documents/d1/pages"), arranged[1])),
            ("smaller", Pages.smaller(f("/documents/d1/smaller"), smaller[0])),
            ("smaller-cost", Pages.smaller(f("/documents/d1/smaller"), smaller[1])),
            ("smaller-not", Pages.smaller(f("/documents/d1/smaller"), smaller[2])),
            ("smaller-working", Pages.smaller(f("/documents/d1/smaller"), smaller[3])),
            ("smaller-failed", Pages.smaller(f("/documents/d1/smaller"), smaller[4])),
            ("smaller-new", Pages.smaller(f("/documents/d1/smaller"), smaller[5])),
            ("compared", Pages.compared(f("/documents/d1/comparison"), comparedPapers[0])),
            ("compared-same", Pages.compared(f("/documents/d1/comparison"), comparedPapers[1])),
            ("compared-locked", Pages.compared(f("/documents/d1/comparison"), comparedPapers[2])),
            ("compared-alone", Pages.compared(f("/documents/d1/comparison"), comparedPapers[3])),
            ("compared-choice", Pages.compared(f("/documents/d1/comparison"), comparedPapers[4])),
            ("redaction", Pages.redaction(f("/documents/d1/redaction"), redactions[0])),
            ("redaction-trouble", Pages.redaction(f("/documents/d1/redaction"), redactions[1])),
            ("redaction-many", Pages.redactionMany(f("/redaction"), redactionsOfMany[0])),
            ("redaction-many-found", Pages.redactionMany(f("/redaction"), redactionsOfMany[1])),
            ("conversion-new", Pages.newConversion(f("/conversions/new"), NewConversionPage())),
            (
                "conversion-new-photos",
                Pages.newConversion(
                    f("/conversions/new"), NewConversionPage(source: .photos, minute: "2026-11-27 20.45"))
            ),
            (
                "conversion-web",
                Pages.newConversion(
                    f("/conversions/new"),
                    NewConversionPage(source: .web, error: "“x” is no address.", address: "x"))
            ),
            (
                "conversion-paste",
                Pages.newConversion(f("/conversions/new"), NewConversionPage(source: .paste))
            ),
            ("conversion", Pages.conversion(f("/conversions/c1"), conversion(.done))),
            ("conversion-running", Pages.conversion(f("/conversions/c1"), conversion(.running))),
            ("conversion-failed", Pages.conversion(f("/conversions/c1"), conversion(.failed))),
            ("conversion-draft", Pages.conversion(f("/conversions/c1"), conversion(.draft))),
            ("conversion-cancelled", Pages.conversion(f("/conversions/c1"), conversion(.cancelled))),
            ("shares", Pages.shares(f("/shares"), SharesPage(shares: shares))),
            (
                "shared",
                Pages.sharedPaper(
                    f("/s/x", signedIn: false),
                    SharedPaperPage(
                        token: "x", sharedBy: "Ana Tremblay",
                        state: .open(
                            name: documents[0].name, mediaType: "application/pdf", byteCount: 482_113,
                            expiresAt: now)))
            ),
            (
                "shared-locked",
                Pages.sharedPaper(
                    f("/s/x", signedIn: false),
                    SharedPaperPage(
                        token: "x", sharedBy: "Ana",
                        state: .passwordNeeded(error: "That is not the password.")))
            ),
            (
                "shared-gone",
                Pages.sharedPaper(f("/s/x", signedIn: false), SharedPaperPage(token: "x", state: .gone))
            ),
            ("activity", Pages.activity(f("/activity"), ActivityPage(jobs: jobs))),
            (
                "journal",
                Pages.activity(
                    f("/activity"),
                    ActivityPage(
                        view: .journal,
                        journal: [
                            JournalLine(
                                at: ago(3), actor: "Ana Tremblay", verb: "document.added",
                                subject: "notes.txt"),
                            JournalLine(at: ago(9), actor: "Bruno", verb: "session.started", subject: ""),
                            JournalLine(
                                at: ago(19), actor: "Bruno", verb: "paper.folded", subject: "a <crane>"),
                        ], hasMore: true))
            ),
            (
                "schedule",
                Pages.activity(
                    f("/activity"),
                    ActivityPage(
                        view: .schedule,
                        schedules: [
                            ScheduleLine(
                                id: "c1", title: "Back up every night", nextAt: now + .seconds(40_000),
                                rule: "FREQ=DAILY;BYHOUR=3")
                        ]))
            ),
            ("settings", Pages.settings(f("/settings"))),
            ("notices-none", Pages.notices(f("/notices"), NoticesPage(lines: [], unreadCount: 0))),
            (
                "notices",
                Pages.notices(
                    f("/notices"),
                    NoticesPage(
                        lines: [
                            NoticeLine(
                                sentence: "3 messages bounced", notes: ["Consent <forms>"],
                                address: "/ledger?show=failed", icon: .mail, at: ago(3), isUnread: true),
                            NoticeLine(
                                sentence: "A repeating send-out ran", notes: [], address: nil, icon: .again,
                                at: ago(90), isUnread: false),
                        ], unreadCount: 1))
            ),
            (
                "notice-choice",
                Pages.noticeChoice(
                    f("/settings/notices"),
                    NoticeChoicePage(
                        topics: Notice.Topic.allCases,
                        choice: NoticeChoice(topics: [.mail], mail: .daily, address: "ana@"),
                        signInName: "ana@example.org", canMail: false,
                        devices: [
                            .init(
                                id: "p1", name: "Safari, iPhone", endpoint: "https://push.example/1",
                                madeAt: ago(600), trouble: "it answered 503")
                        ], pushKey: "BCVx",
                        error: "“ana@” is not a mail address.", errorField: "address"))
            ),
            (
                "identity",
                Pages.identity(
                    f("/settings/identity"),
                    IdentityPage(
                        name: "Ana Tremblay", login: "ana@example.org",
                        desk: .init(organization: "Atelier Tremblay"),
                        error: "That does not look like an e-mail address.", errorField: "email"))
            ),
            (
                "security",
                Pages.security(
                    f("/settings/security"),
                    SecurityPage(
                        passkeys: [.init(id: "p1", name: "iPhone", addedAt: ago(5000), lastUsedAt: ago(60))],
                        sessions: [
                            .init(
                                id: "x1", device: "Firefox, Linux", address: "127.0.0.1", lastSeenAt: now,
                                isThisOne: true),
                            .init(
                                id: "x2", device: "Safari, iPhone", address: "192.0.2.7", lastSeenAt: ago(600)
                            ),
                        ], hasPassword: true, recoveryCodesLeft: 7, newRecoveryCodes: codes,
                        lockAfterMinutes: 15))
            ),
            (
                "members",
                Pages.members(
                    f("/members"),
                    MembersPage(
                        members: [
                            .init(
                                id: "m1", name: "Ana Tremblay", login: "ana@example.org", role: .owner,
                                lastSeenAt: now, isReader: true),
                            .init(
                                id: "m2", name: "Bruno Díaz", login: "bruno", role: .editor,
                                lastSeenAt: ago(4000)),
                        ],
                        invitations: [
                            .init(id: "i1", note: "Chloé", role: .viewer, expiresAt: now + .seconds(500_000))
                        ],
                        newInvitationAddress: "https://desk.example.org/join/q9w8e7r6t5y4"))
            ),
            (
                "tokens",
                Pages.tokens(
                    f("/tokens"),
                    TokensPage(
                        tokens: [
                            .init(
                                id: "t1", name: "nightly import", scopes: ["read", "write"],
                                createdAt: ago(9000))
                        ],
                        scopes: ["read", "write", "admin"].map { ($0, f("/").texts("scope.\($0)")) },
                        newToken: "quire_t0k3n"))
            ),
            (
                "identities",
                Pages.identities(
                    f("/identities"),
                    IdentitiesPage(
                        identities: [
                            .init(
                                id: "i1", name: "Ana Tremblay", issuer: "Authority of Desk",
                                ends: now + .seconds(90_000_000))
                        ], authority: "Authority of Desk",
                        trusted: [
                            .init(
                                id: "c1", name: "Notaría 12", issuer: "Colegio",
                                ends: now + .seconds(9_000_000))
                        ]))
            ),
            ("signatures", Pages.signatures(f("/documents/d1/signatures"), signatures)),
            ("signing-many", Pages.signingMany(f("/signing"), signingMany)),
            (
                "storage",
                Pages.storage(
                    f("/settings/storage"),
                    StoragePage(
                        home: "/var/lib/quire", database: "SQLite 3.40", documentCount: 1284,
                        blobByteCount: 3_120_000_000,
                        freeByteCount: 81_000_000_000,
                        backups: [.init(at: ago(700), path: "/mnt/disk/quire", byteCount: 3_000_000_000)],
                        backupFolder: "/mnt/disk/quire", isEncrypted: true, sheet: .missing,
                        verification: .init(
                            at: ago(800), problems: ["blob 3fa9…: file is missing"],
                            papers: ["Lease 2026.pdf"])))
            ),
            (
                "recovery-sheet",
                Pages.recoverySheet(
                    f("/settings/storage"),
                    RecoverySheetPage(
                        desk: "Ruiz & Daughters", key: RecoveryKey(.seeded(1)),
                        folders: ["/mnt/disk/quire"], version: "1.0.0", madeAt: ago(1)), .utc)
            ),
            ("mail", Pages.mail(f("/settings/mail"), mail)),
            ("looks", Pages.looks(f("/settings/looks"), looks)),
            (
                "language",
                Pages.language(f("/settings/language"), LanguagePage(language: "fr-CA", theme: .system))
            ),
            (
                "help",
                Pages.help(
                    f("/help"),
                    HelpPage(
                        organization: "Rosa Parks School", email: "office@example.org", phone: "+1 555 0100",
                        terms: "https://example.org/terms", owners: ["Ana Tremblay"],
                        question: .init(text: "How?", error: "Say more.")))
            ),
            (
                "help-privacy",
                Pages.privacy(
                    f("/help/privacy"),
                    PrivacyPage(
                        folder: "/srv/quire", isInPostgreSQL: true, memberCount: 2, openLinkCount: 1,
                        outgoing: [
                            .init(what: "the mail server you entered", address: "mail.example.org:587")
                        ],
                        ledgerDays: 30, plansBackups: true, encryptsBackups: true, backupFolder: "/mnt/disk"))
            ),
            (
                "plans",
                Pages.plans(
                    f("/settings/plans"),
                    PlansPage(
                        planName: "Self-hosted", planNote: "Everything is unlocked.",
                        decisions: [
                            .init(
                                name: "Templates", isAllowed: true, used: 4, limit: nil,
                                why: "You host Quire yourself."),
                            .init(
                                name: "People", isAllowed: false, used: 3, limit: 3,
                                why: "The Free plan has three seats; they are taken."),
                        ],
                        offered: [
                            .init(
                                id: "free", name: "Free", price: "", note: "",
                                limits: [("Templates", 3), ("People", 50)], tools: ["converting"],
                                missing: ["syncing", "links and mail to others"], isHere: true),
                            .init(
                                id: "studio", name: "Studio", price: "4 € a month",
                                note: "Can be ended any month.",
                                limits: [("Templates", nil), ("People", nil)],
                                tools: ["converting", "syncing", "links and mail to others"], trialDays: 14),
                        ],
                        addOns: [
                            .init(
                                name: "Everywhere", price: "9 € once", note: "Beside any plan.", limits: [],
                                tools: ["syncing"])
                        ], shop: "https://example.org/quire", endsAt: now, simulatesFree: true,
                        takesLicences: true,
                        licences: [
                            .init(
                                address: "/licences/L-1", holder: "Ana", plan: "studio", endsAt: now,
                                counts: false)
                        ]))
            ),
            (
                "about",
                Pages.about(
                    f("/settings/about"),
                    AboutPage(
                        version: "0.2.0", facts: [("Swift", "6.3.1"), ("SQLite", "3.40.1")],
                        findings: [
                            .init(
                                name: "Jail", state: .limited, note: "No own network namespace here.",
                                remedy: "apt install bubblewrap"),
                            .init(name: "Database", state: .good, note: "Writable, no damage found."),
                        ],
                        network: [
                            .init(address: "smtp.example.org:587", note: "the mail server you entered")
                        ],
                        engines: .init(
                            at: ago(600),
                            lines: [
                                .init(engine: "Chromium", milliseconds: 640),
                                .init(
                                    engine: "LibreOffice", milliseconds: 12,
                                    trouble: "This machine has too little memory left. Try again in a moment."
                                ),
                            ])))
            ),
            (
                "about-trying",
                Pages.about(
                    f("/settings/about"),
                    AboutPage(
                        version: "0.2.0", facts: [], findings: [],
                        engines: .init(job: "018f", failure: "It took longer than 600 seconds.")))
            ),
            (
                "about-untried",
                Pages.about(
                    f("/settings/about"),
                    AboutPage(version: "0.2.0", facts: [], findings: [], engines: .init()))
            ),
            (
                "search",
                Pages.search(f("/search"), SearchPage(query: "contrat", hits: Pages.places(f("/search"))))
            ),
            ("problem-404", Pages.problem(f("/nowhere"), ProblemPage(status: 404))),
            (
                "problem-500",
                Pages.problem(
                    f("/", signedIn: false),
                    ProblemPage(status: 500, reference: "7Q2K-M4", retryAfterSeconds: 30))
            ),
            ("offline", Pages.offline(f("/offline", signedIn: false))),
        ] + packetPages(language: language) + sendingPages { f($0) }
    }

    static let codes = [
        "4f7k-9q2m", "x8d3-h6w1", "p0r5-t2y9", "b7n4-c1v6", "k3j8-m5l2", "z9x6-q4e7", "w1s8-d3f5",
        "g6h2-j9k4",
    ]

    static var mail: MailPage {
        var mail = MailPage(
            host: "smtp.example.org", username: "ana", hasPassword: true, fromAddress: "ana@example.org")
        mail.test = .init(isGood: true, sentence: "Accepted by smtp.example.org: 250 2.0.0 OK", at: ago(1))
        return mail
    }
}
