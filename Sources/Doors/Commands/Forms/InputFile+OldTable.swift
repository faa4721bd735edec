import Conversion
import Making
import Storage
import Work

extension InputFile {
    /// The table at a path. One that only LibreOffice reads, such as an old .xls, becomes a workbook before anybody looks at it.
    static func table(_ path: String, _ call: Invocation) throws -> InputFile {
        let file = try InputFile(path: path)
        guard OldTable.mayBe(path, named: file.name) else { return file }
        let engines = Engines(jail: Jail.detect(), settings: .ofThisMachine)
        defer { engines.stop() }
        let workbook = try call.withProgress("Reading \(file.name)") { progress in
            try withConversion {
                try Converter(engines).workbook(ofTable: path, named: file.name, progress: progress)
            }
        }
        guard let workbook else { return file }
        do throws(FileTrouble) { return try InputFile(holding: workbook, name: file.name) } catch {
            throw Failure(.full, "The table cannot be kept: \(error.reason).")
        }
    }
}
