import App
import Bytes
import CardCase
import Storage
import Work

extension Command {
    static let card = Command(
        name: "card", summary: "your digital business cards: made, shown and given away",
        examples: [
            Example("quire card new --given Ana --family López --field ana@example.org", "a first card"),
            Example("quire card qr", "its square code, here in the terminal"),
        ],
        subcommands: [
            .cardNew, .cardList, .cardShow, .cardEdit, .cardRemove, .cardDefault, .cardQR, .cardExport,
            .cardPrint, .cardSignature, .cardPicture, .cardPass, .cardTag, .cardPublish,
        ])

    private static let settable = Option.of(OwnCard.settable, only: OwnCard.settable.map(\.name))

    private static let cardNew = Command(
        name: "new", summary: "make a card",
        discussion: """
            A field is what you paste: an address is recognised as its kind. What does not say what it is has its kind \
            before it, as in --field whatsapp=+525555550100; a name of your own goes between, as in \
            --field mobile:Studio=+15145550100. The first card is the default one.
            """,
        options: settable + fieldOptions + pictureOptions + [.database],
        examples: [
            Example(
                "quire card new --given Ana --family López --field mobile=+15145550100 --field github.com/ana",
                "with a telephone and an account that was recognised"),
            Example("quire card new --organization Lumière --theme ink --logo logo.png", "of a company"),
        ],
        run: { call in
            var said = try call.said(OwnCard.settable)
            let fields = try call.givenFields()
            if !fields.isEmpty { said["fields"] = .array(fields) }
            let pictures = try call.givenPictures()
            let desk = try call.desk(making: true)
            defer { desk.close() }
            var card = try desk.client.send("POST", "/cards", .object(said))
            card = try desk.client.put(pictures, on: card, call)
            call.answer(card) { CardWords.text(card, call) }
        })

    private static let cardList = Command(
        name: "list", summary: "show your cards", options: [.database],
        examples: [Example("quire card list", "the default one first")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let found = try desk.client.get("/cards")
            call.answer(found) {
                let cards = found["cards"]?.array ?? []
                guard !cards.isEmpty else {
                    return "There are no cards. Begin with: quire card new --given NAME\n"
                }
                var table = TextTable(["Card", "Name", "Fields", "Address", ""], rightAligned: [2])
                for card in cards {
                    table.add([
                        card["label"]?.string ?? "", card["name"]?.string ?? "",
                        "\(card["fields"]?.array?.count ?? 0)", card["address"]?.string ?? "",
                        card["default"]?.bool == true ? "default" : "",
                    ])
                }
                return table.text(call.terminal.outputStyle)
            }
        })

    private static let cardShow = Command(
        name: "show", summary: "show what a card says", arguments: [.ownCard], options: [.database],
        examples: [Example("quire card show Work", "each field, and who sees it")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let card = try desk.client.card(call.arguments.first)
            call.answer(card) { CardWords.text(card, call) }
        })

    private static let cardEdit = Command(
        name: "edit", summary: "change a card",
        discussion: """
            What is not said stays as it is. Fields are added behind the others; --drop takes one out by the number that \
            quire card show gives it, --first brings one to the top. Old addresses of the card go on leading to it.

            --crop says which part of a picture is shown: where its middle is, from the left and from above, and how large \
            it is, all in thousandths, and last by how many degrees it is turned. 500,500,1000 is the usual; a logo has a \
            width and a height: logo=500,500,1000,600. The file itself stays as it came. --photo '' takes the photo off; \
            --restore photo brings back what was there before.
            """,
        arguments: [.ownCard],
        options: settable + fieldOptions + pictureOptions + [
            Option(
                "restore", "PICTURE", "bring back the photo, cover or logo that was there before",
                isRepeating: true, completion: .choices(CardPicture.Kind.allCases.map(\.rawValue))),
            Option("drop", "NUMBER", "take this field out", isRepeating: true),
            Option("first", "NUMBER", "bring this field to the top"),
            Option("no-photo", nil, "take the picture off"),
            Option("address", "WORD", "give it this address, or another one by chance for new"), .database,
        ],
        examples: [
            Example("quire card edit Work --title Architect", "what she does"),
            Example(
                "quire card edit --photo me.jpg --crop photo=400,350,600", "a photo, and what is seen of it"),
            Example(
                "quire card edit --private-field iban=DE89370400440532013000", "a field nobody else sees"),
        ],
        run: { call in
            var said = try call.said(OwnCard.settable)
            let more = try call.givenFields()
            let pictures = try call.givenPictures()
            let desk = try call.desk()
            defer { desk.close() }
            var card = try desk.client.card(call.arguments.first)
            var fields = card["fields"]?.array ?? []
            func place(_ text: String) throws -> Int {
                guard let number = Int(text), (1...max(1, fields.count)).contains(number), !fields.isEmpty
                else {
                    throw UsageError(
                        message: "there is no field number “\(text)”", hint: "quire card show numbers them.")
                }
                return number - 1
            }
            let dropped = Set(try (call.options["drop"] ?? []).map(place))
            let first = try call.value("first").map(place)
            var kept = fields.indices.filter { !dropped.contains($0) }
            if let first, let at = kept.firstIndex(of: first) { kept.insert(kept.remove(at: at), at: 0) }
            fields = kept.map { fields[$0] } + more
            if !dropped.isEmpty || first != nil || !more.isEmpty { said["fields"] = .array(fields) }
            let path = "/cards/\(card["id"]?.string ?? "")"
            if !said.isEmpty { card = try desk.client.send("PATCH", path, .object(said)) }
            card = try desk.client.put(pictures, on: card, call)
            if call.has("no-photo") {
                try desk.client.send("DELETE", "\(path)/photo")
                card = try desk.client.get(path)
            }
            if let word = call.value("address") {
                card = try desk.client.send(
                    "POST", "\(path)/address", word == "new" ? [:] : ["slug": .string(word)])
            }
            call.answer(card) { CardWords.text(card, call) }
        })

    private static let cardRemove = Command(
        name: "remove", summary: "remove a card",
        discussion: "Its addresses then say that it is gone. Nobody else gets them.",
        arguments: [.namedCard], options: [.database],
        examples: [Example("quire card remove Band", "for good")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let card = try desk.client.card(call.arguments[0])
            try desk.client.send("DELETE", "/cards/\(card["id"]?.string ?? "")")
            call.answer(["removed": card]) {
                "“\(TextTable.harmless(CardWords.called(card)))” is removed.\n"
            }
        })

    private static let cardDefault = Command(
        name: "default", summary: "make a card the one that is shown when nobody says which",
        arguments: [.namedCard], options: [.database],
        examples: [Example("quire card default Work", "from now on")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let card = try desk.client.card(call.arguments[0])
            let now = try desk.client.send("POST", "/cards/\(card["id"]?.string ?? "")/default")
            call.answer(now) { "“\(TextTable.harmless(CardWords.called(now)))” is the default card.\n" }
        })

    private static let cardQR = Command(
        name: "qr", summary: "show or write the square code of a card",
        discussion: """
            It holds the address of the card where the desk has one that others reach, and the card itself else; --holds \
            mecard is for telephones of old. What is not public never goes in, and what finds no room is told. The code \
            is read again before it is given.
            """,
        arguments: [.ownCard],
        options: [
            Option(
                "holds", "WHAT", "address, vcard or mecard",
                completion: .choices(CodeContent.allCases.map(\.rawValue))),
            Option("out", letter: "o", "FILE", "write it there: .svg or .png", completion: .file), .database,
        ],
        examples: [
            Example("quire card qr", "the default card, here in the terminal"),
            Example(
                "quire card qr Work --holds vcard --out work.png", "for printing, readable without a network"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let card = try desk.client.card(call.arguments.first)
            let path = "/cards/\(card["id"]?.string ?? "")/code"
            var query: [(String, String)] = []
            if let holds = call.value("holds") { query.append(("holds", holds)) }
            let about = try desk.client.get(path, query)
            let leftOut = (about["leftOut"]?.array ?? []).compactMap(\.string)
            func target(_ form: String) -> String {
                DeskRequest("GET", path, query: query + [("as", form)]).target
            }
            if let given = call.value("out") {
                let form = given.lowercased().hasSuffix(".svg") ? "svg" : "png"
                let file = try call.newFile(
                    given, named: "\(Files.name(titled: CardWords.called(card))).png")
                try desk.client.download(target(form), to: file, progress: Progress())
                var answer = about
                answer["path"] = .string(file)
                call.answer(answer) { "\(TextTable.harmless(file))\n" }
            } else {
                let lines = call.isJSON ? [] : try desk.client.text(target("text")).split(separator: "\n")
                // Black on white whatever the colours of the terminal are: inverted codes are not read everywhere.
                let isStyled = call.terminal.outputStyle.isOn
                call.answer(about) {
                    lines.map { isStyled ? "\u{1B}[30;107m\($0)\u{1B}[0m\n" : "\($0)\n" }.joined()
                }
            }
            if !leftOut.isEmpty {
                call.hint(TextTable.harmless("No room in the code for: \(leftOut.joined(separator: ", "))."))
            }
            if about["isFine"]?.bool == false {
                call.hint("Print it at least 40 mm wide: its squares are small.")
            }
        })

    private static let cardExport = Command(
        name: "export", summary: "write a card as a file for address books",
        discussion:
            "What is public, unless --for says exchange (also what is for after an exchange) or private (all of it).",
        arguments: [.ownCard],
        options: [
            Option(
                "as", "FORM", "vcard3 (the usual), vcard4, jcard or jscontact",
                completion: .choices(["vcard3", "vcard4", "jcard", "jscontact"])),
            Option(
                "for", "WHOM", "public, exchange or private",
                completion: .choices(FieldAudience.allCases.map(\.rawValue))),
            Option("out", letter: "o", "FILE", "write it there; else to standard output", completion: .file),
            .database,
        ],
        examples: [
            Example("quire card export --out ana.vcf", "for a mail"),
            Example("quire card export Work --as jscontact", "on standard output"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let card = try desk.client.card(call.arguments.first)
            var query: [(String, String)] = []
            for name in ["as", "for"] { if let value = call.value(name) { query.append((name, value)) } }
            let target = DeskRequest("GET", "/cards/\(card["id"]?.string ?? "")/file", query: query).target
            guard let given = call.value("out") else {
                call.terminal.write(try desk.client.text(target))
                return
            }
            let ending = (call.value("as") ?? "vcard3").hasPrefix("j") ? "json" : "vcf"
            let file = try call.newFile(
                given, named: "\(Files.name(titled: CardWords.called(card))).\(ending)")
            try desk.client.download(target, to: file, progress: Progress())
            call.answer(["path": .string(file)]) { "\(TextTable.harmless(file))\n" }
        })

    private static let fieldOptions = [
        Option("field", "FIELD", "add a field that everybody sees", isRepeating: true),
        Option(
            "exchange-field", "FIELD", "add one that is seen after an exchange of cards", isRepeating: true),
        Option("private-field", "FIELD", "add one that only you see", isRepeating: true),
    ]

    private static let pictureOptions = [
        Option("photo", "FILE", "a picture of you: a JPEG or a PNG", completion: .file),
        Option("cover", "FILE", "a wide picture for the card's page", completion: .file),
        Option("logo", "FILE", "the logo of where you work", completion: .file),
        Option(
            "crop", "PICTURE=X,Y,SIZE", "which part of it is shown, as photo=500,400,600", isRepeating: true),
    ]
}

extension Argument {
    static let ownCard = Argument(
        name: "CARD", summary: "what you call it, its address or its id; the default one if left out",
        isOptional: true)
    fileprivate static let namedCard = Argument(
        name: "CARD", summary: "what you call it, its address or its id")
}

extension Invocation {
    /// `github.com/ana`, `mobile=+1…`, `mobile:Studio=+1…`
    fileprivate func givenFields() throws -> [JSON] {
        let options: [(name: String, audience: FieldAudience)] = [
            ("field", .everybody), ("exchange-field", .exchanged), ("private-field", .nobody),
        ]
        return options.flatMap { option in
            (self.options[option.name] ?? []).map { text in
                var field: JSON = ["visibility": .string(option.audience.rawValue)]
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let named = parts[0].split(separator: ":", maxSplits: 1).map(String.init)
                if parts.count == 2, let kind = named.first, FieldKind.named(kind) != nil {
                    field["kind"] = .string(kind)
                    field["value"] = .string(String(parts[1]))
                    if named.count > 1 { field["title"] = .string(named[1]) }
                } else {
                    field["value"] = .string(text)
                }
                return field
            }
        }
    }
}

/// What is to become of the pictures of a card.
private struct GivenPictures {
    /// Nil for one that is taken off.
    var files: [(kind: CardPicture.Kind, file: DeskRequest.File?)] = []
    var restored: [CardPicture.Kind] = []
    var crops: [(kind: CardPicture.Kind, crop: JSON)] = []
}

extension Invocation {
    fileprivate func givenPictures() throws -> GivenPictures {
        var given = GivenPictures()
        for kind in CardPicture.Kind.allCases {
            guard let path = value(kind.rawValue) else { continue }
            given.files.append((kind, path.isEmpty ? nil : try file(path)))
        }
        given.restored = try (options["restore"] ?? []).map { try picture(Substring($0)) }
        given.crops = try (options["crop"] ?? []).map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let kind = try picture(parts[0])
            let numbers = parts.count == 2 ? parts[1].split(separator: ",").map { Int($0) } : []
            let names = ["x", "y", "size"] + (kind.shape == nil ? ["height"] : [])
            guard [names.count, names.count + 1].contains(numbers.count), !numbers.contains(nil) else {
                throw UsageError(
                    message: "“\(text)” does not say which part is shown",
                    hint: "Write it as photo=500,400,600, with the turn behind it: photo=500,400,600,90.")
            }
            var crop: JSON = [:]
            for (name, number) in zip(names, numbers) { crop[name] = .optional(number) }
            if numbers.count > names.count, let turn = numbers.last {
                crop["turn"] = .optional(turn.map(String.init))
            }
            return (kind, crop)
        }
        return given
    }

    private func picture(_ word: Substring) throws -> CardPicture.Kind {
        guard let kind = CardPicture.Kind(rawValue: String(word)) else {
            throw UsageError(
                message: "a card has no picture “\(word)”", hint: "It has photo, cover and logo.")
        }
        return kind
    }
}

enum CardWords {
    static func called(_ card: JSON) -> String {
        let label = card["label"]?.string ?? ""
        return label.isEmpty ? card["name"]?.string ?? "" : label
    }

    static func text(_ card: JSON, _ call: Invocation) -> String {
        var text = "\(TextTable.harmless(card["name"]?.string ?? ""))\n"
        let about = ["title", "organization", "headline"].compactMap { card[$0]?.string }.filter {
            !$0.isEmpty
        }
        if !about.isEmpty { text += TextTable.harmless(about.joined(separator: " · ")) + "\n" }
        text += "\(card["address"]?.string ?? "")\n"
        let pictures = (card["pictures"]?.array ?? []).compactMap { $0["picture"]?.string }
        if !pictures.isEmpty { text += "with \(pictures.joined(separator: ", "))\n" }
        let fields = card["fields"]?.array ?? []
        guard !fields.isEmpty else { return text }
        var table = TextTable(["", "Field", "Value", "Seen"], rightAligned: [0])
        for (place, field) in fields.enumerated() {
            let seen =
                switch field["visibility"]?.string {
                case "public": "by everybody"
                case "exchange": "after an exchange"
                default: "by you"
                }
            table.add([
                "\(place + 1)", field["name"]?.string ?? "",
                (field["shown"]?.string ?? "").replacing("\n", with: ", "), seen,
            ])
        }
        return text + table.text(call.terminal.outputStyle)
    }
}

extension DeskClient {
    /// The card somebody means; the default one when they do not say.
    func card(_ reference: String?) throws -> JSON {
        let cards = try get("/cards")["cards"]?.array ?? []
        guard let reference else {
            guard let first = cards.first else {
                throw Failure(.notFound, "There are no cards. Begin with: quire card new --given NAME")
            }
            return first
        }
        let slug = reference.split(separator: "/").last.map(String.init) ?? reference
        let found = cards.filter { card in
            [card["id"], card["label"], card["name"]].contains(.string(reference))
                || card["slug"]?.string == slug.lowercased()
        }
        guard let card = found.first else {
            throw Failure(.notFound, "There is no card called “\(reference)”. See: quire card list")
        }
        guard found.count == 1 else {
            throw Failure(
                .conflict,
                "“\(reference)” could be one of \(found.count); say which by its id: \(found.compactMap { $0["id"]?.string }.joined(separator: ", "))"
            )
        }
        return card
    }

    fileprivate func put(_ given: GivenPictures, on card: JSON, _ call: Invocation) throws -> JSON {
        var card = card
        let path = "/cards/\(card["id"]?.string ?? "")"
        for (kind, file) in given.files {
            let place = "\(path)/\(kind.rawValue)"
            if let file {
                card = try call.withProgress("Drawing", unit: .bytes) {
                    try upload(file, to: place, progress: $0)
                }.json()
            } else {
                try send("DELETE", place)
                card = try get(path)
            }
        }
        for kind in given.restored { card = try send("POST", "\(path)/\(kind.rawValue)/restoration") }
        for (kind, crop) in given.crops { card = try send("PATCH", "\(path)/\(kind.rawValue)", crop) }
        return card
    }
}
