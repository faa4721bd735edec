import Kinds
import Marking
import PDF
import Work

/// PDF files made ready for archives, or smaller, by Ghostscript in the jail.
struct Archiving: Sendable {
    let engines: Engines
    let cancellation: Cancellation

    func archived(
        _ paper: Paper, part: Int, _ report: inout ConversionReport
    ) throws(ConversionError) -> [UInt8] {
        let definition = """
            %!
            [/_objdef {icc} /type /stream /OBJ pdfmark
            [{icc} << /N 3 >> /PUT pdfmark
            [{icc} (/usr/share/color/icc/ghostscript/srgb.icc) (r) file /PUT pdfmark
            [/_objdef {intent} /type /dict /OBJ pdfmark
            [{intent} << /Type /OutputIntent /S /GTS_PDFA1 /DestOutputProfile {icc}
            /OutputConditionIdentifier (sRGB) >> /PUT pdfmark
            [{Catalog} << /OutputIntents [ {intent} ] >> /PUT pdfmark
            """
        // Whether Ghostscript leaves carried files out hangs on its version, and what it keeps of them is not what the third
        // part wants: they are taken away before, and put in again where they may be.
        let carried = try PDFTools.attachments(in: paper)
        let bare = carried.isEmpty ? paper : try PDFTools.dropping(nil, from: paper)
        // It leaves out without a word what is not printed, and draws nothing anew.
        let source = dressed(bare)
        let made = try run(
            source.paper,
            [
                "-dPDFA=\(part)", "-dPDFACompatibilityPolicy=1", "-sColorConversionStrategy=RGB",
                "-dEmbedAllFonts=true", "--permit-file-read=/usr/share/color/icc/ghostscript/srgb.icc",
                "intent.ps",
            ], files: ["intent.ps": Array(definition.utf8)])
        guard PDFTools.claimedArchivePart(made) == part else {
            throw .damaged(paper.name, reason: "Ghostscript could make no PDF/A-\(part)b of it.")
        }
        let (printed, noteCount) = dressed(Paper(name: paper.name, kind: .pdf, bytes: made))
        var whole = printed
        let lost = source.noteCount - noteCount
        if lost > 0 {
            report.remarks.append("Notes on “\(paper.name)” that could not be taken along: \(lost).")
        }
        if !carried.isEmpty {
            guard try PDFTools.attachments(in: whole).isEmpty else {
                throw .damaged(
                    paper.name,
                    reason: "the files it carries cannot be taken out, and PDF/A-\(part)b may carry none.")
            }
            if part == 3 {
                whole = try PDFTools.carrying(carried, in: whole)
            } else {
                report.remarks.append(
                    "The files carried inside “\(paper.name)” were left out: of the archives only PDF/A-3b may hold them."
                )
            }
        }
        let looked = try PDFTools.told(paper.name) { () throws(PDFError) in
            ArchiveReport(try PDFFile(bytes: whole.bytes))
        }
        looked?.tell(of: paper.name, in: &report)
        return whole.bytes
    }

    /// Notes that each reader draws as it likes are none for an archive. How many there are is told as well: Ghostscript knows
    /// the usual kinds only, and makes notes of their own of answers.
    private func dressed(_ paper: Paper) -> (paper: Paper, noteCount: Int) {
        // What is locked against changes, or has to be mended, is written anew first. What cannot be written even so may
        // be read by Ghostscript all the same, and the look afterwards tells what came of it.
        guard
            let marked = (try? MarkedPaper(paper.bytes))
                ?? (try? MarkedPaper(PDFFile(bytes: paper.bytes).rewritten()))
        else { return (paper, 0) }
        let count = marked.marks.reduce(0) { $0 + 1 + $1.replies.count }
        guard let bytes = try? marked.dressed() else { return (paper, count) }
        return (Paper(name: paper.name, kind: .pdf, bytes: bytes), count)
    }

    /// Ghostscript leaves behind what a paper carries inside.
    private func carryingOn(from paper: Paper, to made: [UInt8]) throws(ConversionError) -> [UInt8] {
        let result = Paper(name: paper.name, kind: .pdf, bytes: made)
        let kept = Set(try PDFTools.attachments(in: result).map(\.name))
        let missing = try PDFTools.attachments(in: paper).filter { !kept.contains($0.name) }
        return try PDFTools.carrying(missing, in: result).bytes
    }

    /// The smallest there is by a way, and never larger than it was: packed anew; by all ways but the careful one pictures no
    /// finer than they need be. With a `quality`, 1 to 100, pictures become JPEG of it; nil leaves those alone that are coarse
    /// enough.
    func compressed(
        _ paper: Paper, by way: Compression, quality: Int? = nil, mayLoseFields: Bool,
        _ report: inout ConversionReport
    ) throws(ConversionError) -> [UInt8] {
        var best = paper.bytes
        if try PDFTools.isSigned(paper) {
            // Signatures that do not hold any more would only frighten whoever opens it.
            let unsigned = try PDFTools.working(on: paper) { _ in }.bytes
            if unsigned.count < best.count { best = unsigned }
        } else {
            let packed = try PDFTools.told(paper.name) { () throws(PDFError) in
                try PDFFile(bytes: paper.bytes).rewritten()
            }
            if packed.count < best.count { best = packed }
        }
        guard case .fit(let most) = way else {
            for look in Self.looks(way, quality) {
                if case .smaller(let small) = try shrunk(
                    paper, look, below: best.count, mayLoseFields, &report)
                {
                    best = small
                }
            }
            return best
        }
        guard best.count > most else { return best }
        if let fitting = try fitted(paper, most, &best, mayLoseFields, &report) { return fitting }
        report.remarks.append(
            "“\(paper.name)” cannot be made as small as that; this is the smallest there is.")
        return best
    }

    /// The gentlest that is small enough: each is coarser than the one before, so not all are tried. Nil where none is; `best` is
    /// then the smallest there was.
    private func fitted(
        _ paper: Paper, _ most: Int64, _ best: inout [UInt8], _ mayLoseFields: Bool,
        _ report: inout ConversionReport
    ) throws(ConversionError) -> [UInt8]? {
        let looks = Self.looks(.fit(most), nil)
        var fitting: [UInt8]?
        var (low, high) = (0, looks.count)
        while low < high {
            let middle = (low + high) / 2
            switch try shrunk(paper, looks[middle], below: paper.bytes.count, mayLoseFields, &report) {
            // What stands in the way of one stands in the way of all.
            case .hindered: return fitting
            case .smaller(let small) where small.count <= most:
                fitting = small
                high = middle
            case .smaller(let small):
                if small.count < best.count { best = small }
                low = middle + 1
            case .noSmaller: low = middle + 1
            }
        }
        return fitting
    }

    private enum Shrunk {
        case smaller([UInt8])
        case noSmaller
        /// It would cost what it may not, or cannot be done; the report says so.
        case hindered
    }

    /// With what pictures are packed, the finest first; all but one way need no more than one.
    private static func looks(_ way: Compression, _ quality: Int?) -> [[String]] {
        switch way {
        case .careful: []
        case .balanced: [quality.map(packing) ?? []]
        case .strong: [coarse(100) + packing(quality: quality ?? 45)]
        case .dots(let dots): [coarse(dots) + (quality.map(packing) ?? [])]
        case .fit:
            [[]]
                + [(130, 60), (100, 45), (80, 35), (60, 30), (45, 25), (30, 20)].map {
                    coarse($0.0) + packing(quality: $0.1)
                }
        }
    }

    private func shrunk(
        _ paper: Paper, _ look: [String], below least: Int, _ mayLoseFields: Bool,
        _ report: inout ConversionReport
    ) throws(ConversionError) -> Shrunk {
        do throws(ConversionError) {
            let small = try run(
                paper,
                [
                    "-dPDFSETTINGS=/ebook", "-dDetectDuplicateImages=true", "-dCompressFonts=true",
                    "-dSubsetFonts=true", "-dPreserveAnnots=true",
                ] + look, files: [:])
            guard small.count < least, try samePages(small, paper) else { return .noSmaller }
            let whole = try carryingOn(from: paper, to: small)
            guard whole.count < least else { return .noSmaller }
            let mayStand = mayLoseFields ? true : try !losesFields(whole, paper)
            guard mayStand else {
                report.remarks.append(
                    "Pictures of “\(paper.name)” were left as they are: its fields could not be filled in any more."
                )
                return .hindered
            }
            return .smaller(whole)
        } catch {
            if case .cancelled = error { throw error }
            report.remarks.append("Pictures were left as they are: \(error)")
            return .hindered
        }
    }

    private static func coarse(_ dots: Int) -> [String] {
        ["Color", "Gray"].flatMap { kind in
            [
                "-dDownsample\(kind)Images=true", "-d\(kind)ImageDownsampleType=/Bicubic",
                "-d\(kind)ImageResolution=\(dots)", "-d\(kind)ImageDownsampleThreshold=1.2",
            ]
        }
    }

    private func losesFields(_ bytes: [UInt8], _ paper: Paper) throws(ConversionError) -> Bool {
        do throws(PDFError) {
            let (before, after) = (try PaperParts(paper.bytes), try PaperParts(bytes))
            return before.lost(in: after).contains { $0.kind == .fields }
        } catch {
            throw ConversionError.of(error, paper.name)
        }
    }

    /// Pictures as JPEG of this quality, also those that would have stayed as they are. Ghostscript asks for a factor
    /// that stretches the tables of T.81 Annex K; what JPEG files call quality stretches the same tables, in percent.
    private static func packing(quality: Int) -> [String] {
        let percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
        let look =
            "<< /QFactor \(Double(max(1, percent)) / 100) /Blend 1 /HSamples [2 1 1 2] /VSamples [2 1 1 2] >>"
        return [
            "-dPassThroughJPEGImages=false", "-dAutoFilterColorImages=false", "-dColorImageFilter=/DCTEncode",
            "-dAutoFilterGrayImages=false", "-dGrayImageFilter=/DCTEncode", "-c",
            "<< /ColorImageDict \(look) /GrayImageDict \(look) >> setdistillerparams", "-f",
        ]
    }

    private func samePages(_ bytes: [UInt8], _ paper: Paper) throws(ConversionError) -> Bool {
        do throws(PDFError) {
            return try PDFFile(bytes: bytes).pages.count == PDFFile(bytes: paper.bytes).pages.count
        } catch {
            throw ConversionError.of(error, paper.name)
        }
    }

    private func run(
        _ paper: Paper, _ options: [String], files: [String: [UInt8]]
    ) throws(ConversionError) -> [UInt8] {
        guard Child.find("gs") != nil else { throw .missing(program: "Ghostscript", package: "ghostscript") }
        do {
            return try engines.jail.steadyCell { cell in
                try cell.put(paper.bytes, named: "in.pdf")
                for (name, bytes) in files { try cell.put(bytes, named: name) }
                let limits = Child.Limits(
                    time: .seconds(300), cpu: .seconds(300), memoryByteCount: 2 << 30, fileByteCount: 1 << 30,
                    processCount: 16, openFileCount: 128)
                let outcome = try cell.run(
                    "gs",
                    [
                        "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dQUIET", "-sDEVICE=pdfwrite",
                        // It would turn pages as most of their words stand, also those that somebody turned.
                        "-dAutoRotatePages=/None", "-sOutputFile=out.pdf",
                    ]
                        + options + ["in.pdf"],
                    limits: limits, cancellation: cancellation)
                try outcome.checkCrash()
                if case .stopped(.cancelled(let reason)) = outcome.ending {
                    throw ConversionError.cancelled(reason: reason)
                }
                if case .stopped(.timeLimit) = outcome.ending { throw ConversionError.timedOut(paper.name) }
                guard outcome.succeeded else {
                    throw ConversionError.damaged(paper.name, reason: "Ghostscript cannot read it.")
                }
                return try cell.read("out.pdf", limit: 1 << 30)
            }
        } catch let error as ConversionError {
            throw error
        } catch {
            throw .engineFailed("“\(paper.name)”: \(error)")
        }
    }
}
