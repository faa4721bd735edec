import PDF
import PDFDrawing

/// The letters an appearance stream shows, found by following its operators (ISO 32000-2 §9.4) as a viewer does.
struct ShownLetters {
    struct Letter {
        var text: String
        var hasGlyph: Bool
        /// In the space of the appearance: where it begins, how far it reaches, and from where up it is drawn.
        var left: Double
        var right: Double
        var baseline: Double
        var size: Double
    }

    private(set) var letters: [Letter] = []
    /// Fonts that are named but cannot be read.
    private(set) var unreadableFonts: Set<String> = []
    let box: PDFRectangle

    private static let mostWords = 200_000

    init?(_ file: some ObjectSource, _ picture: PDFReference, fonts: inout [PDFObject: ReadFont?]) {
        guard let dictionary = file.dictionary(picture.object),
            let box = PDFRectangle(file.numbers(dictionary["BBox"])),
            let content = file.stream(picture, limit: 4 << 20)
        else { return nil }
        self.box = box
        let named = file.dictionary(file.dictionary(dictionary["Resources"])?["Font"]) ?? [:]
        var state = State()
        var saved: [State] = []
        var operands: [PDFObject] = []
        var count = 0
        for word in ContentWords(content) {
            count += 1
            if count > Self.mostWords { return }
            guard case .operation(let operation) = word else {
                if case .operand(let object) = word, operands.count < 64 { operands.append(object) }
                continue
            }
            let numbers = operands.compactMap(\.number)
            func number(_ index: Int) -> Double { index < numbers.count ? numbers[index] : 0 }
            switch operation {
            case "q": if saved.count < 64 { saved.append(state) }
            case "Q": if let last = saved.popLast() { state = last }
            case "cm": if numbers.count == 6 { state.space = Matrix(numbers).followed(by: state.space) }
            case "BT":
                state.line = Matrix()
                state.text = Matrix()
            case "Td", "TD":
                if operation == "TD" { state.leading = -number(1) }
                state.newLine(number(0), number(1))
            case "Tm": if numbers.count == 6 { (state.line, state.text) = (Matrix(numbers), Matrix(numbers)) }
            case "T*": state.newLine(0, -state.leading)
            case "TL": state.leading = number(0)
            case "Tc": state.letterSpace = number(0)
            case "Tw": state.wordSpace = number(0)
            case "Tz": state.stretch = number(0) / 100
            case "Ts": state.rise = number(0)
            case "Tf":
                state.size = number(0)
                state.font = nil
                if let name = operands.first?.name, let object = named[name] {
                    if fonts[object] == nil { fonts[object] = .some(ReadFont(file, object)) }
                    state.font = fonts[object] ?? nil
                }
                if state.font == nil { unreadableFonts.insert(operands.first?.name?.text ?? "") }
            case "Tj": show(operands.last, &state)
            case "'", "\"":
                state.newLine(0, -state.leading)
                show(operands.last, &state)
            case "TJ":
                for item in operands.last?.array ?? [] {
                    if let number = item.number {
                        state.text.move(-number / 1000 * state.size * state.stretch, 0)
                    } else {
                        show(item, &state)
                    }
                }
            default: break
            }
            operands = []
        }
    }

    private mutating func show(_ object: PDFObject?, _ state: inout State) {
        guard let bytes = object?.bytes, let font = state.font else { return }
        for (index, sign) in font.signs(bytes).enumerated() {
            var width = sign.width / 1000 * state.size + state.letterSpace
            if index < bytes.count, bytes[index] == 32, sign.text == " " { width += state.wordSpace }
            width *= state.stretch
            let place = state.text.followed(by: state.space)
            let start = place.point(0, state.rise)
            let end = place.point(sign.width / 1000 * state.size * state.stretch, state.rise)
            letters.append(
                Letter(
                    text: sign.text, hasGlyph: sign.hasGlyph, left: min(start.x, end.x),
                    right: max(start.x, end.x),
                    baseline: start.y, size: abs(state.size * place.d)))
            state.text.move(width, 0)
        }
    }

    private struct State {
        var space = Matrix()
        var line = Matrix()
        var text = Matrix()
        var font: ReadFont?
        var size = 0.0
        var leading = 0.0
        var letterSpace = 0.0
        var wordSpace = 0.0
        var stretch = 1.0
        var rise = 0.0

        mutating func newLine(_ x: Double, _ y: Double) {
            line.move(x, y)
            text = line
        }
    }

    struct Matrix {
        var a = 1.0
        var b = 0.0
        var c = 0.0
        var d = 1.0
        var e = 0.0
        var f = 0.0

        init() {}
        init(_ numbers: [Double]) {
            guard numbers.count == 6 else { return }
            (a, b, c, d, e, f) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
        }

        mutating func move(_ x: Double, _ y: Double) {
            e += x * a + y * c
            f += x * b + y * d
        }

        func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
            (x * a + y * c + e, x * b + y * d + f)
        }

        func followed(by next: Matrix) -> Matrix {
            var result = Matrix()
            result.a = a * next.a + b * next.c
            result.b = a * next.b + b * next.d
            result.c = c * next.a + d * next.c
            result.d = c * next.b + d * next.d
            result.e = e * next.a + f * next.c + next.e
            result.f = e * next.b + f * next.d + next.f
            return result
        }
    }
}
