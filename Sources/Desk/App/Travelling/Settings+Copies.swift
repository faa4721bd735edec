import Bytes
import SQL
import Storage
import Work

extension Settings {
    /// The groups that other desks may be told of, in order.
    static let travelling = [Identity.name, Looks.name, Region.name].sorted()

    /// Nil for what nobody has said here.
    func copy(
        of name: String, in desk: borrowing some Readable & ~Copyable
    ) throws -> (values: JSON, changedAt: Moment)? {
        guard Self.travelling.contains(name),
            let row = try desk.row(
                "SELECT value, changed_at FROM setting WHERE owner = '' AND name = \(name)"),
            let values = try? JSON(parsing: try row.text("value"))
        else { return nil }
        return (values, try row.moment("changed_at"))
    }

    /// Takes over what another desk says, tidied as if somebody had typed it here.
    func put(_ values: JSON, as name: String, by actor: String, in tx: borrowing Transaction) throws {
        let tidied: JSON
        var logo: Digest?
        switch name {
        case Identity.name: tidied = try Identity(values).checked().json
        case Region.name: tidied = try Region(values).checked().json
        case Looks.name:
            var looks = try Looks(values).checked()
            if let digest = looks.logo, !isDrawn(digest) { looks.logo = nil }
            (tidied, logo) = (looks.json, looks.logo)
        default: return
        }
        guard try copy(of: name, in: tx)?.values.text != tidied.text else { return }
        if name == Looks.name {
            let before = try copy(of: name, in: tx).flatMap { Looks($0.values).logo }
            try keepLogo(logo, instead: before, in: tx)
        }
        try tx.run(
            """
            INSERT INTO setting (owner, name, value, changed_at)
            VALUES ('', \(name), \(tidied.text), \(tx.now))
            ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at
            """)
        tx.record(
            JournalEntry(
                actor: actor, verb: name == Looks.name ? "looks.changed" : "settings.changed",
                subject: "settings/\(name)", detail: tidied))
        try tx.notify(Self.channel, name)
        tx.afterCommit { [changes] in changes.send(name) }
    }
}
