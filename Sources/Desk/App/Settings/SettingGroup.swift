import Bytes
import Storage

/// Settings that are saved together, as one JSON object. Reading never fails: what is missing, or no longer
/// understood, is as if it had not been said.
protocol SettingGroup: Sendable {
    static var name: String { get }
    init()
    init(_ json: JSON)
    var json: JSON { get }
    /// Tidied, or refused with the field that is wrong.
    func checked() throws(Failure) -> Self
}

enum SettingCheck {
    /// One line of text without blanks at its ends.
    static func line(_ text: String, _ field: String, limit: Int = 200) throws(Failure) -> String {
        let line = text.trimmed
        guard line.count <= limit,
            !line.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw Failure(.invalid, "This must be one line of at most \(limit) letters.", field: field) }
        return line
    }

    static func lines(_ text: String, _ field: String, limit: Int = 1000) throws(Failure) -> String {
        let lines = String(text.unicodeScalars.filter { $0 != "\r" }).trimmed
        let isPlain = lines.unicodeScalars.allSatisfy {
            $0 == "\n" || $0.properties.generalCategory != .control
        }
        guard lines.count <= limit, isPlain else {
            throw Failure(.invalid, "This must be plain text of at most \(limit) letters.", field: field)
        }
        return lines
    }
}
