import Filling
import Storage

extension Visit {
    var starters: [NewTemplatePage.Starter] { [] }
    func takeStarter(_ key: String, folder: String) throws -> (template: Template, report: ImportReport) {
        throw Failure(.notFound, "There is no such starter.", field: "starter")
    }
}
