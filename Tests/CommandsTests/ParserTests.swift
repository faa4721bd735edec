import Testing

@testable import Commands

@Suite struct ParserTests {
    private let root = Command(
        name: "quire", summary: "a desk",
        subcommands: [
            Command(
                name: "serve", summary: "serve it",
                options: [
                    Option("port", letter: "p", "PORT", "the port"), Option("no-open", nil, "no browser"),
                ],
                run: { _ in }),
            Command(
                name: "add", summary: "add files",
                arguments: [Argument(name: "FILE", summary: "what to add", isRepeating: true)],
                options: [Option("tag", "TAG", "a tag", isRepeating: true)], run: { _ in }),
            Command(
                name: "jobs", summary: "jobs",
                subcommands: [Command(name: "list", summary: "all", run: { _ in })]),
            Command(name: "secret", summary: "hidden", isHidden: true, run: { _ in }),
        ])

    private func parse(_ line: String) throws -> Parsed {
        let parser = Parser(root: root)
        let parsed = try parser.parse(line.split(separator: " ").map(String.init))
        try parser.check(parsed)
        return parsed
    }

    private func refusal(_ line: String) -> UsageError? {
        do {
            _ = try parse(line)
            return nil
        } catch { return error as? UsageError }
    }

    @Test("options may stand before, between and behind, in every spelling")
    func spellings() throws {
        for line in [
            "serve --port 9", "serve --port=9", "serve -p 9", "serve -p9", "serve -qp 9",
            "-q serve -p9 --no-open",
        ] {
            #expect(try parse(line).options["port"] == ["9"], "\(line)")
        }
        #expect(try parse("--json serve -qv").options.keys.sorted() == ["json", "quiet", "verbose"])
        #expect(try parse("serve --port 1 --port 2").options["port"] == ["2"])
        #expect(try parse("add --tag a x --tag b y").options["tag"] == ["a", "b"])
    }

    @Test("two dashes end the options, and one dash is a word")
    func dashes() throws {
        #expect(try parse("add -- --port -x").arguments == ["--port", "-x"])
        #expect(try parse("add -").arguments == ["-"])
        #expect(try parse("add a -- b").arguments == ["a", "b"])
    }

    @Test("subcommands are found, and words after an argument are arguments")
    func subcommands() throws {
        #expect(try parse("jobs list").title == "quire jobs list")
        #expect(try parse("add serve").arguments == ["serve"])
        #expect(try parse("secret").title == "quire secret")
    }

    @Test("a slip of the finger is understood")
    func didYouMean() {
        #expect(refusal("serv")?.hint == "Did you mean “quire serve”?")
        #expect(refusal("sevre")?.hint == "Did you mean “quire serve”?")
        #expect(refusal("jobs lst")?.hint == "Did you mean “quire jobs list”?")
        #expect(refusal("serve --prot 1")?.hint == "Did you mean --port?")
        #expect(refusal("serve --noopen")?.hint == "Did you mean --no-open?")
        #expect(refusal("wholly-different")?.hint == "See “quire --help”.")
        #expect(refusal("secre")?.hint.contains("secret") == false)
    }

    @Test(
        "who wants to put away is led to the bin, and never to what moves papers or lets them go",
        arguments: [
            ("delete", "trash"), ("remove", "trash"), ("rm", "trash"), ("del", "trash"), ("delet", "trash"),
            ("rmove", "trash"), ("relete", "trash"), ("remane", "rename"), ("relase", "release"),
            ("mve", "move"), ("users delete", "users remove"), ("tokens delete", "tokens revoke"),
            ("recipients delete", "recipients remove"),
        ])
    func puttingAway(_ words: String, _ meant: String) {
        let said = quire(words.split(separator: " ").map(String.init) + ["bill.pdf"])
        #expect(said.code == .usage)
        #expect(said.error.contains("Did you mean “quire \(meant)”?"))
    }

    @Test(
        "what cannot be understood is said, and how to find out",
        arguments: [
            ("jobs", "quire jobs needs one of: list"), ("add", "quire add needs FILE: what to add"),
            ("serve x", "quire serve has no use for “x”"), ("serve --port", "--port needs a value: PORT"),
            ("serve --no-open=1", "--no-open takes no value, but “1” was given"),
            ("serve -x", "quire serve has no option -x"),
            ("", "quire needs one of: serve, add, jobs"),
        ])
    func refusals(_ line: String, _ message: String) {
        #expect(refusal(line)?.message == message)
    }

    @Test("the distance of words counts changes and swaps")
    func distance() {
        #expect(Spelling.distance("", "abc") == 3)
        #expect(Spelling.distance("serve", "sevre") == 1)
        #expect(Spelling.distance("list", "lists") == 1)
        #expect(Spelling.distance("abc", "xyz") == 3)
    }
}
