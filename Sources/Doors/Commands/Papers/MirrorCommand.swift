import App
import Bytes
import Library
import Storage
import Work

extension Command {
    static let mirror = Command(
        name: "mirror",
        summary: "keep the library as plain files in a folder, and take in what is changed there",
        discussion: """
            Real folders and real names, for every program. A file that is changed there is a new version of its paper, a \
            new one comes into the library, a deleted one goes into the trash; names and places go both ways. Only what \
            nobody has touched for a few seconds is taken in. What was changed here and there at the same time is kept \
            twice. Private folders are left out. Where most of the papers are gone at once, nothing is thrown away: bring \
            them back, or say with --again or --all what was meant. It goes on until Ctrl-C; with mirror-folder in the configuration, quire \
            serve does the same by itself.
            """,
        arguments: [
            Argument(
                name: "FOLDER", summary: "an empty folder the first time, or one to be made",
                completion: .folder)
        ],
        options: [
            Option("once", nil, "make both the same once, and end; what is missing there is deleted"),
            Option("again", nil, "with --once: write papers there again of which most are gone"),
            Option("all", nil, "with --once: throw them away although they are most of the papers"),
            .database,
        ],
        examples: [
            Example("quire mirror ~/Papers", "until Ctrl-C"),
            Example("quire mirror ~/Papers --once", "now, for a script or a timer"),
            Example("quire mirror ~/Papers --once --again", "after the folder was emptied by mistake"),
        ],
        run: { call in
            let desk = try call.desk(making: true)
            defer { desk.close() }
            guard let local = desk.local else {
                throw UsageError(
                    message: "quire mirror works on the machine that holds the desk",
                    hint: "From elsewhere, open the library as a network folder: \(desk.place)/dav/")
            }
            let emptied: Mirror.Emptied =
                call.has("all") ? .trashed : call.has("again") ? .writtenAgain : .waits
            guard emptied == .waits || call.has("once") && !(call.has("all") && call.has("again")) else {
                throw UsageError(
                    message: "--again and --all say what one round does",
                    hint: "One of them, with --once: \(call.again("mirror FOLDER --once --again"))")
            }
            let mirror = try Mirror(local.documents, folder: call.absolute(call.arguments[0]))
            if call.has("once") {
                let round = try call.withProgress("Mirroring") {
                    try mirror.round(isFinal: true, emptied: emptied, progress: $0)
                }
                call.answer(round.json) { MirrorWords.text(round) + MirrorWords.sum(round) }
                let troubles = round.events.filter { $0.act == .trouble }
                guard troubles.isEmpty else {
                    throw Failure(
                        .conflict,
                        "\(Words.count(troubles.count, "thing", "things")) could not be carried over.")
                }
                return
            }
            try watch(mirror, call)
        })

    private static func watch(_ mirror: Mirror, _ call: Invocation) throws {
        let pause = Pause(call.cancellation)
        var isFirst = true
        while true {
            let round: Mirror.Round
            do {
                round =
                    isFirst
                    ? try call.withProgress("Mirroring") { try mirror.round(progress: $0) }
                    : try mirror.round(progress: Progress(cancellation: call.cancellation))
            } catch is Cancelled {
                return
            }
            // The first time all of the library is written; nobody reads that line by line.
            if call.isJSON {
                for event in round.events { call.terminal.write(event.json.text + "\n") }
            } else {
                var shown = round
                if isFirst { shown.events.removeAll { $0.act == .written } }
                call.terminal.write(MirrorWords.text(shown))
                if isFirst { call.hint(MirrorWords.sum(round) + "Ctrl-C ends it.") }
            }
            isFirst = false
            guard pause.wait(round.pause) else { return }
        }
    }
}

private enum MirrorWords {
    static func text(_ round: Mirror.Round) -> String {
        round.events.map { event in
            let remark = TextTable.harmless(event.remark)
            let path = TextTable.harmless(event.path)
            let words =
                switch event.act {
                case .takenIn: "← \(path)  is in the library now"
                case .revised: "← \(path)  is a new version"
                case .renamed: "← \(path)  was \(remark)"
                case .trashed: "← \(path)  is in the trash"
                case .keptTwice: "← \(path)  is kept twice"
                case .written: "→ \(path)  was written"
                case .moved: "→ \(path)  was \(remark)"
                case .removed: "→ \(path)  was removed"
                case .trouble: "!  \(path)"
                }
            let isSaid = [.renamed, .moved].contains(event.act) || remark.isEmpty
            return words + (isSaid ? "" : ": \(remark)") + "\n"
        }.joined()
    }

    static func sum(_ round: Mirror.Round) -> String {
        var text = "\(Words.count(round.papers, "paper lies", "papers lie")) in the mirror.\n"
        if round.privateFolders > 0 {
            text +=
                "\(Words.count(round.privateFolders, "private folder is", "private folders are")) left out, with what is in \(round.privateFolders == 1 ? "it" : "them").\n"
        }
        if round.waiting > 0 {
            text +=
                "\(Words.count(round.waiting, "thing is", "things are")) still being written, and \(round.waiting == 1 ? "follows" : "follow") later.\n"
        }
        return text
    }
}

extension Mirror.Round {
    fileprivate var json: JSON {
        [
            "papers": .int(papers), "waiting": .int(waiting), "privateFolders": .int(privateFolders),
            "events": .array(events.map(\.json)),
        ]
    }
}

extension Mirror.Event {
    fileprivate var json: JSON {
        ["act": .string(act.rawValue), "path": .string(path), "remark": .string(remark)]
    }
}
