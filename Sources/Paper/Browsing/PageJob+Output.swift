import Bytes
import Work

extension PageJob {
    func print(_ settings: PrintSettings) throws(BrowserError) -> [UInt8] {
        var settings = settings
        if settings.omitsBackground {
            page.tell(
                "Emulation.setDefaultBackgroundColorOverride", ["color": ["r": 0, "g": 0, "b": 0, "a": 0]])
        }
        if settings.isOnePage { try stretch(&settings) }
        var parameters: JSONObject = [
            "landscape": .bool(settings.isLandscape), "printBackground": .bool(settings.printsBackground),
            "scale": .number(settings.scale), "paperWidth": .number(settings.paperWidth),
            "paperHeight": .number(settings.paperHeight), "marginTop": .number(settings.marginTop),
            "marginBottom": .number(settings.marginBottom), "marginLeft": .number(settings.marginLeft),
            "marginRight": .number(settings.marginRight), "pageRanges": .string(settings.pageRanges),
            "preferCSSPageSize": .bool(settings.prefersCSSPageSize),
            "generateTaggedPDF": .bool(settings.tags || settings.outlines),
            "generateDocumentOutline": .bool(settings.outlines), "transferMode": "ReturnAsStream",
        ]
        if settings.header != nil || settings.footer != nil {
            parameters["displayHeaderFooter"] = true
            parameters["headerTemplate"] = .string(settings.header ?? "<span></span>")
            parameters["footerTemplate"] = .string(settings.footer ?? "<span></span>")
        }
        let answer = try page.call("Page.printToPDF", .object(parameters), deadline)
        guard let stream = answer["stream"]?.string else { throw .lost("it printed nothing") }
        return try read(stream)
    }

    /// As long a sheet as the page takes, at the width the paper leaves.
    private func stretch(_ settings: inout PrintSettings) throws(BrowserError) {
        if settings.isLandscape { swap(&settings.paperWidth, &settings.paperHeight) }
        settings.isLandscape = false
        let room = settings.paperWidth - settings.marginLeft - settings.marginRight
        size(width: max(1, Int((room * 96 / settings.scale).rounded())), height: 1000)
        let height = try page.evaluate(
            "Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0)",
            deadline)
        // A pixel too few would make a second page.
        let inches = ((height.number ?? 0) + 2) / 96 * settings.scale
        let wanted = inches + settings.marginTop + settings.marginBottom
        settings.paperHeight = min(Self.longestSheet, max(0.5, wanted))
        settings.prefersCSSPageSize = false
        if wanted <= Self.longestSheet {
            settings.pageRanges = "1"
        } else {
            page.requests.note {
                $0.remarks.append(
                    "The page is \(Int(min(wanted, 1e12).rounded(.up))) inches long, and a sheet of PDF can be \(Int(Self.longestSheet)): it goes on on further sheets."
                )
            }
        }
    }

    /// In inches: 14,400 units (ISO 32000-1, Annex C.2).
    private static let longestSheet = 200.0

    private func read(_ stream: String) throws(BrowserError) -> [UInt8] {
        defer { page.tell("IO.close", ["handle": .string(stream)]) }
        var bytes: [UInt8] = []
        while true {
            let part = try page.call(
                "IO.read", ["handle": .string(stream), "size": .integer(1 << 20)], deadline)
            let text = part["data"]?.string ?? ""
            if part["base64Encoded"]?.bool == true {
                guard let piece = Base64.decode(text) else { throw .lost("what it printed cannot be read") }
                bytes += piece
            } else {
                bytes += text.utf8
            }
            guard bytes.count <= 1 << 30 else { throw .refused("the printed page is larger than a gigabyte") }
            if part["eof"]?.bool == true { return bytes }
        }
    }

    func picture(_ settings: ScreenshotSettings) throws(BrowserError) -> [UInt8] {
        if settings.omitsBackground, settings.format != .jpeg {
            page.tell(
                "Emulation.setDefaultBackgroundColorOverride", ["color": ["r": 0, "g": 0, "b": 0, "a": 0]])
        }
        if let width = load.windowWidth, settings.clips {
            try judge(width: Double(width), height: Double(load.windowHeight ?? 600))
        }
        var parameters: JSONObject = [
            "format": .string(settings.format.rawValue), "captureBeyondViewport": .bool(!settings.clips),
            "optimizeForSpeed": .bool(settings.favoursSpeed),
        ]
        if settings.format != .png { parameters["quality"] = .int(min(100, max(0, settings.quality))) }
        if let selector = settings.selector {
            let box = try page.evaluate(
                """
                (() => {
                    const found = document.querySelector(\(JSON.string(selector).text));
                    if (!found) return null;
                    const box = found.getBoundingClientRect();
                    return [box.left + scrollX, box.top + scrollY, box.width, box.height];
                })()
                """, deadline)
            let numbers = (box.array ?? []).compactMap { $0.number }
            guard numbers.count == 4, numbers[2] >= 1, numbers[3] >= 1 else {
                throw .refused("nothing on the page is found by “\(selector)”")
            }
            try judge(width: numbers[2], height: numbers[3])
            parameters["clip"] = [
                "x": .number(numbers[0]), "y": .number(numbers[1]), "width": .number(numbers[2]),
                "height": .number(numbers[3]), "scale": 1,
            ]
        } else if !settings.clips {
            let measured = try page.call("Page.getLayoutMetrics", [:], deadline)
            let size = measured["cssContentSize"]
            let width = size?["width"]?.number ?? 800
            let whole = size?["height"]?.number ?? 600
            let strip = (Self.longestSide / load.deviceScale).rounded(.down)
            try judge(width: width, height: min(whole, strip))
            return try strips(parameters, width: width, whole: whole, strip: strip, settings.format)
        }
        return try captured(parameters)
    }

    /// All of a page: what is too high for one picture is taken in several, and those are put together where the
    /// format lets us without losing anything.
    private func strips(
        _ parameters: JSONObject, width: Double, whole: Double, strip: Double,
        _ format: ScreenshotSettings.Format
    ) throws(BrowserError) -> [UInt8] {
        let scale = load.deviceScale
        let most = format == .png ? (Self.mostPixels / (width * scale * scale)).rounded(.down) : strip
        let height = min(whole, most)
        if height < whole {
            let way = format == .png ? "" : "; as PNG more of it fits"
            page.requests.note {
                $0.remarks.append(
                    "The page is \(Int(min(whole, 1e15))) pixels high; the picture shows the first \(Int(height)) of them\(way)."
                )
            }
        }
        func part(from top: Double, _ height: Double) throws(BrowserError) -> [UInt8] {
            var parameters = parameters
            parameters["clip"] = [
                "x": 0, "y": .number(top), "width": .number(width), "height": .number(height), "scale": 1,
            ]
            return try captured(parameters)
        }
        guard height > strip else { return try part(from: 0, height) }
        var roll = PNGRoll()
        var top = 0.0
        while top < height {
            let next = min(strip, height - top)
            try roll.add(part(from: top, next))
            top += next
        }
        return roll.finish()
    }

    private func captured(_ parameters: JSONObject) throws(BrowserError) -> [UInt8] {
        let answer = try page.call("Page.captureScreenshot", .object(parameters), deadline)
        guard let bytes = answer["data"]?.string.flatMap({ Base64.decode($0) }), !bytes.isEmpty else {
            throw .lost("it took no picture")
        }
        return bytes
    }

    /// The browser's own limits for one picture. Of more it makes a picture of one dot, or of the wrong part, and says
    /// nothing.
    private static let longestSide = 16_000.0
    private static let mostPixels = 150e6

    private func judge(width: Double, height: Double) throws(BrowserError) {
        let scale = load.deviceScale
        guard max(width, height) * scale <= Self.longestSide,
            width * height * scale * scale <= Self.mostPixels
        else {
            throw .refused(
                "a picture of \(Int(min(width, 1e15))) × \(Int(min(height, 1e15))) pixels is too large; picture a part of the page, or make a PDF"
            )
        }
    }

    /// The page's words for itself.
    func report() -> PageReport {
        var report = page.requests.report
        report.address = source.start.isAddress ? source.address : ""
        if told.count == 2 {
            report.title = told[0]
            if source.start.isAddress { report.address = told[1] }
        }
        return report
    }
}
