import Bytes
import CardCase
import Conversion
import Glibc
import HTTP
import Storage
import Work

/// A card on paper, at the end of mails, and as files.
extension Command {
    static let cardPrint = Command(
        name: "print", summary: "write a sheet of cards to be printed and cut",
        discussion: """
            A PDF of ten cards with marks to cut along: name, what somebody does, the first public fields, the picture, and \
            a square code that quire card qr would make. --side plain leaves the code out, --side both puts it on a page of \
            its own for the back. What is long becomes smaller, then takes another line; fields that find no room are told. \
            Print it at its own size (100 %).
            """,
        arguments: [.ownCard],
        options: [
            Option(
                "out", letter: "o", "FILE", "write it there", completion: .file),
            Option(
                "paper", "SIZE", "a4 or letter; what is usual where you are",
                completion: .choices(["a4", "letter"])),
            Option(
                "size", "SIZE", "of a card: 85x55 (with A4) or 3.5x2in (with Letter)",
                completion: .choices(["85x55", "3.5x2in"])),
            Option(
                "side", "WHICH", "qr (the usual), plain or both",
                completion: .choices(["qr", "plain", "both"])),
            Option("no-marks", nil, "without marks to cut along"),
            .codeContent, .database,
        ],
        examples: [
            Example("quire card print --out cards.pdf", "the default card, ten times"),
            Example(
                "quire card print Work --side both --paper letter -o cards.pdf", "with the code on the back"),
        ],
        run: { call in
            guard let given = call.value("out") else {
                throw UsageError(message: "where to write it?", hint: "Say it with --out cards.pdf.")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let card = try desk.client.card(call.arguments.first)
            let path = "/cards/\(card["id"]?.string ?? "")/sheet"
            let usual =
                ConversionOptions.usualSize(of: call.environment.locale).split(separator: "-").last ?? ""
            var query = [("paper", call.value("paper") ?? String(usual))]
            for name in ["size", "side", "holds"] {
                if let value = call.value(name) { query.append((name, value)) }
            }
            if call.has("no-marks") { query.append(("marks", "no")) }
            var about = try desk.client.get(path, query + [("as", "json")])
            let file = try call.newFile(given, named: "\(Files.name(titled: CardWords.called(card))).pdf")
            try desk.client.download(
                DeskRequest("GET", path, query: query).target, to: file, progress: Progress())
            about["path"] = .string(file)
            call.answer(about) { "\(TextTable.harmless(file))\n" }
            let leftOut = (about["leftOut"]?.array ?? []).compactMap(\.string)
            if !leftOut.isEmpty {
                call.hint(
                    TextTable.harmless(
                        "No room on the card for: \(leftOut.joined(separator: ", ")). Move what matters up."))
            }
            let missing = about["missing"]?.string ?? ""
            if !missing.isEmpty {
                call.hint(TextTable.harmless("No font here has these letters: \(missing)"))
            }
        })

    static let cardPass = Command(
        name: "pass", summary: "write a card for Apple Wallet",
        discussion: """
            A pass with what is public and a code of the card's address. It is signed with the certificate that Apple gave \
            you (a Pass Type ID, taken in with quire identity import) and needs Apple's own certificate that issued it \
            (quire identity trust). It does not follow when the card changes; what its code leads to does.
            """,
        arguments: [.ownCard],
        options: [
            Option("out", letter: "o", "FILE", "write it there", completion: .file), .database,
        ],
        examples: [
            Example("quire card pass --out ana.pkpass", "to be sent to a telephone, or opened on a Mac")
        ],
        run: { call in
            guard let given = call.value("out") else {
                throw UsageError(message: "where to write it?", hint: "Say it with --out card.pkpass.")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let card = try desk.client.card(call.arguments.first)
            let file = try call.newFile(given, named: "\(Files.name(titled: CardWords.called(card))).pkpass")
            try desk.client.download(
                "/cards/\(card["id"]?.string ?? "")/pass", to: file, progress: Progress())
            call.answer(["path": .string(file)]) { "\(TextTable.harmless(file))\n" }
        })

    static let cardTag = Command(
        name: "nfc", summary: "write what an NFC tag of a card says",
        discussion: """
            A telephone that is held to the tag opens the card. --holds vcard puts the card itself behind the address, for apps \
            that read it. What comes out is an NDEF message, which any app for tags writes; without --out it is shown in \
            hexadecimal digits, with the smallest of the usual tags that holds it. In the browser, Chrome on Android writes \
            tags by itself.
            """,
        arguments: [.ownCard],
        options: [
            Option("out", letter: "o", "FILE", "write it there", completion: .file),
            Option(
                "holds", "WHAT", "what the tag says: address or vcard",
                completion: .choices(["address", "vcard"])), .database,
        ],
        examples: [
            Example("quire card nfc", "the bytes, and on which tag they fit"),
            Example("quire card nfc Work --out ana.ndef", "for an app that writes tags"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let card = try desk.client.card(call.arguments.first)
            let path = "/cards/\(card["id"]?.string ?? "")/tag"
            let query = call.value("holds").map { [("holds", $0)] } ?? []
            var tag = try desk.client.get(path, query)
            let count = tag["byteCount"]?.int ?? 0
            let fits =
                tag["tag"]?.string.map { "fits on \($0)" }
                ?? "larger than the usual tags; say --holds address"
            let size = "\(Words.count(count, "byte", "bytes")), \(fits)\n"
            guard let given = call.value("out") else {
                return call.answer(tag) { "\(tag["hex"]?.string ?? "")\n\(size)" }
            }
            let file = try call.newFile(given, named: "\(Files.name(titled: CardWords.called(card))).ndef")
            try desk.client.download(
                DeskRequest("GET", path, query: query + [("as", "ndef")]).target, to: file,
                progress: Progress())
            tag["path"] = .string(file)
            call.answer(tag) { "\(TextTable.harmless(file)): \(size)" }
        })

    static let cardSignature = Command(
        name: "signature", summary: "write a card as the end of a mail",
        discussion: """
            HTML that mail programs bear, with its links, or with --text the same in plain letters. It has what is public, \
            runs nothing and asks for nothing. --photo puts the picture into it: by its address where the desk has one that \
            others reach (who reads the mail then asks this desk for it), and written out else.
            """,
        arguments: [.ownCard],
        options: [
            Option("html", nil, "as HTML (the usual)"), Option("text", nil, "in plain letters"),
            Option("photo", nil, "with the picture"),
            Option("out", letter: "o", "FILE", "write it there; else to standard output", completion: .file),
            .database,
        ],
        examples: [
            Example("quire card signature --out signature.html", "to be pasted into a mail program"),
            Example("quire card signature Work --text", "on standard output"),
        ],
        run: { call in
            guard !call.has("html") || !call.has("text") else {
                throw UsageError(message: "--html and --text exclude each other", hint: "Name one of them.")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let card = try desk.client.card(call.arguments.first)
            let path = "/cards/\(card["id"]?.string ?? "")/signature"
            let query = call.has("photo") ? [("photo", "yes")] : []
            let form = call.has("text") ? "text" : "html"
            let target = DeskRequest("GET", path, query: query + [("as", form)]).target
            guard let given = call.value("out") else {
                if call.isJSON {
                    let both = try desk.client.get(path, query)
                    return call.answer(both) { "" }
                }
                call.terminal.write(try desk.client.text(target))
                return
            }
            let ending = form == "text" ? "txt" : "html"
            let file = try call.newFile(
                given, named: "\(Files.name(titled: CardWords.called(card))).\(ending)")
            try desk.client.download(target, to: file, progress: Progress())
            call.answer(["path": .string(file)]) { "\(TextTable.harmless(file))\n" }
        })

    static let cardPicture = Command(
        name: "picture", summary: "write a card as a picture for a screen",
        discussion: """
            A PNG with the name and a square code, which quire card qr would make: for a telephone that is locked \
            (1170 by 2532 pixels, the code in the middle, below the clock), behind you in a call (1920 by 1080), or for a \
            watch (396 by 484).
            """,
        arguments: [.ownCard],
        options: [
            Option(
                "kind", "WHICH", "wallpaper (the usual), call or glance",
                completion: .choices(["wallpaper", "call", "glance"])),
            Option("out", letter: "o", "FILE", "write it there: a PNG", completion: .file),
            .codeContent, .database,
        ],
        examples: [
            Example("quire card picture --out wallpaper.png", "for a telephone that is locked"),
            Example("quire card picture Work --kind call -o call.png", "behind you in a call"),
        ],
        run: { call in
            guard let given = call.value("out") else {
                throw UsageError(message: "where to write it?", hint: "Say it with --out wallpaper.png.")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let card = try desk.client.card(call.arguments.first)
            var query: [(String, String)] = []
            for name in ["kind", "holds"] { if let value = call.value(name) { query.append((name, value)) } }
            let file = try call.newFile(given, named: "\(Files.name(titled: CardWords.called(card))).png")
            try desk.client.download(
                DeskRequest("GET", "/cards/\(card["id"]?.string ?? "")/picture", query: query).target,
                to: file, progress: Progress())
            call.answer(["path": .string(file)]) { "\(TextTable.harmless(file))\n" }
        })

    static let cardPublish = Command(
        name: "publish", summary: "write cards as files for any web server",
        discussion: """
            A folder for each card: its page, which needs no desk and no scripts, its file for address books, its code as SVG \
            and PNG, and a picture of it; and a list of them where there are several. With --address codes and links lead \
            there; without, to this desk where others reach it, and else the code holds the card itself. Only what is public \
            is in it. “Send mine back” and links for one person work at the desk alone. The folder is new, empty, or one that \
            was published before; what else lies in it stays, and cards of before stay until you remove them.
            """,
        arguments: [
            Argument(
                name: "CARD", summary: "those to publish; the default one if left out", isOptional: true,
                isRepeating: true)
        ],
        options: [
            Option("all", nil, "all of your cards"),
            Option("out", letter: "o", "FOLDER", "write them there", completion: .folder),
            Option("address", "URL", "where the folder will lie, such as https://example.org/cards"),
            Option("force", nil, "also write beside and over files of others; none is removed"), .database,
        ],
        examples: [
            Example(
                "quire card publish Work --out site --address https://example.org/cards",
                "a page at https://example.org/cards/ADDRESS/"),
            Example("quire card publish --all --out site", "each card, and a list of them"),
        ],
        run: { call in
            guard let given = call.value("out") else {
                throw UsageError(message: "where to write them?", hint: "Say it with --out FOLDER.")
            }
            guard !call.has("all") || call.arguments.isEmpty else {
                throw UsageError(message: "--all goes without a card", hint: "Name cards, or say --all.")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let path = call.absolute(given)
            var folder = try CardFolder(path, isForced: call.has("force"))
            var query: [(String, String)] = []
            if !call.has("all") {
                let named: [String?] = call.arguments.isEmpty ? [nil] : call.arguments
                let ids = try named.map { try desk.client.card($0)["id"]?.string ?? "" }
                query.append(("cards", ids.joined(separator: ",")))
            }
            if let address = call.value("address") { query.append(("address", address)) }
            try Files.makeFolder(path)
            let archive = DraftFile.path(beside: path) + ".zip"
            defer { unlink(archive) }
            try desk.client.download(
                DeskRequest("GET", "/cards/copy", query: query).target, to: archive, progress: Progress())
            let files = try folder.take(archive, isForced: call.has("force"))
            let cards = Set(files.filter { $0.contains("/") }.map { String($0.prefix { $0 != "/" }) })
            let others = folder.others(than: cards)
            call.answer([
                "path": .string(path), "files": .array(files.map(JSON.string)),
                "others": .array(others.map(JSON.string)),
            ]) {
                "\(TextTable.harmless(path)): \(Words.count(cards.count, "card", "cards")).\n"
            }
            call.hint("“Send mine back” and links for one person work at the desk alone.")
            if !others.isEmpty {
                call.hint(
                    TextTable.harmless(
                        "Cards of before are still there: \(others.joined(separator: ", ")). Remove their folders if they are to go."
                    ))
            }
        })
}

extension Option {
    fileprivate static let codeContent = Option(
        "holds", "WHAT", "what the code says: address, vcard or mecard",
        completion: .choices(CodeContent.allCases.map(\.rawValue)))
}
