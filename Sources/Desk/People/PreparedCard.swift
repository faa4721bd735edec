import Bytes
import Cards
import Glibc
import Work

/// A card with all that is kept beside it, worked out without the desk.
struct PreparedCard: Sendable {
    let card: ContactCard
    let original: [UInt8]
    let mark: String
    /// Without its pictures.
    let text: String
    let shown: Contacts.Shown
    let isGroup: Bool

    init(_ card: ContactCard) {
        self.card = card
        original = card.untouched ?? card.bytes(as: .vcard4)
        mark = Contacts.mark(of: original)
        text = card.withoutFiles.withoutNUL
        shown = Contacts.Shown(card)
        isGroup = card.isGroup
    }
}

/// The cards of a file, read and prepared on a thread of their own while those before them are being kept.
enum CardStream {
    enum Piece: Sendable {
        case card(PreparedCard)
        case refusal(CardRefusal)
    }

    private struct Line: Sendable {
        var portions: [[Piece]] = []
        var isRead = false
        /// Nobody wants what comes.
        var isOver = false
    }

    private static let portion = 128
    /// So many portions are read ahead.
    private static let most = 4

    static func each(_ bytes: [UInt8], letters: String, _ body: (Piece) throws -> Void) throws {
        let line = Monitor(Line())
        let reader = Workers(name: "cards", threads: 1)
        defer {
            line.update { $0.isOver = true }
            reader.stop()
        }
        let keeper = pthread_self()
        let errand = Errand(on: reader) {
            defer { line.update { $0.isRead = true } }
            // Where the machine has no thread to give, all is read before the first is kept.
            let isAlone = pthread_equal(keeper, pthread_self()) != 0
            var pieces: [Piece] = []
            func handOver() throws {
                let isOver = line.wait { line -> Bool? in
                    if line.isOver { return true }
                    return isAlone || line.portions.count < most ? false : nil
                }
                guard isOver == false else { throw Cancelled(reason: "Nobody waits for these cards.") }
                line.update { $0.portions.append(pieces) }
                pieces = []
            }
            try CardFile.each(bytes, letters: letters) { found in
                switch found {
                case .card(let card): pieces.append(.card(PreparedCard(card)))
                case .refusal(let refusal): pieces.append(.refusal(refusal))
                }
                if pieces.count == portion { try handOver() }
            }
            if !pieces.isEmpty { try handOver() }
        }
        while true {
            let next = line.wait { line -> [Piece]? in
                if !line.portions.isEmpty { return line.portions.removeFirst() }
                return line.isRead ? [] : nil
            }
            guard let next, !next.isEmpty else { break }
            // There is room again.
            line.update { _ in }
            for piece in next { try body(piece) }
        }
        try errand.finish()
    }
}
