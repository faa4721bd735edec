import Making
import Storage

/// A whole file or none: written beside its place and moved there.
func writeWhole(_ bytes: [UInt8], to path: String, overwrites: Bool) throws {
    do throws(FileTrouble) {
        let file = try OutputFile(path, overwrites: overwrites)
        try file.write(bytes)
        try file.finish()
    } catch {
        guard error.reason != FileTrouble.thereAlready else {
            throw Failure(.conflict, "“\(path)” is there already. Say --force to replace it.")
        }
        throw Failure(.unavailable, "“\(path)” could not be written: \(error.reason).")
    }
}
