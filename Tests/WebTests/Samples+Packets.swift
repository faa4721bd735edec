import Bundling
import Bytes
import CardCase
import Cards
import Delivery
import Markup
import People
import Starters
import Storage
import Work

@testable import Web

/// A school's papers: names in several scripts, long ones, a form of two pages, a table with a few things wrong.
extension Samples {
    static let forms: [TemplateLine] = [
        TemplateLine(
            id: "t1", name: "Consent form, museum trip", folder: "School trips", pageCount: 2, fieldCount: 24,
            changedAt: ago(200), picture: "/templates/t1/pages/1"),
        TemplateLine(
            id: "t2", name: "Award certificate", pageCount: 1, fieldCount: 5, changedAt: ago(9000),
            picture: "/templates/t2/pages/1"),
        TemplateLine(
            id: "t3",
            name: "Demande d’inscription au service de garde – année scolaire 2026-2027, version longue",
            folder: "Garde", pageCount: 12, fieldCount: 318, edition: 3, changedAt: ago(90)),
        TemplateLine(
            id: "t4", name: "استمارة موافقة ولي الأمر", pageCount: 1, fieldCount: 1, changedAt: ago(40_000),
            picture: "/templates/t4/pages/1"),
    ]

    private static let sign = CardPicture(
        original: Digest(of: [1]), shown: Digest(of: [2]), width: 600, height: 200)

    private static func ownCard(_ pictures: [CardPicture.Kind: CardPicture]) -> OwnCard {
        guard let id = ID<OwnCard>("01890a5d-ac96-774b-bcce-b302099a8057") else { fatalError("no id") }
        var card = OwnCard(id: id, member: nil, slug: "7k2m9q4x", isDefault: true, pictures, at: now)
        card.name.given = "Ana"
        return card
    }

    static let formFields: [FieldLine] = [
        FieldLine(
            name: "pupil.full_name", label: "Pupil’s full name", kind: .text, isRequired: true,
            maximumLength: 60,
            places: [.init(page: 1, x: 72, y: 180, width: 300, height: 20)]),
        FieldLine(
            name: "pupil.born", label: "Date of birth", kind: .date,
            places: [.init(page: 1, x: 400, y: 180, width: 140, height: 20)]),
        FieldLine(
            name: "class", label: "Class", kind: .choice, choices: ["4a", "4b", "5a", "5b"],
            places: [.init(page: 1, x: 72, y: 230, width: 120, height: 20)]),
        FieldLine(
            name: "ssn", label: "Social security number", kind: .comb, maximumLength: 9,
            places: [.init(page: 1, x: 220, y: 230, width: 320, height: 20)]),
        FieldLine(
            name: "may_swim", label: "May swim", kind: .check,
            places: [.init(page: 1, x: 72, y: 280, width: 16, height: 16)]),
        FieldLine(
            name: "topmostSubform[0].Page1[0].allergies_and_everything_else_we_should_know[0]",
            label: "Allergies, medicines, and everything else we should know before the trip",
            kind: .multiline,
            places: [.init(page: 1, x: 72, y: 320, width: 468, height: 90)]),
        FieldLine(
            name: "guardian", label: "Name of the guardian", kind: .text, isRequired: true,
            places: [.init(page: 1, x: 72, y: 470, width: 300, height: 20)]),
        FieldLine(
            name: "signature", label: "Signature", kind: .signature, isReadOnly: true,
            places: [.init(page: 1, x: 72, y: 560, width: 240, height: 50)]),
    ]

    static func picture(
        _ form: String = "t1", number: Int = 1, chosen: String? = nil, mood: PagePicture.Mark.Mood = .plain
    ) -> PagePicture {
        PagePicture(
            number: number, width: 612, height: 792, address: "/templates/\(form)/pages/\(number)",
            marks: number > 1
                ? []
                : formFields.flatMap { field in
                    field.places.map {
                        .init(
                            key: field.name, label: field.label,
                            address: "/templates/\(form)?field=\(field.name)", x: $0.x,
                            y: $0.y, width: $0.width, height: $0.height,
                            mood: field.name == "guardian" && mood != .plain ? .problem : mood,
                            isChosen: field.name == chosen)
                    }
                })
    }

    static let columns = ["First name", "Last name", "Born", "Class", "E-mail of a parent", "Notes", "No."]
    static let pupils: [(String, String)] = [
        ("Amélie", "Tremblay-Bélanger"), ("José Ángel", "Núñez Ortiz"), ("王", "小明"), ("محمد", "عبد الرحمن"),
        ("Åse", "Þórsdóttir"), ("Wolfeschlegelsteinhausenbergerdorff", "the Third of his name"),
        ("נועה", "לוי"),
        ("O’Brien", "Siobhán"),
    ]

    static func person(_ number: Int) -> PersonLine {
        let pupil = pupils[number % pupils.count]
        return PersonLine(
            id: "r\(number)", name: "\(pupil.0) \(pupil.1)", email: "parent\(number)@example.org",
            cells: [
                pupil.0, pupil.1, "2016-0\(number % 9 + 1)-17", number % 2 == 0 ? "4b" : "5a",
                "parent\(number)@example.org",
                number % 5 == 0
                    ? "Allergic to nuts; please ask before giving any cake, also at birthdays" : "",
                "00\(number + 100)",
            ], source: "class-lists.csv, line \(number + 2)", flaw: number == 6 ? "No e-mail address." : nil)
    }

    static let school = ListLine(
        id: "l1", name: "Pupils 2026-2027", count: 312, columns: columns, quarantined: 2, changedAt: ago(30))
    /// Somebody with a line of every kind.
    static let known: ContactPage = {
        let text =
            "BEGIN:VCARD\nVERSION:4.0\nFN:Ana Pérez\nN:Pérez;Ana;;Dr.;\nORG:Choir;Altos\nTITLE:Treasurer\n"
            + "TEL;TYPE=cell:+52 55 1234 5678\nEMAIL;TYPE=work:ana@example.org\nitem1.URL:https://ana.example\n"
            + "item1.X-ABLabel:Blog\nADR;TYPE=home:;;Calle 1;Puebla;;72000;México\nBDAY:--0415\nNOTE:Likes tea.\\nCalls late.\n"
            + "CATEGORIES:Choir,Neighbours\nX-MET-AT:the fair\nEND:VCARD\n"
        let card = CardFile(Array(text.utf8)).cards.first ?? ContactCard()
        var page = ContactPage(
            id: "c1", name: card.name, card, source: "From the file “phone.vcf”", changedAt: now)
        page.history = [
            .init(
                subject: "packet/p1", name: "Consent", address: "ana@example.org", state: "opened", at: now,
                link: "/packets/p1/delivery"),
            .init(
                subject: "batch/b1", name: "Trip", address: "ana@example.org", state: "handedOver", at: now,
                link: "/batches/b1/filling", desk: "office"),
        ]
        page.papers = [("d1", "Consent of Ana")]
        return page
    }()

    static func promised(_ on: String, _ due: Due?, isToday: Bool = false) -> FollowUpLine {
        FollowUpLine(
            followUp: FollowUp(on: on, every: .quarter, note: "Ask about the choir’s new hall"), due: due,
            isToday: isToday)
    }

    static let overdue: ContactPage = {
        var page = known
        page.followUp = promised("2026-11-02", .overdue)
        return page
    }()

    static let lists: [ListLine] = [
        school,
        ListLine(
            id: "l2", name: "Volunteers of the museum trip", count: 1, columns: ["Name", "Phone"],
            changedAt: ago(9000)),
        ListLine(id: "l3", name: "قائمة المعلمين", count: 41, changedAt: ago(20_000)),
        ListLine(
            id: "l5", name: "Choir", count: 24, changedAt: now, question: ContactQuestion(tag: "Choir")),
    ]
    static let flaws: [ListPage.Flaw] = [
        .init(
            id: "f1", place: 118,
            sentence: "This row has 9 cells, the table 7 columns. A quote may not have been closed.",
            text: "Léa;\"Dubois;2016-04-02;4b;lea@example.org;;0217;;"),
        .init(
            id: "f2", place: 204, sentence: "This row has 3 cells, the table 7 columns.", text: "Tom;Baker;"),
    ]

    static func batch(_ state: BatchLine.State = .draft, reached: PacketStep = .match) -> BatchLine {
        BatchLine(
            id: "b1", name: "Museum trip, consent", state: state, reached: reached,
            papers: ["Consent form, museum trip", "Packing list"], list: "Pupils 2026-2027",
            recipientCount: 312,
            madeCount: 312, changedAt: ago(12), picture: "/templates/t1/pages/1")
    }

    static let starters: [NewTemplatePage.Starter] = [
        .init(
            key: "certificate", name: "Award certificate", about: "A name, a reason, a date, a signature",
            picture: "/templates/t2/pages/1"),
        .init(
            key: "consent", name: "Consent form", about: "For trips and pictures",
            picture: "/templates/t1/pages/1"),
        .init(key: "invoice", name: "Invoice", about: "Eight lines and a total"),
    ]

    static let sources: [MatchPage.Source] = [
        .formula("{First name} & \" \" & {Last name}"), .column("Born"), .column("Class"), .nothing, .empty,
        .column("Notes"), .fixed("Ana Tremblay"), .nothing,
    ]

    static func choosing(filter: String, limit: Int? = nil) -> ChoosePeoplePage {
        let people = (0..<6).map { ChoosePeoplePage.Person(line: person($0), isTicked: $0 != 2) }
        return ChoosePeoplePage(
            batch: batch(), people: people, filter: filter, page: 1, pageCount: 3,
            matchCount: filter.isEmpty ? 27 : 6, totalCount: 27, tickedCount: 26, limit: limit)
    }

    static func matching(chosen: String?, draft: MatchPage.Draft? = nil) -> MatchPage {
        let values = [
            "Amélie Tremblay-Bélanger", "17 January 2016", "4b", "", "",
            "Allergic to nuts; please ask before giving any cake, also at birthdays", "Ana Tremblay", "",
        ]
        return MatchPage(
            batch: batch(), parts: [(1, "Consent form, museum trip"), (2, "Packing list")], part: 1,
            pages: [picture(chosen: chosen, mood: .matched), picture(number: 2)],
            entries: formFields.enumerated().map { place, field in
                MatchPage.Entry(
                    field: field, source: sources[place],
                    value: sources[place] == .nothing ? nil : values[place],
                    problem: place == 6
                        ? "This field must be filled, but 3 people have nothing in “Guardian”." : nil,
                    suggestion: place == 3
                        ? .init(
                            column: "{No.}", shown: .column("No."),
                            reason: "Nine digits each, and the field takes nine.",
                            runnerUp: "Phone")
                        : nil)
            },
            columns: zip(columns, person(0).cells).map {
                .init(name: $0, kind: "text", example: $1, isUsed: $0 == "Born")
            },
            picks: [
                .init(
                    label: "Initials", formula: "initials()", source: .formula("initials()"), example: "AT"),
                .init(label: "Phone", formula: "{Phone}", source: .column("Phone"), example: "617-555-0100"),
                .init(
                    label: "Today", formula: "date_format(today, \"mm-dd-yy\")",
                    source: .formula("date_format(today, \"mm-dd-yy\")"), example: "11-21-26"),
            ],
            chosen: chosen, draft: draft, row: 1, rowCount: 312, rowName: "Amélie Tremblay-Bélanger",
            suggestionCount: 1,
            offers: [
                .init(
                    column: "Phone",
                    choices: [
                        .init(fields: ["home"], label: "Home phone", reason: "called alike in part"),
                        .init(fields: ["work"], label: "Work phone", reason: "called alike in part"),
                    ])
            ],
            words: [
                .init(
                    field: "pupil.school", label: "School type",
                    choices: [("Kindergarten", "Kindergarten"), ("Elementary school", "Elementary school")],
                    words: [
                        .init(text: "kita", count: 51, answer: "?"),
                        .init(text: "Elem", count: 57, answer: "Elementary school"),
                    ]),
                .init(
                    field: "photo", label: "May be photographed",
                    choices: [("yes", "ticked"), ("no", "not ticked")],
                    words: [.init(text: "ask first", count: 2, answer: "no", isDecided: true)]),
            ], comesFromCheck: chosen != nil, savedMappings: [("m1", "Consent form as last year")])
    }

    /// A bundle that has a bit of everything, read as it would be.
    private static var bundle: BundleView? {
        var bundle = Bundle(name: "Consent form, museum trip")
        let form = StarterTemplates.bytes("consent") ?? []
        bundle.parts = [
            .init(
                "Consent",
                .form(
                    form,
                    mapping: """
                        [fields]
                        First name = {First name}
                        Activity = "Museum"
                        Parent name = {Parent} & " " & {Last name}
                        Somewhere = {Nothing}
                        """)),
            .init("House rules.pdf", .paper(form), condition: "{Age} < 18"),
            .init("{id}.pdf", .attachment(pattern: "{id}.pdf")),
        ]
        bundle.options = ["flatten": true, "duplex": true, "password": "{Date of birth}"]
        bundle.letter = ["subject": "For {{first_name}}", "body": "Dear {{parent}},\n\nplease sign."]
        bundle.files = [.init("Map.png", [1])]
        bundle.columns = ["First name", "Last name", "Parent", "Age", "Date of birth"].map { .init($0) }
        bundle.rows = [["Ada", "Example", "Grace", "9", "2017-03-14"]]
        return (try? bundle.bytes()).flatMap { try? BundleView(reading: $0, at: now) }
    }

    private static func bundlePages(_ f: (String) -> Frame) -> [(name: String, html: HTML)] {
        guard let bundle else { return [] }
        return [
            (
                "bundle-look",
                Pages.bundle(f("/bundles/u1"), BundlePage(id: "u1", content: bundle, isKept: false))
            ),
            (
                "bundle-kept",
                Pages.bundle(
                    f("/bundles/u1"),
                    BundlePage(id: "u1", content: bundle, isKept: true, batches: [batch()]))
            ),
            (
                "bundle-gone",
                Pages.bundle(
                    f("/bundles/u1"), BundlePage(id: "u1", content: bundle, isKept: true, isRemoved: true))
            ),
            (
                "bundle-give",
                Pages.giving(
                    f("/batches/b1/bundle"),
                    GivingPage(
                        batch: batch(), content: bundle, heldBack: Bundles.HeldBack.allCases, realRows: 1))
            ),
        ]
    }

    static func packetPages(language: Language) -> [(name: String, html: HTML)] {
        func f(_ path: String) -> Frame { frame(path, language: language) }
        let template = TemplatePage(
            line: forms[0], pages: [picture(chosen: "pupil.born"), picture(number: 2)], fields: formFields,
            chosen: "pupil.born",
            findings: [
                .init(
                    mood: .warn,
                    sentence:
                        "The file holds a dynamic form (XFA) beside the usual fields. Only the usual fields are filled; the other part is taken out of the copies."
                ),
                .init(
                    mood: .plain,
                    sentence:
                        "A script formats “Date of birth” as day, month and year. Quire does the same without running it."
                ),
            ],
            editions: [
                .init(number: 2, addedAt: ago(200), addedBy: "Ana Tremblay", fieldCount: 24, isCurrent: true),
                .init(
                    number: 1, addedAt: ago(300_000), addedBy: "Bruno Díaz", fieldCount: 23, isCurrent: false),
            ], folders: ["School trips", "Garde"])
        var report = template
        report.view = .report
        var editions = template
        editions.view = .editions
        var kept = template
        kept.view = .mappings
        kept.mappings = [
            .init(
                id: "m1", name: "Consent form as last year", changedAt: ago(4000),
                text: "[fields]\npupil.full_name = {First name} & \" \" & {Last name}\nclass = {Class}\n")
        ]
        var nothingKept = kept
        nothingKept.mappings = []
        var flat = template
        flat.fields = []
        flat.proposalCount = 14
        let list = ListPage(
            line: school,
            columns: zip(columns, ["firstName", "lastName", nil, nil, "email", nil, "key"]).map {
                .init(name: $0, role: $1)
            },
            people: (0..<24).map(person), pageCount: 7, matchCount: 312,
            sources: [.init(id: "s1", name: "class-lists.csv", count: 300, addedAt: ago(3000))],
            audiences: [.init(id: "a1", name: "Class 4b", count: 27)], flaws: flaws)
        let table = ImportPage(
            list: school, id: "i1", fileName: "class-lists 2026 (final) v2.csv", rowCount: 312,
            columns: zip(columns, ["firstName", "lastName", "", "", "email", "", "key"]).map {
                .init(name: $0, kind: "text", role: $1)
            },
            choices: [
                .init(
                    what: "separator", value: ";",
                    options: [(",", "Comma ,"), (";", "Semicolon ;"), ("tab", "Tab"), ("|", "Bar |")],
                    why: "312 of 314 rows have the same seven cells with it."),
                .init(
                    what: "encoding", value: "windows-1252",
                    options: [("utf-8", "UTF-8"), ("windows-1252", "Windows, Western")],
                    why: "It is not UTF-8, and é and ñ stand where names need them."),
                .init(
                    what: "headerRow", value: "1",
                    options: [("0", "no row"), ("1", "row 1"), ("2", "row 2")],
                    why: "Row 1 has words where the others have dates and numbers."),
            ],
            rows: (0..<8).map { .init(place: $0 + 2, cells: person($0).cells, isFlawed: $0 == 5) },
            flaws: flaws, flawCount: 2,
            emailReason: "“E-mail of a parent” is the only column with addresses: it is the one to write to.",
            changes: .init(
                added: 18, changed: 4, gone: 2, unchanged: 288,
                changedExamples: [.init(name: "Amélie Tremblay-Bélanger", note: "Class: 4a → 4b")],
                goneExamples: [.init(name: "Tom Baker", note: "class-lists.csv, line 9")]))
        var hiding = table
        hiding.hidden = (2, false)
        let plan = CheckPage(
            batch: batch(.draft, reached: .check), total: 312, problemCount: 3, blockedCount: 1,
            pageCount: 4,
            matchCount: 312,
            planned: (0..<9).map { number in
                let person = person(number)
                return .init(
                    id: "p\(number)", number: number + 1, name: person.name,
                    fileName: "Consent form, museum trip_\(person.name)_00\(100 + number).pdf",
                    address: person.email, papers: "2 papers",
                    problems: number == 5
                        ? [
                            .init(
                                mood: .warn,
                                sentence:
                                    "“Pupil’s full name” has room for 48 letters of this size; the text is made smaller (7 pt)."
                            ),
                            .init(
                                mood: .bad,
                                sentence:
                                    "Two packets would have the same file name; “ (2)” is put behind the second."
                            ),
                        ]
                        : [], change: number == 2 ? "changed" : number == 3 ? "same" : "new")
            },
            options: .init(
                naming: "{Template}_{Full name}_{id}",
                namingExamples: [
                    "Consent form, museum trip_Amélie Tremblay-Bélanger_00100.pdf",
                    "Consent form, museum trip_José Ángel Núñez Ortiz_00101.pdf",
                ]))
        var counted = plan
        counted.counts = [
            .init(
                sentence: "“kita” in “School type” is none of the choices of the form.", count: 51,
                isSerious: true,
                cure: ("/batches/b1/mapping?part=1&field=pupil.school&then=plan#words", "Say what it means")),
            .init(
                sentence: "“Elem” in “School type” was taken as “Elementary school”.", count: 57,
                isSerious: false),
        ]
        var wrongPlan = plan
        wrongPlan.options.namingError = "There is no column “Nmae”. Did you mean “Name”?"
        wrongPlan.error = wrongPlan.options.namingError
        (wrongPlan.total, wrongPlan.plannedCount, wrongPlan.planned) = (0, 0, [])
        var elsewhere = batch(.elsewhere, reached: .check)
        (elsewhere.desk, elsewhere.sentCount, elsewhere.replyCount) = ("The Mill", 119, 4)
        let sheet = (0..<60).map { number in
            PacketLine(
                id: "k\(number)", number: number + 1, name: person(number).name, fileName: "x.pdf",
                pageCount: 2,
                picture: "/templates/t1/pages/1",
                problem: number % 13 == 4 ? "“Allergies” does not fit and goes on on an extra page." : nil)
        }
        let packet = PacketPage(
            batch: batch(.done, reached: .give), packet: sheet[4],
            pages: [picture(chosen: "pupil.full_name", mood: .matched)],
            values: formFields.map {
                .init(
                    field: $0, text: $0.kind == .check ? "on" : "Åse Þórsdóttir",
                    source: "class-lists.csv, line 6, columns “First name” and “Last name”",
                    steps: $0.name == "pupil.full_name"
                        ? [("{First name}", "Åse"), ("{First name} & \" \" & {Last name}", "Åse Þórsdóttir")]
                        : [],
                    warning: $0.name == "guardian" ? "Made smaller to fit: 7 pt." : nil)
            }, chosen: "pupil.full_name", warnings: ["One value was made smaller to fit."],
            facts: [.init(name: "SHA-256", value: String(repeating: "3fa9", count: 16))], previous: "k3",
            next: "k5")
        let draft = MatchPage.Draft(
            formula: "upper({First nmae}) & ", errorAt: 6,
            error: "There is no column “First nmae”. Did you mean “First name”?")
        let good = MatchPage.Draft(
            formula: "{First name} & \" \" & {Last name}", value: "Amélie Tremblay-Bélanger",
            steps: [
                ("{First name}", "Amélie"), ("{Last name}", "Tremblay-Bélanger"),
                ("{First name} & \" \" & {Last name}", "Amélie Tremblay-Bélanger"),
            ])
        return [
            (
                "templates",
                Pages.templates(
                    f("/templates"),
                    TemplatesPage(
                        lines: forms + forms, folders: ["Garde", "School trips"], matchCount: 8, totalCount: 8
                    ))
            ),
            (
                "templates-empty",
                Pages.templates(f("/templates"), TemplatesPage(lines: [], matchCount: 0, totalCount: 0))
            ),
            (
                "templates-trash",
                Pages.templates(
                    f("/templates"),
                    TemplatesPage(
                        lines: forms.map {
                            var line = $0; line.trashedAt = now; return line
                        }, matchCount: 4, totalCount: 4, showsTrash: true, trashCount: 4))
            ),
            (
                "templates-none",
                Pages.templates(
                    f("/templates"), TemplatesPage(lines: [], filter: "zebra", matchCount: 0, totalCount: 4))
            ),
            (
                "template-new",
                Pages.newTemplate(
                    f("/templates/new"),
                    NewTemplatePage(
                        starters: starters, documents: Array(documents.prefix(2)), address: "ftp://x",
                        error: "Only http and https addresses are fetched.", errorField: "address"))
            ),
            (
                "template-new-locked",
                Pages.newTemplate(
                    f("/templates/new"),
                    NewTemplatePage(
                        starters: [], search: "zebra", error: "Give the password to open it.",
                        errorField: "password", locked: ("document", "d1")))
            ),
            ("template", Pages.template(f("/templates/t1"), template)),
            ("template-report", Pages.template(f("/templates/t1"), report)),
            ("template-editions", Pages.template(f("/templates/t1"), editions)),
            ("template-mappings", Pages.template(f("/templates/t1"), kept)),
            ("template-mappings-none", Pages.template(f("/templates/t1"), nothingKept)),
            ("template-flat", Pages.template(f("/templates/t1"), flat)),
            ("comparison", Pages.comparison(f("/templates/t1/comparison"), comparison)),
            (
                "proposals",
                Pages.proposals(
                    f("/templates/t1/proposals"),
                    ProposalsPage(
                        line: forms[0], pages: [picture()],
                        proposals: formFields.map {
                            .init(
                                key: $0.name, name: $0.label, kind: $0.kind == .choice ? .text : $0.kind,
                                place: $0.places[0], reason: "A line of 105 mm after “\($0.label)”")
                        }))
            ),
            ("lists", Pages.lists(f("/lists"), ListsPage(lines: lists, totalCount: 4, trashCount: 1))),
            (
                "list-smart",
                Pages.list(
                    f("/lists/l5"),
                    ListPage(
                        line: ListLine(
                            id: "l5", name: "Choir", count: 24, changedAt: now,
                            question: ContactQuestion(words: "Bern", tag: "Choir", due: .week)),
                        columns: zip(columns, ["firstName", "lastName", nil, nil, "email", nil, nil]).map {
                            .init(name: $0, role: $1)
                        }, people: (0..<24).map(person), matchCount: 24,
                        notice: "Nobody has the tag “Choir” any more.",
                        question: ContactQuestion(words: "Bern", tag: "Choir", due: .week)))
            ),
            ("lists-empty", Pages.lists(f("/lists"), ListsPage(lines: [], totalCount: 0))),
            ("list-new", Pages.newList(f("/lists/new"), NewListPage())),
            ("list", Pages.list(f("/lists/l1"), list)),
            (
                "list-empty",
                Pages.list(
                    f("/lists/l1"),
                    ListPage(
                        line: ListLine(id: "l4", name: "Class 4b", count: 0, changedAt: now), columns: [],
                        people: [], matchCount: 0))
            ),
            (
                "person",
                Pages.person(
                    f("/lists/l1/recipients/r3"),
                    PersonPage(
                        list: school, person: person(3),
                        cells: zip(columns, person(3).cells).map {
                            .init(column: $0, shown: $1, raw: $0 == "Born" ? "42386" : nil, kind: "text")
                        }))
            ),
            ("import", Pages.importing(f("/lists/l1/imports/i1"), table)),
            ("import-hidden", Pages.importing(f("/lists/l1/imports/i1"), hiding)),
            (
                "contacts",
                Pages.contacts(
                    f("/contacts"),
                    ContactsPage(
                        contacts: (0..<9).map {
                            .init(
                                id: "c\($0)", name: person($0).name, note: "parent\($0)@example.org",
                                tags: $0 == 2 ? ["Choir"] : [],
                                followUp: $0 == 3 ? promised("2026-11-02", .overdue) : nil)
                        },
                        books: [
                            .init(
                                id: "b1", name: "Friends", count: 40, isRemote: true, pulledAt: now,
                                writes: true,
                                isInQuestion: true)
                        ],
                        groups: [
                            .init(id: "g1", name: "Board", book: "Friends", count: 0),
                            .init(id: "g2", name: "Choir", book: "Contacts", count: 1, absentCount: 2),
                        ], server: "https://desk.example/carddav/",
                        dueCounts: [.overdue: 1, .planned: 1], letters: ["A", "M"], tags: ["Choir"],
                        matchCount: 9, totalCount: 90, lists: lists))
            ),
            (
                "contacts-due",
                Pages.contacts(
                    f("/contacts?due=planned"),
                    ContactsPage(
                        contacts: (0..<3).map {
                            .init(
                                id: "c\($0)", name: person($0).name, note: "parent\($0)@example.org",
                                followUp: [
                                    promised("2026-11-02", .overdue),
                                    promised("2026-11-21", .week, isToday: true),
                                    promised("2027-02-21", nil),
                                ][$0])
                        }, due: .planned, dueCounts: [.overdue: 1, .week: 1, .planned: 3],
                        calendar: FollowUpCalendar(
                            address: "https://desk.example/reminders/quire_cal_x/follow-ups.ics",
                            madeAt: now, readAt: now),
                        letters: ["A", "M"],
                        matchCount: 3, totalCount: 90, lists: lists))
            ),
            ("contact-due", Pages.contact(f("/contacts/c1"), overdue)),
            ("contact", Pages.contact(f("/contacts/c1"), known)),
            (
                "contact-new",
                Pages.newContact(
                    f("/contacts/new"), ContactForm(ContactCard()),
                    books: [("", "On this desk only"), ("b1", "Friends")])
            ),
            (
                "card-picture-none",
                Pages.cardPicture(
                    f("/cards/c1/photo/crop"),
                    CardPicturePage(card: ownCard([:]), kind: .photo, error: "This is wrong."))
            ),
            (
                "card-picture",
                Pages.cardPicture(
                    f("/cards/c1/logo/crop"),
                    CardPicturePage(card: ownCard([.logo: sign]), kind: .logo))
            ),
            ("card-scan", Pages.readCard(f("/contacts/scan"), ReadCardPage())),
            (
                "card-scan-leads",
                Pages.readCard(
                    f("/contacts/scan"),
                    ReadCardPage(address: "https://example.org/c/7k2m9q4x", mayBeCard: true))
            ),
            (
                "card-scan-words",
                Pages.readCard(
                    f("/contacts/scan"),
                    ReadCardPage(
                        words: "WIFI:T:WPA;S:Guests;;", typed: "a", error: "This is wrong.",
                        errorField: "text"))
            ),
            (
                "card-scanned",
                Pages.newContact(
                    f("/contacts/scan"), ContactForm(ContactCard()),
                    CardProposal(
                        card: "MECARD:N:Ng,Zoë;;", source: .print, text: "Zoë Ng\nBakery",
                        known: [("1", "Zoë Ng")]))
            ),
            (
                "contacts-empty",
                Pages.contacts(f("/contacts"), ContactsPage(contacts: [], matchCount: 0, totalCount: 0))
            ),
            (
                "packets",
                Pages.batches(
                    f("/batches"),
                    BatchesPage(
                        lines: [
                            batch(), batch(.running, reached: .check), batch(.done, reached: .give),
                            batch(.paused), batch(.failed),
                        ], totalCount: 5))
            ),
            ("packets-empty", Pages.batches(f("/batches"), BatchesPage(lines: [], totalCount: 0))),
            (
                "packets-example",
                Pages.batches(f("/batches"), BatchesPage(lines: [batch()], totalCount: 1, hasExample: true))
            ),
            (
                "bundles",
                Pages.bundles(
                    f("/bundles"),
                    BundlesPage(lines: [.init(id: "u1", name: "Consent 2026", byteCount: 48_120, at: ago(90))]
                    ))
            ),
            ("bundles-empty", Pages.bundles(f("/bundles"), BundlesPage(lines: []))),
            (
                "packet-new",
                Pages.newBatch(
                    f("/batches/new"),
                    NewBatchPage(templates: forms, starters: starters, recent: [batch(.done, reached: .give)])
                )
            ),
            (
                "step-people",
                Pages.formAndPeople(
                    f("/batches/b1/people"),
                    FormAndPeoplePage(
                        batch: batch(),
                        papers: [
                            .init(
                                number: 1, kind: .template, name: "Consent form, museum trip",
                                note: "2 pages, 24 fields", picture: "/templates/t1/pages/1"),
                            .init(
                                number: 2, kind: .document, name: "Packing list.pdf",
                                note: "The same for everyone", condition: "{Class} = ",
                                conditionError: "Something is missing after “=”."),
                            .init(
                                number: 3, kind: .attachments, name: "{No.}.pdf",
                                note: "Each person’s own file"),
                        ], templates: forms, documents: Array(documents.prefix(2)), lists: lists,
                        chosenList: "l1", audiences: [.init(id: "a1", name: "Class 4b", count: 27)]))
            ),
            (
                "step-people-none",
                Pages.formAndPeople(
                    f("/batches/b1/people"), FormAndPeoplePage(batch: batch(reached: .people), papers: []))
            ),
            (
                "step-people-made",
                Pages.formAndPeople(
                    f("/batches/b1/people"),
                    FormAndPeoplePage(
                        batch: batch(.done, reached: .give),
                        papers: [
                            .init(
                                number: 1, kind: .template, name: "Consent form, museum trip",
                                note: "2 pages, 24 fields")
                        ], isBegun: true))
            ),
            ("step-whom", Pages.choosePeople(f("/batches/b1/whom"), choosing(filter: ""))),
            ("step-whom-found", Pages.choosePeople(f("/batches/b1/whom"), choosing(filter: "4b", limit: 1))),
            (
                "step-whom-none",
                Pages.choosePeople(
                    f("/batches/b1/whom"),
                    ChoosePeoplePage(
                        batch: batch(), people: [], filter: "Zoe", matchCount: 0, totalCount: 27,
                        tickedCount: 0))
            ),
            ("step-match", Pages.match(f("/batches/b1/mapping"), matching(chosen: nil))),
            (
                "step-match-formula",
                Pages.match(f("/batches/b1/mapping"), matching(chosen: "pupil.full_name", draft: good))
            ),
            (
                "step-match-error",
                Pages.match(f("/batches/b1/mapping"), matching(chosen: "pupil.full_name", draft: draft))
            ),
            ("step-check", Pages.check(f("/batches/b1/plan"), plan)),
            ("step-check-error", Pages.check(f("/batches/b1/plan"), wrongPlan)),
            ("step-check-counts", Pages.check(f("/batches/b1/plan"), counted)),
            (
                "step-make",
                Pages.make(
                    f("/batches/b1/filling"),
                    MakePage(
                        batch: batch(.running, reached: .check), job: "j1", made: 187, failed: 1, total: 312,
                        perSecond: 96,
                        failures: [
                            .init(
                                id: "k9", name: "Wolfeschlegelsteinhausenbergerdorff",
                                reason: "The picture “photo-9.jpg” is not in the library.")
                        ]))
            ),
            (
                "step-make-done",
                Pages.make(
                    f("/batches/b1/filling"),
                    MakePage(batch: batch(.done, reached: .give), made: 312, failed: 0, total: 312))
            ),
            (
                "step-make-by-mail",
                Pages.make(
                    f("/batches/b1/filling"),
                    MakePage(
                        batch: batch(.done, reached: .give), made: 312, failed: 0, total: 312,
                        goesByMail: true))
            ),
            (
                "step-elsewhere",
                Pages.elsewhere(
                    f("/batches/b1/filling"),
                    ElsewherePage(
                        batch: elsewhere, state: .paused, missing: 12,
                        items: [
                            .init(
                                subject: "", recipient: "Žofie Ångström", address: "zofie@example.org",
                                state: "accepted", at: Samples.now),
                            .init(
                                subject: "", recipient: "Wolfeschlegelsteinhausenbergerdorff", address: "",
                                state: "made", at: Samples.now),
                        ], next: "/batches/b1/filling?page=2"))
            ),
            (
                "step-elsewhere-untold",
                Pages.elsewhere(
                    f("/batches/b1/filling"), ElsewherePage(batch: elsewhere, state: .running, missing: 0))
            ),
            (
                "step-take",
                Pages.take(
                    f("/batches/b1/packets"),
                    TakePage(
                        batch: batch(.done, reached: .give), packets: sheet, pageCount: 6, matchCount: 312,
                        totalCount: 312, problemCount: 24, madeCount: 312))
            ),
            ("packet", Pages.packet(f("/packets/k4"), packet)),
        ] + bundlePages { f($0) }
    }

    static let comparison = ComparisonPage(
        line: forms[0], before: 1, after: 2, sameCount: 19,
        changes: [
            .init(
                kind: .renamed, before: "name_of_child", after: "pupil.full_name", confidence: 97,
                reason: "Same place, same label “Pupil’s full name”."),
            .init(
                kind: .moved, before: "class", after: "class", confidence: 92,
                reason: "12 mm lower, same name and label."),
            .init(
                kind: .unsure, before: "phone2", after: "guardian_phone", confidence: 54,
                reason: "Same place, but the label says something else."),
            .init(kind: .added, before: "", after: "may_swim", reason: "There was nothing like it."),
            .init(kind: .gone, before: "fax", after: "", reason: "Nothing is left at its place."),
        ], mappings: [.init(mapping: "Consent form as last year", kept: 21, lost: ["fax", "phone2"])])
}
