import Conversion
import Glibc
import Office
import PDF
import Synchronization
import TestSupport
import Testing
import Work

/// Structures of strangers, as bad as we can make them: whatever they do, they do in the jail, and to nobody else's files.
@Suite(
    "PDF files that are worked through in the jail",
    .enabled(
        if: EngineProgram.path != nil && Jail.detect().keepsFromFiles,
        "nothing keeps programs from files here"))
struct PDFTrialTests {
    /// A file of these objects, of which 1 is the catalog.
    private static func file(_ objects: [Int: String]) -> [UInt8] {
        var text = "%PDF-1.5\n"
        var places: [Int: Int] = [:]
        let highest = objects.keys.max() ?? 0
        for (number, object) in objects.sorted(by: { $0.key < $1.key }) {
            places[number] = text.utf8.count
            text += "\(number) 0 obj\n\(object)\nendobj\n"
        }
        let table = text.utf8.count
        text += "xref\n0 \(highest + 1)\n0000000000 65535 f \n"
        for number in 1...highest {
            let place = String(places[number] ?? 0)
            let zeros = String(repeating: "0", count: 10 - place.utf8.count)
            text += places[number] == nil ? "0000000000 65535 f \n" : "\(zeros)\(place) 00000 n \n"
        }
        text += "trailer\n<</Size \(highest + 1)/Root 1 0 R>>\nstartxref\n\(table)\n%%EOF\n"
        return Array(text.utf8)
    }

    private static let sound = file([
        1: "<</Type/Catalog/Pages 2 0 R>>", 2: "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 100]>>",
        3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>",
        4: "<</Length 13>>\nstream\n0 0 9 9 re f  \nendstream",
    ])

    /// Nodes so deep below each other, or a circle of them.
    private static func tree(depth: Int, isCircle: Bool) -> [UInt8] {
        var objects = [
            1: "<</Type/Catalog/Pages 2 0 R>>", 2: "<</Type/Pages/Kids[10 0 R]/Count 1/MediaBox[0 0 9 9]>>",
        ]
        for number in 10..<10 + depth {
            objects[number] =
                "<</Type/Pages/Kids[\(number + 1) 0 R]/Count 1/Parent \(number == 10 ? 2 : number - 1) 0 R>>"
        }
        objects[10 + depth] =
            isCircle
            ? "<</Type/Pages/Kids[2 0 R 3 0 R]/Count 1/Parent \(9 + depth) 0 R>>"
            : "<</Type/Page/Parent \(9 + depth) 0 R>>"
        if isCircle { objects[3] = "<</Type/Page/Parent 2 0 R>>" }
        return file(objects)
    }

    private let trial = PDFTrial(.detect())

    @Test("are worked through, with what had to be mended", arguments: [PDFTrial.Work.look, .merge])
    func worked(work: PDFTrial.Work) throws {
        #expect(try trial.outcome(of: Self.sound, work) == .worked(pages: 1, remarks: []))
        for bytes in [Self.tree(depth: 20_000, isCircle: false), Self.tree(depth: 50, isCircle: true)] {
            guard case .worked(let pages, _) = try trial.outcome(of: bytes, work) else {
                Issue.record("\(try trial.outcome(of: bytes, work))")
                continue
            }
            #expect(pages == 1)
        }
        #expect(try trial.outcome(of: Array("no PDF at all".utf8), work) == .refused)
        #expect(try trial.outcome(of: [], work) == .refused)
    }

    @Test("say no more than fits a page, however long what they quote")
    func longWords() throws {
        let long = String(repeating: "x", count: 1_000_000)
        let bytes = Self.file([
            1: "<</Type/Catalog/Pages 2 0 R>>", 2: "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 9 9]>>",
            3: "<</Type/Page/Parent 2 0 R/Odd[10 0 R]>>", 10: "<</A \(long) /B 11 0 R>>",
        ])
        guard case .worked(1, let remarks) = try trial.outcome(of: bytes, .look) else {
            Issue.record("\(try trial.outcome(of: bytes, .look))")
            return
        }
        #expect(!remarks.isEmpty && remarks.allSatisfy { $0.utf8.count < 300 })
    }

    /// The same page a million times: each is a page of its own to whoever makes a file of them.
    private static var costly: [UInt8] {
        get throws {
            let many = String(repeating: "3 0 R ", count: 400_000)
            return file([
                1: "<</Type/Catalog/Pages 2 0 R>>",
                2: "<</Type/Pages/Kids[\(many)]/Count 400000/MediaBox[0 0 200 100]>>",
                3: "<</Type/Page/Parent 2 0 R>>",
            ])
        }
    }

    @Test("are given up when they cost too much, and the others are worked through all the same")
    func tooCostly() throws {
        let hasty = PDFTrial(.detect(), seconds: 0)
        let outcomes = try hasty.outcomes(of: [Self.sound, Self.costly, Self.sound], .merge)
        #expect(outcomes.count == 3)
        #expect(outcomes[0] == .worked(pages: 1, remarks: []) && outcomes[2] == outcomes[0])
        guard case .givenUp = outcomes[1] else {
            Issue.record("\(outcomes[1])")
            return
        }
    }

    @Test("that bring their reader down are named, and take neither us nor the others along")
    func crash() throws {
        try withScratchFolder { folder in
            chmod(folder, 0o1777)
            let trial = PDFTrial(Jail.detect(folder: folder), seconds: 120)
            let isDone = Mutex(false)
            let fiend = Thread(name: "fiend") {
                while !isDone.withLock({ $0 }) {
                    // What a broken reader would do to itself.
                    for process in Inmates.of(folder) where Inmates.name(process).contains("quire-engine") {
                        if kill(process, SIGSEGV) == 0 { return }
                    }
                    usleep(1000)
                }
            }
            let outcomes = try trial.outcomes(of: [Self.costly, Self.sound], .merge)
            isDone.withLock { $0 = true }
            fiend.join()
            #expect(outcomes == [.givenUp(.crashed), .worked(pages: 1, remarks: [])])
        }
    }
}
