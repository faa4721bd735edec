import PDF
import Testing

/// Lists of pages as strangers and accidents make them (ISO 32000-2 §7.7.3). Each is asked for its pages, written anew, put
/// into another file and looked through: nothing of that may hang or crash, and what was mended is said.
@Suite("The list of pages")
struct PageListTests {
    /// A file of these objects, of which 1 is the catalog and 9 what the pages draw.
    static func file(_ objects: [Int: String]) -> [UInt8] {
        var objects = objects
        if objects[1] == nil { objects[1] = "<</Type/Catalog/Pages 2 0 R>>" }
        objects[9] = "<</Length 13>>\nstream\n0 0 9 9 re f  \nendstream"
        var text = "%PDF-1.4\n"
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

    private static func page(below parent: Int) -> String {
        "<</Type/Page/Parent \(parent) 0 R/Contents 9 0 R>>"
    }
    private static let box = "/MediaBox[0 0 200 100]"

    private struct Outcome {
        var pages: Int
        var repairs: [String]
        var merged: Int
        var flaws: [PDFFlaw]
    }

    private func outcome(_ bytes: [UInt8]) throws -> Outcome {
        let file = try PDFFile(bytes: bytes)
        let merged = try PDFFile(bytes: PDFAssembly([.init(PDFFile(bytes: bytes))]).bytes)
        let written = try PDFFile(bytes: PDFFile(bytes: bytes).rewritten())
        #expect(written.pages.count == file.pages.count)
        #expect(written.repairs.isEmpty)
        return Outcome(
            pages: file.pages.count, repairs: file.repairs, merged: merged.pages.count,
            flaws: try PDFFile(bytes: bytes).flaws())
    }

    @Test("A list that leads back into itself has each of its pages once")
    func circle() throws {
        let found = try outcome(
            Self.file([
                2: "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 3\(Self.box)>>", 3: Self.page(below: 2),
                4: "<</Type/Pages/Parent 2 0 R/Kids[5 0 R 2 0 R]/Count 2>>", 5: Self.page(below: 4),
            ]))
        #expect(found.pages == 2 && found.merged == 2)
        #expect(found.repairs.contains { $0.hasPrefix("the list of pages was broken") })
        #expect(found.flaws.map(\.kind) == [.pages])
        #expect(found.flaws.first?.sentence.hasPrefix("The list of pages was broken") == true)
    }

    @Test("What pages had from above they still have, and the first page's own box wins")
    func inherited() throws {
        let file = try PDFFile(
            bytes: Self.file([
                2: "<</Type/Pages/Kids[3 0 R 3 0 R 2 0 R]/Count 1\(Self.box)>>", 3: Self.page(below: 2),
            ]))
        let page = try #require(file.dictionary(.reference(file.pages[0])))
        #expect(file.numbers(page["MediaBox"]) == [0, 0, 200, 100])
    }

    @Test("Pages that no list names are found again when the list counts as many")
    func lost() throws {
        var objects = [2: "<</Type/Pages/Kids[3 0 R]/Count 3\(Self.box)>>"]
        for number in 3...5 { objects[number] = Self.page(below: 2) }
        let found = try outcome(Self.file(objects))
        #expect(found.pages == 3 && found.merged == 3)
        #expect(!found.repairs.isEmpty)
        // Without a list at all.
        objects[1] = "<</Type/Catalog>>"
        objects[2] = nil
        #expect(try outcome(Self.file(objects)).pages == 3)
    }

    @Test("A page that was taken out of a sound list stays out")
    func removed() throws {
        let found = try outcome(
            Self.file([
                2: "<</Type/Pages/Kids[3 0 R]/Count 1\(Self.box)>>", 3: Self.page(below: 2),
                4: Self.page(below: 2),
            ]))
        #expect(found.pages == 1 && found.merged == 1)
        #expect(found.repairs.isEmpty && found.flaws.isEmpty)
    }

    @Test("Which of several lost pages is meant is not guessed, and said")
    func undecided() throws {
        var objects = [2: "<</Type/Pages/Kids[3 0 R]/Count 2\(Self.box)>>"]
        for number in 3...5 { objects[number] = Self.page(below: 2) }
        let found = try outcome(Self.file(objects))
        #expect(found.pages == 1)
        #expect(found.repairs == ["the list of pages says 2 pages, and 1 is there"])
    }

    @Test("A count that is wrong, and entries that are no pages, are told")
    func wrongCount() throws {
        let counted = try outcome(
            Self.file([
                2: "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 1\(Self.box)>>", 3: Self.page(below: 2),
                4: Self.page(below: 2),
            ]))
        #expect(counted.pages == 2)
        #expect(counted.repairs == ["the list of pages says 1 page, and 2 are there"])
        let nothings = try outcome(
            Self.file([
                2: "<</Type/Pages/Kids[null 3 0 R 7 0 R (x)]/Count 1\(Self.box)>>", 3: Self.page(below: 2),
            ]))
        #expect(nothings.pages == 1 && nothings.merged == 1 && !nothings.repairs.isEmpty)
    }

    @Test("A list as deep as no book, and one that doubles at every step, come to an end")
    func monsters() throws {
        let depth = 20_000
        var deep = [2: "<</Type/Pages/Kids[10 0 R]/Count 1>>"]
        for number in 10..<10 + depth {
            deep[number] =
                "<</Type/Pages/Kids[\(number + 1) 0 R]/Count 1/Parent \(number == 10 ? 2 : number - 1) 0 R>>"
        }
        deep[10 + depth] = Self.page(below: 9 + depth)
        #expect(try outcome(Self.file(deep)).pages == 1)
        var doubling = [2: "<</Type/Pages/Kids[10 0 R 10 0 R]/Count 4294967296>>"]
        for number in 10..<40 {
            doubling[number] = "<</Type/Pages/Kids[\(number + 1) 0 R \(number + 1) 0 R]>>"
        }
        doubling[40] = Self.page(below: 39)
        #expect(try outcome(Self.file(doubling)).pages <= 2)
    }

    @Test("A file that broke off before its end still shows what came, and says that it is damaged")
    func cut() throws {
        let whole = Self.file([
            2: "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2\(Self.box)>>", 3: Self.page(below: 2),
            4: Self.page(below: 2),
        ])
        let text = String(decoding: whole, as: UTF8.self)
        let end = try #require(text.ranges(of: "xref\n").first?.lowerBound)
        let file = try PDFFile(bytes: Array(text[..<end].utf8))
        #expect(file.pages.count == 2)
        #expect(file.flaws().map(\.kind).contains(.table))
        #expect(try PDFFile(bytes: file.rewritten()).repairs.isEmpty)
        // Without its catalog it is no file any more.
        let start = try #require(text.ranges(of: "1 0 obj").first?.lowerBound)
        #expect(throws: PDFError.self) { try PDFFile(bytes: Array(text[..<start].utf8)) }
    }

    @Test(
        "A file whose header is spoiled, or stands behind much noise, is mended, and says that it is damaged")
    func begunBadly() throws {
        let whole = try PDFFile(
            bytes: Self.file([
                2: "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2\(Self.box)>>", 3: Self.page(below: 2),
                4: Self.page(below: 2),
            ]))
        let noise = [UInt8](repeating: 0x20, count: 30_000)
        let spoiled = Array("%PDX-".utf8)
        // Written with its objects packed, all that is found is found by where it stands.
        for bytes in [whole.bytes, try whole.rewritten()] {
            for bad in [spoiled + bytes.dropFirst(5), noise + bytes, [0, 0, 0, 0, 0] + bytes.dropFirst(5)] {
                let file = try PDFFile(bytes: bad)
                #expect(file.pages.count == 2)
                #expect(!file.flaws().isEmpty)
                #expect(try PDFFile(bytes: file.rewritten()).repairs.isEmpty)
            }
        }
    }

    @Test("A page that a long chain of objects hangs on goes into another file")
    func chain() throws {
        var objects = [2: "<</Type/Pages/Kids[3 0 R]/Count 1\(Self.box)>>"]
        objects[3] = "<</Type/Page/Parent 2 0 R/B 10 0 R>>"
        let count = 60_000
        for number in 10..<10 + count {
            objects[number] = "<</N \(number + 1) 0 R/V \(max(10, number - 1)) 0 R>>"
        }
        objects[10 + count] = "<</N 10 0 R>>"
        let file = try PDFFile(bytes: Self.file(objects))
        #expect(try PDFFile(bytes: PDFAssembly([.init(file)]).bytes).pages.count == 1)
    }

    @Test("A file without a page is none for whoever needs pages, and that is said")
    func none() throws {
        for objects in [[2: "<</Type/Pages/Kids[2 0 R]/Count 1>>"], [2: "(no list)"]] {
            let file = try PDFFile(bytes: Self.file(objects))
            #expect(file.pages.isEmpty)
            #expect(throws: PDFError.noPages) { try file.requirePages() }
            #expect(throws: PDFError.noPages) { try PDFAssembly([.init(file)]) }
        }
    }

    @Test("Flaws are told in a few sentences, however many there are and however long what they quote")
    func flaws() throws {
        let long = String(repeating: "x", count: 100_000)
        var objects = [
            2: "<</Type/Pages/Kids[3 0 R]/Count 1\(Self.box)>>", 3: "<</Type/Page/Parent 2 0 R/Odd[10 0 R]>>",
        ]
        objects[10] = "<</A \(long) /B 11 0 R>>"
        for number in 11..<200 { objects[number] = "<</A \(long.prefix(50)) /B \(number + 1) 0 R>>" }
        let flaws = try PDFFile(bytes: Self.file(objects)).flaws()
        #expect(flaws.map(\.kind) == [.parts])
        #expect(
            flaws.allSatisfy { $0.sentence.utf8.count < 200 && $0.details.allSatisfy { $0.utf8.count < 300 } }
        )
        #expect(flaws.allSatisfy { $0.sentence.contains("in \($0.count) places") })
        let given = try PDFFile(bytes: Self.file(objects)).flaws(within: 0)
        #expect(given.map(\.kind).contains(.unfinished))
    }

    @Test(
        "A file that is locked in a way we do not know is said to be locked, not damaged",
        arguments: [
            (
                "<</Filter/Adobe.PubSec/SubFilter/adbe.pkcs7.s5/V 4/R 4/Recipients[<00>]>>",
                PDFError.certificateNeeded
            ),
            (
                "<</Filter/Standard/V 6/R 7/Length 256/CF<</StdCF<</CFM/AESV4>>>>/O(o)/U(u)/P -4>>",
                PDFError.unknownLock("AES-GCM")
            ),
        ])
    func locks(lock: String, error: PDFError) throws {
        let plain = Self.file([
            2: "<</Type/Pages/Kids[3 0 R]/Count 1\(Self.box)>>", 3: Self.page(below: 2), 12: lock,
        ])
        let text = String(decoding: plain, as: UTF8.self)
            .replacing(
                "/Root 1 0 R", with: "/Root 1 0 R/Encrypt 12 0 R/ID[(0123456789abcdef)(0123456789abcdef)]")
        #expect(throws: error) { try PDFFile(bytes: Array(text.utf8)) }
        #expect(error.description.contains("locked") && !error.description.contains("damaged"))
    }
}
