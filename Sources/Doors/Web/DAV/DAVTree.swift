import Access
import Library
import Storage

/// What an address of WebDAV leads to.
enum DAVPlace {
    case top
    case folder(Folder)
    case paper(Document)
    /// Nothing lies there; what is put there comes into this folder.
    case free(in: ID<Folder>?)
    /// Not even the folder it would come into is there.
    case nowhere

    var isThere: Bool {
        switch self {
        case .top, .folder, .paper: true
        case .free, .nowhere: false
        }
    }

    var isFolder: Bool {
        switch self {
        case .top, .folder: true
        case .paper, .free, .nowhere: false
        }
    }
}

/// The library as WebDAV shows it: folders in folders, and papers in them under names of which no two are alike.
struct DAVTree {
    let documents: Documents
    let caller: Caller

    /// Private folders that are locked are not told: programs would take them for empty ones.
    func folders(in folder: ID<Folder>?) throws -> [Folder] { try documents.folders(in: folder, by: caller) }

    /// Papers may be called alike; for programs that count on names the later ones get a number.
    func papers(in folder: ID<Folder>?) throws -> [(name: String, paper: Document)] {
        var taken = Set(try folders(in: folder).map(\.name))
        return try documents.papers(in: folder, by: caller).map { paper in
            let shown = Self.shown(paper.name)
            var name = shown
            var number = 2
            while !taken.insert(name).inserted {
                name = Self.numbered(shown, number)
                number += 1
            }
            return (name, paper)
        }
    }

    func place(_ path: [String]) throws -> DAVPlace {
        guard let name = path.last else { return .top }
        var parent: ID<Folder>?
        for part in path.dropLast() {
            guard let next = try folder(part, in: parent) else { return .nowhere }
            parent = next.id
        }
        if let folder = try folder(name, in: parent) { return .folder(folder) }
        for name in Set([name, Self.meant(name)]) {
            if let paper = try documents.papers(in: parent, named: name, by: caller).first {
                return .paper(paper)
            }
        }
        if name.contains(" ("), let paper = try papers(in: parent).first(where: { $0.name == name })?.paper {
            return .paper(paper)
        }
        return .free(in: parent)
    }

    private func folder(_ name: String, in parent: ID<Folder>?) throws -> Folder? {
        try documents.folders(in: parent, named: name, by: caller).first
    }

    /// A stroke in a title would begin a folder; what stands for it here looks alike and is taken back when a program
    /// names the paper.
    private static let strokes: [Character: Character] = ["/": "\u{2215}", "\\": "\u{29F5}"]

    static func shown(_ title: String) -> String { String(title.map { strokes[$0] ?? $0 }) }

    static func meant(_ name: String) -> String {
        String(name.map { mark in strokes.first { $0.value == mark }?.key ?? mark })
    }

    private static func numbered(_ name: String, _ number: Int) -> String {
        let ending = FileName.ending(of: name)
        guard !ending.isEmpty else { return "\(name) (\(number))" }
        return "\(name.dropLast(ending.count + 1)) (\(number)).\(name.suffix(ending.count))"
    }
}
