extension StringProtocol {
    var trimmingSpaces: String {
        var text = drop { $0.isWhitespace }
        while text.last?.isWhitespace ?? false { text = text.dropLast() }
        return String(text)
    }

    /// A subject is one line, whatever a cell holds.
    var onOneLine: String {
        var output = ""
        for scalar in unicodeScalars {
            let isBreak =
                scalar.value < 0x20 || scalar.value == 0x7F || scalar.value == 0x2028
                || scalar.value == 0x2029
            output.unicodeScalars.append(isBreak ? " " : scalar)
        }
        return output.trimmingSpaces
    }
}
