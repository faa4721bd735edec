import PDF

/// Headings that stand over fields: what is asked below “Spouse” is asked about the spouse.
extension PageLabels {
    struct Sections {
        /// By the field's place in the form.
        var of: [(Int, String)]
        /// The one that goes on with the next page.
        var last: String?
    }

    private struct Heading {
        var text: String
        var place: PDFRectangle
    }

    /// `before`: the last heading of the page before, which goes on below what is repeated at the top of this one.
    func sections(after before: String?) -> Sections {
        let headings = self.headings
        let isFirstPage = before == nil
        let top = (page.phrases.map(\.place.top) + spots.map(\.place.top)).max() ?? 0
        let height = top - (spots.map(\.place.bottom).min() ?? 0)
        var found: [(Int, String)] = []
        for spot in spots {
            if let heading = heading(over: spot.place, headings) {
                found.append((spot.field, heading.text))
            } else if !isFirstPage, let before, spot.place.top < top - 0.15 * height {
                found.append((spot.field, before))
            }
        }
        return Sections(of: found, last: headings.min { $0.place.bottom < $1.place.bottom }?.text ?? before)
    }

    /// The nearest above; of several in one row, the one under which the field stands.
    private func heading(over field: PDFRectangle, _ headings: [Heading]) -> Heading? {
        let above = headings.filter {
            $0.place.middle.y > field.middle.y && $0.place.bottom > field.top - 0.6 * field.height
                && $0.place.left < max(field.right, field.left + 20)
        }
        guard let nearest = above.min(by: { $0.place.bottom < $1.place.bottom }) else { return nil }
        return above.filter { $0.place.sharedHeight(with: nearest.place) > 0.3 * nearest.place.height }
            .max { $0.place.left < $1.place.left }
    }

    private var headings: [Heading] {
        let usual = page.phrases.map(\.place.height).sorted()
        let median = usual.isEmpty ? 0 : usual[usual.count / 2]
        let used = Set(labels.map(\.1.text))
        return page.phrases.enumerated().compactMap { index, phrase -> Heading? in
            let text = LabelText.clean(phrase.words)
            guard text.count(where: \.isLetter) > 2, text.count <= 140, !used.contains(text), !phrase.isCode
            else { return nil }
            let isNumbered = Self.beginsSection(phrase.words)
            // A sentence is no heading.
            guard isNumbered || phrase.words.count <= 8 && !text.hasSuffix(".") else { return nil }

            let isLarge = phrase.place.height > 1.15 * median
            let isLoud = text == text.uppercased() && text != text.lowercased() && text.contains(" ")
            guard isNumbered || isLarge || isLoud && !isLabel(index) else { return nil }
            // What stands before or in a field is its label, however loud.
            let isBeside = page.fields.contains {
                $0.sharedHeight(with: phrase.place) > 0.45 * min($0.height, phrase.place.height)
                    && $0.right > phrase.place.left && !isNumbered
            }
            let more = isNumbered && phrase.words.count < 3 ? continued(phrase) : []
            return isBeside
                ? nil : Heading(text: (phrase.words + more).joined(separator: " "), place: phrase.place)
        }
    }

    /// What “Part 1:” in a box of its own is about.
    private func continued(_ phrase: Phrase) -> [String] {
        page.phrases.filter {
            $0.place.left > phrase.place.right - 1 && $0.place.left - phrase.place.right < 60
                && $0.place.sharedHeight(with: phrase.place) > 0.5 * min($0.place.height, phrase.place.height)
        }.min { $0.place.left < $1.place.left }?.words ?? []
    }

    private static let sectionWords: Set<String> = [
        "section", "part", "teil", "abschnitt", "partie", "rubrique", "cadre", "sección", "seccion", "parte",
        "apartado", "sezione", "block", "step", "schedule",
    ]

    private static func beginsSection(_ words: [String]) -> Bool {
        guard let first = words.first?.lowercased().filter(\.isLetter), words.count > 1 else { return false }
        let second = words[1].filter { $0.isLetter || $0.isNumber }
        return sectionWords.contains(first)
            && (second.count <= 4
                && (second.contains(where: \.isNumber) || second.allSatisfy { "IVXABCDEFGH".contains($0) }))
    }
}
