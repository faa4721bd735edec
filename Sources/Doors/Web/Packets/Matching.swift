import Access
import App
import Bytes
import Crypto
import Filling
import Formulas
import HTTP
import Mappings
import Markup
import PDFForms
import PDFReading
import People
import Storage
import Tables
import Work

/// The page of one part of a batch: what fills each field, on a picture of the form filled for one person.
struct Matching {
    let visit: Visit
    let match: PartMatch
    private let frames: [PageFrame]

    init(_ visit: Visit, _ batch: Batch, part: Int? = nil, row: Int? = nil) throws {
        self.visit = visit
        match = try visit.quire.batches.match(batch, part: part, row: row, by: visit.member())
        frames = try visit.site.frames.all(of: match.template.edition.blob.digest)
    }

    var mapping: Mapping { match.mapping }
    private var row: Int { match.row }

    /// Changes with anything that would change the picture.
    private var version: String {
        let shown = match.cells.map(\.shown).joined(separator: "\u{1}")
        return String(
            Hex.encode(
                SHA256.hash(Array("\(match.template.edition.blob.digest.hex)\(mapping.text)\(shown)".utf8))
            ).prefix(12))
    }

    func page(chosen: String?, formula: String?) throws -> MatchPage {
        let values = values
        let problems = mapping.check(match.facts, match.columns, today: match.context)
        let (suggested, offers) = mapping.matches(match.facts, match.columns)
        let suggestions = Dictionary(
            suggested.map { ($0.field, $0) }, uniquingKeysWith: { $1 })
        let lines = match.fields.map { FieldLine($0, frames) }
        let taken = match.facts.filter(\.takesValues).map(\.name)
        let takesValue = Set(taken)
        let entries = lines.filter { takesValue.contains($0.name) }.map { line -> MatchPage.Entry in
            var entry = MatchPage.Entry(field: line, source: source(of: line.name), value: values[line.name])
            entry.problem = problems.first { $0.field == line.name }.map(visit.sentence)
            entry.reason = match.reasons[line.name].map(visit.texts.said)
            if let found = suggestions[line.name], found.isConfident {
                entry.suggestion = .init(
                    column: found.source.text, shown: MatchPage.Source(found.source),
                    reason: visit.texts.said(found.reason), runnerUp: found.runnerUp.map { $0.source.text })
            }
            return entry
        }
        let used = Set(
            mapping.entries.compactMap { entry -> String? in
                if case .column(let name) = entry.source { name } else { nil }
            })
        let wrong = Set(entries.filter { $0.problem != nil }.map(\.field.name))
        let matched = Set(entries.filter { $0.source != .nothing }.map(\.field.name))
        let path = "/batches/\(match.batch.id)"
        let number = match.part + 1
        var page = MatchPage(
            batch: try visit.line(of: match.batch), parts: parts, part: number,
            pages: PagePicture.all(
                frames, of: lines.filter { takesValue.contains($0.name) },
                address: { "\(path)/preview/\($0)?part=\(number)&row=\(row)&v=\(version)" },
                field: { "\(path)/mapping?part=\(number)&row=\(row)&field=\(Pages.queryEncoded($0))" },
                mood: { wrong.contains($0.name) ? .problem : matched.contains($0.name) ? .matched : .plain },
                chosen: chosen), entries: entries,
            columns: match.list.columns.enumerated().map { place, column in
                MatchPage.Column(
                    name: column.name, kind: column.kind.rawValue,
                    example: match.cells.indices.contains(place) ? match.cells[place].shown : "",
                    isUsed: used.contains(column.name))
            }, picks: chosen == nil ? [] : picks, chosen: chosen, draft: formula.map(draft), row: row,
            rowCount: match.rowCount,
            rowName: match.person?.name ?? visit.texts("match.nobody"),
            suggestionCount: entries.count { $0.suggestion != nil },
            offers: offers.map { offer in
                let labels = offer.choices.map { choice in
                    let field = choice.parts[0].field
                    return lines.first { $0.name == field }?.label ?? field
                }
                return MatchPage.Offer(
                    column: offer.column,
                    choices: offer.choices.enumerated().map { place, choice in
                        // Lines of one box are called alike: the first, the second.
                        let label = labels[place]
                        let isAlone = labels.count { $0 == label } == 1
                        let number = labels[...place].count { $0 == label }
                        return MatchPage.Offer.Choice(
                            fields: choice.parts.map(\.field), label: isAlone ? label : "\(number). \(label)",
                            reason: visit.texts.said(choice.reason))
                    })
            },
            words: try words(lines), wordRows: match.rowCount > Batches.wordRows ? Batches.wordRows : nil,
            comesFromCheck: visit.request.query["then"] == "plan",
            savedMappings: try visit.quire.mappings.all(of: match.template.id, by: visit.member()).filter {
                $0.id != match.saved?.id
            }.map { ($0.id.text, $0.name) })
        if !match.batch.state.isBegun {
            page.lists = try visit.quire.recipients.all(by: visit.member()).map { ($0.id.text, $0.name) }
            page.chosenList = match.batch.draft.list ?? ""
        }
        return page
    }

    private var parts: [(number: Int, name: String)] {
        match.batch.draft.parts.enumerated().compactMap { place, part in
            guard case .template(let id, _) = part.content,
                let template = try? visit.quire.templates.get(id, by: visit.member())
            else { return nil }
            return (place + 1, template.name)
        }
    }

    /// Fields with words that somebody has to look at come before those that are decided.
    private func words(_ lines: [FieldLine]) throws -> [MatchPage.Words] {
        var found = try visit.quire.batches.words(match, by: visit.member())
        let query = visit.request.query
        if let word = query["word"], let field = query["field"] { found.add(word: word, of: field) }
        let all = found.fields.map { field -> MatchPage.Words in
            let choices = found.choices(of: field)
            return MatchPage.Words(
                field: field, label: lines.first { $0.name == field }?.label ?? field,
                choices: (choices?.choices ?? []).map { choice in
                    let label =
                        choices?.isBox == true
                        ? visit.texts(choice.value == .flag(true) ? "match.words.tick" : "match.words.noTick")
                        : choice.name
                    return (Mapping.Answer.choice(choice.name).text, label)
                },
                words: found.words(of: field).filter { !$0.isPlain || $0.decided != nil }.map { word in
                    .init(
                        text: word.text, count: word.count, answer: word.answer.text,
                        isDecided: word.decided != nil, isPlain: word.isPlain)
                })
        }
        return all.filter { $0.openCount > 0 } + all.filter { $0.openCount == 0 }
    }

    /// What people ask for besides the columns; what this list does not tell is not offered.
    private var picks: [MatchPage.Pick] {
        let t = visit.texts
        let today = ["short", "long", "yyyy-mm-dd", "mm-dd-yy"].map {
            (label: t("match.today"), formula: "date_format(today, \"\($0)\")")
        }
        let known = [
            (label: t("match.fullName"), formula: "full_name()"), (t("match.initials"), "initials()"),
            (t("match.rowNumber"), "row"),
        ]
        let columns = [(t("match.email"), "email"), (t("match.phone"), "phone")].compactMap { label, role in
            match.list.columns.first { $0.role == role }.map {
                (label: label, formula: Mapping.Source.column($0.name).text)
            }
        }
        return (known + columns + today).compactMap { pick in
            guard let example = try? match.tried(pick.formula).0, !example.isEmpty else { return nil }
            return MatchPage.Pick(
                label: pick.label, formula: pick.formula,
                source: MatchPage.Source(Mapping.Source(pick.formula)), example: example)
        }
    }

    private func source(of field: String) -> MatchPage.Source {
        mapping[field].map { MatchPage.Source($0) } ?? .nothing
    }

    /// What the shown row puts into each field.
    private var values: [String: String] {
        var values: [String: String] = [:]
        for (field, value) in match.values {
            switch value {
            case .text(let text)?: values[field] = text
            case .texts(let texts)?: values[field] = texts.joined(separator: ", ")
            case .flag(let flag)?: values[field] = flag ? "☑" : "☐"
            case nil: values[field] = ""
            }
        }
        return values
    }

    /// A formula while it is being written: its error where it is, or what it gives for the shown row.
    private func draft(_ text: String) -> MatchPage.Draft {
        var draft = MatchPage.Draft(formula: text)
        do throws(FormulaError) {
            let (shown, steps) = try match.tried(text)
            draft.value = shown
            draft.steps = steps.map { ($0.part, $0.value) }
        } catch {
            draft.error = visit.texts.said(error.description)
            draft.errorAt = error.place.lowerBound
        }
        return draft
    }
}

extension MatchPage.Source {
    init(_ source: Mapping.Source) {
        self =
            switch source {
            case .empty: .empty
            case .column(let name): .column(name)
            case .fixed(let text): .fixed(text)
            case .formula(let text): .formula(text)
            }
    }
}
