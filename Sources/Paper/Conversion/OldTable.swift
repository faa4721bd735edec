import Kinds
public import Work

/// Tables that only LibreOffice reads, such as an old .xls: they become a workbook before anybody looks at them.
public enum OldTable {
    private static let kinds: [PaperKind] = [.xls, .numbers, .sxc, .dbf, .dif, .slk, .lotus]

    /// Whether a file's name or its beginning speak for one, before any engine is begun for it.
    public static func mayBe(_ path: String, named name: String) -> Bool {
        let named = PaperKind.named(PaperKind.ending(of: name))
        return named.map(kinds.contains) ?? false
            || Converter.head(path, PaperKind.compoundMark.count) == PaperKind.compoundMark
    }

    /// Nil for what is read without help, and for what is no table at all.
    fileprivate static func kind(_ bytes: [UInt8], named name: String) -> PaperKind? {
        PaperKind.detect(bytes, name: name).flatMap { kinds.contains($0) ? $0 : nil }
    }
}

extension Converter {
    /// A table that is read with LibreOffice's help, as a workbook; nil for one that needs none, and for what is no table.
    public func workbook(
        ofTable path: String, named name: String, progress: Progress = Progress()
    ) throws(ConversionError) -> [UInt8]? {
        let bytes = try Self.bytes(of: ConversionInput(name: name, .file(path)))
        guard let kind = OldTable.kind(bytes, named: name) else { return nil }
        // Its own name may be no help: the bytes said what it is.
        let table = ConversionInput(name: "table.\(kind.name)", .bytes(bytes))
        do throws(ConversionError) {
            let made = try convert([table], to: .xlsx, progress: progress)
            guard let workbook = made.papers.first else {
                throw .damaged(name, reason: "it has no sheet that LibreOffice can read")
            }
            return workbook.bytes
        } catch {
            throw error.told(of: name)
        }
    }
}

extension ConversionError {
    /// The same of a paper that was called otherwise on its way.
    fileprivate func told(of name: String) -> ConversionError {
        switch self {
        case .passwordNeeded: .passwordNeeded(name)
        case .wrongPassword: .wrongPassword(name)
        case .damaged(_, let reason): .damaged(name, reason: reason)
        case .timedOut: .timedOut(name)
        default: self
        }
    }
}
