internal import Bytes

extension SHA256 {
    /// The digest that a file promises by its name, as all files on the desk's shelf do; nil for any other name.
    public static func promised(byFileAt path: String) -> [UInt8]? {
        let name = path.split(separator: "/").last ?? ""
        guard name.utf8.count == 2 * byteCount else { return nil }
        return Hex.decode(String(name))
    }
}
