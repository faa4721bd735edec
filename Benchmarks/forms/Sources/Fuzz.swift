import Bytes
import Glibc
import PDF
import PDFForms

/// Damages forms at random and fills what is left of them: `fuzz FOLDER SECONDS SEED`. The input at hand lies in
/// /dev/shm/quire-fuzz-SEED.pdf, so that it is there when the process dies; inputs that take long are kept too.
func fuzz(_ folder: String, _ seconds: Double, _ seed: UInt64) throws {
    var random = Generator(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
    var originals: [[UInt8]] = []
    if let list = opendir(folder) {
        while let entry = readdir(list) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".pdf"), let bytes = try? PDFFile.read("\(folder)/\(name)"),
                bytes.count < 2_000_000
            {
                originals.append(bytes)
            }
        }
        closedir(list)
    }
    guard !originals.isEmpty else { return }
    let end = now(CLOCK_MONOTONIC) + seconds
    var tries = 0
    var opened = 0
    var filled = 0
    while now(CLOCK_MONOTONIC) < end {
        tries += 1
        let bytes = damaged(originals[Int(random.next() % UInt64(originals.count))], &random)
        try save(bytes, "/dev/shm/quire-fuzz-\(seed).pdf")
        let start = now(CLOCK_PROCESS_CPUTIME_ID)
        alarm(20)
        if let form = try? Form(bytes: bytes) {
            opened += 1
            var values: [String: FieldValue] = [:]
            for field in form.fields.prefix(200) {
                let texts = [
                    "Zoë", "王小明 مريم", "", String(repeating: "Wide ", count: 40), field.states.first ?? "yes",
                    field.options.last?.display ?? "1",
                ]
                values[field.name] = .text(texts[Int(random.next() % UInt64(texts.count))])
            }
            var options = PreparedForm.Options()
            options.flattens = random.next() % 4 == 0 ? .all : .none
            if random.next() % 3 == 0 { options.base = .rewrite }
            if let prepared = try? PreparedForm(bytes: bytes, options: options) {
                _ = prepared.fill(values).bytes
                filled += 1
            }
        }
        let took = now(CLOCK_PROCESS_CPUTIME_ID) - start
        if took > 5 {
            print("slow: \(took) s, seed \(seed) try \(tries)")
            try save(bytes, "/dev/shm/quire-fuzz-slow-\(seed)-\(tries).pdf")
        }
    }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    print(
        "seed \(seed): \(tries) tries, \(opened) opened, \(filled) filled, peak \(usage.ru_maxrss / 1024) MB")
}

private struct Generator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D >> 16
    }
}

private func damaged(_ original: [UInt8], _ random: inout Generator) -> [UInt8] {
    var bytes = original
    func place() -> Int { Int(random.next() % UInt64(max(1, bytes.count))) }
    let words = [
        "/Kids[1 0 R]", "/Parent 1 0 R", "99999999999", "-1", "null", "[[[[[[", "<<<<<<", "/FT/Tx",
        "/MaxLen 2147483647", "/Rect[0 0 0 0]",
        "/Rect[1e30 nan -5 0]", "/DA(/X 1e9 Tf)", "/DA()", "/Opt[[()]]", "/AP<</N null>>", "/Ff 4294967295",
        "(\u{0}\\", "stream", "endobj",
    ].map { Array($0.utf8) }
    for _ in 0...Int(random.next() % 12) where !bytes.isEmpty {
        switch random.next() % 7 {
        case 0: bytes[place()] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes[place()] ^= 1 << UInt8(random.next() % 8)
        case 2:
            let start = place()
            bytes.removeSubrange(start..<min(bytes.count, start + Int(random.next() % 60)))
        case 3:
            let word = words[Int(random.next() % UInt64(words.count))]
            bytes.insert(contentsOf: word, at: place())
        case 4:
            let word = words[Int(random.next() % UInt64(words.count))]
            let start = place()
            bytes.replaceSubrange(start..<min(bytes.count, start + word.count), with: word)
        case 5:
            // Numbers are where structure is: change a digit.
            let start = place()
            if let digit = bytes[start...].prefix(400).firstIndex(where: { (48...57).contains($0) }) {
                bytes[digit] = 48 + UInt8(random.next() % 10)
            }
        default:
            if random.next() % 8 == 0 { bytes.removeLast(min(bytes.count, place() / 2)) }
        }
    }
    return bytes
}
