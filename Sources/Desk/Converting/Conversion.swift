public import Bytes
public import Jobs
import Kinds
public import Library
import SQL
public import Storage
public import Work

/// Papers that are to become others: what was handed in, what is wished, and what has come of it so far.
///
/// It stays until its results are kept in the library or thrown away, so that a closed window loses nothing.
public struct Conversion: Sendable {
    public enum State: String, Sendable, CaseIterable {
        /// Papers are still being gathered; nothing has been begun.
        case draft
        case waiting, running, done, failed, cancelled
    }

    public let id: ID<Conversion>
    public var name: String
    /// Whether somebody chose the name; otherwise it follows the papers.
    public var isNamed: Bool
    public var wishes: ConversionWishes
    /// Grows with each change, so that an answer to an older wish is not taken for one to the newest.
    public var version: Int
    public var state: State
    public var job: ID<Job>?
    /// While it runs: how far.
    public var progress = Progress.Snapshot()
    /// Why it failed, in a sentence for a person.
    public var reason: String?
    /// Engines, pages, fonts, addresses, times.
    public var report: JSON?
    public var addedAt: Moment
    public var addedBy: String
    public var addedByName: String
    public var changedAt: Moment
    /// Whether it only shows how small a paper would become.
    public var isTrial: Bool
    public var papers: [ConversionPaper] = []
    public var results: [ConversionResult] = []

    /// Photos that only become pages.
    var isScan: Bool {
        wishes.goal == PaperKind.pdf.name && wishes.steps.isEmpty
            && papers.allSatisfy { PaperKind.named($0.kind)?.family == .picture }
    }

    public var isUnderWay: Bool { state == .waiting || state == .running }
    /// Whether there is something left to keep.
    public var isKept: Bool { !results.isEmpty && results.allSatisfy { $0.document != nil } }
}

/// Something that was handed in: a file, or the address of a web page.
public struct ConversionPaper: Sendable, Equatable {
    public enum Content: Sendable, Equatable {
        case file(Digest)
        case address(String)
    }

    public let id: ID<ConversionPaper>
    public var name: String
    /// What Quire takes it for, as `PaperKind` names it; empty until it is looked at.
    public var kind: String
    public var content: Content
    public var byteCount: Int64
    /// Clockwise, in degrees.
    public var turn: Int
    public var sheet = PhotographedSheet()
}

public struct ConversionResult: Sendable, Equatable {
    /// From 1.
    public let place: Int
    public var name: String
    public var blob: Blob
    /// Of PDF files that open without a password.
    public var pageCount: Int?
    /// Where it is in the library, once it is kept.
    public var document: ID<Document>?
}

extension Conversion {
    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("name")
        isNamed = try row.bool("is_named")
        wishes = try ConversionWishes(kept: JSON(parsing: row.text("wishes")))
        version = try row.int("version")
        state = State(rawValue: try row.text("state")) ?? .failed
        job = try row.optionalText("job").flatMap { ID<Job>($0) }
        reason = try row.optionalText("reason")
        report = try row.optionalText("report").map { try JSON(parsing: $0) }
        addedAt = try row.moment("added_at")
        addedBy = try row.text("added_by")
        addedByName = try row.text("added_by_name")
        changedAt = try row.moment("changed_at")
        isTrial = try row.optionalText("trial_of") != nil
    }
}

extension ConversionPaper {
    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("name")
        kind = try row.text("kind")
        byteCount = try row.integer("byte_count")
        turn = try row.int("turn")
        sheet = try PhotographedSheet(row)
        if let address = try row.optionalText("address") {
            content = .address(address)
        } else {
            content = .file(try row.digest("digest"))
        }
    }
}

extension ConversionResult {
    init(_ row: Row) throws {
        place = try row.int("place")
        name = try row.text("name")
        blob = Blob(
            digest: try row.digest("digest"), byteCount: try row.integer("byte_count"),
            mediaType: try row.text("media_type"))
        pageCount = try row.optionalInteger("page_count").map { Int(clamping: $0) }
        document = try row.optionalText("document").flatMap { ID<Document>($0) }
    }
}
