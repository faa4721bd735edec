public import Access
import Bytes
public import Conversion
import Jobs
public import Library
import SQL
public import Storage
import Work

/// A paper made smaller in every way there is, to be looked at before one of them takes its place. It is worked out once,
/// whoever asks, and what was looked at is what is kept.
extension Conversions {
    /// How long a trial waits for somebody to decide.
    static let trialTime = Duration.seconds(24 * 3600)

    private static let step = "compress="

    /// The ways of a trial, in the order of its results.
    public static func ways(of trial: Conversion) -> [Compression] {
        let words = trial.wishes.steps.first.map { $0.dropFirst(step.count) } ?? ""
        return words.split(separator: ",").compactMap { Compression(String($0)) }
    }

    /// Begins one, unless the paper as it is now has one that works or has worked. `more` is a way that somebody wishes
    /// beside the usual ones: below so many bytes, or to so many dots.
    @discardableResult
    public func tryOut(
        _ document: Document, also more: Compression? = nil, by caller: Caller
    ) throws -> Conversion {
        try caller.require(.edit)
        switch more {
        case .fit(let most) where most < Compression.leastFit:
            throw Failure(.invalid, "No PDF is that small: say at least 10 kB.", field: "most")
        case .dots(let count) where !Compression.dotCounts.contains(count):
            throw Failure(.invalid, "Say 20 to 1200 dots to an inch, such as 150.", field: "dots")
        default: break
        }
        let ways = Compression.usual + (more.map { [$0] } ?? [])
        guard PaperPages.isPDF(document) else {
            throw Failure(
                .unsupported,
                "“\(document.name)” is no PDF. Make one of it first, then it can be made smaller.")
        }
        try document.checkIsHere()
        guard document.blob.byteCount <= PaperPages.largest else {
            throw Failure(.tooLarge, "“\(document.name)” is larger than 512 MB. Split it first.")
        }
        var wishes = ConversionWishes()
        wishes.steps = [Self.step + ways.map(\.word).joined(separator: ",")]
        return try store.write { tx in
            // Perhaps somebody else asked already.
            let other = try trial(of: document, in: tx)
            if let other, Set(Self.ways(of: other)).isSuperset(of: ways) {
                if other.state == .done { return other }
                if other.state == .waiting, try isQueued(other) { return other }
            }
            let id: ID<Conversion> = tx.newID()
            // What was worked out before is there already.
            let known = other.flatMap { $0.state == .done ? $0 : nil }
            let results = known?.results.prefix(Compression.usual.count) ?? []
            for result in results { try tx.keep(result.blob.digest) }
            try throwAwayTrial(of: document.id, in: tx)
            let paper: ID<ConversionPaper> = tx.newID()
            try tx.run(
                """
                INSERT INTO conversion (id, name, is_named, wishes, version, state, added_at, added_by, added_by_name,
                    changed_at, trial_of, report)
                VALUES (\(id), \(document.name), 0, \(wishes.json.text), 1, 'draft', \(tx.now), \(caller.actor),
                    \(caller.name), \(tx.now), \(document.id.text), \(known?.report?.text))
                """)
            for result in results { try insert(result, of: id, in: tx) }
            try tx.run(
                """
                INSERT INTO conversion_paper (id, conversion, place, name, kind, digest, byte_count, turn, document)
                VALUES (\(paper), \(id), 1, \(document.fileName), 'pdf', \(document.blob.digest),
                    \(try tx.keep(document.blob.digest)), 0, \(document.id.text))
                """)
            try promise(id, for: caller, in: tx)
            return try find(id, in: tx)
        }
    }

    /// What of a trial is still to be worked out; of another conversion all that is wished.
    func remaining(of conversion: Conversion) -> ConversionWishes {
        var wishes = conversion.wishes
        guard let rest = conversion.unfinishedWays else { return wishes }
        wishes.steps = [Self.step + rest.map(\.word).joined(separator: ",")]
        return wishes
    }

    /// The trial of a paper as it is now.
    public func trial(of document: Document, by caller: Caller) throws -> Conversion? {
        try caller.require(.view)
        return try store.read { desk in try trial(of: document, in: desk)?.id }.map {
            try get($0, by: caller)
        }
    }

    /// Nobody decides any more.
    public func throwAwayTrial(of document: ID<Document>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in try throwAwayTrial(of: document, in: tx) }
    }

    /// One of its results was kept; another conversion stays as it is.
    public func endTrial(_ id: ID<Conversion>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            try tx.run("DELETE FROM conversion WHERE id = \(id) AND trial_of IS NOT NULL")
        }
    }

    private func trial(
        of document: Document, in desk: borrowing some Readable & ~Copyable
    ) throws -> Conversion? {
        try desk.row(
            """
            SELECT c.id FROM conversion c JOIN conversion_paper p ON p.conversion = c.id
            WHERE c.trial_of = \(document.id.text) AND p.digest = \(document.blob.digest)
            """
        ).map { try find($0.id("id"), in: desk) }
    }

    private func isQueued(_ conversion: Conversion) throws -> Bool {
        guard let job = try conversion.job.flatMap(queue.get) else { return false }
        return job.state == .waiting || job.state == .running
    }

    private func throwAwayTrial(of document: ID<Document>, in tx: borrowing Transaction) throws {
        guard let row = try tx.row("SELECT id, job FROM conversion WHERE trial_of = \(document.text)") else {
            return
        }
        try tx.run("DELETE FROM conversion WHERE id = \(try row.text("id"))")
        forget(try row.optionalText("job").flatMap { ID($0) }, in: tx)
    }
}

extension Conversion {
    /// Of a trial of which some ways are known already, the others.
    var unfinishedWays: [Compression]? {
        guard isTrial, !results.isEmpty, state != .done else { return nil }
        let ways = Conversions.ways(of: self)
        return ways.count > results.count ? Array(ways.dropFirst(results.count)) : nil
    }
}

extension ConversionReport {
    /// With what an earlier job said of the other ways of the same trial.
    func following(_ earlier: JSON?) -> JSON {
        guard var whole = earlier else { return json }
        for list in ["legs", "remarks", "assurances"] {
            whole[list] = .array((earlier?[list]?.array ?? []) + (json[list]?.array ?? []))
        }
        // What there was in the paper is told once, in front.
        whole["parts"] = .array((earlier?["parts"]?.array ?? []) + (json["parts"]?.array ?? []).dropFirst())
        whole["seconds"] = .number((earlier?["seconds"]?.number ?? 0) + seconds)
        return whole
    }
}
