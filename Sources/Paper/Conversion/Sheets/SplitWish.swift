import Bytes
import Codes
import Kinds
public import PDF
import PDFReading
public import Work

/// Where one paper ends and the next begins, in a file of several.
public struct SplitWish: SheetWish {
    public enum Place: String, Sendable, CaseIterable {
        /// Those of the first level.
        case bookmarks
        /// Pages on which there is nothing; they go.
        case blank
        /// Sheets with a code that says so; they go.
        case separators
    }

    public var every: Int?
    public var place: Place?
    /// Pages as people write them: each begins a paper.
    public var before: String?
    /// The most bytes that each may have.
    public var most: Int?

    public init() {}

    public init(every: Int) { self.every = every }

    public static let settings: [StepSetting] = [
        StepSetting("every", "NUMBER", "so many pages in each; one unless said otherwise"),
        StepSetting(
            "at", "WHERE", "what begins a new file", choices: Place.allCases.map(\.rawValue)),
        StepSetting("before", "PAGES", "begin a new file at each of these pages: 5,9"),
        StepSetting("most", "SIZE", "no more than that in each: 5MB, 500kB"),
    ]

    public mutating func take(_ name: String, _ value: String) throws(ConversionError) {
        switch name {
        // `split=bookmarks` is what one writes at once.
        case "every":
            if let place = Place(rawValue: value.lowercased()) {
                self.place = place
            } else {
                every = try whole(name, value, 1...100_000)
            }
        case "at": place = Place(rawValue: try choice(name, value))
        case "before": before = value
        case "most":
            guard let size = ByteSize.bytes(value), size >= 10_000, let size = Int(exactly: size) else {
                throw .badOption("“\(value)” is no size for a file. Write it like 5MB or 500kB.")
            }
            most = size
        default: throw unknown(name)
        }
    }

    public func check() throws(ConversionError) {
        let said = [every != nil, place != nil, before != nil, most != nil].count { $0 }
        guard said <= 1 else {
            throw .badOption(
                "A file is split in one way at a time: every so many pages, at a place, or by size.")
        }
    }
}

extension SplitWish {
    /// What the code on a separator sheet says; the second is what other programs print.
    static let separators = ["QUIRE SPLIT", "PATCHT"]

    /// A sheet to be laid between papers before they are scanned, with these words above its code.
    public static func separator(words: String, _ size: String = "a4") throws(ConversionError) -> Paper {
        let sheet = try SplitWish().paper(size)
        guard let code = QRCode(separators[0], boosts: true) else {
            throw .badOption("The code of the separator sheet could not be drawn.")
        }
        var made = Paper(
            name: "separator.pdf", kind: .pdf, bytes: PageOrder.blank([(sheet.width, sheet.height)]))
        // On both ends, so that it is found however the sheet lies, and large: it has been through many hands.
        for place in [SheetPlace.top, .bottom] {
            var stamp = StampWish()
            stamp.picture = code.png()
            stamp.width = sheet.width * 0.5
            stamp.place = place
            made = try PDFTools.stamped(made, stamp)
        }
        var stamp = StampWish()
        stamp.text = words
        stamp.place = .middle
        stamp.size = 18
        return try PDFTools.stamped(made, stamp)
    }
}

/// One of the papers that a file is split into.
public struct SplitPart: Sendable {
    public var paper: Paper
    public var pages: [Int]
    /// What had to be changed on the way.
    public var remarks: [PDFAssembly.Remark]
    /// One page has more bytes than were allowed.
    public var isTooLarge: Bool

    static func tooLarge(_ pages: [Int], of name: String) -> String {
        let said = pages.prefix(10).map(String.init).joined(separator: ", ") + (pages.count > 10 ? " …" : "")
        return "In “\(name)” single pages are larger than that and stand alone: \(said)."
    }
}

extension PDFTools {
    /// The papers of a file one after the other, each given to `take` before the next is made.
    public func split(
        _ paper: Paper, _ wish: SplitWish, progress: Progress = Progress(),
        take: (SplitPart) throws -> Void
    ) throws {
        try wish.check()
        let groups = try self.groups(of: paper, wish)
        let digits = String(groups.count).count
        for (index, group) in groups.enumerated() {
            progress.set(done: Int64(index), total: Int64(groups.count))
            try progress.check()
            let made =
                try group.made
                ?? Self.told(paper.name) { () throws(PDFError) in
                    try PDFAssembly([.init(try PDFFile(bytes: paper.bytes), pages: group.pages)])
                }
            let number = String(index + 1)
            let zeros = String(repeating: "0", count: max(2, digits) - min(max(2, digits), number.count))
            var name = "\(paper.title)-\(zeros)\(number)"
            if let title = group.title.map(Self.short), !title.isEmpty { name += " " + title }
            try take(
                SplitPart(
                    paper: Paper(name: name + ".pdf", kind: .pdf, bytes: made.bytes), pages: group.pages,
                    remarks: made.remarks,
                    isTooLarge: wish.most.map { made.bytes.count > $0 } ?? false))
        }
    }

    private struct Group {
        var pages: [Int]
        var title: String?
        var made: PDFAssembly?
    }

    /// A bookmark's words as part of a file's name.
    private static func short(_ title: String) -> String {
        let words = title.map { $0.isNewline || "/\\:*?\"<>|".contains($0) || $0 == "\0" ? " " : $0 }
        // File systems take 255 bytes for a name, and the paper's own comes first.
        var (kept, count) = ("", 0)
        for character in String(words).trimmingBlanks {
            count += character.utf8.count
            guard count <= 80 else { break }
            kept.append(character)
        }
        return kept.trimmingBlanks
    }

    private func groups(of paper: Paper, _ wish: SplitWish) throws(ConversionError) -> [Group] {
        let count = try Self.pageCount(paper.bytes, name: paper.name)
        if let most = wish.most { return try groups(of: paper, count, most: most) }
        switch wish.place {
        case .bookmarks: return try marked(paper, count)
        case .blank:
            return try groups(
                of: paper, count, without: blankPages(of: paper),
                orElse: "“\(paper.name)” has no blank pages that it could be split at.")
        case .separators:
            var gone = try separators(of: paper)
            // What was scanned on both sides has an empty back behind each sheet.
            if !gone.isEmpty {
                let blank = try blankPages(of: paper, among: gone.map { $0 + 1 }.filter { $0 < count })
                gone.formUnion(blank)
            }
            return try groups(
                of: paper, count, without: gone,
                orElse: "“\(paper.name)” has no separator sheets that it could be split at.")
        case nil: break
        }
        var starts = Set([0])
        if let before = wish.before {
            starts.formUnion(try PageRanges(before, of: count).pages)
        } else {
            starts.formUnion(stride(from: 0, to: count, by: wish.every ?? 1))
        }
        return Self.groups(starts, count)
    }

    private static func groups(_ starts: Set<Int>, _ count: Int) -> [Group] {
        let starts = starts.sorted()
        return starts.indices.map { index in
            Group(pages: Array(starts[index]..<(index + 1 < starts.count ? starts[index + 1] : count)))
        }
    }

    private func marked(_ paper: Paper, _ count: Int) throws(ConversionError) -> [Group] {
        var titles: [Int: String] = [:]
        for mark in try Self.bookmarks(paper).array ?? [] {
            guard let page = mark["page"]?.int, (1...count).contains(page), titles[page - 1] == nil else {
                continue
            }
            titles[page - 1] = mark["title"]?.string ?? ""
        }
        guard !titles.isEmpty else {
            throw .badOption("“\(paper.name)” has no bookmarks that it could be split at.")
        }
        return Self.groups(Set(titles.keys).union([0]), count).map { group in
            var group = group
            group.title = titles[group.pages[0]]
            return group
        }
    }

    private func groups(
        of paper: Paper, _ count: Int, without gone: Set<Int>, orElse trouble: String
    ) throws(ConversionError) -> [Group] {
        guard !gone.isEmpty else {
            throw .badOption(trouble)
        }
        var groups: [Group] = []
        var pages: [Int] = []
        for page in 0...count {
            if page < count, !gone.contains(page) {
                pages.append(page)
            } else if !pages.isEmpty {
                groups.append(Group(pages: pages))
                pages = []
            }
        }
        guard !groups.isEmpty else { throw .badOption("Nothing would be left of “\(paper.name)”.") }
        return groups
    }

    /// As many pages in each as go in; a page that is larger by itself stands alone.
    private func groups(of paper: Paper, _ count: Int, most: Int) throws(ConversionError) -> [Group] {
        var groups: [Group] = []
        var start = 0
        // Pages of one file are of a kind: as many as fitted before are tried first.
        var guess = max(1, min(count, count * most / max(1, paper.bytes.count)))
        while start < count {
            func made(_ pages: Int) throws(ConversionError) -> PDFAssembly {
                do { try cancellation.check() } catch { throw .cancelled(reason: error.reason) }
                return try Self.told(paper.name) { () throws(PDFError) in
                    try PDFAssembly([
                        .init(try PDFFile(bytes: paper.bytes), pages: Array(start..<start + pages))
                    ])
                }
            }
            var (fitting, tooMany) = (0, count - start + 1)
            var best: PDFAssembly?
            var next = min(guess, count - start)
            while tooMany - fitting > 1 {
                let one = try made(next)
                if one.bytes.count <= most || next == 1 {
                    (fitting, best) = (next, one)
                } else {
                    tooMany = next
                }
                // Doubled until it is too much, then between the two.
                next =
                    tooMany > count - start
                    ? min(count - start, max(fitting * 2, fitting + 1)) : (fitting + tooMany) / 2
                if next <= fitting { break }
                if fitting == count - start { break }
            }
            let taken = max(1, fitting)
            groups.append(Group(pages: Array(start..<start + taken), made: best))
            start += taken
            guess = taken
        }
        return groups
    }
}
