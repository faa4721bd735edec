/// A text of the catalog, cut at its placeholders once so that filling it in only copies.
///
/// Placeholders are named, `{name}`, because translators reorder them; `{{` stands for one brace.
struct Message: Sendable, Hashable {
    enum Piece: Sendable, Hashable {
        case text(String)
        case placeholder(String)
    }

    let pieces: [Piece]

    init(_ pattern: String) {
        var pieces: [Piece] = []
        var run = ""
        var rest = Substring(pattern)
        while let character = rest.popFirst() {
            guard character == "{" else {
                run.append(character)
                continue
            }
            if rest.first == "{" {
                run.append(rest.removeFirst())
            } else if let end = rest.firstIndex(of: "}") {
                if !run.isEmpty { pieces.append(.text(run)) }
                run = ""
                pieces.append(.placeholder(String(rest[..<end])))
                rest = rest[rest.index(after: end)...]
            } else {
                run.append(character)
            }
        }
        if !run.isEmpty { pieces.append(.text(run)) }
        self.pieces = pieces
    }

    init(pieces: [Piece]) {
        self.pieces = pieces
    }

    /// The text as it stands in the catalog.
    var pattern: String {
        pieces.map { piece in
            switch piece {
            case .text(let run):
                run.split(separator: "{", omittingEmptySubsequences: false).joined(separator: "{{")
            case .placeholder(let name): "{\(name)}"
            }
        }.joined()
    }

    var placeholders: Set<String> {
        Set(
            pieces.compactMap {
                guard case .placeholder(let name) = $0 else { return nil }
                return name
            })
    }

    /// A placeholder nobody filled stays visible: `{name}` on a page is a bug one can find.
    func filled(_ argument: (String) -> String?) -> String {
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let run): text += run
            case .placeholder(let name): text += argument(name) ?? "{\(name)}"
            }
        }
        return text
    }

    func filled(_ argument: (String) -> HTML?) -> HTML {
        var html = HTML.empty
        for piece in pieces {
            switch piece {
            case .text(let run): html += HTML(plain: run)
            case .placeholder(let name): html += argument(name) ?? HTML(plain: "{\(name)}")
            }
        }
        return html
    }
}
