import Archives
import Filling
import PDFForms
import Storage
import TestSupport
import Testing
import Work

@Suite("Names of packets")
struct NamesTests {
    private func planned(_ names: [String], _ body: (Desk, Batch, [Packet]) throws -> Void) throws {
        let list = TestList(
            ["name", "email", "class", "agrees"], names.map { [$0, "a@example.org", "1a", "yes"] })
        try withDesk(list: list) { desk throws in
            let batch = try desk.batch {
                $0.naming = "{name}"
                $0.options.makesDespiteProblems = true
            }
            try desk.batches.plan(batch.id, by: ada)
            try body(desk, batch, try desk.packets(batch))
        }
    }

    @Test("Arabic, Chinese, Hindi, Hebrew and emoji stay as people write them, in the name and on the page")
    func scripts() throws {
        let names = ["محمد عبد الرحمن", "王小明", "अनिता शर्मा", "שרה לוי", "Zoë 🦊 Ångström", "Nguyễn Thị Ánh"]
        try planned(names) { desk, batch, packets in
            #expect(packets.map(\.fileName) == names)
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            for (packet, name) in zip(try desk.packets(batch), names) {
                let file = try desk.batches.file(of: packet.id, by: viewer).file
                #expect(try Form(bytes: file.bytes).fields.first?.value == [name], "\(name)")
                #expect(packet.state == .made || name.contains("🦊"), "\(name): \(packet.reason ?? "")")
            }
        }
    }

    @Test("A name cannot lead out of its folder, hide a file, or turn its ending around")
    func tricks() throws {
        let names = [
            "../../etc/passwd", "/root/secret", "..", ".hidden", "a/../../b", "CON", "nul.txt", "a\\..\\b",
            "evil\u{202E}fdp.exe", "line\nbreak", "bell\u{7}", "trailing dot.", "trailing space ",
            "C:\\Windows",
            String(repeating: "long", count: 200), "a\u{0}b", "~", "-rf", "$(reboot)", "a:b*c?d\"e<f>g|h",
        ]
        try planned(names) { desk, batch, packets in
            #expect(packets.count == names.count)
            for packet in packets {
                let parts = packet.fileName.split(separator: "/", omittingEmptySubsequences: false)
                #expect(!parts.isEmpty)
                for part in parts {
                    #expect(
                        !part.isEmpty && part != "." && part != ".." && !part.hasPrefix("."),
                        "\(packet.fileName)")
                    #expect(!part.hasSuffix(".") && !part.hasSuffix(" "), "\(packet.fileName)")
                    #expect(part.utf8.count <= 255, "\(part.utf8.count)")
                    #expect(
                        !["con", "nul", "aux", "prn"].contains(part.prefix { $0 != "." }.lowercased()),
                        "\(part)")
                    #expect(
                        !part.unicodeScalars.contains {
                            $0.value < 0x20 || $0.value == 0x7F || "\\:*?\"<>|".unicodeScalars.contains($0)
                                || (0x202A...0x202E).contains($0.value)
                                || (0x2066...0x2069).contains($0.value)
                        }, "\(part.debugDescription)")
                }
            }
            try desk.batches.fill(batch.id, by: ada)
            desk.work()
            var bytes: [UInt8] = []
            try desk.batches.export(batch.id, .init(.folders), by: viewer) { bytes += $0 }
            for entry in try ZIPReader(bytes: bytes).entries { #expect(entry.staysInside, "\(entry.name)") }
        }
    }

    @Test(
        "Names that differ only in case, accents' spelling or width get numbers, so that no system loses one")
    func collisions() throws {
        let names = ["Müller", "MÜLLER", "Mu\u{308}ller", "müller", "Strasse", "STRASSE", "ﬁn", "fin"]
        try planned(names) { _, _, packets in
            let folded = packets.map { $0.fileName.lowercased() }
            #expect(Set(folded).count == names.count, "\(packets.map(\.fileName))")
        }
    }
}
