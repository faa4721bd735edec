/// Finds what separates the cells of a text by cutting its beginning in every possible way and seeing which way
/// gives rows of the same length.
struct DialectFinder {
    var dialect = CSVDialect()
    var whySeparator = ""
    var whyQuote = ""
    /// `sep=;` in the first line, as Excel writes and wants it: no row.
    var hasSeparatorLine = false

    private static let separators = Array(",;\t|:".utf8)

    /// The sign itself, which is the same in every language.
    private static func name(of separator: UInt8) -> String {
        separator == 9 ? "tab" : "“\(Character(Unicode.Scalar(separator)))”"
    }

    /// `sample` is the beginning of the text in UTF-8; `isWhole` when nothing follows it.
    init(
        _ sample: ArraySlice<UInt8>, isWhole: Bool, separator: UInt8?, quote: UInt8??, limits: TableLimits
    ) {
        var sample = sample
        if let told = Self.separatorLine(sample) {
            hasSeparatorLine = true
            dialect.separator = told.separator
            whySeparator = "The first line says so: “sep=”."
            sample = sample.dropFirst(told.length)
        }
        chooseQuote(sample, given: quote)
        if let separator {
            dialect.separator = separator
            whySeparator = "You chose it."
            tryAll([separator], sample, isWhole, limits, isQuoteGiven: quote != nil)
        } else if hasSeparatorLine {
            tryAll([dialect.separator], sample, isWhole, limits, isQuoteGiven: quote != nil)
        } else {
            chooseSeparator(sample, isWhole, limits, isQuoteGiven: quote != nil)
        }
    }

    private static func separatorLine(_ sample: ArraySlice<UInt8>) -> (separator: UInt8, length: Int)? {
        let line = sample.prefix { $0 != 10 && $0 != 13 }
        guard line.count == 5,
            line.prefix(4).elementsEqual("sep=".utf8) || line.prefix(4).elementsEqual("SEP=".utf8),
            let separator = line.last
        else { return nil }
        let ending = sample.dropFirst(5).prefix(2)
        return (separator, 5 + (ending.elementsEqual([13, 10]) ? 2 : min(1, ending.count)))
    }

    // MARK: The quotation mark

    private mutating func chooseQuote(_ sample: ArraySlice<UInt8>, given: UInt8??) {
        if let given {
            dialect.quote = given
            whyQuote = "You chose it."
            return
        }
        guard !sample.contains(UInt8(ascii: "\"")) else {
            whyQuote = "Double quotation marks stand in the text."
            return
        }
        // 'a','b' is rare, and an apostrophe at the beginning of a word is not: only when they come in pairs.
        let edges: Set<UInt8> = [10, 13, 9, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|")]
        var opening = 0
        var closing = 0
        var before: UInt8 = 10
        var isMark = false
        for byte in sample {
            if isMark, edges.contains(byte) { closing += 1 }
            isMark = byte == UInt8(ascii: "'")
            if isMark, edges.contains(before) { opening += 1 }
            before = byte
        }
        if opening >= 2, opening == closing {
            dialect.quote = UInt8(ascii: "'")
            whyQuote = "Single quotation marks open and close \(opening) cells, and there are no double ones."
        } else {
            whyQuote = "The usual one; none stands in the beginning of the text."
        }
    }

    // MARK: The separator

    private mutating func chooseSeparator(
        _ sample: ArraySlice<UInt8>, _ isWhole: Bool, _ limits: TableLimits, isQuoteGiven: Bool
    ) {
        let all = Self.separators
        guard let best = tryAll(all, sample, isWhole, limits, isQuoteGiven: isQuoteGiven) else {
            tryAll([dialect.separator], sample, isWhole, limits, isQuoteGiven: isQuoteGiven)
            whySeparator =
                "There is only one column, so nothing separates cells; a comma is taken for granted."
            return
        }
        let name = Self.name(of: dialect.separator)
        whySeparator =
            best.sameCount == best.rowCount
            ? "Cut at each \(name), every row looked at (\(best.rowCount)) has \(best.width) cells."
            : "Cut at each \(name), \(best.sameCount) of the first \(best.rowCount) rows have \(best.width) cells."
    }

    /// Takes the best of these separators, with or without backslashes before quotation marks.
    @discardableResult
    private mutating func tryAll(
        _ separators: [UInt8], _ sample: ArraySlice<UInt8>, _ isWhole: Bool, _ limits: TableLimits,
        isQuoteGiven: Bool
    ) -> Trial? {
        let mayEscape =
            !isQuoteGiven
            && zip(sample, sample.dropFirst()).contains { $0 == 0x5C && $1 == dialect.quote }
        var best: (trial: Trial, score: Double)?
        for separator in separators {
            for escape: UInt8? in mayEscape ? [nil, 0x5C] : [nil] {
                var tried = dialect
                tried.separator = separator
                tried.escape = escape
                let trial = Trial(sample, isWhole, tried, limits)
                guard trial.width > 1 || separators.count == 1 else { continue }
                // A colon separates times and addresses far more often than cells.
                let handicap = separator == UInt8(ascii: ":") ? 0.5 : 1
                let score =
                    handicap * trial.share * (1 - 0.5 * trial.flawShare)
                    * (1 + 0.02 * Double(min(trial.width, 20)))
                if best.map({ score > $0.score }) ?? true { best = (trial, score) }
            }
        }
        guard let best else { return nil }
        dialect = best.trial.dialect
        if dialect.escape != nil { whyQuote = "A backslash stands before quotation marks inside cells." }
        return best.trial
    }
}

/// What becomes of the beginning of a text when it is cut in one way.
private struct Trial {
    let dialect: CSVDialect
    private(set) var rowCount = 0
    private(set) var flawCount = 0
    /// The number of cells that most rows have.
    private(set) var width = 0
    private(set) var sameCount = 0

    var share: Double { rowCount == 0 ? 0 : Double(sameCount) / Double(rowCount) }
    var flawShare: Double { rowCount == 0 ? 0 : Double(flawCount) / Double(rowCount) }

    private static let mostRows = 200

    init(_ sample: ArraySlice<UInt8>, _ isWhole: Bool, _ dialect: CSVDialect, _ limits: TableLimits) {
        self.dialect = dialect
        var counts: [Int: Int] = [:]
        var lastCount = 0
        var row = PackedRow()
        if let input = try? TextInput(HeldBytes(Array(sample)), encoding: "UTF-8") {
            let scanner = CSVScanner(input, dialect, limits: limits)
            while rowCount < Self.mostRows, (try? scanner.read(into: &row)) == true {
                rowCount += 1
                lastCount = row.cellCount
                counts[row.cellCount, default: 0] += 1
                if row.flaw != nil { flawCount += 1 }
            }
        }
        // The last row may have been cut off.
        if !isWhole, rowCount > 1, rowCount < Self.mostRows {
            rowCount -= 1
            counts[lastCount, default: 1] -= 1
        }
        for (count, times) in counts where times > sameCount || times == sameCount && count > width {
            (width, sameCount) = (count, times)
        }
    }
}
