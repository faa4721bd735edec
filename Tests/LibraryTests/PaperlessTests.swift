import Access
import Archives
import Bytes
import Glibc
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Papers from Paperless-ngx")
struct PaperlessTests {
    /// What its document_exporter writes for two papers, as of version 2.18.
    private static let manifest = """
        [
          {"model": "auth.user", "pk": 3, "fields": {"username": "ada", "password": "pbkdf2…"}},
          {"model": "documents.correspondent", "pk": 1, "fields": {"name": "Stadtwerke Süd", "match": ""}},
          {"model": "documents.tag", "pk": 1, "fields": {"name": "bill", "color": "#ff0000"}},
          {"model": "documents.tag", "pk": 2, "fields": {"name": "to pay", "is_inbox_tag": true}},
          {"model": "documents.documenttype", "pk": 4, "fields": {"name": "Invoice"}},
          {"model": "documents.storagepath", "pk": 2, "fields": {"name": "House/Energy", "path": "{{ title }}"}},
          {"model": "documents.savedview", "pk": 1, "fields": {"name": "Unpaid"}},
          {"model": "documents.savedview", "pk": 2, "fields": {"name": "Only by tag"}},
          {"model": "documents.savedviewfilterrule", "pk": 1, "fields": {"saved_view": 1, "rule_type": 20, "value": "unpaid bill"}},
          {"model": "documents.savedviewfilterrule", "pk": 2, "fields": {"saved_view": 2, "rule_type": 6, "value": "1"}},
          {"model": "paperless_mail.mailrule", "pk": 1, "fields": {"name": "bills@"}},
          {"model": "documents.document", "pk": 11, "fields": {"title": "Power bill: January/February", "correspondent": 1,
            "document_type": 4, "storage_path": 2, "tags": [1, 2], "content": "You owe \\"12,30\\" € [really] {yes}\\\\",
            "checksum": "aa", "archive_checksum": "bb", "created": "2026-02-03", "archive_serial_number": 17,
            "deleted_at": null}, "__exported_file_name__": "originals/2026/power.txt",
            "__exported_archive_name__": "archive/power.txt"},
          {"model": "documents.document", "pk": 12, "fields": {"title": "Letter", "correspondent": null, "tags": [],
            "created": "2026-03-04T23:00:00Z", "checksum": "cc"}, "__exported_file_name__": "letter.txt"},
          {"model": "documents.document", "pk": 13, "fields": {"title": "Gone", "tags": [], "created": "2020-01-01",
            "deleted_at": "2026-05-01T10:00:00Z"}, "__exported_file_name__": "letter.txt"},
          {"model": "documents.document", "pk": 14, "fields": {"title": "Escaping", "tags": [], "created": "2020-01-01"},
            "__exported_file_name__": "../outside.txt"},
          {"model": "documents.note", "pk": 1, "fields": {"note": "Paid by Ben", "created": "2026-02-10T08:00:00Z",
            "document": 11, "user": 3}},
          {"model": "documents.customfield", "pk": 1, "fields": {"name": "Total", "data_type": "monetary"}},
          {"model": "documents.customfield", "pk": 2, "fields": {"name": "Pages", "data_type": "integer"}},
          {"model": "documents.customfield", "pk": 3, "fields": {"name": "State", "data_type": "select",
            "extra_data": {"select_options": [{"id": "x1", "label": "open"}, {"id": "x2", "label": "paid"}]}}},
          {"model": "documents.customfieldinstance", "pk": 1, "fields": {"document": 11, "field": 1,
            "value_monetary": "EUR12.30", "value_text": null}},
          {"model": "documents.customfieldinstance", "pk": 2, "fields": {"document": 11, "field": 2, "value_int": 2}},
          {"model": "documents.customfieldinstance", "pk": 3, "fields": {"document": 11, "field": 3, "value_select": "x2"}}
        ]
        """

    private static let files = [
        "manifest.json": manifest, "metadata.json": "{\"version\": \"2.18.4\"}",
        "originals/2026/power.txt": "the scan", "archive/power.txt": "the scan, with words",
        "letter.txt": "Dear Ada",
    ]

    private func exported<R>(_ body: (String) throws -> R) throws -> R {
        try withScratchFolder { folder in
            for path in ["originals", "originals/2026", "archive"] { mkdir("\(folder)/\(path)", 0o700) }
            for (name, text) in Self.files { try writeFile("\(folder)/\(name)", text) }
            return try body(folder)
        }
    }

    @Test(
        "come with all that was written on them, and what was left out is said", arguments: Database.Kind.here
    )
    func folder(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, store in
            try exported { folder in
                let report = try documents.take(PaperlessExport(folder), by: editor)
                #expect(report.addedCount == 2 && report.archiveCount == 1 && report.searchCount == 1)
                #expect(report.left.map(\.name) == ["Gone", "Escaping"])
                #expect(report.others.map(\.what) == ["mail rules", "saved views"])
                let papers = try documents.list(.init(order: .name, isDescending: false), by: viewer)
                    .documents
                let bill = try #require(papers.first { $0.tags == ["bill", "to pay"] })
                #expect(papers.allSatisfy { $0.arrival == .paperless })
                #expect(bill.name == "Power bill: January/February" && bill.date == "2026-02-03")
                #expect(bill.people.map(\.name) == ["Stadtwerke Süd"])
                #expect(bill.note == "Paid by Ben (2026-02-10, ada)")
                #expect(
                    Set(bill.values.map { "\($0.field)=\($0.value)" }) == [
                        "Archive serial number=17", "Document type=Invoice", "Total (EUR)=12.30",
                        "Pages (Paperless)=2", "State=paid",
                    ])
                let tree = try documents.folders(by: viewer)
                #expect(bill.folder.flatMap { tree[$0]?.path } == "House/Energy")
                // The original first, then what Paperless had made of it.
                #expect(bill.version == 2)
                let first = try documents.get(bill.id, version: 1, by: viewer)
                #expect(try store.blobs.read(first.blob.digest) == Array("the scan".utf8))
                // Midnight in Berlin was an hour of the evening before in Greenwich.
                #expect(papers.first { $0.name == "Letter" }?.date == "2026-03-05")
                #expect(try documents.savedSearches(by: viewer).map(\.words) == ["unpaid bill"])
            }
        }
    }

    @Test("come once, however often they are brought, and what was changed here stays changed")
    func again() throws {
        try withLibrary { documents, _, _ in
            try exported { folder in
                _ = try documents.take(PaperlessExport(folder), by: editor)
                let papers = try documents.list(by: viewer).documents
                let bill = try #require(papers.first { !$0.tags.isEmpty })
                let letter = try #require(papers.first { $0.name == "Letter" })
                try documents.file([bill.id], as: .init(removedTags: ["to pay"]), by: editor)
                try documents.trash(letter.id, by: editor)
                let report = try documents.take(PaperlessExport(folder), by: editor)
                #expect(report.addedCount == 0 && report.knownCount == 2)
                #expect(report.left.map(\.name).contains("Letter"))
                #expect(try documents.get(bill.id, by: viewer).tags == ["bill"])
                #expect(try documents.counts(by: viewer) == (1, 1))
            }
        }
    }

    @Test("that the library had already get what nobody had written on them")
    func known() throws {
        try withLibrary { documents, _, _ in
            try exported { folder in
                let there = try documents.addText("old name.txt", "the scan")
                try documents.file([there.id], as: .init(addedTags: ["mine"], note: "my words"), by: editor)
                let report = try documents.take(PaperlessExport(folder), by: editor)
                #expect(report.labelledCount == 1 && report.addedCount == 1)
                let bill = try documents.get(there.id, by: viewer)
                #expect(bill.name == "old name.txt" && bill.version == 1)
                #expect(bill.tags == ["bill", "mine", "to pay"])
                #expect(bill.note == "my words\n\nPaid by Ben (2026-02-10, ada)")
            }
        }
    }

    @Test(
        "come out of an archive of the export, also when the folder itself was packed",
        arguments: ["", "export/"])
    func archive(start: String) throws {
        try withLibrary { documents, _, _ in
            try withScratchFolder { folder in
                var bytes: [UInt8] = []
                var zip = ZIPWriter { bytes += $0 }
                for (name, text) in Self.files.sorted(by: { $0.key < $1.key }) {
                    try zip.add(start + name, Array(text.utf8), modified: Moment(milliseconds: 0))
                }
                try zip.finish()
                try writeFile("\(folder)/export.zip", bytes)
                let place = try documents.makeFolder(named: "Paperless", by: editor)
                let report = try documents.take(
                    PaperlessExport("\(folder)/export.zip"), into: place.id, by: editor)
                #expect(report.addedCount == 2)
                let tree = try documents.folders(by: viewer)
                #expect(
                    Set(
                        try documents.list(by: viewer).documents.compactMap {
                            $0.folder.flatMap { tree[$0]?.path }
                        })
                        == ["Paperless", "Paperless/House/Energy"])
            }
        }
    }

    @Test("come from lists beside each paper as well")
    func split() throws {
        try withLibrary { documents, _, _ in
            try withScratchFolder { folder in
                try writeFile(
                    "\(folder)/manifest.json",
                    "[{\"model\": \"documents.tag\", \"pk\": 1, \"fields\": {\"name\": \"bill\"}}]")
                try writeFile(
                    "\(folder)/a-manifest.json",
                    """
                    [{"model": "documents.document", "pk": 1, "fields": {"title": "A", "tags": [1], "created": "2026-01-01"},
                      "__exported_file_name__": "a.txt"}]
                    """)
                try writeFile("\(folder)/a.txt", "a")
                #expect(try documents.take(PaperlessExport(folder), by: editor).addedCount == 1)
                #expect(try documents.list(by: viewer).documents.map(\.tags) == [["bill"]])
            }
        }
    }

    @Test(
        "are refused in a sentence where there is no export", arguments: ["{}", "[", "[1, 2", "not json", ""])
    func broken(manifest: String) throws {
        try withLibrary { documents, _, _ in
            try withScratchFolder { folder in
                #expect(throws: Failure.self) { try PaperlessExport(folder) }
                try writeFile("\(folder)/manifest.json", manifest)
                #expect(throws: Failure.self) { try PaperlessExport(folder) }
            }
        }
    }

    @Test("do not lead out of the export by links")
    func links() throws {
        try withLibrary { documents, _, _ in
            try withScratchFolder { folder in
                try writeFile("\(folder)/secret.txt", "not part of it")
                mkdir("\(folder)/export", 0o700)
                symlink("\(folder)/secret.txt", "\(folder)/export/a.txt")
                symlink(folder, "\(folder)/export/up")
                let papers = ["a.txt", "up/secret.txt", "/etc/hostname"].enumerated().map { number, name in
                    """
                    {"model": "documents.document", "pk": \(number + 1), "fields": {"title": "\(number)", "tags": [],
                     "created": "2026-01-01"}, "__exported_file_name__": "\(name)"}
                    """
                }
                try writeFile("\(folder)/export/manifest.json", "[\(papers.joined(separator: ","))]")
                let report = try documents.take(PaperlessExport("\(folder)/export"), by: editor)
                #expect(report.addedCount == 0 && report.left.count == 3)
            }
        }
    }
}
