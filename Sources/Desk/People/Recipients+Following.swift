public import Access
import Bytes
import SQL
public import Storage
import Tables
import Work

// Smart lists: a question about the contacts under a name. Whoever reads such a list reads those who match now, as its
// rows are brought up to date first; each change is an edition like any other, so that a plan knows that it is of before.
extension Recipients {
    @discardableResult
    public func make(
        _ name: String, asking question: ContactQuestion, by caller: Caller
    ) throws -> RecipientList {
        try caller.require(.edit)
        let question = try question.checked()
        let name = try Self.cleaned(name)
        let id = try store.write { tx in
            let id = try make(name, question, by: caller, in: tx).id
            try follow(id, question, in: tx)
            return id
        }
        return try get(id, by: caller)
    }

    /// Another question from now on. Who matches both keeps their place in what was planned.
    @discardableResult
    public func ask(
        _ question: ContactQuestion, of id: ID<RecipientList>, by caller: Caller
    ) throws -> RecipientList {
        try caller.require(.edit)
        let question = try question.checked()
        try store.write { tx in
            let list = try found(id, in: tx).list
            guard list.isSmart else {
                throw Failure(
                    .conflict,
                    "“\(list.name)” is no smart list. Make one of a search among the contacts.")
            }
            guard !list.isTrashed else { throw Self.trashed(list) }
            try tx.run("UPDATE recipient_list SET question = \(question.json.text) WHERE id = \(id)")
            note("list.asked", list, by: Author(caller), in: tx)
            try follow(id, question, in: tx)
        }
        return try get(id, by: caller)
    }

    /// Where it follows the contacts: those who match now. A look alone when nothing has changed.
    func follow(_ id: ID<RecipientList>) throws {
        let question = try store.read { desk -> ContactQuestion? in
            guard
                let row = try desk.row(
                    """
                    SELECT question, followed, edition FROM recipient_list
                    WHERE id = \(id) AND question IS NOT NULL AND trashed_at IS NULL
                    """)
            else { return nil }
            let question = try Self.question(row)
            let state = try state(question, edition: row.int("edition"), in: desk).text
            return try row.text("followed") == state ? nil : question
        }
        guard let question else { return }
        try store.write { tx in
            // Somebody may have asked something else meanwhile, or put it into the trash.
            guard
                try tx.row(
                    """
                    SELECT 1 AS one FROM recipient_list
                    WHERE id = \(id) AND question = \(question.json.text) AND trashed_at IS NULL
                    """) != nil
            else { return }
            try follow(id, question, in: tx)
        }
    }

    private func follow(
        _ id: ID<RecipientList>, _ question: ContactQuestion, in tx: borrowing Transaction
    ) throws {
        var edition = try changeable(id, isFollowing: true, in: tx)
        for name in Contacts.usualColumns where !Self.has(name, edition.columns) {
            try append(name, to: &edition)
        }
        let columns = edition.columns.map(\.name)
        let source = edition.sourceForHand(kind: .contacts, name: "Contacts", at: tx.now, by: "Quire")
        var numbers: [String: UInt32] = [:]
        for row in try tx.rows("SELECT contact_id, number FROM smart_list_person WHERE list_id = \(id)") {
            numbers[try row.text("contact_id")] = UInt32(clamping: try row.int("number"))
        }
        var records: [RowRecord] = []
        for row in try tx.rows(
            """
            SELECT \(Contact.columns) FROM contact WHERE \(question.condition(today, on: tx.kind)) ORDER BY name_order, id
            """)
        {
            let contact = try Contact(row)
            let number = numbers[contact.id.text] ?? edition.nextNumber
            if number == edition.nextNumber {
                edition.nextNumber += 1
                try tx.run(
                    """
                    INSERT INTO smart_list_person (list_id, contact_id, number)
                    VALUES (\(id), \(contact.id), \(Int(number)))
                    """)
            }
            let person = contact.person(in: columns)
            records.append(
                RowRecord(
                    number: number, place: 0,
                    cells: PackedRow(place: 0, cells: columns.map { Cell(person[$0] ?? "") }).bytes))
        }
        let before = try edition.chunks.flatMap { try self.records($0, of: id, in: tx) }
        let isSame =
            edition.number > 1 && before.count == records.count
            && zip(before, records).allSatisfy { $0.number == $1.number && $0.cells == $1.cells }
        if !isSame {
            edition.chunks = try write(records, source: source, isSetAside: false, of: id, in: tx)
            let (old, new) = (Set(before.map(\.number)), Set(records.map(\.number)))
            try save(
                edition, of: id, act: .followed, by: Author(actor: "quire/lists", name: "Quire"),
                [
                    "added": .int(new.subtracting(old).count), "gone": .int(old.subtracting(new).count),
                ], in: tx)
        }
        let number = try tx.row("SELECT edition FROM recipient_list WHERE id = \(id)")?.int("edition") ?? 0
        let state = try state(question, edition: number, in: tx)
        // What changes in this same moment would look like what was read.
        try tx.run(
            """
            UPDATE recipient_list SET followed = \(state.newest < tx.now ? state.text : "") WHERE id = \(id)
            """)
    }

    /// How many match now.
    func count(
        _ question: ContactQuestion, in desk: borrowing some Readable & ~Copyable
    ) throws -> Int {
        try desk.row("SELECT count(*) AS n FROM contact WHERE \(question.condition(today, on: desk.kind))")?
            .int("n") ?? 0
    }

    /// What the rows were made of. Every change of a contact moves its moment, so these tell whether another look is
    /// needed without reading their cards.
    private func state(
        _ question: ContactQuestion, edition: Int, in desk: borrowing some Readable & ~Copyable
    ) throws -> (text: String, newest: Moment) {
        let row = try desk.row(
            """
            SELECT count(*) AS n, coalesce(max(changed_at), 0) AS newest,
                CAST(coalesce(sum(changed_at), 0) AS BIGINT) + coalesce(sum(length(group_tags)), 0) AS moments
            FROM contact WHERE \(question.condition(today, on: desk.kind))
            """)
        let counted = try row.map { [try $0.int("n"), try $0.int("newest"), try $0.int("moments")] } ?? []
        let numbers = ([edition] + counted).map(String.init)
        let text = (numbers + [question.due == .any ? "" : today.dayText]).joined(separator: " ")
        return (text, try row?.moment("newest") ?? Moment(milliseconds: 0))
    }

    /// One that cannot be read any more asks for nobody.
    static func question(_ row: Row) throws -> ContactQuestion {
        guard let json = try? JSON(parsing: try row.optionalText("question") ?? ""),
            let question = try? ContactQuestion(json).checked()
        else {
            throw Failure(
                .damaged, "The question of a smart list cannot be read any more. Ask it again.",
                cause: "question of a list")
        }
        return question
    }

    static func trashed(_ list: RecipientList) -> Failure {
        Failure(.conflict, "The list “\(list.name)” lies in the trash. Take it out first.")
    }
}

extension Contact {
    /// What a row of a list says of them, by the names of its columns.
    func person(in columns: [String]) -> [String: String] {
        var person = Dictionary(
            fields.filter { columns.contains($0.name) }.map { ($0.name, $0.value) },
            uniquingKeysWith: { first, _ in first })
        person["Name"] = name
        return person
    }
}
