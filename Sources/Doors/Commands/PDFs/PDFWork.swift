import Bytes
import Conversion
import Kinds
import PDF
import Storage
import Work

/// What the commands over whole PDF files have in common.
struct PDFWork {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func bytes(_ path: String) throws -> [UInt8] { try PDFFile.read(call.absolute(path)) }

    /// A file with pages: whoever counts, takes or turns them must hear that there are none to be found.
    func open(_ path: String) throws -> PDFFile {
        let file = try PDFFile(bytes: bytes(path), password: call.value("password"))
        try file.requirePages()
        return file
    }

    /// Works through files in the jail before they are worked with here; names the one that is too much, or too badly damaged.
    func tryOut(_ paths: [String]) throws {
        let outcomes = try call.withProgress("Looking") { progress in
            try PDFTrial(.detect()).outcomes(
                of: paths.map(bytes), .merge, password: call.value("password"),
                cancellation: progress.cancellation)
        }
        for (path, outcome) in zip(paths, outcomes) {
            guard case .givenUp(let trouble) = outcome else { continue }
            switch trouble {
            case .crashed: throw Failure(.damaged, "“\(path)” is too badly damaged to be worked with.")
            case .tooLong:
                throw Failure(.tooLarge, "Reading “\(path)” takes longer than a file of its size may.")
            case .tooLarge: throw Failure(.tooLarge, "“\(path)” needs more memory than it may take.")
            }
        }
    }

    /// What is wrong with a file, as far as it was found within its time.
    func flaws(
        _ path: String, _ trial: PDFTrial, _ cancellation: Cancellation
    ) throws -> [(sentence: String, details: [String])] {
        let outcome = try trial.outcome(
            of: bytes(path), .look, password: call.value("password"), cancellation: cancellation)
        let flaws: [PDFFlaw]
        switch outcome {
        case .worked(let pages, let remarks) where pages > 0: flaws = PDFFlaw.of(remarks)
        case .worked, .refused, .untried: flaws = try open(path).flaws()
        case .givenUp(.crashed): return [("It is too badly damaged to be looked through.", [])]
        case .givenUp(.tooLong): return [("Looking through it takes longer than a file of its size may.", [])]
        case .givenUp(.tooLarge): return [("It needs more memory than it may take.", [])]
        }
        return flaws.map { ($0.sentence, $0.details) }
    }

    /// Whether a sound file is PDF/A as it says; what speaks against that is added to its flaws.
    func archive(
        _ path: String, _ found: inout [(sentence: String, details: [String])]
    ) throws -> ArchiveReport? {
        try withForms {
            let file = try open(path)
            guard let report = ArchiveReport(file) else {
                let isOther = PDFTools.claimedArchivePart(file) != nil
                found.append(
                    (
                        isOther
                            ? "It says that it is PDF/A-4, which is not looked through."
                            : "It does not say that it is PDF/A.", []
                    ))
                return nil
            }
            found += report.findings.map { ($0.sentence, []) }
            return report
        }
    }

    /// Says what had to be mended in a file whose pages go into another, where that is not seen any more.
    func tellRepairs(_ file: PDFFile, _ path: String) {
        for flaw in PDFFlaw.of(file.repairs) { call.hint("“\(path)” was mended: \(flaw.words).") }
    }

    /// A file whose lock has been opened, for work that keeps none.
    func paper(_ path: String) throws -> Paper {
        try withForms {
            try tryOut([path])
            let file = try open(path)
            let bytes = file.encryption == nil ? try bytes(path) : try file.rewritten()
            return Paper(name: Files.name(path), kind: .pdf, bytes: bytes)
        }
    }

    func keep(_ paper: Paper) throws {
        let pages = try withConversion { try PDFTools.pageCount(paper.bytes, name: paper.name) }
        try keep(paper.bytes, call.arguments[1], pages: pages)
    }

    /// Two results may have one name, as `a.docx` and `a.png` do.
    static func apart(_ places: [String]) -> [String] {
        var taken: Set<String> = []
        return places.map { place in
            var name = place
            var number = 2
            while !taken.insert(name).inserted {
                let dot = place.lastIndex(of: ".") ?? place.endIndex
                name = "\(place[..<dot]) \(number)\(place[dot...])"
                number += 1
            }
            return name
        }
    }

    /// Says what happened to the fields and the like on the way into a new file.
    func tell(_ remarks: [PDFAssembly.Remark]) {
        let renamed = remarks.compactMap { remark -> String? in
            if case .renamed(let old, let new) = remark { "“\(old)” is “\(new)”" } else { nil }
        }
        if !renamed.isEmpty {
            let shown = renamed.prefix(5).joined(separator: ", ")
            let more = renamed.count > 5 ? " and \(renamed.count - 5) more" : ""
            call.hint("Fields of one name were told apart: \(shown)\(more).")
        }
        if remarks.contains(.signatureDropped) {
            call.hint("Signatures were left out: they hold only for the file they were given in.")
        }
        if remarks.contains(.xfaDropped) {
            call.hint("The XFA copy of the form data was left out.")
        }
        if remarks.contains(.tagsDropped) {
            call.hint("The reading order for screen readers was not carried over.")
        }
    }

    func repairs(_ file: PDFFile, _ path: String) -> [JSON] {
        PDFFlaw.of(file.repairs).map { ["file": .string(path), "what": .string($0.words)] }
    }

    func view(_ remarks: [PDFAssembly.Remark]) -> JSON {
        .array(remarks.map(\.json))
    }

    /// Keeps the result and says where it is.
    func keep(_ bytes: [UInt8], _ path: String, pages: Int, _ more: [(String, JSON)] = []) throws {
        let place = call.absolute(path)
        try writeWhole(bytes, to: place, overwrites: call.has("force"))
        let view = JSONObject(
            [("file", JSON.string(place)), ("byteCount", .int(bytes.count)), ("pages", .int(pages))] + more)
        call.answer(.object(view)) {
            "\(place): \(Words.count(pages, "page", "pages")), \(Words.size(Int64(bytes.count)))\n"
        }
    }

    static let force = Option("force", letter: "f", nil, "replace the result if it is there already")
    static let password = Option("password", "PASSWORD", "opens a locked file")
}
