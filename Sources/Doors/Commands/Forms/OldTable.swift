import Conversion
import Making
import Storage
import Work

extension InputFile {
    /// The table at a path. One that only LibreOffice reads, such as an old .xls, becomes a workbook before anybody looks at it.
    static func table(_ path: String, _ call: Invocation) throws -> InputFile {
        let file = try InputFile(path: path)
        guard let kind = try OldTable.kind(of: file) else { return file }
        let engines = Engines(jail: Jail.detect(), settings: .ofThisMachine)
        defer { engines.stop() }
        let made = try call.withProgress("Reading \(file.name)") { progress in
            try withConversion {
                try Converter(engines).convert(
                    [ConversionInput(name: "table.\(kind.name)", .file(path))], to: .xlsx, progress: progress)
            }
        }
        guard let workbook = made.papers.first else {
            throw Failure(.damaged, "“\(file.name)” has no sheet that LibreOffice can read.")
        }
        do throws(FileTrouble) { return try InputFile(holding: workbook.bytes, name: file.name) } catch {
            throw Failure(.full, "The table cannot be kept: \(error.reason).")
        }
    }
}

private enum OldTable {
    private static let kinds: [PaperKind] = [.xls, .numbers, .sxc, .dbf, .dif, .slk, .lotus]
    private static let compound: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]

    /// Nil for what is read without help, and for what is no table at all.
    static func kind(of file: InputFile) throws -> PaperKind? {
        let named = PaperKind.named(PaperKind.ending(of: file.name))
        guard named.map(kinds.contains) ?? false || file.beginning(compound.count) == compound else {
            return nil
        }
        return PaperKind.detect(try file.bytes(), name: file.name).flatMap { kinds.contains($0) ? $0 : nil }
    }
}
