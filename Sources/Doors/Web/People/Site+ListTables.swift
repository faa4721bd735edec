import Access
import App
import HTTP
import People
import Storage
import Tables

extension Site {
    static let listTableActions: [Action] = [
        Action(
            .get, "/lists/{id}/table", .member(.view),
            .init(
                "Take a list out as a table",
                description:
                    "Sent while it is read. Cells that a spreadsheet would take for formulas are marked as text, unless `exact` asks for every sign as it is.",
                tag: "People",
                parameters: [
                    .init("form", "In which shape", schema: Schema.choice(["csv", "xlsx"])),
                    .init("q", Site.recipientSearch),
                    .init("audience", "Only this saved group"),
                    .init("exact", "yes changes no cell", schema: Schema.choice(["yes", ""])),
                ], answers: [.init(.ok, "The file", [.anything])])
        ) { visit in
            let list = try visit.list()
            let query = visit.request.query
            let filter = try visit.filter(of: query["audience"], in: list, and: query["q"] ?? "")
            let caller = try visit.member()
            let recipients = visit.quire.recipients
            // Once the first bytes are sent no failure can be told any more.
            _ = try recipients.page(list.id, .init(filter, limit: 1), by: caller)
            let columns = list.columns.map(\.name)
            let isBook = query["form"] == "xlsx"
            let isExact = query["exact"] == "yes"
            let now = visit.now
            let response = Response(
                headers: [
                    "Content-Type": isBook
                        ? "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
                        : "text/csv; charset=utf-8"
                ],
                body: .stream { sink in
                    func rows(_ add: ([Cell]) throws -> Void) throws {
                        try recipients.each(list.id, filter, by: caller) { try add($0.cells) }
                    }
                    if isBook {
                        try TableWriter.xlsx(
                            columns: columns, modified: now, to: { try sink.write($0) }, rows: rows)
                    } else {
                        try TableWriter.csv(
                            columns: columns, guardsFormulas: !isExact, to: { try sink.write($0) }, rows: rows
                        )
                    }
                })
            return response.with(
                "Content-Disposition",
                Disposition.text(inline: false, fileName: "\(list.name).\(isBook ? "xlsx" : "csv")")
            ).with("Cache-Control", "no-store")
        }
    ]
}
