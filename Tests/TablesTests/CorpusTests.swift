import Bytes
import Glibc
import Tables
import TestSupport
import Testing
import Work

/// Real tables of many makers, kept beside the checkout; `QUIRE_CORPUS` says where else.
private enum Corpus {
    static let folder: String? = {
        if let told = getenv("QUIRE_CORPUS") { return String(cString: told) }
        let checkout = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let beside = "/\(checkout)/../shared/corpus"
        return access("\(beside)/csv", R_OK) == 0 ? beside : nil
    }()

    static func files(_ name: String, _ endings: [String]) -> [String] {
        guard let folder, let listing = opendir("\(folder)/\(name)") else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if endings.contains(where: name.hasSuffix) { names.append(name) }
        }
        return names.sorted()
    }

    static func read(_ path: String) -> [UInt8] {
        guard let folder, let file = fopen("\(folder)/\(path)", "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }
}

private let python: String? = {
    guard access(".venv/bin/python", X_OK) == 0, let here = getcwd(nil, 0) else { return nil }
    defer { free(here) }
    let python = String(cString: here) + "/.venv/bin/python"
    let has = try? Child(python, ["-c", "import openpyxl"]).run()
    return has?.succeeded == true ? python : nil
}()

@Suite("Tables of the corpus", .enabled(if: Corpus.folder != nil, "there is no corpus beside the checkout"))
struct CorpusTests {
    private func rows(
        _ path: String, header: Int? = nil, keepingFlawed: Bool = false
    ) throws -> (names: [String], rows: [[String]], flaws: Int) {
        var options = TableOptions()
        options.headerRow = header
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var table = try TableReader(bytes: Corpus.read(path), name: name, options: options)
        var rows: [[String]] = []
        var flaws = 0
        while let row = try table.next() {
            if row.flaw != nil { flaws += 1 }
            if row.flaw == nil || keepingFlawed { rows.append(row.cells.map(\.shown)) }
        }
        return (table.shape.columns.map(\.name), rows, flaws)
    }

    @Test("Every table is read or refused with a sentence, and each row is kept or set aside")
    func all() throws {
        var read = 0
        for folder in ["csv", "xlsx"] {
            for name in Corpus.files(folder, [".csv", ".tsv", ".txt", ".xlsx", ".xlsm", ".ods"]) {
                do {
                    _ = try rows("\(folder)/\(name)")
                    read += 1
                } catch let error as TableError {
                    #expect(error.reason.hasSuffix("."), "\(name): \(error.reason)")
                    #expect(error.reason.count > 15, "\(name): \(error.reason)")
                }
            }
        }
        #expect(read > 40)
    }

    /// The tables whose authors wrote down what they say.
    @Test(
        "The cells are those the authors of the spectrum wrote down",
        arguments: [
            "comma_in_quotes", "escaped_quotes", "json", "newlines", "quotes_and_newlines", "simple", "utf8",
        ])
    func spectrum(_ name: String) throws {
        let expected = try JSON(parsing: Corpus.read("csv/csv-spectrum-expected/\(name).json"))
        let file = try #require(Corpus.files("csv", ["-\(name).csv"]).first)
        let found = try rows("csv/\(file)", header: 1)
        #expect(found.flaws == 0)
        let said = (expected.array ?? []).map { row in
            found.names.map { row[$0]?.string ?? "missing" }
        }
        // Line ends within cells are kept as the file has them.
        let plain = found.rows.map { $0.map { $0.replacing("\r\n", with: "\n") } }
        #expect(plain == said.map { $0.map { $0.replacing("\r\n", with: "\n") } })
    }

    @Test(
        "Workbooks give the rows that openpyxl gives, as they were shown",
        .enabled(if: python != nil, "the Python of the tests is not set up"))
    func workbooks() throws {
        let count = """
            import sys, openpyxl
            book = openpyxl.load_workbook(sys.argv[1], read_only=False, data_only=True)
            sheet = next((s for s in book.worksheets if s.sheet_state == "visible"), book.worksheets[0])
            for row in sheet.iter_rows(values_only=True):
                for cell in row:
                    if isinstance(cell, str) and cell.strip(): print(" ".join(cell.split()))
            """
        var compared = 0
        for name in Corpus.files("xlsx", [".xlsx"]) {
            guard let folder = Corpus.folder,
                let said = try? Child(
                    python ?? "", ["-c", count, "\(folder)/xlsx/\(name)"],
                    limits: .init(time: .seconds(60))
                ).run(), said.succeeded
            else { continue }
            guard let found = try? rows("xlsx/\(name)", header: 0, keepingFlawed: true)
            else { continue }
            let ours = Set(
                found.rows.joined().map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") })
            let theirs = Set(said.outputText.split(separator: "\n").map(String.init))
            let missing = theirs.subtracting(ours)
            // Hidden rows are left out here, and rich texts have spaces of their own.
            #expect(missing.count * 20 <= max(20, theirs.count), "\(name): \(missing.prefix(5))")
            compared += 1
        }
        #expect(compared > 5)
    }
}
