/// What a JPEG file says before its first scan (ITU-T T.81 annex B).
struct JPEGHead: Sendable {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var componentCount = 0
    private(set) var turn = PictureTurn.none
    private(set) var dotsPerInch: Double?
    /// Adobe's programs store the inks of CMYK upside down.
    private(set) var isAdobe = false
    private(set) var profile: [UInt8]?

    init(_ bytes: [UInt8]) throws(PictureError) {
        let view = ByteView(bytes)
        var place = 2
        var chunks: [(number: Int, bytes: ArraySlice<UInt8>)] = []
        while true {
            guard view[place] == 0xFF else { throw .damaged("its head breaks off") }
            while view[place + 1] == 0xFF { place += 1 }
            guard let marker = view[place + 1] else { throw .damaged("its head breaks off") }
            place += 2
            // Marks that stand alone.
            if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
            guard marker != 0xD9, let length = view.number(place, bytes: 2), length >= 2,
                let body = view.part(place + 2, length - 2)
            else { throw .damaged("its head breaks off") }
            let part = ByteView(body)
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard part[0] == 8 else {
                    throw .damaged("it has \(part[0] ?? 0) bits, which PDF cannot show")
                }
                height = part.number(1, bytes: 2) ?? 0
                width = part.number(3, bytes: 2) ?? 0
                componentCount = Int(part[5] ?? 0)
            case 0xE0 where part.begins("JFIF\0"):
                if let unit = part[7], unit == 1 || unit == 2, let density = part.number(8, bytes: 2) {
                    dotsPerInch = dotsPerInch ?? Double(density) * (unit == 2 ? 2.54 : 1)
                }
            case 0xE1 where part.begins("Exif\0\0"):
                if let exif = Exif(body.dropFirst(6)) {
                    turn = exif.turn
                    // JFIF's density is a habit of programs, EXIF's comes from a camera or a scanner.
                    dotsPerInch = exif.dotsPerInch ?? dotsPerInch
                }
            case 0xE2 where part.begins("ICC_PROFILE\0"):
                chunks.append((Int(part[12] ?? 0), body.dropFirst(14)))
            case 0xEE where part.begins("Adobe"): isAdobe = true
            default: break
            }
            if marker == 0xDA { break }
            place += length
        }
        guard width > 0, height > 0, [1, 3, 4].contains(componentCount) else {
            throw .damaged("it does not say how large it is")
        }
        let joined = chunks.sorted { $0.number < $1.number }.flatMap { $0.bytes }
        if ColorProfile.fits(joined, components: componentCount) { profile = joined }
    }
}

/// ICC colour profiles, as far as it can be seen whether one belongs to a picture (ICC.1:2010 §7.2).
enum ColorProfile {
    static func fits(_ bytes: [UInt8], components: Int) -> Bool {
        let view = ByteView(bytes)
        guard bytes.count >= 132, view.number(0, bytes: 4) == bytes.count, view.begins("acsp", at: 36) else {
            return false
        }
        return switch components {
        case 1: view.begins("GRAY", at: 16)
        case 3: view.begins("RGB ", at: 16)
        default: view.begins("CMYK", at: 16)
        }
    }
}
