public import Access
import Bytes
import SQL
public import Storage

extension Templates {
    /// Takes in a new edition of a form. The one before stays: what was made from it can be made again, and `use`
    /// goes back to it. The same bytes again are no new edition.
    public func replace(
        _ id: ID<Template>, with source: Source, named fileName: String? = nil, password: String? = nil,
        by caller: Caller
    ) throws -> (template: Template, report: ImportReport) {
        try caller.require(.edit)
        var taken = try examined(source, named: fileName, password: password, by: caller)
        let template = try change(id, .replaced, by: caller) { template, tx in
            guard taken.digest != template.edition.blob.digest else { return nil }
            try findTwins(of: &taken, except: id, for: caller, in: tx)
            let last = try tx.row(
                "SELECT max(number) AS last FROM template_edition WHERE template = \(id)")
            let number = (try last?.int("last") ?? 0) + 1
            try add(taken, as: number, of: id, by: caller, in: tx)
            try tx.run("UPDATE template SET edition = \(number) WHERE id = \(id)")
            return [
                "edition": .int(number), "before": .int(template.edition.number),
                "digest": .string(taken.digest.hex),
            ]
        }
        return (template, taken.report)
    }
}
