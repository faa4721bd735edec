import Access
import App
import Glibc
import Jobs
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

/// Desks as earlier versions left them; `Tests/Upgrades/make` has made each.
@Suite("A desk of an earlier version")
struct UpgradeTests {
    private static let folder =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
        + "/Upgrades"

    static let versions: [String] = {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if access("\(folder)/\(name)/desk.tar.xz", R_OK) == 0 { names.append(name) }
        }
        return names.sorted()
    }()

    @Test("is kept for each version that is told of")
    func kept() throws {
        // What is told of first may not be released yet.
        let told = try text("\(Self.folder)/../../CHANGELOG.md").split(separator: "\n").compactMap { line in
            line.hasPrefix("## ") ? String(line.dropFirst(3).prefix { !$0.isWhitespace }) : nil
        }
        #expect(!told.isEmpty)
        for version in told.dropFirst() { #expect(Self.versions.contains(version)) }
        #expect(!Self.versions.isEmpty)
    }

    @Test("opens, with all that was in it, and goes on", arguments: versions, Database.Kind.here)
    func opens(version: String, kind: Database.Kind) throws {
        try withScratchFolder { folder in
            switch kind {
            case .sqlite:
                try unpack("desk", of: version, to: folder)
                try check(home: "\(folder)/desk", folder)
            case .postgres:
                try unpack("desk-of-postgres", of: version, to: folder)
                try withDatabaseAddress(.postgres) { address in
                    let home = "\(folder)/desk-of-postgres"
                    #expect(
                        system("psql -qX -v ON_ERROR_STOP=1 '\(address)' -f '\(home)/tables.sql' >/dev/null")
                            == 0)
                    try check(home: home, database: address, folder)
                }
            }
        }
    }

    @Test("comes back out of its backup", arguments: versions, Database.Kind.here)
    func restores(version: String, kind: Database.Kind) throws {
        try withScratchFolder { folder in
            try unpack("backup", of: version, to: folder)
            func restored(_ database: Store.DatabaseChoice, _ address: String?) throws {
                _ = try Backups.restore(
                    from: "\(folder)/backup", to: "\(folder)/desk", database: database, areas: Quire.areas)
                try check(home: "\(folder)/desk", database: address, folder)
            }
            switch kind {
            case .sqlite: try restored(.sqlite, nil)
            case .postgres:
                try withDatabaseAddress(.postgres) { try restored(.postgres($0), $0) }
            }
        }
    }

    private func unpack(_ part: String, of version: String, to folder: String) throws {
        let archive = "\(Self.folder)/\(version)/\(part).tar.xz"
        try #require(system("tar -C '\(folder)' --no-same-owner -xJf '\(archive)'") == 0)
    }

    private func check(home: String, database: String? = nil, _ folder: String) throws {
        var flags = ["home": home]
        flags["database"] = database
        let quire = try Quire.open(
            Config.load(flags: flags, environment: ["HOME": folder]), role: .command, log: .silent)
        defer { quire.stop() }
        let ada = Caller.local
        let documents = quire.documents
        let papers = try documents.list(by: ada).documents
        #expect(papers.map(\.name).sorted() == ["consent.pdf", "invoice.txt", "lease.txt"])
        #expect(try documents.trash(by: ada).count == 1)
        let lease = try #require(papers.first { $0.name == "lease.txt" })
        #expect(lease.version == 2)
        #expect(try documents.keeping(of: lease.id, by: ada).hold == "until the flat is sold")
        #expect(
            try quire.store.blobs.read(lease.blob.digest).starts(with: Array("The lease of the attic".utf8)))
        #expect(try documents.find("invoice", by: ada).finds.map(\.document.name) == ["invoice.txt"])
        #expect(try documents.find("tag:bill", by: ada).finds.map(\.document.name) == ["invoice.txt"])
        let counts = [
            "folder": 2, "tag": 1, "template": 1, "recipient_list": 1, "contact": 1, "batch": 1,
            "own_card": 1,
            "api_token": 1, "share_link": 1, "retention_rule": 1, "document_version": 2,
        ]
        for (table, count) in counts {
            let found = try quire.store.read { desk in
                try desk.row("SELECT count(*) AS n FROM \(raw: table)")?.int("n")
            }
            #expect(found == count, "\(table)")
        }
        // What was read of it, or is read now.
        quire.runner.runUntilIdle()
        #expect(try documents.find("edition", by: ada).finds.map(\.document.name) == ["lease.txt"])
        let new = try documents.add(.bytes(Array("A new letter".utf8)), named: "new.txt", by: ada)
        #expect(try documents.find("new", by: ada).finds.contains { $0.document.id == new.document.id })
        #expect(try quire.store.verify().problems == [])
        #expect(try quire.store.journal.verify() == [])
        #expect(quire.doctor.examine().first { $0.name == "schema" }?.state == .good)
    }

    private func text(_ path: String) throws -> String {
        let file = try #require(fopen(path, "re"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
