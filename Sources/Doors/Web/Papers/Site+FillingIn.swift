import Access
import App
import Bytes
import Filling
import HTTP
import Library
import Markup
import PDFForms
import PDFReading
import Storage

// A form of the library, filled in by hand.

extension Site {
    private static let valuesSchema: JSON = [
        "type": "object",
        "description":
            "By the fields' names: a text, `true` or `false` for a box, a list of texts where several can be chosen, a PNG or JPEG as a data address for a picture.",
        "additionalProperties": ["type": ["string", "boolean", "array"], "items": ["type": "string"]],
    ]

    static let fillingInActions: [Action] = [
        Action(
            .get, "/documents/{id}/form", .member(.view),
            .init(
                "List the fields of a PDF form",
                description: "With what is in them; what the form works out from others is in `computed`.",
                tag: "Documents",
                answers: [
                    .init(
                        .ok, "The fields",
                        [
                            .init(
                                .json,
                                Schema.object([
                                    ("fields", Schema.list(of: Schema.ref("TemplateField"))),
                                    ("computed", Schema.list(of: Schema.string)),
                                    ("hindrance", Schema.orNull(Schema.string)),
                                    ("version", Schema.integer(1, 1_000_000)),
                                ]))
                        ])
                ])
        ) { visit in
            let document = try visit.document()
            if visit.wantsPage {
                try visit.member().require(.edit)
                return visit.page(Pages.filling(visit.frame, try fillingPage(visit, document)))
            }
            let look = try visit.quire.filled.look(at: document, by: visit.member())
            return .json([
                "fields": .array(look.fields.map(\.json)),
                "computed": .array(look.computed.sorted().map(JSON.string)),
                "hindrance": .optional(look.hindrance.map(visit.whole)),
                "version": .int(document.version),
            ]).with("Cache-Control", "private, no-cache")
        },
        Action(
            .post, "/documents/{id}/form", .member(.edit),
            .init(
                "Fill in a PDF form by hand",
                description:
                    "It becomes a new version; what it was is kept, and fields that are not named stay as they are. `asPage` makes "
                    + "what is written part of the page for good. Where something would not stand there as it is given (too long, no "
                    + "choice of the form, out of its range), nothing is kept unless `anyway` says so. `base` is the version that was "
                    + "looked at.",
                tag: "Documents",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("values", valuesSchema), ("asPage", Schema.boolean),
                                ("anyway", Schema.boolean), ("base", Schema.integer(1, 1_000_000)),
                            ], optional: ["asPage", "anyway", "base"]))
                ],
                answers: [.ok("FilledDocument", "It is filled in")]), body: .bytes(limit: 8 << 20)
        ) { visit in
            let document = try visit.document()
            let caller = try visit.member()
            guard visit.wantsPage else {
                let json = try visit.request.json
                let filled = try visit.quire.filled.fill(
                    document, values(json["values"]), asPage: json["asPage"]?.bool == true,
                    anyway: json["anyway"]?.bool == true, ifVersion: json["base"]?.int, by: caller)
                var answer = (filled.document ?? document).json.object ?? [:]
                answer["problems"] = .array(filled.problems.map(\.json))
                return .json(.object(answer))
            }
            let input = try visit.input
            let values = try typed(
                input, into: visit.quire.filled.look(at: document, isNamed: false, by: caller))
            do {
                _ = try visit.quire.filled.fill(
                    document, values, asPage: input.flag("asPage"), anyway: input.flag("anyway"),
                    ifVersion: input.integer("base"), by: caller)
            } catch let failure as Failure where failure.code != .notFound && failure.code != .denied {
                return visit.page(
                    Pages.filling(
                        visit.frame,
                        try fillingPage(visit, document, typed: values, trouble: failure)),
                    .unprocessable)
            }
            let sheet = try input.integer("at").map { "#sheet-\($0)" } ?? ""
            return visit.goes(
                to: "/documents/\(document.id)/form\(sheet)", notice: visit.texts("notice.written"))
        },
        Action(
            .post, "/documents/{id}/form/trial", .member(.edit),
            .init(
                "Try what is filled in by hand",
                description:
                    "Nothing is kept: what the form works out from the values, and what stands in their way.",
                tag: "Documents",
                requestBody: [.init(.json, Schema.object([("values", valuesSchema)]))],
                answers: [
                    .init(
                        .ok, "What it would come to",
                        [
                            .init(
                                .json,
                                Schema.object([
                                    ("computed", ["type": "object"]),
                                    ("problems", Schema.list(of: Schema.ref("PacketProblem"))),
                                ]))
                        ])
                ]), body: .bytes(limit: 8 << 20)
        ) { visit in
            let tried = try visit.quire.filled.tried(
                visit.document(), values(visit.request.json["values"]), by: visit.member())
            return .json([
                "computed": .object(
                    JSONObject(tried.computed.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
                "problems": .array(
                    tried.problems.map { problem in
                        var json = problem.json.object ?? [:]
                        json["message"] = .string(visit.sentence(problem))
                        return .object(json)
                    }),
            ])
        },
    ]

    /// As a program says them.
    static func values(_ json: JSON?) throws(Failure) -> [String: FieldValue] {
        guard let object = json?.object else {
            let field = "values"
            throw Failure(.invalid, "“\(field)” is missing.", field: field)
        }
        var values: [String: FieldValue] = [:]
        for (name, value) in object {
            if let text = value.string {
                values[name] = .text(text)
            } else if let flag = value.bool {
                values[name] = .flag(flag)
            } else if let texts = value.array, texts.allSatisfy({ $0.string != nil }) {
                values[name] = .texts(texts.compactMap(\.string))
            } else {
                throw Failure(.invalid, "What is said in “\(name)” cannot be read.", field: name)
            }
        }
        return values
    }

    /// What somebody changed on the page. A field may stand in several places: the one that says something new is meant.
    static func typed(
        _ input: Input, into look: FilledPapers.Look
    ) throws -> [String: FieldValue] {
        var values: [String: FieldValue] = [:]
        for field in look.fields where look.takes(field) && values[field.name] == nil {
            let given = try input.texts("v:\(field.name)")
            let now = field.value.filter { !$0.isEmpty && $0 != "Off" }
            switch field.kind {
            case .checkBox, .radio:
                guard input.has("box:\(field.name)") else { continue }
                let places = field.places.count { now.contains($0.state ?? "") }
                if let new = given.first(where: { !now.contains($0) }) {
                    values[field.name] = .text(new)
                } else if given.count < places {
                    values[field.name] = .flag(false)
                }
            case .list:
                guard input.has("box:\(field.name)"), Set(given) != Set(now) else { continue }
                values[field.name] = .texts(given)
            default:
                let before = field.value.first ?? ""
                let shown = field.options.first { $0.export == before }?.display
                // Browsers send line ends in their own way.
                let texts = given.map { $0.replacing("\r\n", with: "\n") }
                let old = before.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
                if let new = texts.first(where: { $0 != old && $0 != shown }) {
                    values[field.name] = .text(new)
                }
            }
        }
        return values
    }

    private static func fillingPage(
        _ visit: Visit, _ document: Document, typed: [String: FieldValue] = [:], trouble: Failure? = nil
    ) throws -> FillingPage {
        let caller = try visit.member()
        let look = try visit.quire.filled.look(at: document, by: caller)
        var page = FillingPage(
            line: DocumentLine(document), version: document.version,
            sheets: look.frames.enumerated().map {
                .init(number: $0.offset + 1, width: $0.element.width, height: $0.element.height)
            }, boxes: [], missing: look.missing.count,
            isSigned: !(try visit.quire.documents.signers(of: document.id, by: caller)).isEmpty,
            hindrance: look.hindrance.map(visit.whole))
        var labels: [String: String] = [:]
        for field in look.fields { labels[field.name] = field.label }
        var wrong: Set<String> = []
        if let trouble {
            page.problems = [visit.whole(trouble)]
            if trouble.code == .invalid, !typed.isEmpty {
                let problems = try visit.quire.filled.tried(document, typed, by: caller).problems
                    .filter(FilledPapers.isInTheWay)
                if !problems.isEmpty {
                    wrong = Set(problems.compactMap(\.field))
                    page.problems = problems.map { problem in
                        "\(labels[problem.field ?? ""] ?? ""): \(visit.sentence(problem, labels))"
                    }
                    page.mayKeepAnyway = true
                }
            }
        }
        page.boxes = boxes(of: look, typed, wrong: wrong)
        return page
    }

    /// What is written into, as one reads: fields of a page in the form's order.
    static func boxes(
        of look: FilledPapers.Look, _ typed: [String: FieldValue], wrong: Set<String>,
        without others: Set<String> = []
    ) -> [FillingPage.Box] {
        var all: [FillingPage.Box] = []
        for field in look.fields where look.takes(field) || look.computed.contains(field.name) {
            guard all.count < FillingPage.mostBoxes, !field.isHidden, !others.contains(field.name) else {
                continue
            }
            all += boxes(of: field, look, typed[field.name], isWrong: wrong.contains(field.name))
        }
        return all.enumerated().sorted { ($0.element.page, $0.offset) < ($1.element.page, $1.offset) }
            .map(\.element)
    }

    private static func boxes(
        of field: TemplateField, _ look: FilledPapers.Look, _ typed: FieldValue?, isWrong: Bool
    ) -> [FillingPage.Box] {
        let line = FieldLine(field, look.frames)
        let kind: FillingPage.Box.Kind
        switch field.kind {
        case .checkBox: kind = Set(field.states).count > 1 ? .radio : .check
        case .radio: kind = .radio
        case .dropDown: kind = .choice
        case .list: kind = .list
        case .multiline: kind = .multiline
        case .image: kind = .image
        default: kind = .text
        }
        let value: [String]
        switch typed {
        case .text(let text)?: value = [text]
        case .texts(let texts)?: value = texts
        case .flag?: value = []
        case nil: value = field.value
        }
        return zip(line.places, field.places).enumerated().map { number, place in
            let (shown, widget) = place
            let isOne = kind == .radio && field.choices.indices.contains(number)
            return FillingPage.Box(
                name: field.name, label: isOne ? "\(field.label): \(field.choices[number])" : field.label,
                kind: kind, page: shown.page, x: shown.x, y: shown.y, width: shown.width,
                height: shown.height,
                value: value, state: widget.state ?? "Yes",
                options: field.options.map { ($0.export, $0.display) }, takesOwnWords: field.takesOwnWords,
                takesSeveral: field.takesSeveral, isRequired: field.isRequired,
                isComputed: look.computed.contains(field.name), isComb: field.kind == .comb,
                isLoose: field.kind == .checkBox && kind == .radio,
                isNumber: field.kind == .number, maximumLength: field.maximumLength,
                hint: field.pattern, isWrong: isWrong)
        }
    }
}

extension Visit {
    /// What failed, in the language of the page also where the sentence comes whole from below the desk.
    func whole(_ failure: Failure) -> String { texts.said(said(failure)) }
}
