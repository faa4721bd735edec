import PDF

/// What a field accepts, recognised from `AFRange_Validate`. Scripts of the form's own are not run.
public enum FieldValidation: Sendable, Equatable {
    case range(least: Double?, most: Double?)
    case script

    init?(script: String) {
        guard let call = StockCall.first(in: script), call.name == "AFRange_Validate" else {
            guard script.contains(where: \.isLetter) else { return nil }
            self = .script
            return
        }
        self = .range(
            least: call.flag(0) == true ? call.double(1) : nil,
            most: call.flag(2) == true ? call.double(3) : nil)
    }

    /// Why a value is not accepted, as the end of a sentence.
    func objection(to text: String) -> String? {
        guard case .range(let least, let most) = self,
            let value = Double(text.filter { !", $%".contains($0) })
        else { return nil }
        switch (least, most) {
        case (let least?, let most?) where value < least || value > most:
            return "it takes numbers from \(Self.text(least)) to \(Self.text(most))"
        case (let least?, nil) where value < least: return "it takes numbers from \(Self.text(least))"
        case (nil, let most?) where value > most: return "it takes numbers up to \(Self.text(most))"
        default: return nil
        }
    }

    private static func text(_ number: Double) -> String {
        var text: [UInt8] = []
        text.append(number: number, decimals: 6)
        return String(decoding: text, as: UTF8.self)
    }
}
