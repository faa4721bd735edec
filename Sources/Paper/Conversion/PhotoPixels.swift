import Kinds
import Office
import Pictures
import Scanning
import Work

/// Photos unpacked to pixels and pages packed as JPEG, by the small program in the jail.
struct PhotoPixels: Sendable {
    let engines: Engines
    let cancellation: Cancellation

    /// More than any phone takes.
    static let mostPixels = 120_000_000

    /// Upright as its file says it is to be seen.
    func unpacked(_ paper: Paper) throws(ConversionError) -> Raster {
        guard paper.kind.family == .picture else { throw .noWay(from: paper.kind, to: .jpeg) }
        let isHEIF = [.heic, .heif, .avif].contains(paper.kind)
        let pixmap = try run(
            paper.bytes, named: paper.name, kind: paper.kind, as: isHEIF ? "heic-pixels" : "pixels")
        guard let raster = Self.raster(pixmap) else {
            throw .damaged(paper.name, reason: "the picture is damaged.")
        }
        // The library for HEIC turns by itself; for all others it is said in the file.
        let turn = isHEIF ? .none : (try? Picture(paper.bytes))?.turn ?? .none
        return raster.turned(turn)
    }

    /// As JPEG of no more than `most` bytes, if it can be read at all with so few.
    func packed(
        _ raster: Raster, isGrey: Bool, named name: String, most: Int
    ) throws(ConversionError) -> [UInt8] {
        let pixmap = Self.pixmap(raster, isGrey: isGrey)
        var best: [UInt8] = []
        for quality in [75, 60, 45, 32, 24] {
            let made = try run(pixmap, named: name, kind: .jpeg, as: "jpeg:\(quality)")
            if best.isEmpty || made.count < best.count { best = made }
            if best.count <= most { break }
        }
        return best
    }

    private func run(
        _ bytes: [UInt8], named name: String, kind: PaperKind, as format: String
    ) throws(ConversionError) -> [UInt8] {
        do {
            return try engines.jail.steadyCell { cell in
                let engine = try EngineProgram.put(into: cell)
                try cell.put(bytes, named: "picture")
                let limits = Child.Limits(
                    time: .seconds(60), cpu: .seconds(60), memoryByteCount: 3 << 30, fileByteCount: 1 << 30,
                    processCount: 32, openFileCount: 64)
                let outcome = try cell.run(
                    engine, ["pictures", "picture", "made", format, "\(Self.mostPixels)"],
                    read: EngineProgram.libraries, limits: limits, cancellation: cancellation)
                try outcome.checkCrash()
                try ConversionRun.check(outcome, Paper(name: name, kind: kind, bytes: []))
                let lines = outcome.outputText.split(separator: "\n")
                guard lines.count < 2 else {
                    throw ConversionError.badOption(
                        "“\(name)” holds \(lines.count) pictures. Take them apart first, with quire convert --to png."
                    )
                }
                guard let file = lines.first?.split(separator: "\t").last
                else { throw ConversionError.damaged(name, reason: "the picture is damaged.") }
                return try cell.read(String(file), limit: 1 << 30)
            }
        } catch {
            throw ConversionError.of(error, name)
        }
    }

    /// A portable pixmap with three bytes a pixel, as the program in the jail writes it.
    private static func raster(_ pixmap: [UInt8]) -> Raster? {
        var (place, numbers): (Int, [Int]) = (2, [])
        guard pixmap.starts(with: Array("P6".utf8)) else { return nil }
        while numbers.count < 3, place < min(pixmap.count, 256) {
            // Between numbers there may be remarks, each to the end of its line.
            while place < pixmap.count, pixmap[place] <= 32 || pixmap[place] == UInt8(ascii: "#") {
                if pixmap[place] == UInt8(ascii: "#") {
                    while place < pixmap.count, pixmap[place] != 10 { place += 1 }
                }
                place += 1
            }
            var digits = ""
            while place < pixmap.count, (48...57).contains(pixmap[place]), digits.count < 9 {
                digits.append(Character(UnicodeScalar(pixmap[place])))
                place += 1
            }
            guard let number = Int(digits) else { return nil }
            numbers.append(number)
        }
        guard numbers.count == 3, numbers[2] == 255, numbers[0] > 0, numbers[1] > 0,
            numbers[0] * numbers[1] <= mostPixels, pixmap.count - place - 1 == numbers[0] * numbers[1] * 3
        else { return nil }
        place += 1
        var raster = Raster(width: numbers[0], height: numbers[1])
        raster.pixels.withUnsafeMutableBufferPointer { pixels in
            pixmap.withUnsafeBufferPointer { from in
                for i in 0..<numbers[0] * numbers[1] {
                    pixels[i * 4] = from[place + i * 3]
                    pixels[i * 4 + 1] = from[place + i * 3 + 1]
                    pixels[i * 4 + 2] = from[place + i * 3 + 2]
                    pixels[i * 4 + 3] = 255
                }
            }
        }
        return raster
    }

    private static func pixmap(_ raster: Raster, isGrey: Bool) -> [UInt8] {
        let count = raster.width * raster.height
        let samples = isGrey ? 1 : 3
        let head = Array("P\(isGrey ? 5 : 6)\n\(raster.width) \(raster.height)\n255\n".utf8)
        return [UInt8](unsafeUninitializedCapacity: head.count + count * samples) { out, filled in
            for (i, byte) in head.enumerated() { out[i] = byte }
            raster.pixels.withUnsafeBufferPointer { pixels in
                for i in 0..<count {
                    for sample in 0..<samples {
                        out[head.count + i * samples + sample] = pixels[i * 4 + sample]
                    }
                }
            }
            filled = head.count + count * samples
        }
    }
}

extension Raster {
    /// As it is to be seen by what its file says.
    fileprivate func turned(_ turn: PictureTurn) -> Raster {
        guard turn != .none else { return self }
        let (wide, high) = turn.isOnItsSide ? (height, width) : (width, height)
        var result = Raster(width: wide, height: high)
        pixels.withUnsafeBytes { from in
            result.pixels.withUnsafeMutableBytes { to in
                for y in 0..<high {
                    for x in 0..<wide {
                        let (u, v) =
                            switch turn {
                            case .none: (x, y)
                            case .mirrored: (wide - 1 - x, y)
                            case .half: (wide - 1 - x, high - 1 - y)
                            case .halfMirrored: (x, high - 1 - y)
                            case .rightMirrored: (y, x)
                            case .right: (y, wide - 1 - x)
                            case .leftMirrored: (high - 1 - y, wide - 1 - x)
                            case .left: (high - 1 - y, x)
                            }
                        let pixel = from.loadUnaligned(fromByteOffset: (v * width + u) * 4, as: UInt32.self)
                        to.storeBytes(of: pixel, toByteOffset: (y * wide + x) * 4, as: UInt32.self)
                    }
                }
            }
        }
        return result
    }
}
