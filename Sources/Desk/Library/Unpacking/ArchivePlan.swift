import Archives

/// Which of an archive's entries become papers, where they lie and what they are called. Nothing has been unpacked yet.
///
/// Names in archives are whatever somebody wrote there: ways out of the folder, drives, letters nobody can type. None of
/// them reaches the file system: papers and folders have names in the database alone, and these are cleaned like any
/// other.
struct ArchivePlan {
    struct Item {
        var entry: ZIPReader.Entry
        var folders: [String]
        var name: String
    }

    let archive: ZIPReader
    private(set) var entries: [Item] = []
    private(set) var left: [Documents.Left] = []

    /// Beyond a gigabyte, what unpacks to more than so many times itself was made to fill disks.
    private static let mostGrowth = 100
    private static let largeArchive = 1 << 30
    /// Below the folder of the archive, which may itself lie deep.
    private static let deepest = 12

    init(_ path: String, named fileName: String) throws(ZIPError) {
        archive = try ZIPReader(path: path)
        guard archive.entries.count <= Documents.mostInside else {
            throw .tooLarge("it holds \(archive.entries.count) files, more than \(Documents.mostInside)")
        }
        var whole = 0
        var packed = 0
        for entry in archive.entries {
            whole += entry.byteCount
            packed += entry.packedCount
        }
        guard whole <= Self.largeArchive || whole / Self.mostGrowth <= packed else {
            throw .tooLarge("it would grow more than \(Self.mostGrowth)-fold")
        }
        for entry in archive.entries where !entry.isFolder {
            // Windows programs write their own strokes between folders.
            let parts = entry.name.split { $0 == "/" || $0 == "\\" }.map(String.init)
            guard let last = parts.last, !Self.isNobodysPaper(parts) else { continue }
            guard !entry.isLink else {
                left.append(Documents.Left(name: entry.name, reason: "It is a link to another file."))
                continue
            }
            let folders = parts.dropLast().compactMap(FileName.cleaned).prefix(Self.deepest)
            entries.append(
                Item(entry: entry, folders: Array(folders), name: FileName.cleaned(last) ?? FileName.unnamed))
        }
        layIntoOneFolder(named: fileName)
    }

    /// An archive of one folder is that folder; any other becomes one under its own name.
    private mutating func layIntoOneFolder(named fileName: String) {
        let tops = Set(entries.map(\.folders.first))
        guard tops.count != 1 || tops.first == .some(nil) else { return }
        let ending = FileName.ending(of: fileName)
        let stem = ending.isEmpty ? fileName : String(fileName.dropLast(ending.count + 1))
        let top = FileName.cleaned(stem) ?? FileName.unnamed
        for place in entries.indices { entries[place].folders.insert(top, at: 0) }
    }

    /// What systems leave in folders for themselves.
    private static func isNobodysPaper(_ parts: [String]) -> Bool {
        parts.contains("__MACOSX")
            || parts.last.map {
                $0.hasPrefix("._") || [".DS_Store", "Thumbs.db", "desktop.ini"].contains($0)
            }
                ?? true
    }
}
