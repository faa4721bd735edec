/// A text with separators: what it is written in, how it is cut, and its rows.
enum CSVTable {
    static func open(
        _ source: ByteSource, head: [UInt8], isWhole: Bool, _ options: TableOptions
    ) throws(TableError) -> OpenedTable {
        var shape = TableShape(format: .csv)
        let (bytes, found) = try encoding(source, head, options)
        shape.encoding = found.name
        shape.choices.append(
            TableChoice(.encoding, found.name, found.why, isGiven: options.encoding != nil))
        var sample = try text(head.dropFirst(found.markCount), encoding: found.name)
        let separator = try options.separator.map { mark throws(TableError) in try ascii(mark, "separator") }
        var quote: UInt8??
        if let given = options.quote {
            quote = .some(
                try given.first.map { mark throws(TableError) in try ascii(mark, "quotation mark") })
        }
        if sample.first == 0xEF, sample.starts(with: [0xEF, 0xBB, 0xBF]) { sample.removeFirst(3) }
        let finder = DialectFinder(
            sample[...], isWhole: isWhole, separator: separator, quote: quote, limits: options.limits)
        let dialect = finder.dialect
        shape.separator = Character(Unicode.Scalar(dialect.separator))
        shape.quote = dialect.quote.map { Character(Unicode.Scalar($0)) }
        shape.choices.append(
            TableChoice(
                .separator, String(Character(Unicode.Scalar(dialect.separator))), finder.whySeparator,
                isGiven: separator != nil))
        shape.choices.append(
            TableChoice(
                .quote, shape.quote.map { String($0) } ?? "", finder.whyQuote, isGiven: options.quote != nil))
        shape.choices.append(lineEnds(sample))
        let input = try TextInput(bytes, encoding: found.name)
        let scanner = CSVScanner(input, dialect, limits: options.limits)
        if finder.hasSeparatorLine {
            var row = PackedRow()
            _ = try scanner.read(into: &row)
        }
        return OpenedTable(shape: shape, rows: scanner)
    }

    /// The source behind its mark, and the encoding. A text that begins in plain ASCII is read on for a while: the
    /// first umlaut of a long list may come late.
    private static func encoding(
        _ source: ByteSource, _ head: [UInt8], _ options: TableOptions
    ) throws(TableError) -> (ByteSource, EncodingFinder.Found) {
        var found = EncodingFinder.find(head[...])
        if let given = options.encoding {
            found = EncodingFinder.Found(name: given, why: "You chose it.", markCount: found.markCount)
        }
        var source = source
        if found.isPlain {
            var looked = try source.read(atMost: 4 << 20)
            if looked.count > head.count {
                found = EncodingFinder.find(looked[...])
                while found.isPlain, looked.count < 64 << 20,
                    case let more = try source.read(atMost: 4 << 20),
                    !more.isEmpty
                {
                    looked += more
                    found = EncodingFinder.find(more[...])
                }
            }
            source = ReplayedBytes(looked[...], then: source)
        }
        if found.markCount > 0 { _ = try source.read(atMost: found.markCount) }
        return (source, found)
    }

    private static func text(_ bytes: ArraySlice<UInt8>, encoding: String) throws(TableError) -> [UInt8] {
        let input = try TextInput(HeldBytes(Array(bytes)), encoding: encoding)
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let result = piece.withUnsafeMutableBytes { room in
                Result { () throws(TableError) in try input.read(into: room) }
            }
            let count = try result.get()
            guard count > 0 else { return text }
            text += piece.prefix(count)
        }
    }

    private static func ascii(_ mark: Character, _ what: String) throws(TableError) -> UInt8 {
        guard let byte = mark.asciiValue, byte != 10, byte != 13, byte != 0 else {
            throw TableError("“\(mark)” cannot be a \(what): it has to be one plain character.")
        }
        return byte
    }

    private static func lineEnds(_ sample: [UInt8]) -> TableChoice {
        var counts = (pair: 0, feed: 0, back: 0)
        var before: UInt8 = 0
        for byte in sample {
            if byte == 10 { if before == 13 { counts.pair += 1 } else { counts.feed += 1 } }
            if before == 13, byte != 10 { counts.back += 1 }
            before = byte
        }
        let kinds = [counts.pair, counts.feed, counts.back].count { $0 > 0 }
        if kinds > 1 {
            return TableChoice(.lineEnds, "mixed", "Lines end in more than one way; each of them ends a row.")
        }
        if counts.back > 0 { return TableChoice(.lineEnds, "CR", "Lines end as on old Macs.") }
        if counts.pair > 0 { return TableChoice(.lineEnds, "CRLF", "Lines end as on Windows.") }
        return TableChoice(.lineEnds, "LF", "Lines end as on Linux and macOS.")
    }
}
