public import Bytes
import Filling
public import Storage
import Transfer

/// What goes out with the packets of a batch, as somebody decided it: the words, from whom, to whom, what is attached, how
/// fast. Its JSON is what the API takes and gives.
public struct BatchLetter: Sendable, Equatable {
    public enum Attaches: String, Sendable, CaseIterable {
        /// The packet itself.
        case packet
        /// A link to the packet, for each recipient their own; `{{link}}` says where it stands.
        case link
        case nothing
    }

    /// A file that goes to everybody.
    public struct File: Sendable, Equatable {
        public var name: String
        public var mediaType: String
        public var digest: Digest
        public var byteCount: Int64
    }

    public var subject: String
    public var body: String
    public var form: Letter.Form
    /// Addresses with commas between them; names in double braces are each recipient's own. Empty means the address on
    /// the list.
    public var to: String
    public var copies: String
    public var blindCopies: String
    public var replyTo: String
    /// Empty for the sender of the mail settings.
    public var sender: String
    public var attaches: Attaches
    /// How long links to packets hold; nil for ever.
    public var linkDays: Int?
    /// What each recipient has to know to open their link: a name in double braces, as `{{birth_date}}`. Empty for none.
    public var linkPassword: String
    /// How often a link opens; nil for as often as one likes.
    public var linkOpenings: Int?
    public var files: [File]
    public var pace: Pace
    /// In which language days are written out, where the batch names no locale; empty for that of the desk.
    public var language: String
    /// Counts the changes, so that two people do not undo each other's unseen; 0 for one nobody has saved.
    public var version: Int

    public init(
        subject: String, body: String, form: Letter.Form = .markdown, to: String = "", copies: String = "",
        blindCopies: String = "", replyTo: String = "", sender: String = "", attaches: Attaches = .packet,
        linkDays: Int? = 30, linkPassword: String = "", linkOpenings: Int? = nil, files: [File] = [],
        pace: Pace = Pace(), language: String = "", version: Int = 0
    ) {
        self.subject = subject
        self.body = body
        self.form = form
        self.to = to
        self.copies = copies
        self.blindCopies = blindCopies
        self.replyTo = replyTo
        self.sender = sender
        self.attaches = attaches
        self.linkDays = linkDays
        self.linkPassword = linkPassword
        self.linkOpenings = linkOpenings
        self.files = files
        self.pace = pace
        self.language = language
        self.version = version
    }

    /// What stands there before anybody has written anything.
    static func usual(for batch: Batch) -> BatchLetter {
        BatchLetter(
            subject: batch.name,
            body: "Dear {{recipient_name}},\n\nplease find your papers attached.\n\n{{sender_name}}")
    }

    public var letter: Letter { Letter(subject: subject, body: body, form: form) }
}

extension BatchLetter {
    static let mostFiles = 20

    /// All that somebody may set. Files are put in and taken out by verbs of their own.
    public static let fields: [ThingField<BatchLetter>] = [
        line(
            "subject", \.subject, label: "letter.subject", "the subject; {{first_name}} stands for a column"),
        .text(
            "body", \.body, longest: 200_000, label: "letter.body",
            "the letter, or @FILE to read it from a file"),
        .choice("form", \.form, label: "letter.form", "with marks such as **bold**, or plain"),
        line(
            "to", \.to, label: "letter.to",
            "where it goes, if not to the address on the list: {{parent_email}}",
            called: "PATTERN"),
        line("cc", \.copies, label: "letter.copies", "who gets a copy, seen by all", called: "PATTERN"),
        line(
            "bcc", \.blindCopies, label: "letter.blindCopies", "who gets a copy, seen by nobody",
            called: "PATTERN"),
        line("replyTo", \.replyTo, label: "letter.replyTo", "where answers go", called: "ADDRESS"),
        line(
            "from", \.sender, label: "letter.sender",
            "the sender, if not the one of the mail settings: an address, or the name on a card of the contacts",
            called: "CARD|ADDRESS"),
        .choice("attaches", \.attaches, label: "letter.attaches", "what goes with it to each"),
        .whole(
            "linkDays", \.linkDays, 1...3_650, label: "letter.linkDays",
            "so long links hold (30); 0 for ever", called: "DAYS",
            rule: "Choose between 1 and 3650 days, or none for no end."),
        line(
            "linkPassword", \.linkPassword, label: "letter.linkPassword",
            "what opens each link: {{birth_date}}",
            called: "PATTERN"),
        .whole(
            "linkOpenings", \.linkOpenings, 1...1_000_000, label: "letter.linkOpenings",
            "so often each link opens; 0 for as often as one likes", called: "COUNT",
            rule: "A link opens once or more; leave it out for as often as one likes."),
        .whole(
            "perMinute", \.pace.perMinute, Pace.rates, label: "letter.perMinute", "at most so many a minute",
            rule: Pace.rateRule),
        .time("opens", \.pace.opens, label: "letter.opens", "no letter goes out before"),
        .time("closes", \.pace.closes, label: "letter.closes", "no letter goes out after"),
        line("zone", \.pace.zone, label: "", "where these times of day hold", called: "ZONE"),
        line(
            "language", \.language, label: "",
            "in which language days are written out, where the batch names no locale",
            called: "LOCALE"),
    ]

    private static func line(
        _ name: String, _ path: any ThingField<BatchLetter>.Path<String>, label: String,
        _ summary: String, called placeholder: String = "TEXT"
    ) -> ThingField<BatchLetter> {
        .line(name, path, longest: 2_000, label: label, summary, called: placeholder)
    }

    public var json: JSON {
        var json = Self.fields.json(of: self)
        json["files"] = .array(files.map(\.json))
        json["version"] = .int(version)
        return .object(json)
    }

    /// The letter with what the JSON says; what it leaves out stays.
    public init(_ json: JSON, changing letter: BatchLetter) throws(Failure) {
        self = letter
        try Self.fields.take(json, into: &self)
        guard let version = json["version"], !version.isNull else { return }
        guard let number = version.int else {
            throw Failure(.invalid, "“version” must be a whole number.", field: "version")
        }
        self.version = number
    }

    /// As it was written down.
    init(kept json: JSON) throws {
        try self.init(json, changing: BatchLetter(subject: "", body: ""))
        files = (json["files"]?.array ?? []).compactMap(File.init(kept:))
    }

    /// Those that no row has a word in.
    private static func typedAddresses(_ text: String) -> [String] {
        guard !text.contains("{{=") else { return [] }
        let plain = LetterPiece.pieces(of: text).map { if case .words(let words) = $0 { words } else { "{" } }
        return MailAddress.parts(of: plain.joined()).filter { !$0.contains("{") }
    }

    /// What can be said about it without looking at any recipient.
    func checked() throws(Failure) -> BatchLetter {
        try Self.fields.check(self)
        for (text, field) in [(sender, "from"), (replyTo, "replyTo")] where !text.trimmingSpaces.isEmpty {
            guard MailAddress(parsing: text) != nil else {
                throw .notAnAddress(text, field: field)
            }
        }
        // What each row says is told at the check; what was typed for everybody, at once.
        for (text, field) in [(to, "to"), (copies, "cc"), (blindCopies, "bcc")] {
            for part in Self.typedAddresses(text) where MailAddress(typed: part) == nil {
                throw .notAnAddress(part, field: field)
            }
        }
        var letter = self
        letter.pace = try pace.checked()
        return letter
    }
}

extension BatchLetter.File {
    var json: JSON {
        [
            "name": .string(name), "mediaType": .string(mediaType), "digest": .string(digest.hex),
            "byteCount": .integer(byteCount),
        ]
    }

    init?(kept json: JSON) {
        guard let name = json["name"]?.string, let mediaType = json["mediaType"]?.string,
            let digest = json["digest"]?.string.flatMap({ Digest($0) })
        else { return nil }
        self.init(
            name: name, mediaType: mediaType, digest: digest, byteCount: json["byteCount"]?.integer ?? 0)
    }
}
