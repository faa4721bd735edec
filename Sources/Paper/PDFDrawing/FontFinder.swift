import CFontconfig
import Synchronization

/// Finds fonts of this machine through fontconfig. Only fonts with TrueType outlines are taken: every viewer draws
/// their subsets alike.
final class FontFinder: Sendable {
    static let shared = FontFinder()

    private struct Question: Hashable {
        var scalar: UInt32
        var isBold: Bool
        var isSerif: Bool
        var isFixed: Bool
    }

    private struct Known {
        var answers: [Question: FallbackFace?] = [:]
        var faces: [String: FallbackFace] = [:]
    }

    private let known = Mutex(Known())

    /// A face that has this character, in a style near to the one asked for.
    func face(for scalar: UInt32, isBold: Bool, isSerif: Bool, isFixed: Bool = false) -> FallbackFace? {
        let question = Question(scalar: scalar, isBold: isBold, isSerif: isSerif, isFixed: isFixed)
        return known.withLock { known in
            if let answer = known.answers[question] { return answer }
            var answer: FallbackFace?
            for place in Self.candidates(question) where answer == nil {
                let key = "\(place.path)#\(place.index)"
                let face = known.faces[key] ?? FallbackFace(path: place.path, index: place.index)
                known.faces[key] = face
                if face?.has(scalar) == true { answer = face }
            }
            known.answers[question] = .some(answer)
            return answer
        }
    }

    private static func candidates(_ question: Question) -> [(path: String, index: Int)] {
        guard let pattern = FcPatternCreate(), let letters = FcCharSetCreate() else { return [] }
        defer {
            FcPatternDestroy(pattern)
            FcCharSetDestroy(letters)
        }
        FcCharSetAddChar(letters, question.scalar)
        FcPatternAddCharSet(pattern, FC_CHARSET, letters)
        // Letters of a typewriter keep their width in a font that has them so; others come after it.
        let fixed = question.isFixed ? ["Noto Sans Mono", "Liberation Mono", "DejaVu Sans Mono"] : []
        for family in fixed + (question.isSerif ? ["Noto Serif", "Noto Sans"] : ["Noto Sans", "Noto Serif"]) {
            _ = family.withCString { name in
                name.withMemoryRebound(to: FcChar8.self, capacity: family.utf8.count + 1) {
                    FcPatternAddString(pattern, FC_FAMILY, $0)
                }
            }
        }
        FcPatternAddInteger(pattern, FC_WEIGHT, question.isBold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR)
        FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN)
        FcPatternAddBool(pattern, FC_OUTLINE, FcBool(1))
        FcConfigSubstitute(nil, pattern, FcMatchPattern)
        FcDefaultSubstitute(pattern)
        var result = FcResultNoMatch
        guard let sorted = FcFontSort(nil, pattern, FcBool(0), nil, &result) else { return [] }
        defer { FcFontSetDestroy(sorted) }
        var places: [(path: String, index: Int)] = []
        for number in 0..<Int(sorted.pointee.nfont) {
            guard let font = sorted.pointee.fonts[number] else { continue }
            var has: OpaquePointer?
            guard FcPatternGetCharSet(font, FC_CHARSET, 0, &has) == FcResultMatch,
                FcCharSetHasChar(has, question.scalar) != 0
            else { continue }
            var format: UnsafeMutablePointer<FcChar8>?
            guard FcPatternGetString(font, FC_FONTFORMAT, 0, &format) == FcResultMatch, let format,
                String(cString: format) == "TrueType"
            else { continue }
            var file: UnsafeMutablePointer<FcChar8>?
            var index: Int32 = 0
            guard FcPatternGetString(font, FC_FILE, 0, &file) == FcResultMatch, let file else { continue }
            FcPatternGetInteger(font, FC_INDEX, 0, &index)
            // A variable font names its instance in the upper half: the file itself is its regular style.
            places.append((String(cString: file), Int(index) & 0xFFFF))
            if places.count == 4 { break }
        }
        return places
    }
}
