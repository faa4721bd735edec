import PDF

/// The tree of pages of a file that grows (ISO 32000-2 §7.7.3): a node is written as soon as it is full, and only the
/// open nodes, one for each level, are held.
final class PageTree {
    private struct Node {
        var reference: PDFReference
        var kids: [PDFReference] = []
        var pageCount = 0
    }

    private let stream: PDFStream
    @exclusivity(unchecked) private var open: [Node] = []
    private static let mostKids = 64

    init(_ stream: PDFStream) { self.stream = stream }

    /// Takes a page in; gives what it has to name as its parent.
    func add(_ page: PDFReference) throws -> PDFReference {
        if open.isEmpty { open.append(Node(reference: stream.newReference())) }
        let parent = open[0].reference
        try add(page, pages: 1, at: 0)
        return parent
    }

    private func add(_ kid: PDFReference, pages: Int, at level: Int) throws {
        if level == open.count { open.append(Node(reference: stream.newReference())) }
        open[level].kids.append(kid)
        open[level].pageCount += pages
        if open[level].kids.count == Self.mostKids { try close(level) }
    }

    private func close(_ level: Int) throws {
        if level + 1 == open.count { open.append(Node(reference: stream.newReference())) }
        let node = open[level]
        try write(node, parent: open[level + 1].reference)
        open[level] = Node(reference: stream.newReference())
        try add(node.reference, pages: node.pageCount, at: level + 1)
    }

    private func write(_ node: Node, parent: PDFReference?) throws {
        try stream.put(at: node.reference) { out in
            out.append(text: "<</Type/Pages/Count ")
            out.append(number: node.pageCount)
            out.append(text: "/Kids[")
            for kid in node.kids {
                out.append(reference: kid)
                out.append(32)
            }
            out.append(text: "]")
            if let parent {
                out.append(text: "/Parent ")
                out.append(reference: parent)
            }
            out.append(text: ">>")
        }
    }

    /// Closes all nodes; gives the root.
    func finish() throws -> PDFReference {
        var level = 0
        while level + 1 < open.count {
            // A level that was just closed and begun anew has nothing to give.
            if !open[level].kids.isEmpty { try close(level) }
            level += 1
        }
        let root = open.last ?? Node(reference: stream.newReference())
        try write(root, parent: nil)
        return root.reference
    }
}
