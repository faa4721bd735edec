import SQL
import Storage

extension Recipients {
    /// What is wrong with the stored lists, in sentences; empty when all is well.
    public func verify() throws -> [String] {
        try store.read { desk in
            var problems: [String] = []
            for row in try desk.rows("SELECT id, name, edition FROM recipient_list") {
                let id = try row.id("id", of: RecipientList.self)
                let name = try row.text("name")
                let current = try row.int("edition")
                var held: [Int64: Int] = [:]
                try desk.each("SELECT number, content FROM recipient_chunk WHERE list_id = \(id)") { chunk in
                    let content = try chunk.blob("content")
                    held[try chunk.integer("number")] = content.withUnsafeBytes { raw in
                        var walk = RowWalk(raw)
                        var count = 0
                        while walk.next() != nil { count += 1 }
                        return walk.position == raw.count ? count : -1
                    }
                }
                var named: Set<Int64> = []
                var hasCurrent = false
                for state in try desk.rows("SELECT * FROM recipient_edition WHERE list_id = \(id)") {
                    let edition = try Edition(state)
                    if edition.number == current { hasCurrent = true }
                    for chunk in edition.chunks {
                        named.insert(chunk.number)
                        if held[chunk.number] != Int(chunk.count) {
                            problems.append(
                                "“\(name)”, edition \(edition.number): rows are missing or damaged.")
                        }
                    }
                }
                if !hasCurrent { problems.append("“\(name)”: its edition is missing.") }
                let staged = try desk.rows("SELECT first FROM recipient_staging WHERE list_id = \(id)").map {
                    try $0.integer("first")
                }
                let orphans = held.keys.filter { number in
                    !named.contains(number)
                        && !staged.contains { (0..<ImportRun.reservedChunks).contains(number - $0) }
                }
                if !orphans.isEmpty {
                    problems.append("“\(name)”: \(orphans.count) chunks belong to nothing.")
                }
            }
            return problems
        }
    }
}
