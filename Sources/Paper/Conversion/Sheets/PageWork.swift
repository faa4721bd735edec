import PDF
import PDFReading

/// The pages of one file while something is drawn on them, or while they are moved and cut. They are written once, at the end,
/// and the file anew with them, so that nothing of before is left in it.
struct PageWork {
    let file: PDFFile
    var revision: PDFRevision
    var catalog: PDFDictionary
    let pages: [PDFReference]
    private let frames: [PageFrame]
    private let units: [Double]
    private var edits: [Int: PageEdit] = [:]

    /// A page as a reader sees it, in points, counted from its lower left corner.
    struct Sheet {
        var width: Double
        var height: Double
        /// From there to the coordinates the page is written in.
        var toPage: PDFMatrix
    }

    fileprivate init(_ file: PDFFile, _ revision: PDFRevision) {
        self.file = file
        self.revision = revision
        catalog = file.catalog
        pages = file.pages
        frames = file.frames
        units = pages.map { page in
            let unit = file.resolve(file.dictionary(.reference(page))?["UserUnit"]).number ?? 1
            return unit.isFinite && (0.01...1000).contains(unit) ? unit : 1
        }
    }

    var count: Int { pages.count }
    func frame(_ page: Int) -> PageFrame { frames[page] }
    /// How many points are one step of the page's coordinates (ISO 32000-2 table 31).
    func unit(_ page: Int) -> Double { units[page] }

    func sheet(_ page: Int) -> Sheet {
        let (frame, unit) = (frames[page], units[page])
        let origin = frame.written(x: 0, y: 0)
        let right = frame.written(x: 1 / unit, y: 0)
        let up = frame.written(x: 0, y: 1 / unit)
        return Sheet(
            width: frame.width * unit, height: frame.height * unit,
            toPage: PDFMatrix(
                a: right.x - origin.x, b: right.y - origin.y, c: up.x - origin.x, d: up.y - origin.y,
                e: origin.x, f: origin.y))
    }

    /// Pages as people write them, all where nothing is said; each once.
    func chosen(_ text: String?) throws(ConversionError) -> [Int] {
        guard let text, !text.isEmpty else { return Array(pages.indices) }
        return Array(Set(try PageRanges(text, of: count).pages)).sorted()
    }

    mutating func edit(_ page: Int, _ body: (inout PageEdit) -> Void) {
        var one = edits.removeValue(forKey: page) ?? PageEdit(pages[page], of: file)
        body(&one)
        edits[page] = one
    }

    /// Signatures hold only for the file they were given in: their fields stay, to be signed anew.
    fileprivate mutating func dropSignatures() {
        var looked = 0
        func look(_ fields: [PDFObject], kind: PDFName?, depth: Int) {
            for object in fields where depth < 30 && looked < 5_000 {
                looked += 1
                guard var field = file.dictionary(object) else { continue }
                let kind = file.resolve(field["FT"]).name ?? kind
                if kind == "Sig", let reference = object.reference, field["V"] != nil {
                    field["V"] = nil
                    revision.put(.dictionary(field), at: reference)
                }
                look(file.array(field["Kids"]), kind: kind, depth: depth + 1)
            }
        }
        look(file.array(file.form?["Fields"]), kind: nil, depth: 0)
        catalog = catalog.without("Perms", "DSS")
        guard var form = file.form else { return }
        form["SigFlags"] = nil
        if let place = catalog["AcroForm"]?.reference {
            revision.put(.dictionary(form), at: place)
        } else {
            catalog["AcroForm"] = .dictionary(form)
        }
    }

    fileprivate mutating func finish() -> PDFDictionary {
        for page in edits.keys.sorted() { edits[page]?.put(into: &revision) }
        return catalog
    }
}

extension PDFTools {
    /// The same file with its pages worked over.
    static func working(
        on paper: Paper, _ body: (inout PageWork) throws(ConversionError) -> Void
    ) throws(ConversionError) -> Paper {
        var trouble: ConversionError?
        let made: Paper
        do throws(ConversionError) {
            made = try changed(paper) { (file, revision) throws(PDFError) in
                try file.requirePages()
                var work = PageWork(file, revision)
                do throws(ConversionError) {
                    try body(&work)
                } catch {
                    trouble = error
                    throw .damaged("it was not worked over")
                }
                if !file.signatures.isEmpty { work.dropSignatures() }
                let catalog = work.finish()
                revision = work.revision
                return catalog
            }
        } catch {
            throw trouble ?? error
        }
        return made
    }

    /// Whether somebody signed it; what changes its pages ends that.
    public static func isSigned(_ paper: Paper) throws(ConversionError) -> Bool {
        try told(paper.name) { () throws(PDFError) in
            !(try PDFFile(bytes: paper.bytes).signatures.isEmpty)
        }
    }
}

extension [UInt8] {
    /// Numbers, and the operator of a page's content that takes them.
    mutating func append(_ numbers: [Double], decimals: Int = 2, then operators: String) {
        for number in numbers {
            append(number: number, decimals: decimals)
            append(32)
        }
        self += Array(operators.utf8)
    }
}
