import Glibc

func processID() -> Int32 { getpid() }

func permissions(_ path: String) -> Int? {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_mode & 0o7777) : nil
}

func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

func readFile(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
}

func writeFile(_ path: String, _ bytes: [UInt8]) {
    unlink(path)
    // Not inherited by a program that another test begins meanwhile: its room would not be free when it is removed.
    guard let file = fopen(path, "we") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

/// The paths of all files below, relative to the folder, sorted.
func files(below folder: String, _ prefix: String = "") -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var found: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name == "." || name == ".." { continue }
        if entry.pointee.d_type == UInt8(DT_DIR) {
            found += files(below: "\(folder)/\(name)", "\(prefix)\(name)/")
        } else {
            found.append(prefix + name)
        }
    }
    return found.sorted()
}

func removeFile(_ path: String) { unlink(path) }

func makeFolder(_ path: String) { mkdir(path, 0o700) }
