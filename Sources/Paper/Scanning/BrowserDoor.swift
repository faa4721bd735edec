// The door for the browser, as plain functions over the module's own memory: what the page's worker calls. Pictures are four
// bytes a pixel without gaps; corners are eight floats, x and y, clockwise from the page's top left. Only the build for
// WebAssembly has it: bin/scan-module makes that.
#if hasFeature(Embedded)

    @_expose(wasm, "scan_take")
    @_cdecl("scan_take")
    public func scanTake(_ byteCount: Int32) -> UnsafeMutableRawPointer? {
        byteCount > 0 ? UnsafeMutableRawPointer.allocate(byteCount: Int(byteCount), alignment: 16) : nil
    }

    @_expose(wasm, "scan_give_back")
    @_cdecl("scan_give_back")
    public func scanGiveBack(_ memory: UnsafeMutableRawPointer) { memory.deallocate() }

    /// The film: what the pictures before left behind. One worker looks at one film.
    nonisolated(unsafe) private var film = Steadiness()  // A worker has one thread.

    @_expose(wasm, "scan_begin")
    @_cdecl("scan_begin")
    public func scanBegin() { film = Steadiness() }

    /// One picture of the film, so many milliseconds after the one before. out: the calm outline (8), whether there is one, the
    /// confidence of what was just found, for how long it has been still, and the number of an advice.
    @_expose(wasm, "scan_follow")
    @_cdecl("scan_follow")
    public func scanFollow(
        _ pixels: UnsafeRawPointer, _ width: Int32, _ height: Int32, _ passed: Float,
        _ out: UnsafeMutablePointer<Float>
    ) {
        let view = RasterView(pixels, width: Int(width), height: Int(height))
        let found = SheetFinder.find(in: view)
        film.follow(found, after: passed, diagonal: Point(Float(width), Float(height)).length)
        write(film.corners, out)
        out[8] = film.isKnown ? 1 : 0
        out[9] = found?.confidence ?? 0
        out[10] = film.stillFor
        var advice = Advice.none
        if film.isKnown { advice = Advice(Sight(of: film.corners, in: view), stillFor: film.stillFor) }
        if found?.isCut == true { advice = .moveBack }
        out[11] = Float(advice.rawValue)
    }

    /// Makes a page of a picture. `corners` nil: they are looked for. out: the corners (8), confidence, whether the page is the
    /// whole picture, width, height, paper size, quarter turns, look, the fingerprint as 8 whole numbers. The pixels are to be given back.
    @_expose(wasm, "scan_page")
    @_cdecl("scan_page")
    public func scanPage(
        _ pixels: UnsafeRawPointer, _ width: Int32, _ height: Int32, _ corners: UnsafePointer<Float>?,
        _ look: Int32,
        _ size: Int32, _ turns: Int32, _ mostPixels: Int32, _ out: UnsafeMutablePointer<Float>
    ) -> UnsafeMutableRawPointer? {
        let view = RasterView(pixels, width: Int(width), height: Int(height))
        let wish = PageWish(
            corners: corners.map(read), look: Look(rawValue: look) ?? .automatic,
            size: size > 0 ? PaperSize(rawValue: size) : nil, turns: turns < 0 ? nil : Int(turns & 3),
            mostPixels: Int(mostPixels))
        let plan = PagePlan(wish, for: view)
        let page = UnsafeMutableRawPointer.allocate(byteCount: plan.width * plan.height * 4, alignment: 16)
        let made = plan.make(from: view, into: page)
        write(plan.corners, out)
        out[8] = plan.confidence
        out[9] = plan.isWhole ? 1 : 0
        out[10] = Float(plan.width)
        out[11] = Float(plan.height)
        out[12] = Float(plan.size.rawValue)
        out[13] = Float(plan.turns)
        out[14] = Float(made.rawValue)
        let print = Fingerprint(of: RasterView(page, width: plan.width, height: plan.height))
        let bits = UnsafeMutableRawPointer(out + 15)
        for lane in 0..<8 { bits.storeBytes(of: print.bits[lane], toByteOffset: lane * 4, as: UInt32.self) }
        return page
    }

    /// Where the sheet lies, for the page on which its corners are dragged. out: the corners (8) and the confidence.
    @_expose(wasm, "scan_find")
    @_cdecl("scan_find")
    public func scanFind(
        _ pixels: UnsafeRawPointer, _ width: Int32, _ height: Int32, _ out: UnsafeMutablePointer<Float>
    ) -> Int32 {
        guard let found = SheetFinder.find(in: RasterView(pixels, width: Int(width), height: Int(height)))
        else {
            return 0
        }
        write(found.corners, out)
        out[8] = found.confidence
        return 1
    }

    private func write(_ corners: Corners, _ out: UnsafeMutablePointer<Float>) {
        for place in 0..<4 { (out[2 * place], out[2 * place + 1]) = (corners[place].x, corners[place].y) }
    }

    private func read(_ from: UnsafePointer<Float>) -> Corners {
        Corners(
            Point(from[0], from[1]), Point(from[2], from[3]), Point(from[4], from[5]), Point(from[6], from[7])
        )
    }

#endif
