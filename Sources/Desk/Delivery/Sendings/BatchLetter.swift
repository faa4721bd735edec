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
    /// Counts the changes, so that two people do not undo each other's unseen; 0 for one nobody has saved.
    public var version: Int

    public init(
        subject: String, body: String, form: Letter.Form = .markdown, to: String = "", copies: String = "",
        blindCopies: String = "", replyTo: String = "", sender: String = "", attaches: Attaches = .packet,
        linkDays: Int? = 30, linkPassword: String = "", linkOpenings: Int? = nil, files: [File] = [],
        pace: Pace = Pace(), version: Int = 0
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
    static let longestBody = 200_000
    static let longestLine = 2_000
    static let mostFiles = 20

    public var json: JSON {
        [
            "subject": .string(subject), "body": .string(body), "form": .string(form.rawValue),
            "to": .string(to), "cc": .string(copies), "bcc": .string(blindCopies),
            "replyTo": .string(replyTo), "from": .string(sender), "attaches": .string(attaches.rawValue),
            "linkDays": .optional(linkDays), "linkPassword": .string(linkPassword),
            "linkOpenings": .optional(linkOpenings), "files": .array(files.map(\.json)),
            "perMinute": .optional(pace.perMinute), "opens": .optional(pace.opens.map(Pace.clock)),
            "closes": .optional(pace.closes.map(Pace.clock)), "zone": .string(pace.zone),
            "version": .int(version),
        ]
    }

    /// The letter with what the JSON says; what it leaves out stays. Files are put in and taken out by verbs of
    /// their own.
    public init(_ json: JSON, changing letter: BatchLetter) throws(Failure) {
        self = letter
        func text(_ key: String) throws(Failure) -> String? {
            guard let value = json[key], !value.isNull else { return nil }
            guard let text = value.string, !text.utf8.contains(0) else {
                throw Failure(.invalid, "“\(key)” must be text.", field: key)
            }
            return text
        }
        func number(_ key: String, _ otherwise: Int?) throws(Failure) -> Int? {
            guard let value = json[key] else { return otherwise }
            if value.isNull { return nil }
            guard let number = value.int else {
                throw Failure(.invalid, "“\(key)” must be a whole number.", field: key)
            }
            return number
        }
        func time(_ key: String, _ otherwise: Int?) throws(Failure) -> Int? {
            guard json[key] != nil else { return otherwise }
            guard let text = try text(key), !text.isEmpty else { return nil }
            guard let minute = Pace.minute(text) else {
                throw Failure(.invalid, "A time of day is written 08:00, not “\(text)”.", field: key)
            }
            return minute
        }
        subject = try text("subject") ?? subject
        body = try text("body") ?? body
        to = try text("to") ?? to
        copies = try text("cc") ?? copies
        blindCopies = try text("bcc") ?? blindCopies
        replyTo = try text("replyTo") ?? replyTo
        sender = try text("from") ?? sender
        if let word = try text("form") {
            guard let form = Letter.Form(rawValue: word) else {
                throw Failure(.invalid, "The form is “plain” or “markdown”.", field: "form")
            }
            self.form = form
        }
        if let word = try text("attaches") {
            guard let attaches = Attaches(rawValue: word) else {
                throw Failure(.invalid, "Attach “packet”, “link” or “nothing”.", field: "attaches")
            }
            self.attaches = attaches
        }
        linkDays = try number("linkDays", linkDays)
        linkPassword = try text("linkPassword") ?? linkPassword
        linkOpenings = try number("linkOpenings", linkOpenings)
        pace = Pace(
            perMinute: try number("perMinute", pace.perMinute), opens: try time("opens", pace.opens),
            closes: try time("closes", pace.closes), zone: try text("zone") ?? pace.zone)
        version = try number("version", version) ?? version
    }

    /// As it was written down.
    init(kept json: JSON) throws {
        try self.init(json, changing: BatchLetter(subject: "", body: ""))
        files = (json["files"]?.array ?? []).compactMap(File.init(kept:))
    }

    /// What can be said about it without looking at any recipient.
    func checked() throws(Failure) -> BatchLetter {
        var letter = self
        for (line, field) in [
            (subject, "subject"), (to, "to"), (copies, "cc"), (blindCopies, "bcc"), (replyTo, "replyTo"),
            (sender, "from"), (linkPassword, "linkPassword"),
        ] {
            guard line.utf8.count <= Self.longestLine else {
                throw Failure(.tooLarge, "This line is too long.", field: field)
            }
            // A line break here would begin a header of somebody's own.
            guard !line.contains(where: \.isNewline), line.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
            else {
                throw Failure(.invalid, "This has to be one line, without control characters.", field: field)
            }
        }
        guard body.utf8.count <= Self.longestBody else {
            throw Failure(.tooLarge, "The letter is too long.", field: "body")
        }
        for (text, field) in [(sender, "from"), (replyTo, "replyTo")] where !text.trimmingSpaces.isEmpty {
            guard MailAddress(parsing: text) != nil else {
                throw Failure(.invalid, "“\(text)” is not a mail address.", field: field)
            }
        }
        if let linkDays, !(1...3_650).contains(linkDays) {
            throw Failure(.invalid, "Choose between 1 and 3650 days, or none for no end.", field: "linkDays")
        }
        if let linkOpenings, !(1...1_000_000).contains(linkOpenings) {
            throw Failure(
                .invalid, "A link opens once or more; leave it out for as often as one likes.",
                field: "linkOpenings")
        }
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

extension Pace {
    /// `08:30`
    public static func clock(_ minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }

    /// Minutes since midnight of `08:30` or `8:30`; 24:00 ends the day.
    public static func minute(_ clock: String) -> Int? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            clock.utf8.allSatisfy({ (0x30...0x3A).contains($0) }), let hour = Int(parts[0]),
            let minute = Int(parts[1]), minute < 60, hour < 24 || hour == 24 && minute == 0
        else { return nil }
        return hour * 60 + minute
    }
}
