import Archives
import Glibc
package import Kinds
import Storage

extension PaperKind {
    /// What the file at `path` is, which somebody called `name`; nil for what Quire knows nothing about.
    package static func known(ofFile path: String, named name: String) throws -> PaperKind? {
        try known(ByteSource(ofFile: path), name: name)
    }

    package static func mediaType(ofFile path: String, named name: String) throws -> String {
        try known(ofFile: path, named: name)?.mediaType ?? octets
    }
}

extension ByteSource {
    /// A file of the desk's: where it cannot be opened, the disk's own reason is told.
    convenience init(ofFile path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure.disk(errno, "read", path) }
        try self.init(taking: descriptor, path: path)
    }
}
