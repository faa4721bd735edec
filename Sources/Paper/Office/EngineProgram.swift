import Glibc
public import Work

/// The small program that lies beside `quire` and holds the libraries that read what strangers wrote. It is copied
/// into each cell, so that it runs there whatever folder Quire was installed in.
public enum EngineProgram {
    public static let path: String? = {
        var candidates: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map {
                readlink("/proc/self/exe", $0.assumingMemoryBound(to: CChar.self), buffer.count)
            } ?? -1
        }
        if count > 0 {
            let own = String(decoding: buffer[..<count], as: UTF8.self)
            let folder = own.split(separator: "/").dropLast().map { "/" + $0 }.joined()
            candidates += ["\(folder)/quire-engine", "\(folder)/../lib/quire/quire-engine"]
        }
        return candidates.first { access($0, X_OK) == 0 }
    }()

    /// What is said when it is not there.
    public static let absence =
        "A part of Quire is missing: “quire-engine”, which lies beside “quire” or in ../lib/quire. Install Quire again."

    /// What else it must see to begin. SwiftPM links Swift's own library to every program, also to one in C; where that
    /// library is shared and lies outside the system's folders, as while developing, the jail has to show it.
    public static let libraries: [String] = {
        guard let file = fopen("/proc/self/maps", "r") else { return [] }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, 4096, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard let start = text.firstIndex(of: "/"),
                let name = text[start...].firstRange(of: "/libswiftCore.so")
            else { continue }
            let folder = String(text[start..<name.lowerBound])
            return folder.hasPrefix("/usr/") ? [] : [folder]
        }
        return []
    }()

    /// Puts it into a cell; gives the path to run there.
    public static func put(into cell: JailCell) throws(ChildError) -> String {
        guard let path else { throw .programMissing("quire-engine") }
        try cell.put(file: path, named: "quire-engine", isProgram: true)
        return cell.path + "/quire-engine"
    }
}
