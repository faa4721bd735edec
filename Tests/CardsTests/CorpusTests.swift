import Bytes
import Cards
import TestSupport
import Testing

/// Cards of many programs, and conversions that somebody else's program makes.
enum CardCorpus {
    static func files(_ kind: String) -> [String] {
        CorpusFiles.names(kind).filter { $0.hasSuffix(".vcf") || $0.hasSuffix(".txt") }.map {
            "\(kind)/\($0)"
        }
    }

    static func bytes(_ path: String) -> [UInt8] {
        (try? CorpusFiles.bytes(path)) ?? []
    }

    static let isHere = CorpusFiles.has("vcard") && CorpusFiles.has("jscontact")
}

@Suite(
    "Cards of many programs",
    .enabled(if: CardCorpus.isHere, "the corpus of cards does not lie beside the repository"))
struct CorpusTests {
    @Test("Each card comes back byte for byte", arguments: CardCorpus.files("vcard"))
    func untouched(_ path: String) {
        let bytes = CardCorpus.bytes(path)
        let file = CardFile(bytes)
        #expect(!file.cards.isEmpty && file.refusals.isEmpty)
        var whole: [UInt8] = []
        for card in file.cards { whole += card.bytes(as: card.form) }
        func plain(_ bytes: [UInt8]) -> [UInt8] {
            // Between cards there may be empty lines, which belong to none.
            bytes.filter { $0 != 0x0A && $0 != 0x0D }
        }
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        #expect(plain(whole) == plain(isMarked ? Array(bytes.dropFirst(3)) : bytes))
    }

    @Test("What each card says survives all forms", arguments: CardCorpus.files("vcard"))
    func chain(_ path: String) throws {
        for original in CardFile(CardCorpus.bytes(path)).cards {
            var card = original
            for form in [CardForm.vcard3, .vcard4, .jscontact, .vcard4, .jcard] {
                let next = try #require(
                    CardFile(card.bytes(as: form)).cards.first, "\(original.name), \(form)")
                for (name, value) in original.fields {
                    let now = next.fields.first { $0.name == name }?.value
                    #expect(now == value, "\(original.name) in \(form): \(name)")
                }
                func texts(_ card: ContactCard) -> Set<String> {
                    Set(
                        card.properties.filter {
                            $0.kind == .unknown && $0.name != "JSPROP" && $0.name != "AGENT"
                                && $0.name != "X-AGENT"
                        }.map(\.value))
                }
                let now = Set(next.properties.map(\.value))
                #expect(now.isSuperset(of: texts(original)), "\(original.name) in \(form)")
                card = next
            }
        }
    }

    @Test(
        "Conversions of RFC 9555 are as another program makes them", arguments: CardCorpus.files("jscontact"))
    func conversions(_ path: String) throws {
        for trial in Trial.read(String(decoding: CardCorpus.bytes(path), as: UTF8.self)) {
            for (from, to) in zip(trial.steps, trial.steps.dropFirst()) {
                let card = try #require(from.card, "\(trial.name)")
                if to.isJSON {
                    let made = try JSON(parsing: card.bytes(as: .jscontact))
                    let wanted = try #require(to.json)
                    #expect(
                        Likeness.plain(made, as: wanted) == Likeness.plain(wanted, as: wanted),
                        "\(trial.name)\n\(Likeness.plain(made, as: wanted).pretty)\nwanted\n\(Likeness.plain(wanted, as: wanted).pretty)"
                    )
                } else {
                    let made = Likeness.lines(of: try #require(CardFile(card.bytes(as: .vcard4)).cards.first))
                    let wanted = Likeness.lines(of: try #require(to.card))
                    #expect(
                        made == wanted,
                        "\(trial.name)\n\(made.joined(separator: "\n"))\nwanted\n\(wanted.joined(separator: "\n"))"
                    )
                }
            }
        }
    }
}

/// One of the trials of a file: what is converted, and what it has to become.
private struct Trial {
    struct Step {
        var text: String
        var isJSON: Bool { text.hasPrefix("\"") }
        var json: JSON? {
            let members = try? JSON(parsing: "{\(text)}")
            return members
        }
        var card: ContactCard? {
            if isJSON {
                guard var json else { return nil }
                json["@type"] = "Card"
                return CardFile(json.bytes).cards.first
            }
            return CardFile(Array("BEGIN:VCARD\nVERSION:4.0\n\(text)\nEND:VCARD\n".utf8)).cards.first
        }
    }

    var name: String
    var steps: [Step] = []

    static func read(_ text: String) -> [Trial] {
        var trials: [Trial] = []
        var step = ""
        func close() {
            while step.last?.isNewline == true { step.removeLast() }
            let text = String(step.drop { $0.isNewline })
            if !text.isEmpty, !trials.isEmpty { trials[trials.count - 1].steps.append(Step(text: text)) }
            step = ""
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("> test ") {
                close()
                trials.append(Trial(name: String(line.dropFirst(7))))
            } else if line.hasPrefix("> convert") {
                close()
            } else {
                step += line + "\n"
            }
        }
        close()
        return trials
    }
}

/// What two programs may say differently without meaning anything else: the names of items, the kinds of objects, and a name
/// that the card did not say.
private enum Likeness {
    static func plain(_ json: JSON, as wanted: JSON) -> JSON {
        var json = json
        for key in ["@type", "version"] where wanted[key] == nil { json[key] = nil }
        // Items are put in an order of what they hold, and named by it.
        var names: [(String, String)] = []
        for collection in ["anniversaries", "addresses", "titles", "organizations"] {
            guard let items = json[collection]?.object else { continue }
            let ordered = items.sorted { sorted($0.value).text < sorted($1.value).text }
            for (number, item) in ordered.enumerated() {
                names.append(("\(collection)/\(item.key)", "\(collection)/#\(number)"))
            }
        }
        return renamed(sorted(json), names, collection: "")
    }

    /// Items are called by other names, wherever a name or a pointer to an item stands.
    private static func renamed(_ json: JSON, _ names: [(String, String)], collection: String) -> JSON {
        guard let members = json.object else { return json }
        return .object(
            JSONObject(
                members.map { member -> (String, JSON) in
                    var key = member.key
                    for (old, new) in names {
                        if "\(collection)/\(key)" == old {
                            key = String(new.dropFirst(collection.count + 1))
                            break
                        }
                        let strokes = (old.replacing("/", with: "~1"), new.replacing("/", with: "~1"))
                        if key.hasPrefix(old + "/") {
                            key = new + key.dropFirst(old.count)
                            break
                        }
                        if let range = key.firstRange(of: strokes.0 + "~1") {
                            key.replaceSubrange(range, with: strokes.1 + "~1")
                            break
                        }
                    }
                    return (key, renamed(member.value, names, collection: member.key))
                }))
    }

    /// Without the kinds of objects, which may be left out, and with members in one order.
    private static func sorted(_ json: JSON) -> JSON {
        switch json {
        case .object(let members):
            return .object(
                JSONObject(
                    members.filter { $0.key != "@type" }.sorted { $0.key < $1.key }.map {
                        ($0.key, sorted($0.value))
                    }))
        case .array(let list): return .array(list.map(sorted))
        default: return json
        }
    }

    /// Properties in one order. The other program writes JSCOMPS of names in no order as well, which RFC 9555 keeps for those
    /// that have one; what it makes up for a name nobody said is its own.
    static func lines(of card: ContactCard) -> [String] {
        card.properties.filter { $0.name != "VERSION" && !($0.name == "FN" && $0["DERIVED"] != nil) }.map {
            property in
            let parameters = property.parameters.filter { !["PROP-ID", "JSCOMPS"].contains($0.name) }
                .map {
                    "\($0.name)=\($0.values.joined(separator: ",").split(separator: ",").sorted().joined(separator: ","))"
                        .uppercased()
                }.sorted()
            let value =
                property.kind == .texts ? property.list.sorted().joined(separator: ",") : property.text
            return
                "\(property.group.map { $0 + "." } ?? "")\(property.name);\(parameters.joined(separator: ";")):\(value)"
        }.sorted()
    }
}
