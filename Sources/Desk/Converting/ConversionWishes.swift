public import Bytes
import Conversion
import Kinds
public import Library
public import Storage

/// What papers are to become, and how: the same words as on the command line.
public struct ConversionWishes: Sendable, Equatable {
    /// As `PaperKind` calls it.
    public var goal = "pdf"
    /// Several papers become one PDF.
    public var isTogether = true
    /// Results go into the library by themselves.
    public var keeps = false
    /// Where in the library; nil for the top.
    public var folder: ID<Folder>?
    /// What the results wear there.
    public var tags: [String] = []
    /// What is done with the results, one after the other: `ocr=eng`, `compress`. `encrypt` stands without its password.
    public var steps: [String] = []
    /// By their names in `ConversionOptions.words`, all but the password.
    public var options: [String: [String]] = [:]
    /// Opens locked papers.
    public var password: String?
    /// Locks the results, for the step `encrypt`.
    public var lock: String?

    public init() {}

    private static let words = ConversionOptions.words.filter { $0.name != "password" }

    /// Changes what `json` speaks of and leaves the rest: what is null or empty is wished no longer.
    public init(_ json: JSON, changing before: ConversionWishes = ConversionWishes()) throws {
        self = before
        guard let members = json.object else { throw Failure(.invalid, "Wishes are a JSON object.") }
        for (key, value) in members {
            switch key {
            case "to":
                guard let word = value.string, let kind = PaperKind.named(word) else {
                    throw Failure(
                        .invalid, "“to” is a kind of paper, such as pdf, png, txt, xlsx or docx.", field: key)
                }
                goal = kind.name
            case "together": isTogether = try Self.flag(value, key)
            case "keep": keeps = try Self.flag(value, key)
            case "folder":
                let text = try Self.texts(value, key).first ?? ""
                folder = ID<Folder>(text)
                guard folder != nil || text.isEmpty else {
                    throw Failure(.invalid, "“\(text)” is no folder's id.", field: key)
                }
            case "tags":
                tags = try Self.texts(value, key).filter { $0.contains { !$0.isWhitespace } }
                guard tags.count <= 50 else {
                    throw Failure(.tooMany, "A paper takes at most 50 tags at once.", field: key)
                }
            case "then": try take(steps: Self.texts(value, key))
            case "password":
                let text = try Self.texts(value, key).first ?? ""
                password = text.isEmpty ? nil : text
            default:
                guard let word = Self.words.first(where: { $0.key == key }) else { continue }
                if word.placeholder == nil {
                    options[word.name] = try Self.flag(value, key) ? [""] : nil
                } else {
                    let texts = try Self.texts(value, key).filter { !$0.isEmpty }
                    options[word.name] = texts.isEmpty ? nil : texts
                }
            }
        }
        _ = try conversionOptions()
        _ = try paperSteps()
    }

    /// The password of a lock that was given before stays when only the step is named.
    private mutating func take(steps wished: [String]) throws(Failure) {
        guard wished.count <= 32 else {
            throw Failure(.invalid, "These are more than 32 steps.", field: "then")
        }
        var lock: String?
        steps = []
        for step in wished {
            let text = String(step.drop { $0.isWhitespace })
            if text.isEmpty { continue }
            guard text.hasPrefix("encrypt") else {
                steps.append(text)
                continue
            }
            lock = text.hasPrefix("encrypt=") ? String(text.dropFirst(8)) : self.lock
            steps.append("encrypt")
        }
        self.lock = lock
    }

    /// What the converter is told.
    func conversionOptions() throws(Failure) -> ConversionOptions {
        var made = ConversionOptions()
        made.useSheets(of: "")
        made.password = password
        for word in Self.words {
            for value in options[word.name] ?? [] {
                do throws(OptionError) {
                    try made.take(word.name, value)
                } catch {
                    throw Failure(.invalid, error.description, field: word.key)
                }
            }
        }
        return made
    }

    func paperSteps() throws(Failure) -> [PaperStep] {
        var made: [PaperStep] = []
        for step in steps {
            do throws(ConversionError) {
                made.append(try PaperStep(step == "encrypt" ? "encrypt=\(lock ?? "")" : step))
            } catch {
                throw Failure(.invalid, error.description, field: "then")
            }
        }
        return made
    }

    /// For everybody to see: passwords are only said to be there.
    public var json: JSON {
        var members: JSONObject = [
            "to": .string(goal), "together": .bool(isTogether), "keep": .bool(keeps),
            "folder": .optional(folder?.text), "tags": .array(tags.map(JSON.string)),
            "then": .array(steps.map(JSON.string)), "hasPassword": .bool(password != nil),
        ]
        for word in Self.words {
            guard let values = options[word.name] else { continue }
            if word.placeholder == nil {
                members[word.key] = true
            } else {
                members[word.key] =
                    word.isRepeating
                    ? .array(values.map(JSON.string)) : .optional(values.first)
            }
        }
        return .object(members)
    }

    init(kept json: JSON) throws {
        var json = json.object ?? [:]
        json["hasPassword"] = nil
        // The lock is sealed elsewhere; until it is put back the step stands for itself.
        self.init()
        steps = (json["then"]?.array ?? []).compactMap(\.string)
        json["then"] = nil
        let named = steps
        steps = []
        try self = ConversionWishes(.object(json), changing: self)
        steps = named
    }

    /// What must not be read by whoever reads the database; nil when there is nothing of the kind.
    var secrets: JSON? {
        guard password != nil || lock != nil else { return nil }
        return ["password": .optional(password), "lock": .optional(lock)]
    }

    mutating func take(secrets: JSON) {
        password = secrets["password"]?.string
        lock = secrets["lock"]?.string
    }

    private static func flag(_ value: JSON, _ key: String) throws(Failure) -> Bool {
        switch value {
        case .bool(let flag): return flag
        case .null: return false
        case .string(let text): return ["yes", "true", "on", "1"].contains(text)
        default: throw Failure(.invalid, "“\(key)” must be true or false.", field: key)
        }
    }

    private static func texts(_ value: JSON, _ key: String) throws(Failure) -> [String] {
        var texts: [String] = []
        for item in value.array ?? [value] {
            switch item {
            case .string(let text):
                guard !text.utf8.contains(0), text.utf8.count <= 100_000 else {
                    throw Failure(.invalid, "“\(key)” is no text.", field: key)
                }
                texts.append(text)
            case .integer(let number): texts.append("\(number)")
            case .number(let number): texts.append("\(number)")
            case .null: break
            default: throw Failure(.invalid, "“\(key)” must be text.", field: key)
            }
        }
        return texts
    }
}
