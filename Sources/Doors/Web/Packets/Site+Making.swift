import Access
import App
import Bytes
import Delivery
import Filling
import Formulas
import HTTP
import Jobs
import Library
import Mappings
import Markup
import People
import SigningKeys
import Storage
import Work

extension Site {
    static let makingActions: [Action] = [
        Action(
            .get, "/batches/{id}/plan", .member(.view),
            .init(
                "Get the plan of a batch",
                description: "What would be made, for everybody. Empty before the first planning.",
                tag: "Batches",
                parameters: packetParameters,
                answers: [.ok("PacketPage", "One page of them", headers: ["Link"])])
        ) { visit in try planPage(visit) },
        Action(
            .post, "/batches/{id}/plan", .member(.edit),
            .init(
                "Plan a batch", description: "Thinks every packet through; nothing is made.", tag: "Batches",
                answers: [.ok("Batch", "With what was found in `summary`")])
        ) { visit in
            let batch = try visit.quire.batches.plan(visit.id(of: "batch"), by: visit.member())
            return visit.done(batch.json, next: "/batches/\(batch.id)/plan")
        },
        Action(
            .post, "/batches/{id}/approval", .member(.edit),
            .init(
                "Approve a plan",
                description:
                    "Where the options ask for a second member, by somebody else than who planned it.",
                tag: "Batches", answers: [.ok("Batch", "Ready to be made")])
        ) { visit in try approve(visit) },
        Action(
            .delete, "/batches/{id}/approval", .member(.edit),
            .init(
                "Take an approval back", tag: "Batches", answers: [.ok("Batch", "Planned, not approved")])
        ) { visit in
            let batch = try visit.quire.batches.withdrawApproval(visit.id(of: "batch"), by: visit.member())
            return visit.done(batch.json, next: "/batches/\(batch.id)/plan")
        },
        Action(
            .get, "/batches/{id}/filling", .member(.view),
            .init(
                "Tell how far a batch is", tag: "Batches",
                answers: [.ok("BatchProgress", "How many packets are in each state")])
        ) { visit in
            let batch = try visit.batch()
            let counts = try visit.quire.batches.counts(of: batch.id, by: visit.member())
            let json: JSON = [
                "state": .string(batch.state.rawValue), "job": .optional(batch.job?.text),
                "counts": Packet.State.json(counts),
            ]
            return try visit.show(json) {
                if batch.state == .elsewhere, let there = batch.madeElsewhere {
                    return try elsewhere(visit, batch, there)
                }
                return Pages.make(visit.frame, try making(visit, batch, counts))
            }
        },
        Action(
            .post, "/batches/{id}/filling", .member(.edit),
            .init(
                "Make the packets",
                description:
                    "As a job. A paused batch goes on; of one that is done what is missing is made, with `held` also what was held back, with `newestRows` from the rows as the list has them now.",
                tag: "Batches",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [("held", Schema.boolean), ("newestRows", Schema.boolean)],
                            optional: ["held", "newestRows"]))
                ],
                answers: [
                    .init(.accepted, "A job makes them", [.init(.json, Schema.ref("BatchProgressJob"))])
                ]
            )
        ) { visit in
            let batch = try visit.batch()
            let caller = try visit.member()
            try requireProof(toSign: batch, visit)
            let job: ID<Job> =
                switch batch.state {
                case .paused: try visit.quire.batches.resume(batch.id, by: caller)
                case .done, .cancelled:
                    try visit.quire.batches.remake(
                        batch.id, held: visit.input.flag("held"),
                        rows: visit.input.flag("newestRows") ? .newest : .asPlanned, by: caller)
                case .draft, .planned, .approved, .filling, .elsewhere:
                    try visit.quire.batches.fill(batch.id, by: caller)
                }
            return visit.done(
                ["job": .string(job.text)], .accepted, at: "/jobs/\(job)",
                next: "/batches/\(batch.id)/filling")
        },
        Action(
            .post, "/batches/{id}/filling/pause", .member(.edit),
            .init("Pause", tag: "Batches", answers: [.ok("Batch", "It stops after the packets at hand")])
        ) { visit in
            let batch = try visit.quire.batches.pause(visit.id(of: "batch"), by: visit.member())
            return visit.done(batch.json, next: "/batches/\(batch.id)/filling")
        },
        Action(
            .post, "/batches/{id}/filling/cancellation", .member(.edit),
            .init("Cancel", tag: "Batches", answers: [.ok("Batch", "What was made stays made")])
        ) { visit in
            let batch = try visit.quire.batches.cancel(visit.id(of: "batch"), by: visit.member())
            return visit.done(batch.json, next: "/batches/\(batch.id)/filling")
        },
        Action(
            .get, "/batches/{id}/packets", .member(.view),
            .init(
                "List the packets of a batch", tag: "Batches", parameters: packetParameters,
                answers: [.ok("PacketPage", "In the list's order", headers: ["Link"])])
        ) { visit in try packets(visit) },
        Action(
            .get, "/batches/{id}/exports", .member(.view),
            .init(
                "Take the packets out",
                description: "Sent while it is made: an archive, or one PDF for the printer.", tag: "Batches",
                parameters: [
                    .init(
                        "form", "In which shape",
                        schema: Schema.choice(ExportChoice.Form.allCases.map(\.rawValue))),
                    .init(
                        "order", "In which order",
                        schema: Schema.choice(ExportChoice.Order.allCases.map(\.rawValue))),
                    .init("receipts", "yes adds the receipts", schema: Schema.choice(["yes", ""])),
                    .init(
                        "duplex", "yes begins each packet on a new sheet", schema: Schema.choice(["yes", ""])),
                    .init(
                        "fields", "In one PDF, yes keeps the fields, each packet's under names of their own",
                        schema: Schema.choice(["yes", ""])),
                    .init("q", "Only packets these words occur in"),
                ], answers: [.init(.ok, "The file", [.anything])])
        ) { visit in try export(visit) },
        Action(
            .get, "/packets/{id}", .member(.view),
            .init(
                "Get a packet", tag: "Batches",
                answers: [.ok("PacketDetails", "With its problems and the recipient's row")])
        ) { visit in
            let details = try visit.quire.batches.packet(visit.id(of: "packet"), by: visit.member())
            return try visit.show(details.json) { try packetPage(visit, details) }
        },
        Action(
            .delete, "/packets/{id}", .member(.edit),
            .init(
                "Take a packet out of its batch",
                description: "It is not made, not exported and not sent until it is taken in again.",
                tag: "Batches", answers: [.ok("Packet", "It is left out")])
        ) { visit in
            let packet = try visit.quire.batches.takeOut([visit.id(of: "packet")], by: visit.member())[0]
            return visit.done(
                packet.json, next: "/batches/\(packet.batch)/packets", notice: "notice.packet.out",
                ["name": .text(packet.name)],
                undo: .init(action: "/packets/\(packet.id)/restoration"))
        },
        Action(
            .post, "/packets/{id}/restoration", .member(.edit),
            .init(
                "Take a packet in again", tag: "Batches",
                answers: [.ok("Packet", "As it was before it was taken out")])
        ) { visit in
            let packet = try visit.quire.batches.takeIn([visit.id(of: "packet")], by: visit.member())[0]
            return visit.done(
                packet.json, next: "/packets/\(packet.id)", notice: "notice.back",
                ["name": .text(packet.name)])
        },
        Action(
            .get, "/packets/{id}/receipt", .member(.view),
            .init(
                "Get the receipt of a packet",
                description: "What it was made of, field by field, and what came out of it.", tag: "Batches",
                answers: [.ok("Receipt", "The same packet gives the same receipt")])
        ) { visit in .json(try visit.quire.batches.receipt(of: visit.id(of: "packet"), by: visit.member())) },
        Action(
            .get, "/packets/{id}/fields/{field}", .member(.view),
            .init(
                "Tell where a value comes from", tag: "Batches",
                parameters: [.init("part", "Of which part, from 0", schema: Schema.integer(0, 63))],
                answers: [.ok("PacketOrigin", "Its cells, and what was done with them")])
        ) { visit in
            .json(
                try visit.quire.batches.origin(
                    of: visit.parameter("field"), in: visit.id(of: "packet"),
                    part: visit.request.query["part"].flatMap(Int.init), by: visit.member()
                ).json)
        },
        Action(
            .get, "/packets/{id}/pages/{page}", .member(.view),
            .init(
                "Get a picture of a page of a packet", tag: "Batches",
                parameters: [.init("width", "At least so many pixels wide", schema: Schema.integer(1, 1600))],
                answers: [.init(.ok, "A picture", [.anything])])
        ) { visit in
            let picture = try visit.quire.batches.picture(
                of: visit.id(of: "packet"), page: visit.pageNumber(), width: visit.pictureWidth,
                by: visit.member())
            return Response.bytes(picture, .jpeg).with(
                "Cache-Control", "private, max-age=60")
        },
        Action(
            .get, "/packets/{id}/file", .member(.view),
            .init(
                "Get the PDF of a packet",
                description: "Made again from what was held fast; the same bytes each time.", tag: "Batches",
                parameters: [
                    .init("download", "1 asks the browser to save it", schema: Schema.choice(["0", "1"]))
                ], answers: [.init(.ok, "The file", [.anything])])
        ) { visit in
            let found = try visit.quire.batches.file(of: visit.id(of: "packet"), by: visit.member())
            let name = found.packet.fileName.split(separator: "/").last.map(String.init) ?? "packet"
            return Response.bytes(found.file.bytes, .pdf).with(
                "Content-Disposition",
                Disposition.text(
                    inline: visit.request.query["download"] != "1", fileName: name + ".pdf")
            ).with("Cache-Control", "private, no-cache").with(
                "Content-Security-Policy", SecurityHeaders.pdfContents)
        },
    ]

    private static let packetParameters: [RouteDocumentation.Parameter] = [
        .init("q", "Words that must occur in the name, the address or the file's name"),
        .init(
            "show", "Only these",
            schema: Schema.choice(["", "problems"] + Packet.State.allCases.map(\.rawValue))),
        .init("limit", "How many at most", schema: Schema.integer(1, 500)),
        .init("after", "`next` of the page before"),
    ]

    private static func listing(_ visit: Visit, usual: Int) throws -> Batches.PacketListing {
        let query = visit.request.query
        var listing = Batches.PacketListing(filter: query["q"] ?? "")
        switch query["show"] ?? "" {
        case "": break
        case "problems": listing.withProblems = true
        case let word:
            guard let state = Packet.State(rawValue: word) else {
                throw Failure(.invalid, "There is no such state.", field: "show")
            }
            listing.state = state
        }
        listing.limit = try visit.limit(otherwise: usual, most: 500)
        if let after = query["after"], !after.isEmpty {
            guard let place = Int(after) else {
                throw Failure(.invalid, "“after” is a number.", field: "after")
            }
            listing.after = place
        } else if listing.filter.isEmpty, listing.state == nil, !listing.withProblems {
            listing.after = (visit.pageOfList - 1) * listing.limit
        }
        return listing
    }

    private static func planPage(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        var batch = try visit.batch()
        if visit.wantsPage {
            if batch.step == .people { return .redirect(to: "/batches/\(batch.id)/people") }
            if batch.state.isBegun { return .redirect(to: "/batches/\(batch.id)/filling") }
            // People come here to see how it looks now, so what has changed since the last plan is planned anew.
            if caller.may(.edit), try visit.quire.batches.isStale(batch, by: caller) {
                do {
                    batch = try visit.quire.batches.plan(batch.id, by: caller)
                } catch let failure as Failure {
                    return visit.page(
                        Pages.check(
                            visit.frame, try checkPage(visit, batch, nil, .init(), failure: failure)),
                        Site.status(of: failure.code))
                }
            }
        }
        let listing = try listing(visit, usual: 50)
        let page = try visit.quire.batches.packets(of: batch.id, listing, by: caller)
        guard visit.wantsPage else {
            return visit.list(
                "packets", page.packets.map(\.json), next: page.next.map(String.init), total: page.matchCount)
        }
        return visit.page(Pages.check(visit.frame, try checkPage(visit, batch, page, listing)))
    }

    private static func checkPage(
        _ visit: Visit, _ batch: Batch, _ page: Batches.PacketPage?, _ listing: Batches.PacketListing,
        failure: Failure? = nil
    ) throws -> CheckPage {
        let caller = try visit.member()
        let summary = failure == nil ? batch.summary ?? PlanSummary() : PlanSummary()
        let labels = Dictionary(
            summary.problems.compactMap { problem in
                problem.field.flatMap { field in problem.label.map { (field, $0) } }
            }, uniquingKeysWith: { first, _ in first })
        let planned = try (page?.packets ?? []).map { packet in
            CheckPage.Planned(
                id: packet.id.text, number: packet.place, name: packet.name,
                fileName: packet.fileName + ".pdf", address: packet.email,
                papers: visit.texts("templates.pages", ["count": .number(packet.pageCount)]),
                problems: packet.seriousCount + packet.remarkCount == 0
                    ? []
                    : try visit.quire.batches.packet(packet.id, by: caller).problems.map {
                        FindingLine(mood: $0.isSerious ? .bad : .warn, sentence: visit.sentence($0, labels))
                    }, change: batch.previous == nil ? "new" : packet.change.rawValue)
        }
        let draft = batch.draft
        var options = CheckPage.Options(
            naming: draft.naming, flatten: draft.options.flattens, password: draft.options.password,
            duplex: draft.options.duplex, overflow: draft.options.overflow.rawValue)
        options.despite = draft.options.makesDespiteProblems
        options.onlyChanged = draft.options.onlyChanged
        options.isCopy = batch.previous != nil
        options.locale = draft.options.locale
        options.locales = Self.locales(and: draft.options.locale)
        options.signer = draft.options.signer?.text ?? ""
        options.signers = try signers(and: draft.options.signer, visit)
        options.timestamp = draft.options.timestamp ?? ""
        options.proofs = draft.options.asksForProofs
        if failure?.field == "timestamp" { options.timestampError = failure.map(visit.said) }
        if failure?.field == "signer" { options.signerError = failure.map(visit.said) }
        if failure?.field == "locale" { options.localeError = failure.map(visit.said) }
        options.pageNumbers = draft.options.numbering?.pattern ?? ""
        options.bates = draft.options.numbering?.bates?.prefix ?? ""
        if failure?.field == "numbering" { options.numberingError = failure.map(visit.said) }
        let metadata = draft.options.metadata
        options.metadata = [
            ("title", metadata.title), ("author", metadata.author), ("subject", metadata.subject),
            ("keywords", metadata.keywords),
        ]
        if failure?.field == "metadata" { options.metadataError = failure.map(visit.said) }
        options.namingExamples = planned.prefix(3).map(\.fileName)
        if failure?.field == "naming" { options.namingError = failure.map(visit.said) }
        if failure?.field == "password" { options.passwordError = failure.map(visit.said) }
        var model = CheckPage(
            batch: try visit.line(of: batch), total: summary.recipients,
            problemCount: summary.problems.isEmpty
                ? 0
                : try visit.quire.batches.packets(
                    of: batch.id, .init(withProblems: true, limit: 1), by: caller
                ).matchCount,
            matchCount: page?.matchCount ?? 0, planned: planned, options: options)
        model.blockedCount = summary.held
        model.plannedCount = summary.planned
        model.remarks = summary.remarks.map(visit.texts.said)
        model.counts = summary.problems.map { problem in
            CheckPage.Count(
                sentence: visit.sentence(problem), count: problem.packets, isSerious: problem.kind.isSerious,
                cure: caller.may(.edit) ? visit.cure(problem, of: batch) : nil)
        }
        model.show = visit.request.query["show"] ?? ""
        model.filter = listing.filter
        model.page = visit.pageOfList
        model.pageCount =
            listing.filter.isEmpty && model.show.isEmpty
            ? max(1, ((page?.matchCount ?? 0) + listing.limit - 1) / listing.limit) : 1
        model.next = listing.filter.isEmpty && model.show.isEmpty ? nil : page?.next
        model.needsSecond = draft.options.needsSecondMember
        model.approvedBy = batch.approvedByName
        model.edition = batch.edition
        model.error = failure.map(visit.said)
        return model
    }

    /// The usual one first; and one that only the command line could choose, when it has.
    private static func locales(and chosen: String) -> [(code: String, sample: String)] {
        func sample(_ locale: FormulaLocale) -> String { "\(locale.sample.number) · \(locale.sample.date)" }
        var all = [("", sample(.standard))]
        all += FormulaLocale.all.sorted { $0.code < $1.code }.map { ($0.code, sample($0)) }
        if !all.contains(where: { $0.0 == chosen }) {
            all.append((chosen, FormulaLocale(chosen).map(sample) ?? "?"))
        }
        return all
    }

    private static func approve(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        var batch = try visit.batch()
        if visit.wantsPage {
            // Pressed twice.
            if batch.state.isBegun { return visit.goes(to: "/batches/\(batch.id)/filling") }
            // Only what was looked at is made. What has changed since is planned anew and shown first.
            let edition = try visit.input.text("edition")
            guard batch.state != .draft, edition == nil || edition == batch.edition else {
                return visit.goes(to: "/batches/\(batch.id)/plan", notice: visit.texts("notice.planChanged"))
            }
            let second = try visit.input.flag("second")
            if second != batch.draft.options.needsSecondMember, visit.request.query["by"] != "second",
                batch.state == .planned, try visit.input.has("asked")
            {
                // The choice is a part of the draft; nothing about the packets changes by it.
                var draft = batch.draft
                draft.options.needsSecondMember = second
                batch = try visit.quire.batches.change(batch.id, to: draft, by: caller)
                batch = try visit.quire.batches.plan(batch.id, by: caller)
            }
            if batch.draft.options.needsSecondMember, try visit.input.has("asked") {
                return visit.goes(to: "/batches/\(batch.id)/filling")
            }
            if batch.draft.options.needsSecondMember {
                batch = try visit.quire.batches.approve(batch.id, by: caller)
            }
            try requireProof(toSign: batch, visit)
            try visit.quire.batches.fill(batch.id, by: caller)
            return visit.goes(to: "/batches/\(batch.id)/filling")
        }
        batch = try visit.quire.batches.approve(batch.id, by: caller)
        return visit.done(batch.json, next: "/batches/\(batch.id)/filling")
    }

    /// One's own identities, and the one that was chosen by somebody else.
    private static func signers(
        and chosen: ID<KeptIdentity>?, _ visit: Visit
    ) throws -> [(id: String, name: String)] {
        var all = try visit.quire.identities.list(by: visit.member()).map { ($0.id.text, $0.name) }
        if let chosen, !all.contains(where: { $0.0 == chosen.text }) {
            all.append((chosen.text, visit.texts("check.signer.other")))
        }
        return all
    }

    /// Signing is for who is there in person.
    private static func requireProof(toSign batch: Batch, _ visit: Visit) throws {
        guard batch.draft.options.signer != nil else { return }
        try visit.access.sessions.requireFreshProof(of: visit.member())
    }

    private static func making(
        _ visit: Visit, _ batch: Batch, _ counts: [Packet.State: Int]
    ) throws -> MakePage {
        let made = counts[.made] ?? 0
        let failed = counts[.failed] ?? 0
        let held = counts[.held] ?? 0
        let waiting = counts[.planned] ?? 0
        var failures: [MakePage.Failure] = []
        for state in [Packet.State.failed, .held] where counts[state] ?? 0 > 0 {
            failures += try visit.quire.batches.packets(
                of: batch.id, .init(state: state, limit: 50), by: visit.member()
            ).packets.map { .init(id: $0.id.text, name: $0.name, reason: $0.reason ?? "") }
        }
        var model = MakePage(
            batch: try visit.line(of: batch), job: batch.job?.text, made: made, failed: failed + held,
            total: made + failed + held + waiting)
        model.failures = failures
        model.heldCount = held
        model.mayTakeNewest = !batch.draft.options.needsSecondMember
        if let begun = batch.begunAt, batch.state == .filling, made > 20 {
            let seconds = (visit.now - begun).components.seconds
            if seconds > 0 { model.perSecond = Int(clamping: Int64(made) / seconds) }
        }
        if visit.hasMailAccount, made > 0 {
            let first = try visit.quire.batches.packets(of: batch.id, .init(limit: 1), by: visit.member())
                .packets.first
            model.goesByMail = first?.email.isEmpty == false
        }
        model.waitsForSecond = batch.state == .planned && batch.draft.options.needsSecondMember
        model.mayApprove = try model.waitsForSecond && !batch.isWork(of: visit.member())
        return model
    }

    private static func packets(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        let batch = try visit.batch()
        let listing = try listing(visit, usual: 60)
        let page = try visit.quire.batches.packets(of: batch.id, listing, by: caller)
        guard visit.wantsPage else {
            return visit.list(
                "packets", page.packets.map(\.json), next: page.next.map(String.init), total: page.matchCount)
        }
        let counts = try visit.quire.batches.counts(of: batch.id, by: caller)
        let problems = try visit.quire.batches.packets(
            of: batch.id, .init(withProblems: true, limit: 1), by: caller
        ).matchCount
        var model = TakePage(
            batch: try visit.line(of: batch),
            packets: page.packets.map { PacketLine($0, visit.texts("packet.look")) },
            matchCount: page.matchCount, totalCount: counts.values.reduce(0, +), problemCount: problems)
        model.show = visit.request.query["show"] ?? ""
        model.filter = listing.filter
        model.page = visit.pageOfList
        if listing.filter.isEmpty, model.show.isEmpty {
            model.pageCount = max(1, (page.matchCount + listing.limit - 1) / listing.limit)
        } else {
            model.next = page.next
        }
        model.madeCount = counts[.made] ?? 0
        return visit.page(Pages.take(visit.frame, model))
    }

    private static func export(_ visit: Visit) throws -> Response {
        let batch = try visit.batch()
        let caller = try visit.member()
        let query = visit.request.query
        var json: JSONObject = [
            "receipts": .bool(query["receipts"] == "yes"), "duplex": .bool(query["duplex"] == "yes"),
            "keepsFields": .bool(query["fields"] == "yes"),
            "filter": .string(query["q"] ?? ""),
        ]
        if let form = query["form"], !form.isEmpty { json["form"] = .string(form) }
        if let order = query["order"], !order.isEmpty { json["order"] = .string(order) }
        let choice = try ExportChoice(.object(json))
        // Once the first bytes are sent no failure can be told any more.
        try visit.quire.batches.exportCount(batch.id, choice, by: caller)
        let batches = visit.quire.batches
        let letters =
            !choice.isArchive ? nil : try visit.quire.sendings.letters(of: batch.id, by: caller)
        let response = Response(
            headers: ["Content-Type": choice.mediaType],
            body: .stream { sink in
                try batches.export(batch.id, choice, by: caller, messages: letters) { try sink.write($0) }
            })
        return response.with(
            "Content-Disposition",
            Disposition.text(inline: false, fileName: "\(batch.name).\(choice.ending)")
        ).with("Cache-Control", "no-store")
    }

    private static func packetPage(_ visit: Visit, _ details: PacketDetails) throws -> HTML {
        let caller = try visit.member()
        let packet = details.packet
        let batch = try visit.quire.batches.get(packet.batch, by: caller)
        let isMade = packet.state != .failed
        let frames =
            isMade && packet.pageCount > 0
            ? (try? PageFrames.read(visit.quire.batches.file(of: packet.id, by: caller).file.bytes))
                ?? []
            : []
        // The parts follow each other, and so do the pages their fields stand on.
        var lines: [(line: FieldLine, part: Int)] = []
        var offset = 0
        for part in details.parts {
            guard let template = part.template else {
                offset += try visit.pageCount(of: part, batch)
                continue
            }
            let own = try visit.site.frames.all(
                of: visit.quire.templates.file(template, edition: part.edition, by: caller).edition.blob
                    .digest)
            for field in try visit.quire.templates.fields(template, edition: part.edition, by: caller) {
                var line = FieldLine(field, own)
                for place in line.places.indices { line.places[place].page += offset }
                lines.append((line, part.index))
            }
            offset += own.count
        }
        let warnings = Dictionary(
            details.problems.compactMap { problem in problem.field.map { ($0, visit.sentence(problem)) } },
            uniquingKeysWith: { first, _ in first })
        var values: [PacketPage.Value] = []
        for (line, part) in lines {
            guard
                let origin = try? visit.quire.batches.origin(
                    of: line.name, in: packet.id, part: part, by: caller)
            else { continue }
            let cells = origin.origin.cells.map(\.column)
            values.append(
                .init(
                    field: line, text: origin.value ?? "",
                    source: visit.sourceWords(origin.source, details.place, cells, origin.origin.source),
                    steps: origin.steps.count > 1 ? origin.steps.map { ($0.part, $0.value) } : [],
                    warning: warnings[line.name]))
        }
        let known = Set(values.map(\.field.name))
        let path = "/packets/\(packet.id)"
        let neighbours = try visit.quire.batches.packets(
            of: batch.id, .init(limit: 3, after: max(0, packet.place - 2)), by: caller
        ).packets
        let isOut: Bool? = packet.isTakenOut ? true : packet.state == .left ? nil : false
        return Pages.packet(
            visit.frame,
            PacketPage(
                batch: try visit.line(of: batch),
                packet: PacketLine(packet, visit.texts("packet.look")),
                pages: PagePicture.all(
                    frames, of: values.map(\.field), address: { "\(path)/pages/\($0)?width=900" },
                    field: { "\(path)?field=\(Pages.queryEncoded($0))" },
                    mood: { warnings[$0.name] == nil ? .matched : .problem },
                    chosen: visit.request.query["field"]), values: values,
                chosen: visit.request.query["field"],
                warnings: details.problems.filter { $0.field.map { !known.contains($0) } ?? true }.map {
                    visit.sentence($0)
                },
                facts: try facts(of: packet, in: batch, visit),
                previous: neighbours.first { $0.place == packet.place - 1 }?.id.text,
                next: neighbours.first { $0.place == packet.place + 1 }?.id.text,
                isOut: (try? caller.require(.edit)) != nil && batch.state != .filling && batch.state != .draft
                    ? isOut : nil))
    }

    private static func facts(of packet: Packet, in batch: Batch, _ visit: Visit) throws -> [PacketPage.Fact]
    {
        guard let digest = packet.digest else { return [] }
        let signer = try batch.draft.options.signer.map { id in
            PacketPage.Fact(
                name: visit.texts("packet.signer"),
                value: try visit.quire.identities.name(of: id, by: visit.member())
                    ?? visit.texts("check.signer.other"))
        }
        return (signer.map { [$0] } ?? []) + [.init(name: "SHA-256", value: digest.hex)]
    }
}

extension PacketLine {
    init(_ packet: Packet, _ look: String) {
        self.init(
            id: packet.id.text, number: packet.place, name: packet.name, fileName: packet.fileName + ".pdf",
            pageCount: packet.pageCount)
        isFailed = packet.state == .failed || packet.state == .held
        if packet.state == .made || packet.state == .planned {
            picture =
                "/packets/\(packet.id)/pages/1?width=240"
                + (packet.digest.map { "&v=\($0.hex.prefix(8))" } ?? "")
        }
        problem = packet.reason ?? (packet.seriousCount > 0 ? look : nil)
        isUnreachable = packet.isUnreachable
    }
}

extension Visit {
    func pageCount(of part: PacketDetails.Part, _ batch: Batch) throws -> Int {
        guard batch.draft.parts.indices.contains(part.index),
            case .document(let id) = batch.draft.parts[part.index].content
        else { return 1 }
        return try site.frames.all(of: quire.documents.get(id, by: member()).blob.digest).count
    }

    /// "class-lists.csv, line 14, “First name”"
    func sourceWords(
        _ source: String, _ place: Int?, _ columns: [String], _ formula: Mapping.Source
    ) -> String {
        guard !columns.isEmpty else {
            return texts(formula == .empty ? "packet.from.nothing" : "packet.from.fixed")
        }
        let names = columns.map { "“\($0)”" }.joined(separator: ", ")
        guard let place, place > 0 else {
            return texts("packet.from.hand", ["source": .text(source), "columns": .text(names)])
        }
        return texts(
            "packet.from.cell",
            ["source": .text(source), "line": .number(place), "columns": .text(names)])
    }

}
