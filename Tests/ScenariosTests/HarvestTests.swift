import Access
import App
import Archives
import Bytes
import HTTP
import PDF
import PDFForms
import Storage
import Synchronization
import TestSupport
import Testing
import Web
import Work

extension Desk {
    /// What an answer carries, however it does.
    func bytes(of response: Response) throws -> [UInt8] {
        switch response.body {
        case .bytes(let bytes): return bytes
        case .file(let path, _): return try contents(of: path)
        case .stream(let make):
            let kept = Mutex<[UInt8]>([])
            try make(ByteSink { piece in kept.withLock { $0 += piece } })
            return kept.withLock { $0 }
        default: return []
        }
    }
}

/// Filled forms that came back, on a desk.
@Suite("Filled forms that came back")
struct HarvestTests {
    /// The packet's own form, with one answer changed by its owner.
    private func returned(_ desk: Desk, _ name: String, of batch: String) throws -> [UInt8] {
        let packet = try desk.packet(name, of: batch)
        let file = try desk.command(.get, "/packets/\(packet)/file")
        return try desk.bytes(of: file)
    }

    private func take(
        _ desk: Desk, _ files: [(String, [UInt8])], against batch: String? = nil
    ) throws -> Response {
        var form = HTTP.Form()
        if let batch { form.fields.add("batch", batch) }
        for (place, (name, bytes)) in files.enumerated() {
            let path = "\(desk.quire.store.home.path)/came-\(place)"
            try write(bytes, to: path)
            form.files.append(
                FormFile(
                    name: "file", fileName: name, mediaType: .octets, path: path,
                    byteCount: Int64(bytes.count)))
        }
        return try desk.command(.post, "/harvests", body: .form(form))
    }

    @Test("are read together, told apart by what was sent, and marked as returned")
    func compared() throws {
        try withDesk { desk throws in
            let batch = try desk.makeBatch()
            let ana = try returned(desk, "Ana", of: batch)
            let data = try FormData(PDFForms.Form(bytes: returned(desk, "Bo", of: batch)))
            var changed = data
            for index in changed.entries.indices where changed.entries[index].name == "class" {
                changed.entries[index].values = ["=6a"]
            }
            let kept = try take(
                desk,
                [
                    ("scan1.pdf", ana), ("bo.xfdf", Array(changed.xfdf.utf8)), ("bo.fdf", data.fdf),
                    ("photo.jpg", [0xFF, 0xD8, 0xFF]),
                ], against: batch)
            #expect(kept.status == .created, "\(kept.text)")
            let forms = kept.json["forms"]
            #expect(forms?[0]?["match"]?["name"] == "Ana Ruiz")
            #expect(forms?[1]?["match"]?["name"] == "Bo Li")
            #expect(forms?[1]?["match"]?["changed"]?[0]?["returned"] == "=6a")
            #expect(forms?[2]?["match"]?["changed"]?.array?.isEmpty == true)
            #expect(kept.json["problems"]?[0]?["file"] == "photo.jpg")
            let path = "/harvests/\(kept.json["id"]?.string ?? "")"
            func file(_ form: String) throws -> [UInt8] {
                try desk.bytes(of: desk.command(.get, "\(path)/file?form=\(form)"))
            }
            let table = try String(decoding: file("csv"), as: UTF8.self)
            #expect(table.hasPrefix("file,recipient,found by,changed,added,"))
            #expect(table.contains("'=6a") && !table.contains(",=6a"))
            #expect(try file("xlsx").starts(with: "PK".utf8))
            let json = try JSON(parsing: file("json"))
            #expect(json[0]?["file"] == "scan1.pdf" && json[1]?["class"] == "=6a")
            let archive = try ZIPReader(bytes: file("fdf"))
            #expect(archive.entries.map(\.name) == ["scan1.fdf", "bo.fdf", "bo (2).fdf"])
            let again = try FormData(fdf: archive.bytes(archive.entries[1]))
            #expect(again.entries.first { $0.name == "class" }?.values == ["=6a"])
            let marked = try desk.command(.post, path + "/marks", json: [:])
            #expect(marked.json["marked"] == 3)
            let ledger = try desk.command(.get, "/ledger?show=returned").json["items"]?.array
            #expect(ledger?.count == 2)
            #expect(try desk.command(.delete, path).status == .noContent)
            #expect(try desk.command(.get, path).status == .notFound)
        }
    }

    @Test("make a table without any batch, and are forgotten after a week")
    func alone() throws {
        try withDesk { desk throws in
            let kept = try take(desk, [("one.json", Array("[{\"a\": \"1\"}, {\"b\": [\"x\", \"y\"]}]".utf8))])
            #expect(kept.json["names"] == ["a", "b"], "\(kept.text)")
            let path = "/harvests/\(kept.json["id"]?.string ?? "")"
            let table = try String(
                decoding: desk.bytes(of: desk.command(.get, path + "/file?form=csv")), as: UTF8.self)
            #expect(table == "file,a,b\r\none.json,1,\r\none.json,,\"x; y\"\r\n")
            #expect(try desk.command(.post, path + "/marks", json: [:]).status == .conflict)
            #expect(try take(desk, []).status == .unprocessable)
            #expect(try take(desk, [("x.pdf", [1])], against: "nonsense").status == .notFound)
            desk.hands.advance(.seconds(8 * 86_400))
            try desk.quire.maintenance.prune(by: "test")
            #expect(try desk.command(.get, path).status == .notFound)
        }
    }
}
