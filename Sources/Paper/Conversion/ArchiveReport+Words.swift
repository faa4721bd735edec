public import Bytes
import PDF

// The catalog of reasons has all of these in other languages.
extension ArchiveReport.Finding {
    public var sentence: String {
        let names = names.joined(separator: ", ")
        return switch rule {
        case .locked: "It is locked."
        case .beginning: "It does not begin as a file for archives has to."
        case .end: "Something follows its end."
        case .identity: "It has no number of its own (ID)."
        case .metadata: "What it says about itself is packed, which PDF/A-1 may not be."
        case .outside: "A part of it lies in another file, or is a program for printers."
        case .packing: "A part of it is packed by LZW, or locked by itself."
        case .packedObjects: "Its objects are packed together, which PDF/A-1 may not be."
        case .fonts: "Fonts are not inside: \(names)."
        case .colours: "Colours hang on screen or printer, and no profile says what they are: \(names)."
        case .pictures: "Pictures are smoothed, or have other versions of themselves: \(names)."
        case .seeThrough: "Something shines through, which nothing in PDF/A-1 may."
        case .layers: "It has layers that may not be there."
        case .actions: "It does something by itself when it is opened or pressed: \(names)."
        case .form: "Its form is drawn anew by each reader: \(names)."
        case .looks: "Notes or fields have no look of their own: \(names)."
        case .hiddenNotes: "Notes or fields are hidden, or are not printed: \(names)."
        case .media: "Sounds, films or models lie in it: \(names)."
        case .carried: "Files it carries inside are not as this part of PDF/A wants them: \(names)."
        }
    }
}

extension ArchiveReport {
    /// For whoever had a paper made ready for an archive: whether it is.
    func tell(of name: String, in report: inout ConversionReport) {
        if holds {
            report.assurances.append("“\(name)” was looked through afterwards, and keeps to \(self.name).")
        } else {
            report.remarks.append("“\(name)” does not keep to \(self.name), so an archive may turn it away.")
            report.remarks += findings.map(\.sentence)
        }
    }

    public var json: JSON {
        [
            "name": .string(name), "part": .int(part), "level": .string(level), "holds": .bool(holds),
            "findings": .array(
                findings.map {
                    [
                        "rule": .string($0.rule.rawValue), "count": .int($0.count),
                        "names": .array($0.names.map(JSON.string)), "sentence": .string($0.sentence),
                    ]
                }),
        ]
    }
}
