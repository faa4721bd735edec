import PDF
import PDFReading
import Pictures
import Work

/// Draws pages of a PDF file as pictures with poppler, in the jail, several programs side by side.
struct PageDrawer: Sendable {
    let engines: Engines
    let dotsPerInch: Int
    let isJPEG: Bool
    var quality = 85
    let cancellation: Cancellation

    /// Pages for one program: few enough that its limits mean something, enough that starting it costs little.
    private static let pagesAtOnce = 24

    /// Larger files are not put into every cell as a whole.
    private static let mostCopied = 16 << 20

    func draw(_ paper: Paper, pages: [Int]) throws(ConversionError) -> [[UInt8]] {
        guard Child.find("pdftoppm") != nil else {
            throw .missing(program: "Poppler", package: "poppler-utils")
        }
        // Runs of pages that follow each other, none too long.
        var runs: [Range<Int>] = []
        let most = max(
            1,
            min(
                Self.pagesAtOnce,
                (pages.count + engines.workers.threadLimit - 1) / engines.workers.threadLimit))
        for page in pages {
            if let last = runs.last, last.upperBound == page, last.count < most {
                runs[runs.count - 1] = last.lowerBound..<page + 1
            } else {
                runs.append(page..<page + 1)
            }
        }
        do {
            return try engines.workers.map(runs) { run in try self.drawn(paper, run) }.flatMap { $0 }
        } catch let error as ConversionError {
            throw error
        } catch {
            throw .engineFailed("“\(paper.name)”: \(error)")
        }
    }

    /// Poppler and qpdf stumble over different things: what one has put in order the other may draw.
    private func drawn(_ paper: Paper, _ run: Range<Int>) throws -> [[UInt8]] {
        func mended() -> Paper? {
            (try? Sheets(bytes: paper.bytes).mended()).map {
                Paper(name: paper.name, kind: paper.kind, bytes: $0.bytes)
            }
        }
        do {
            let pictures = try draw(paper, run)
            guard pictures.contains(where: Self.isDot), let mended = mended() else { return pictures }
            return try draw(mended, run)
        } catch ConversionError.damaged(let name, let reason) {
            guard let mended = mended() else { throw ConversionError.damaged(name, reason: reason) }
            return try draw(mended, run)
        }
    }

    /// Of a page that it does not find poppler makes a picture of one dot, and says nothing.
    private static func isDot(_ bytes: [UInt8]) -> Bool {
        guard bytes.count < 4096, let picture = try? Picture(bytes) else { return false }
        return picture.width == 1 && picture.height == 1
    }

    private func draw(_ paper: Paper, _ run: Range<Int>) throws -> [[UInt8]] {
        let part = Self.part(of: paper, run)
        let first = part == nil ? run.lowerBound + 1 : 1
        return try engines.jail.steadyCell { cell in
            try cell.put(part ?? paper.bytes, named: "in.pdf")
            var options = [
                "-q", "-cropbox", "-r", "\(dotsPerInch)", "-f", "\(first)", "-l", "\(first + run.count - 1)",
            ]
            options += isJPEG ? ["-jpeg", "-jpegopt", "quality=\(quality)"] : ["-png"]
            let limits = Child.Limits(
                time: .seconds(Int64(60 + 20 * run.count)), cpu: .seconds(Int64(60 + 20 * run.count)),
                memoryByteCount: 2 << 30, fileByteCount: 1 << 30, processCount: 32, openFileCount: 64)
            let outcome = try cell.run(
                "pdftoppm", options + ["in.pdf", "p"], limits: limits, cancellation: cancellation)
            try outcome.checkCrash()
            if case .stopped(.cancelled(let reason)) = outcome.ending {
                throw ConversionError.cancelled(reason: reason)
            }
            if case .stopped(.timeLimit) = outcome.ending { throw ConversionError.timedOut(paper.name) }
            let names = try cell.names.filter { $0.hasPrefix("p-") }.sorted { PaperNames.areInOrder($0, $1) }
            guard outcome.succeeded, names.count == run.count else {
                throw ConversionError.damaged(paper.name, reason: "its pages cannot be drawn.")
            }
            return try names.map { try cell.read($0, limit: 512 << 20) }
        }
    }

    /// Of a thick file the pages of one run alone; nil when the whole file goes in.
    private static func part(of paper: Paper, _ run: Range<Int>) -> [UInt8]? {
        guard paper.bytes.count > mostCopied, let file = try? PDFFile(bytes: paper.bytes),
            run.count < file.pages.count
        else { return nil }
        return (try? PDFAssembly([PDFAssembly.Part(file, pages: Array(run))]))?.bytes
    }
}
