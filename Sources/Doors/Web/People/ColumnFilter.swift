import Markup
import People

extension Pages {
    /// Narrows a list by what one column says: what is chosen here stands in the search afterwards, where it can be
    /// changed, and can be saved as a group like any search.
    static func columnFilter(_ frame: Frame, _ model: ListPage, _ path: String) -> HTML {
        let t = frame.texts
        let columns = model.columns.map { column -> HTML in
            "<option value=\"\(column.name)\">\(column.name)</option>"
        }
        let relations = RecipientFilter.Condition.Relation.allCases.filter { $0 != .startsWith }.map {
            relation -> HTML in
            "<option value=\"\(relation.rawValue)\">\(t("list.filter.\(relation.rawValue)"))</option>"
        }
        let group: HTML =
            model.audience.map { "<input type=\"hidden\" name=\"audience\" value=\"\($0)\">" } ?? .empty
        return """
            <details class="more"><summary>\(t("list.filter"))</summary>
            <form method="get" action="\(url: path)" class="form-grid">\(group)
            <span data-swap="searched"><input type="hidden" name="q" value="\(model.filter)"></span>
            <div class="field"><label for="filter-column">\(t("list.filter.column"))</label><select id="filter-column" name="column" dir="auto">\(columns)</select></div>
            <div class="field"><label for="filter-relation">\(t("list.filter.relation"))</label><select id="filter-relation" name="relation">\(relations)</select></div>
            <div class="field"><label for="filter-value">\(t("list.filter.value"))</label><input type="text" id="filter-value" name="value" maxlength="200" autocomplete="off" dir="auto"></div>
            <div><button class="button">\(t("list.filter.go"))</button></div></form></details>
            """
    }
}
