import Access
import Archives
import Bytes
import Mappings
import Storage
import Work

/// The packets as files in an archive, with a table of all and a manifest for programs.
struct ArchiveExport {
    let batches: Batches
    let batch: Batch
    let choice: ExportChoice
    let maker: PacketMaker
    let messages: Batches.Messages?
    let caller: Caller

    /// One recipient's files, packed and ready.
    private struct Entry: Sendable {
        var kept: Batches.Kept
        var packet: ZIPContent?
        var byteCount = 0
        var digest = ""
        var isAsMade = true
        var receipt: [UInt8]?
        var failure: String?
    }

    func write(
        _ ids: [ID<Packet>], _ progress: Progress, to sink: @escaping ([UInt8]) throws -> Void
    ) throws -> ExportSummary {
        let now = batches.store.clock.now()
        var zip = ZIPWriter(sink: sink)
        var summary = ExportSummary()
        var table = SummaryTable()
        var manifest: [JSON] = []
        let taken = TakenNames()
        let shared = SharedBase()
        for start in stride(from: 0, to: ids.count, by: 128) {
            try progress.check()
            let kept = try batches.kept(ids[start..<min(start + 128, ids.count)], maker: maker)
            for entry in try batches.workers.map(kept, { packet in entry(packet, shared) }) {
                let packet = entry.kept.packet
                let path = taken.unique(Self.path(packet.fileName, choice.form))
                try add(entry, path, now, to: &zip, &summary)
                table.add(packet, path: entry.failure == nil ? filePath(path) : "", entry.failure)
                manifest.append(view(entry, path))
            }
            progress.set(done: Int64(min(start + 128, ids.count)), total: Int64(ids.count))
        }
        try zip.add("Summary.csv", table.bytes, modified: now)
        let about: JSON = [
            "batch": ["id": .string(batch.id.text), "name": .string(batch.name)],
            "madeBy": .string(maker.pins.madeBy), "exportedAt": .string(now.iso8601),
            "packets": .array(manifest),
        ]
        try zip.add("manifest.json", Array(about.pretty.utf8), modified: now)
        try zip.finish()
        return summary
    }

    private func entry(_ kept: Batches.Kept, _ shared: SharedBase) -> Entry {
        var entry = Entry(kept: kept)
        do {
            let file = try Batches.told { try kept.file() }
            entry.byteCount = file.byteCount
            entry.digest = file.digest.hex
            entry.isAsMade = kept.packet.digest == file.digest
            entry.packet = shared.packed(file)
            if choice.receipts { entry.receipt = Array(try batches.receipt(kept, of: batch).pretty.utf8) }
        } catch let failure as Failure {
            entry.failure = failure.message
        } catch {
            entry.failure = "\(error)"
        }
        return entry
    }

    private func add(
        _ entry: Entry, _ path: String, _ now: Moment, to zip: inout ZIPWriter, _ summary: inout ExportSummary
    ) throws {
        guard let content = entry.packet else {
            summary.failed.append((entry.kept.packet.id, entry.failure ?? ""))
            return
        }
        summary.packets += 1
        try zip.add(filePath(path), content, modified: now)
        let beside = choice.form == .folders ? "\(path)/" : "\(path) "
        if let receipt = entry.receipt { try zip.add("\(beside)Receipt.json", receipt, modified: now) }
        guard let message = try messages?(entry.kept.packet) else { return }
        if let text = message.text { try zip.add("\(beside)Message.txt", Array(text.utf8), modified: now) }
        if let whole = message.whole { try zip.add("\(beside)Message.eml", whole, modified: now) }
    }

    private func filePath(_ path: String) -> String {
        choice.form == .folders ? "\(path)/Packet.pdf" : "\(path).pdf"
    }

    private func view(_ entry: Entry, _ path: String) -> JSON {
        let packet = entry.kept.packet
        return [
            "place": .int(packet.place), "id": .string(packet.id.text),
            "recipient": .string(packet.recipient),
            "name": .string(packet.name), "email": .string(packet.email),
            "file": entry.failure == nil ? .string(filePath(path)) : .null, "sha256": .string(entry.digest),
            "bytes": .int(entry.byteCount), "pages": .int(packet.pageCount),
            // False when another version of Quire makes it otherwise than the one that made it first.
            "asMade": .bool(entry.isAsMade), "failure": .optional(entry.failure),
        ]
    }

    /// A folder must not be called like a file that may stand beside it.
    static func path(_ fileName: String, _ form: ExportChoice.Form) -> String {
        var parts = fileName.split(separator: "/").map(String.init)
        for index in parts.indices where form == .folders || index < parts.count - 1 {
            let lower = parts[index].lowercased()
            if [".pdf", ".csv", ".json", ".txt", ".eml"].contains(where: lower.hasSuffix) {
                parts[index] += "_"
            }
        }
        return parts.joined(separator: "/")
    }
}

/// What all copies of a form begin with, packed once for all of them.
private final class SharedBase: Sendable {
    private let packed = Monitor<(base: [UInt8], content: ZIPContent)?>(nil)

    func packed(_ file: PacketFile) -> ZIPContent {
        guard file.pieces.count == 2 else { return ZIPContent(file.bytes) }
        let base = packed.update { kept in
            if let kept, kept.base == file.pieces[0] { return kept.content }
            let content = ZIPContent(file.pieces[0])
            kept = (file.pieces[0], content)
            return content
        }
        return base + ZIPContent(file.pieces[1])
    }
}

/// `Summary.csv`: one line for each packet, safe to open in a spreadsheet.
struct SummaryTable {
    private(set) var bytes: [UInt8]

    init() {
        // With a mark in front, or Excel takes the letters for another alphabet's.
        bytes = Array("\u{FEFF}".utf8)
        add([
            "number", "name", "email", "file", "state", "pages", "serious problems", "remarks", "reason",
            "sha256",
        ])
    }

    mutating func add(_ packet: Packet, path: String, _ failure: String?) {
        add([
            "\(packet.place)", packet.name, packet.email, path,
            failure == nil ? packet.state.rawValue : "failed",
            "\(packet.pageCount)", "\(packet.seriousCount)", "\(packet.remarkCount)",
            failure ?? packet.reason ?? "", packet.digest?.hex ?? "",
        ])
    }

    private mutating func add(_ cells: [String]) {
        bytes += Array(cells.map(Self.cell).joined(separator: ",").utf8)
        bytes += [13, 10]
    }

    /// A cell that begins like a formula would be worked out by whoever opens the table; an apostrophe stops that.
    static func cell(_ text: String) -> String {
        // Most are plain, and looking at them letter by letter took as long as making the packet.
        let isPlain = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "_"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: "."),
                UInt8(ascii: "/"):
                true
            default: false
            }
        }
        if isPlain { return text }
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r\n|%".unicodeScalars.contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        guard safe.contains(where: { ",\"\n\r;\t".contains($0) || $0.isNewline }) else { return safe }
        return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            + "\""
    }
}
