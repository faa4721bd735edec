/// Names of the library on a disk that other systems may read too.
enum MirrorName {
    /// What makes room for something else until its own turn comes is called so for a moment, with its id behind it.
    static let aside = ".quire-aside-"

    /// Most file systems end a name after so many bytes.
    private static let longest = 240

    /// Without what some systems take no file name with. What stands for it is no loss: the mirror remembers what a thing
    /// is really called for as long as nobody renames it there.
    static func leaf(_ name: String) -> String {
        var leaf = String(
            name.map { character in
                "<>:\"|?*\\/".contains(character) || character.unicodeScalars.contains { $0.value < 32 }
                    ? "_" : character
            })
        if leaf.first == "." { leaf = "_" + leaf.dropFirst() }
        while let last = leaf.last, last == "." || last == " " { leaf = leaf.dropLast() + "_" }
        let stem = leaf.prefix { $0 != "." }.uppercased()
        if devices.contains(String(stem)) { leaf = "_" + leaf }
        if Settled.isUnfinished(leaf) { leaf += "_" }
        return shortened(leaf.isEmpty ? "_" : leaf)
    }

    static func numbered(_ leaf: String, _ number: Int) -> String {
        let ending = FileName.ending(of: leaf)
        guard !ending.isEmpty else { return shortened("\(leaf) (\(number))", keeping: " (\(number))") }
        let tail = " (\(number)).\(leaf.suffix(ending.count))"
        return shortened("\(leaf.dropLast(ending.count + 1))\(tail)", keeping: tail)
    }

    private static func shortened(_ leaf: String, keeping tail: String? = nil) -> String {
        guard leaf.utf8.count > longest else { return leaf }
        let ending = FileName.ending(of: leaf)
        let tail = tail ?? (ending.isEmpty || ending.utf8.count > 20 ? "" : "." + leaf.suffix(ending.count))
        var stem = leaf.dropLast(tail.count)
        while stem.utf8.count + tail.utf8.count > longest { stem = stem.dropLast() }
        return stem + tail
    }

    /// What Windows takes for something else.
    private static let devices: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL"] + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] })

    static func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The folder something lies in; empty for the top.
    static func place(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    static func path(_ place: String, _ leaf: String) -> String { place.isEmpty ? leaf : "\(place)/\(leaf)" }
}
