import Access
import Bytes
import Glibc
public import Conversion
public import Jobs
import Kinds
import Library
import PDF
import SQL
import Scanning
public import Storage
import Work

extension JobKind {
    /// Once: what a converter could not read it will not read the next time, and what ends its engine is tried in a
    /// fresh one already.
    public static let convertPapers = JobKind(
        "convert-papers", title: "Convert papers", maximumAttempts: 1, timeLimit: .seconds(4 * 3600))
}

extension Conversions {
    /// Names who does these jobs.
    public func handle(in runner: JobRunner) {
        runner.handle(.convertPapers) { run in try convert(run) }
    }

    private func convert(_ run: JobRun) throws {
        guard let id = run.payload["conversion"]?.string.flatMap(ID<Conversion>.init),
            let conversion = try begun(id, run)
        else { return }
        do {
            let (papers, report) = try made(conversion, run.progress)
            try run.progress.check()
            try settle(conversion, papers, report, run)
        } catch let error as ConversionError {
            if case .cancelled(let reason) = error { throw Cancelled(reason: reason) }
            try fail(conversion, Failure(error), run)
        } catch let failure as Failure where failure.code != .cancelled {
            try fail(conversion, failure, run)
        }
    }

    /// Nil when it was changed since: another job converts it as it is now.
    private func begun(_ id: ID<Conversion>, _ run: JobRun) throws -> Conversion? {
        try store.write { tx in
            guard let row = try tx.row("SELECT job FROM conversion WHERE id = \(id)"),
                try row.optionalText("job") == run.job.id.text
            else { return nil }
            // A job that was cancelled or has failed may have been told to try again.
            try tx.run("UPDATE conversion SET state = 'waiting', reason = NULL WHERE id = \(id)")
            return try find(id, in: tx)
        }
    }

    private func made(
        _ conversion: Conversion, _ progress: Progress
    ) throws -> (papers: [Paper], report: ConversionReport) {
        let wishes = remaining(of: conversion)
        guard let goal = PaperKind.named(wishes.goal) else {
            throw Failure(.invalid, "“\(wishes.goal)” is no kind of paper.", field: "to")
        }
        let options = try wishes.conversionOptions()
        let steps = try wishes.paperSteps()
        let inputs = try conversion.papers.map { paper in
            var input =
                switch paper.content {
                case .address(let address): ConversionInput(name: paper.name, .address(address))
                case .file(let digest):
                    ConversionInput(name: paper.name, .file(try store.blobs.path(of: digest)))
                }
            input.turn = paper.turn
            input.corners = paper.sheet.corners
            input.look = Look.words.first { $0.word == paper.sheet.look }?.look
            return input
        }
        let converter = Converter(engines(), clock: store.clock)
        let parts = PaperSteps.carried(inputs, by: steps)
        let result = try converter.convert(
            parts.converted, to: goal, options, joinsPictures: wishes.isTogether, progress: progress)
        var report = result.report
        let followed = PaperSteps(converter, options, progress: progress)
        // Fronts and backs, or letters and their letterhead, are several until that is done.
        let joint = Array(steps.prefix(while: \.takesSeveral))
        var papers = try followed.run(
            joint, on: result.papers, carrying: parts.carried, report: &report)
        if wishes.isTogether, goal == .pdf, papers.count > 1 {
            papers = try followed.run([.merge], on: papers, report: &report)
        }
        papers = try followed.run(Array(steps.dropFirst(joint.count)), on: papers, report: &report)
        return (papers, report)
    }

    /// The results, the new state and the end of the job are saved together: what was begun twice ends once.
    private func settle(
        _ conversion: Conversion, _ papers: [Paper], _ report: ConversionReport, _ run: JobRun
    ) throws {
        let known = conversion.unfinishedWays == nil ? [] : conversion.results
        let names = Self.names(of: papers, conversion)
        let results = try zip(papers, names).enumerated().map { place, item -> ConversionResult in
            let digest = try store.blobs.put(item.0.bytes)
            let pages = item.0.kind == .pdf ? (try? PDFFile(bytes: item.0.bytes))?.pages.count : nil
            return ConversionResult(
                place: known.count + place + 1, name: item.1,
                blob: Blob(
                    digest: digest, byteCount: Int64(item.0.bytes.count), mediaType: item.0.kind.mediaType),
                pageCount: pages, document: nil)
        }
        let told = known.isEmpty ? report.json : report.following(conversion.report)
        let title = results.count == 1 ? Self.title(names[0]) : conversion.name
        // A folder that was removed meanwhile is no reason to lose the papers: they lie at the top then.
        let folder = try conversion.wishes.folder.flatMap {
            try documents.folders(by: .local, counting: false)[$0]?.folder.id
        }
        try store.write { tx in
            let changed = try tx.run(
                """
                UPDATE conversion SET state = 'done', reason = NULL, report = \(told.text),
                    name = CASE WHEN is_named = 1 THEN name ELSE \(title) END, changed_at = \(tx.now)
                WHERE id = \(conversion.id) AND version = \(conversion.version) AND job = \(run.job.id)
                    AND state = 'waiting'
                """)
            guard changed == 1 else { throw Cancelled(reason: "It was changed meanwhile.") }
            try tx.run(
                "DELETE FROM conversion_result WHERE conversion = \(conversion.id) AND place > \(known.count)"
            )
            for result in results {
                try tx.keep(result.blob.digest)
                try insert(result, of: conversion.id, in: tx)
                if conversion.wishes.keeps {
                    _ = try keep(
                        result, named: result.name, into: folder, wearing: conversion.wishes.tags,
                        of: conversion.id, by: conversion.addedBy,
                        calledThen: conversion.addedByName, in: tx)
                }
            }
            try run.finish(
                result: ["conversion": .string(conversion.id.text), "results": .int(results.count)], in: tx)
        }
    }

    func insert(_ result: ConversionResult, of id: ID<Conversion>, in tx: borrowing Transaction) throws {
        try tx.run(
            """
            INSERT INTO conversion_result (conversion, place, name, digest, byte_count, media_type, page_count)
            VALUES (\(id), \(result.place), \(result.name), \(result.blob.digest),
                \(result.blob.byteCount), \(result.blob.mediaType), \(result.pageCount))
            """)
    }

    private func fail(_ conversion: Conversion, _ failure: Failure, _ run: JobRun) throws -> Never {
        try store.write { tx in
            try tx.run(
                """
                UPDATE conversion SET state = 'failed', reason = \(failure.message), changed_at = \(tx.now)
                WHERE id = \(conversion.id) AND version = \(conversion.version) AND state = 'waiting'
                """)
        }
        throw failure
    }

    /// One result is called as the conversion is; several keep names of their own, no two alike.
    private static func names(of papers: [Paper], _ conversion: Conversion) -> [String] {
        let isOne = papers.count == 1 && conversion.isNamed
        var taken: Set<String> = []
        return papers.map { paper in
            let cleaned = FileName.cleaned(paper.name) ?? FileName.unnamed
            let ending = "." + paper.kind.name
            let title = isOne ? conversion.name : Self.title(cleaned)
            let base = title.hasSuffix(ending) ? String(title.dropLast(ending.count)) : title
            var name = FileName.cleaned(base + ending) ?? FileName.unnamed
            var number = 2
            while !taken.insert(name).inserted {
                name = "\(base.prefix(180)) \(number)\(ending)"
                number += 1
            }
            return name
        }
    }
}

extension Failure {
    /// What went wrong with a conversion, as a person is told it.
    public init(_ error: ConversionError) {
        let code: Failure.Code =
            switch error {
            // What the machine lacks for a moment is no fault of the file.
            case .unreadableFile(_, let reason)
            where [EMFILE, ENFILE, ENOMEM].contains { reason == systemMessage($0) }: .unavailable
            case .unreadableFile: .notFound
            case .unknownKind, .noWay: .unsupported
            case .missing, .busy, .engineFailed, .tooLittleMemory: .unavailable
            case .passwordNeeded, .wrongPassword: .denied
            case .passwordNotNeeded, .badOption: .invalid
            case .damaged, .page: .damaged
            case .tooLarge: .tooLarge
            case .timedOut, .pageTimedOut: .unavailable
            case .cancelled: .cancelled
            }
        self.init(code, error.description)
    }
}
