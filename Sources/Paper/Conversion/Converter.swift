import Browsing
import Bytes
import Office
import PDF
import PDFReading
import Pictures
public import Work

/// Turns papers of any kind into papers of another.
///
///     let converter = Converter(engines)
///     let result = try converter.convert([ConversionInput(name: "letter.docx", .file(path))], to: .pdf)
///
/// What it is given is believed by its bytes, not its name. Everything a stranger wrote is read in the jail.
public struct Converter: Sendable {
    public struct Result: Sendable {
        public var papers: [Paper]
        public var report: ConversionReport
    }

    public let engines: Engines
    let clock: Clock

    public init(_ engines: Engines, clock: Clock = .system) {
        self.engines = engines
        self.clock = clock
    }

    /// Larger papers are refused.
    public static let mostByteCount = 2 << 30

    /// Each input becomes one paper of the wanted kind, several for kinds that hold one page each. Pictures that
    /// follow each other go into one PDF when `joinsPictures`.
    public func convert(
        _ inputs: [ConversionInput], to goal: PaperKind, _ options: ConversionOptions = ConversionOptions(),
        joinsPictures: Bool = true, progress: Progress = Progress()
    ) throws(ConversionError) -> Result {
        let watch = Stopwatch()
        var run = ConversionRun(converter: self, goal: goal, options: options, progress: progress)
        progress.set(done: 0, total: Int64(inputs.count))
        var waiting: [Paper] = []
        var papers: [Paper] = []
        for (index, input) in inputs.enumerated() {
            do { try progress.check() } catch { throw .cancelled(reason: error.reason) }
            if case .address(let address) = input.source {
                papers += try run.pictures(&waiting)
                papers += try run.page(address, input.name)
            } else {
                let paper = try Self.read(input)
                if joinsPictures, goal == .pdf, paper.kind.family == .picture {
                    waiting.append(paper)
                } else {
                    papers += try run.pictures(&waiting)
                    papers += try run.convert(paper, input)
                }
            }
            progress.set(done: Int64(index + 1), total: Int64(inputs.count))
        }
        papers += try run.pictures(&waiting)
        if goal == .pdf {
            run.report.pageCount = papers.reduce(0) { count, paper in
                count + ((try? PDFFile(bytes: paper.bytes))?.pages.count ?? 0)
            }
        }
        run.report.seconds = watch.elapsed.inSeconds
        return Result(papers: papers, report: run.report)
    }

    /// Reads an input and sees what it is.
    static func read(_ input: ConversionInput) throws(ConversionError) -> Paper {
        let bytes: [UInt8]
        switch input.source {
        case .bytes(let given): bytes = given
        case .address: throw .badOption("An address is no file.")
        case .file(let path):
            do throws(PDFError) {
                bytes = try PDFFile.read(path)
            } catch {
                if case .notReadable(_, let reason) = error {
                    throw .unreadableFile(input.name, reason: reason)
                }
                throw .unreadableFile(input.name, reason: "\(error)")
            }
        }
        guard bytes.count <= mostByteCount else { throw .tooLarge("“\(input.name)” is larger than 2 GB.") }
        guard !bytes.isEmpty else { throw .damaged(input.name, reason: "it is empty") }
        guard let kind = PaperKind.detect(bytes, name: input.name) else { throw .unknownKind(input.name) }
        return Paper(name: input.name, kind: kind, bytes: bytes)
    }
}

extension Duration {
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
