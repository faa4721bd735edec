import Browsing
import Bytes
import Glibc
public import Kinds
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
        /// Inputs that could not be converted, when that was to stop nothing else.
        public var failures: [(name: String, error: ConversionError)] = []
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
    /// follow each other go into one PDF when `joinsPictures`. With `goesOn` an input that cannot be converted is noted
    /// and the others are converted all the same.
    public func convert(
        _ inputs: [ConversionInput], to goal: PaperKind, _ options: ConversionOptions = ConversionOptions(),
        joinsPictures: Bool = true, goesOn: Bool = false, progress: Progress = Progress()
    ) throws(ConversionError) -> Result {
        let watch = Stopwatch()
        progress.set(done: 0, total: Int64(inputs.count))
        let portions = Self.portions(of: inputs, joinsPictures: joinsPictures && goal == .pdf)
        let made: [Result]
        do {
            // Side by side: how many of each engine work at once is the engines' own matter.
            made = try engines.workers.map(portions) { portion in
                try progress.check()
                var run = ConversionRun(converter: self, goal: goal, options: options, progress: progress)
                defer { progress.advance(Int64(portion.inputs.count)) }
                do throws(ConversionError) {
                    return Result(papers: try run.convert(portion), report: run.report)
                } catch {
                    if case .cancelled = error { throw error }
                    guard goesOn, portions.count > 1 else { throw error }
                    let name = portion.inputs.first?.name ?? ""
                    return Result(papers: [], report: run.report, failures: [(name, error)])
                }
            }
        } catch let error as Cancelled {
            throw .cancelled(reason: error.reason)
        } catch {
            throw ConversionError.of(error, inputs.first?.name ?? "")
        }
        var report = made.reduce(into: ConversionReport()) { $0.add($1.report) }
        let papers = made.flatMap(\.papers)
        if goal == .pdf {
            var count = 0
            for paper in papers {
                do throws(PDFError) {
                    count += try PDFFile(bytes: paper.bytes).pages.count
                } catch .damaged(let why) {
                    // A PDF that was given and is to stay one: not ours to refuse, but not to be called sound either.
                    report.remarks.append(
                        "\(paper.name) is handed on as it is. It cannot be opened as a PDF (\(why)); ask whoever sent it to send it again."
                    )
                } catch {
                    // Locked: how many pages it has is for those who have the password.
                }
            }
            report.pageCount = count
        }
        report.seconds = watch.elapsed.inSeconds
        return Result(papers: papers, report: report, failures: made.flatMap(\.failures))
    }

    /// What is converted in one go: pictures that follow each other, or one input.
    struct Portion: Sendable {
        var inputs: [ConversionInput]
        var isPictures: Bool
    }

    private static func portions(of inputs: [ConversionInput], joinsPictures: Bool) -> [Portion] {
        var portions: [Portion] = []
        for input in inputs {
            let isPicture = joinsPictures && isPicture(input)
            if isPicture, portions.last?.isPictures == true {
                portions[portions.count - 1].inputs.append(input)
            } else {
                portions.append(Portion(inputs: [input], isPictures: isPicture))
            }
        }
        return portions
    }

    /// By its first bytes, which is where all pictures say what they are.
    private static func isPicture(_ input: ConversionInput) -> Bool {
        let head: [UInt8]
        switch input.source {
        case .address: return false
        case .bytes(let bytes): head = Array(bytes.prefix(64))
        case .file(let path): head = Self.head(path, 64)
        }
        return PaperKind.detect(head, name: input.name)?.family == .picture
    }

    /// The first bytes of a file; none of one that cannot be read.
    static func head(_ path: String, _ byteCount: Int) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            count = max(0, Glibc.read(file, buffer.baseAddress, byteCount))
        }
    }

    /// Reads an input, whatever it is.
    static func bytes(of input: ConversionInput) throws(ConversionError) -> [UInt8] {
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
        return bytes
    }

    /// Reads an input and sees what it is.
    static func read(_ input: ConversionInput) throws(ConversionError) -> Paper {
        let bytes = try bytes(of: input)
        guard !bytes.isEmpty else { throw .damaged(input.name, reason: "it is empty") }
        guard let kind = PaperKind.detect(bytes, name: input.name) else { throw .unknownKind(input.name) }
        var paper = Paper(name: input.name, kind: kind, bytes: bytes)
        paper.turn = input.turn
        (paper.corners, paper.look) = (input.corners, input.look)
        return paper
    }
}

extension Duration {
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
