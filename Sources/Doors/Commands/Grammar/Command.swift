/// One thing `quire` can do, as a value: parsing, help, completions and the manual page are all made from it.
struct Command: Sendable {
    var name: String
    /// What it does, as the end of the sentence "this command will …".
    var summary: String
    /// Paragraphs for somebody who reads the help, an empty line between them.
    var discussion = ""
    var arguments: [Argument] = []
    var options: [Option] = []
    var examples: [Example] = []
    var subcommands: [Command] = []
    /// Works, but is not shown.
    var isHidden = false
    /// Nil for a name that only gathers subcommands.
    var run: (@Sendable (Invocation) throws -> Void)?

    struct Example: Sendable {
        var line: String
        var meaning: String

        init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }
}

/// What may stand behind a command's name.
struct Argument: Sendable {
    var name: String
    var summary: String
    var isOptional = false
    /// Takes all that are left.
    var isRepeating = false
    var mayBeEmpty = false
    var completion = Completion.nothing

    /// `FILE…`, `[FOLDER]`
    var usage: String {
        let word = isRepeating ? "\(name)…" : name
        return isOptional ? "[\(word)]" : word
    }
}

/// `--name`, with or without a value.
struct Option: Sendable {
    var name: String
    var letter: Character?
    /// What the value is called in help; nil for something that is said or not said.
    var placeholder: String?
    var summary: String
    var isRepeating = false
    var isHidden = false
    /// Something that is said or not said, which may also be written as `--name=true` or `--name=false`.
    var takesTruth = false
    var completion = Completion.nothing

    init(
        _ name: String, letter: Character? = nil, _ placeholder: String? = nil, _ summary: String,
        isRepeating: Bool = false, isHidden: Bool = false, completion: Completion = .nothing
    ) {
        self.name = name
        self.letter = letter
        self.placeholder = placeholder
        self.summary = summary
        self.isRepeating = isRepeating
        self.isHidden = isHidden
        self.completion = completion
    }

    var usage: String { "--\(name)" + (placeholder.map { " \($0)" } ?? "") }
}

/// What a shell offers when the tab key is pressed.
enum Completion: Sendable, Equatable {
    case nothing, file, folder
    case choices([String])
}

extension Option {
    static let help = Option("help", letter: "h", nil, "say what the command does, with examples")
    static let version = Option("version", nil, "say which Quire this is")
    static let json = Option("json", nil, "answer in JSON, for programs")
    static let quiet = Option("quiet", letter: "q", nil, "only results and errors, no hints and no progress")
    static let verbose = Option("verbose", letter: "v", nil, "also say what the machine said")
    static let home = Option("home", "FOLDER", "where the desk lies", completion: .folder)
    static let server = Option("server", "URL", "work on the desk of this server instead of the one here")
    static let token = Option("token", "TOKEN", "the API token for --server; better kept in QUIRE_TOKEN")

    static let showPrivate = Option(
        "private", nil, "also what lies in private folders; only on the machine that holds the desk")

    static let serverCertificate = Option(
        "server-certificate", "FILE", "trust this certificate of --server, one that it made itself",
        completion: .file)

    /// Understood by every command, before or after its name.
    static let everywhere: [Option] = [
        help, version, json, quiet, verbose, home, server, token, serverCertificate, showPrivate,
    ]
}
