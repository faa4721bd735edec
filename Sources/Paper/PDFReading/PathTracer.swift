import PDF

/// Walks through a content stream and keeps the straight lines and boxes it draws.
struct PathTracer {
    static let longestContent = 48 << 20
    /// Maps and technical drawings have millions of strokes; forms have thousands.
    private static let mostMarks = 40_000
    private static let mostOperators = 2_000_000
    private static let costOfForm = 100
    private static let deepestForm = 8
    /// A filled box no thicker than this is a line.
    private static let thickestLine = 3.0

    private(set) var rules: [PageDrawing.Rule] = []
    private(set) var boxes: [PageDrawing.Box] = []
    private(set) var rounds: [PDFRectangle] = []
    private(set) var pictures: [PDFRectangle] = []

    private let file: PDFFile
    private let frame: PageFrame
    private let sheet: PDFRectangle
    private var state = State()
    private var operators = 0
    private var contents: [PDFReference: [UInt8]] = [:]

    private struct Point {
        var x: Double
        var y: Double
    }

    private struct State {
        var matrix = PDFMatrix()
        var lineWidth = 1.0
        /// 0 is black, 1 is white.
        var fill = 0.0
        var stroke = 0.0
        var fillIsTint = false
        var strokeIsTint = false
        var isClippedAway = false
    }

    private struct Path {
        var points: [Point] = []
        var isClosed = false
        var isCurved = false
    }

    init(_ file: PDFFile, _ frame: PageFrame) {
        self.file = file
        self.frame = frame
        sheet = PDFRectangle(left: 0, bottom: 0, right: frame.width, top: frame.height)
    }

    mutating func trace(_ content: [UInt8], resources: PDFDictionary, depth: Int = 0) {
        var scanner = ContentScanner(content)
        var saved: [State] = []
        var paths: [Path] = []
        while let word = scanner.nextOperator() {
            operators += 1
            guard operators < Self.mostOperators, rules.count + boxes.count < Self.mostMarks else { return }
            let n = scanner.numbers
            switch word {
            case "q": if saved.count < 256 { saved.append(state) }
            case "Q": state = saved.popLast() ?? state
            case "cm": if let matrix = PDFMatrix(n) { state.matrix = matrix.then(state.matrix) }
            case "w": state.lineWidth = n.first ?? 1
            case "g": setFill(n, isTint: false)
            case "rg", "k": setFill(n, isTint: false)
            case "G", "RG", "K": setStroke(n, isTint: false)
            // A named colour space with one component is most often a tint: 0 is no ink (§8.6.6.4).
            case "cs":
                state.fillIsTint = !Self.isGrey(scanner.name)
                state.fill = 0
            case "CS":
                state.strokeIsTint = !Self.isGrey(scanner.name)
                state.stroke = 0
            case "sc", "scn": setFill(n, isTint: state.fillIsTint)
            case "SC", "SCN": setStroke(n, isTint: state.strokeIsTint)
            case "m": if n.count == 2 { paths.append(Path(points: [point(n[0], n[1])])) }
            case "l":
                if n.count == 2, !paths.isEmpty { paths[paths.count - 1].points.append(point(n[0], n[1])) }
            case "c", "v", "y":
                if n.count >= 4, !paths.isEmpty {
                    paths[paths.count - 1].isCurved = true
                    for at in stride(from: 0, to: n.count - 1, by: 2) {
                        paths[paths.count - 1].points.append(point(n[at], n[at + 1]))
                    }
                }
            case "h": if !paths.isEmpty { paths[paths.count - 1].isClosed = true }
            case "re":
                guard n.count == 4 else { continue }
                paths.append(
                    Path(
                        points: [
                            point(n[0], n[1]), point(n[0] + n[2], n[1]), point(n[0] + n[2], n[1] + n[3]),
                            point(n[0], n[1] + n[3]),
                        ], isClosed: true))
            case "S", "s", "f", "F", "f*", "B", "B*", "b", "b*":
                paint(
                    paths, strokes: word != "f" && word != "F" && word != "f*",
                    fills: word != "S" && word != "s", closes: word.hasPrefix("b") || word == "s")
                paths = []
            case "n": paths = []
            case "Do": if let name = scanner.name { draw(name, resources, depth) }
            default: break
            }
            // Paths of this length are drawings, not forms.
            if paths.count > 20_000 || (paths.last?.points.count ?? 0) > 20_000 { paths = [] }
        }
        if let first = saved.first { state = first }
    }

    private static func isGrey(_ name: PDFName?) -> Bool {
        name == "DeviceGray" || name == "CalGray" || name == "DeviceRGB" || name == "DeviceCMYK"
    }

    private func point(_ x: Double, _ y: Double) -> Point {
        let written = state.matrix.point(x, y)
        let seen = frame.shown(x: written.x, y: written.y)
        return Point(x: Self.sound(seen.x), y: Self.sound(seen.y))
    }

    private static func sound(_ value: Double) -> Double {
        value.isFinite ? min(max(value, -1e6), 1e6) : 0
    }

    private static func lightness(_ n: [Double], isTint: Bool) -> Double {
        switch n.count {
        case 1: isTint ? 1 - n[0] : n[0]
        case 3: 0.3 * n[0] + 0.59 * n[1] + 0.11 * n[2]
        case 4: max(0, 1 - (0.3 * n[0] + 0.59 * n[1] + 0.11 * n[2]) - n[3])
        // A pattern: something is there, neither black nor white.
        default: 0.5
        }
    }

    private mutating func setFill(_ n: [Double], isTint: Bool) {
        state.fill = Self.lightness(n, isTint: isTint)
    }

    private mutating func setStroke(_ n: [Double], isTint: Bool) {
        state.stroke = Self.lightness(n, isTint: isTint)
    }

    private mutating func draw(_ name: PDFName, _ resources: PDFDictionary, _ depth: Int) {
        guard let reference = file.dictionary(resources["XObject"])?[name]?.reference,
            let object = file.dictionary(.reference(reference))
        else { return }
        if file.resolve(object["Subtype"]).name == "Image" {
            let corners = [point(0, 0), point(1, 0), point(1, 1), point(0, 1)]
            if let place = Self.bounds(corners).common(with: sheet), pictures.count < 2000 {
                pictures.append(place)
            }
            return
        }
        guard depth < Self.deepestForm, file.resolve(object["Subtype"]).name == "Form" else { return }
        // Forms that draw forms many times over are how a small file keeps a reader busy for ever.
        operators += Self.costOfForm
        let content: [UInt8]
        if let known = contents[reference] {
            content = known
        } else {
            content = file.stream(reference, limit: Self.longestContent) ?? []
            contents[reference] = content
        }
        let before = state
        if let matrix = PDFMatrix(file.numbers(object["Matrix"])) {
            state.matrix = matrix.then(state.matrix)
        }
        trace(content, resources: file.dictionary(object["Resources"]) ?? resources, depth: depth + 1)
        state = before
    }

    private mutating func paint(_ paths: [Path], strokes: Bool, fills: Bool, closes: Bool) {
        // White on white is nothing one sees.
        let strokes = strokes && state.stroke < 0.93
        for path in paths {
            if let box = Self.rectangle(path) {
                paint(box, strokes: strokes, fills: fills)
            } else if path.isCurved {
                let place = Self.bounds(path.points)
                if strokes, place.width > 4, place.width < 40, abs(place.width - place.height) < 3,
                    rounds.count < 5000, Self.isRound(path)
                {
                    rounds.append(place)
                }
            } else if strokes {
                strokeLines(path, closes: closes)
            }
        }
    }

    private mutating func paint(_ place: PDFRectangle, strokes: Bool, fills: Bool) {
        guard let seen = onSheet(place) else { return }
        let isLine = min(seen.width, seen.height) <= Self.thickestLine
        let pen = max(0.1, state.lineWidth * state.matrix.scale)
        if isLine {
            guard max(seen.width, seen.height) > 1.5, strokes || (fills && state.fill < 0.93) else { return }
            rules.append(PageDrawing.Rule(place: seen))
            return
        }
        boxes.append(
            PageDrawing.Box(
                place: seen, isOutlined: strokes, lightness: fills ? min(max(state.fill, 0), 1) : nil))
        guard strokes else { return }
        for side in [
            PDFRectangle(left: seen.left, bottom: seen.bottom, right: seen.right, top: seen.bottom),
            PDFRectangle(left: seen.left, bottom: seen.top, right: seen.right, top: seen.top),
        ] {
            rules.append(
                PageDrawing.Rule(
                    place: PDFRectangle(
                        left: side.left, bottom: side.bottom - pen / 2, right: side.right,
                        top: side.top + pen / 2)))
        }
        for x in [seen.left, seen.right] {
            rules.append(
                PageDrawing.Rule(
                    place: PDFRectangle(
                        left: x - pen / 2, bottom: seen.bottom, right: x + pen / 2, top: seen.top)))
        }
    }

    /// The part that is on the sheet, even of a box without width.
    private func onSheet(_ place: PDFRectangle) -> PDFRectangle? {
        let edge = sheet.grown(by: 2)
        guard place.right > edge.left, place.left < edge.right, place.top > edge.bottom,
            place.bottom < edge.top
        else { return nil }
        return PDFRectangle(
            left: max(place.left, edge.left), bottom: max(place.bottom, edge.bottom),
            right: min(place.right, edge.right), top: min(place.top, edge.top))
    }

    private mutating func strokeLines(_ path: Path, closes: Bool) {
        let pen = max(0.1, state.lineWidth * state.matrix.scale) / 2
        var points = path.points
        if (path.isClosed || closes), let first = points.first { points.append(first) }
        for (from, to) in zip(points, points.dropFirst()) {
            let isAcross = abs(from.y - to.y) < 0.6
            let isUpright = abs(from.x - to.x) < 0.6
            guard isAcross != isUpright, max(abs(from.x - to.x), abs(from.y - to.y)) > 1.5 else { continue }
            let line = PDFRectangle(
                left: min(from.x, to.x) - (isUpright ? pen : 0),
                bottom: min(from.y, to.y) - (isAcross ? pen : 0),
                right: max(from.x, to.x) + (isUpright ? pen : 0),
                top: max(from.y, to.y) + (isAcross ? pen : 0))
            // A very thick stroke is a filled area drawn the lazy way.
            if min(line.width, line.height) > Self.thickestLine * 2 {
                boxes.append(PageDrawing.Box(place: line, isOutlined: false, lightness: state.stroke))
            } else if let seen = onSheet(line) {
                rules.append(PageDrawing.Rule(place: seen))
            }
        }
    }

    private static func bounds(_ points: [Point]) -> PDFRectangle {
        let x = points.map(\.x)
        let y = points.map(\.y)
        return PDFRectangle(
            left: x.min() ?? 0, bottom: y.min() ?? 0, right: x.max() ?? 0, top: y.max() ?? 0)
    }

    /// The box that a path of straight lines goes around, if that is what it does.
    private static func rectangle(_ path: Path) -> PDFRectangle? {
        guard !path.isCurved, (4...5).contains(path.points.count) else { return nil }
        let bounds = bounds(path.points)
        func isCorner(_ point: Point) -> Bool {
            min(abs(point.x - bounds.left), abs(point.x - bounds.right)) < 0.3
                && min(abs(point.y - bounds.bottom), abs(point.y - bounds.top)) < 0.3
        }
        guard path.points.allSatisfy(isCorner) else { return nil }
        let turns = zip(path.points, path.points.dropFirst())
        guard turns.allSatisfy({ abs($0.x - $1.x) < 0.3 || abs($0.y - $1.y) < 0.3 }) else { return nil }
        guard path.points.count == 5 || path.isClosed || bounds.width < 3 || bounds.height < 3 else {
            return nil
        }
        return bounds
    }

    /// Curves around a middle: each point about as far from it as the others.
    private static func isRound(_ path: Path) -> Bool {
        let bounds = bounds(path.points)
        let radius = bounds.width / 2
        return path.points.allSatisfy {
            let x = $0.x - bounds.middle.x
            let y = $0.y - bounds.middle.y
            let far = (x * x + y * y).squareRoot()
            return far > radius * 0.8 && far < radius * 1.5
        }
    }
}
