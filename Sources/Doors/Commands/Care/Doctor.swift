import App
import Bytes

extension Command {
    static let doctor = Command(
        name: "doctor", summary: "say what works here, what is missing, and what to do about it",
        discussion: """
            Looks at the desk and the machine and changes nothing. Ends with 0 when Quire can do its work, even if \
            something could be better, and with 6 when something keeps it from working.
            """,
        options: [
            Option("network", nil, "list every address this desk may call"),
            .database,
        ],
        examples: [
            Example("quire doctor", "examine everything"),
            Example("quire doctor --network", "see whom this desk may call"),
        ],
        run: { call in
            let config = try call.configHere("quire doctor")
            if call.has("network") { return try network(call, config) }
            let findings = Doctor(config).examine()
            call.answer(["findings": .array(findings.map(\.json))]) {
                text(findings, call.terminal.outputStyle)
            }
            for remark in config.remarks { call.hint(call.terminal.errorStyle.warning(remark)) }
            if findings.contains(where: { $0.state == .bad }) { throw ExitCode.unavailable }
        })

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
