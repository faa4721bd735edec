import Archives
import Glibc
import TestSupport
import Testing
import Work

private let noon = Moment(milliseconds: 1_795_262_400_000)

private func archive(_ fill: (inout ZIPWriter) throws -> Void) throws -> [UInt8] {
    let out = Collected()
    var zip = ZIPWriter { out.bytes += $0 }
    try fill(&zip)
    try zip.finish()
    return out.bytes
}

private final class Collected { var bytes: [UInt8] = [] }

private func stranger(_ program: String, _ arguments: [String]) throws -> Child.Outcome {
    try Child(program, arguments, limits: .init(time: .seconds(60))).run()
}

@Suite("ZIP archives")
struct ZIPTests {
    private let letter = Array(String(repeating: "Dear Zoë, ", count: 5000).utf8)

    @Test("hold what was put into them, whichever way it came")
    func roundTrip() throws {
        let letter = letter
        let bytes = try archive { zip in
            try zip.add("plain.txt", letter, modified: noon)
            try zip.add("empty", [], modified: noon)
            try zip.add("Müller/日本.txt", modified: noon) { put in
                for start in stride(from: 0, to: letter.count, by: 777) {
                    try put(Array(letter[start..<min(letter.count, start + 777)]))
                }
            }
            try zip.addFolder("nothing here", modified: noon)
            try zip.add(
                "joined", ZIPContent(letter) + ZIPContent([1, 2, 3]) + ZIPContent([]), modified: noon)
        }
        let zip = try ZIPReader(bytes: bytes)
        #expect(
            zip.entries.map(\.name) == ["plain.txt", "empty", "Müller/日本.txt", "nothing here/", "joined"])
        #expect(zip.entries.allSatisfy { $0.modified == noon })
        #expect(try zip.bytes(#require(zip["plain.txt"])) == letter)
        #expect(try zip.bytes(#require(zip["Müller/日本.txt"])) == letter)
        #expect(try zip.bytes(#require(zip["empty"])) == [])
        #expect(try zip.bytes(#require(zip["joined"])) == letter + [1, 2, 3])
        #expect(zip["nothing here/"]?.isFolder == true)
        #expect(zip["elsewhere"] == nil)
    }

    @Test("are the same bytes for the same entries")
    func sameBytes() throws {
        let letter = letter
        let make = { try archive { try $0.add("a", letter, modified: noon) } }
        #expect(try make() == make())
    }

    @Test("are read by Python's zipfile and by unzip")
    func secondOpinions() throws {
        try withScratchFolder { folder in
            let letter = letter
            let bytes = try archive { zip in
                try zip.add("a/b ü.txt", letter, modified: noon)
                try zip.add("streamed", modified: noon) { try $0(letter) }
                try zip.add("joined", ZIPContent(letter) + ZIPContent(letter), modified: noon)
                try zip.addFolder("empty folder", modified: noon)
            }
            try write(bytes, "\(folder)/made.zip")
            let tested = try stranger("/usr/bin/unzip", ["-t", "\(folder)/made.zip"])
            #expect(tested.succeeded, "\(tested.outputText)")
            let read = try stranger(
                "/usr/bin/python3",
                [
                    "-c",
                    """
                    import sys, zipfile
                    zip = zipfile.ZipFile(sys.argv[1])
                    assert zip.testzip() is None
                    for i in zip.infolist(): print(i.filename, i.file_size, i.date_time, oct(i.external_attr >> 16))
                    assert zip.read('joined') == 2 * zip.read('streamed')
                    """, "\(folder)/made.zip",
                ])
            #expect(read.succeeded, "\(read.errorText)")
            #expect(
                read.outputText.split(separator: "\n") == [
                    "a/b ü.txt 55000 (2026, 11, 21, 12, 0, 0) 0o100644",
                    "streamed 55000 (2026, 11, 21, 12, 0, 0) 0o100644",
                    "joined 110000 (2026, 11, 21, 12, 0, 0) 0o100644",
                    "empty folder/ 0 (2026, 11, 21, 12, 0, 0) 0o40755",
                ])
        }
    }

    @Test("of 70,000 entries use the larger form, and stay small while they are written")
    func manyEntries() throws {
        try withScratchFolder { folder in
            let one = ZIPContent(Array("one".utf8))
            let bytes = try archive { zip in
                for number in 1...70_000 { try zip.add("letters/\(number).txt", one, modified: noon) }
            }
            let zip = try ZIPReader(bytes: bytes)
            #expect(zip.entries.count == 70_000)
            #expect(try zip.bytes(zip.entries[69_999]) == Array("one".utf8))
            try write(bytes, "\(folder)/many.zip")
            let read = try stranger(
                "/usr/bin/python3",
                [
                    "-c",
                    "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(len(z.namelist()), z.read('letters/70000.txt'))",
                    "\(folder)/many.zip",
                ])
            #expect(read.outputText == "70000 b'one'\n", "\(read.errorText)")
        }
    }

    @Test("larger than four gigabytes have their sizes and places written out")
    func largeEntries() throws {
        // The bytes are thrown away: only what is said about them is looked at.
        let out = Tail()
        var zip = ZIPWriter { out.take($0) }
        let million = [UInt8](repeating: 7, count: 1 << 20)
        // Many times the same content, packed once: five gigabytes pass in no time.
        var content = ZIPContent(million, level: 1)
        for _ in 0..<12 { content = content + content }
        content = content + ZIPContent(million)
        #expect(content.byteCount > 1 << 32)
        try zip.add("large", content, modified: noon)
        try zip.add("small", [1], modified: noon)
        try zip.finish()
        try withScratchFolder { folder in
            try write(out.all, "\(folder)/large.zip")
            let read = try stranger(
                "/usr/bin/python3",
                [
                    "-c",
                    "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print([(i.filename, i.file_size) for i in z.infolist()], z.read('small'))",
                    "\(folder)/large.zip",
                ])
            #expect(
                read.outputText == "[('large', \(content.byteCount)), ('small', 1)] b'\\x01'\n",
                "\(read.errorText)")
        }
        var limits = ZIPReader.Limits()
        #expect(throws: ZIPError.self) { try ZIPReader(bytes: out.all, limits: limits) }
        limits.bytesInEntry = 1 << 33
        limits.growth = 2000
        let reader = try ZIPReader(bytes: out.all, limits: limits)
        #expect(reader["large"]?.byteCount == content.byteCount)
        #expect(try reader.bytes(#require(reader["small"])) == [1])
    }

    @Test("made by others are read: stored, old names, something in front", arguments: ["zip", "python"])
    func made(by other: String) throws {
        try withScratchFolder { folder in
            try write(Array("hello hello hello hello".utf8), "\(folder)/a.txt")
            let path = "\(folder)/other.zip"
            let outcome =
                try other == "zip"
                ? stranger("/usr/bin/zip", ["-q", "-j", path, "\(folder)/a.txt"])
                : stranger(
                    "/usr/bin/python3",
                    [
                        "-c",
                        """
                        import sys, zipfile
                        out = open(sys.argv[1], 'wb'); out.write(b'#!/bin/sh in front\\n')
                        z = zipfile.ZipFile(out, 'a', zipfile.ZIP_STORED)
                        z.writestr('a.txt', 'hello hello hello hello'); z.close()
                        """, path,
                    ])
            #expect(outcome.succeeded, "\(outcome.errorText)")
            let zip = try ZIPReader(path: path)
            #expect(try zip.bytes(#require(zip["a.txt"])) == Array("hello hello hello hello".utf8))
        }
    }

    @Test(
        "refuse names that lead elsewhere",
        arguments: ["/etc/passwd", "../up", "a/../b", "a//b", "", "a\\b", "a\u{0}b", "./a", "a/"])
    func badNames(name: String) {
        #expect(throws: ZIPError.badName(name)) { try archive { try $0.add(name, [1], modified: noon) } }
    }
}

@Suite("Hostile archives")
struct HostileArchiveTests {
    @Test("that grow without measure are refused before anything is unpacked")
    func bomb() throws {
        let zeros = [UInt8](repeating: 0, count: 64 << 20)
        let bytes = try archive { try $0.add("zeros", zeros, modified: noon) }
        #expect(bytes.count < 100_000)
        let error = #expect(throws: ZIPError.self) { try ZIPReader(bytes: bytes) }
        #expect("\(error.map(String.init(describing:)) ?? "")".contains("400-fold"))
        var limits = ZIPReader.Limits()
        limits.growth = 2000
        limits.bytesInAll = 1 << 20
        #expect(throws: ZIPError.self) { try ZIPReader(bytes: bytes, limits: limits) }
    }

    @Test("whose entries share their bytes are refused")
    func overlaps() throws {
        let bytes = try archive { zip in
            try zip.add("aa", Array("the very same bytes".utf8), modified: noon)
            try zip.add("bb", Array("the very same bytes".utf8), modified: noon)
        }
        // The second record of the list is made to point where the first does.
        var spoiled = bytes
        let records = bytes.indices.dropLast(4).filter { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) }
        for byte in 42..<46 { spoiled[records[1] + byte] = 0 }
        #expect(throws: ZIPError.tooLarge("“bb” shares its bytes with another entry")) {
            try ZIPReader(bytes: spoiled)
        }
    }

    @Test("that say less than they hold are stopped")
    func understated() throws {
        var bytes = try archive { try $0.add("a", [UInt8](repeating: 65, count: 10_000), modified: noon) }
        let record = try #require(
            bytes.indices.dropLast(4).first { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
        bytes[record + 24] = 5
        bytes[record + 25] = 0
        let zip = try ZIPReader(bytes: bytes)
        #expect(throws: ZIPError.tooLarge("“a” is larger than it says")) { try zip.bytes(zip.entries[0]) }
    }

    @Test("whose bytes were changed are not taken for good")
    func checksum() throws {
        let bytes = try archive { try $0.add("a", Array("some words".utf8), modified: noon) }
        var noticed = 0
        for place in 40..<50 {
            var spoiled = bytes
            spoiled[place] ^= 4
            do {
                let zip = try ZIPReader(bytes: spoiled)
                _ = try zip.bytes(zip.entries[0])
            } catch {
                noticed += 1
            }
        }
        #expect(noticed == 10)
    }

    @Test("of any kind end with a sentence, never with a trap")
    func spoiled() throws {
        let good = try archive { zip in
            try zip.add("a.txt", Array("some words, some words".utf8), modified: noon)
            try zip.add("b/ü", modified: noon) { try $0([UInt8](repeating: 1, count: 500)) }
            try zip.addFolder("c", modified: noon)
        }
        var dice = Dice(7)
        for _ in 0..<4000 {
            var bytes = good
            for _ in 0...dice.below(5) where !bytes.isEmpty {
                let place = dice.below(bytes.count)
                switch dice.below(6) {
                case 0: bytes.removeLast(dice.below(bytes.count))
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: bytes[place...].prefix(64), at: place)
                case 3: bytes[place] = 0xFF
                default: bytes[place] = UInt8(truncatingIfNeeded: dice.next())
                }
            }
            guard let zip = try? ZIPReader(bytes: bytes) else { continue }
            for entry in zip.entries { _ = try? zip.bytes(entry) }
        }
    }

    @Test("are not found where there is no file")
    func noFile() {
        #expect(throws: ZIPError.notReadable(path: "/nowhere", reason: "No such file or directory")) {
            try ZIPReader(path: "/nowhere")
        }
        #expect(throws: ZIPError.notAnArchive) { try ZIPReader(bytes: Array("hello".utf8)) }
        #expect(throws: ZIPError.notAnArchive) { try ZIPReader(bytes: []) }
    }
}

/// Keeps all of it: packed, five gigabytes of one letter are a few megabytes.
private final class Tail {
    var all: [UInt8] = []
    func take(_ bytes: [UInt8]) { all += bytes }
}

private func write(_ bytes: [UInt8], _ path: String) throws {
    let file = try #require(fopen(path, "we"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}
