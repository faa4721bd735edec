import Access
import App
import Bytes
import Storage
import Work

extension Command {
    static let plans = Command(
        name: "plans", summary: "plans and licences, for those who run Quire for others",
        discussion: """
            Whoever hosts Quire for themselves has everything and needs none of this. An operator keeps a file of plans and \
            names it by plan-file; a desk without a licence has the first of them. Licences are signed here, and are \
            checked on the desk without asking anybody.
            """,
        examples: [
            Example("quire plans key --out seller.key", "once: the key that signs your licences"),
            Example(
                "quire plans example subscription --key seller.key > plans.json", "plans to change to yours"),
            Example("quire serve --plan-file plans.json", "a desk under these plans"),
            Example(
                "quire plans licence studio --key seller.key --for Ada --kind subscription --until 2027-12-31",
                "for who has bought"),
            Example("quire plans restore licence.txt", "on the desk: what was bought counts"),
        ],
        subcommands: [
            showPlans, tryPlan, restoreLicence, simulateFree, examplePlans, licenceKey, makeLicence,
        ])

    private static let showPlans = Command(
        name: "show", summary: "what the desk may do under its plan, and why", options: [.database],
        examples: [Example("quire plans show", "what counts now, and what is in use")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let plans = try desk.client.get("/plans")
            call.answer(plans) { told(plans, call) }
        })

    private static let tryPlan = Command(
        name: "try", summary: "try a plan for the days its operator gives, once",
        arguments: [Argument(name: "PLAN", summary: "its id")], options: [.database],
        examples: [Example("quire plans try studio", "it ends by itself")],
        run: { call in
            try change(call, ["trial": .string(call.arguments[0])])
        })

    private static let restoreLicence = Command(
        name: "restore", summary: "bring what was bought to this desk, as often as it is needed",
        arguments: [
            Argument(name: "LICENCE", summary: "its text, or a file that holds it", completion: .file)
        ], options: [.database],
        examples: [Example("quire plans restore licence.txt", "as its seller sent it")],
        run: { call in
            let given = call.arguments[0]
            let text = given.hasPrefix("QUIRE-LICENCE.") ? given : try call.text(ofFile: given)
            try change(call, ["licence": .string(text)])
        })

    private static let simulateFree = Command(
        name: "simulate", summary: "see the desk as people without a licence do, or stop that",
        arguments: [
            Argument(name: "free|off", summary: "what to see", completion: .choices(["free", "off"]))
        ], options: [.database],
        examples: [Example("quire plans simulate free", "changes nothing that is kept")],
        run: { call in
            guard ["free", "off"].contains(call.arguments[0]) else {
                throw UsageError(
                    message: "“\(call.arguments[0])” is neither free nor off",
                    hint: "quire plans simulate free")
            }
            try change(call, ["simulateFree": .bool(call.arguments[0] == "free")])
        })

    private static let examplePlans = Command(
        name: "example", summary: "a whole plan file to begin with",
        discussion: """
            once: all of it after paying once. add-on: the whole program and one thing beside it. subscription: with a time \
            to try it. lifetime: by the month, or for good. seats: for so many members. In each, Free looks, tries and \
            scans, and fills one form for ten people.
            """,
        arguments: [
            Argument(
                name: "NAME", summary: PlanExample.allCases.map(\.rawValue).joined(separator: ", "),
                completion: .choices(PlanExample.allCases.map(\.rawValue)))
        ], options: [sellerKey],
        examples: [
            Example("quire plans example seats --key seller.key > plans.json", "then change names and prices")
        ],
        run: { call in
            guard let example = PlanExample(rawValue: call.arguments[0]) else {
                let names = PlanExample.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError(
                    message: "There is no example “\(call.arguments[0])”", hint: "There are: \(names).")
            }
            let file = example.file(licenceKey: try call.sellerKey().published)
            call.answer(file) { file.pretty + "\n" }
        })

    private static let licenceKey = Command(
        name: "key", summary: "make the key that signs your licences",
        discussion:
            "Keep it safe, and off the desks: whoever has it can make licences. Its public half goes into the plan file.",
        options: [Option("out", "FILE", "where to write it", completion: .file)],
        examples: [Example("quire plans key --out seller.key", "once")],
        run: { call in
            guard let out = call.value("out") else {
                throw UsageError(
                    message: "Say where to write the key", hint: "quire plans key --out seller.key")
            }
            let key = try LicenceKey.make()
            let path = call.absolute(out)
            let file = try NewFile(path, mode: 0o600)
            try Array("\(key.text)\n".utf8).withUnsafeBytes { try file.write($0) }
            try file.finish()
            call.answer(["file": .string(path), "licenceKey": .string(key.published)]) {
                "The key is in \(path). In the plan file it is “licenceKey”: \(key.published)\n"
            }
            call.hint("Next: quire plans example subscription --key \(out) > plans.json")
        })

    private static let makeLicence = Command(
        name: "licence", summary: "sign a licence for who has bought",
        arguments: [Argument(name: "PLAN", summary: "the id of a plan or an add-on in your plan file")],
        options: [
            sellerKey, Option("for", "NAME", "who has bought it"),
            Option(
                "kind", "KIND", "once, subscription, trial or lifetime",
                completion: .choices(Licence.Kind.allCases.map(\.rawValue))),
            Option("until", "DAY", "the last day it counts"),
            Option("from", "DAY", "the first day, instead of today"),
            Option("grace", "DAYS", "how long it still counts after that, for payments that are late"),
            Option("seats", "NUMBER", "for how many members"),
        ],
        examples: [
            Example("quire plans licence full --key seller.key --for Ada --kind once", "without an end"),
            Example(
                "quire plans licence team --key seller.key --for School --kind subscription --seats 12 --until 2027-07-31 --grace 14",
                "for twelve members"),
        ],
        run: { call in
            let key = try call.sellerKey()
            guard let holder = call.value("for"), !holder.isEmpty else {
                throw UsageError(message: "Say who has bought it", hint: "--for 'Ada Lovelace'")
            }
            let word = call.value("kind") ?? Licence.Kind.once.rawValue
            guard let kind = Licence.Kind(rawValue: word) else {
                throw UsageError(
                    message: "“\(word)” is no kind of licence", hint: "once, subscription, trial or lifetime")
            }
            let now = Clock.system.now()
            let until = try call.day("until").map { $0 + .seconds(86_400) }
            let from = try call.day("from") ?? now
            switch kind {
            case .subscription, .trial:
                if until == nil {
                    throw UsageError(message: "A \(word) ends on some day", hint: "--until 2027-12-31")
                }
            case .once, .lifetime: break
            }
            if let until, until <= from {
                throw UsageError(
                    message: "It would end before it begins", hint: "--until is the last day it counts.")
            }
            let licence = Licence(
                id: "L-\(Hex.encode(Chance.system.bytes(8)))", plan: call.arguments[0], kind: kind,
                holder: holder, seats: try call.number("seats", in: 1...1_000_000), startsAt: from,
                endsAt: until,
                graceDays: try call.number("grace", in: 0...3660) ?? 0)
            let text = try key.text(of: licence)
            call.answer(["id": .string(licence.id), "licence": .string(text)]) { text + "\n" }
        })

    private static let sellerKey = Option("key", "FILE", "the key of quire plans key", completion: .file)

    private static func change(_ call: Invocation, _ wish: JSON) throws {
        let desk = try call.desk()
        defer { desk.close() }
        let plans = try desk.client.send("POST", "/settings/plans", wish)
        call.answer(plans) { told(plans, call) }
    }

    private static func told(_ plans: JSON, _ call: Invocation) -> String {
        var lines = ["Plan: \(TextTable.harmless(plans["plan"]?.string ?? ""))"]
        if let end = plans["endsAt"]?.string {
            lines[0] += "\(plans["isTrial"] == true ? ", on trial" : ""), until \(end.prefix(10))"
        }
        if plans["simulatesFree"] == true { lines.append("The desk behaves as it does without a licence.") }
        let decisions = plans["decisions"]?.array ?? []
        if (plans["offered"]?.array ?? []).isEmpty, plans["simulatesFree"] != true {
            lines.append("You host Quire yourself: nothing is limited.")
        } else {
            var table = TextTable(["What", "In use", "Allowed"])
            for decision in decisions {
                let limit = decision["limit"]?.int.map { "\($0)" }
                table.add([
                    decision["what"]?.string ?? "", decision["used"]?.int.map { "\($0)" } ?? "",
                    decision["allowed"] == false
                        ? limit.map { "no more than \($0)" } ?? "no" : limit ?? "yes",
                ])
            }
            lines.append(table.text(call.terminal.outputStyle))
        }
        for id in (plans["trials"]?.array ?? []).compactMap(\.string) {
            lines.append("To try “\(TextTable.harmless(id))”: \(call.again("plans try \(id)"))")
        }
        if let shop = plans["buy"]?.string { lines.append("To buy: \(TextTable.harmless(shop))") }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Invocation {
    fileprivate func sellerKey() throws -> LicenceKey {
        guard let path = value("key") else {
            throw UsageError(
                message: "Say which key signs",
                hint: "--key FILE; “quire plans key --out seller.key” makes one.")
        }
        return try LicenceKey(text(ofFile: path))
    }

    fileprivate func text(ofFile path: String) throws -> String {
        String(decoding: try Files.read(absolute(path), atMost: 1 << 16), as: UTF8.self)
    }

    fileprivate func day(_ name: String) throws -> Moment? {
        guard let text = value(name) else { return nil }
        guard let day = Moment(iso8601: text + "T00:00:00Z") else {
            throw UsageError(
                message: "--\(name) takes a date like 2027-12-31, not “\(text)”",
                hint: "Days end at midnight UTC.")
        }
        return day
    }

    fileprivate func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                message:
                    "--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”",
                hint: "Leave it out for none.")
        }
        return number
    }
}
