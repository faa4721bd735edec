import App
import Bytes

extension Command {
    static let config = Command(
        name: "config", summary: "show the configuration, and where each value came from",
        discussion: """
            Each value comes from the last of these that names it: what is built in, the file config.json (in the desk’s \
            folder, or in $XDG_CONFIG_HOME/quire), a variable such as QUIRE_PORT, a flag such as --port.
            """,
        arguments: [
            Argument(
                name: "NAME", summary: "show this value alone", isOptional: true,
                completion: .choices(ConfigKey.all.map(\.name)))
        ],
        options: Option.configuration,
        examples: [
            Example("quire config", "everything"),
            Example("QUIRE_PORT=9000 quire config port", "one value, as a script wants it"),
        ],
        run: { call in
            if call.has("server") { _ = try call.configHere("quire config") }
            let config = try call.config()
            if let name = call.arguments.first {
                guard let entry = config.entries.first(where: { $0.key.name == name }) else {
                    let near = Spelling.nearest(to: name, among: ConfigKey.all.map(\.name))
                    throw UsageError(
                        message: "There is no value called “\(name)”",
                        hint: near.map { "Did you mean “\($0)”?" } ?? "“quire config” lists them all.")
                }
                call.answer(view(entry)) { entry.shown + "\n" }
                return
            }
            call.answer([
                "values": .array(config.entries.map(view)),
                "remarks": .array(config.remarks.map(JSON.string)),
            ]) {
                var table = TextTable(["Name", "Value", "From"])
                for entry in config.entries {
                    table.add([entry.key.name, entry.shown, entry.origin.description])
                }
                return table.text(call.terminal.outputStyle)
            }
            for remark in config.remarks { call.hint(call.terminal.errorStyle.warning(remark)) }
        })

    private static func view(_ entry: Config.Entry) -> JSON {
        [
            "name": .string(entry.key.name), "value": .string(entry.shown),
            "from": .string(entry.origin.description),
            "summary": .string(entry.key.summary),
        ]
    }
}

extension Option {
    /// Every value of the configuration as a flag, for commands that open the desk to others.
    static let configuration: [Option] = ConfigKey.all.filter { $0 != .home }.map(flag)

    /// Which database, for commands that work on the desk directly.
    static let database = flag(.database)

    private static func flag(_ key: ConfigKey) -> Option {
        let completion: Completion =
            switch key {
            case .tls: .choices(["off", "self-signed", "own-authority", "files"])
            case .logFormat: .choices(["text", "json"])
            case .logLevel: .choices(["debug", "info", "warning", "error"])
            default: key.placeholder == "FOLDER" ? .folder : key.placeholder == "FILE" ? .file : .nothing
            }
        return Option(key.name, key.placeholder, key.summary, completion: completion)
    }
}
