import Bytes

extension Command {
    static let figures = Command(
        name: "figures", summary: "say how much the desk is used, in numbers",
        discussion: """
            Papers week by week, papers made for people, searches, tools, and what is in sync. Counted on this desk out of \
            what it keeps anyway; of searches only how many there were in a week. Nothing is reported anywhere. Private papers are not counted while they are closed.
            """,
        options: [Option("weeks", "NUMBER", "how many weeks back (8)"), .database],
        examples: [
            Example("quire figures", "the last eight weeks"),
            Example("quire figures --weeks 52 --json", "a year, for a script"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let answer = try desk.client.get("/activity/figures", [("weeks", call.value("weeks") ?? "8")])
            call.answer(answer) {
                var table = TextTable([
                    "Week of", "Papers kept", "Made for people", "Sent", "Replies", "Searches",
                ])
                for week in answer["weeks"]?.array ?? [] {
                    func count(_ name: String) -> String { "\(week[name]?.int ?? 0)" }
                    table.add([
                        String((week["begins"]?.string ?? "").prefix(10)), count("kept"), count("made"),
                        count("sent"),
                        count("returned"), count("searches"),
                    ])
                }
                var lines = "Papers kept: \(answer["papers"]?.int ?? 0)\n"
                if let inStep = answer["inStep"]?.int { lines += "In sync with every place: \(inStep)\n" }
                if let seconds = answer["firstPaperSeconds"]?.int {
                    lines +=
                        "First paper after: \(seconds < 7200 ? "\(seconds / 60) minutes" : "\(seconds / 3600) hours")\n"
                }
                let tools = (answer["tools"]?.array ?? []).map {
                    "\($0["name"]?.string ?? "") \($0["uses"]?.int ?? 0)"
                }
                if !tools.isEmpty {
                    lines += TextTable.harmless("Tools: \(tools.joined(separator: ", "))") + "\n"
                }
                return table.text(call.terminal.outputStyle) + "\n" + lines
            }
        })
}
