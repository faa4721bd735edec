import Bytes
import Glibc
import Library
import Storage
@testable import Sync
import TestSupport
import Testing
import Work

/// The program itself, killed without warning wherever it happens to be.
@Suite(
    "Desks that are killed", .enabled(if: builtProgram("quire") != nil, "the program was not built"),
    .serialized)
struct KilledTests {
    @Test(
        "A desk that is killed on its visits, dozens of times at any moment, loses nothing and brings nothing back"
    )
    func visits() throws {
        try withQuickFolder { folder in
            #expect(mkdir("\(folder)/place", 0o700) == 0)
            let desks = try ["home", "office"].map { try Shell($0, folder) }
            var dice = Dice(17)
            var wanted: [String: String] = [:]
            var kills = 0
            for desk in desks { try desk.run("sync", "add", "\(folder)/place") }
            var round = -1
            while kills < 24, round < 60 {
                round += 1
                for desk in desks {
                    let name = "\(desk.name) \(round).txt"
                    try desk.add(name, "words of \(desk.name), \(round)")
                    wanted[name] = "words of \(desk.name), \(round)"
                }
                if round % 4 == 3,
                    let gone = try desks[round / 4 % 2].names().filter({ wanted[$0] != nil }).first
                {
                    try desks[round / 4 % 2].run("trash", gone)
                    wanted[gone] = nil
                }
                for desk in desks {
                    if try desk.killed(afterMicroseconds: dice.below(desk.usualMicroseconds), "sync", "now") {
                        kills += 1
                    }
                }
            }
            #expect(kills >= 24, "so few visits were killed: \(kills) in \(round) rounds")
            for _ in 0..<3 { for desk in desks { try desk.run("sync", "now") } }
            for desk in desks {
                #expect(try desk.names() == wanted.keys.sorted())
                for name in wanted.keys { #expect(try desk.text(name) == wanted[name]) }
                try desk.run("verify")
            }
        }
    }

    @Test("A mirror that is killed, dozens of times at any moment, loses nothing and brings nothing back")
    func mirror() throws {
        try withQuickFolder { folder in
            let desk = try Shell("home", folder)
            let mirror = "\(folder)/mirror"
            var dice = Dice(23)
            try desk.run("mirror", mirror, "--once")
            var wanted: [String: String] = [:]
            var kills = 0
            var round = -1
            while kills < 24, round < 60 {
                round += 1
                for number in 0..<2 {
                    try desk.add("library \(round).\(number).txt", "library \(round).\(number)")
                    wanted["library \(round).\(number).txt"] = "library \(round).\(number)"
                    let name = "disk \(round).\(number).txt"
                    try write(Array("disk \(round).\(number)".utf8), to: "\(mirror)/\(name)")
                    #expect(system("touch -d '1 hour ago' '\(mirror)/\(name)'") == 0)
                    wanted[name] = "disk \(round).\(number)"
                }
                if round % 4 == 3,
                    let gone = wanted.keys.sorted().first(where: { access("\(mirror)/\($0)", F_OK) == 0 })
                {
                    // Seen by the mirror before it goes.
                    try desk.run("mirror", mirror, "--once")
                    unlink("\(mirror)/\(gone)")
                    wanted[gone] = nil
                }
                if try desk.killed(
                    afterMicroseconds: dice.below(desk.usualMicroseconds), "mirror", mirror, "--once")
                {
                    kills += 1
                }
            }
            #expect(kills >= 24, "so few rounds were killed: \(kills) of \(round)")
            for _ in 0..<2 { try desk.run("mirror", mirror, "--once") }
            #expect(try desk.names() == wanted.keys.sorted())
            for (name, text) in wanted {
                #expect(try desk.text(name) == text)
                #expect(try String(decoding: contents(of: "\(mirror)/\(name)"), as: UTF8.self) == text)
            }
            try desk.run("verify")
        }
    }
}

/// A desk as somebody at a shell has it.
private final class Shell {
    let name: String
    private let folder: String
    private let program: String

    init(_ name: String, _ folder: String) throws {
        self.name = name
        self.folder = folder
        program = try #require(builtProgram("quire"))
    }

    /// How long a visit or a round takes when nobody kills it, so that a fast machine is killed at the same points.
    private(set) var usualMicroseconds = 60_000

    private var environment: [String: String] {
        ["PATH": "/usr/bin:/bin", "HOME": folder, "QUIRE_HOME": "\(folder)/\(name)", "LC_ALL": "C.UTF-8"]
    }

    @discardableResult
    func run(_ words: String...) throws -> String {
        let begun = ContinuousClock().now
        let outcome = try Child(program, words, environment: environment).run()
        if ["sync", "mirror"].contains(words[0]) {
            usualMicroseconds = max(1000, Int((ContinuousClock().now - begun) / .microseconds(1)))
        }
        #expect(outcome.succeeded, "\(name) \(words): \(outcome.errorText)")
        return outcome.outputText
    }

    func add(_ file: String, _ text: String) throws {
        let path = "\(folder)/\(file)"
        try write(Array(text.utf8), to: path)
        try run("add", path)
        unlink(path)
    }

    /// Whether it was killed before it ended by itself.
    func killed(afterMicroseconds time: Int, _ words: String...) throws -> Bool {
        let line =
            "\"$0\" \"$@\" >/dev/null 2>&1 & sleep \(Double(time) / 1_000_000); kill -KILL $! 2>/dev/null; wait $!; [ $? = 137 ]"
        return try Child("/bin/bash", ["-c", line, program] + words, environment: environment).run().succeeded
    }

    func names() throws -> [String] {
        let list = try JSON(parsing: run("list", "--json", "--limit", "200"))
        return (list["documents"]?.array ?? []).compactMap { $0["name"]?.string }.sorted()
    }

    func text(_ file: String) throws -> String {
        let path = "\(folder)/got"
        unlink(path)
        try run("get", file, path)
        return String(decoding: try contents(of: path), as: UTF8.self)
    }
}
