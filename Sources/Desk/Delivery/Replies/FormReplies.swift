public import Access
public import Bytes
public import Filling
public import Library
public import Marking
import PDF
public import PDFForms
public import PDFReading
import SQL
public import Storage
import Work

/// Forms that those outside fill in where they open their link, sign by hand, and send back.
///
///     let form = try replies.form(behind: link, by: visitor)       // its fields, and where one signs
///     try replies.send(values, signed: signatures, to: form, behind: link, by: visitor)
public struct FormReplies: Sendable {
    private let sendings: Sendings
    private let reader: @Sendable () -> PageReader?
    private var store: Store { sendings.store }

    /// By one link: whoever was mistaken sends it again.
    public static let mostPerLink = 20
    private static let largest = 64 << 20

    public init(_ sendings: Sendings, reader: @escaping @Sendable () -> PageReader?) {
        self.sendings = sendings
        self.reader = reader
    }

    /// Where somebody signs, on a page as a reader sees it.
    public struct Place: Sendable {
        public var field: TemplateField
        /// Counted from 0.
        public var page: Int
        public var area: Mark.Area
    }

    public struct Asked: Sendable {
        public var name: String
        public var look: FilledPapers.Look
        public var places: [Place]
        /// Somebody signed it with a certificate, so nothing of its fields may become part of the page.
        var isSigned: Bool
        var bytes: [UInt8]
        var packet: Packet?
        var folder: ID<Folder>?
        /// How often it came back by this link.
        public var sent: Int

        /// Fields that are written into, and not signed.
        public func takes(_ field: TemplateField) -> Bool {
            look.takes(field) && !places.contains { $0.field.name == field.name }
        }

        /// Required, and left empty.
        public func missing(_ values: [String: FieldValue], signed: Set<String>) -> [TemplateField] {
            var seen: Set<String> = []
            return look.fields.filter { field in
                guard field.isRequired, seen.insert(field.name).inserted else { return false }
                if places.contains(where: { $0.field.name == field.name }) {
                    return !signed.contains(field.name)
                }
                guard takes(field) else { return false }
                switch values[field.name] {
                case .text(let text)?: return text.isEmpty
                case .texts(let texts)?: return texts.isEmpty
                case .flag(let flag)?: return !flag
                case nil: return field.value.allSatisfy { $0.isEmpty || $0 == "Off" }
                }
            }
        }
    }

    /// Whether a form behind this link may come back by it.
    public static func mayTake(_ link: ShareLink) -> Bool {
        guard !link.isViewOnly else { return false }
        return link.subject.kind == "packet" || link.subject.kind == "document" && link.takesReplies
    }

    /// The form behind a link; nil where nothing can be written or signed.
    ///
    /// - Parameter isNamed: with the words that stand beside the fields, for which the pages are read
    public func form(
        behind link: ShareLink, isNamed: Bool = true, by caller: Caller
    ) throws -> Asked? {
        guard Self.mayTake(link) else { return nil }
        var packet: Packet?
        var folder: ID<Folder>?
        let name: String
        let bytes: [UInt8]
        if let id = ID<Packet>(link.subject.id), link.subject.kind == "packet" {
            let found = try sendings.shared(id, by: caller)
            packet = found.packet
            name = found.packet.fileName.split(separator: "/").last.map(String.init) ?? "packet"
            bytes = found.file.bytes
        } else {
            guard let id = ID<Document>(link.subject.id) else { return nil }
            let document = try sendings.documents.get(id, by: caller)
            guard document.blob.mediaType == "application/pdf", document.blob.byteCount <= Self.largest else {
                return nil
            }
            folder = document.folder
            name = FileName.withoutEnding(document.name, of: "application/pdf")
            bytes = try store.blobs.read(document.blob.digest, atMost: Self.largest)
        }
        // What is locked or broken is downloaded, and filled in by another program.
        guard let look = try? FilledPapers.look(at: bytes, reader: isNamed ? reader() : nil),
            look.hindrance == nil, let file = try? PDFFile(bytes: bytes)
        else { return nil }
        let places = look.fields.filter { !look.locked.contains($0.name) && $0.isSigningPlace }.compactMap {
            field -> Place? in
            guard let place = field.places.first, look.frames.indices.contains(place.page) else { return nil }
            let frame = look.frames[place.page]
            let shown = frame.shown(place.rectangle)
            // Fields for signatures that are never seen have no room.
            guard shown.width > 4, shown.height > 4 else { return nil }
            return Place(
                field: field, page: place.page,
                area: .init(
                    x: shown.left, y: frame.height - shown.top, width: shown.width, height: shown.height))
        }
        guard !places.isEmpty || look.fields.contains(where: look.takes) else { return nil }
        let sent = try store.read { desk in try Self.count(of: link, in: desk) }
        return Asked(
            name: name, look: look, places: places, isSigned: !file.signatures.isEmpty, bytes: bytes,
            packet: packet, folder: folder, sent: sent)
    }

    /// Takes in what somebody outside filled in: it becomes a paper, the record says that it came back, and whoever made the
    /// link is told.
    ///
    /// - Parameters:
    ///   - signatures: what was drawn, typed or photographed, by the names of the places
    ///   - anyway: also where something required is missing, or would not be seen as it was written
    @discardableResult
    public func send(
        _ values: [String: FieldValue], signed signatures: [String: JSON] = [:], anyway: Bool = false,
        to asked: Asked, behind link: ShareLink, by caller: Caller
    ) throws -> FormReply {
        var values = values.filter { name, _ in
            asked.look.fields.contains { $0.name == name && asked.takes($0) }
        }
        var marks: [Mark] = []
        for (name, content) in signatures.sorted(by: { $0.key < $1.key }) {
            guard let place = asked.places.first(where: { $0.field.name == name }) else {
                throw Failure(.invalid, "There is no place “\(name)” to sign on this form.", field: name)
            }
            marks.append(try Self.mark(content, at: place))
            values[name] = nil
        }
        guard !values.isEmpty || !marks.isEmpty else { throw Failure(.invalid, "Nothing was written yet.") }
        if !anyway, let field = asked.missing(values, signed: Set(signatures.keys)).first {
            throw Failure(.invalid, "“\(field.label)” is required and still empty.", field: field.name)
        }
        // Where it was signed, the empty field would still ask for a signature.
        let flattening: PreparedForm.Flattening =
            marks.isEmpty || asked.isSigned ? .none : .fields(Set(signatures.keys))
        let made = try FilledPapers.made(asked.bytes, values, flattening: flattening)
        if !anyway, let problem = made.problems.first(where: FilledPapers.isInTheWay) {
            let field = problem.field ?? ""
            throw Failure(
                .invalid, "What is written in “\(field)” would not stand there as it is. Nothing was kept.",
                field: field, cause: problem.message)
        }
        let bytes = try signed(made.bytes, marks, isPartOfPage: !asked.isSigned, by: caller)
        return try keep(bytes, of: asked, signed: marks.count, behind: link, by: caller)
    }

    private static func mark(_ content: JSON, at place: Place) throws -> Mark {
        do {
            return try Mark(byHand: content, page: place.page, in: place.area)
        } catch MarkError.tooMany {
            throw Failure(
                .tooLarge,
                "The signature is larger than can be kept. Draw it more simply, or type your name.",
                field: place.field.name)
        } catch {
            throw Failure(
                .invalid, "The signature cannot be read. Draw it again, or type your name.",
                field: place.field.name, cause: "\(error)")
        }
    }

    private func signed(
        _ bytes: [UInt8], _ marks: [Mark], isPartOfPage: Bool, by caller: Caller
    ) throws -> [UInt8] {
        guard !marks.isEmpty else { return bytes }
        var changes = MarkChanges()
        changes.added = marks
        changes.author = caller.name
        changes.isPartOfPage = isPartOfPage
        do {
            return try MarkedPaper(bytes).changed(changes, now: store.clock.now().milliseconds / 1000) {
                Hex.encode(store.chance.bytes(12))
            }
        } catch MarkError.breaks(let name) {
            throw Failure(.conflict, "The signature of \(name) would not hold any more. Nothing was written.")
        } catch let error as MarkError {
            throw Failure(
                .invalid, "The signature cannot be read. Draw it again, or type your name.", cause: "\(error)"
            )
        }
    }

    private func keep(
        _ bytes: [UInt8], of asked: Asked, signed: Int, behind link: ShareLink, by caller: Caller
    ) throws -> FormReply {
        try sendings.documents.checkMayReceive(Int64(bytes.count), by: caller)
        let digest = try store.blobs.take(bytes)
        // Where a class gets the same form, their replies are told apart by name.
        let whom = asked.packet == nil && !link.note.isEmpty ? " – \(link.note)" : ""
        let name = FileName.title("\(asked.name)\(whom).pdf") ?? FileName.unnamed
        let subject = "\(link.subject.kind)/\(link.subject.id)"
        return try store.write { tx in
            guard try Self.count(of: link, in: tx) < Self.mostPerLink else {
                throw Failure(
                    .tooMany,
                    "This form came back \(Self.mostPerLink) times by this link, as often as it may. Ask for another link."
                )
            }
            // A folder that was thrown away meanwhile is no reason to lose what somebody sends.
            var home = asked.folder
            if let folder = home,
                try tx.row("SELECT id FROM folder WHERE id = \(folder) AND trashed_at IS NULL") == nil
            {
                home = nil
            }
            let added = try sendings.documents.arriving(by: .reply).add(
                digest, "application/pdf", named: name, into: home, evenIfThere: true, by: caller.actor,
                calledThen: caller.name, in: tx)
            let id: ID<FormReply> = tx.newID()
            try tx.run(
                """
                INSERT INTO form_reply (id, link, subject, batch, document, digest, sent_for, signed, sent_at)
                VALUES (\(id), \(link.id), \(subject), \(asked.packet?.batch), \(added.document.id), \(digest.hex),
                    \(link.note), \(signed), \(tx.now))
                """)
            tx.note(
                "share.replied", "share/\(link.id)", by: caller.actor,
                [
                    "of": .string(subject), "name": .string(name), "signed": .int(signed),
                    "digest": .string(digest.hex),
                ])
            if let packet = asked.packet {
                let detail =
                    signed > 0 ? "Filled in at the link and signed by hand." : "Filled in at the link."
                try sendings.ledger.write(
                    [Sendings.note(.returned, packet, packet.batch, detail, by: caller)], in: tx)
            }
            let maker = Members.id(ofActor: link.madeBy)
            try sendings.access.notices.tell(
                .formBack, asked.packet.map { "batch/\($0.batch)" } ?? subject,
                about: "document/\(added.document.id)",
                to: maker.map { .member($0) } ?? .everybody, in: tx)
            return try Self.one("form_reply.id = \(id)", in: tx)
        }
    }

    // MARK: What came

    public enum Which: Sendable {
        case all
        case toBatch(ID<Batch>)
        /// To the paper that a link led to, or the reply itself.
        case document(ID<Document>)
    }

    /// The newest first. What lies in the trash, or in private folders that are not open, is not told of.
    public func list(_ which: Which = .all, limit: Int = 200, by caller: Caller) throws -> [FormReply] {
        try caller.require(.view)
        let condition: Query =
            switch which {
            case .all: "TRUE"
            case .toBatch(let batch): "form_reply.batch = \(batch)"
            case .document(let id):
                "(form_reply.document = \(id) OR form_reply.subject = \("document/\(id)"))"
            }
        let replies = try store.read { desk in
            try desk.rows(
                """
                SELECT form_reply.* FROM form_reply JOIN document ON document.id = form_reply.document
                WHERE \(condition) AND trashed_at IS NULL
                ORDER BY form_reply.id DESC LIMIT \(min(max(1, limit), 500))
                """
            ).map(FormReply.init)
        }
        let hidden = try sendings.documents.hidden(
            among: replies.map { "document/\($0.document)" }, from: caller)
        return replies.filter { !hidden.contains("document/\($0.document)") }
    }

    /// What is said of a reply goes for good with the paper it became.
    public func forget(_ document: ID<Document>) throws {
        try store.write { tx in try tx.run("DELETE FROM form_reply WHERE document = \(document)") }
    }

    /// The same for papers that went while nobody could be told. Run by Quire itself, once a day.
    public func sweep() throws {
        try store.write { tx in
            try tx.run("DELETE FROM form_reply WHERE document NOT IN (SELECT id FROM document)")
        }
    }

    private static func count(
        of link: ShareLink, in desk: borrowing some Readable & ~Copyable
    ) throws -> Int {
        try desk.row("SELECT count(*) AS n FROM form_reply WHERE link = \(link.id)")?.int("n") ?? 0
    }

    private static func one(
        _ condition: Query, in desk: borrowing some Readable & ~Copyable
    ) throws -> FormReply {
        guard let row = try desk.row("SELECT * FROM form_reply WHERE " + condition) else {
            throw Failure(.notFound, "There is no such reply.")
        }
        return try FormReply(row)
    }
}
