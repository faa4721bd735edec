import Bytes
import Formulas
import Library
import Mappings
import PDF
import PDFForms
import SQL
import Storage
import Tables
import Work

/// Looks up everything a batch is made from, as it is at this moment.
struct PinMaker {
    private let batches: Batches
    private let batch: Batch
    private var remarks: [String] = []

    init(_ batches: Batches, _ batch: Batch) {
        self.batches = batches
        self.batch = batch
    }

    func pins() throws -> (Pins, remarks: [String]) {
        var maker = self
        return (try maker.make(), maker.remarks)
    }

    private mutating func make() throws -> Pins {
        let draft = batch.draft
        guard let whom = draft.whom else {
            throw Failure(.conflict, "Choose the list of recipients first.", field: "list")
        }
        guard !draft.parts.isEmpty else {
            throw Failure(.conflict, "Choose what the packets are made from first.", field: "parts")
        }
        try draft.options.numbering?.check()
        let list = try batches.rows.list(whom)
        let today = batches.circumstances.today(batches.store.clock.now())
        var pins = Pins(
            madeBy: batches.circumstances.version, today: today.dayText, list: list.name,
            columns: list.columns.map { Pins.Column(name: $0.name, kind: $0.kind.rawValue, role: $0.role) },
            rowCount: list.count, parts: [], naming: draft.naming, options: draft.options)
        for part in draft.parts { pins.parts.append(try pinned(part, list, pins)) }
        return pins
    }

    private mutating func pinned(
        _ part: PacketPart, _ list: RowSource.List, _ pins: Pins
    ) throws -> Pins.Part {
        switch part.content {
        case .template(let id, let mappingID):
            let template = try batches.store.read { desk in try batches.templates.find(id, in: desk) }
            guard !template.isTrashed else {
                throw Failure(.conflict, "The template “\(template.name)” lies in the trash.", field: "parts")
            }
            guard template.edition.canBeFilled else {
                throw Failure(
                    .conflict, "The template “\(template.name)” cannot be filled; its report says why.")
            }
            let (text, name) = try mapping(mappingID, template, list, pins)
            return Pins.Part(
                name: template.name,
                content: .form(
                    template: id, edition: template.edition.number, digest: template.edition.blob.digest,
                    mapping: text, mappingName: name), condition: part.condition)
        case .document(let id):
            return try paper(id, condition: part.condition)
        case .attachment(let pattern):
            return Pins.Part(name: pattern, content: .attachment(pattern: pattern), condition: part.condition)
        }
    }

    private mutating func mapping(
        _ id: ID<SavedMapping>?, _ template: Template, _ list: RowSource.List, _ pins: Pins
    ) throws -> (text: String, name: String) {
        guard let id else { return (try suggested(for: template, list), "") }
        let mapping = try batches.store.read { desk in try batches.mappings.find(id, in: desk) }
        guard mapping.template == template.id else {
            throw Failure(.conflict, "The mapping “\(mapping.name)” is for another template.", field: "parts")
        }
        guard !mapping.isTrashed else {
            throw Failure(.conflict, "The mapping “\(mapping.name)” lies in the trash.", field: "parts")
        }
        if mapping.edition != template.edition.number {
            remarks.append(
                "The mapping “\(mapping.name)” was written for another edition of “\(template.name)”. Look it through."
            )
        }
        return (try completed(mapping, template, list), mapping.name)
    }

    /// What a kept mapping does not name is filled in where it is certain, and said.
    private mutating func completed(
        _ saved: SavedMapping, _ template: Template, _ list: RowSource.List
    ) throws -> String {
        // What cannot be read is told when it is compiled.
        guard var mapping = try? Mapping(parsing: saved.text), !mapping.keepsOthers else { return saved.text }
        let fields = try batches.templates.facts(of: template)
        let added = mapping.complete(fields, try columns(of: list))
        guard !added.isEmpty else { return saved.text }
        mapping.decideByPage(fields)
        let names = Dictionary(fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let told = added.prefix(8).map { suggestion in
            let field = names[suggestion.field]
            return
                "\(field?.nearby ?? field?.label ?? suggestion.field) = \(suggestion.source.text)"
        }
        remarks.append(
            "Suggested for “\(template.name)”, because the mapping “\(saved.name)” does not name these fields: \(told.joined(separator: "; "))\(added.count > 8 ? "; …" : "")"
        )
        return mapping.text
    }

    private func columns(of list: RowSource.List) throws -> [ColumnFacts] {
        list.facts(try batch.draft.whom.map { try batches.rows.some($0, 0, PartMatch.sample) } ?? [])
    }

    /// Without a mapping only what is certain is filled in, and what is not is said.
    private mutating func suggested(for template: Template, _ list: RowSource.List) throws -> String {
        let fields = try batches.templates.facts(of: template)
        let columns = try columns(of: list)
        let mapping = try batches.mappings.begun(for: template, fields, columns).mapping
        let empty = fields.filter { $0.takesValues && mapping[$0.name] == nil }.map {
            $0.nearby ?? $0.label ?? $0.name
        }
        if !empty.isEmpty {
            remarks.append(
                "No column is clearly meant for these fields of “\(template.name)”, so they stay empty: \(empty.prefix(8).joined(separator: ", "))\(empty.count > 8 ? ", …" : "")."
            )
        }
        return mapping.text
    }

    private func paper(_ id: ID<Document>, condition: String) throws -> Pins.Part {
        let row = try batches.store.read { desk in
            try desk.row("SELECT name, digest, media_type, trashed_at FROM document WHERE id = \(id)")
        }
        guard let row else {
            throw Failure(.conflict, "A paper of this batch is not in the library any more.")
        }
        let name = try row.text("name")
        guard try row.optionalMoment("trashed_at") == nil else {
            throw Failure(.conflict, "The paper “\(name)” lies in the trash.", field: "parts")
        }
        guard try row.text("media_type") == "application/pdf" else {
            throw Failure(
                .conflict, "The paper “\(name)” is no PDF. Only PDFs can be put into packets.", field: "parts"
            )
        }
        let digest = try row.digest("digest")
        let count = try Templates.explained {
            try PDFFile(bytes: batches.store.blobs.read(digest, atMost: Templates.longestFile)).pages.count
        }
        return Pins.Part(
            name: name, content: .paper(document: id, digest: digest, pageCount: count), condition: condition)
    }
}
