/// Widths of short texts in the fonts every viewer has, for what is printed beside a form and not into it.
public enum PlainWidth {
    /// In points. Letters Helvetica does not have count as wide as a digit.
    public static func helvetica(_ text: String, size: Double) -> Double {
        let font = StandardFont(nearest: "Helvetica")
        let units = text.unicodeScalars.reduce(0) { $0 + Int(font.width($1.value) ?? 556) }
        return Double(units) * size / 1000
    }
}
