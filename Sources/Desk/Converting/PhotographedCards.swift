public import Conversion
import Kinds
public import PDFReading
public import Storage
import Work

/// What photos of cards say: their square codes, and their print.
public struct PhotographedCards: Sendable {
    private let usualLanguages: @Sendable () -> [String]
    private let engines: @Sendable () -> Engines

    public init(
        usualLanguages: @escaping @Sendable () -> [String], engines: @escaping @Sendable () -> Engines
    ) {
        self.usualLanguages = usualLanguages
        self.engines = engines
    }

    public static func isPicture(_ bytes: [UInt8], named name: String) -> Bool {
        PaperKind.detect(bytes, name: name)?.family == .picture
    }

    /// What each square code in it says.
    public func codes(in bytes: [UInt8], named name: String) throws(Failure) -> [String] {
        do throws(ConversionError) {
            return try engines().codes(in: paper(bytes, name))
        } catch {
            throw Self.failure(error)
        }
    }

    /// The print of the card that lies in a photo, line by line.
    public func print(in bytes: [UInt8], named name: String) throws(Failure) -> PageText {
        do throws(ConversionError) {
            return try engines().print(onCard: paper(bytes, name), languages: usualLanguages())
        } catch {
            throw Self.failure(error)
        }
    }

    /// A damaged picture was given so; nothing of the desk is damaged.
    private static func failure(_ error: ConversionError) -> Failure {
        var failure = Failure(error)
        if failure.code == .damaged { failure.code = .invalid }
        return failure
    }

    private func paper(_ bytes: [UInt8], _ name: String) throws(ConversionError) -> Paper {
        guard let kind = PaperKind.detect(bytes, name: name), kind.family == .picture else {
            throw .damaged(name, reason: "this is no picture.")
        }
        return Paper(name: name, kind: kind, bytes: bytes)
    }
}
