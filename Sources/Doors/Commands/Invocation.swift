import App
import Bytes
import Storage
import Work

/// One call of a command: what was typed, and what it may use.
struct Invocation: Sendable {
    let title: String
    var options: [String: [String]]
    let arguments: [String]
    let root: Command
    let terminal: Terminal
    let environment: [String: String]
    let folder: String
    let cancellation: Cancellation

    func value(_ name: String) -> String? { options[name]?.last }
    func has(_ name: String) -> Bool { options[name] != nil }

    var isJSON: Bool { has("json") }
    var isQuiet: Bool { has("quiet") }
    var isVerbose: Bool { has("verbose") }

    /// The result: JSON for a program, words for a person.
    func answer(_ json: @autoclosure () -> JSON, _ text: () -> String) {
        if isJSON { terminal.write(json().text + "\n") } else { terminal.write(text()) }
    }

    /// The same for what is shown this once. Where it could not be written nobody has it, and it is taken back.
    func answerOnce(_ json: JSON, _ text: String, takingBack: () throws -> Void) throws {
        let whole = isJSON ? json.text + "\n" : text
        guard let writeOnce = terminal.writeOnce else { return terminal.write(whole) }
        guard let trouble = writeOnce(whole) else { return }
        try takingBack()
        var failure = Failure(outputTrouble: trouble)
        failure.message += " It was taken back."
        throw failure
    }

    /// What to do next and the like: kept from pipes that want results, and from those who want silence.
    func hint(_ text: String) {
        guard !isQuiet, !isJSON else { return }
        terminal.writeError(text + "\n")
    }

    /// A command about the same desk, with all that was said here of where it lies: without it, the next would open
    /// another desk.
    func again(_ command: String, home: String? = nil) -> String {
        var text = "quire \(command)"
        if let home = home ?? value("home").map(absolute) { text += " --home \(Config.quoted(home))" }
        if let database = value("database") {
            let holdsPassword = Store.DatabaseChoice.holdsPassword(database)
            text +=
                holdsPassword ? " --database … (as you gave it)" : " --database \(Config.quoted(database))"
        }
        if let server = value("server") { text += " --server \(Config.quoted(server))" }
        if let certificate = value("server-certificate") {
            text += " --server-certificate \(Config.quoted(certificate))"
        }
        return text
    }

    /// Progress of `work`, shown while it lasts.
    func withProgress<R>(
        _ title: String, unit: ProgressLine.Unit = .things, _ work: (Progress) throws -> R
    ) rethrows -> R {
        let line = ProgressLine(title, unit: unit, terminal: terminal, isQuiet: isQuiet || isJSON)
        let progress = Progress(cancellation: cancellation) { line.show($0) }
        defer { line.clear() }
        return try work(progress)
    }

    /// The configuration with all flags that are values of it.
    func config() throws -> Config {
        var flags: [String: String] = [:]
        for key in ConfigKey.all {
            guard let value = key.placeholder == nil && has(key.name) ? "yes" : value(key.name) else {
                continue
            }
            // An unset variable of the shell, most likely: the usual desk is never what is meant.
            guard !value.isEmpty || key.name != "home" && key.name != "database" else {
                throw UsageError(
                    message: "--\(key.name) needs a value, and was given nothing",
                    hint: "Is the variable set? Leave it out for the usual one.")
            }
            flags[key.name] =
                key.placeholder == "FOLDER" || key.placeholder == "FILE" ? absolute(value) : value
        }
        return try Config.load(flags: flags, environment: environment)
    }

    /// A path as typed, seen from the folder the command was called in.
    func absolute(_ path: String) -> String {
        if path.hasPrefix("/") || path.isEmpty { return path }
        return path == "." ? folder : folder + "/" + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
    }
}
