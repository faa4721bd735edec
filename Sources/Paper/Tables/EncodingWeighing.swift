/// Weighs the encodings that use the upper half of the bytes against each other: read rightly, a text has letters
/// between letters, its capitals stand at the beginning of words, and its letters are those of one language.
struct EncodingWeighing {
    private let sample: [UInt8]

    init(_ bytes: ArraySlice<UInt8>) { sample = Self.interesting(bytes) }

    /// The lines that hold something beyond ASCII, as the others say nothing.
    private static func interesting(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var kept: [UInt8] = []
        for line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 })
        where line.contains(where: { $0 >= 0x80 }) {
            kept += line.prefix(4096)
            kept.append(10)
            if kept.count > 32 << 10 { break }
        }
        return kept
    }

    private struct Candidate {
        var name: String
        var what: String
        /// The letters beyond ASCII of the languages written in it.
        var languages: [Set<UInt32>] = []

        init(_ name: String, _ what: String, _ languages: [String] = []) {
            self.name = name
            self.what = what
            self.languages = languages.map { Set($0.unicodeScalars.map(\.value)) }
        }
    }

    private static let western = [
        "äöüÄÖÜß", "éèêëàâçîïôùûüÿœæÉÈÊÀÂÇÎÔŒ", "áéíóúñüÁÉÍÓÚÑº", "ãõáéíóúâêôàçÃÕÁÉÍÓÚÂÊÔÇ", "àèéìòùÀÈÉÌÒÙ",
        "åäöæøéÅÄÖÆØÉ", "áéíóúýþðæöÁÉÍÓÚÝÞÐÆÖ", "ëïéèöüó",
    ]

    /// The likelier ones first: a later one has to be better, not only as good.
    private static let candidates = [
        Candidate("windows-1252", "letters of Western European languages", western),
        Candidate("macintosh", "letters of Western European languages, as old Macs wrote them", western),
        Candidate(
            "windows-1250", "letters of Central European languages",
            [
                "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ", "áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ", "áäčďéíĺľňóôŕšťúýžÁČĎÉÍĽŇÓŠŤÚÝŽ",
                "áéíóöőúüűÁÉÍÓÖŐÚÜŰ", "čćđšžČĆĐŠŽ", "ăâîşţĂÂÎŞŢ",
            ]),
        Candidate("windows-1254", "Turkish letters", ["çğıöşüâÇĞİÖŞÜ"]),
        Candidate(
            "windows-1251", "Cyrillic letters",
            ["абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЭЮЯЁІЇЄ"]),
        Candidate(
            "KOI8-R", "Cyrillic letters",
            ["абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЭЮЯ"]),
        Candidate(
            "windows-1253", "Greek letters",
            ["αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏ"]),
        Candidate("windows-1255", "Hebrew letters", ["אבגדהוזחטיךכלםמןנסעףפץצקרשת"]),
        Candidate("windows-1256", "Arabic letters", ["ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي"]),
        Candidate("Shift_JIS", "Japanese characters"), Candidate("EUC-JP", "Japanese characters"),
        Candidate("GB18030", "Chinese characters"), Candidate("Big5", "Chinese characters"),
        Candidate("EUC-KR", "Korean characters"),
    ]

    var best: EncodingFinder.Found {
        var best: (candidate: Candidate, score: Double) = (Self.candidates[0], -.infinity)
        for candidate in Self.candidates {
            // Korean in the narrow sense: with all that Windows added, any bytes make Korean.
            guard let text = decode(candidate.name == "EUC-KR" ? "EUCKR" : candidate.name) else { continue }
            let score = Plausibility(text, candidate.languages, candidate.name).score
            if score > best.score + 0.01 { best = (candidate, score) }
        }
        let name = best.candidate.name
        return EncodingFinder.Found(
            name: name,
            why: "The bytes are not UTF-8; read as \(name) they make words with \(best.candidate.what).")
    }

    private func decode(_ name: String) -> [Unicode.Scalar]? {
        guard let input = try? TextInput(HeldBytes(sample), encoding: name) else { return nil }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 32 << 10)
        while let count = piece.withUnsafeMutableBytes({ try? input.read(into: $0) }), count > 0 {
            bytes += piece.prefix(count)
        }
        return Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    }
}

/// How much a decoded text looks like one: from about −4 to 1.5.
private struct Plausibility {
    private(set) var score = 0.0

    init(_ scalars: [Unicode.Scalar], _ languages: [Set<UInt32>], _ encoding: String) {
        var sum = 0.0
        var count = 0
        var inLanguage = [Int](repeating: 0, count: languages.count)
        for (place, scalar) in scalars.enumerated() where scalar.value >= 0x80 {
            count += 1
            let before = place > 0 ? scalars[place - 1] : " "
            let after = place + 1 < scalars.count ? scalars[place + 1] : " "
            sum += Self.weight(scalar, before, after, encoding)
            guard Self.isLetter(before) || Self.isLetter(after) else { continue }
            // õ without e or s behind it is the ő of another encoding.
            if scalar == "õ", after != "e", after != "s" { continue }
            for (number, letters) in languages.enumerated() where letters.contains(scalar.value) {
                inLanguage[number] += 1
            }
        }
        guard count > 0 else { return }
        score = sum / Double(count) + 0.5 * Double(inLanguage.max() ?? 0) / Double(count)
        // Japanese without a single kana is rare, and looks like Chinese.
        if encoding == "EUC-JP", !scalars.contains(where: { (0x3040...0x30FF).contains($0.value) }) {
            score -= 0.3
        }
    }

    private static func weight(
        _ scalar: Unicode.Scalar, _ before: Unicode.Scalar, _ after: Unicode.Scalar, _ encoding: String
    ) -> Double {
        switch scalar.value {
        case 0xFFFD, 0x80..<0xA0: return -4
        case 0xE000..<0xF900: return -2
        case 0x2018: return isLetter(before) ? -0.5 : 0.6
        case 0x2019: return isLetter(before) ? 1.2 : 0.6
        case 0x2013, 0x2014: return before == " " && after == " " ? 1.1 : 0.2
        case 0x201C...0x201E: return isLetter(before) && isLetter(after) ? -0.6 : 0.9
        case 0x20AC: return isLetter(before) || isLetter(after) ? -0.6 : 0.8
        case 0xA0, 0xA7, 0xAB, 0xB0, 0xBB, 0x2022, 0x2026:
            return isLetter(before) && isLetter(after) ? -0.6 : 0.2
        // Half-width kana and rare ideographs are what chance makes of Western letters; whole words of kana are not.
        case 0xFF61...0xFF9F: return isHalfWide(before) || isHalfWide(after) ? 0.5 : -0.3
        case 0x3040...0x30FF: return ["Shift_JIS", "EUC-JP"].contains(encoding) ? 1.3 : 0.6
        case 0x4E00...0x9FFF where encoding == "EUC-KR": return 0.2
        case 0x4E00...0x9FFF: return isEastern(before) || isEastern(after) ? 1 : -0.4
        case 0xAC00...0xD7A3: return isEastern(before) || isEastern(after) ? 1.2 : -0.4
        case 0x3000...0x303F, 0xFF01...0xFF60: return 0.5
        default: break
        }
        guard isLetter(scalar) else {
            return isLetter(before) && isLetter(after)
                ? -1.5 : isLetter(before) || isLetter(after) ? -0.7 : -0.3
        }
        guard isLetter(before) || isLetter(after) else { return 0.1 }
        let isLatin = scalar.value < 0x250
        var weight = isLatin ? 0.4 : 0.5
        // Lists hold names, and these begin with a capital where the script has any.
        if (0x370..<0x530).contains(scalar.value), !isLetter(before), scalar.properties.isLowercase {
            weight -= 0.4
        }
        for neighbour in [before, after] where isLetter(neighbour) {
            // Words are written in one script.
            if (neighbour.value < 0x250) != isLatin { return -1.5 }
            weight += neighbour.value < 0x80 ? 0.15 : isLatin ? -0.35 : 0.15
        }
        let isCapital = scalar.properties.isUppercase
        if isCapital, before.properties.isLowercase { return -1 }
        if isCapital, after.properties.isLowercase, before.properties.isUppercase { return -0.6 }
        if scalar.properties.isLowercase, before.properties.isUppercase, after.properties.isUppercase {
            return -1
        }
        return weight
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A: true
        case ..<0x80: false
        default: scalar.properties.isAlphabetic
        }
    }

    private static func isHalfWide(_ scalar: Unicode.Scalar) -> Bool {
        (0xFF61...0xFF9F).contains(scalar.value)
    }

    private static func isEastern(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3000...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF60: true
        default: false
        }
    }
}
