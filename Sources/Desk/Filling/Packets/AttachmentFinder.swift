import Library
import PDF
import SQL
import Storage

/// Finds each recipient's own papers in the library, by their names.
struct AttachmentFinder {
    private enum Paper {
        case usable(Digest, pageCount: Int)
        case unusable(String)
    }

    private let store: Store
    /// Many recipients often share one.
    private var looked: [Digest: Paper] = [:]

    init(_ store: Store) {
        self.store = store
    }

    mutating func find(for thoughts: inout [PacketThought]) throws {
        let names = Set(thoughts.flatMap { $0.wanted.map(\.name) })
        guard !names.isEmpty else { return }
        let found = try named(names)
        for index in thoughts.indices where !thoughts[index].wanted.isEmpty {
            for (part, name) in thoughts[index].wanted {
                switch found[name.lowercased()] {
                case .usable(let digest, let pageCount)?:
                    thoughts[index].attachments.append(.init(part: part, name: name, digest: digest))
                    thoughts[index].pageCount += pageCount
                    thoughts[index].content += " \(digest.hex)"
                case .unusable(let reason)?:
                    thoughts[index].problems.append(
                        PacketProblem(.unusableAttachment, part: part, "“\(name)” cannot be used: \(reason)"))
                case nil:
                    thoughts[index].problems.append(
                        PacketProblem(
                            .missingAttachment, part: part, "The library has no paper called “\(name)”."))
                }
            }
        }
    }

    /// Of several papers with one name the newest counts. Private ones are found by nobody's name.
    private mutating func named(_ names: Set<String>) throws -> [String: Paper] {
        var digests: [String: (Digest, String)] = [:]
        let wanted = Array(Set(names.flatMap { Self.spellings($0.lowercased()) })).sorted()
        try store.read { desk in
            for start in stride(from: 0, to: wanted.count, by: 500) {
                let rows = try desk.rows(
                    """
                    SELECT name_search, digest, media_type FROM document WHERE trashed_at IS NULL
                        AND (folder IS NULL OR folder NOT IN (SELECT id FROM folder WHERE hidden = 1))
                        AND \(Query.column("name_search", in: wanted[start..<min(start + 500, wanted.count)]))
                    ORDER BY added_at, id
                    """)
                for row in rows {
                    digests[try row.text("name_search")] = (
                        try row.digest("digest"), try row.text("media_type")
                    )
                }
            }
        }
        var papers: [String: Paper] = [:]
        for name in names.map({ $0.lowercased() }) {
            guard let (digest, mediaType) = Self.spellings(name).lazy.compactMap({ digests[$0] }).first else {
                continue
            }
            papers[name] = look(at: digest, mediaType)
        }
        return papers
    }

    private mutating func look(at digest: Digest, _ mediaType: String) -> Paper {
        if let known = looked[digest] { return known }
        let paper: Paper
        if mediaType != "application/pdf" {
            paper = .unusable("it is no PDF.")
        } else {
            do {
                let file = try Templates.explained {
                    try PDFFile(bytes: store.blobs.read(digest, atMost: Templates.longestFile))
                }
                paper = .usable(digest, pageCount: file.pages.count)
            } catch let failure as Failure {
                paper = .unusable(failure.message)
            } catch {
                paper = .unusable("\(error)")
            }
        }
        looked[digest] = paper
        return paper
    }

    /// The paper, or the pattern that looks for it, may have been named without its ending.
    private static func spellings(_ name: String) -> [String] {
        [name, FileName.ending(of: name) == "pdf" ? String(name.dropLast(4)) : name + ".pdf"]
    }
}
