import Bytes
import HTTP
import Storage
import Work

/// The fields of a body, from a form or from JSON: handlers need not know which.
struct Input: Sendable {
    private enum Source {
        case form(HTTP.Form)
        case json(JSONObject)
    }

    private let source: Source

    /// Nothing was said.
    init() { source = .form(HTTP.Form()) }

    init(_ request: Request) throws {
        if case .bytes(let bytes) = request.body, !bytes.isEmpty,
            request.mediaType?.isSameKind(as: .urlEncoded) != true
        {
            guard let object = try request.json.object else {
                throw Failure(.invalid, "The body must be a JSON object.")
            }
            source = .json(object)
        } else {
            source = .form(try Input.formOrNothing(request))
        }
    }

    private static func formOrNothing(_ request: Request) throws -> HTTP.Form {
        if case .bytes(let bytes) = request.body, bytes.isEmpty { return HTTP.Form() }
        return try request.form
    }

    var files: [FormFile] { if case .form(let form) = source { form.files } else { [] } }

    /// Nil when it is not there (or, in JSON, null).
    func text(_ name: String) throws(Failure) -> String? {
        switch source {
        case .form(let form): return form[name]
        case .json(let object):
            switch object[name] {
            case nil, .null?: return nil
            case .string(let text)?:
                guard !text.utf8.contains(0) else { throw wrong(name, "text") }
                return text
            case .integer(let number)?: return String(number)
            case .bool(let flag)?: return flag ? "yes" : ""
            default: throw wrong(name, "text")
            }
        }
    }

    func requiredText(_ name: String) throws(Failure) -> String {
        guard let text = try text(name), !text.isEmpty else {
            throw Failure(.invalid, "“\(name)” is missing.", field: name)
        }
        return text
    }

    func texts(_ name: String) throws(Failure) -> [String] {
        switch source {
        case .form(let form): return form.fields.all(name)
        case .json(let object):
            guard let value = object[name], value != .null else { return [] }
            guard let list = value.string == nil ? value.array : [value] else {
                throw wrong(name, "a list of texts")
            }
            var texts: [String] = []
            for item in list {
                guard let text = item.string, !text.utf8.contains(0) else {
                    throw wrong(name, "a list of texts")
                }
                texts.append(text)
            }
            return texts
        }
    }

    /// Of things that are named by their ids; a word that is none is never passed over as if all were done.
    func ids<T>(_ name: String = "id", of thing: String) throws(Failure) -> [ID<T>] {
        var ids: [ID<T>] = []
        for text in try texts(name) { ids.append(try id(text, name, of: thing)) }
        return ids
    }

    /// Nil when missing or left empty.
    func id<T>(_ name: String, of thing: String) throws(Failure) -> ID<T>? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        return try id(text, name, of: thing)
    }

    private func id<T>(_ text: String, _ name: String, of thing: String) throws(Failure) -> ID<T> {
        guard let id = ID<T>(text) else {
            throw Failure(.notFound, "There is no \(thing) “\(text.prefix(100))”.", field: name)
        }
        return id
    }

    /// Nil when missing or left empty.
    func integer(_ name: String) throws(Failure) -> Int? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        guard let number = Int(text) else { throw wrong(name, "a whole number") }
        return number
    }

    func flag(_ name: String) throws(Failure) -> Bool {
        guard let text = try text(name) else { return false }
        return ["yes", "true", "on", "1"].contains(text)
    }

    /// Fields named `cell:Column`, in the order they came; in JSON an object `cells`.
    func pairs(_ prefix: String, object name: String) throws(Failure) -> [(name: String, value: String)] {
        switch source {
        case .form(let form):
            return form.fields.compactMap { field in
                field.name.hasPrefix(prefix)
                    ? (name: String(field.name.dropFirst(prefix.count)), value: field.value) : nil
            }
        case .json(let object):
            guard let value = object[name], value != .null else { return [] }
            guard let members = value.object else { throw wrong(name, "an object of texts") }
            var pairs: [(name: String, value: String)] = []
            for (key, member) in members {
                guard let text = member.string, !text.utf8.contains(0) else {
                    throw wrong(name, "an object of texts")
                }
                pairs.append((key, text))
            }
            return pairs
        }
    }

    /// Groups of fields that stand behind each other in a form, each begun by the field of this name.
    func rows(begunBy first: String) -> [[(name: String, value: String)]] {
        guard case .form(let form) = source else { return [] }
        var rows: [[(name: String, value: String)]] = []
        for field in form.fields {
            if field.name == first {
                rows.append([(field.name, field.value)])
            } else if !rows.isEmpty {
                rows[rows.count - 1].append((field.name, field.value))
            }
        }
        return rows
    }

    /// The JSON object, when it is one.
    var whole: JSON? { if case .json(let object) = source { .object(object) } else { nil } }

    /// What was said about a thing's fields: all of it in JSON; of a page's form what stands on the page.
    func json<Thing>(of fields: [ThingField<Thing>]) throws(Failure) -> JSON {
        if let whole { return whole }
        var json: JSONObject = [:]
        for field in fields where has(field.name) {
            switch field.kind {
            case .whole: json[field.name] = .optional(try integer(field.name))
            // Browsers send line ends as in mails.
            case .text: json[field.name] = .optional(try text(field.name)?.replacing("\r\n", with: "\n"))
            default: json[field.name] = .optional(try text(field.name))
            }
        }
        return .object(json)
    }

    /// Whether anything was said about it at all.
    func has(_ name: String) -> Bool {
        switch source {
        case .form(let form): form[name] != nil
        case .json(let object): object[name] != nil
        }
    }

    func json(_ name: String) -> JSON? { if case .json(let object) = source { object[name] } else { nil } }

    /// So many days from now, nil for never.
    func days(_ name: String, from now: Moment, atMost limit: Int = 3_650) throws(Failure) -> Moment? {
        guard let days = try integer(name) else { return nil }
        guard (1...limit).contains(days) else {
            throw Failure(.invalid, "Choose between 1 and \(limit) days, or none for no end.", field: name)
        }
        return now + .seconds(days * 86_400)
    }

    private func wrong(_ name: String, _ what: String) -> Failure {
        Failure(.invalid, "“\(name)” must be \(what).", field: name)
    }
}

extension Visit {
    var input: Input { get throws { try Input(request) } }
}
