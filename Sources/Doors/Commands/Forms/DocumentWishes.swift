import Bytes
import PDFForms

/// What is done to every document besides filling it, as it was typed or as a plan keeps it.
struct DocumentWishes {
    var isReadOnly = false
    var continues = false
    var info = DocumentInfo()
    /// Fields that become part of the page while the others stay, as they were typed: a name, or several with commas.
    var flattened: [String] = []

    init() {}

    init(_ call: Invocation) {
        isReadOnly = call.has("read-only")
        continues = call.has("continue")
        info = DocumentInfo(
            title: call.value("title"), author: call.value("author"), subject: call.value("subject"),
            keywords: call.value("keywords"))
        flattened = call.options["flatten-fields"] ?? []
    }

    init(_ json: JSON?) {
        isReadOnly = json?["readOnly"]?.bool ?? false
        continues = json?["continue"]?.bool ?? false
        info = DocumentInfo(
            title: json?["title"]?.string, author: json?["author"]?.string, subject: json?["subject"]?.string,
            keywords: json?["keywords"]?.string)
        flattened = (json?["flattenFields"]?.array ?? []).compactMap(\.string)
    }

    var json: JSON {
        [
            "readOnly": .bool(isReadOnly), "continue": .bool(continues), "title": .optional(info.title),
            "author": .optional(info.author), "subject": .optional(info.subject),
            "keywords": .optional(info.keywords), "flattenFields": .array(flattened.map(JSON.string)),
        ]
    }

    /// A name may hold a comma itself; what is no name of the form takes nothing.
    var flattening: PreparedForm.Flattening {
        flattened.isEmpty ? .none : .fields(Set(flattened + flattened.flatMap(Self.parts)))
    }

    /// A name that no field has would flatten nothing, and nobody would notice.
    func check(_ form: Form) throws {
        func has(_ name: String) -> Bool {
            form.fields.contains { PreparedForm.Flattening.fields([name]).takes($0) }
        }
        for text in flattened where !has(text) {
            guard let unknown = Self.parts(text).first(where: { !has($0) }) else { continue }
            throw UsageError(
                message: "The form has no field “\(unknown)”", hint: "“quire fields FORM” lists their names.")
        }
    }

    private static func parts(_ text: String) -> [String] {
        text.split(separator: ",").map { part in
            let start = part.drop { $0 == " " }
            return String(start.reversed().drop { $0 == " " }.reversed())
        }
    }

    var extras: DocumentExtras {
        DocumentExtras(info: info, continuation: continues ? Continuation() : nil)
    }

    static let options: [Option] = [
        Option("continue", nil, "text too long for its place goes on on pages behind the form, with links"),
        Option("read-only", nil, "the fields stay, but cannot be filled any more"),
        Option(
            "flatten-fields", "NAMES",
            "make only these fields part of the page, and all below a name; with commas",
            isRepeating: true),
        Option("title", "TEXT", "what the documents say they are about"),
        Option("author", "TEXT", "who they say made them"),
        Option("subject", "TEXT", "their subject"),
        Option("keywords", "TEXT", "words to find them by, with commas"),
    ]
}
