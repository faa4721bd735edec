/// What a JPEG 2000 file or bare codestream says about itself (ITU-T T.800 annexes A and I).
struct JPEG2000Head: Sendable {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var componentCount = 0
    private(set) var dotsPerInch: Double?
    /// Without the boxes around it a stream does not say its colours.
    let isBare: Bool

    init(_ bytes: [UInt8]) throws(PictureError) {
        let view = ByteView(bytes)
        isBare = bytes.starts(with: [0xFF, 0x4F])
        if isBare {
            // SIZ: length, capabilities, then the grid's size and where the picture begins on it.
            guard let right = view.number(8, bytes: 4), let bottom = view.number(12, bytes: 4),
                let left = view.number(16, bytes: 4), let top = view.number(20, bytes: 4),
                let components = view.number(40, bytes: 2)
            else { throw .damaged("its head breaks off") }
            (width, height, componentCount) = (right - left, bottom - top, components)
        } else {
            read(view, from: 0, to: view.count, depth: 0)
        }
        guard width > 0, height > 0, width < 1 << 28, height < 1 << 28, (1...4).contains(componentCount)
        else { throw .damaged("it does not say how large it is") }
    }

    private mutating func read(_ view: ByteView, from start: Int, to end: Int, depth: Int) {
        var place = start
        for _ in 0..<1000 where place < end {
            guard var length = view.number(place, bytes: 4) else { return }
            if length == 0 { length = end - place }
            var head = 8
            if length == 1 {
                guard view.number(place + 8, bytes: 4) == 0, let low = view.number(place + 12, bytes: 4)
                else {
                    return
                }
                (length, head) = (low, 16)
            }
            guard length >= head else { return }
            let body = place + head
            if view.begins("jp2h", at: place + 4) || view.begins("res ", at: place + 4) {
                if depth < 3 { read(view, from: body, to: min(end, place + length), depth: depth + 1) }
            } else if view.begins("ihdr", at: place + 4) {
                height = view.number(body, bytes: 4) ?? 0
                width = view.number(body + 4, bytes: 4) ?? 0
                componentCount = view.number(body + 8, bytes: 2) ?? 0
            } else if view.begins("resc", at: place + 4) || view.begins("resd", at: place + 4) {
                // Dots per metre: a fraction and a power of ten for each direction.
                if let above = view.number(body + 4, bytes: 2), let below = view.number(body + 6, bytes: 2),
                    below > 0, let power = view[body + 9]
                {
                    var density = Double(above) / Double(below) * 0.0254
                    for _ in 0..<min(abs(Int(Int8(bitPattern: power))), 12) {
                        density *= Int8(bitPattern: power) < 0 ? 0.1 : 10
                    }
                    dotsPerInch = density
                }
            }
            place += length
        }
    }
}
