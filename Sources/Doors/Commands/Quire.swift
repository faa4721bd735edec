extension Command {
    /// The whole command line.
    static let quire = Command(
        name: "quire", summary: "your private paper desk",
        discussion: """
            Keeps papers on a desk of your own: take them in, find them, share them, work on them in the browser and \
            on the phone. Everything lies in one folder on this machine, and nothing leaves it unless you send it.
            """,
        examples: [
            Example("quire fill form.pdf people.csv --out forms", "fill a form for everybody in a table"),
            Example("quire config", "see how the desk is set up, and why"),
        ],
        subcommands: [.fields, .fill, .harvest, .flatten, .config, .help, .man, .completions, .version])
}
