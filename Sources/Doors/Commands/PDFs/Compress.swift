import Bytes
import Conversion
import Storage
import Work

extension Command {
    private static let ways = Compression.usual.map(\.word)

    static let compress = Command(
        name: "compress", summary: "make PDF files smaller",
        discussion: """
            --way careful packs a file anew and leaves every picture as fine as it is; balanced makes pictures as fine as a \
            screen needs; strong makes them coarse enough for mail. --target gives the finest that is no larger than a size, \
            --dpi pictures of so many dots to an inch. Where fields could not be filled in any more, pictures \
            stay as they are. A file that would not become smaller is not written. --dry-run says what each way would save \
            and what it would cost, and writes nothing. No desk is needed.
            """,
        arguments: [SheetTask.files],
        options: SheetTask.options(
            [],
            [
                Option(
                    "way", "WAY", ways.joined(separator: ", ") + "; balanced if not said",
                    completion: .choices(ways)),
                Option("target", "SIZE", "no larger than that, if it can be: 2MB, 500kB"),
                Option("dpi", "NUMBER", "pictures of so many dots to an inch, 20 to 1200"),
                Option("dry-run", nil, "say what each way would save, and write nothing"),
            ]),
        examples: [
            Example("quire compress scan.pdf --dry-run", "what it would save"),
            Example("quire compress scan.pdf -o small.pdf", "as fine as a screen needs"),
            Example("quire compress *.pdf -o small/ --way strong", "for mail"),
            Example(
                "quire compress scan.pdf -o small.pdf --target 2MB",
                "for a form on the web that takes no more"),
        ],
        run: { call in
            let task = SheetTask(call)
            let way = try way(call)
            let engines = Engines(jail: Jail.detect(), settings: .ofThisMachine)
            defer { engines.stop() }
            if call.has("dry-run") {
                return try weigh(way.map { [$0] } ?? Compression.usual, engines, call)
            }
            let tools = PDFTools(engines)
            try task.run("Making smaller") { paper in
                var report = ConversionReport()
                let small = try tools.compressed(paper, by: way ?? .balanced, &report)
                let before = paper.bytes.count
                var members: [(String, JSON)] = [("byteCountBefore", .int(before))]
                if case .fit(let most) = way { members.append(("fits", .bool(small.bytes.count <= most))) }
                guard small.bytes.count < before else {
                    return .init(
                        paper: paper, members: members, hints: report.remarks,
                        unwritten:
                            "would not become smaller than its \(Words.size(Int64(before))); not written")
                }
                return .init(
                    paper: small, members: members, note: " instead of \(Words.size(Int64(before)))",
                    hints: report.remarks)
            }
        })

    /// Nil where nobody says it.
    private static func way(_ call: Invocation) throws -> Compression? {
        let said = ["way", "target", "dpi"].filter { call.value($0) != nil }
        guard said.count < 2 else {
            throw UsageError(
                message: "--\(said[0]) and --\(said[1]) say the same in two ways", hint: "Use one of them.")
        }
        if let word = call.value("way") {
            guard let way = Compression.usual.first(where: { $0.word == word }) else {
                throw UsageError(
                    message: "There is no way “\(word)”", hint: "Say \(ways.joined(separator: ", ")).")
            }
            return way
        }
        if let text = call.value("target") {
            guard let bytes = ByteSize.bytes(text), bytes >= Compression.leastFit else {
                throw UsageError(
                    message: "--target takes a size of at least 10 kB, not “\(text)”",
                    hint: "For example 2MB.")
            }
            return .fit(bytes)
        }
        guard let text = call.value("dpi") else { return nil }
        guard let dots = Int(text), Compression.dotCounts.contains(dots) else {
            throw UsageError(
                message: "--dpi takes a number from 20 to 1200, not “\(text)”", hint: "150 is usual.")
        }
        return .dots(dots)
    }

    /// Before and after, with what would be lost on the way.
    private static func weigh(_ ways: [Compression], _ engines: Engines, _ call: Invocation) throws {
        var views: [JSON] = []
        var lines = ""
        for path in call.arguments {
            let paper = try PDFWork(call).paper(path)
            let before = paper.bytes.count
            var found: [JSON] = []
            lines += "\(TextTable.harmless(path)): \(Words.size(Int64(before)))\n"
            try call.withProgress("Weighing") { progress in
                let tools = PDFTools(engines, cancellation: progress.cancellation)
                try withConversion {
                    let parts = try tools.parts(of: paper)
                    for way in ways {
                        var report = ConversionReport()
                        let small = try tools.compressed(paper, by: way, &report)
                        let isSmaller = small.bytes.count < before
                        let lost =
                            isSmaller
                            ? parts.lost(in: try tools.parts(of: small, keepsSignatures: false)) : []
                        found.append([
                            "way": .string(way.word), "byteCount": .int(small.bytes.count),
                            "lost": .object(JSONObject(lost.map { ($0.kind.rawValue, .int($0.count)) })),
                            "remarks": .array(report.remarks.map(JSON.string)),
                        ])
                        let costs = lost.map { "\($0.kind.rawValue) (\($0.count))" }.joined(separator: ", ")
                        lines +=
                            "  \(way.word): "
                            + (isSmaller ? Words.size(Int64(small.bytes.count)) : "not smaller")
                            + (costs.isEmpty ? "" : ", loses \(costs)") + "\n"
                        for remark in report.remarks { lines += "    \(TextTable.harmless(remark))\n" }
                    }
                }
            }
            views.append([
                "from": .string(call.absolute(path)), "byteCount": .int(before), "ways": .array(found),
            ])
        }
        call.answer(["files": .array(views)]) { lines + "Nothing was written.\n" }
    }
}
