/// What a page is to become of a picture.
public struct PageWish: Sendable {
    /// Where the sheet lies; nil: it is looked for, and when there is none the whole picture is the page.
    public var corners: Corners?
    public var look: Look
    /// Nil: by its shape.
    public var size: PaperSize?
    /// Quarter turns clockwise after cutting; nil: by its print, where that says so.
    public var turns: Int?
    /// No larger than this, nor than `dotsPerInch` on the sheet it is; zero: as many as the picture has.
    public var mostPixels: Int
    public var dotsPerInch: Int

    public init(
        corners: Corners? = nil, look: Look = .automatic, size: PaperSize? = nil, turns: Int? = nil,
        mostPixels: Int = 12_000_000, dotsPerInch: Int = 200
    ) {
        (self.corners, self.look, self.size, self.turns) = (corners, look, size, turns)
        (self.mostPixels, self.dotsPerInch) = (mostPixels, dotsPerInch)
    }
}

/// A page as it is to be made: all that is decided before a pixel of it exists.
public struct PagePlan: Sendable {
    /// As they lie in the picture, the page's own top left first.
    public private(set) var corners: Corners
    /// How sure the corners are; 1 where somebody said them.
    public let confidence: Float
    /// No sheet was found: the page is the whole picture.
    public let isWhole: Bool
    /// Of the flat page.
    public private(set) var width: Int
    public private(set) var height: Int
    public private(set) var size: PaperSize
    public private(set) var turns = 0
    /// Degrees by which it was straightened.
    public private(set) var skew: Float = 0
    /// 0…1.
    public private(set) var sureOfUp: Float = 0
    public let look: Look

    private static let draftPixels = 2_000_000

    public init(_ wish: PageWish, for view: RasterView) {
        let frame = (view.width, view.height)
        look = wish.look
        if let given = wish.corners, given.isConvex {
            (corners, confidence, isWhole) = (given, 1, false)
        } else if let found = SheetFinder.find(in: view), found.confidence >= 0.4 {
            (corners, confidence, isWhole) = (found.corners, found.confidence, false)
        } else {
            (corners, confidence, isWhole) = (Corners(width: view.width, height: view.height), 0, true)
        }
        let most = max(64, min(wish.mostPixels, 100_000_000))
        // A photo that is no paper has the shape it has, even where some paper has nearly the same.
        let shape = SheetShape(
            of: corners, frame: frame, wished: wish.size ?? (isWhole ? .seen : nil), mostPixels: most)
        (width, height, size) = (shape.width, shape.height, shape.size)
        turn(by: wish.turns, view)
        limit(to: wish.dotsPerInch)
    }

    /// Straightening and turning go into the corners, so that pixels are taken anew once only.
    private mutating func turn(by wished: Int?, _ view: RasterView) {
        // A whole picture is what somebody framed; only what was said is done to it.
        if !isWhole || wished == nil {
            let lay = lay(in: view)
            sureOfUp = lay.sureOfLines > PrintLay.sure ? lay.sureOfUp : 0
            if lay.sureOfLines > PrintLay.sure {
                if !isWhole, abs(lay.skew) > 0.2 { straighten(by: lay.skew) }
                if sureOfUp > PrintLay.sure { turns = lay.turns }
            }
        }
        if let wished { turns = wished & 3 }
        // Clockwise by one: what was at the bottom left comes to the top left.
        corners = corners.beginning(at: 4 - turns)
        if turns & 1 == 1 { (width, height) = (height, width) }
    }

    private func lay(in view: RasterView) -> PrintLay {
        let scale = min(1, (Float(Self.draftPixels) / Float(width * height)).squareRoot())
        let (wide, high) = (max(8, Int(Float(width) * scale)), max(8, Int(Float(height) * scale)))
        var draft = Raster(width: wide, height: high)
        draft.pixels.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            view.flatten(corners, into: base, width: wide, height: high)
        }
        return draft.withView { PrintLay(of: $0) }
    }

    private mutating func straighten(by skew: Float) {
        guard let map = Perspective(width: width, height: height, onto: corners) else { return }
        let turn = Angle.direction(skew)
        let middle = Point(Float(width) / 2, Float(height) / 2)
        func turned(_ x: Float, _ y: Float) -> Point {
            let from = Point(x, y) - middle
            return map.point(
                middle.x + from.x * turn.x - from.y * turn.y, middle.y + from.x * turn.y + from.y * turn.x)
        }
        let (wide, high) = (Float(width), Float(height))
        let straight = Corners(turned(0, 0), turned(wide, 0), turned(wide, high), turned(0, high))
        guard straight.isConvex else { return }
        (corners, self.skew) = (straight, skew)
    }

    public var millimetres: (width: Float, height: Float) { size.millimetres(width: width, height: height) }

    /// A sheet needs no more dots than print is read by; a photo somewhat more.
    private mutating func limit(to dotsPerInch: Int) {
        guard dotsPerInch > 0 else { return }
        let sheet = millimetres
        let dots = Float(dotsPerInch) * (isWhole || look == .photo ? 1.5 : 1)
        let scale = max(sheet.width, sheet.height) / 25.4 * dots / Float(max(width, height))
        guard scale < 1 else { return }
        (width, height) = (max(8, Int(Float(width) * scale + 0.5)), max(8, Int(Float(height) * scale + 0.5)))
    }

    /// Writes the page into memory of `width` × `height` pixels; gives the look it has.
    public func make(from view: RasterView, into out: UnsafeMutableRawPointer) -> Look {
        draw(view, into: out)
        let page = PageView(base: out, width: width, height: height)
        var look = look
        if look == .photo || look == .automatic && isWhole {
            page.makeOpaque()
            return .photo
        }
        let light = PaperLight(of: page)
        if look == .automatic { look = light.coloredShare > 0.002 ? .color : .grey }
        switch look {
        case .blackAndWhite: light.threshold()
        default: light.divide(isGrey: look == .grey)
        }
        return look
    }

    /// Where the picture has more than half again as many pixels as the page, four of it make one: taking one of them would
    /// break thin strokes.
    private func draw(_ view: RasterView, into out: UnsafeMutableRawPointer) {
        let ratio = max(corners.top, corners.bottom) / Float(width)
        guard ratio > 1.5 else { return view.flatten(corners, into: out, width: width, height: height) }
        var band = Raster(width: width * 2, height: min(height, Self.bandRows) * 2)
        guard let map = Perspective(width: width, height: height, onto: corners) else { return }
        for top in stride(from: 0, to: height, by: Self.bandRows) {
            let rows = min(Self.bandRows, height - top)
            let (from, to) = (Float(top), Float(top + rows))
            let part = Corners(
                map.point(0, from), map.point(Float(width), from), map.point(Float(width), to),
                map.point(0, to))
            band.pixels.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                view.flatten(part, into: base, width: width * 2, height: rows * 2)
                Self.halve(base, into: out + top * width * 4, width: width, height: rows)
            }
        }
    }

    private static let bandRows = 128

    private static func halve(
        _ from: UnsafeMutableRawPointer, into out: UnsafeMutableRawPointer, width: Int, height: Int
    ) {
        for y in 0..<height {
            for x in 0..<width {
                let at = from + (y * 2 * width * 2 + x * 2) * 4
                let upper = SIMD8<UInt16>(truncatingIfNeeded: at.loadUnaligned(as: SIMD8<UInt8>.self))
                let lower = SIMD8<UInt16>(
                    truncatingIfNeeded: at.loadUnaligned(fromByteOffset: width * 8, as: SIMD8<UInt8>.self))
                let both = upper &+ lower
                let mean = (both.lowHalf &+ both.highHalf &+ 2) &>> 2
                (out + (y * width + x) * 4).storeBytes(
                    of: SIMD4<UInt8>(truncatingIfNeeded: mean), as: SIMD4<UInt8>.self)
            }
        }
    }
}

extension PageView {
    fileprivate func makeOpaque() {
        for i in 0..<width * height { (base + i * 4 + 3).storeBytes(of: 255, as: UInt8.self) }
    }
}

/// A page that was made, with the plan it was made by.
public struct MadePage: Sendable {
    public let plan: PagePlan
    public let look: Look
    public let raster: Raster

    public init(_ wish: PageWish, of picture: Raster) {
        let (plan, raster, look) = picture.withView { view in
            let plan = PagePlan(wish, for: view)
            var raster = Raster(width: plan.width, height: plan.height)
            let look = raster.pixels.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { plan.make(from: view, into: $0) } ?? .photo
            }
            return (plan, raster, look)
        }
        (self.plan, self.raster, self.look) = (plan, raster, look)
    }
}
