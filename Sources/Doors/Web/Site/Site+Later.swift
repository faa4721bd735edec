import Filling
import Storage

/// What recipient lists and starters will tell.
extension Visit {
    var starters: [NewTemplatePage.Starter] { [] }
    func takeStarter(_ key: String, folder: String) throws -> (template: Template, report: ImportReport) {
        throw Failure(.notFound, "There is no such starter.", field: "starter")
    }
    func listName(_ id: String) throws -> String { id }
    func conditionError(_ text: String, of batch: Batch) -> String? { nil }
}
