import Access
import App
import Bytes
import Conversion
import Jobs
import Storage
import Work

extension Command {
    static let doctor = Command(
        name: "doctor", summary: "say what works here, what is missing, and what to do about it",
        discussion: """
            Looks at the desk and the machine, has each engine convert a page, and changes nothing. Ends with 0 when \
            Quire can do its work, even if something could be better, and with 6 when something keeps it from working. \
            With --security it ends with 6 as soon as one wall does not stand.

            A service often runs behind other walls than the shell. With --service the engines are tried by the server \
            that is running on this desk, where it runs.
            """,
        options: [
            Option("network", nil, "list every address this desk may call"),
            Option("service", nil, "have the running server try the engines, where it runs"),
            Option("quick", nil, "try no engine"),
            Option(
                "security", nil,
                "say which walls stand, who is signed in, which tokens and links there are, and who came in or tried to"
            ),
            .database,
        ],
        examples: [
            Example("quire doctor", "examine everything"),
            Example("quire doctor --network", "see whom this desk may call"),
            Example("quire doctor --service", "see whether the engines work for the service, too"),
            Example("quire doctor --security", "see how this desk is guarded"),
        ],
        run: { call in
            if call.has("security") { return try security(call) }
            let config = try call.configHere("quire doctor")
            if call.has("network") { return try network(call, config) }
            let findings = Doctor(config).examine() + (try trials(call, config))
            call.answer(["findings": .array(findings.map(\.json))]) {
                text(findings, call.terminal.outputStyle)
            }
            for remark in config.remarks { call.hint(call.terminal.errorStyle.warning(remark)) }
            if findings.contains(where: { $0.state == .bad }) { throw ExitCode.unavailable }
        })

    private static func trials(_ call: Invocation, _ config: Config) throws -> [Finding] {
        if call.has("service") { return try trialsOfService(call, config) }
        guard !call.has("quick") else { return [] }
        var settings = Engines.Settings.ofThisMachine
        settings.remote = config.engine
        let engines = Engines(jail: .detect(), settings: settings)
        defer { engines.stop() }
        return call.withProgress("Trying the engines") {
            Doctor.trials(with: engines, progress: $0)
        }
    }

    /// The job is put into the desk's own list, where the server finds it.
    private static func trialsOfService(_ call: Invocation, _ config: Config) throws -> [Finding] {
        let quire = try call.existingDesk(config)
        defer { quire.stop() }
        guard quire.store.home.isBeingServed else {
            throw Failure(
                .conflict, "No server is running on the desk in \(config.home). Start it, then ask again.")
        }
        let id = try quire.maintenance.tryEnginesLater(by: .local)
        return try call.withProgress("The server tries the engines") { progress in
            let pause = Pause(progress.cancellation)
            while let job = try quire.queue.get(id), !job.state.isFinished {
                guard pause.wait(.milliseconds(300)) else { try progress.check(); break }
            }
            return try quire.lastTrials()?.findings ?? []
        }
    }

    private static func text(_ findings: [Finding], _ style: Style) -> String {
        var text = ""
        for part in Finding.Part.allCases {
            let members = findings.filter { $0.part == part }
            guard !members.isEmpty else { continue }
            text += style.heading(part.rawValue.prefix(1).uppercased() + part.rawValue.dropFirst()) + "\n"
            for finding in members {
                text +=
                    "  \(mark(finding.state, style)) \(finding.name): \(TextTable.harmless(finding.sentence))\n"
                if let remedy = finding.remedy { text += "      to do: \(TextTable.harmless(remedy))\n" }
            }
        }
        let bad = findings.filter { $0.state == .bad }.count
        let limited = findings.filter { $0.state == .limited }.count
        let verdict =
            bad > 0
            ? style.bad("\(Words.count(bad, "thing keeps", "things keep")) Quire from working.")
            : limited > 0
                ? "Quire works; \(Words.count(limited, "thing", "things")) could be better."
                : style.good("All is well.")
        return text + "\n\(verdict)\n"
    }

    private static func mark(_ state: Finding.State, _ style: Style) -> String {
        switch state {
        case .good: style.good("ok     ")
        case .limited: style.warning("limited")
        case .bad: style.bad("bad    ")
        }
    }

    /// What the page says too: both ask the desk for the same.
    private static func security(_ call: Invocation) throws {
        let desk = try call.desk()
        defer { desk.close() }
        let said = try desk.client.get("/security")
        call.answer(said) { securityText(said, call.terminal.outputStyle) }
        let walls = said["walls"]?.array ?? []
        if walls.contains(where: { $0["state"]?.string != "good" }) { throw ExitCode.unavailable }
    }

    private static func securityText(_ said: JSON, _ style: Style) -> String {
        var text = style.heading("Walls") + "\n"
        let walls = said["walls"]?.array ?? []
        for wall in walls {
            let state = Finding.State(rawValue: wall["state"]?.string ?? "") ?? .bad
            text += "  \(mark(state, style)) \(wall["name"]?.string ?? ""): "
            text += "\(TextTable.harmless(wall["sentence"]?.string ?? ""))\n"
            if let remedy = wall["remedy"]?.string { text += "      to do: \(TextTable.harmless(remedy))\n" }
        }
        func table(_ title: String, _ columns: [String], _ rows: [[String]]) {
            guard !rows.isEmpty else { return }
            var table = TextTable(columns)
            for row in rows { table.add(row) }
            text += "\n" + style.heading(title) + "\n" + table.text(style)
        }
        table(
            "Came in or tried to", ["Who", "What", "Device", "From", "When"],
            (said["signIns"]?.array ?? []).map { line in
                [
                    line["actorName"]?.string ?? "",
                    line["verb"] == "session.started" ? "came in" : "was refused",
                    line["detail"]?["device"]?.string ?? "", line["detail"]?["address"]?.string ?? "",
                    Words.time(line["at"]?.string),
                ]
            })
        table(
            "Signed in", ["Who", "Device", "From", "Last seen"],
            (said["sessions"]?.array ?? []).map { session in
                [
                    session["member"]?.string ?? "", session["device"]?.string ?? "",
                    session["address"]?.string ?? "", Words.time(session["seenAt"]?.string),
                ]
            })
        table(
            "Tokens", ["Token", "May", "Until", "Last used"],
            (said["tokens"]?.array ?? []).map { token in
                [
                    token["name"]?.string ?? "",
                    token["scope"]?.array?.compactMap(\.string).joined(separator: " ") ?? "",
                    Words.time(token["expiresAt"]?.string), Words.time(token["usedAt"]?.string),
                ]
            })
        let links = said["links"]?["count"]?.int ?? 0
        let open = said["links"]?["withoutPassword"]?.int ?? 0
        let endless = said["links"]?["withoutEnd"]?.int ?? 0
        text +=
            "\n\(Words.count(links, "link is", "links are")) open: \(open) without a password, \(endless) without an end.\n"
        let fallen = walls.count { $0["state"]?.string != "good" }
        return text + "\n"
            + (fallen == 0
                ? style.good("Every wall stands.")
                : style.bad("\(Words.count(fallen, "wall does", "walls do")) not stand.")) + "\n"
    }

    private static func network(_ call: Invocation, _ config: Config) throws {
        let quire = try call.existingDesk(config)
        defer { quire.stop() }
        let addresses = try quire.network()
        call.answer(["addresses": .array(addresses.map(\.json))]) {
            guard !addresses.isEmpty else { return "This desk calls nobody.\n" }
            var table = TextTable(["Address", "Why"])
            for address in addresses { table.add([address.address, address.purpose]) }
            return table.text(call.terminal.outputStyle)
        }
    }
}
