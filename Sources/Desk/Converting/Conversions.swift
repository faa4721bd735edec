public import Access
import Bytes
public import Conversion
public import Jobs
import Kinds
public import Library
import SQL
public import Storage
import Work

/// Papers on their way into the desk, or from one kind to another: gathered, converted as a job, looked at, and then
/// kept in the library or thrown away.
///
///     var conversion = try conversions.begin(ConversionWishes(), by: caller)
///     try conversions.add(.upload(path), named: "letter.docx", to: conversion.id, by: caller)
///     try conversions.start(conversion.id, by: caller)
///     …
///     try conversions.keep(conversion.id, by: caller)
public struct Conversions: Sendable {
    /// How long what nobody has kept is kept for them.
    public static let usualTime = Duration.seconds(30 * 24 * 3600)
    public static let mostPapers = 1000

    let access: Gate
    let documents: Documents
    let queue: JobQueue
    let engines: @Sendable () -> Engines
    let keys: WishKeys
    var store: Store { access.store }

    /// `engines` is asked when the first job needs them.
    public init(
        _ access: Gate, documents: Documents, queue: JobQueue, engines: @escaping @Sendable () -> Engines
    ) {
        self.access = access
        self.documents = documents
        self.queue = queue
        self.engines = engines
        keys = WishKeys(access.store)
    }

    // MARK: Gathering

    /// A draft without papers.
    public func begin(
        named name: String? = nil, _ wishes: ConversionWishes, by caller: Caller
    ) throws -> Conversion {
        try caller.require(.edit)
        let name = name.flatMap { FileName.cleaned(FileName.safe($0)) }
        return try store.write { tx in
            let id: ID<Conversion> = tx.newID()
            try tx.run(
                """
                INSERT INTO conversion (id, name, is_named, wishes, secrets, version, state, added_at, added_by,
                    added_by_name, changed_at)
                VALUES (\(id), \(name ?? FileName.unnamed), \(name == nil ? 0 : 1), \(wishes.json.text),
                    \(try keys.sealed(wishes, of: id)), 1, 'draft', \(tx.now), \(caller.actor), \(caller.name),
                    \(tx.now))
                """)
            return try find(id, in: tx)
        }
    }

    public enum Source: Sendable {
        case bytes([UInt8])
        /// Taken over, as an upload that has arrived.
        case upload(String)
        case document(ID<Document>)
        /// Of a web page, as people type it.
        case address(String)
    }

    /// Adds a paper behind the others, or at a place of its own when several arrive at once. What was converted before
    /// is a draft again. What becomes of it wears the way on which it came.
    @discardableResult
    public func add(
        _ source: Source, named fileName: String, as sheet: PhotographedSheet = PhotographedSheet(),
        arriving way: PaperArrival? = nil, at place: Int? = nil, to id: ID<Conversion>, by caller: Caller
    ) throws -> ConversionPaper {
        try caller.require(.edit)
        try sheet.check()
        var name = FileName.cleaned(fileName) ?? FileName.unnamed
        var digest: Digest?
        var address: String?
        var origin: ID<Document>?
        var way = way
        switch source {
        case .bytes(let bytes): digest = try store.blobs.put(bytes)
        case .upload(let path): digest = try store.blobs.put(moving: path)
        case .document(let document):
            let found = try documents.get(document, by: caller)
            digest = found.blob.digest
            name = found.fileName
            origin = document
            way = found.arrival
        case .address(let text):
            let text = text.filter { !$0.isWhitespace }
            guard text.contains(".") || text.contains("://"), text.utf8.count <= 4000,
                ["http", "https", nil].contains(
                    text.firstRange(of: "://").map { String(text[..<$0.lowerBound]) })
            else {
                throw Failure(.invalid, "“\(fileName)” is no address of a web page.", field: "address")
            }
            address = text
            way = .web
            name = FileName.cleaned(Self.host(text)) ?? "web page"
        }
        // What the first paper is to carry may be anything.
        let isCarried = try get(id, by: caller).wishes.steps.first == PaperStep.attach.word
        let kind = try digest.map { try self.kind(of: $0, name, isCarried: isCarried) } ?? PaperKind.html.name
        return try store.write { tx in
            let conversion = try find(id, for: caller, in: tx)
            guard conversion.papers.count < Self.mostPapers else {
                throw Failure(.tooLarge, "One conversion takes up to \(Self.mostPapers) papers.")
            }
            let ends = try tx.row(
                "SELECT MIN(place) AS m, MAX(place) AS n FROM conversion_paper WHERE conversion = \(id)")
            let first = try (ends?.optionalInteger("m")).flatMap { $0 } ?? .max
            let behind = try (ends?.optionalInteger("n")).flatMap { $0 } ?? 0
            let byteCount = try digest.map { try tx.keep($0) } ?? 0
            let paper: ID<ConversionPaper> = tx.newID()
            try tx.run(
                """
                INSERT INTO conversion_paper (id, conversion, place, name, kind, digest, byte_count, address, turn,
                    corners, look, document, arrival)
                VALUES (\(paper), \(id), \(place.map(Int64.init) ?? behind + 1), \(name), \(kind), \(digest),
                    \(byteCount), \(address), 0, \(sheet.corners?.json.text), \(sheet.look), \(origin?.text),
                    \(way?.rawValue ?? ""))
                """)
            // Called by the first of them, which need not be the first to arrive.
            if place.map(Int64.init) ?? behind + 1 < first {
                try tx.run(
                    "UPDATE conversion SET name = \(Self.title(name)) WHERE id = \(id) AND is_named = 0")
            }
            try tx.run(
                """
                UPDATE conversion SET version = version + 1, state = 'draft', job = NULL, reason = NULL,
                    changed_at = \(tx.now)
                WHERE id = \(id)
                """)
            forget(conversion.job, in: tx)
            guard let row = try tx.row("SELECT * FROM conversion_paper WHERE id = \(paper)") else {
                throw notFound
            }
            return try ConversionPaper(row)
        }
    }

    /// A paper that Quire can do nothing with is told so when it is handed in, not after.
    private func kind(of digest: Digest, _ name: String, isCarried: Bool) throws -> String {
        let byteCount = try store.blobs.byteCount(of: digest)
        guard byteCount <= Int64(Converter.mostByteCount) else {
            throw Failure(.tooLarge, "“\(name)” is larger than 2 GB.", field: "file")
        }
        let known =
            byteCount == 0 ? nil : try PaperKind.known(ofFile: store.blobs.path(of: digest), named: name)
        guard let kind = known?.convertible ?? (isCarried ? .other(name) : nil) else {
            throw Failure(
                .unsupported,
                byteCount == 0 ? "“\(name)” is empty." : "“\(name)” is of no kind Quire can convert.",
                field: "file")
        }
        return kind.name
    }

    static func host(_ address: String) -> String {
        let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        return String(rest.prefix { !"/?#:".contains($0) })
    }

    static func title(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
            PaperKind.named(FileName.ending(of: name)) != nil
        else { return name }
        return String(name[..<dot])
    }

    // MARK: Changing

    /// A new name, new wishes. What was converted before is converted anew.
    @discardableResult
    public func change(
        _ id: ID<Conversion>, named name: String? = nil,
        _ wishes: (inout ConversionWishes) throws -> Void = { _ in },
        ifVersion version: Int? = nil, by caller: Caller
    ) throws -> Conversion {
        try caller.require(.edit)
        return try store.write { tx in
            let before = try find(id, for: caller, in: tx)
            if let version, version != before.version {
                throw Failure(.conflict, "Somebody else has changed this meanwhile. Look at it again.")
            }
            var after = before
            try wishes(&after.wishes)
            if let name {
                guard let name = FileName.cleaned(FileName.safe(name)) else {
                    throw Failure(.invalid, "A paper needs a name.", field: "name")
                }
                after.name = name
                try tx.run("UPDATE conversion SET name = \(name), is_named = 1 WHERE id = \(id)")
            }
            guard after.wishes != before.wishes || after.name != before.name else { return before }
            try tx.run(
                """
                UPDATE conversion SET wishes = \(after.wishes.json.text), secrets = \(try keys.sealed(after.wishes, of: id))
                WHERE id = \(id)
                """)
            var wishes = after.wishes
            (wishes.folder, wishes.tags) = (before.wishes.folder, before.wishes.tags)
            if wishes == before.wishes, after.name == before.name {
                // Another place in the library and other tags make no other paper.
                try tx.run("UPDATE conversion SET version = version + 1 WHERE id = \(id)")
            } else {
                try changed(before, in: tx)
            }
            return try find(id, in: tx)
        }
    }

    /// Turns a paper clockwise, puts it at another place among the others (from 1), or says anew where its sheet lies and how it
    /// looks.
    @discardableResult
    public func change(
        _ paper: ID<ConversionPaper>, of id: ID<Conversion>, turn: Int? = nil, place: Int? = nil,
        _ sheet: (inout PhotographedSheet) -> Void = { _ in }, by caller: Caller
    ) throws -> Conversion {
        try caller.require(.edit)
        if let turn, turn % 90 != 0 {
            throw Failure(.invalid, "Pages turn by 90, 180 or 270 degrees.", field: "turn")
        }
        return try store.write { tx in
            let before = try find(id, for: caller, in: tx)
            guard let index = before.papers.firstIndex(where: { $0.id == paper }) else { throw notFound }
            if let turn {
                let angle = ((before.papers[index].turn + turn) % 360 + 360) % 360
                try tx.run("UPDATE conversion_paper SET turn = \(angle) WHERE id = \(paper)")
            }
            var after = before.papers[index].sheet
            sheet(&after)
            if after != before.papers[index].sheet {
                try after.check()
                try tx.run(
                    """
                    UPDATE conversion_paper SET corners = \(after.corners?.json.text), look = \(after.look)
                    WHERE id = \(paper)
                    """)
            }
            if let place {
                var order = before.papers.map(\.id)
                order.remove(at: index)
                order.insert(paper, at: min(max(0, place - 1), order.count))
                for (number, each) in order.enumerated() {
                    try tx.run("UPDATE conversion_paper SET place = \(number + 1) WHERE id = \(each)")
                }
            }
            try changed(before, in: tx)
            return try find(id, in: tx)
        }
    }

    @discardableResult
    public func remove(
        _ paper: ID<ConversionPaper>, of id: ID<Conversion>, by caller: Caller
    ) throws -> Conversion {
        try caller.require(.edit)
        return try store.write { tx in
            let before = try find(id, for: caller, in: tx)
            guard try tx.run("DELETE FROM conversion_paper WHERE id = \(paper) AND conversion = \(id)") == 1
            else {
                throw notFound
            }
            try changed(before, in: tx)
            return try find(id, in: tx)
        }
    }

    /// What is no draft any more is converted anew.
    private func changed(_ before: Conversion, in tx: borrowing Transaction) throws {
        if before.state == .draft {
            try tx.run(
                "UPDATE conversion SET version = version + 1, changed_at = \(tx.now) WHERE id = \(before.id)")
        } else {
            try promise(before.id, in: tx)
        }
    }

    // MARK: Converting

    /// Promises the work; a conversion that was done is done again.
    @discardableResult
    public func start(_ id: ID<Conversion>, by caller: Caller) throws -> Conversion {
        try caller.require(.edit)
        let wished = try get(id, by: caller)
        // A scan is photos on sheets, to be looked at; a plan sells what is made of other papers.
        if !wished.isScan { try documents.requirePlan(.convert) }
        if wished.wishes.keeps { try documents.requirePlan(.save) }
        return try store.write { tx in
            _ = try find(id, for: caller, in: tx)
            try promise(id, for: caller, in: tx)
            return try find(id, in: tx)
        }
    }

    func promise(
        _ id: ID<Conversion>, for caller: Caller? = nil, in tx: borrowing Transaction
    ) throws {
        let conversion = try find(id, in: tx)
        guard !conversion.papers.isEmpty else {
            try tx.run(
                """
                UPDATE conversion SET version = version + 1, state = 'draft', job = NULL, changed_at = \(tx.now)
                WHERE id = \(id)
                """)
            forget(conversion.job, in: tx)
            guard conversion.state == .draft else { return }
            throw Failure(.conflict, "There is nothing to convert yet. Add a paper first.", field: "file")
        }
        let job = try queue.add(
            .convertPapers, payload: ["conversion": .string(id.text)], title: "Convert “\(conversion.name)”",
            in: tx, unique: id.text, asks: caller?.member)
        try tx.run(
            """
            UPDATE conversion SET version = version + 1, state = 'waiting', job = \(job), reason = NULL,
                changed_at = \(tx.now)
            WHERE id = \(id)
            """)
        if job != conversion.job { forget(conversion.job, in: tx) }
    }

    /// Ends what is under way. What it had made before stays.
    @discardableResult
    public func cancel(_ id: ID<Conversion>, by caller: Caller) throws -> Conversion {
        try caller.require(.edit)
        try store.write { tx in
            let conversion = try find(id, for: caller, in: tx)
            guard conversion.state == .waiting else { return }
            try tx.run(
                """
                UPDATE conversion SET version = version + 1, state = 'cancelled', changed_at = \(tx.now)
                WHERE id = \(id)
                """)
            forget(conversion.job, in: tx)
        }
        return try get(id, by: caller)
    }

    /// Nobody waits for this job any more.
    func forget(_ job: ID<Job>?, in tx: borrowing Transaction) {
        guard let job else { return }
        tx.afterCommit { [queue] in _ = try? queue.cancel(job) }
    }

    // MARK: Looking

    public func get(_ id: ID<Conversion>, by caller: Caller) throws -> Conversion {
        try caller.require(.view)
        return try seen(store.read { desk in try find(id, for: caller, in: desk) })
    }

    /// The newest first: all, or only those with something left to be kept or done.
    public func list(open: Bool = false, limit: Int = 50, by caller: Caller) throws -> [Conversion] {
        try caller.require(.view)
        let kept: Query =
            open
            ? """
            NOT EXISTS (SELECT 1 FROM conversion_result r WHERE r.conversion = conversion.id AND r.document IS NOT NULL)
            """ : "1 = 1"
        let found = try store.read { desk in
            let shown = try shown(to: caller, in: desk)
            return try desk.rows(
                "SELECT id FROM conversion WHERE \(kept) AND trial_of IS NULL AND \(shown) ORDER BY changed_at DESC, id DESC LIMIT \(limit)"
            ).map { try find($0.id("id"), in: desk) }
        }
        return try found.map(seen)
    }

    /// Where the bytes of a result lie.
    public func file(
        _ place: Int, of id: ID<Conversion>, by caller: Caller
    ) throws -> (result: ConversionResult, path: String) {
        let conversion = try get(id, by: caller)
        guard let result = conversion.results.first(where: { $0.place == place }) else { throw notFound }
        return (result, try store.blobs.path(of: result.blob.digest))
    }

    /// Where the bytes of something handed in lie.
    public func file(
        _ paper: ID<ConversionPaper>, of id: ID<Conversion>, by caller: Caller
    ) throws -> (paper: ConversionPaper, path: String) {
        let conversion = try get(id, by: caller)
        guard let paper = conversion.papers.first(where: { $0.id == paper }),
            case .file(let digest) = paper.content
        else { throw notFound }
        return (paper, try store.blobs.path(of: digest))
    }

    /// As its job knows it: that may have begun, or ended without a word.
    private func seen(_ conversion: Conversion) throws -> Conversion {
        guard conversion.state == .waiting else { return conversion }
        var conversion = conversion
        let job = try conversion.job.flatMap(queue.get)
        conversion.progress = job?.progress ?? conversion.progress
        if job?.state == .waiting { return conversion }
        if job?.state == .running {
            conversion.state = .running
            return conversion
        }
        // It may have ended between the two looks, and has written down how.
        let now = try store.read { desk in try find(conversion.id, in: desk) }
        guard now.state == .waiting, now.job == conversion.job else { return now }
        conversion.state = job?.state == .cancelled ? .cancelled : .failed
        if conversion.state == .failed {
            conversion.reason = job?.reason ?? "It was not finished. Start it again."
        }
        return conversion
    }

    // MARK: Keeping

    /// Puts results into the library, under their names there; all that are not there yet unless told which. Without
    /// another folder they come to lie where it was wished.
    @discardableResult
    public func keep(
        _ id: ID<Conversion>, _ places: Set<Int>? = nil, named names: [Int: String] = [:],
        into folder: ID<Folder>?? = nil, by caller: Caller
    ) throws -> [Documents.Added] {
        try caller.require(.edit)
        try documents.requirePlan(.save)
        let folder = try folder ?? get(id, by: caller).wishes.folder
        if let folder, try documents.folders(by: caller, counting: false)[folder] == nil {
            throw Failure(
                .notFound, "There is no such folder. It may have been removed.", field: "folder")
        }
        return try store.write { tx in
            let conversion = try find(id, for: caller, in: tx)
            let chosen = conversion.results.filter { result in
                places.map { $0.contains(result.place) } ?? (result.document == nil)
            }
            guard !chosen.isEmpty else {
                throw Failure(.conflict, "There is nothing to keep yet.")
            }
            return try chosen.map { result in
                try keep(
                    result, named: names[result.place] ?? result.name, into: folder,
                    wearing: conversion.wishes.tags, of: id, knowing: documents.shown(to: caller, in: tx),
                    by: caller.actor,
                    calledThen: caller.name, in: tx)
            }
        }
    }

    func keep(
        _ result: ConversionResult, named name: String, into folder: ID<Folder>?, wearing tags: [String],
        of id: ID<Conversion>, knowing: Query? = nil, by actor: String, calledThen actorName: String,
        in tx: borrowing Transaction
    ) throws -> Documents.Added {
        let named = FileName.completed(FileName.cleaned(name) ?? result.name, for: result.blob.mediaType)
        let way = try tx.row(
            """
            SELECT arrival FROM conversion_paper WHERE conversion = \(id) AND arrival <> '' ORDER BY place, id LIMIT 1
            """)
        var added = try documents.arriving(by: way.flatMap { PaperArrival(rawValue: try $0.text("arrival")) })
            .add(
                result.blob.digest, result.blob.mediaType, named: named, into: folder, knowing: knowing,
                by: actor,
                calledThen: actorName, in: tx)
        if case .added(let document) = added, !tags.isEmpty {
            added = .added(
                try documents.file(document, as: Documents.Filing(addedTags: tags), actor: actor, in: tx))
        }
        try tx.run(
            """
            UPDATE conversion_result SET document = \(added.document.id), name = \(added.document.name)
            WHERE conversion = \(id) AND place = \(result.place)
            """)
        return added
    }

    /// Throws all of it away; what was kept in the library stays there.
    public func discard(_ id: ID<Conversion>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            let conversion = try find(id, for: caller, in: tx)
            try tx.run("DELETE FROM conversion WHERE id = \(id)")
            forget(conversion.job, in: tx)
        }
    }

    /// Throws away what nobody has touched for so long, and trials much sooner. Run by Quire itself, at night.
    @discardableResult
    public func forget(after time: Duration = usualTime) throws -> Int {
        try store.write { tx in
            try tx.run(
                """
                DELETE FROM conversion WHERE changed_at <= \(tx.now - time)
                    OR (trial_of IS NOT NULL AND changed_at <= \(tx.now - Self.trialTime))
                """)
        }
    }

    /// Which of these are made of papers that lie where this caller may not look, or were kept there.
    public func hidden(
        among ids: some Sequence<ID<Conversion>>, from caller: Caller
    ) throws -> Set<ID<Conversion>> {
        try store.read { desk in
            guard let papers = try documents.hiddenPapers(from: caller, in: desk) else { return [] }
            return Set(
                try desk.rows(
                    """
                    SELECT id FROM conversion WHERE \(Query.column("id", in: ids.map(\.text)))
                        AND NOT \(Self.isOpen(papers))
                    """
                ).map { try $0.id("id") })
        }
    }

    /// Those this caller may see, as a condition.
    private func shown(
        to caller: Caller, in desk: borrowing some Readable & ~Copyable
    ) throws -> Query {
        try documents.hiddenPapers(from: caller, in: desk).map(Self.isOpen) ?? "1 = 1"
    }

    private static func isOpen(_ hidden: Query) -> Query {
        """
        (conversion.id NOT IN (SELECT conversion FROM conversion_paper WHERE document IN (\(hidden)))
            AND conversion.id NOT IN (SELECT conversion FROM conversion_result WHERE document IN (\(hidden))))
        """
    }

    /// The conversion of an id, for somebody who may see the papers it is made of.
    func find(
        _ id: ID<Conversion>, for caller: Caller, in desk: borrowing some Readable & ~Copyable
    ) throws -> Conversion {
        let conversion = try find(id, in: desk)
        let shown = try shown(to: caller, in: desk)
        guard try desk.row("SELECT 1 AS n FROM conversion WHERE id = \(id) AND \(shown)") != nil else {
            throw documents.isPrivate
        }
        return conversion
    }

    func find(_ id: ID<Conversion>, in desk: borrowing some Readable & ~Copyable) throws -> Conversion {
        guard let row = try desk.row("SELECT * FROM conversion WHERE id = \(id)") else { throw notFound }
        var conversion = try Conversion(row)
        try keys.open(row.optionalBlob("secrets"), of: id, into: &conversion.wishes)
        conversion.papers = try desk.rows(
            "SELECT * FROM conversion_paper WHERE conversion = \(id) ORDER BY place, id"
        ).map(ConversionPaper.init)
        conversion.results = try desk.rows(
            "SELECT * FROM conversion_result WHERE conversion = \(id) ORDER BY place"
        ).map(ConversionResult.init)
        return conversion
    }

    var notFound: Failure {
        Failure(
            .notFound, "There is no such conversion, or no such part of it. It may have been thrown away.")
    }
}
